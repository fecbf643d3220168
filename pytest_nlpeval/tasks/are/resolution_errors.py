"""Says what is not right: pronouns without full credit, with the system's way from each, and chains that the other side parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import Generic, Protocol, TypeVar

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, explain_each
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks.are.answers import Answers
from pytest_nlpeval.tasks.are.linking import Comparison, Linking, Partners
from pytest_nlpeval.tasks.are.mentions import M
from pytest_nlpeval.tasks.are.resolving import Judgment, Reason, Resolution

SHOWN = 8
"""How many steps of a way, mentions of a chain or parts of one a message shows."""

KINDS: dict[Reason, Difference] = {
    "unanswered": "missed",
    "not-a-pronoun": "spurious",
    "no-chain": "spurious",
    "wrong": "wrong-value",
    "half-unanswered": "partial",
    "half-wrong": "partial",
    "half-cycle": "partial",
    "inexact": "partial",
}
"""The reasons of pronouns, in the order in which they are explained."""

Bearing = Mapping[Reason, tuple[str, ...]]
"""The measures that a reason bears on."""

_NO_CREDIT = ("success_rate", "resolved")
_HALF_CREDIT = (*_NO_CREDIT, "half_resolved")
BEARING_OF_IDS: Bearing = {
    "unanswered": (*_NO_CREDIT, "answered"),
    "no-chain": _NO_CREDIT,
    "wrong": _NO_CREDIT,
    "half-unanswered": _HALF_CREDIT,
    "half-wrong": _HALF_CREDIT,
    "half-cycle": _HALF_CREDIT,
}
_PARTIAL = ("precision", "recall", "f1")
BEARING_OF_SPANS: Bearing = {
    "unanswered": ("recall", "f1", "identification.recall", "identification.f1"),
    "not-a-pronoun": ("precision", "f1", "identification.precision", "identification.f1"),
    "wrong": _PARTIAL,
    "half-unanswered": _PARTIAL,
    "half-wrong": _PARTIAL,
    "half-cycle": _PARTIAL,
    "inexact": _PARTIAL,
}

_WITHOUT_CHAIN: dict[Reason, str] = {"not-a-pronoun": "not a pronoun to be resolved in gold"}

M_contra = TypeVar("M_contra", contravariant=True)


class Text(Protocol[M_contra]):
    """Shows mentions."""

    def name(self, mention: M_contra, /) -> str:
        """Return what identifies a mention in the input."""

    def label(self, mention: M_contra, /) -> str:
        """Return what a message calls a mention."""

    def passage(self, at: M_contra, gold: Iterable[M_contra], system: Iterable[M_contra], /) -> Passage | None:
        """Return the text around a mention with those of either side that are near it; None if the text is not known."""


def explain_pronouns(
    resolution: Resolution[M], answers: Answers[M], text: Text[M], bearing: Bearing
) -> Iterator[Explanation | Omitted]:
    """Yield the explanation of each pronoun or pair without full credit, reason by reason, the least credit first."""
    by_reason: defaultdict[Reason, list[Judgment[M]]] = defaultdict(list)
    for judgment in sorted(resolution.judgments, key=lambda judgment: judgment.halves * judgment.overlap):
        by_reason[judgment.reason].append(judgment)
    writer, shelf = _Writer(resolution, answers, text, bearing), Shelf()
    for reason in KINDS:
        yield from explain_each(reason, by_reason[reason], writer.write, shelf, lambda judgment: bearing[judgment.reason])


@light_dataclass(frozen=True, slots=True)
class _Writer(Generic[M]):
    """Writes the explanations of pronouns."""

    resolution: Resolution[M]
    answers: Answers[M]
    text: Text[M]
    bearing: Bearing

    def write(self, judgment: Judgment[M]) -> Explanation:
        """Return the explanation of a judgment."""
        pronoun, reason, label = judgment.pronoun, judgment.reason, self.text.label
        chain = None if reason == "not-a-pronoun" else self.resolution.chains.get(pronoun)
        mentions = chain.mentions if chain else ()
        answer = (self.answers.antecedents[pronoun],) if pronoun in self.answers.antecedents else ()
        gold = _listed(mentions, label)
        said = f"gold chain: {gold}" if chain else _WITHOUT_CHAIN.get(reason, "in no gold chain")
        credit = f"credit {judgment.halves / 2:g}" + (f" · {judgment.overlap:.4g}" if judgment.overlap < 1 else "")
        name = self.text.name(pronoun)
        marked = ((), (pronoun, *answer)) if reason == "not-a-pronoun" else (mentions or (pronoun,), answer)
        return Explanation(
            name,
            reason,
            f"{self._way(pronoun)}; {said}; {credit}",
            self.answers.lines.get(pronoun),
            KINDS[reason],
            name,
            gold,
            _listed(answer, label),
            self.bearing[reason],
            self.text.passage(pronoun, *marked),
            gold_line=chain.line if chain and reason == "unanswered" else None,
        )

    def _way(self, pronoun: M) -> str:
        """Return the system's way from a pronoun; where an answer is taken for another mention of the chain, also that."""
        ways, answers, label = self.resolution.ways, self.answers.antecedents, self.text.label
        path = list(islice(ways.path(pronoun), SHOWN + 1))
        steps = [label(pronoun)]
        for step, target in pairwise(path):
            answer = answers[step]
            steps.append(label(target) if answer == target else f"{label(answer)} (taken for {label(target)})")
        last = path[-1]
        if len(path) > SHOWN:
            steps.append("…")
        elif last in path[:-1]:
            steps[-1] += " again"
        elif last in ways.pronouns:
            steps.append(f"{label(answers[last])}, which is not in the chain" if last in answers else "no answer")
        elif last == pronoun:
            steps.append(label(answers[last]) if last in answers else "no answer")
        return " → ".join(steps)


def explain_chains(linking: Linking[M], text: Text[M]) -> Iterator[Explanation | Omitted]:
    """Yield the explanation of each gold chain that lacks links or credit, and of each system chain that has wrong links."""
    missing = [comparison for comparison in linking.gold if len(comparison.parts) > 1]
    looked_at = ((comparison, _first_inexact(comparison, linking.partners_of_gold)) for comparison in linking.gold)
    inexact = [(comparison, odd) for comparison, odd in looked_at if len(comparison.parts) == 1 and odd is not None]
    wrong = [comparison for comparison in linking.system if len(comparison.parts) > 1]
    shelf = Shelf()
    yield from explain_each("missing-links", missing, partial(_missing, linking, text), shelf, partial(_of_missing, linking))
    yield from explain_each("wrong-links", wrong, partial(_wrong, linking, text), shelf, lambda _: _OF_WRONG)
    yield from explain_each("inexact-mentions", inexact, partial(_inexact, linking, text), shelf)


def _first_inexact(comparison: Comparison[M], partners: Partners[M]) -> M | None:
    """Return the first mention of a chain that its partner overlaps only in part."""
    return next((mention for mention in comparison.chain.mentions if partners.get(mention, (mention, 1.0))[1] < 1), None)


def _missing(linking: Linking[M], text: Text[M], comparison: Comparison[M]) -> Explanation:
    chain, partners = comparison.chain, linking.partners_of_gold
    shown = _parts(comparison, partners, text.label)
    return Explanation(
        f"gold chain {chain.name}",
        "missing-links",
        f"{len(comparison.parts) - 1} of {comparison.links} links are missing, between the parts {shown}",
        kind="missed",
        gold=_listed(chain.mentions, text.label),
        system=shown,
        measures=_of_missing(linking, comparison),
        passage=_passage(comparison.parts[1][0], chain.mentions, partners, text),
        gold_line=chain.line,
    )


def _of_missing(linking: Linking[M], comparison: Comparison[M]) -> tuple[str, ...]:
    """Return the measures that missing links of a chain bear on: links of inexact mentions weigh less on either side."""
    is_exact = _first_inexact(comparison, linking.partners_of_gold) is None
    return ("*.recall", "*.f1") if is_exact else ()


_OF_WRONG = ("*.precision", "*.f1")
"""The measures that wrong links bear on."""


def _wrong(linking: Linking[M], text: Text[M], comparison: Comparison[M]) -> Explanation:
    """Return the explanation of a system chain.

    The item is the chain's first mention by name. The id of a chain would not do: the system may number its chains anew in every run.
    """
    chain, shown = comparison.chain, _parts(comparison, linking.partners_of_system, text.label)
    passage = _passage(comparison.parts[1][0], chain.mentions, linking.partners_of_system, text)
    return Explanation(
        f"system chain {chain.name}",
        "wrong-links",
        f"{len(comparison.parts) - 1} of {comparison.links} links are wrong, between the parts {shown}",
        chain.line,
        "spurious",
        f"system chain of {min(map(text.name, chain.mentions))}",
        gold=shown,
        system=_listed(chain.mentions, text.label),
        measures=_OF_WRONG,
        passage=passage and passage._replace(gold=passage.system, system=passage.gold),
    )


def _inexact(linking: Linking[M], text: Text[M], inexact: tuple[Comparison[M], M]) -> Explanation:
    comparison, odd = inexact
    chain, shown = comparison.chain, _parts(comparison, linking.partners_of_gold, text.label)
    return Explanation(
        f"gold chain {chain.name}",
        "inexact-mentions",
        f"all links are there, but mentions differ: {shown}",
        kind="partial",
        gold=_listed(chain.mentions, text.label),
        system=shown,
        passage=_passage(odd, chain.mentions, linking.partners_of_gold, text),
        gold_line=chain.line,
    )


def _passage(at: M, own: Iterable[M], partners: Partners[M], text: Text[M]) -> Passage | None:
    """Return the text around a mention with the mentions of its chain, and their partners as the system's."""
    mentions = tuple(own)
    return text.passage(at, mentions, [partners[mention][0] for mention in mentions if mention in partners])


def _parts(comparison: Comparison[M], partners: Partners[M], label: Callable[[M], str]) -> str:
    def named(mention: M) -> str:
        partner, share = partners.get(mention, (mention, 1.0))
        return label(mention) if share == 1 else f"{label(mention)} ({label(partner)} there, overlap {share:.4g})"

    shown = " | ".join(_listed(part, named) for part in comparison.parts[:SHOWN])
    return shown + (f" | … ({len(comparison.parts)} in all)" if len(comparison.parts) > SHOWN else "")


def _listed(mentions: Sequence[M], label: Callable[[M], str]) -> str:
    shown = ", ".join(map(label, mentions[:SHOWN]))
    return shown + (f", … ({len(mentions)} in all)" if len(mentions) > SHOWN else "")
