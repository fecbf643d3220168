from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.unit.tasks.cat.judging import Judged, judge
from tests.unit.tasks.cat.nwr2014_documents import config, document
from tests.work import calls_of

EVENTS = [f"{name} EVENT {rank}" for rank, name in enumerate("abcdef", 1)]
SHIFTED = [f"{name} EVENT {rank}" for rank, name in enumerate("uvwxyz", 1)]
"""The same extents under other ids: u is a, and so on."""

CONFIG = config(
    "EVENT markable 0 class",
    "TIMEX3 markable 0 type",
    "TIMEX3 instance comparable type",
    "PLACE markable 0 type",
    "PLACE instance non-comparable type",
    "PLOT one2one directional relType",
    "LOOSE one2one undirectional relType",
    "REFERS many2one directional type",
)


def linked(gold: list[str], system: list[str], marks: tuple[list[str], list[str]] = (EVENTS, SHIFTED)) -> Judged:
    return judge(CONFIG, document(marks[0], gold), document(marks[1], system))


def tlinks(
    gold: list[str],
    system: list[str],
    marks: tuple[list[str], list[str]] = (EVENTS, EVENTS),
    line: str = "TLINK one2one directional relType",
) -> Judged:
    """Judge TLINKs written as `X TYPE Y`, or `X  Y` without type."""
    sides = [
        [f"TLINK {one}>{other} relType={kind}" for one, kind, other in (text.split(" ") for text in side)]
        for side in (gold, system)
    ]
    configuration = config("EVENT markable 0", "TIMEX3 markable 0 type", "TIMEX3 instance comparable type", line)
    return judge(configuration, document(marks[0], sides[0]), document(marks[1], sides[1]))


def awareness(
    gold: list[str], system: list[str], marks: tuple[list[str], list[str]] = (EVENTS, EVENTS)
) -> tuple[tuple[int, int], tuple[int, int]]:
    """(entailed, reduced) of gold, then of the system."""
    return tlinks(gold, system, marks).sides("TLINK.tempeval")


# Markables


def test_markables_by_hand() -> None:
    gold = ["a EVENT 1,3 class=X", "b EVENT 4", "c EVENT 4 class=Y", "d EVENT 7,8", "e EVENT 9"]
    system = ["u EVENT 3,1 class=x", "v EVENT 4 class=Z", "w EVENT 8", "x EVENT 12"]
    found = judge(CONFIG, document(gold), document(system))
    assert found.row("EVENT.strict") == (2, 5, 4)  # a-u, b-v
    assert found.row("EVENT.relaxed") == (3, 5, 4)  # and d-w
    assert found.counts["EVENT.strict.attribute.class"] == 1  # a-u
    assert found.counts["EVENT.relaxed.attribute.class"] == 2  # and d-w, where there is none on either side
    assert found.row("TIMEX3.strict") == (0, 0, 0)


def test_instances_count_under_their_markable_name_in_both_rows() -> None:
    gold = ["a TIMEX3 - type=DATE", "b TIMEX3 - type=TIME", "c TIMEX3 1,2 type=DATE"]
    system = ["x TIMEX3 - type=date", "y TIMEX3 2 type=SET"]
    found = judge(CONFIG, document(gold), document(system))
    assert found.row("TIMEX3.strict") == (1, 3, 2)
    assert found.row("TIMEX3.relaxed") == (2, 3, 2)
    assert found.counts["TIMEX3.strict.attribute.type"] == found.counts["TIMEX3.relaxed.attribute.type"] == 1


def test_non_comparable_instances_and_empty_markables_are_left_out_on_both_sides() -> None:
    gold = ["a PLACE - type=X", "b PLACE 1", "c EVENT -"]
    system = ["x PLACE - type=X", "y PLACE - type=Y", "z EVENT -"]
    found = judge(CONFIG, document(gold), document(system))
    assert found.row("PLACE.strict") == found.row("PLACE.relaxed") == (0, 1, 0)
    assert found.row("EVENT.strict") == (0, 0, 0)
    assert found.said == ([("cat.incomparable", "")], [("cat.incomparable", "")])


def test_an_instance_without_markable_line_is_no_row_but_an_end() -> None:
    configuration = config("EVENT markable 0", "TIMEX3 instance comparable type", "PLOT one2one directional")
    marks = ["a EVENT 1", "t TIMEX3 - type=X"]
    found = judge(configuration, document(marks, ["PLOT a>t"]), document(marks, ["PLOT a>t"]))
    assert found.row("PLOT.strict") == (1, 1, 1)
    assert not [column for column in found.counts if column.startswith("TIMEX3")]


# Relations one2one


def test_both_ends_must_match_in_their_roles() -> None:
    found = linked(["PLOT a>b", "PLOT b>c", "PLOT c>d"], ["PLOT u>v", "PLOT w>v", "PLOT w>y", "PLOT z>x"])
    assert found.row("PLOT.strict") == (1, 3, 4)
    assert found.row("LOOSE.strict") == (0, 0, 0)


def test_an_end_may_be_a_markable_that_is_not_scored() -> None:
    marks = ["a EVENT 1", "r ROLE 2,4"], ["u EVENT 1", "s ROLE 4,2"]
    assert linked(["PLOT a>r"], ["PLOT u>s"], marks).row("PLOT.strict") == (1, 1, 1)
    assert linked(["PLOT a>r"], ["PLOT u>s"], (marks[0], ["u EVENT 1", "s OTHER 4,2"])).row("PLOT.relaxed") == (0, 1, 1)


def test_relaxed_ends_may_overlap() -> None:
    marks = ["a EVENT 1,2", "b EVENT 3", "c EVENT 4,5"], ["u EVENT 2", "v EVENT 3", "w EVENT 4,5,6"]
    found = linked(["PLOT a>b", "PLOT b>c", "PLOT a>c"], ["PLOT u>v", "PLOT v>w", "PLOT w>u"], marks)
    assert found.row("PLOT.strict") == (0, 3, 3)
    assert found.row("PLOT.relaxed") == (2, 3, 3)


def test_an_end_is_matched_by_its_partner_only() -> None:
    marks = ["a EVENT 1", "b EVENT 1", "c EVENT 2"], ["u EVENT 1", "v EVENT 1", "w EVENT 2"]
    assert linked(["PLOT a>c"], ["PLOT v>w"], marks).row("PLOT.relaxed") == (0, 1, 1)
    assert linked(["PLOT a>c", "PLOT b>c"], ["PLOT u>w"], marks).row("PLOT.relaxed") == (1, 2, 1)


@pytest.mark.parametrize(("gold", "system", "tp"), [
    ("relType=CAUSE", "relType=cause", 1),
    ("relType=CAUSE", "RELTYPE=Cause", 1),
    ("relType=CAUSE", "relType=ENABLE", 0),
    ("relType=CAUSE", "", 0),
    ("relType=", "", 1),
    ("relType=CAUSE note=1", "relType=CAUSE note=2", 1),
    ("relType=BEFORE", "relType=AFTER", 0),
])  # fmt: skip
def test_all_attributes_of_the_line_must_agree(gold: str, system: str, tp: int) -> None:
    for name, ends in (("PLOT", "u>v"), ("LOOSE", "u>v"), ("LOOSE", "v>u"), ("REFERS", "u>v")):
        texts = [
            text.replace("relType", "type").replace("RELTYPE", "TYPE") if name == "REFERS" else text for text in (gold, system)
        ]
        found = linked([f"{name} a>b {texts[0]}".strip()], [f"{name} {ends} {texts[1]}".strip()])
        assert found.row(f"{name}.strict") == found.row(f"{name}.relaxed") == (tp, 1, 1)


def test_a_line_without_attributes_compares_none() -> None:
    configuration = config("EVENT markable 0", "PLOT one2one directional")
    gold, system = document(EVENTS, ["PLOT a>b relType=X"]), document(EVENTS, ["PLOT a>b relType=Y", "PLOT a>b"])
    found = judge(configuration, gold, system)
    assert found.row("PLOT.strict") == (1, 1, 1)
    assert found.said == ([], [("cat.duplicate", "PLOT r1")])


def test_undirectional_relations_also_match_swapped() -> None:
    found = linked(["LOOSE a>b", "LOOSE b>c", "LOOSE c>d"], ["LOOSE v>u", "LOOSE v>w", "LOOSE v>u", "LOOSE x>y"])
    assert found.row("LOOSE.strict") == (2, 3, 3)
    assert found.said == ([], [("cat.duplicate", "LOOSE r2")])


@pytest.mark.parametrize(("gold", "system", "tp"), [
    ("BEFORE", "AFTER", 1),
    ("before", "After", 1),
    ("BEFORE", "BEFORE", 0),
    ("IBEFORE", "IAFTER", 1),
    ("BEGINS", "BEGUN_BY", 1),
    ("ENDS", "ENDED_BY", 1),
    ("INCLUDES", "IS_INCLUDED", 1),
    ("DURING", "DURING_INV", 1),
    ("DURING_INV", "DURING_INV", 0),
    ("SIMULTANEOUS", "SIMULTANEOUS", 1),
    ("IDENTITY", "IDENTITY", 1),
    ("IDENTITY", "SIMULTANEOUS", 0),
    ("CONTAINS", "CONTAINS", 0),
    ("", "", 0),
])  # fmt: skip
def test_a_swapped_tlink_needs_the_inverse_type(gold: str, system: str, tp: int) -> None:
    found = tlinks([f"a {gold} b"], [f"b {system} a"], line="TLINK one2one undirectional relType")
    assert found.row("TLINK.strict") == (tp, 1, 1)
    assert tlinks([f"a {gold} b"], [f"b {system} a"]).row("TLINK.strict") == (0, 1, 1)


@pytest.mark.parametrize("kind", ["BEFORE", "CONTAINS", "", "IDENTITY"])
def test_a_tlink_that_is_the_same_matches(kind: str) -> None:
    for specificity in ("directional", "undirectional"):
        found = tlinks([f"a {kind} b"], [f"a {kind.lower()} b"], line=f"TLINK one2one {specificity} relType")
        assert found.row("TLINK.strict") == (1, 1, 1)


def test_simultaneous_and_identity_differ_in_the_strict_row() -> None:
    found = tlinks(["a IDENTITY b"], ["a SIMULTANEOUS b"])
    assert found.row("TLINK.strict") == (0, 1, 1)
    assert found.row("TLINK.tempeval") == (1, 1, 1)


def test_relations_of_other_numbers_of_ends_are_not_scored() -> None:
    found = linked(["PLOT a>b", "PLOT a,b>c", "PLOT a>"], ["PLOT u>v", "PLOT u>v,w"])
    assert found.row("PLOT.strict") == (1, 1, 1)
    assert found.said == ([("cat.arity", "PLOT r1"), ("cat.arity", "PLOT r2")], [("cat.arity", "PLOT r1")])


def test_relations_that_end_on_an_empty_markable_are_left_out_on_both_sides() -> None:
    marks = [*EVENTS, "p ENTITY - type=X", "t TIMEX3 - type=DATE"]
    found = linked(["PLOT a>b", "PLOT a>p", "PLOT a>t"], ["PLOT a>p", "PLOT p>b", "PLOT a>t"], (marks, marks))
    assert found.row("PLOT.strict") == (1, 2, 1)
    assert found.said == ([("cat.unidentifiable-end", "PLOT r1")], [("cat.unidentifiable-end", "PLOT r0")])


def test_what_the_system_repeats_counts_once() -> None:
    found = linked(["PLOT a>b relType=X", "PLOT a>b relType=Y"], ["PLOT u>v relType=X"] * 3)
    assert found.row("PLOT.strict") == (1, 2, 1)
    assert found.said == ([], [("cat.duplicate", "PLOT r1"), ("cat.duplicate", "PLOT r2")])


def test_what_gold_repeats_counts_once() -> None:
    found = linked(["LOOSE a>b", "LOOSE b>a"], ["LOOSE u>v"])
    assert found.row("LOOSE.strict") == (1, 1, 1)
    assert found.said == ([("cat.duplicate", "LOOSE r1")], [])


# Relations many2one


def test_relations_to_a_span_are_scored_by_pairs() -> None:
    found = linked(["REFERS a,b,c>d"], ["REFERS u>x", "REFERS v,y>x", "REFERS u>x"])
    assert found.row("REFERS.strict") == (2, 3, 3)  # a>d, b>d
    assert found.said == ([], [("cat.duplicate", "REFERS r2")])


def test_relations_to_a_comparable_instance_are_scored_by_pairs() -> None:
    marks = [*EVENTS, "t TIMEX3 - type=DATE"]
    assert linked(["REFERS a,b>t"], ["REFERS b>t", "REFERS c>t"], (marks, marks)).row("REFERS.strict") == (1, 2, 2)


def test_pairs_may_be_undirectional() -> None:
    configuration = config("EVENT markable 0", "REFERS many2one undirectional")
    found = judge(configuration, document(EVENTS, ["REFERS a,b>c"]), document(EVENTS, ["REFERS c>a", "REFERS b>c"]))
    assert found.row("REFERS.strict") == (2, 2, 2)


GROUPS = [*EVENTS, "p ENTITY -", "q ENTITY -", "r ENTITY -"]


@pytest.mark.parametrize(("gold", "system", "row"), [
    (["a,b,c>p"], ["a,b,c>q"], (2, 2, 2)),
    (["a,b,c>p"], ["a>p", "b>p", "c>p"], (2, 2, 2)),
    (["a,b,c,d>p"], ["a,b>p", "c,d>q"], (4 - 2, 4 - 1, 2)),
    (["a,b>p", "c,d>q"], ["a,b,c,d>p"], (4 - 2, 2, 4 - 1)),
    (["a,b,c>p"], ["a,d>p", "b,e>q"], (0, 2, 2)),
    (["a,b>p"], ["c,d>p"], (0, 1, 1)),
    (["a>p"], ["a>p"], (0, 0, 0)),
    (["a,b,c,d,e>p"], ["a,b,c>p", "d>q", "e,f>r"], (5 - 3, 4, 2 + 0 + 1)),
])  # fmt: skip
def test_relations_to_another_empty_markable_are_groups_scored_by_links(
    gold: list[str], system: list[str], row: tuple[int, int, int]
) -> None:
    found = linked([f"REFERS {text} type=X" for text in gold], [f"REFERS {text} type=Y" for text in system], (GROUPS, GROUPS))
    assert found.row("REFERS.strict") == found.row("REFERS.relaxed") == row
    assert found.said == ([], [])


def test_mentions_of_groups_match_as_markables_do() -> None:
    gold, system = ["a EVENT 1,2", "b EVENT 3", "c EVENT 4", "p PLACE -"], ["u EVENT 2", "v EVENT 3", "w EVENT 4", "q PLACE -"]
    found = linked(["REFERS a,b,c>p"], ["REFERS u,v,w>q"], (gold, system))
    assert found.row("REFERS.strict") == (3 - 2, 2, 2)  # a | b, c
    assert found.row("REFERS.relaxed") == (2, 2, 2)


def test_comparable_instances_are_mentions_and_other_empty_markables_are_not() -> None:
    marks = [*GROUPS, "t TIMEX3 - type=DATE"]
    found = linked(["REFERS a,t>p"], ["REFERS a,t,q>p"], (marks, marks))
    assert found.row("REFERS.strict") == (1, 1, 1)
    assert found.said == ([], [("cat.unidentifiable-end", "REFERS r0")])


def test_a_mention_of_two_groups_stays_in_the_first() -> None:
    found = linked(["REFERS a,b>p", "REFERS c,d>q"], ["REFERS a,b>p", "REFERS b,c,d>q"], (GROUPS, GROUPS))
    assert found.row("REFERS.strict") == (1 + 1, 1 + 1, 1 + 1)
    assert found.said == ([], [("cat.duplicate", "REFERS r1")])


def test_first_is_the_relation_that_stands_first_not_the_group_that_began_first() -> None:
    found = linked(["REFERS a,b>p", "REFERS c,d>q"], ["REFERS a,b>p", "REFERS c,d>q", "REFERS c>p"], (GROUPS, GROUPS))
    assert found.row("REFERS.strict") == (1 + 1, 1 + 1, 1 + 1)  # were c in the group of p, tp would be 1
    assert found.said == ([], [("cat.duplicate", "REFERS r2")])


def test_pairs_and_links_are_added() -> None:
    found = linked(["REFERS a,b,c>p", "REFERS a,b>d"], ["REFERS a,b>q", "REFERS a,c>d", "REFERS e>f"], (GROUPS, GROUPS))
    assert found.row("REFERS.strict") == (1 + 1, 2 + 2, 1 + 3)


def test_a_many2one_relation_with_other_numbers_of_ends_is_not_scored() -> None:
    found = linked(["REFERS >d", "REFERS a>"], ["REFERS a>d,e"], (GROUPS, GROUPS))
    assert found.row("REFERS.strict") == (0, 0, 0)
    assert [code for said in found.said for code, _ in said] == ["cat.arity"] * 3


# TLINK, tempeval


def test_only_a_one2one_line_named_tlink_has_a_tempeval_row() -> None:
    for line, has_row in (
        ("TLINK one2one directional", True),
        ("TLINK one2one undirectional relType", True),
        ("TLINK many2one directional relType", False),
        ("CLINK one2one directional relType", False),
    ):
        found = judge(config(line), document(), document())
        assert ("TLINK.tempeval.f1" in found.scores) == has_row


@pytest.mark.parametrize(("gold", "system", "sides"), [
    (["a BEFORE b", "b BEFORE c"], ["a BEFORE c"], ((0, 2), (1, 1))),
    (["a BEFORE c"], ["a BEFORE b", "b BEFORE c"], ((1, 1), (0, 2))),
    (["a BEFORE b"], ["b AFTER a"], ((1, 1), (1, 1))),
    (["a BEFORE b"], ["a AFTER b"], ((0, 1), (0, 1))),
    (["a INCLUDES b", "b BEFORE c", "a BEFORE c"], ["c AFTER a", "b IS_INCLUDED a"], ((2, 2), (2, 2))),
    (["a IBEFORE b", "b IBEFORE c"], ["a BEFORE c"], ((0, 2), (1, 1))),
    (["a BEGINS b"], ["a SIMULTANEOUS b"], ((0, 1), (0, 1))),
    (["a DURING b"], ["a SIMULTANEOUS b"], ((1, 1), (1, 1))),
    ([], ["a BEFORE b"], ((0, 0), (0, 1))),
    (["a BEFORE b"], [], ((0, 1), (0, 0))),
    ([], [], ((0, 0), (0, 0))),
])  # fmt: skip
def test_each_sides_reduced_relations_that_the_other_entails(
    gold: list[str], system: list[str], sides: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    assert awareness(gold, system) == sides


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_the_reduction_does_not_depend_on_file_order(order: tuple[int, int, int]) -> None:
    written = ["a BEFORE c", "a BEFORE b", "b BEFORE c"]
    assert awareness([written[rank] for rank in order], ["a BEFORE b"]) == ((1, 2), (1, 1))


def test_figures_of_tempeval() -> None:
    found = tlinks(["a BEFORE b", "b BEFORE c", "d BEFORE e"], ["a BEFORE c", "d BEFORE e"])
    assert {name: found.value(f"TLINK.tempeval.{name}") for name in ("tp", "fp", "fn")} == {"tp": 1, "fp": 2 - 2, "fn": 3 - 1}
    precision, recall = Fraction(2, 2), Fraction(1, 3)
    assert found.value("TLINK.tempeval.precision") == precision
    assert found.value("TLINK.tempeval.recall") == pytest.approx(float(recall))
    assert found.value("TLINK.tempeval.f1") == pytest.approx(float(2 * precision * recall / (precision + recall)))


def test_an_exact_repeat_is_read_once() -> None:
    assert awareness(["a X b", "a x b", "a X b"], []) == ((0, 1), (0, 0))
    assert awareness(["a X b", "b X a", "a Y b"], []) == ((0, 3), (0, 0))


def test_only_source_target_and_type_count() -> None:
    configuration = config("EVENT markable 0", "TLINK one2one directional relType note")
    gold = document(EVENTS, ["TLINK a>b relType=X note=1", "TLINK a>b relType=X note=2"])
    found = judge(configuration, gold, document(EVENTS, ["TLINK a>b relType=x"]))
    assert found.row("TLINK.tempeval") == (1, 1, 1)
    assert found.row("TLINK.strict") == (0, 2, 1)


def test_the_type_is_read_though_the_line_does_not_name_it_and_duplicates_stay() -> None:
    found = tlinks(["a BEFORE b", "a AFTER b"], ["a BEFORE b"], line="TLINK one2one directional")
    assert found.row("TLINK.strict") == (1, 1, 1)
    assert found.sides("TLINK.tempeval") == ((1, 2), (1, 1))  # the second one contradicts the first
    assert found.said[0] == [("cat.duplicate", "TLINK r1")]


def test_identity_is_simultaneous_in_the_graph_and_among_the_repeats() -> None:
    assert awareness(["a IDENTITY b", "a SIMULTANEOUS b", "b BEFORE c"], ["a BEFORE c", "b identity a"]) == ((2, 2), (2, 2))


def test_violated_identities_match_simultaneous_ones_literally() -> None:
    assert awareness(["a IDENTITY a"], ["a SIMULTANEOUS a"]) == ((1, 1), (1, 1))


@pytest.mark.parametrize("kind", ["CONTAINS", "OVERLAP", ""])
def test_unknown_types_match_literally_and_enter_no_graph(kind: str) -> None:
    assert awareness([f"a {kind} b"], [f"a {kind.lower()} b"]) == ((1, 1), (1, 1))
    assert awareness([f"a {kind} b"], [f"b {kind} a"]) == ((0, 1), (0, 1))
    assert awareness([f"a {kind} b", "b BEFORE c"], ["a BEFORE c", f"a {kind} b"]) == ((1, 2), (1, 2))


def test_a_violated_relation_adds_nothing_but_stays_and_matches_literally() -> None:
    gold = ["a BEFORE b", "b BEFORE c", "c BEFORE a"]
    assert awareness(gold, gold) == ((3, 3), (3, 3))
    assert awareness(gold, ["a AFTER c"]) == ((1, 3), (1, 1))  # of the violated one, the inverse
    assert awareness(gold, ["a BEFORE c"]) == ((0, 3), (1, 1))
    assert awareness(["a BEFORE a"], ["a BEFORE a", "a AFTER a"]) == ((1, 1), (2, 2))


def test_redundant_relations_of_the_other_side_match_literally_too() -> None:
    gold = ["a BEFORE b", "b BEFORE c", "a BEFORE c"]
    assert awareness(gold, ["a BEFORE c"])[1] == (1, 1)


def test_ends_without_partner_stay_apart() -> None:
    marks = EVENTS, ["a EVENT 1", "b EVENT 2", "x EVENT 11", "y EVENT 12"]
    assert awareness(["a BEFORE b"], ["a BEFORE x", "a BEFORE y", "x BEFORE b"], marks) == ((1, 1), (0, 3))
    assert awareness(["c BEFORE d"], ["x BEFORE y"], marks) == ((0, 1), (0, 1))


def test_only_strict_partners_are_ends() -> None:
    marks = ["a EVENT 1,2", "b EVENT 3"], ["a EVENT 1", "b EVENT 3"]
    found = tlinks(["a BEFORE b"], ["a BEFORE b"], marks)
    assert found.row("TLINK.tempeval") == found.row("TLINK.strict") == (0, 1, 1)
    assert found.row("TLINK.relaxed") == (1, 1, 1)


def test_ids_of_the_system_are_not_those_of_gold() -> None:
    marks = ["a EVENT 1", "b EVENT 2", "c EVENT 3"], ["a EVENT 9", "b EVENT 1", "c EVENT 2"]
    assert awareness(["a BEFORE b"], ["b BEFORE c"], marks) == ((1, 1), (1, 1))
    assert awareness(["a BEFORE b"], ["a BEFORE b"], marks) == ((0, 1), (0, 1))


def test_comparable_instances_are_ends() -> None:
    marks = ["a EVENT 1", "t TIMEX3 - type=DATE", "u TIMEX3 3"], ["x EVENT 1", "y TIMEX3 - type=date", "z TIMEX3 3"]
    assert awareness(["t BEFORE a", "t BEFORE u"], ["x AFTER y", "y BEFORE z"], marks) == ((2, 2), (2, 2))


def test_tlinks_that_are_not_scored_are_not_in_the_graph() -> None:
    configuration = config("EVENT markable 0", "TLINK one2one directional relType")
    written = ["TLINK a,b>c relType=BEFORE", "TLINK a>p relType=BEFORE", "TLINK a>b relType=BEFORE"]
    found = judge(configuration, document([*EVENTS, "p PLACE -"], written), document(EVENTS, written[2:]))
    assert found.row("TLINK.tempeval") == (1, 1, 1)


# Options


def test_the_first_n_sentences() -> None:
    configuration = config("EVENT markable 0", "TLINK one2one directional relType")
    links = ["TLINK a>b relType=BEFORE", "TLINK b>c relType=BEFORE", "TLINK c>d relType=BEFORE"]
    gold, system = (document(EVENTS[:4], links[:number], sentences=(0, 1, 2, 3)) for number in (3, 1))
    for sentences, markables, relations in (("all", 4, (1, 3, 1)), (4, 4, (1, 3, 1)), (3, 3, (1, 2, 1)), (1, 1, (0, 0, 0))):
        found = judge(configuration, gold, system, sentences=sentences)
        assert found.row("EVENT.strict") == (markables, markables, markables)
        assert found.row("TLINK.strict") == found.row("TLINK.tempeval") == relations


def test_without_relaxed_there_are_no_relaxed_rows() -> None:
    found = judge(CONFIG, document(EVENTS), document(SHIFTED), relaxed=False)
    assert not [name for name in (*found.counts, *found.scores) if "relaxed" in name]
    whole = judge(CONFIG, document(EVENTS), document(SHIFTED))
    assert found.counts == {name: number for name, number in whole.counts.items() if "relaxed" not in name}


# Work


@pytest.mark.parametrize("wrong", [0, 25])
def test_twice_the_tlinks_are_twice_the_work(wrong: int) -> None:
    def work(events: int, wrong: int) -> int:
        chance = Random(7)
        ids = range(1, events + 1)
        ends = [sorted(chance.sample(ids, 2), reverse=rank < wrong) for rank in range(5 * events // 3)]
        chance.shuffle(ends)
        configuration = config("EVENT markable 0", "TLINK one2one directional relType")
        marks, links = [f"{name} EVENT {name}" for name in ids], [f"TLINK {one}>{other} relType=BEFORE" for one, other in ends]
        gold, system = (document(marks, part, ids=tuple(map(str, ids))) for part in (links, links[: 4 * events // 3]))
        return calls_of(lambda: judge(configuration, gold, system))

    assert work(1500, 2 * wrong) < 3 * work(750, wrong)
