"""Says which private state tuples are not right: those missed, those that gold does not have, and those that agree in part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Literal, NamedTuple, get_args

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, Span, explain_each
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks.best.annotations import ATTITUDES, Attitude
from pytest_nlpeval.tasks.best.ere import Ere, Mention
from pytest_nlpeval.tasks.best.matching import Compared, Match
from pytest_nlpeval.tasks.best.tuples import NO_SOURCE, Holding, Provenance, Target
from pytest_nlpeval.wording import quoted

Reason = Literal[
    "missed", "false-positive", "wrong-provenance", "target-only", "wrong-source", "wrong-value", "partial-provenance"
]
"""In the order in which they are explained: what costs most goes first."""

KINDS: dict[Reason, Difference] = {
    "missed": "missed",
    "false-positive": "spurious",
    "wrong-provenance": "other",
    "target-only": "wrong-value",
    "wrong-source": "wrong-value",
    "wrong-value": "wrong-value",
    "partial-provenance": "partial",
}

_MEASURES: dict[Reason, tuple[str, ...]] = {
    "missed": ("*.recall", "*.f1"),
    "false-positive": ("*.precision", "*.f1"),
    "partial-provenance": ("full.*",),
}
"""The measures that a reason bears on, without the attitude: all measures for a reason that is not listed."""

_BY_TYPE: dict[str, Reason] = {"b": "partial-provenance", "c": "wrong-value", "d": "wrong-source", "e": "target-only"}


Tuple = tuple[Holding, Provenance]


class Finding(NamedTuple):
    """A tuple of gold without a match, a tuple of the system without one, or two that match, with their provenance F.

    `name` is that of gold's tuple, or of the system's where gold has none.
    """

    target: Target
    name: Holding
    gold: Tuple | None
    system: Tuple | None
    overlap: float = 0.0


def explain(compared: Iterable[Compared], ere: Ere, text: str | None) -> Iterator[Explanation | Omitted]:
    """Yield the explanation of each tuple that is not right, reason by reason; `text` is the source text, if there is one."""
    by_reason: defaultdict[tuple[Reason, Attitude], list[Finding]] = defaultdict(list)
    for reason, finding in chain.from_iterable(map(_findings, compared)):
        by_reason[reason, finding.target[0]].append(finding)
    shelf = Shelf()
    for reason, attitude in product(get_args(Reason), ATTITUDES):
        writer = _Writer(ere.mentions, text, reason)
        yield from explain_each(reason, by_reason[reason, attitude], writer.write, shelf, writer.measures_of)


def _findings(compared: Compared) -> Iterator[tuple[Reason, Finding]]:
    """Yield what is not right about one target, in the order of names."""
    target, system, gold, matches = compared
    for holding in sorted(gold.keys() - {match.gold for match in matches}):
        yield "missed", Finding(target, holding, (holding, gold[holding]), None)
    for holding in sorted(system.keys() - {match.system for match in matches}):
        yield "false-positive", Finding(target, holding, None, (holding, system[holding]))
    for match in sorted(matches):
        if reason := _reason(match):
            here, there = (match.gold, gold[match.gold]), (match.system, system[match.system])
            yield reason, Finding(target, match.gold, here, there, match.overlap)


def _reason(match: Match) -> Reason | None:
    """Return what is not right about a match, None if nothing is."""
    if match.type == "b" and match.overlap == 1:
        return None
    return _BY_TYPE[match.type] if match.overlap else "wrong-provenance"


@light_dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the explanations of one reason."""

    mentions: dict[str, Mention]
    text: str | None
    reason: Reason

    def write(self, finding: Finding) -> Explanation:
        """Return the explanation of a finding. Its item is made of ids of the ERE file, which do not change between two runs."""
        (attitude, owner), (source, value), gold, system, overlap = finding
        ours, theirs = (f"{_holder(*side)} at {self._places(side[1])}" if side else "" for side in (gold, system))
        return Explanation(
            owner,
            self.reason,
            f"{attitude} towards {owner}: {self._said(ours, theirs, overlap)}",
            system[1].line if system else None,
            KINDS[self.reason],
            f"{attitude} {owner} {source} {value}",
            ours,
            theirs,
            self.measures_of(finding),
            self._passage(gold, system),
            group=attitude,
            gold_line=gold[1].line if gold and not system else None,
        )

    def measures_of(self, finding: Finding) -> tuple[str, ...]:
        """Return patterns of the measures that would be better without a finding."""
        return measures_of(self.reason, finding.target[0])

    def _said(self, gold: str, system: str, overlap: float) -> str:
        if not gold:
            return f"{system} matches nothing of gold's"
        if not system:
            return f"gold's {gold} is missed"
        return f"{system} is matched with gold's {gold}; provenance F {overlap:.4g}"

    def _places(self, provenance: Provenance) -> str:
        """Return the first mentions of a provenance set, each with text and offset."""
        names = sorted(provenance.mentions)
        shown = ", ".join(_place(self.mentions[name]) for name in names[:3])
        return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown

    def _passage(self, *sides: Tuple | None) -> Passage | None:
        """Return the text around the target mentions of either side, as far as the ERE file says where they are."""
        if self.text is None:
            return None
        gold, system = ([] if side is None else self._spans(side[1], len(self.text)) for side in sides)
        return Passage.cut(self.text, gold, system) if gold or system else None

    def _spans(self, provenance: Provenance, end: int) -> list[Span]:
        """Return the ranges of the mentions of a provenance set in a text of `end` code points."""
        spans = (self.mentions[name].span for name in provenance.mentions)
        return sorted(span for span in spans if span and span[1] <= end)


def measures_of(reason: Reason, attitude: Attitude) -> tuple[str, ...]:
    """Return patterns of the measures that would be better without a finding.

    >>> measures_of("missed", "belief")
    ('belief.*.recall', 'belief.*.f1', 'all.*.recall', 'all.*.f1')
    """
    return tuple(f"{pool}.{rest}" for pool in (attitude, "all") for rest in _MEASURES.get(reason, ("*",)))


def _holder(holding: Holding, provenance: Provenance) -> str:
    source, value = holding
    held = f"{value} without source" if source == NO_SOURCE else f"{value} of {source}"
    if not provenance.confidences:
        return held
    shown = dict.fromkeys(f"{bound:.4g}" for bound in (min(provenance.confidences), max(provenance.confidences)))
    return f"{held}, confidence {' to '.join(shown)},"


def _place(mention: Mention) -> str:
    text = f" {quoted(mention.text, 30)}" if mention.text else ""
    return f"{mention.id}{text}" + ("" if mention.begin is None else f" ({mention.begin})")
