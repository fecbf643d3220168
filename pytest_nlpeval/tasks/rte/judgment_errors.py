"""Why pairs are not right: judged wrong, or not judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import LONGEST_PASSAGE, Explanation, Omitted, Passage, explain_together
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.rte.confidence import NONE, confidence_text
from pytest_nlpeval.tasks.rte.gold import Gold
from pytest_nlpeval.tasks.rte.pairs import Pairs

Ranks = NDArray[np.int64]

WRONG_JUDGMENT = "wrong-judgment"
UNJUDGED = "unjudged"

_ENTAILS = " ⊢ "


def explain(pairs: Pairs, evidence: Evidence) -> Iterator[Explanation | Omitted]:
    """Yield why pairs are not right: those judged wrong, then those not judged, in the order of the gold or task file.

    Without gold nothing is judged wrong.
    """
    judged = evidence.column("judged") == 1
    if isinstance(pairs, Gold):
        writer = _Writer(pairs, evidence, pairs.entailing, (pairs.edition.negative, pairs.edition.positive))
        yield from _of_reason(WRONG_JUDGMENT, np.flatnonzero(judged & (evidence.column("correct") == 0)), writer)
    else:
        writer = _Writer(pairs, evidence, np.zeros_like(pairs.setting), ("", ""))
    yield from _of_reason(UNJUDGED, np.flatnonzero(~judged), writer)


def _of_reason(reason: str, pairs: Ranks, writer: _Writer) -> Iterator[Explanation | Omitted]:
    sorts = writer.pairs.setting[pairs] * 2 + writer.entailing[pairs]  # an application setting and a judgment in gold
    return explain_together(reason, pairs.tolist(), sorts.tolist(), writer.written, writer.measures)


def _passage(text: str, hypothesis: str) -> Passage:
    """Return `T ⊢ H`; the end of a long T is cut, so that H is there."""
    ending = _ENTAILS + _cut(" ".join(hypothesis.split()), LONGEST_PASSAGE // 2)
    return Passage(_cut(" ".join(text.split()), LONGEST_PASSAGE - len(ending)) + ending)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


@light_dataclass(frozen=True)
class _Writer:
    """Writes the explanations of pairs, given by their ranks.

    `entailing` is 1 where entailment holds in gold, and `words` are those for 0 and 1; without gold both say nothing.
    """

    pairs: Pairs
    evidence: Evidence
    entailing: NDArray[np.int8]
    words: tuple[str, str]

    def written(self, reason: str, pairs: Sequence[int]) -> Iterator[Explanation]:
        """Yield the explanations of pairs; of the files' texts only theirs are read."""
        names = [self.evidence.units[pair] for pair in pairs]
        texts = self.pairs.texts(names)
        write, is_unjudged = self._wrong if reason == WRONG_JUDGMENT else self._unjudged, reason == UNJUDGED
        for pair, name in zip(pairs, names, strict=True):
            if name not in texts:
                yield write(pair)
                continue
            text, hypothesis, line = texts[name]
            gold_line = line if is_unjudged and isinstance(self.pairs, Gold) else None
            yield write(pair)._replace(passage=_passage(text, hypothesis), gold_line=gold_line)

    def measures(self, reason: str, pair: int) -> tuple[str, ...]:
        """Return the measures that would be better if the pair were judged right."""
        if reason == UNJUDGED:
            return "coverage", f"{self._task(pair)}.coverage"
        gold, system = self._said(pair)
        return (
            "accuracy",
            f"{self._task(pair)}.accuracy",
            *(() if self._confidence(pair) == NONE else ("cws", "cws.*", f"{self._task(pair)}.cws")),
            *(("average_precision",) if self._is_misplaced(pair) else ()),
            *(f"{gold}.{measure}" for measure in ("recall", "f1")),
            *(f"{system}.{measure}" for measure in ("precision", "f1")),
        )

    def _wrong(self, pair: int) -> Explanation:
        """Explain a pair that is judged wrong."""
        name, line = self.evidence.units[pair], int(self.evidence.column("line")[pair])
        gold, system = self._said(pair)
        confidence = self._confidence(pair)
        how = "" if confidence == NONE else f" with confidence {confidence_text(confidence)}"
        message = f"pair {name} is {gold} in gold, judged {system}{how}"
        measures = self.measures(WRONG_JUDGMENT, pair)
        explanation = Explanation(name, WRONG_JUDGMENT, message, line, "wrong-value", name, gold, system, measures)
        return explanation._replace(pair=(gold, system), group=self._setting(pair))

    def _unjudged(self, pair: int) -> Explanation:
        """Explain a pair that is not judged."""
        name = self.evidence.units[pair]
        gold = self.words[self.entailing[pair]]
        message = f"pair {name}{f', {gold} in gold,' if gold else ''} is not judged"
        explanation = Explanation(name, UNJUDGED, message, None, "missed", name, gold, "", self.measures(UNJUDGED, pair))
        return explanation._replace(pair=(gold, "") if gold else None, group=self._setting(pair))

    def _said(self, pair: int) -> tuple[str, str]:
        """Return the words for what gold says of a pair that is judged wrong, and for the system's judgment."""
        entails = bool(self.entailing[pair])
        return self.words[entails], self.words[not entails]

    def _confidence(self, pair: int) -> float:
        return float(self.evidence.column("confidence")[pair])

    def _task(self, pair: int) -> str:
        return f"task.{self._setting(pair)}"

    def _setting(self, pair: int) -> str:
        return str(self.pairs.settings[self.pairs.setting[pair]])

    def _is_misplaced(self, pair: int) -> bool:
        """Whether a ranking has the pair before one that entails though it does not, or after one that does not though it does."""
        if not self.evidence.column("ranked")[pair]:
            return False
        line = int(self.evidence.column("line")[pair])
        first, last = self._bounds
        return line > first if self.entailing[pair] else line < last

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        """The line of the first judged pair that does not entail, and that of the last one that does."""
        lines, judged = self.evidence.column("line"), self.evidence.column("judged") == 1
        entails = self.entailing == 1
        not_entailing = lines[judged & ~entails]
        return int(not_entailing.min(initial=np.iinfo(np.int64).max)), int(lines[judged & entails].max(initial=0))
