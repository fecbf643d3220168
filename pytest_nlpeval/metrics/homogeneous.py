"""Groups of things that do not differ from each other: the letters in a table of means.

The algorithm is "insert and absorb". It begins with one group of all. For each two that differ, every group that has both is split: one
copy loses the first, one the second. A group that lies in another one is absorbed (Piepho: An algorithm for a letter-based
representation of all-pairwise comparisons, Journal of Computational and Graphical Statistics, 2004).
"""

from __future__ import annotations

from collections.abc import Iterable


def homogeneous_groups(size: int, different: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    """Return the maximal sets of `range(size)` in which no two members are `different`, in the order of their members.

    Two that do not differ share at least one set, and two that differ share none. A member may be in several sets, because "does not
    differ significantly" is not transitive.

    >>> [sorted(group) for group in homogeneous_groups(3, [(0, 2)])]
    [[0, 1], [1, 2]]
    """
    groups = [frozenset(range(size))] if size else []
    for first, second in different:
        copies = {
            group - {member} for group in groups for member in (first, second)
        }  # a group without one of the two copies itself
        groups = [copy for copy in copies if not any(copy < larger for larger in copies)]
    return sorted(groups, key=sorted)
