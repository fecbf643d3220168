"""Why a document scores as it does: every system tuple with its match, every gold tuple that was missed."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.tasks.best.ere import Ere
from pytest_nlpeval.tasks.best.matching import Match, MatchType
from pytest_nlpeval.tasks.best.tuples import NO_SOURCE, Holding, Holdings, Provenance, Target, Tuples
from pytest_nlpeval.wording import quoted

REASONS: dict[MatchType, str] = {"b": "exact", "c": "wrong-value", "d": "wrong-source", "e": "target-only"}
FALSE_POSITIVE = "false-positive"
MISSED = "missed"
UNSUPPORTED = "wrong-provenance"
_SAID: dict[MatchType, str] = {
    "b": "all agrees; credit 1",
    "c": "the value differs; credit 2/3",
    "d": "the source differs; credit 2/3",
    "e": "source and value differ; credit 1/3",
}


Row = tuple[str, str, str, int | None]
"""The fields of an explanation."""


class Explainer:
    """Gathers the explanations of a document: all are counted by reason, the first are written out."""

    def __init__(self, ere: Ere) -> None:
        self._mentions = ere.mentions
        self._counts: Counter[str] = Counter()
        self._shown: dict[str, str] = {}
        self._right: list[tuple[str, Target, Match, Provenance, Provenance]] = []
        self._wrong: list[Row] = []

    def explanations(self) -> Explanations:
        """Return what was gathered, the tuples that are not exact first."""
        room = Explanations.SHOWN - len(self._wrong)
        right = (self._match(*entry) for entry in self._right[: max(room, 0)])
        return Explanations(dict(sorted(self._counts.items())), (*self._wrong, *right))

    def add(self, target: Target, system: Holdings, gold: Holdings, matches: list[Match]) -> None:
        """Add the tuples of one target: the matches, then what is left on either side."""
        for match in matches:
            reason = REASONS[match.type] if match.overlap else UNSUPPORTED
            self._counts[reason] += 1
            entry = reason, target, match, system[match.system], gold[match.gold]
            if match.type == "b" and match.overlap == 1:
                self._right.append(entry)
            elif len(self._wrong) < Explanations.SHOWN:
                self._wrong.append(self._match(*entry))
        if len(matches) < len(system):
            self._add_unmatched(FALSE_POSITIVE, target, system, {match.system for match in matches})
        if len(matches) < len(gold):
            self._add_unmatched(MISSED, target, gold, {match.gold for match in matches})

    def _add_unmatched(self, reason: str, target: Target, holdings: Holdings, matched: set[Holding]) -> None:
        names = holdings.keys() - matched
        self._counts[reason] += len(names)
        room = Explanations.SHOWN - len(self._wrong)
        attitude, owner = target
        for name in sorted(names)[:room] if room > 0 else ():
            provenance = holdings[name]
            message = f"{attitude} {_holder(name)} towards {owner} at {self._places(provenance.mentions)}"
            self._wrong.append((owner, reason, message, provenance.line if reason == FALSE_POSITIVE else None))

    def add_left_out(self, side: str, tuples: Tuples) -> None:
        """Count the annotations that made no tuple."""
        self._counts.update({f"{side}-quoted": tuples.quoted, f"{side}-no-attitude": tuples.without_attitude})
        self._counts = +self._counts

    def _match(self, reason: str, target: Target, match: Match, here: Provenance, there: Provenance) -> Row:
        attitude, owner = target
        message = (
            f"{attitude} {_holder(match.system)} towards {owner} at {self._places(here.mentions)} takes gold's "
            f"{_holder(match.gold)} from {self._places(there.mentions)}: {_kind(match.type, match.overlap)}"
        )
        return owner, reason, message, here.line

    def _places(self, mentions: set[str]) -> str:
        """Return the first mentions of a provenance set with text and offset."""
        if len(mentions) == 1:
            (name,) = mentions
            return self._shown.get(name) or self._place(name)
        shown = ", ".join([self._shown.get(name) or self._place(name) for name in sorted(mentions)[:3]])
        return f"{shown} and {len(mentions) - 3} more" if len(mentions) > 3 else shown

    def _place(self, name: str) -> str:
        mention = self._mentions[name]
        text = f" {quoted(mention.text, 30)}" if mention.text else ""
        self._shown[name] = place = f"{name}{text}" if mention.begin is None else f"{name}{text} ({mention.begin})"
        return place


@lru_cache(maxsize=10_000)  # the same few stand in very many explanations
def _holder(holding: Holding) -> str:
    source, value = holding
    return f"{value} without source" if source == NO_SOURCE else f"{value} of {source}"


@lru_cache(maxsize=10_000)
def _kind(match_type: MatchType, overlap: float) -> str:
    return f"type {match_type}, {_SAID[match_type]}, provenance F {overlap:.4g}"
