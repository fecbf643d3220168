"""A minimum spanning forest to which edges are added in any order."""

from __future__ import annotations

from math import inf


class SpanningForest:
    """The minimum spanning forest of a growing weighted graph on the nodes 0 to n - 1, kept for its bottlenecks only.

    The bottleneck of two nodes is the least w such that edges of weight w or less connect them. The forest is stored as a tree of
    parents with the same bottlenecks as the graph: a transformed minimum spanning tree (Ding, Gu, Sun: New algorithms for
    incremental minimum spanning trees and temporal graph applications, 2025). A parent has a higher priority than its children, and
    priorities are scattered over the nodes, so that paths stay short.
    """

    def __init__(self, nodes: int) -> None:
        self._parent = list(range(nodes))
        self._weight = [inf] * nodes

    def add(self, first: int, second: int, weight: float) -> None:
        """Add an edge of finite weight."""
        first, second = self._top(first, weight), self._top(second, weight)
        while first != second:
            if _priority(first) > _priority(second):
                first, second = second, first
            old, heavier = self._parent[first], self._weight[first]
            self._parent[first], self._weight[first] = second, weight
            if heavier == inf:
                return
            first, second, weight = self._top(second, heavier), self._top(old, heavier), heavier

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
        while self._weight[node] <= weight:
            node = self._parent[node]
        return node


def _priority(node: int) -> int:
    """Scatter the node numbers, without repeats below 2³² (Knuth's multiplicative hash)."""
    return node * 2_654_435_761 % 2**32
