from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.nwr2014 import matching
from pytest_nlpeval.tasks.cat.nwr2014.matching import MOST_ADDED, match_nwr2014
from tests.unit.tasks.cat.nwr2014_documents import config, counts, document

EVENTS = [f"{name} EVENT {rank}" for rank, name in enumerate("abcd", 1)]
PLOT = config("EVENT markable 0", "PLOT one2one directional relType")
LOOSE_PLOT = config("EVENT markable 0", "PLOT one2one undirectional relType")
TLINK = config("EVENT markable 0", "TIMEX3 markable 0 type", "TLINK one2one directional relType")
LOOSE_TLINK = config("EVENT markable 0", "TLINK one2one undirectional reltype")
INSTANCES = config(
    "EVENT markable 0",
    "TIMEX3 markable 0 type",
    "TIMEX3 instance comparable type",
    "TLINK one2one undirectional relType",
    "PLOT one2one undirectional",
)


def related(
    configuration: Configuration, gold: list[str], system: list[str], marks: tuple[list[str], list[str]] = (EVENTS, EVENTS)
) -> dict[str, tuple[int, int, int]]:
    """Hits, gold and system of the relations' rows."""
    found = match_nwr2014(document(marks[0], gold), document(marks[1], system), configuration, None).counts
    rows = [f"{line.name}.{row}" for line in configuration.one2one for row in ("strict", "relaxed")]
    return {row: (found[f"{row}.tp"], found[f"{row}.gold"], found[f"{row}.system"]) for row in rows}


# The columns


def test_every_line_has_its_columns() -> None:
    lines = (
        "TIMEX3 markable 0 type Value",
        "TIMEX3 instance comparable type",
        "TLINK one2one directional",
        "C many2one directional",
    )
    found = match_nwr2014(document(), document(), config(*lines), None).counts
    columns = ("tp", "gold", "system", "gold_matched", "system_matched")
    rows = ("TIMEX3.strict", "TIMEX3.relaxed", "TLINK.strict", "TLINK.relaxed", "TLINK.tempeval")
    attributes = [f"TIMEX3.{row}.attribute.{name}" for row in ("strict", "relaxed") for name in ("type", "Value")]
    assert found == dict.fromkeys([*(f"{row}.{column}" for row in rows for column in columns), *attributes], 0)


def test_without_tlink_line_there_is_no_tempeval_row() -> None:
    matching = match_nwr2014(document(EVENTS), document(EVENTS), PLOT, None)
    assert matching.tempeval is None
    assert not [name for name in matching.counts if "tempeval" in name]


def test_what_goes_together_is_told() -> None:
    gold = document(EVENTS, ["PLOT a>b", "PLOT c>d"])
    system = document(["x EVENT 1", "y EVENT 2,3"], ["PLOT x>y"])
    matching = match_nwr2014(gold, system, PLOT, None)
    strict, relaxed = (matching.markables["EVENT", row] for row in ("strict", "relaxed"))
    assert [(one.id, other.id) for one, other in strict.pairs] == [("a", "x")]
    assert [(one.id, other.id) for one, other in relaxed.pairs] == [("a", "x"), ("b", "y"), ("c", "y")]
    assert [(one.id, other.id) for one, other in relaxed.back] == [("x", "a"), ("y", "b")]
    assert matching.relations["PLOT", "strict"].hits == []
    assert [(one.id, [other.id for other in others]) for one, others in matching.relations["PLOT", "relaxed"].hits] == [
        ("r0", ["r0"])
    ]


# Point 6: relations


def test_hits_of_other_relations_count_whatever_their_attributes() -> None:
    assert related(PLOT, ["PLOT a>b relType=X", "PLOT b>c", "PLOT c>d"], ["PLOT a>b relType=Y", "PLOT c>b"]) == {
        "PLOT.strict": (1, 3, 2),
        "PLOT.relaxed": (1, 3, 2),
    }


def test_undirectional_relations_also_hit_swapped() -> None:
    assert related(LOOSE_PLOT, ["PLOT a>b", "PLOT b>c"], ["PLOT b>a", "PLOT a>b", "PLOT c>b"])["PLOT.strict"] == (3, 2, 3)


def test_a_relation_of_one_markable_to_itself_hits_once() -> None:
    assert related(LOOSE_PLOT, ["PLOT a>a"], ["PLOT a>a"])["PLOT.strict"] == (1, 1, 1)


def test_several_gold_relations_hit_the_same_system_relation() -> None:
    marks = ["a EVENT 1", "b EVENT 1", "c EVENT 2"], ["x EVENT 1", "y EVENT 2"]
    assert related(PLOT, ["PLOT a>c", "PLOT b>c"], ["PLOT x>y"], marks)["PLOT.strict"] == (2, 2, 1)  # P = 2/1


def test_ends_go_by_the_first_partner_only() -> None:
    marks = ["a EVENT 1", "c EVENT 2"], ["w EVENT 1", "x EVENT 1", "y EVENT 2"]
    assert related(PLOT, ["PLOT a>c"], ["PLOT x>y"], marks)["PLOT.strict"] == (0, 1, 1)


def test_relaxed_ends_go_by_gold_s_partner() -> None:
    marks = ["a EVENT 1,2", "b EVENT 2", "c EVENT 3"], ["x EVENT 1", "y EVENT 2", "z EVENT 3,4"]
    assert related(PLOT, ["PLOT a>c", "PLOT b>c"], ["PLOT x>z", "PLOT y>z"], marks) == {
        "PLOT.strict": (0, 2, 2),
        "PLOT.relaxed": (2, 2, 2),
    }


def test_relations_with_several_ends_are_not_counted() -> None:
    assert related(PLOT, ["PLOT a,b>c", "PLOT a>b,c", "PLOT a>"], ["PLOT a,b>c"])["PLOT.strict"] == (0, 0, 0)


def test_relations_count_though_their_ends_are_not_scored() -> None:
    marks = ["a EVENT 1", "r ROLE 2"], ["a EVENT 1", "r ROLE 2"]
    assert related(PLOT, ["PLOT a>r"], ["PLOT a>r"], marks)["PLOT.strict"] == (0, 1, 1)


def test_types_of_tlinks_must_agree_ignoring_case() -> None:
    gold = ["TLINK a>b relType=BEFORE", "TLINK b>c relType=AFTER", "TLINK c>d", "TLINK d>a relType=X"]
    system = ["TLINK a>b relType=before", "TLINK b>c relType=BEFORE", "TLINK c>d relType=", "TLINK a>d relType=X"]
    assert related(TLINK, gold, system)["TLINK.strict"] == (2, 4, 4)  # ab, cd


@pytest.mark.parametrize(
    ("gold", "system", "hits"),
    [
        ("BEFORE", "AFTER", 1),
        ("after", "Before", 1),
        ("BEFORE", "BEFORE", 0),
        ("IS_INCLUDED", "INCLUDES", 1),
        ("DURING_INV", "DURING", 1),
        ("DURING_INV", "DURING_INV", 1),  # its own inverse, while that of DURING is DURING_INV
        ("DURING", "DURING_INV", 0),
        ("DURING", "DURING", 0),
        ("SIMULTANEOUS", "SIMULTANEOUS", 1),
        ("identity", "Identity", 1),
        ("CONTAINS", "contains", 1),
        ("", "", 1),
    ],
)
def test_swapped_tlinks_have_the_inverse_type(gold: str, system: str, hits: int) -> None:
    found = related(LOOSE_TLINK, [f"TLINK a>b reltype={gold}"], [f"TLINK b>a reltype={system}"])
    assert found["TLINK.strict"] == (hits, 1, 1)


def test_system_tlinks_between_timex3_are_removed_and_gold_s_are_not() -> None:
    marks = ["s TIMEX3 1", "t TIMEX3 2", "u TIMEX3 3,5", "e EVENT 6"]
    links = ["TLINK s>t relType=BEFORE", "TLINK t>e relType=BEFORE", "TLINK u>t relType=BEFORE"]
    assert related(TLINK, links, links, (marks, marks))["TLINK.strict"] == (1, 3, 2)  # u is not kept
    assert related(LOOSE_TLINK, links, links, (marks, marks))["TLINK.strict"] == (0, 3, 3)  # TIMEX3 is no markable


def test_instances_join_by_any_of_their_correspondences() -> None:
    gold = ["1 TIMEX3 - type=D", "2 TIMEX3 - type=D", "3 TIMEX3 - type=T", "4 EVENT 1"]
    system = ["5 TIMEX3 - type=d", "6 TIMEX3 - type=d", "7 TIMEX3 - type=d", "8 EVENT 1"]
    found = related(INSTANCES, ["PLOT 1>4", "PLOT 2>4", "PLOT 3>4"], ["PLOT 5>8", "PLOT 8>6", "PLOT 5>6"], (gold, system))
    assert found["PLOT.strict"] == found["PLOT.relaxed"] == (2 * 2, 3, 3)  # 1 and 2 hit both of the first two


def test_relations_within_a_class_of_instances_hit_once() -> None:
    gold, system = ["1 TIMEX3 -", "2 TIMEX3 -"], ["5 TIMEX3 -", "6 TIMEX3 -"]
    found = related(INSTANCES, ["PLOT 1>2"], ["PLOT 5>6", "PLOT 6>5"], (gold, system))
    assert found["PLOT.strict"] == (2, 1, 2)


def test_instances_are_timex3_that_tlinks_of_the_system_are_removed_for() -> None:
    marks = ["1 TIMEX3 -", "2 TIMEX3 1"]
    assert related(INSTANCES, ["TLINK 1>2"], ["TLINK 1>2"], (marks, marks))["TLINK.strict"] == (0, 1, 0)


# Point 8


def test_the_cut_applies_to_both_sides() -> None:
    configuration = config("EVENT_MENTION markable 0", "TLINK one2one directional relType")
    marks = ["1 EVENT_MENTION 1", "2 EVENT_MENTION 2", "3 EVENT_MENTION 3"]
    links = ["TLINK 1>2 relType=BEFORE", "TLINK 2>3 relType=BEFORE"]
    side = document(marks, links, sentences=(1, 2, 3))
    found = counts(configuration, side, side, 3)
    assert [found[f"EVENT_MENTION.strict.{name}"] for name in ("tp", "gold", "system")] == [2, 2, 2]
    assert [found[f"TLINK.{row}.tp"] for row in ("strict", "tempeval")] == [1, 1]


# The limit of what instances add


def added(number: int, *relations: str) -> int:
    """What is too many of the relations that instances add, `number` of them equal on both sides."""
    marks = [*(f"{name} TIMEX3 - type=D" for name in range(1, number + 1)), "a EVENT 1", "b EVENT 2"]
    return match_nwr2014(document(marks), document(marks, relations), INSTANCES, None).excess


def test_what_instances_add_is_limited_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    assert added(MOST_ADDED + 1, "TLINK 1>a relType=BEFORE") == 0
    assert added(1_700, *(f"TLINK {name}>a relType=BEFORE" for name in (1, 2, 3))) == 3 * 1_699
    monkeypatch.setattr(matching, "match_tempeval", None)  # whoever called it would fail
    assert added(100, "TLINK 1>2 relType=BEFORE") == 100 * 100 - 1


def test_relations_that_add_nothing_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_ADDED", 3)
    assert added(2, "TLINK 1>2 relType=BEFORE") == 0
    assert added(2, "TLINK 1>2 relType=BEFORE", "TLINK 2>a relType=BEFORE") == 3 + 1
    assert added(2, "TLINK 1>2 relType=BEFORE", "TLINK 2>a") == 0  # without a type
    assert added(1, *(f"TLINK {pair} relType=BEFORE" for pair in ("1>a", "1>b", "a>b", "b>a", "a>1", "b>1"))) == 0
