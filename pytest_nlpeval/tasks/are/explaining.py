"""Why a document scores as it does: the system's way from each pronoun, the missing and the wrong links of each chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise

from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.tasks.are.answers import Answers
from pytest_nlpeval.tasks.are.linking import Comparison, Linking, Partners
from pytest_nlpeval.tasks.are.mentions import M
from pytest_nlpeval.tasks.are.resolving import Judgment, Resolution

SHOWN = 8
"""How many steps of a way, mentions of a chain or parts of one a message shows."""

Label = Callable[[M], str]


def explain_pronouns(resolution: Resolution[M], answers: Answers[M], label: Label[M]) -> Explanations:
    """Explain every pronoun or pair: what scores least comes first."""
    judgments = sorted(resolution.judgments, key=lambda judgment: judgment.halves * judgment.overlap)
    counts = Counter(judgment.reason for judgment in judgments)
    rows = tuple(
        (
            label(judgment.pronoun),
            judgment.reason,
            _why(judgment, resolution, answers, label),
            answers.lines.get(judgment.pronoun),
        )
        for judgment in judgments[: Explanations.SHOWN]
    )
    return Explanations(dict(sorted(counts.items())), rows)


def _why(judgment: Judgment[M], resolution: Resolution[M], answers: Answers[M], label: Label[M]) -> str:
    pronoun = judgment.pronoun
    chain = resolution.chains.get(pronoun)
    gold = f"gold chain: {_listed(chain.mentions, label)}" if chain else "in no gold chain"
    credit = f"credit {judgment.halves / 2:g}" + (f" · {judgment.overlap:.4g}" if judgment.overlap < 1 else "")
    if judgment.reason in ("not-a-pronoun", "no-chain"):
        gold = {"not-a-pronoun": "no pronoun to be resolved in gold", "no-chain": "the pronoun is in no gold chain"}[
            judgment.reason
        ]
        return f"{label(pronoun)} → {label(answers.antecedents[pronoun])}: {gold}; credit 0"
    return f"{_way(pronoun, resolution, answers, label)}; {gold}; {credit}"


def _way(pronoun: M, resolution: Resolution[M], answers: Answers[M], label: Label[M]) -> str:
    """Return the system's way from a pronoun; where an answer stands for another mention of the chain, both."""
    ways = resolution.ways
    path = list(islice(ways.path(pronoun), SHOWN + 1))
    steps = [label(pronoun)]
    for one, other in pairwise(path):
        antecedent = answers.antecedents[one]
        steps.append(label(other) if antecedent == other else f"{label(antecedent)} (stands for {label(other)})")
    last = path[-1]
    if len(path) > SHOWN:
        steps.append("…")
    elif last in path[:-1]:
        steps[-1] += " again"
    elif last not in answers.antecedents and (last in ways.pronouns or last == pronoun):
        steps.append("no answer")
    elif last in ways.pronouns:
        steps.append(f"{label(answers.antecedents[last])}, which is not in the chain")
    return " → ".join(steps)


def explain_chains(linking: Linking[M], label: Label[M]) -> Explanations:
    """Explain every gold chain that lacks links or credit, and every system chain that has wrong links."""
    return Explanations.of((*_of_gold(linking, label), *_of_system(linking, label)))


def _of_gold(linking: Linking[M], label: Label[M]) -> Iterator[Explanation]:
    for comparison in linking.gold:
        missing = len(comparison.parts) - 1
        shown = _parts(comparison, linking.partners_of_gold, label)
        if missing:
            message = f"{missing} of {comparison.links} links are missing, between the parts {shown}"
            yield Explanation(f"gold chain {comparison.chain.name}", "missing-links", message)
        elif any(linking.partners_of_gold[mention][1] < 1 for mention in comparison.chain.mentions):
            message = f"all links are there, but mentions differ: {shown}"
            yield Explanation(f"gold chain {comparison.chain.name}", "inexact-mentions", message)


def _of_system(linking: Linking[M], label: Label[M]) -> Iterator[Explanation]:
    for comparison in linking.system:
        wrong = len(comparison.parts) - 1
        if wrong:
            shown = _parts(comparison, linking.partners_of_system, label)
            message = f"{wrong} of {comparison.links} links are wrong, between the parts {shown}"
            yield Explanation(f"system chain {comparison.chain.name}", "wrong-links", message, comparison.chain.line)


def _parts(comparison: Comparison[M], partners: Partners[M], label: Label[M]) -> str:
    def named(mention: M) -> str:
        partner, share = partners.get(mention, (mention, 1.0))
        return label(mention) if share == 1 else f"{label(mention)} ({label(partner)} there, overlap {share:.4g})"

    shown = " | ".join(_listed(part, named) for part in comparison.parts[:SHOWN])
    return shown + (f" | … ({len(comparison.parts)} in all)" if len(comparison.parts) > SHOWN else "")


def _listed(mentions: Iterable[M], label: Label[M]) -> str:
    found = tuple(mentions)
    shown = ", ".join(map(label, found[:SHOWN]))
    return shown + (f", … ({len(found)} in all)" if len(found) > SHOWN else "")
