"""Enhanced edges through empty nodes as paths: the head, and the labels on the way from it to the word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

NO_PATH = -1

MOST_PATHS = 1_000
"""How many edges a word may have, paths through empty nodes counted."""

Incoming = dict[int, list[tuple[int, tuple[str, ...]]]]
"""The edges of each empty node of a sentence: heads, and the labels of each."""


@dataclass(slots=True)
class Paths:
    """Numbers for sequences of labels, each made of a shorter one and a last label, so that long ones take no room.

    >>> paths = Paths()
    >>> paths.extended(paths.extended(NO_PATH, ["conj"]), ["nsubj"]) == paths.extended(NO_PATH, ["conj", "nsubj"])
    True
    >>> paths.text(1)
    'conj>nsubj'
    """

    steps: list[tuple[int, str]] = field(default_factory=list)
    _numbers: dict[tuple[int, str], int] = field(default_factory=dict)

    def extended(self, path: int, labels: Iterable[str]) -> int:
        """Return the number of a path with further labels behind it."""
        for label in labels:
            step = path, label
            path = self._numbers.setdefault(step, len(self.steps))
            if path == len(self.steps):
                self.steps.append(step)
        return path

    def added(self, others: Paths, label_of: Callable[[str], str]) -> list[int]:
        """Return the number here of each path there, with `label_of` each of its labels."""
        numbers: list[int] = []
        for before, label in others.steps:
            numbers.append(self.extended(NO_PATH if before == NO_PATH else numbers[before], [label_of(label)]))
        return numbers

    def text(self, path: int) -> str:
        """Return the labels of a path with `>` between them."""
        labels: list[str] = []
        while path != NO_PATH:
            path, label = self.steps[path]
            labels.append(label)
        return ">".join(reversed(labels))


def paths_to(incoming: Incoming, paths: Paths) -> dict[int, set[tuple[int, int]]]:
    """Return, for each empty node of a sentence, the heads that are none and the paths from them, each node at most once on a path.

    More than `MOST_PATHS` to one node are cut: one more than that are enough to tell. Nodes that lie in no circle, and behind none, take
    the paths of their heads, so that chains of any length take time in proportion to it.
    """
    reached: dict[int, set[tuple[int, int]]] = {}
    for node in _in_order(incoming):
        ways = ((source, paths.extended(way, labels)) for source, way, labels in _through(node, incoming, reached))
        reached[node] = _first(ways)
    for node in incoming.keys() - reached.keys():
        found = ((source, paths.extended(NO_PATH, labels)) for source, labels in _simple_paths(node, incoming))
        reached[node] = set(islice(found, MOST_PATHS + 1))
    return reached


def _first(ways: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    kept: set[tuple[int, int]] = set()
    for way in ways:
        kept.add(way)
        if len(kept) > MOST_PATHS:
            break
    return kept


def _through(node: int, incoming: Incoming, reached: dict[int, set[tuple[int, int]]]) -> Iterator[tuple[int, int, Sequence[str]]]:
    for head, labels in incoming[node]:
        if head in incoming:
            yield from ((source, way, labels) for source, way in reached[head])
        else:
            yield head, NO_PATH, labels


def _in_order(incoming: Incoming) -> Iterator[int]:
    """Yield the nodes, each behind its heads, but for those in circles and behind them."""
    waiting = {node: sum(head in incoming for head, _ in edges) for node, edges in incoming.items()}
    children: dict[int, list[int]] = {node: [] for node in incoming}
    for node, edges in incoming.items():
        for head, _ in edges:
            if head in incoming:
                children[head].append(node)
    ready = [node for node, number in waiting.items() if not number]
    while ready:
        node = ready.pop()
        yield node
        for child in children[node]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)


def _simple_paths(node: int, incoming: Incoming) -> Iterator[tuple[int, list[str]]]:
    """Yield head and labels of each path to a node, backwards from it. A node is entered only if a head can be reached from there."""
    trail = [node]
    labels: list[tuple[str, ...]] = []
    stack = [iter(incoming[node])]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            trail.pop()
            if labels:
                labels.pop()
            continue
        head, own = step
        if head not in incoming:
            yield head, [label for part in (own, *reversed(labels)) for label in part]
        elif head not in trail and _escapes(head, incoming, set(trail)):
            trail.append(head)
            labels.append(own)
            stack.append(iter(incoming[head]))


def _escapes(node: int, incoming: Incoming, used: set[int]) -> bool:
    """Whether a way leads backwards from a node to a head that is no empty node, past those that are used."""
    seen, ahead = {node, *used}, [node]
    while ahead:
        for head, _ in incoming[ahead.pop()]:
            if head not in incoming:
                return True
            if head not in seen:
                seen.add(head)
                ahead.append(head)
    return False
