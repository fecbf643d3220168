"""Explanations that nobody has asked for yet: a run mostly passes, and where it fails, no document need be counted again for them."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_nlpeval.config.suite import Case
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.run.counting import Explaining, Later
from pytest_nlpeval.runs import Part

MOST_BYTES = 64 << 20
"""Of how many bytes of files the explanations are postponed at most. What they are made of takes one to seven times as many bytes, and
thirty times as many where a line is a letter, which is no more than its evidence takes."""


class _Batch(NamedTuple):
    """Cases that were counted and not explained: `later` has what explains each, and their files have `size` bytes together."""

    cases: Sequence[Case]
    part: Part
    later: Mapping[str, Later]
    size: int


class Postponed:
    """What explains the documents that one process has counted last, batch by batch, of `MOST_BYTES` of files together."""

    def __init__(self) -> None:
        self._batches: dict[tuple[int, ...], _Batch] = {}
        self._size = 0

    def keep(self, cases: Sequence[Case], part: Part, explaining: Explaining) -> None:
        """Keep what explains cases that were counted together, in place of what explained them before.

        Nothing is kept if a case has nothing that explains it, or if all is too much.
        """
        if self.has(cases):
            self._drop(_identity(cases))
        later = explaining.later or {}
        if explaining.size > MOST_BYTES or len(later) < len(cases):
            return
        self._batches[_identity(cases)] = _Batch(cases, part, later, explaining.size)
        self._size += explaining.size
        while self._size > MOST_BYTES:
            self._drop(next(iter(self._batches)))

    def has(self, cases: Sequence[Case]) -> bool:
        """Whether these cases were counted together, and what explains them is still here."""
        return _identity(cases) in self._batches

    def explained(self, cases: Sequence[Case], full: Container[Hashable]) -> Part | None:
        """Return what became of cases, with their explanations but for sorts that are `full`; they are worked out once.

        Returns:
            None if they were not kept, or if the task fails now: counting the cases again tells how.
        """
        if not self.has(cases):
            return None
        batch = self._drop(_identity(cases))
        try:
            explained = {name: Explanations.of(later.entries, full) for name, later in batch.later.items()}
        except TaskError:
            return None
        if any(result.outcome == "ok" and batch.later[result.name].has_errors for result in batch.part.cases):
            return None
        results = tuple(replace(result, explanations=explained[result.name]) for result in batch.part.cases)
        return replace(batch.part, cases=results)

    def _drop(self, identity: tuple[int, ...]) -> _Batch:
        batch = self._batches.pop(identity)
        self._size -= batch.size
        return batch


def _identity(cases: Sequence[Case]) -> tuple[int, ...]:
    """Return what tells these cases from all others, of other suites and of other times as well, as long as somebody holds them."""
    return tuple(map(id, cases))
