"""Stretches of places in rankings of rows, and how many rows stand before each stretch if rows have weights.

The score of a ranking needs only a few of its places: those where a run of correct judgments, or a block of equal scores, begins and ends.
A function such as `Sample.running_sums` gives the weight of all rows before such a place, for many samples at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows: TypeAlias = "NDArray[np.int64]"
"""Row numbers, or places in a list of them."""
Flags: TypeAlias = "NDArray[Any]"
"""0 or 1 for each row."""
Counts: TypeAlias = "NDArray[np.integer[Any]]"
RunningSums: TypeAlias = "Callable[[Rows, Rows], Counts]"
"""`sums(order, places)`: the weight of the first p rows of an order together, for each p of `places`; shape `(R, places)`."""


def once(_order: Rows, places: Rows) -> Counts:
    """Return the running sums of rows that count once each, R = 1."""
    return places[None, :]


class Within(NamedTuple):
    """Stretches in samples: the weight of the rows of its ranking before each stretch, and up to its end, shape `(R, stretches)`.

    `numbers` is the weight of each whole ranking, shape `(R, rankings)`.
    """

    before: Counts
    last: Counts
    numbers: Counts


@light_dataclass(frozen=True, slots=True)
class Stretches:
    """Stretches of places in rankings.

    `order` holds the rows of all rankings, one ranking after the other; `bounds` are the places in it where rankings begin, and its
    length. Stretch k is the half-open range from `begins[k]` to `ends[k]`. It lies within one ranking, and stretches ascend. Those of
    ranking s are numbered from `parts[s]` to before `parts[s + 1]`.
    """

    order: Rows
    bounds: Rows
    begins: Rows
    ends: Rows
    parts: Rows

    def only(self, chosen: Rows) -> Stretches:
        """Return some of the stretches, given by their numbers in ascending order."""
        return replace(self, begins=self.begins[chosen], ends=self.ends[chosen], parts=np.searchsorted(chosen, self.parts))

    def within(self, sums: RunningSums) -> Within:
        """Return how many rows stand before the stretches, each in its ranking, if rows count as `sums` says."""
        at = sums(self.order, np.concatenate([self.begins, self.ends, self.bounds]))
        number = len(self.begins)
        before, last, bounds = at[:, :number], at[:, number : 2 * number], at[:, 2 * number :]
        starts = np.repeat(bounds[:, :-1], np.diff(self.parts), axis=1)
        return Within(before - starts, last - starts, np.diff(bounds, axis=1))

    def totals(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the sums of the stretches' values, shape `(R, stretches)`, in each ranking, shape `(R, rankings)`."""
        sums = np.zeros((len(values), len(self.parts) - 1), values.dtype)
        has_any = self.parts[1:] > self.parts[:-1]  # `reduceat` gives an empty range its next value instead of 0
        sums[:, has_any] = np.add.reduceat(values, self.parts[:-1][has_any], axis=1, dtype=values.dtype)
        return sums


def runs(flags: Flags, rankings: Sequence[Rows]) -> Stretches:
    """Return the runs of flagged rows: flagged rows next to each other in a ranking make one.

    >>> flagged = runs(np.array([1, 1, 0, 1]), [np.array([0, 1, 2, 3]), np.array([3, 0])])
    >>> flagged.begins.tolist(), flagged.ends.tolist(), flagged.parts.tolist()
    ([0, 3, 4], [2, 4, 6], [0, 2, 3])
    """
    order, bounds = one_after_another(rankings)
    is_flagged, is_bound = flags[order] == 1, np.zeros(len(order) + 1, np.bool_)
    is_bound[bounds] = True
    before, after = np.append(False, is_flagged)[:-1], np.append(is_flagged, False)[1:]
    begins = np.flatnonzero(is_flagged & (is_bound[:-1] | ~before))
    ends = np.flatnonzero(is_flagged & (is_bound[1:] | ~after)) + 1
    return Stretches(order, bounds, begins, ends, np.searchsorted(begins, bounds))


def one_after_another(rankings: Sequence[Rows]) -> tuple[Rows, Rows]:
    """Return the rows of all rankings, and where each begins, with the number of rows."""
    order = np.concatenate([np.zeros(0, np.int64), *rankings])
    return order, np.cumsum([0, *map(len, rankings)], dtype=np.int64)
