from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.cat.nwr2014.markables import Pair, correspondences, pair_up
from pytest_nlpeval.tasks.cat.xml.document import Markable
from tests.unit.tasks.cat.nwr2014_documents import config, counts, document

CONFIG = config("EVENT markable 0 class tense", "TIMEX3 markable 0 type value", "TIMEX3 instance comparable type")


def found(gold: list[str], system: list[str]) -> dict[str, int]:
    return counts(CONFIG, document(gold), document(system))


def ids(pairs: list[Pair]) -> list[str]:
    return [f"{one.id}-{other.id}" for one, other in pairs]


def marks(*anchors: str, start: str = "g") -> list[Markable]:
    return list(document(f"{start}{number} EVENT {text}" for number, text in enumerate(anchors, 1)).markables.values())


# Point 2: strict


def test_several_gold_markables_hit_the_same_system_markable() -> None:
    counted = found(["a EVENT 1,2", "b EVENT 1,2", "c EVENT 5"], ["x EVENT 1,2"])
    assert (counted["EVENT.strict.tp"], counted["EVENT.strict.gold"], counted["EVENT.strict.system"]) == (2, 3, 1)  # fp = 1 - 2


def test_the_partner_is_the_first_with_the_same_tokens_in_the_same_order() -> None:
    strict, _ = pair_up(marks("1,2,4,5", "1,2"), marks("1,2,5,4", "1,2", "1,2", start="s"))
    assert ids(strict) == ["g2-s2"]


def test_only_the_same_name_matches() -> None:
    rows = ("strict", "relaxed")
    assert found(["a EVENT 1"], ["x TIMEX3 1"]) == {
        **{f"EVENT.{row}.gold": 1 for row in rows},
        **{f"TIMEX3.{row}.system": 1 for row in rows},
    }


# Point 3: relaxed


def test_relaxed_takes_the_exact_one_first_then_the_first_that_shares_a_token() -> None:
    strict, relaxed = pair_up(marks("2,3", "3,4", "9"), marks("1,2", "3,4", "2,3", start="s"))
    assert ids(strict) == ["g1-s3", "g2-s2"]
    assert ids(relaxed) == ["g1-s3", "g2-s2"]
    _, relaxed = pair_up(marks("2,3", "3,4", "9"), marks("7", "3,4,5", "1,2", start="s"))
    assert ids(relaxed) == ["g1-s2", "g2-s2"]


def test_relaxed_is_counted_from_both_sides() -> None:
    counted = found(["a EVENT 1,2,3,4", "b EVENT 9"], ["x EVENT 1", "y EVENT 2", "z EVENT 4"])
    assert counted == {
        "EVENT.strict.gold": 2,
        "EVENT.strict.system": 3,
        "EVENT.relaxed.tp": 1,  # a
        "EVENT.relaxed.gold": 2,
        "EVENT.relaxed.system": 3,
        "EVENT.relaxed.gold_matched": 1,
        "EVENT.relaxed.system_matched": 3,  # x, y, z
        "EVENT.relaxed.attribute.class": 1,
        "EVENT.relaxed.attribute.tense": 1,
    }


def literal(ours: list[Markable], theirs: list[Markable]) -> tuple[list[str], list[str]]:
    """The rules word by word: each of ours with each of theirs."""
    strict, relaxed = [], []
    for one in ours:
        exact = [other for other in theirs if other.tokens == one.tokens]
        sharing = [other for other in theirs if set(other.tokens) & set(one.tokens)]
        strict += [f"{one.id}-{other.id}" for other in exact[:1]]
        relaxed += [f"{one.id}-{other.id}" for other in (exact or sharing)[:1]]
    return strict, relaxed


SPANS = st.lists(
    st.lists(st.integers(1, 8), min_size=1, max_size=3, unique=True).map(lambda ranks: ",".join(map(str, ranks))), max_size=8
)


@given(SPANS, SPANS)
def test_it_is_the_literal_procedure(gold: list[str], system: list[str]) -> None:
    ours, theirs = marks(*gold), marks(*system, start="s")
    strict, relaxed = pair_up(ours, theirs)
    assert (ids(strict), ids(relaxed)) == literal(ours, theirs)


# Point 4: comparable instances


def equal(gold: list[str], system: list[str], line: str, instance: str) -> list[tuple[list[str], list[str]]]:
    ours, theirs = (document(side).markables.values() for side in (gold, system))
    first, second = config(line, instance).types
    classes = correspondences(ours, theirs, first, second)
    return [([one.id for one in found.gold], [other.id for other in found.system]) for found in classes]


def test_instances_are_equal_on_the_attributes_of_both_lines_ignoring_case() -> None:
    gold = ["a TIMEX3 - type=DATE value=1", "b TIMEX3 - type=TIME", "c TIMEX3 -"]
    system = ["x TIMEX3 - type=date value=2", "y TIMEX3 - type=", "z TIMEX3 - type=SET"]
    line = "TIMEX3 markable 0 type"
    assert equal(gold, system, line, "TIMEX3 instance comparable type") == [(["a"], ["x"]), (["c"], ["y"])]
    assert equal(gold, system, line, "TIMEX3 instance comparable type value") == [(["a"], ["x"]), (["c"], ["y"])]
    all_equal = [(["a", "b", "c"], ["x", "y", "z"])]
    assert equal(gold, system, line, "TIMEX3 instance comparable value") == all_equal
    assert equal(gold, system, line, "TIMEX3 instance comparable Type") == all_equal
    assert equal(gold, system, "TIMEX3 markable 0 Type", "TIMEX3 instance comparable Type") == all_equal


def test_instances_hit_one_to_one_in_order() -> None:
    gold = ["a TIMEX3 - type=DATE", "b TIMEX3 - type=TIME", "c TIMEX3 - type=DATE", "d TIMEX3 - type=DATE"]
    system = ["x TIMEX3 - type=TIME", "y TIMEX3 - type=DATE value=3", "z TIMEX3 - type=DATE"]
    assert found(gold, system) == {
        "TIMEX3.strict.tp": 3,  # a-y, b-x, c-z
        "TIMEX3.strict.gold": 4,
        "TIMEX3.strict.system": 3,
        "TIMEX3.strict.gold_matched": 3,
        "TIMEX3.strict.system_matched": 3,
        "TIMEX3.strict.attribute.type": 3,
        "TIMEX3.strict.attribute.value": 2,  # not a-y
        "TIMEX3.relaxed.tp": 3,  # no hit on the side of recall or precision
        "TIMEX3.relaxed.gold": 4,
        "TIMEX3.relaxed.system": 3,
        "TIMEX3.relaxed.attribute.type": 3,
        "TIMEX3.relaxed.attribute.value": 2,
    }


def test_instances_and_spans_of_a_name_count_together() -> None:
    counted = found(["a TIMEX3 - type=DATE", "b TIMEX3 1,2"], ["x TIMEX3 - type=DATE", "y TIMEX3 2"])
    wanted = ("strict.tp", "strict.gold", "relaxed.tp", "relaxed.gold_matched", "relaxed.system_matched")
    assert [counted[f"TIMEX3.{name}"] for name in wanted] == [1, 2, 2, 1, 1]


def test_non_comparable_instances_are_on_neither_side() -> None:
    configuration = config("TIMEX3 markable 0 type", "TIMEX3 instance non-comparable type")
    assert counts(configuration, document(["a TIMEX3 -"]), document(["x TIMEX3 -"])) == {}


# Point 5: attributes


def test_attributes_agree_ignoring_case_and_the_missing_is_empty() -> None:
    gold = ["a EVENT 1 class=STATE tense=PAST", "b EVENT 2 class=", "c EVENT 3 class=X", "d EVENT 5,6 class=Y"]
    system = ["w EVENT 1 class=state", "x EVENT 2 Class=STATE", "y EVENT 3 class=Z", "z EVENT 6 class=y tense=past"]
    counted = found(gold, system)
    assert counted["EVENT.strict.attribute.class"] == 2  # a; b, whose `Class` is another attribute
    assert counted["EVENT.strict.attribute.tense"] == 2  # b, c
    assert counted["EVENT.relaxed.attribute.class"] == 3  # and d
    assert counted["EVENT.relaxed.attribute.tense"] == 2
