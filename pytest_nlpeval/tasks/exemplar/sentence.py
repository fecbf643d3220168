"""The annotated sentence: two entities, the trigger, and windows of allowed tokens, told apart by marks.

`[[[ ]]]` enclose entities, `{{{ }}}` the trigger, `---> <---` windows. Marks are found from left to right (`]]]]` is `]]]`
and a bracket), and each is a token boundary, so that a mark glued to a token and one between blanks read alike. Different
kinds nest, the same kind does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_nlpeval.light_dataclasses import light_dataclass

_ENTITY, _TRIGGER, _WINDOW = "[[[", "{{{", "--->"
_CLOSING = {_ENTITY: "]]]", _TRIGGER: "}}}", _WINDOW: "<---"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_NAMES = {_ENTITY: "entity", _TRIGGER: "trigger", _WINDOW: "window"}
_MARK = re.compile(r"(\[\[\[|\]\]\]|\{\{\{|\}\}\}|--->|<---)")


@light_dataclass(frozen=True, slots=True)
class Fault:
    """A mark that does not fit: its `offset` in the sentence, from 0, and what is wrong and what to do."""

    offset: int
    message: str


@light_dataclass(frozen=True, slots=True)
class Outline:
    """What a sequence of marks encloses. n marks part n + 1 pieces of text; mark i comes before piece i + 1.

    `entities` and `triggers` are the marks that open one, `in_triggers` and `in_windows` the pieces inside one.
    """

    entities: tuple[int, ...]
    triggers: tuple[int, ...]
    in_triggers: tuple[int, ...]
    in_windows: tuple[int, ...]
    faults: tuple[Fault, ...]


@light_dataclass(frozen=True, slots=True)
class Sentence:
    """An annotated sentence: its texts and marks in turn, and the marks' outline."""

    parts: list[str]
    outline: Outline

    @property
    def trigger(self) -> list[str] | None:
        """The tokens of the marked trigger, or None if none is marked."""
        if not self.outline.triggers:
            return None
        return self._text(self.outline.in_triggers).split()

    @property
    def windows(self) -> str:
        """The tokens inside windows, separated by white space."""
        return self._text(self.outline.in_windows)

    def faults(self) -> tuple[Fault, ...]:
        """Return every mark that does not fit."""
        if not self.outline.faults:
            return ()
        return _outline(self.parts[1::2], self._offsets()).faults

    def offset(self, mark: int) -> int:
        """Return the offset of a mark, from 0."""
        return self._offsets()[mark]

    def _offsets(self) -> list[int]:
        ends = [0]
        for part in self.parts:
            ends.append(ends[-1] + len(part))
        return ends[1:-1:2]

    def _text(self, pieces: tuple[int, ...]) -> str:
        return " ".join([self.parts[2 * piece] for piece in pieces])


def read_sentence(text: str) -> Sentence:
    """Return the sentence with its marks; where they do not fit, `faults` says how."""
    parts = _MARK.split(text)
    return Sentence(parts, _known_outline(tuple(parts[1::2])))


@lru_cache(maxsize=1024)
def _known_outline(marks: tuple[str, ...]) -> Outline:
    # A million sentences have some dozens of mark sequences. The offsets of faults are not known here.
    return _outline(marks, range(len(marks)))


def _outline(marks: Sequence[str], offsets: Sequence[int]) -> Outline:
    nesting = _Nesting(offsets)
    inside: dict[str, list[int]] = {_TRIGGER: [], _WINDOW: []}
    for index, mark in enumerate(marks):
        if mark in _CLOSING:
            nesting.open(index, mark)
        else:
            nesting.close(index, mark)
        for opening, pieces in inside.items():
            if nesting.pending[opening]:
                pieces.append(index + 1)
    entities, triggers = (tuple(index for index, mark in enumerate(marks) if mark == opening) for opening in (_ENTITY, _TRIGGER))
    return Outline(entities, triggers, tuple(inside[_TRIGGER]), tuple(inside[_WINDOW]), nesting.end())


class _Nesting:
    """Follows the marks and notes what does not fit, each mistake once where it can."""

    def __init__(self, offsets: Sequence[int]) -> None:
        self.pending: dict[str, list[int]] = {opening: [] for opening in _CLOSING}
        self._order: list[str] = []  # of the kinds that are open: at most three
        self._faults: list[Fault] = []
        self._offsets = offsets

    def open(self, index: int, mark: str) -> None:
        if self.pending[mark]:
            self._fault(index, f"`{mark}` appears inside another {_NAMES[mark]}; close that first with `{_CLOSING[mark]}`")
        else:
            self._order.append(mark)
        self.pending[mark].append(index)

    def close(self, index: int, mark: str) -> None:
        opening = _OPENING[mark]
        if not self.pending[opening]:
            self._fault(index, f"`{mark}` closes nothing; put `{opening}` where the {_NAMES[opening]} begins, or remove it")
            return
        self.pending[opening].pop()
        if not self.pending[opening]:
            self._check_innermost(index, mark)
            self._order.remove(opening)

    def end(self) -> tuple[Fault, ...]:
        for opening, pending in self.pending.items():
            if pending:
                message = f"`{opening}` is never closed; put `{_CLOSING[opening]}` where the {_NAMES[opening]} ends"
                self._fault(pending[0], message)
        return tuple(sorted(self._faults, key=lambda fault: fault.offset))

    def _check_innermost(self, index: int, mark: str) -> None:
        inner, opening = self._order[-1], _OPENING[mark]
        if inner != opening:
            what = f"`{mark}` closes the {_NAMES[opening]} while the {_NAMES[inner]} inside it is open"
            self._fault(index, f"{what}; put `{_CLOSING[inner]}` before it")

    def _fault(self, index: int, message: str) -> None:
        self._faults.append(Fault(self._offsets[index], message))
