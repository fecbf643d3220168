"""Groups of things that do not differ from each other: the letters in a table of means.

Piepho: An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational and Graphical Statistics,
2004.
"""

from __future__ import annotations

from collections.abc import Iterable


def homogeneous_groups(size: int, different: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    """Return the greatest sets of `range(size)` in which no two are `different`, in the order of their members.

    Each two that do not differ are together in one of them at least, and no two that do are in any. One may be in several: "does not
    differ significantly" is not transitive.

    >>> [sorted(group) for group in homogeneous_groups(3, [(0, 2)])]
    [[0, 1], [1, 2]]
    """
    groups = [frozenset(range(size))] if size else []
    for first, second in different:
        split = [group for group in groups if {first, second} <= group]
        pieces = [group - {one} for group in split for one in (second, first)]
        groups = _greatest([*(group for group in groups if group not in split), *pieces])
    return sorted(groups, key=sorted)


def _greatest(groups: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Return the groups that are in no other one."""
    distinct = set(groups)
    return [group for group in distinct if not any(group < other for other in distinct)]
