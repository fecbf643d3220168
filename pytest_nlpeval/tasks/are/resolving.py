"""Scores a system's answers: half credit for a pronoun whose way ends before a mention that is not a pronoun (subtasks 1 and 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Literal, Protocol, TypeVar

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.alignment import Span, SpanIndex, overlap
from pytest_nlpeval.tasks.are.answers import Answers
from pytest_nlpeval.tasks.are.chains import Chain, Chains
from pytest_nlpeval.tasks.are.following import End, Ways
from pytest_nlpeval.tasks.are.inputs import Entities, Words
from pytest_nlpeval.tasks.are.mentions import M
from pytest_nlpeval.tasks.are.options import Options, folded

Reason = Literal[
    "resolved", "inexact", "half-unanswered", "half-wrong", "half-cycle", "wrong", "no-chain", "not-a-pronoun", "unanswered"
]

_HALF: dict[End, Reason] = {"unanswered": "half-unanswered", "wrong": "half-wrong", "cycle": "half-cycle"}


M_contra = TypeVar("M_contra", contravariant=True)


class Texts(Protocol[M_contra]):
    """Knows the words of mentions."""

    def text(self, mention: M_contra, /) -> str:
        """Return the words of a mention, joined by blanks."""


@light_dataclass(frozen=True, slots=True)
class Judgment(Generic[M]):
    """What a pronoun scores: `halves / 2 * overlap`, and why. `halves` is 0, 1 or 2; `overlap` is 1 where ids are compared."""

    pronoun: M
    reason: Reason
    halves: int
    overlap: float = 1.0


@light_dataclass(frozen=True, slots=True)
class Resolution(Generic[M]):
    """The judgments of a document, the ways they rest on, and the chain of each gold mention."""

    judgments: list[Judgment[M]]
    ways: Ways[M]
    chains: dict[M, Chain[M]]


def resolve_ids(entities: Entities, gold: Chains[str], answers: Answers[str], options: Options) -> Resolution[str]:
    """Return the judgments of the listed pronouns, in the input's order (subtask 1).

    An answer is right if it is in the pronoun's chain. Answers for other pronouns are followed too.
    """
    chains = _chains_by_mention(gold)
    pronouns = _pronouns(chains, entities.pronouns, entities, options)
    targets: dict[str, str | None] = {}
    for pronoun in pronouns & answers.antecedents.keys():
        antecedent = answers.antecedents[pronoun]
        targets[pronoun] = antecedent if chains.get(antecedent) is chains[pronoun] else None
    ways = Ways(pronouns, targets)
    ends = ways.ends()

    def judge(pronoun: str) -> Judgment[str]:
        if pronoun not in answers.antecedents:
            return Judgment(pronoun, "unanswered", 0)
        if pronoun not in chains:
            return Judgment(pronoun, "no-chain", 0)
        return _judgment(pronoun, ways, ends)

    return Resolution([judge(pronoun) for pronoun in entities.pronouns], ways, chains)


def resolve_spans(words: Words, gold: Chains[Span], answers: Answers[Span], options: Options) -> Resolution[Span]:
    """Return the judgments of a system's pairs, in its file's order, then of the pronouns without one (subtask 3).

    An answer is taken for the mention of the pronoun's chain, without the pronoun, that it overlaps most; ties go to mentions that
    are not pronouns, then to the smallest (start, end).
    """
    chains = _chains_by_mention(gold)
    to_be_resolved = set(gold.pronouns)
    pronouns = _pronouns(chains, to_be_resolved, words, options)
    indexes: dict[int, SpanIndex] = {}
    targets: dict[Span, Span | None] = {}
    for span, antecedent in answers.antecedents.items():
        if span in pronouns:
            chain = chains[span]
            index = indexes.get(id(chain)) or indexes.setdefault(id(chain), SpanIndex(chain.mentions, pronouns))
            targets[span] = index.best(antecedent, without=span)
    ways = Ways(pronouns, targets)
    ends = ways.ends()

    def judge(pronoun: Span) -> Judgment[Span]:
        if pronoun not in to_be_resolved:
            return Judgment(pronoun, "not-a-pronoun", 0)
        target = ways.targets[pronoun]
        return _judgment(pronoun, ways, ends, 1.0 if target is None else overlap(answers.antecedents[pronoun], target))

    judgments = [judge(pronoun) for pronoun in answers.antecedents]
    missed = (Judgment(span, "unanswered", 0) for span in gold.pronouns if span not in answers.antecedents)
    return Resolution([*judgments, *missed], ways, chains)


def _judgment(pronoun: M, ways: Ways[M], ends: dict[M, End], share: float = 1.0) -> Judgment[M]:
    if ways.targets[pronoun] is None:
        return Judgment(pronoun, "wrong", 0)
    end = ends[pronoun]
    if end == "resolved":
        return Judgment(pronoun, "resolved" if share == 1 else "inexact", 2, share)
    return Judgment(pronoun, _HALF[end], 1, share)


def _pronouns(mentions: Iterable[M], marked: Iterable[M], texts: Texts[M], options: Options) -> set[M]:
    """Return the mentions that are pronouns: a file marks them, or the options list their words."""
    pronouns, words = set(marked), options.words
    return {mention for mention in mentions if mention in pronouns or (words and folded(texts.text(mention)) in words)}


def _chains_by_mention(chains: Chains[M]) -> dict[M, Chain[M]]:
    return {mention: chain for chain in chains.chains for mention in chain.mentions}
