from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.temporal import CONSTRAINTS, INVERSES
from pytest_nlpeval.tasks.cat.nwr2014.matching import match_nwr2014
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import FileGraph, IntervalLink, Lines, inverse_of
from pytest_nlpeval.tasks.cat.xml.document import Document
from tests.unit.tasks.cat.nwr2014.reference import Graph, tempeval
from tests.unit.tasks.cat.nwr2014_documents import config, document, links
from tests.work import calls_of

CONFIG = config("EVENT markable 0", "TLINK one2one directional relType")
INSTANCES = config(
    "EVENT markable 0", "TIMEX3 markable 0 type", "TIMEX3 instance comparable type", "TLINK one2one directional relType"
)
EVENTS = [f"{number} EVENT {number}" for number in range(1, 10)]


def tlinks(*written: str) -> list[str]:
    """Relations of a document from `X TYPE Y`."""
    return [f"TLINK {source}>{target} relType={kind}" for source, kind, target in (text.split(" ") for text in written)]


def scored(gold: list[str], system: list[str], marks: tuple[list[str], list[str]] = (EVENTS, EVENTS)) -> tuple[int, int, int]:
    """Hits, reduced gold and reduced system relations of a document."""
    found = match_nwr2014(document(marks[0], gold), document(marks[1], system), INSTANCES, None).tempeval
    assert found is not None
    assert len(found.missed) == found.gold - found.hits
    return found.hits, found.gold, found.system


def reduced(*written: str) -> list[str]:
    """What stays of links in the reduced list, as `X TYPE Y`."""
    return [f"{link.source} {link.type} {link.target}" for link in FileGraph(links(*written)).reduced]


def follows(question: str, *written: str) -> bool:
    return FileGraph(links(*written)).entails(links(question)[0])


# Building the graph in file order


def test_what_the_earlier_ones_entail_is_redundant() -> None:
    assert reduced("a BEFORE b", "b BEFORE c", "a BEFORE c", "c AFTER a") == ["a BEFORE b", "b BEFORE c"]
    assert reduced("a BEFORE c", "a BEFORE b", "b BEFORE c") == ["a BEFORE c", "a BEFORE b", "b BEFORE c"]


def test_what_contradicts_adds_nothing_but_stays() -> None:
    written = ("a BEFORE b", "b BEFORE a", "b BEFORE c", "c IBEFORE a", "a BEFORE c")
    assert reduced(*written) == list(written[:4])
    assert not follows("b BEFORE a", *written)


def test_violated_links_make_no_interval_known() -> None:
    graph = FileGraph(links("a BEFORE b", "a CONTAINS c"))
    assert [graph.entails(IntervalLink(name, name, "SIMULTANEOUS")) for name in "abc"] == [True, True, False]


def test_types_are_read_in_any_case() -> None:
    assert reduced("a before b", "b After a") == ["a before b"]
    assert reduced("a identity b", "a SIMULTANEOUS b") == ["a identity b"]


# The peculiarities of point 7


def test_a_link_of_unknown_type_collapses_two_new_intervals() -> None:
    written = ("a CONTAINS b", "a IBEFORE b", "a SIMULTANEOUS b", "a BEFORE c", "b BEFORE c")
    assert reduced(*written) == ["a CONTAINS b", "a BEFORE c"]  # all points of a and b are one


def test_it_collapses_none_if_one_is_known() -> None:
    assert reduced("a BEFORE b", "b CONTAINS c", "b SIMULTANEOUS c") == ["a BEFORE b", "b CONTAINS c", "b SIMULTANEOUS c"]
    assert not follows("b IBEFORE c", "a BEFORE b", "b CONTAINS c", "b SIMULTANEOUS c")


INTO = {"SIMULTANEOUS", "IDENTITY", "BEGINS", "ENDS", "IS_INCLUDED"}
"""The types by which a new interval is collapsed into a collapsed one."""


@pytest.mark.parametrize("kind", sorted(set(CONSTRAINTS) - {"DURING", "DURING_INV"}))
def test_a_new_interval_is_collapsed_into_a_collapsed_one(kind: str) -> None:
    for link in (f"n {kind} a", f"a {INVERSES[kind]} n"):  # the same, read from n
        assert reduced("a CONTAINS b", link) == ["a CONTAINS b", link]
        assert follows("n IBEFORE n", "a CONTAINS b", link) == (kind in INTO)
        assert follows("n SIMULTANEOUS b", "a CONTAINS b", link) == (kind in INTO)
        assert follows(f"n {kind} a", "a CONTAINS b", link) == (kind not in INTO or kind in {"SIMULTANEOUS", "IDENTITY"})


def test_a_new_interval_is_never_checked() -> None:
    written = ("a CONTAINS b", "n INCLUDES a", "a BEGUN_BY m", "m BEFORE n")
    assert reduced(*written) == list(written)
    assert follows("n INCLUDES m", *written)  # m is collapsed into a
    assert not follows("m BEFORE n", *written)


def test_begins_between_known_intervals_is_violated_and_never_follows() -> None:
    written = ("a BEGINS b", "b BEGUN_BY a", "a BEGINS b", "b BEGUN_BY c", "a BEGINS c")
    assert reduced(*written) == ["a BEGINS b", *written[2:]]
    assert not follows("a BEGINS b", "a BEGINS b")
    assert follows("b BEGUN_BY a", "a BEGINS b")
    assert not follows("a BEGUN_BY b", "a BEFORE c", "b BEFORE c", "b BEGINS a")  # it adds nothing


def test_each_constraint_is_looked_up_alone() -> None:
    before = ("n BEFORE m", "a CONTAINS b")
    for kind in ("SIMULTANEOUS", "ENDS", "IS_INCLUDED"):  # n1 < n2, and both in the point a
        written = (*before, f"n {kind} a")
        assert reduced(*written) == list(written)
        assert reduced(*written, f"n {kind} a") == list(written)  # it follows now
        assert follows(f"n {kind} a", *written)
    assert follows("n BEFORE n2", *before, "n IS_INCLUDED a", "a BEFORE n2")


def test_an_interval_that_a_contradiction_has_made_one_point_is_collapsed() -> None:
    written = ("n BEFORE m", "a CONTAINS b", "n SIMULTANEOUS a", "c BEGINS n")
    assert reduced(*written) == list(written)
    assert follows("n IBEFORE n", *written)
    assert follows("c SIMULTANEOUS b", *written)


def test_on_a_circle_before_and_after_follow() -> None:
    written = ("n BEFORE m", "a CONTAINS b", "n IS_INCLUDED a", "a BEFORE p")  # a < n1 < n2 < a
    assert follows("n IS_INCLUDED a", *written)
    assert follows("n INCLUDES a", *written)
    assert follows("n BEFORE a", *written)
    assert follows("n AFTER a", *written)
    assert not follows("n BEFORE n", *written)
    assert not follows("n SIMULTANEOUS a", *written)


def test_an_interval_and_itself() -> None:
    assert reduced("a SIMULTANEOUS a", "a SIMULTANEOUS a", "a BEFORE a") == ["a SIMULTANEOUS a", "a BEFORE a"]
    assert reduced("a BEFORE a", "a SIMULTANEOUS a") == ["a BEFORE a"]
    assert reduced("a BEFORE a", "b SIMULTANEOUS a") == ["a BEFORE a", "b SIMULTANEOUS a"]
    assert not follows("a IBEFORE b", "a BEFORE a", "b SIMULTANEOUS a")  # a has two ends
    assert follows("a IBEFORE b", "a CONTAINS a", "b SIMULTANEOUS a")  # collapsed
    assert reduced("a BEFORE b", "a CONTAINS a") == ["a BEFORE b", "a CONTAINS a"]


ITSELF = {"SIMULTANEOUS", "IDENTITY", "DURING", "DURING_INV"}
"""The types that hold of an interval and itself."""


@pytest.mark.parametrize("kind", [*sorted(CONSTRAINTS), "CONTAINS"])
def test_of_an_interval_and_itself_only_equality_follows(kind: str) -> None:
    question = f"a {kind} a"
    assert follows(question, "a BEFORE b") == follows(question, "a BEFORE a") == (kind in ITSELF)
    assert follows(question, "a CONTAINS b") == (kind in ITSELF | {"IBEFORE", "IAFTER"})  # a is collapsed
    assert not follows(question, "b BEFORE c")


def test_a_relation_to_itself_is_not_matched_by_another_relation() -> None:
    assert scored(tlinks("1 BEFORE 1"), tlinks("1 BEFORE 2")) == (0, 1, 1)
    assert scored(tlinks("1 SIMULTANEOUS 1"), tlinks("1 BEFORE 2")) == (1, 1, 1)
    assert scored(tlinks("1 BEFORE 1"), tlinks("1 BEFORE 1")) == (1, 1, 1)  # literally
    assert scored(tlinks("1 BEFORE 1"), tlinks("1 AFTER 1")) == (0, 1, 1)  # a relation to itself has no inverse


# The same, against a literal oracle: closure by brute force after every link


KINDS = st.sampled_from(sorted({*CONSTRAINTS, "CONTAINS"} - {"DURING", "DURING_INV", "IDENTITY"}))
COLLAPSING_KINDS = st.sampled_from(["CONTAINS", "CONTAINS", "SIMULTANEOUS", "ENDS", "ENDED_BY", "IS_INCLUDED"])
FEW_KINDS = st.sampled_from(["BEFORE", "SIMULTANEOUS", "INCLUDES", "BEGINS", "CONTAINS"])
NAMES = st.sampled_from("abcd")
LINKS = st.lists(st.builds(IntervalLink, NAMES, NAMES, KINDS | FEW_KINDS), max_size=9)
COLLAPSING_LINKS = st.lists(st.builds(IntervalLink, NAMES, NAMES, COLLAPSING_KINDS | KINDS), max_size=9)


@settings(max_examples=200)
@given(LINKS | COLLAPSING_LINKS)
def test_the_graph_is_that_of_the_literal_rules(written: list[IntervalLink]) -> None:
    graph, oracle = FileGraph(written), Graph(written)
    assert graph.reduced == oracle.reduced
    for link in (
        IntervalLink(*parts)
        for parts in product("abc", "abcd", ("BEFORE", "IBEFORE", "BEGINS", "INCLUDES", "ENDED_BY", "SIMULTANEOUS", "X"))
    ):
        assert graph.entails(link) == oracle.entails(link), link


# Documents, against the whole row word by word

TYPES_OF_TLINKS = [*sorted(CONSTRAINTS), "CONTAINS", "BEGINS_ON", "BEFORE", "SIMULTANEOUS", ""]
"""All types, unknown ones, one that begins like another, and none."""


@st.composite
def sides(draw: st.DrawFn) -> tuple[Document, Document]:
    """Two documents with ids that end in each other, ends without partner, equal instances, and many TLINKs of a markable to itself."""
    chance = Random(draw(st.integers(0, 2**32)))
    names = chance.choice([("1", "2", "11", "12", "21"), ("3", "4", "5"), ("1", "2", "3", "201", "203")])
    return _side(chance, names), _side(chance, names)


def _side(chance: Random, names: tuple[str, ...]) -> Document:
    kept = [name for name in names if chance.random() < 0.9] or list(names)
    marks = [
        f"{name} TIMEX3 - type={chance.choice('dDT')}"
        if chance.random() < 0.2
        else f"{name} EVENT {chance.choice((rank, rank, 1))}"
        for rank, name in enumerate(kept, 1)
    ]
    written: list[str] = []
    for _ in range(chance.randrange(7)):
        source = chance.choice(kept)
        target = source if chance.random() < 0.4 else chance.choice(kept)
        more = f",{chance.choice(kept)}" if chance.random() < 0.1 else ""
        written.append(f"TLINK {source}{more}>{target} relType={chance.choice(TYPES_OF_TLINKS)}")
    return document(marks, written)


@settings(max_examples=300)
@given(sides())
def test_documents_have_the_counts_of_the_literal_rules(pair: tuple[Document, Document]) -> None:
    found = match_nwr2014(*pair, INSTANCES, None).tempeval
    assert found is not None
    assert (found.hits, found.gold, found.system) == tempeval(*pair)


# Literal matches


def test_a_link_occurs_in_lines_that_end_and_begin_alike() -> None:
    lines = Lines(links("12 BEFORE 3", "4 BEGINS_ON 5"), {"BEFORE", "AFTER", "BEGINS", "BEGINS_ON", "B", "ON"})
    inside = links("12 BEFORE 3", "2 BEFORE 3", "3 AFTER 12", "2 B 3", "4 BEGINS 5", "4 BEGINS_ON 5", "5 BEGINS_ON 4", "5 B 4")
    outside = links("1 BEFORE 3", "12 BEFORE 33", "3 AFTER 2", "12 AFTER 3", "4 ON 5", "14 BEGINS 5", "12 BEFORE 1")
    assert [link in lines for link in inside] == [True] * len(inside)
    assert [link in lines for link in outside] == [False] * len(outside)


def test_inverses_of_during_and_of_unknown_types() -> None:
    types = ("BEFORE", "before", "DURING", "DURING_INV", "SIMULTANEOUS", "IDENTITY", "CONTAINS")
    assert [inverse_of(name) for name in types] == [
        "AFTER",
        "AFTER",
        "DURING_INV",
        "DURING_INV",
        "SIMULTANEOUS",
        "IDENTITY",
        "CONTAINS",
    ]


IDS = st.text("12", min_size=1, max_size=3)
TYPES = st.sampled_from(["BEFORE", "BEFORE_OVERLAP", "AFTER", "B", "BE", "DURING", "DURING_INV", "X"])
WRITTEN = st.lists(st.builds(IntervalLink, IDS, IDS, TYPES), max_size=6)


@given(WRITTEN, WRITTEN)
def test_it_is_the_search_for_a_substring(written: list[IntervalLink], asked: list[IntervalLink]) -> None:
    backwards = [IntervalLink(link.target, link.source, inverse_of(link.type)) for link in written if link.source != link.target]
    text = "\n".join("\t".join(("file.xml", *link)) for link in (*written, *backwards))
    lines = Lines(written, {link.type for link in asked})
    for link in asked:
        assert (link in lines) == ("\t".join(link) in text)


# Of documents


def test_hits_are_reduced_gold_relations_that_the_system_entails() -> None:
    gold = tlinks("1 BEFORE 3", "1 BEFORE 2", "2 BEFORE 3", "4 BEFORE 5")
    system = tlinks("1 BEFORE 2", "2 BEFORE 3", "1 BEFORE 3", "5 BEFORE 6")
    assert scored(gold, system) == (3, 4, 3)
    assert scored(system, gold) == (2, 3, 4)  # 1 2 and 2 3


def test_missed_are_the_relations_themselves() -> None:
    gold, system = document(EVENTS, tlinks("1 BEFORE 2", "2 BEFORE 3")), document(EVENTS, tlinks("1 BEFORE 2"))
    found = match_nwr2014(gold, system, CONFIG, None).tempeval
    assert found is not None
    assert [relation for _, relation in found.missed] == [gold.relations[1]]


@pytest.mark.parametrize(
    ("missed", "system", "instead"),
    [
        ("1 BEFORE 3", ["1 AFTER 3"], "AFTER"),
        ("1 BEFORE 3", ["3 BEFORE 1"], "AFTER"),  # as read from the other end
        ("1 BEFORE 3", ["3 BEFORE 2", "2 BEFORE 1"], "AFTER"),  # as the graph entails
        ("1 BEFORE 3", ["1 INCLUDES 3", "1 CONTAINS 3"], "INCLUDES"),  # the first one in the file
        ("1 BEFORE 3", ["1 CONTAINS 3"], "CONTAINS"),  # an unknown type
        ("1 BEFORE 3", ["1 BEFORE 2"], ""),
        ("1 BEFORE 3", [], ""),
        ("1 BEGINS 3", ["1 AFTER 2", "1 begins 3"], "begins"),  # lines are compared with their case
        ("1 DURING 2", ["1 BEFORE 2", "1 DURING 2"], "BEFORE"),  # the later one is violated
    ],
)
def test_what_the_system_has_instead(missed: str, system: list[str], instead: str) -> None:
    found = match_nwr2014(document(EVENTS, tlinks(missed)), document(EVENTS, tlinks(*system)), CONFIG, None).tempeval
    assert found is not None
    assert [found.said.instead(link) for link, _ in found.missed] == [instead]


def test_literal_matches_need_no_graph() -> None:
    assert scored(tlinks("1 CONTAINS 2"), tlinks("1 CONTAINS 2")) == (1, 1, 1)
    assert scored(tlinks("1 CONTAINS 2"), tlinks("2 CONTAINS 1")) == (1, 1, 1)  # its own inverse
    assert scored(tlinks("1 BEGINS 2"), tlinks("2 AFTER 1", "1 BEGINS_ON 2")) == (1, 1, 2)
    assert scored(tlinks("1 CONTAINS 1"), tlinks("1 BEFORE 2")) == (0, 1, 1)


def test_an_id_matches_another_that_ends_in_it() -> None:
    marks = ["1 EVENT 1", "21 EVENT 2", "3 EVENT 3"]
    assert scored(tlinks("1 CONTAINS 3"), tlinks("21 CONTAINS 3"), (marks, marks)) == (1, 1, 1)
    assert scored(tlinks("21 CONTAINS 3"), tlinks("1 CONTAINS 3"), (marks, marks)) == (0, 1, 1)


def test_during_is_simultaneous_in_the_graph_and_as_written_in_the_lines() -> None:
    assert scored(tlinks("1 DURING 2"), tlinks("1 SIMULTANEOUS 2")) == (1, 1, 1)
    assert scored(tlinks("1 DURING 2", "1 SIMULTANEOUS 2", "1 DURING_INV 2"), []) == (0, 1, 0)  # the first (1, 2) stays
    contradictory = tlinks("1 BEFORE 2", "2 DURING 1")
    assert scored(tlinks("2 DURING 1"), contradictory) == (0, 1, 2)  # SIMULTANEOUS stands in no line
    assert scored(tlinks("2 SIMULTANEOUS 1"), tlinks("1 BEFORE 2", "2 SIMULTANEOUS 1")) == (1, 1, 2)


def test_empty_types_and_identity_are_left_out() -> None:
    gold = [*tlinks("1 IDENTITY 2", "2  3"), "TLINK 3>4"]
    assert scored(gold, gold) == (0, 0, 0)


def test_repeats_between_the_same_gold_ids_are_skipped() -> None:
    marks = ["1 EVENT 1", "2 EVENT 2"], ["1 EVENT 1", "2 EVENT 2"]
    system = [*tlinks("1 CONTAINS 2", "2 CONTAINS 1"), "TLINK 1,2>2 relType=CONTAINS"]
    assert scored([], system, marks) == (0, 0, 2)  # the third again is (1, 2, CONTAINS)


def test_a_type_with_which_an_earlier_one_begins_is_skipped() -> None:
    ends = ["TLINK 1>2", "TLINK 1,3>2", "TLINK 1,4>2"]  # the same first ends
    for kinds, number in {
        ("BEFORE_X", "BEFORE"): 1,
        ("BEFORE", "BEFORE_X"): 2,
        ("XYZ", "XY", "X"): 1,  # XY was skipped, XYZ was not
        ("X", "XYZ", "XY"): 2,
        ("AX", "X"): 2,
        ("SIMULTANEOUS_X", "DURING"): 1,  # DURING is SIMULTANEOUS by then
    }.items():
        written = [f"{text} relType={kind}" for text, kind in zip(ends, kinds, strict=False)]
        assert scored(written, []) == (0, number, 0)
        assert scored([], written) == (0, 0, number)
    assert scored(["TLINK 1>2 relType=BEFORE_X", "TLINK 2,3>1 relType=BEFORE"], []) == (0, 2, 0)  # of other ends


def test_a_skipped_link_stands_in_the_lines() -> None:
    system = ["TLINK 1>2 relType=BEFORE_X", "TLINK 1,3>2 relType=BEFORE"]
    assert scored(tlinks("2 AFTER 1"), system) == (1, 1, 1)


def test_of_several_ends_the_first_are_taken() -> None:
    assert scored(["TLINK 1,2>3,4 relType=BEFORE"], tlinks("1 BEFORE 3")) == (1, 1, 1)
    assert scored(["TLINK 1,2>3,4 relType=BEFORE"], tlinks("2 BEFORE 4")) == (0, 1, 1)


def test_links_between_timex3_are_not_removed() -> None:
    marks = ["1 TIMEX3 1", "2 TIMEX3 2"]
    assert scored(tlinks("1 BEFORE 2"), tlinks("1 BEFORE 2"), (marks, marks)) == (1, 1, 1)


def test_system_ends_become_gold_ids() -> None:
    gold, system = ["1 EVENT 1", "2 EVENT 2"], ["7 EVENT 1", "8 EVENT 2"]
    assert scored(tlinks("1 CONTAINS 2"), tlinks("7 CONTAINS 8"), (gold, system)) == (1, 1, 1)


def test_of_several_gold_partners_a_system_end_becomes_the_last() -> None:
    gold, system = ["1 EVENT 1", "2 EVENT 1", "3 EVENT 2"], ["7 EVENT 1", "8 EVENT 1", "9 EVENT 2"]
    assert scored(tlinks("2 CONTAINS 3"), tlinks("7 CONTAINS 9"), (gold, system)) == (1, 1, 1)
    assert scored(tlinks("1 CONTAINS 3"), tlinks("7 CONTAINS 9"), (gold, system)) == (0, 1, 1)
    assert scored(tlinks("2 CONTAINS 3"), tlinks("8 CONTAINS 9"), (gold, system)) == (0, 1, 1)  # 8 is no partner


def test_ends_without_partner_are_one_per_side() -> None:
    gold, system = ["1 EVENT 1", "2 EVENT 2", "3 EVENT 3"], ["1 EVENT 1", "6 EVENT 6", "7 EVENT 7"]
    written = tlinks("1 BEFORE 2", "1 BEFORE 3", "2 CONTAINS 3")
    assert scored(written, tlinks("1 BEFORE 6", "7 CONTAINS 6"), (gold, system)) == (0, 2, 2)  # 1 8, 8 8; 1 208, 208 208


def test_the_shared_fake_id_may_be_a_real_one() -> None:
    """The highest EVENT or TIMEX3 is 4, so gold's fake is 5, which is a role's id, and the system's is 205."""
    configuration = config("ROLE markable 0", "TLINK one2one directional relType")
    gold = document(["4 EVENT 1", "5 ROLE 2", "6 ROLE 3"], tlinks("6 CONTAINS 4"))
    system = document(["5 ROLE 2", "6 ROLE 3"], tlinks("6 CONTAINS 5"))
    found = match_nwr2014(gold, system, configuration, None).counts
    assert [found[f"TLINK.tempeval.{name}"] for name in ("tp", "gold", "system")] == [1, 1, 1]


@pytest.mark.parametrize(("gold_end", "hits"), [("209", 1), ("9", 0)])
def test_the_system_s_fake_is_200_higher(gold_end: str, hits: int) -> None:
    configuration = config("ROLE markable 0", "TLINK one2one directional relType")
    gold = document(["1 ROLE 1", f"{gold_end} ROLE 2"], tlinks(f"1 CONTAINS {gold_end}"))
    system = document(["1 ROLE 1", "2 ROLE 2", "8 EVENT 3"], tlinks("1 CONTAINS 8"))
    assert match_nwr2014(gold, system, configuration, None).counts["TLINK.tempeval.tp"] == hits


def test_relations_of_instances_are_multiplied_and_taken_off_again() -> None:
    gold = ["1 TIMEX3 - type=D", "2 TIMEX3 - type=D", "3 EVENT 1"]
    system = ["7 TIMEX3 - type=D", "8 TIMEX3 - type=T", "9 EVENT 1"]
    twice = tlinks("1 BEFORE 3", "2 BEFORE 3")
    assert scored(twice, tlinks("7 BEFORE 9"), (gold, system)) == (2, 2, 2 - 1)
    assert scored(twice, tlinks("8 BEFORE 9"), (gold, system)) == (0, 2, 1)
    assert scored([], tlinks("7 SIMULTANEOUS 7"), (gold, system)) == (0, 0, 2 - 3)  # (1, 1), (1, 2); (2, 1) and (2, 2) follow


def test_so_the_system_s_number_may_be_negative() -> None:
    gold = ["1 TIMEX3 -", "2 TIMEX3 -"]
    system = ["7 TIMEX3 -", "8 TIMEX3 -"]
    written = tlinks("7 SIMULTANEOUS 8", "8 SIMULTANEOUS 7", "7 SIMULTANEOUS 7", "8 SIMULTANEOUS 8")
    assert scored([], written, (gold, system)) == (0, 0, 2 - 4 * 3)


@pytest.mark.parametrize(("gold", "system"), [((), ("1 BEFORE 2",)), (("1 BEFORE 2",), ()), ((), ())])
def test_a_side_without_relations_hits_nothing(gold: tuple[str, ...], system: tuple[str, ...]) -> None:
    assert scored(tlinks(*gold), tlinks(*system)) == (0, len(gold), len(system))


# Work


def true_side(events: int) -> Document:
    """A document of many relations that can all hold."""
    chance, ids = Random(5), range(1, events + 1)
    places = {number: (start := chance.randrange(1000), start + chance.randrange(1, 50)) for number in ids}
    written: list[str] = []
    while len(written) < 5 * events // 3:
        one, other = chance.sample(ids, 2)
        if places[one][1] < places[other][0]:
            written.append(f"{one} BEFORE {other}")
    return document([f"{number} EVENT {number}" for number in ids], tlinks(*written), ids=tuple(map(str, ids)))


def test_twice_the_relations_are_twice_the_work() -> None:
    few, many = true_side(750), true_side(1500)
    assert calls_of(lambda: match_nwr2014(many, many, CONFIG, None)) < 2.5 * calls_of(
        lambda: match_nwr2014(few, few, CONFIG, None)
    )
    found = match_nwr2014(many, many, CONFIG, None).tempeval
    assert found is not None
    assert found.hits == found.gold == found.system
