from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.alignment import Span
from tests.unit.tasks.are.files import (
    MENTIONS,
    PLACES,
    candidates,
    counted,
    disjoint_ids,
    disjoint_spans,
    id_chains,
    id_pairs,
    row,
    span_chains,
    span_pairs,
    words,
)

ANSWERS = st.dictionaries(st.sampled_from(MENTIONS), st.sampled_from(MENTIONS)).map(
    lambda found: {one: other for one, other in found.items() if one != other}
)
SOME = st.sets(st.sampled_from(MENTIONS))


def halves_by_the_rule(pronoun: str, chains: list[list[str]], answers: Mapping[str, str], pronouns: set[str]) -> int:
    """The three cases of subtask 1, word for word; `pronouns` are those listed or named by the option."""
    chain = next((set(found) for found in chains if pronoun in found), set[str]())
    at = answers.get(pronoun)
    if at is None or at not in chain:
        return 0
    seen = {pronoun}
    while at in pronouns:
        if at in seen or at not in answers or answers[at] not in chain:
            return 1
        seen.add(at)
        at = answers[at]
    return 2


@settings(max_examples=300)
@given(disjoint_ids(), ANSWERS, SOME, SOME)
def test_subtask_1_is_its_rule(chains: list[list[str]], answers: dict[str, str], listed: set[str], by_word: set[str]) -> None:
    source = candidates(MENTIONS, sorted(listed))
    evidence = counted(1, id_chains(chains), id_pairs(answers), source, [name.upper() for name in by_word]).evidence
    found = 2 * evidence.column("resolved") + evidence.column("half")
    expected = [halves_by_the_rule(name, chains, answers, listed | by_word) for name in sorted(listed)]
    assert evidence.units == tuple(sorted(listed))
    assert found.tolist() == expected
    assert evidence.column("answered").tolist() == [int(name in answers) for name in sorted(listed)]


def exact(one: Span, other: Span) -> Fraction:
    common = len(set(range(*one)) & set(range(*other)))
    return Fraction(common, max(len(range(*one)), len(range(*other))))


def score_by_the_rule(
    pronoun: Span, chains: list[list[Span]], answers: Mapping[Span, Span], pronouns: set[Span], resolved: set[Span]
) -> Fraction:
    """The rule of subtask 3, word for word; `resolved` are the pronouns to be resolved."""
    if pronoun not in resolved:
        return Fraction(0)
    chain = next(found for found in chains if pronoun in found)

    def stands_for(own: Span) -> Span | None:
        others = [other for other in chain if other != own and exact(answers[own], other)]
        return min(others, key=lambda other: (-exact(answers[own], other), other in pronouns, other), default=None)

    at = stands_for(pronoun)
    if at is None:
        return Fraction(0)
    share = exact(answers[pronoun], at)
    seen = {pronoun}
    while at in pronouns:
        if at in seen or at not in answers:
            return share / 2
        seen.add(at)
        at = stands_for(at)
        if at is None:
            return share / 2
    return share


@st.composite
def documents(draw: st.DrawFn) -> tuple[list[list[Span]], set[Span], dict[Span, Span]]:
    """Chains, pronouns to be resolved among them, and answers most of which are for mentions of chains."""
    chains = draw(disjoint_spans())
    mentions = [span for chain in chains for span in chain]
    span = st.tuples(st.integers(0, PLACES - 1), st.integers(1, 4)).map(lambda found: (found[0], min(sum(found), PLACES)))
    known = st.sampled_from(mentions) if mentions else span
    answers = draw(st.dictionaries(known | span, known | span, max_size=7))
    resolved = {mention for mention in mentions if draw(st.booleans())}
    return chains, resolved, {one: other for one, other in answers.items() if one != other}


@given(documents(), st.sets(st.integers(0, PLACES - 1)))
def test_subtask_3_is_its_rule(document: tuple[list[list[Span]], set[Span], dict[Span, Span]], by_word: set[int]) -> None:
    chains, resolved, answers = document
    found = counted(
        3, span_chains(chains, resolved), span_pairs(answers), words(PLACES), [f"W{rank}" for rank in sorted(by_word)]
    )
    pronouns = resolved | {span for chain in chains for span in chain if span[1] - span[0] == 1 and span[0] in by_word}
    expected = sum((score_by_the_rule(one, chains, answers, pronouns, resolved) for one in answers), Fraction(0))
    assert row(found.evidence) == {
        "credit": pytest.approx(float(expected), abs=1e-12),
        "pairs": len(answers),
        "pronouns": len(resolved),
        "identified": len(resolved & answers.keys()),
    }
    full = sum(score_by_the_rule(one, chains, answers, pronouns, resolved) == 1 for one in answers)
    assert len(list(found.explanations)) == len(answers.keys() | resolved) - full


@settings(max_examples=50)
@given(documents(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_chains_and_mentions_changes_nothing(
    document: tuple[list[list[Span]], set[Span], dict[Span, Span]], random: object
) -> None:
    chains, resolved, answers = document
    shuffle = getattr(random, "shuffle")  # noqa: B009 - hypothesis' type says nothing of it
    before = counted(3, span_chains(chains, resolved), span_pairs(answers), words(PLACES)).evidence
    pairs = list(answers.items())
    for entries in (pairs, chains, *chains):
        shuffle(entries)
    assert counted(3, span_chains(chains, resolved), span_pairs(dict(pairs)), words(PLACES)).evidence == before


def test_with_words_given_as_mentions_subtask_3_is_subtask_1() -> None:
    """Of single words, an overlap is 1 or 0: the credits are those of ids."""
    chains = [["0", "1", "2", "3"], ["4", "5"]]
    answers = {"1": "2", "2": "3", "3": "0", "5": "1", "4": "5"}
    listed = ["1", "2", "3", "5"]
    given_ = counted(1, id_chains(chains), id_pairs(answers), candidates([str(rank) for rank in range(6)], listed)).evidence

    def at(name: str) -> Span:
        return int(name), int(name) + 1

    spans = counted(
        3,
        span_chains([[at(name) for name in chain] for chain in chains], map(at, listed)),
        span_pairs({at(one): at(other) for one, other in answers.items()}),
        words(6),
    ).evidence
    assert row(spans)["credit"] == given_.column("resolved").sum() + given_.column("half").sum() / 2


def test_a_long_chain_is_looked_through_once() -> None:
    """10,000 pronouns in one chain, each naming the one before: a chain indexed for each of them would take minutes."""
    chain = [(rank, rank + 1) for rank in range(10_000)]
    answers = dict(zip(chain[1:], chain, strict=False))
    found = row(counted(3, span_chains([chain], chain[1:]), span_pairs(answers), words(len(chain))).evidence)
    assert found["credit"] == found["pairs"] == found["pronouns"] == len(chain) - 1
