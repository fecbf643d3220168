"""Why pairs are not right: judged wrong, or not judged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import LONGEST_PASSAGE, Explanation, Omitted, Passage, shown
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

    Of very many, those that are `shown` are written out, and only their texts are read. Without gold nothing is judged wrong.
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
    kept = shown(pairs.tolist(), sorts.tolist())
    ids = [writer.evidence.units[pair] for pair in kept]
    texts = writer.pairs.texts(ids)
    write, is_unjudged = writer.wrong if reason == WRONG_JUDGMENT else writer.unjudged, reason == UNJUDGED
    for pair, name in zip(kept, ids, strict=True):
        if name not in texts:
            yield write(pair)
            continue
        text, hypothesis, line = texts[name]
        gold_line = line if is_unjudged and isinstance(writer.pairs, Gold) else None
        yield write(pair)._replace(passage=_passage(text, hypothesis), gold_line=gold_line)
    if len(kept) < pairs.size:
        yield Omitted(reason, pairs.size - len(kept))


def _passage(text: str, hypothesis: str) -> Passage:
    """Return `T ⊢ H`; the end of a long T is cut, so that H is there."""
    ending = _ENTAILS + _cut(" ".join(hypothesis.split()), LONGEST_PASSAGE // 2)
    return Passage(_cut(" ".join(text.split()), LONGEST_PASSAGE - len(ending)) + ending)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


@light_dataclass(frozen=True)
class _Writer:
    """Writes the explanation of a pair, given by its rank, without its passage.

    `entailing` is 1 where entailment holds in gold, and `words` are those for 0 and 1; without gold both say nothing.
    """

    pairs: Pairs
    evidence: Evidence
    entailing: NDArray[np.int8]
    words: tuple[str, str]

    def wrong(self, pair: int) -> Explanation:
        """Explain a pair that is judged wrong."""
        name, line = self.evidence.units[pair], int(self.evidence.column("line")[pair])
        entails = bool(self.entailing[pair])
        gold, system = self.words[entails], self.words[not entails]
        key = float(self.evidence.column("confidence")[pair])
        how = "" if key == NONE else f" with confidence {confidence_text(key)}"
        message = f"pair {name} is {gold} in gold, judged {system}{how}"
        measures = (
            "accuracy",
            f"{self._task(pair)}.accuracy",
            *(() if key == NONE else ("cws", "cws.*", f"{self._task(pair)}.cws")),
            *(("average_precision",) if self._is_misplaced(pair) else ()),
            *(f"{gold}.{measure}" for measure in ("recall", "f1")),
            *(f"{system}.{measure}" for measure in ("precision", "f1")),
        )
        explanation = Explanation(name, WRONG_JUDGMENT, message, line, "wrong-value", name, gold, system, measures)
        return explanation._replace(pair=(gold, system), group=self._setting(pair))

    def unjudged(self, pair: int) -> Explanation:
        """Explain a pair that is not judged."""
        name = self.evidence.units[pair]
        gold = self.words[self.entailing[pair]]
        message = f"pair {name}{f', {gold} in gold,' if gold else ''} is not judged"
        measures = "coverage", f"{self._task(pair)}.coverage"
        explanation = Explanation(name, UNJUDGED, message, None, "missed", name, gold, "", measures)
        return explanation._replace(pair=(gold, "") if gold else None, group=self._setting(pair))

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
