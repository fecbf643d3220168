"""Graphs of temporal relations against the definitions, worked out by hand and by brute force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_closure, temporal_chains
from pytest_nlpeval.metrics.point_closure import PointClosure
from pytest_nlpeval.metrics.temporal import (
    CONSTRAINTS,
    INVERSES,
    TemporalGraph,
    TemporalLink,
    inverse,
)
from pytest_nlpeval.metrics.temporal_chains import FARTHEST

Links = tuple[TemporalLink, ...]
Span = tuple[int, int]
Said = list[tuple[str, tuple[str, int], tuple[str, int]]]

Holds = Callable[[Span, Span], bool]


def turned(holds: Holds) -> Holds:
    return lambda x, y: holds(y, x)


HOLDS: dict[str, Holds] = {
    "BEFORE": lambda x, y: x[1] < y[0],
    "IBEFORE": lambda x, y: x[1] == y[0],
    "BEGINS": lambda x, y: x[0] == y[0] and x[1] < y[1],
    "ENDS": lambda x, y: x[1] == y[1] and y[0] < x[0],
    "INCLUDES": lambda x, y: x[0] < y[0] and y[1] < x[1],
    "SIMULTANEOUS": lambda x, y: x == y,
    "IDENTITY": lambda x, y: x == y,
    "DURING": lambda x, y: x == y,
    "DURING_INV": lambda x, y: x == y,
}
HOLDS |= {
    "AFTER": turned(HOLDS["BEFORE"]),
    "IAFTER": turned(HOLDS["IBEFORE"]),
    "BEGUN_BY": turned(HOLDS["BEGINS"]),
    "ENDED_BY": turned(HOLDS["ENDS"]),
    "IS_INCLUDED": turned(HOLDS["INCLUDES"]),
}
"""What each type says, as the specification writes it."""

SPANS = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
"""All intervals on four instants: every relation of two intervals holds between some of them."""


def pairs_of(name: str) -> list[tuple[Span, Span]]:
    return [(x, y) for x, y in product(SPANS, repeat=2) if HOLDS[name](x, y)]


def orders(name: str) -> list[tuple[str, int, int]]:
    """On which order of an end of X and an end of Y all intervals agree that a type holds between: what it says, and what follows."""
    found = []
    for first, second in product((0, 1), (2, 3)):
        ends = [((*x, *y)[first], (*x, *y)[second]) for x, y in pairs_of(name)]
        if all(one < two for one, two in ends):
            found.append(("<", first, second))
        elif all(one > two for one, two in ends):
            found.append(("<", second, first))
        elif all(one == two for one, two in ends):
            found.append(("=", first, second))
    return found


ORDERS = {name: orders(name) for name in HOLDS}


def said(link: TemporalLink) -> Said:
    """The constraints of a relation, none for one of unknown type or of an interval with itself."""
    if link.source == link.target:
        return []
    points = [(str(name), end) for name in link[:2] for end in (0, 1)]
    return [(sign, points[a], points[b]) for sign, a, b in ORDERS.get(link.type.upper(), [])]


class Brute:
    """The closure of relations: 1 where one end is before another, 0 where it is before or equal; by Floyd and Warshall."""

    def __init__(self, links: Links) -> None:
        parts = [part for link in links for part in said(link)]
        self.known = {str(name) for link in links if said(link) for name in link[:2]}
        points = list(product(sorted(self.known), (0, 1)))
        self.least = {(point, point): 0 for point in points}
        self.least |= {((name, 0), (name, 1)): 1 for name in self.known}
        for sign, a, b in parts:
            self.least[a, b] = max(self.least.get((a, b), 0), int(sign == "<"))
            if sign == "=":
                self.least.setdefault((b, a), 0)
        for middle in points:
            into = [a for a in points if (a, middle) in self.least]
            onward = [b for b in points if (middle, b) in self.least]
            for a, b in product(into, onward):
                strict = self.least[a, middle] or self.least[middle, b]
                self.least[a, b] = max(self.least.get((a, b), 0), strict)
        self.consistent = not any(self.least[point, point] for point in points)

    def follows(self, part: tuple[str, tuple[str, int], tuple[str, int]]) -> bool:
        sign, a, b = part
        if sign == "<":
            return self.least.get((a, b)) == 1
        return self.least.get((a, b)) == 0 and self.least.get((b, a)) == 0

    def entails(self, link: TemporalLink) -> bool:
        parts = said(link)
        return bool(parts) and {str(link.source), str(link.target)} <= self.known and all(map(self.follows, parts))


def sound_places(links: Links) -> list[int]:
    """The places of the relations that hold, by the procedure in file order: a relation is violated iff there is no model with it."""
    held: list[int] = []
    for place, asked in enumerate(links):
        if said(asked) and Brute((*(links[other] for other in held), asked)).consistent:
            held.append(place)
    return held


def sound(links: Links) -> Links:
    return tuple(links[place] for place in sound_places(links))


def canonical(links: Links) -> Links:
    """The drops from the last to the first, each with a closure of its own."""
    held = sound_places(links)
    kept = set(range(len(links)))
    for index in reversed(held):
        rest = tuple(links[other] for other in held if other in kept and other != index)
        if Brute(rest).entails(links[index]):
            kept.discard(index)
    return tuple(links[index] for index in sorted(kept))


class Subsets:
    """The closures of all choices of relations, the fewest first."""

    def __init__(self, links: Links) -> None:
        self.closures = [(number, Brute(chosen)) for number in range(len(links) + 1) for chosen in combinations(links, number)]

    def fewest(self, parts: Said) -> int:
        """How many relations it takes until one of the constraints follows."""
        return next(number for number, brute in self.closures if any(map(brute.follows, parts)))


def link(text: str) -> TemporalLink:
    """A relation from `source type target`."""
    source, name, target = text.split()
    return TemporalLink(source, target, name)


def listed(text: str) -> Links:
    return tuple(link(part) for part in text.split(", ") if part)


NAMES = "ABCDEF"
TYPES = [*HOLDS, "before", "Simultaneous", "OVERLAP", ""]
EQUALITIES = ["SIMULTANEOUS", "DURING", "IBEFORE", "BEGINS", "ENDS", "BEGUN_BY", "ENDED_BY"]


def any_links(types: list[str], names: str = NAMES, size: int = 12) -> st.SearchStrategy[Links]:
    one = st.builds(TemporalLink, st.sampled_from(names), st.sampled_from(names), st.sampled_from(types))
    return st.lists(one, max_size=size).map(tuple)


@st.composite
def true_links(draw: st.DrawFn, instants: int = 6, size: int = 14) -> Links:
    """Relations that hold together: those of intervals drawn first."""
    ends = st.sampled_from(list(combinations(range(instants + 1), 2)))
    spans = [draw(ends) for _ in NAMES]
    true = [
        TemporalLink(NAMES[x], NAMES[y], name)
        for x, y in permutations(range(len(NAMES)), 2)
        for name, holds in HOLDS.items()
        if holds(spans[x], spans[y])
    ]
    return tuple(draw(st.lists(st.sampled_from(true), max_size=size))) if true else ()


LISTS = st.one_of(any_links(TYPES), any_links(EQUALITIES), any_links(TYPES, "ABC"), true_links(), true_links(instants=2))
FEW = settings(max_examples=40)


def test_every_type_has_constraints_and_an_inverse() -> None:
    assert set(CONSTRAINTS) == set(INVERSES) == set(HOLDS)
    assert len(HOLDS) == 14


@pytest.mark.parametrize("name", HOLDS)
def test_constraints_say_what_the_type_says(name: str) -> None:
    for x, y in product(SPANS, repeat=2):
        ends = (*x, *y)
        meant = all(ends[a] < ends[b] if sign == "<" else ends[a] == ends[b] for sign, a, b in CONSTRAINTS[name])
        assert meant == HOLDS[name](x, y)


@pytest.mark.parametrize("name", HOLDS)
def test_the_inverse_says_the_same_of_the_interchanged_intervals(name: str) -> None:
    other = inverse(name.lower())
    assert other is not None
    assert inverse(other) == name
    assert all(HOLDS[name](x, y) == HOLDS[other](y, x) for x, y in product(SPANS, repeat=2))


def test_inverses_of_the_types_that_say_the_same() -> None:
    assert [inverse(name) for name in ("SIMULTANEOUS", "IDENTITY", "DURING", "DURING_INV")] == [
        "SIMULTANEOUS",
        "IDENTITY",
        "DURING_INV",
        "DURING",
    ]
    assert [inverse(name) for name in ("CONTAINS", "OVERLAP", "")] == [None, None, None]


@pytest.mark.parametrize("name", HOLDS)
def test_a_relation_entails_itself_and_its_inverse_and_what_says_the_same(name: str) -> None:
    graph = TemporalGraph([TemporalLink("A", "B", name)])
    for other in HOLDS:
        same, turned = pairs_of(name), [(x, y) for y, x in pairs_of(name)]
        assert graph.entails(TemporalLink("A", "B", other)) == (set(same) <= set(pairs_of(other)))
        assert graph.entails(TemporalLink("B", "A", other)) == (set(turned) <= set(pairs_of(other)))


def test_what_contradicts_earlier_relations_is_violated() -> None:
    graph = TemporalGraph(listed("A BEFORE B, B BEFORE C, A BEFORE C, C BEFORE A, A BEFORE A, A OVERLAP B, D AFTER C"))
    assert graph.violated == listed("C BEFORE A, A BEFORE A, A OVERLAP B")
    assert graph.canonical == listed("A BEFORE B, B BEFORE C, C BEFORE A, A BEFORE A, A OVERLAP B, D AFTER C")
    assert graph.entails(link("A BEFORE D"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A BEFORE C, A BEFORE B, B BEFORE C", "A BEFORE B, B BEFORE C"),
        ("A BEFORE B, B BEFORE C, A BEFORE C", "A BEFORE B, B BEFORE C"),
        ("A SIMULTANEOUS B, B SIMULTANEOUS C, C SIMULTANEOUS A", "A SIMULTANEOUS B, B SIMULTANEOUS C"),
        ("A BEFORE B, B AFTER A", "A BEFORE B"),
        ("A IDENTITY B, A during B, B DURING_INV A", "A IDENTITY B"),
        ("A BEFORE B, A BEFORE B", "A BEFORE B"),
        ("A BEGINS B, A BEGINS D, B BEGINS D", "A BEGINS B, B BEGINS D"),
        ("A BEGINS D, A BEGINS B, B BEGINS D", "A BEGINS B, B BEGINS D"),
        ("A INCLUDES C, A INCLUDES B, B INCLUDES C", "A INCLUDES B, B INCLUDES C"),
        ("A IBEFORE B, B IBEFORE C, A BEFORE C", "A IBEFORE B, B IBEFORE C"),
        ("A BEGINS B, A ENDS B", "A BEGINS B, A ENDS B"),
        ("A BEFORE B, B BEFORE A, B BEFORE A", "A BEFORE B, B BEFORE A, B BEFORE A"),
        ("A OVERLAP B, A OVERLAP B, A BEFORE A", "A OVERLAP B, A OVERLAP B, A BEFORE A"),
        ("", ""),
    ],
)
def test_canonical_reduction(text: str, kept: str) -> None:
    assert TemporalGraph(listed(text)).canonical == listed(kept)


def test_violated_relations_make_no_interval_known() -> None:
    graph = TemporalGraph(listed("A BEFORE B, B OVERLAP C, D SIMULTANEOUS D"))
    assert not graph.entails(link("C SIMULTANEOUS C"))
    assert not graph.entails(link("A SIMULTANEOUS A"))
    assert not graph.entails(link("A BEFORE C"))
    assert not graph.entails(link("A BEFORE unknown"))
    assert not graph.entails(link("unknown BEFORE A"))


def test_states_as_written_or_inverted() -> None:
    graph = TemporalGraph(listed("A BEFORE B, B BEFORE A, A overlap B, A BEFORE A"))
    for text in ("A before B", "B AFTER A", "B BEFORE A", "A AFTER B", "A OVERLAP B", "A BEFORE A", "A AFTER A"):
        assert graph.states(link(text))
        assert graph.verdict(link(text)) == "stated"
    for text in ("a BEFORE B", "A OVERLAP C", "B OVERLAP A", "A SIMULTANEOUS A", "D BEFORE E"):
        assert not graph.states(link(text))
        assert graph.verdict(link(text)) == "open"


def test_an_empty_type_has_no_inverse() -> None:
    graph = TemporalGraph([TemporalLink("A", "B", ""), TemporalLink("C", "D", "OVERLAP")])
    assert graph.states(TemporalLink("A", "B", ""))
    assert not graph.states(TemporalLink("B", "A", ""))
    assert not graph.states(TemporalLink("D", "C", ""))


def test_explanations_are_shortest_chains() -> None:
    graph = TemporalGraph(listed("A BEFORE B, B INCLUDES C, C INCLUDES D, B INCLUDES D, E BEGINS D, Z BEFORE Y"))
    assert graph.explain(link("A BEFORE D")) == (0, 3)
    assert graph.explain(link("A BEFORE E")) == (0, 3, 4)
    assert graph.explain(link("D BEGUN_BY E")) == (4,)
    assert graph.explain(link("A BEFORE Z")) is None
    assert graph.explain(link("A BEFORE A")) is None


def test_no_step_of_an_explanation_leads_back() -> None:
    graph = TemporalGraph(listed("A BEFORE P, P BEFORE Q, Q BEFORE D, A BEFORE B, D INCLUDES B"))
    assert graph.explain(link("A BEFORE D")) == (0, 1, 2)  # both begin before B, which says nothing of their order


def test_an_explanation_joins_the_chains_of_both_constraints() -> None:
    # a1 < p1 < p2 = d1 and d2 = q1 < q2 < a2
    graph = TemporalGraph(listed("A INCLUDES P, P IBEFORE D, Z BEFORE A, A INCLUDES Q, D IBEFORE Q"))
    assert graph.explain(link("A INCLUDES D")) == (0, 1, 4, 3)  # to D by P, back to A by Q
    assert graph.explain(link("D IS_INCLUDED A")) == (1, 0, 3, 4)


def test_a_chain_that_says_both_is_told_alone() -> None:
    # A INCLUDES D takes A INCLUDES B for both constraints, and B = C = D for one of each
    graph = TemporalGraph(listed("A INCLUDES B, B BEGINS C, B SIMULTANEOUS D"))
    assert graph.explain(link("A INCLUDES D")) == (0, 2)
    assert graph.explain(link("D BEGINS C")) == (2, 1)


@pytest.mark.parametrize(("ahead", "behind"), [(1, 30), (30, 1)])
def test_half_an_explanation_is_none(ahead: int, behind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A begins before D by a row of intervals, and D ends before A by another row, of which one is too long for a search."""
    rows = [
        TemporalLink(f"{name}{rank}", f"{name}{rank + 1}", "BEFORE")
        for name, number in (("P", ahead), ("Q", behind))
        for rank in range(number)
    ]
    ends = listed(f"A INCLUDES P0, P{ahead} IBEFORE D, D IBEFORE Q0, A INCLUDES Q{behind}")
    graph = TemporalGraph([*rows, *ends])
    assert sorted(graph.explain(link("A INCLUDES D")) or ()) == list(range(1 + 30 + 4))
    monkeypatch.setattr(temporal_chains, "FARTHEST", 20)
    assert graph.explain(link("A INCLUDES D")) == ()


def test_the_relation_that_follows_of_two_intervals() -> None:
    graph = TemporalGraph(listed("A BEFORE B, B INCLUDES C, D DURING C, E IDENTITY F, G BEGINS A, C AFTER H, C OVERLAP A"))
    for text in ("A BEFORE C", "C AFTER A", "D SIMULTANEOUS C", "F SIMULTANEOUS E", "B INCLUDES D", "G BEFORE D"):
        assert graph.relation(text[0], text[-1]) == link(text)
    assert graph.relation("H", "B") is graph.relation("A", "A") is graph.relation("A", "unknown") is None


def test_contradictions_are_explained() -> None:
    graph = TemporalGraph(listed("A BEFORE B, B BEFORE C, C BEFORE A, A OVERLAP A, D SIMULTANEOUS D, A SIMULTANEOUS E"))
    assert graph.contradiction(link("C BEFORE A")) == (1, 0)  # from C to A
    assert graph.contradiction(link("A SIMULTANEOUS C")) == (0, 1)
    assert graph.contradiction(link("E BEFORE A")) == (5,)
    assert graph.contradiction(link("A BEGINS E")) == (5,)
    for text in ("A BEFORE C", "A OVERLAP A", "D BEFORE D", "A BEFORE D", "A BEFORE unknown"):
        assert graph.contradiction(link(text)) is None


@pytest.mark.parametrize(
    "ends",
    [
        "A IBEFORE Q0, Q30 ENDS C, A INCLUDES P, P BEGINS C",  # a1 < c1 by P, a2 < c2 by all of Q
        "Q0 IBEFORE A, Q30 BEGINS C, A INCLUDES P, P ENDS C",  # c2 < a2 by P, c1 < a1 by all of Q
    ],
)
def test_the_shorter_of_two_chains_tells_a_contradiction(ends: str, monkeypatch: pytest.MonkeyPatch) -> None:
    same = [TemporalLink(f"Q{rank}", f"Q{rank + 1}", "SIMULTANEOUS") for rank in range(30)]
    graph = TemporalGraph([*same, *listed(ends)])
    assert graph.contradiction(link("A SIMULTANEOUS C")) == (32, 33)
    monkeypatch.setattr(temporal_chains, "FARTHEST", 20)
    assert graph.contradiction(link("A SIMULTANEOUS C")) == (32, 33), "no chain is found for the other constraint"


def test_verdicts_of_many_intervals_take_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [TemporalLink("A", target, name) for target in ("B", "unknown") for name in HOLDS]
    before = TemporalLink("A", "B", "BEFORE")
    expected = ["stated" if link == before else "contradicted" if link.target == "B" else "open" for link in asked]
    monkeypatch.setattr(point_closure, "WIDEST", 0)
    monkeypatch.setattr(PointClosure, "_leads", lambda self, *classes: self._foreseen[classes])
    assert TemporalGraph([before]).verdicts(asked) == expected


@given(LISTS)
def test_violated_relations_are_those_of_the_procedure(links: Links) -> None:
    held = sound_places(links)
    assert TemporalGraph(links).violated == tuple(link for place, link in enumerate(links) if place not in held)


@given(LISTS)
def test_the_canonical_reduction_is_that_of_the_drops(links: Links) -> None:
    """The reduction of a reduction is the same, unless relations are violated: one may hold once those before it are dropped."""
    graph = TemporalGraph(links)
    assert graph.canonical == canonical(links)
    assert graph.violated or TemporalGraph(graph.canonical).canonical == graph.canonical


def test_a_violated_relation_may_hold_in_the_reduction() -> None:
    links = listed("B INCLUDES C, C BEGINS A, A BEFORE B, B INCLUDES A")
    graph = TemporalGraph(links)
    assert graph.violated == links[2:3]
    assert graph.canonical == links[1:]
    assert TemporalGraph(graph.canonical).violated == links[3:]


@given(LISTS, st.sampled_from(["violated", "canonical", "links"]))
def test_entailment_is_that_of_the_closure(links: Links, first: str) -> None:
    graph, brute = TemporalGraph(links), Brute(sound(links))
    getattr(graph, first)
    for source, target, name in product(NAMES[:4], NAMES[:4], TYPES):
        asked = TemporalLink(source, target, name)
        assert graph.entails(asked) == brute.entails(asked)


@given(LISTS)
def test_states_is_literal(links: Links) -> None:
    graph = TemporalGraph(links)
    literal = {(x, y, name.upper()) for x, y, name in links} | {(y, x, inverse(name)) for x, y, name in links}
    for source, target, name in product(NAMES[:4], NAMES[:4], TYPES):
        asked = TemporalLink(source, target, name)
        assert graph.states(asked) == ((source, target, name.upper()) in literal)


@FEW
@given(LISTS)
def test_a_verdict_is_the_first_that_holds(links: Links) -> None:
    graph = TemporalGraph(links)
    for source, target, name in product(NAMES[:4], NAMES[:4], TYPES):
        asked = TemporalLink(source, target, name)
        holds = {"stated": graph.states(asked), "entailed": graph.entails(asked), "contradicted": graph.contradicts(asked)}
        assert graph.verdict(asked) == next((verdict for verdict, found in holds.items() if found), "open")


@FEW
@given(LISTS.map(lambda links: links[:6]))
def test_explanations_entail_and_none_is_shorter(links: Links) -> None:
    graph, subsets = TemporalGraph(links), Subsets(sound(links))
    for source, target, name in product("ABC", "ABC", HOLDS):
        asked = TemporalLink(source, target, name)
        chain = graph.explain(asked)
        assert (chain is not None) == graph.entails(asked)
        if chain is not None:
            assert Brute(tuple(links[index] for index in chain)).entails(asked)
            assert leads(asked, [links[index] for index in chain])
            lengths = [subsets.fewest([part]) for part in named(asked)]
            assert max(lengths) <= len(chain) <= sum(lengths)


@FEW
@given(LISTS.map(lambda links: links[:6]))
def test_contradictions_follow_and_none_is_shorter(links: Links) -> None:
    graph, held = TemporalGraph(links), sound(links)
    subsets, known = Subsets(held), Brute(held).known
    for source, target, name in product("ABC", "ABC", HOLDS):
        asked = TemporalLink(source, target, name)
        chain = graph.contradiction(asked)
        possible = source == target or not {source, target} <= known or Brute((*held, asked)).consistent
        assert (chain is None) == possible
        if chain is not None:
            assert not Brute((*(links[index] for index in chain), asked)).consistent
            assert leads(asked, [links[index] for index in chain])
            negations = [other for sign, a, b in named(asked) for other in (("<", b, a), ("=" if sign == "<" else "<", a, b))]
            assert len(chain) == subsets.fewest(negations)


@FEW
@given(LISTS)
def test_at_most_one_relation_follows_of_two_intervals(links: Links) -> None:
    graph, brute = TemporalGraph(links), Brute(sound(links))
    for source, target in product(NAMES[:4], NAMES[:4]):
        following = [name for name in HOLDS if brute.entails(TemporalLink(source, target, name))]
        found = graph.relation(source, target)
        assert (found is None) == (not following)
        if found is not None:
            assert found == TemporalLink(source, target, following[0] if len(following) == 1 else "SIMULTANEOUS")


def leads(asked: TemporalLink, chain: Sequence[TemporalLink]) -> bool:
    """Whether a chain leads from the source of a relation to its target, or there and back, each relation from where the last one led."""
    place, places = asked.source, [asked.source]
    for source, target, _ in chain:
        if place not in (source, target):
            return False
        place = target if place == source else source
        places.append(place)
    return asked.target in places and place in (asked.source, asked.target)


def named(asked: TemporalLink) -> Said:
    """The constraints that the type itself names: the others between the ends follow."""
    points = [(str(name), end) for name in asked[:2] for end in (0, 1)]
    return [(sign, points[a], points[b]) for sign, a, b in CONSTRAINTS[asked.type]]


@given(true_links(), st.randoms(use_true_random=False))
def test_without_contradiction_order_does_not_change_the_closure(links: Links, chance: Random) -> None:
    one, other = TemporalGraph(links), TemporalGraph(chance.sample(links, len(links)))
    smaller = TemporalGraph(one.canonical)
    assert one.violated == ()
    for source, target, name in product(NAMES, NAMES, HOLDS):
        asked = TemporalLink(source, target, name)
        assert one.entails(asked) == other.entails(asked) == smaller.entails(asked)


@given(LISTS)
def test_a_list_states_and_entails_itself(links: Links) -> None:
    graph = TemporalGraph(links)
    assert all(map(graph.states, links))
    assert all(map(graph.entails, sound(links)))


NUMBER = 10_000


@pytest.mark.parametrize("name", ["INCLUDES", "SIMULTANEOUS"])
def test_long_chains_end_in_seconds(name: str) -> None:
    links = [TemporalLink(rank, rank + 1, name) for rank in range(NUMBER)]
    graph = TemporalGraph(links)
    assert graph.canonical == tuple(links)
    assert graph.entails(TemporalLink(0, NUMBER, name))
    near = FARTHEST // 2 - 1
    assert graph.explain(TemporalLink(0, near, name)) == tuple(range(near))
    assert graph.contradiction(TemporalLink(near, 0, "BEFORE")) == tuple(range(near))[::-1]
    for far in (FARTHEST + 1, NUMBER):  # nobody reads such a chain, and a thousand of them take long
        assert graph.explain(TemporalLink(0, far, name)) == ()
        assert graph.contradiction(TemporalLink(far, 0, "BEFORE")) == ()


def test_a_long_chain_with_a_contradiction_ends_in_seconds() -> None:
    links = [TemporalLink(rank, rank + 1, "BEFORE") for rank in range(NUMBER)]
    graph = TemporalGraph([*links, TemporalLink(NUMBER, 0, "BEFORE")])
    assert graph.violated == (TemporalLink(NUMBER, 0, "BEFORE"),)
    assert graph.entails(TemporalLink(0, NUMBER, "BEFORE"))
