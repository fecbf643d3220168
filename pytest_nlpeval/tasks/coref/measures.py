"""The measures, as functions of sums over all documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from pytest_nlpeval.kit.prf import FIGURES, Figure, Functions, Texts, prf, ratios_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import COUNT, Measure, Sample, Values
from pytest_nlpeval.metrics.prf import f_of, ratio
from pytest_nlpeval.tasks.coref.options import COREFUD_1_2, Format, Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

Value = Callable[[Sample], Values]


def measures(options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return the measures, which are the same for all files."""
    return _OF_COREFUD if options.profile == COREFUD_1_2 else _STANDARD


def signature(options: Options, columns: Collection[str]) -> Mapping[str, str]:
    """Return what the options say, and where they leave it open, what the scorer of gold's format does."""
    formats: dict[str, Format] = {"other-format": "conll", "corefud": "corefud"}
    settled = [asdict(options.settled(form)) for column, form in formats.items() if column in columns] or [asdict(options)]
    return {name: ",".join(dict.fromkeys(str(one[name] or "by-format") for one in settled)) for name in settled[0]}


def _f(precision: Values, recall: Values) -> Values:
    """Return F; a missing precision or recall counts as 0, and if both are missing there is none."""
    values: Values = np.where(
        np.isnan(precision) & np.isnan(recall), np.nan, f_of(np.nan_to_num(precision), np.nan_to_num(recall))
    )
    return values


def _of(precision: Value, recall: Value) -> Functions:
    """Return the functions of a measure whose F is that of its precision and recall."""

    def both(sample: Sample) -> Values:
        return _f(precision(sample), recall(sample))

    functions: dict[Figure, Value] = {"precision": precision, "recall": recall, "f1": both}
    return functions.__getitem__


def _share(numerator: str, denominator: str | Value) -> Value:
    def value(sample: Sample) -> Values:
        below = sample.total(denominator) if isinstance(denominator, str) else denominator(sample)
        return ratio(sample.total(numerator), below)

    return value


def _shares(name: str, denominators: str) -> Functions:
    """Return the functions of sums of each side over its numbers of mentions or links."""
    return _of(_share(f"{name}.system", f"system.{denominators}"), _share(f"{name}.gold", f"gold.{denominators}"))


def _links(side: str) -> Value:
    """Return the number of links that hold a side's entities together: mentions less entities."""
    return lambda sample: sample.total(f"{side}.mentions") - sample.total(f"{side}.entities")


def _blanc(figure: Figure, *, counts_of_system: bool) -> Value:
    """Return the mean of a figure of both kinds of links, of those kinds that gold has, in `corefud-1.2` that either side has."""

    def value(sample: Sample) -> Values:
        figures, counts = zip(
            *(_of_kind(sample, kind, figure, counts_of_system=counts_of_system) for kind in ("coreferent", "other")), strict=True
        )
        number = counts[0].astype(np.int64) + counts[1]
        total = np.where(counts[0], figures[0], 0) + np.where(counts[1], figures[1], 0)
        return ratio(total, number)

    return value


def _of_kind(sample: Sample, kind: str, figure: Figure, *, counts_of_system: bool) -> tuple[Values, NDArray[np.bool_]]:
    """Return a figure of one kind of links, and whether the kind counts; without links of a side its share is 0."""
    common, gold, system = (sample.total(f"{kind}.{side}") for side in ("common", "gold", "system"))
    precision, recall = ratio(common, system, empty=0.0), ratio(common, gold, empty=0.0)
    values = {"precision": precision, "recall": recall, "f1": f_of(precision, recall)}
    return values[figure], (gold > 0) | (system > 0) if counts_of_system else gold > 0


def _texts(what: str, precision: str, recall: str, lack: str = "mentions") -> Texts:
    return {
        "precision": (f"Precision of {what}.", precision, f"the system has no {lack}"),
        "recall": (f"Recall of {what}.", recall, f"gold has no {lack}"),
        "f1": (f"Balanced F of {what}.", "2PR / (P + R); 0 if only one side has any", f"neither side has {lack}"),
    }


def _conll(sample: Sample) -> Values:
    return (_MUC("f1")(sample) + _BCUB("f1")(sample) + _CEAFE("f1")(sample)) / 3


def _muc() -> Functions:
    return _of(_share("muc.precise", _links("system")), _share("muc.recalled", _links("gold")))


_MUC = _muc()
_BCUB = _shares("bcub", "mentions")
_CEAFE = ratios_of("ceafe", "system.entities", "gold.entities")


def _zeros(*others: str) -> Value:
    def value(sample: Sample) -> Values:
        return sample.total("zeros.tp") + sum(sample.total(f"zeros.{other}") for other in others)

    return value


def _measures(*, counts_of_system: bool) -> Iterator[Measure]:
    """Yield the measures; `counts_of_system` says which kinds of links BLANC is the mean of."""
    missing = "MUC, B-cubed or CEAF-e has no F: one of them had nothing to measure"
    formula = "(muc.f1 + bcub.f1 + ceafe.f1) / 3"
    yield Measure("conll.f1", "The CoNLL average: mean F of MUC, B-cubed and CEAF-e.", formula, _conll, missing, group="conll")
    ours, theirs = "system mentions", "gold mentions"
    of_mentions = ratios_of("pairs", "system.mentions", "gold.mentions")
    yield from prf("mentions", of_mentions, _texts("finding mentions", f"pairs / {ours}", f"pairs / {theirs}"))
    links = "Σ (m - 1) over m > 0"
    texts = _texts("the links of entities (MUC)", f"{links} / Σ_s (|s| - 1)", f"{links} / Σ_k (|k| - 1)", "links")
    yield from prf("muc", _MUC, texts)
    texts = _texts("mentions by what their entities share (B-cubed)", f"Σ m² / |s| / {ours}", f"Σ m² / |k| / {theirs}")
    yield from prf("bcub", _BCUB, texts)
    greatest = "greatest Σ m over one-to-one pairings of entities"
    texts = _texts("entities paired one to one, by mentions (CEAF-m)", f"{greatest} / {ours}", f"{greatest} / {theirs}")
    yield from prf("ceafm", ratios_of("ceafm", "system.mentions", "gold.mentions"), texts)
    greatest = "greatest Σ 2m / (|k| + |s|) over one-to-one pairings of entities"
    texts = _texts(
        "entities paired one to one, by entities (CEAF-e)",
        f"{greatest} / system entities",
        f"{greatest} / gold entities",
        "entities",
    )
    yield from prf("ceafe", _CEAFE, texts)
    yield from prf("blanc", lambda figure: _blanc(figure, counts_of_system=counts_of_system), _of_blanc())
    texts = _texts(
        "the links of entities, weighted by size (LEA)",
        f"Σ_s |s| · Σ_k c(m) / c(|s|) / {ours}",
        f"Σ_k |k| · Σ_s c(m) / c(|k|) / {theirs}",
    )
    yield from prf("lea", _shares("lea", "mentions"), texts)
    greatest = "greatest Σ |g & s| over one-to-one pairings of mentions"
    texts = _texts("the words of mentions (mention overlap ratio)", f"{greatest} / Σ |s|", f"{greatest} / Σ |g|")
    yield from prf("mor", ratios_of("overlap", "system.places", "gold.places"), texts)
    texts = _texts("anaphoric zeros", "tp / (tp + wl + fp)", "tp / (tp + wl + fn)", "anaphoric zeros")
    yield from prf("zeros", ratios_of("zeros.tp", _zeros("wl", "fp"), _zeros("wl", "fn")), texts)
    yield from _counts()


def _of_blanc() -> Texts:
    lack = "gold has neither two mentions of one entity nor two of different ones"
    of = "of links of one entity, and of links of different entities (BLANC)"
    names = {"precision": "precision", "recall": "recall", "f1": "F"}
    return {
        figure: (f"Mean {names[figure]} {of}.", f"({figure} of c links + {figure} of n links) / 2", lack) for figure in FIGURES
    }


def _counts() -> Iterator[Measure]:
    counts: dict[str, tuple[str, str, Value]] = {
        "mentions.tp": ("Gold mentions that are paired.", "pairs", lambda sample: sample.total("pairs")),
        "mentions.fp": (
            "System mentions that are not paired.",
            "system mentions - pairs",
            lambda sample: sample.total("system.mentions") - sample.total("pairs"),
        ),
        "mentions.fn": (
            "Gold mentions that are not paired.",
            "gold mentions - pairs",
            lambda sample: sample.total("gold.mentions") - sample.total("pairs"),
        ),
        "entities.gold": ("Entities of gold.", "|K|", lambda sample: sample.total("gold.entities")),
        "entities.system": ("Entities of the system.", "|S|", lambda sample: sample.total("system.entities")),
    }
    for name, (definition, formula, value) in counts.items():
        better: Collection[str] = ("mentions.fp", "mentions.fn")
        yield Measure(
            name,
            definition,
            formula,
            value,
            range=COUNT,
            better="lower" if name in better else "higher",
            group=name.partition(".")[0],
            perfect="end" if name in better else None,
        )


_STANDARD = tuple(_measures(counts_of_system=False))
_OF_COREFUD = tuple(_measures(counts_of_system=True))
