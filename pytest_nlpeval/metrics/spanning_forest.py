"""A minimum spanning forest to which edges are added in any order."""

from __future__ import annotations

from math import inf


class SpanningForest:
    """A growing weighted graph on the nodes 0 to n - 1, of which only the bottlenecks are kept.

    The bottleneck of two nodes is the least w such that edges of weight w or less connect them. A minimum spanning forest has the same
    bottlenecks as its graph, and any tree that has them may stand for it. Here it is one in which every node knows its parent and the
    weight of the edge to it, and weights grow towards the root (Ding, Gu, Sun: New algorithms for incremental minimum spanning trees and
    temporal graph applications, 2025). A parent has a higher priority than its children, and priorities are scattered over the nodes, so
    that paths stay short.

    >>> forest = SpanningForest(3)
    >>> forest.add(0, 1, 5), forest.add(1, 2, 7), forest.add(0, 2, 6)
    (None, None, None)
    >>> forest.bottleneck(0, 1), forest.bottleneck(1, 2)
    (5, 6)
    """

    def __init__(self, nodes: int) -> None:
        self._parent = list(range(nodes))
        self._weight = [inf] * nodes

    def add(self, first: int, second: int, weight: float) -> None:
        """Add an edge of finite weight.

        It is put in between the tops of the two subtrees that lighter edges hold together. The edge that it pushes out of there, to the
        old parent, is added in turn further up.
        """
        first, second = self._top(first, weight), self._top(second, weight)
        while first != second:
            if _priority(first) > _priority(second):
                first, second = second, first
            old_parent, heavier = self._parent[first], self._weight[first]
            self._parent[first], self._weight[first] = second, weight
            if heavier == inf:  # the root of its tree, which had no parent
                return
            first, second, weight = self._top(second, heavier), self._top(old_parent, heavier), heavier

    def bottleneck(self, first: int, second: int) -> float:
        """Return the bottleneck of two nodes: -inf for a node with itself, inf where nothing connects them."""
        widest = -inf
        while first != second:
            if self._weight[first] > self._weight[second]:
                first, second = second, first
            widest = max(widest, self._weight[first])
            if widest == inf:
                break
            first = self._parent[first]
        return widest

    def _top(self, node: int, weight: float) -> int:
        """Return the last node on the way to the root that edges up to a weight lead to."""
        while self._weight[node] <= weight:
            node = self._parent[node]
        return node


def _priority(node: int) -> int:
    """Scatter the node numbers, without repeats below 2³² (Knuth's multiplicative hash)."""
    return node * 2_654_435_761 % 2**32
