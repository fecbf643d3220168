"""What labels and sets of labels are measured by, as functions of a tally: each gives a figure for every group in every resample."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_nlpeval.kit.prf import Figure, figure_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.labels.columns import GOLD, SYSTEM
from pytest_nlpeval.tasks.labels.tally import BOTH, Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Numbers

Statistic: TypeAlias = Callable[[Tally], Values]


def coverage(tally: Tally) -> Values:
    """Return judged / items."""
    return ratio(tally.number(), tally.items())


def _without_nothing(tally: Tally, values: Values) -> Values:
    """Return values with 0 for none, as scikit-learn has it, but none where no item is judged."""
    if not tally.options.is_sklearn:
        return values
    filled: Values = np.where(np.isnan(values) & (tally.number() > 0), 0.0, values)
    return filled


def label_figure(label: str, figure: Figure) -> Statistic:
    """Return the figure of one label."""

    def values(tally: Tally) -> Values:
        both, system, gold = (tally.of_label(side, label) for side in (BOTH, SYSTEM, GOLD))
        return _without_nothing(tally, figure_of(figure, both, system, gold))

    return values


def _counts(tally: Tally) -> tuple[Values, Values, Values]:
    """Return t, s and g of the labels that averages are over."""
    averaged = np.array([tally.names.places[label] for label in tally.names.averaged], np.int64)
    both, system, gold = (tally.of_labels(side)[:, :, averaged] for side in (BOTH, SYSTEM, GOLD))
    return both, system, gold


def micro(figure: Figure) -> Statistic:
    """Return the figure of the summed counts."""
    return lambda tally: _without_nothing(tally, figure_of(figure, *(counts.sum(axis=2) for counts in _counts(tally))))


def macro(figure: Figure) -> Statistic:
    """Return the mean figure of the labels that occur, or of all if `averages_all`."""

    def values(tally: Tally) -> Values:
        both, system, gold = _counts(tally)
        figures = np.nan_to_num(figure_of(figure, both, system, gold))
        occurs = gold + system > 0
        if tally.options.averages_all:
            occurs = np.broadcast_to(tally.number()[:, :, None] > 0, occurs.shape)
        return _without_nothing(tally, mean(figures, occurs))

    return values


def mean(figures: Values, counts: NDArray[np.bool_]) -> Values:
    """Return the mean over the last axis of the figures that count."""
    return ratio(np.where(counts, figures, 0.0).sum(axis=2), counts.sum(axis=2))


def weighted(figure: Figure) -> Statistic:
    """Return the mean figure of the labels, each counting as often as gold has it."""

    def values(tally: Tally) -> Values:
        both, system, gold = _counts(tally)
        figures = np.nan_to_num(figure_of(figure, both, system, gold))
        return _without_nothing(tally, ratio((gold * figures).sum(axis=2), gold.sum(axis=2)))

    return values


def right(tally: Tally) -> Numbers:
    """Return which judged items have the same label, or the same set, in gold and system, as 0 and 1."""
    equal: Numbers = tally.column("right", lambda: _equal(tally))
    return equal


def _sizes(tally: Tally, side: str, labels: Iterable[str]) -> NDArray[np.int64]:
    """Return how many of some labels each judged item has in gold, system or both."""
    rows = [tally.rows(side, label) for label in labels]
    length = len(tally.judged)
    return np.bincount(np.concatenate(rows), minlength=length) if rows else np.zeros(length, np.int64)


def _equal(tally: Tally) -> Numbers:
    both, system, gold = (_sizes(tally, side, tally.names.every) for side in (BOTH, SYSTEM, GOLD))
    equal: Numbers = ((tally.judged == 1) & (both == system) & (both == gold)).astype(np.int8)
    return equal


def accuracy(tally: Tally) -> Values:
    """Return the share of judged items that are right."""
    return ratio(tally.sums(right(tally)), tally.number())


def hamming_loss(tally: Tally) -> Values:
    """Return the share of wrong ones among all decisions, one for each judged item and label."""

    def wrong() -> Numbers:
        both, system, gold = (_sizes(tally, side, tally.names.every) for side in (BOTH, SYSTEM, GOLD))
        return system + gold - 2 * both

    return ratio(tally.sums(tally.column("wrong decisions", wrong)), tally.number() * len(tally.names.labels))


def samples(figure: Figure | Literal["jaccard"]) -> Statistic:
    """Return the mean over judged items of a figure of their two sets, cut down to the labels that averages are over."""

    def of_items(tally: Tally) -> Numbers:
        both, system, gold = (_sizes(tally, side, tally.names.averaged) for side in (BOTH, SYSTEM, GOLD))
        if figure == "jaccard":
            shares = ratio(both, system + gold - both, empty=0.0)
        else:
            shares = np.nan_to_num(figure_of(figure, both, system, gold))
        if not tally.options.is_sklearn:
            shares = np.where(system + gold == 0, 1.0, shares)
        items: Numbers = shares * tally.judged
        return items

    return lambda tally: ratio(tally.sums(tally.column(f"samples.{figure}", lambda: of_items(tally))), tally.number())


def balanced_accuracy(tally: Tally) -> Values:
    """Return the mean recall of the labels that gold has."""
    labels = slice(len(tally.names.labels))
    both, gold = (tally.of_labels(side)[:, :, labels] for side in (BOTH, GOLD))
    return mean(np.nan_to_num(ratio(both, gold)), gold > 0)


def _agreement(tally: Tally) -> tuple[Values, Values, Values, Values]:
    """Return c n - sum g s, n^2 - sum g s, n^2 - sum s^2 and n^2 - sum g^2."""
    both, system, gold = (tally.of_labels(side) for side in (BOTH, SYSTEM, GOLD))
    square = tally.number() ** 2
    chance = (gold * system).sum(axis=2)
    agreed = both.sum(axis=2) * tally.number() - chance
    return agreed, square - chance, square - (system**2).sum(axis=2), square - (gold**2).sum(axis=2)


def kappa(tally: Tally) -> Values:
    """Return Cohen's kappa."""
    agreed, most, _, _ = _agreement(tally)
    return ratio(agreed, most)


def mcc(tally: Tally) -> Values:
    """Return Gorodkin's correlation of labels."""
    agreed, _, of_system, of_gold = _agreement(tally)
    return _without_nothing(tally, np.clip(ratio(agreed, np.sqrt(of_system * of_gold)), -1.0, 1.0))


def places_of(tally: Tally, side: str) -> NDArray[np.int64]:
    """Return the place of each judged item's label, 0 for items that are not judged."""

    def found() -> NDArray[np.int64]:
        places = np.zeros(len(tally.judged), np.int64)
        for label, place in tally.names.places.items():
            places[tally.rows(side, label)] = place
        return places

    places: NDArray[np.int64] = tally.column(f"place in {side}", found)
    return places


def quadratic_kappa(tally: Tally) -> Values:
    """Return the weighted kappa of Cohen, a difference counting by its square; none where an item has an unknown label."""
    system, gold = (tally.of_labels(side) for side in (SYSTEM, GOLD))
    known = len(tally.names.labels)
    scale = np.arange(len(tally.names.every), dtype=np.float64)
    number = tally.number()
    squares = number * ((system + gold) * scale**2).sum(axis=2) - 2 * (system * scale).sum(axis=2) * (gold * scale).sum(axis=2)
    differences = tally.column("squares", lambda: (places_of(tally, GOLD) - places_of(tally, SYSTEM)) ** 2)
    values = 1 - ratio(number * tally.sums(differences), squares)
    unknown = (system + gold)[:, :, known:].sum(axis=2)
    without: Values = np.where(unknown > 0, np.nan, values)
    return without
