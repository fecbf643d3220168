"""The sentences of a CoNLL file: where to quote from, and whether those of two files are the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.explanations import LONGEST_PASSAGE, Passage
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.overlap import Extent
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.spans.document import Spans
from pytest_nlpeval.tasks.spans.strings import Strings
from pytest_nlpeval.wording import plural, quoted

Integers = NDArray[np.int64]


@light_dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """The tokens of a file, where each line is (from 1), and the first token of each sentence."""

    tokens: Strings
    lines: Integers
    first: Integers

    @property
    def sizes(self) -> Integers:
        """How many tokens each sentence has."""
        return np.diff(self.first, append=len(self.tokens))

    def line_of(self, sentence: int) -> int:
        """Return the line of a sentence's first token."""
        return int(self.lines[self.first[sentence]])

    def among(self, chosen: NDArray[np.bool_]) -> Sentences:
        """Return the tokens of the first sentences that are `chosen`, one after another."""
        sizes = self.sizes[: len(chosen)]
        if chosen.all() and len(chosen) == len(self.first):
            return self
        places = np.flatnonzero(np.repeat(chosen, sizes))
        tokens = Strings(self.tokens.data, self.tokens.starts[places], self.tokens.lengths[places])
        return Sentences(tokens, self.lines[places], np.cumsum(sizes[chosen]) - sizes[chosen])

    def words(self, start: int, end: int) -> list[str]:
        """Return tokens from `start` to before `end`."""
        return self.tokens.between(start, end)

    def text(self, spans: Spans, rank: int) -> str:
        """Return the tokens of a span with a blank between two of them."""
        return " ".join(self.words(int(spans.start[rank]), int(spans.end[rank])))

    def line(self, spans: Spans, rank: int) -> int:
        """Return the line of a span's first token."""
        return int(self.lines[spans.start[rank]])

    def line_at(self, _unit: int, place: int) -> int:
        """Return the line of a token."""
        return int(self.lines[place])

    def passage(self, unit: int, gold: Extent, system: Extent) -> Passage:
        """Return a sentence, its tokens with a blank between two of them, and what either side marks in it, cut as `Passage.cut` does.

        A token and its blank are two code points or more: of a long sentence, so many tokens before and behind the first mark are enough
        as a passage has code points.
        """
        start = int(self.first[unit])
        end = int(self.first[unit + 1]) if unit + 1 < len(self.first) else len(self.tokens)
        first = min((low for side in (gold, system) for low, _ in side), default=start)
        start, end = max(start, first - LONGEST_PASSAGE), min(end, first + LONGEST_PASSAGE)
        words = self.words(start, end)

        def begin(place: int) -> int:
            """Return how many code points lie before a token, or before that behind all, if it comes still later."""
            before = min(place, end) - start
            return sum(map(len, words[:before])) + before

        sides = ([(begin(low), begin(high) - 1) for low, high in side] for side in (gold, system))
        return Passage.cut(" ".join(words), *sides)


_CURE = "expected the same tokens; a system with tokens of its own needs offsets (format: jsonl)"


def check_sentences(system: Sentences, gold: Sentences, log: ProblemLog) -> None:
    """Log where a system file has other sentences or tokens than gold."""
    ours, theirs = system.sizes, gold.sizes
    if len(ours) != len(theirs):
        _log_number(system, gold, log)
        return
    same = ours == theirs
    for rank in np.flatnonzero(~same).tolist():
        tokens = plural(int(ours[rank]), "token")
        message = f"the sentence has {tokens}, that on line {gold.line_of(rank)} of gold has {theirs[rank]}; {_CURE}"
        log.add("spans.length", message, system.line_of(rank))
    _log_tokens(system.among(same), gold.among(same), log)


def _log_tokens(system: Sentences, gold: Sentences, log: ProblemLog) -> None:
    for rank in system.tokens.differing(gold.tokens).tolist():
        line, message = int(system.lines[rank]), ""
        if log.keeps("spans.tokens"):
            message = f"the token {quoted(system.tokens[rank])} is {quoted(gold.tokens[rank])} on line {gold.lines[rank]} of gold"
        log.add("spans.tokens", message, line)


def _log_number(system: Sentences, gold: Sentences, log: ProblemLog) -> None:
    """Log that the numbers of sentences differ, with the lines on which the first differing sentence of either file begins."""
    ours, theirs = system.sizes, gold.sizes
    common = min(len(ours), len(theirs))
    rank = next(iter(np.flatnonzero(ours[:common] != theirs[:common]).tolist()), common)
    start = np.arange(common) < rank
    differing = system.among(start).tokens.differing(gold.among(start).tokens)
    if differing.size:
        rank = int(np.searchsorted(system.first, differing[0], side="right")) - 1
    here, there = (_place(page, rank) for page in (system, gold))
    numbers = f"has {plural(len(ours), 'sentence')}, gold has {len(theirs):,}"
    log.add("spans.length", f"{numbers}; the first differing one {here[1]} here and {there[1]} of gold; {_CURE}", here[0])


def _place(page: Sentences, sentence: int) -> tuple[int | None, str]:
    """Return the line of a sentence, or else the last one with a token, and how a message says so."""
    if sentence < len(page.first):
        return page.line_of(sentence), f"is on line {page.line_of(sentence)}"
    last = int(page.lines[-1]) if len(page.lines) else None
    return last, f"is missing behind line {last}" if last else "is missing"
