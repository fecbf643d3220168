"""Sums over the judged items of a suite, or of each of its groups, in every resample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Blocks, Sample, Values
from pytest_nlpeval.tasks.labels.columns import GOLD, GROUP, JUDGED, LONE, PROBABILITY, SYSTEM, Names
from pytest_nlpeval.tasks.labels.options import Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Evidence, Numbers

Scope = Literal["suite", "groups"]

MOST_TOTALS = 500_000
MOST_OF_TOTALS = 100
"""Labels are summed by totals, which makes measures additive, where there are no more of them, and no more items times labels."""


class Tally(NamedTuple):
    """What a sample holds, for the suite or for each group: all results have shape `(R, groups)`, the suite being one group.

    Items that are not judged count for `items` alone.
    """

    sample: Sample
    options: Options
    scope: Scope

    @property
    def names(self) -> Names:
        """The labels and groups."""
        names: Names = self.sample.once("labels: names", lambda evidence: Names.of(self.options, evidence.columns))
        return names

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups; the suite is one without name."""
        return tuple(self.names.groups) if self.scope == "groups" else ("",)

    @property
    def blocks(self) -> Blocks:
        """The group of each item; -1 is none."""
        blocks: Blocks = self.sample.once(f"labels: blocks of {self.scope}", self._blocks)
        return blocks

    def _blocks(self, evidence: Evidence) -> Blocks:
        ranks = np.full(len(evidence.units), 0 if self.scope == "suite" else -1, np.int64)
        for place, group in enumerate(self.groups if self.scope == "groups" else ()):
            ranks[evidence.column(f"{GROUP}{group}") == 1] = place
        return Blocks(ranks, np.arange(len(self.groups)))

    def members(self) -> list[NDArray[np.int64]]:
        """Return the judged items of each group."""
        members: list[NDArray[np.int64]] = self.column(f"members of {self.scope}", self._members)
        return members

    def _members(self) -> list[NDArray[np.int64]]:
        is_judged = self.judged == 1
        return [np.flatnonzero(is_judged & (self.blocks.ranks == place)) for place in range(len(self.groups))]

    def shared(self, name: str, compute: Callable[[], Values]) -> Values:
        """Return what `compute` gives, once for all measures of the sample."""
        return self.sample.shared(f"{self.scope}: {name}", compute)

    def column(self, name: str, compute: Callable[[], Any]) -> Any:
        """Return a column that is computed from columns, once."""
        return self.sample.once(f"labels: {name}", lambda _: compute())

    @property
    def judged(self) -> Numbers:
        """Which items are judged, as 0 and 1."""
        return self.sample.evidence.column(JUDGED)

    def sums(self, numbers: Numbers) -> Values:
        """Return the sums of a column."""
        if self.scope == "suite":
            return self.sample.total(numbers)[:, None]
        return self.sample.block_sums(numbers, self.blocks)

    def items(self) -> Values:
        """Return the numbers of items."""
        return self.shared("items", lambda: self.sums(np.ones(len(self.sample.evidence.units), np.int8)))

    def number(self) -> Values:
        """Return the numbers of judged items, n."""
        return self.shared("number", lambda: self.sums(self.judged))

    def rows(self, side: str, label: str) -> NDArray[np.int64]:
        """Return the rows of the judged items that have a label in gold, system or `both`."""

        def of_label() -> NDArray[np.int64]:
            if side == BOTH:
                gold, system = self.rows(GOLD, label), self.rows(SYSTEM, label)
                return gold[np.isin(gold, system, assume_unique=True)]
            column: Any = self.sample.evidence.columns.get(f"{side}.{label}")
            own = np.zeros(0, np.int64) if column is None else _rows_of(column)
            judged: NDArray[np.int64] = own[self.judged[own] == 1]
            return judged

        rows: NDArray[np.int64] = self.column(f"rows of {side} {label}", of_label)
        return rows

    def flags(self, side: str, label: str) -> Numbers:
        """Return the same as a column of 0 and 1."""
        flags = np.zeros(len(self.sample.evidence.units), np.int8)
        flags[self.rows(side, label)] = 1
        return flags

    def of_label(self, side: str, label: str) -> Values:
        """Return how many judged items have a label: g_k, s_k or, with `both`, t_k."""
        if self._takes_totals() or label not in self.names.places:
            return self.shared(f"{side} of {label}", lambda: self.sums(self.flags(side, label)))
        return self.of_labels(side)[:, :, self.names.places[label]]

    def of_labels(self, side: str) -> Values:
        """Return the same of each label of `names.every`, shape `(R, groups, labels)`."""
        if self._takes_totals():
            every = self.names.every
            return self.shared(side, lambda: stacked([self.of_label(side, label) for label in every], self.number()))
        return self.shared(side, lambda: self._counted(side))

    def _takes_totals(self) -> bool:
        labels = len(self.names.every)
        return self.scope == "suite" and labels <= MOST_OF_TOTALS and labels * len(self.judged) <= MOST_TOTALS

    def _counted(self, side: str) -> Values:
        """Return the sums of all labels, in one pass over the items that have them, by group and label."""
        labels = len(self.names.every)
        shape = (self.sample.size, len(self.groups), labels)

        def entries() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
            lists = [self.rows(side, label) for label in self.names.every]
            rows = np.concatenate([np.zeros(0, np.int64), *lists])
            cells = self.blocks.ranks[rows] * labels + np.repeat(
                np.arange(labels), [len(rows_of_label) for rows_of_label in lists]
            )
            kept = np.flatnonzero(self.blocks.ranks[rows] >= 0)
            kept = kept[np.argsort(cells[kept], kind="stable")]
            starts = np.flatnonzero(np.diff(cells[kept], prepend=-1))
            return rows[kept], starts, cells[kept][starts]

        rows, starts, cells = self.column(f"entries of {side} in {self.scope}", entries)
        sums = np.zeros((shape[0], shape[1] * labels))
        if len(rows):
            sums[:, cells] = np.add.reduceat(self.sample.counts(rows), starts, axis=1)
        return sums.reshape(shape)


BOTH = "both"


def _rows_of(column: Any) -> NDArray[np.int64]:
    """Return the rows of a column of flags, whichever form it has."""
    rows: NDArray[np.int64] = (column.rows if hasattr(column, "rows") else np.flatnonzero(column)).astype(np.int64)
    return rows


def stacked(parts: Sequence[Values], like: Values) -> Values:
    """Return the figures of several labels, shape `(R, groups, labels)`; `like` has the shape of one of them."""
    return np.stack(parts, axis=2) if parts else np.zeros((*like.shape, 0))


def probability_of(tally: Tally, label: str) -> Numbers:
    """Return the probabilities of a label, zeros for one that they do not name."""
    evidence = tally.sample.evidence
    if LONE in evidence.columns:
        lone = evidence.column(LONE)
        return lone if label == tally.options.positive else 1 - lone
    return evidence.column(f"{PROBABILITY}{label}")
