"""What changed between two runs, item by item."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Explanations, Omitted, Right
from pytest_nlpeval.metrics.pairing import Common
from pytest_nlpeval.reports.change_sentences import _change
from pytest_nlpeval.run.item_changes import MOST_CHANGES, Change, Changes
from pytest_nlpeval.run.item_changes import changes as changes_in
from pytest_nlpeval.shelf import ROOM


def wrong(*items: str, reason: str = "missed") -> Explanations:
    return Explanations.of(Explanation(item, reason, f"{item} is {reason}", 1) for item in items)


def changes(before: dict[str, Explanations], now: dict[str, Explanations], *alone: tuple[str, str]) -> Changes:
    """What changed where both runs were asked everything but the units `alone`."""
    return changes_in(before, now, Common(frozenset({*before, *now}), frozenset(alone)))


def test_units_that_one_run_alone_has_did_not_change() -> None:
    """A unit that gold gained is not newly wrong, and one that gold lost not newly right."""
    found = changes({"d": wrong("1", "lost")}, {"d": wrong("1", "gained")}, ("d", "lost"), ("d", "gained"))
    assert set(found.counts.values()) == {0}
    assert changes_in({"d": wrong("1")}, {"d": wrong("2")}, Common(frozenset(), frozenset())).first == ()


def test_items_turn_wrong_right_and_wrong_in_another_way() -> None:
    before = {
        "d": Explanations.of(
            [Explanation("1", "missed", "m", 1), Explanation("2", "missed", "m", 2), Explanation("3", "missed", "m", 3)]
        )
    }
    now = {
        "d": Explanations.of(
            [Explanation("2", "missed", "m", 9), Explanation("3", "spurious", "s", 3), Explanation("4", "missed", "m", 4)]
        )
    }
    found = changes(before, now)
    assert found.counts == {"newly_wrong": 1, "newly_right": 1, "otherwise_wrong": 1}
    assert [(change.sort, change.explanation.unit) for change in found.first] == [
        ("newly_wrong", "4"),
        ("otherwise_wrong", "3"),
        ("newly_right", "1"),
    ]
    assert [entry["before"] is None for entry in found.to_json()["first"]] == [True, False, False]
    assert [entry["now"] is None for entry in found.to_json()["first"]] == [False, False, True]


def test_what_is_told_of_an_item_that_was_right_is_told_beside_what_is_wrong_now() -> None:
    """What is told of items that are right now, or of others, is nothing; it is counted nowhere."""
    before = Explanations.of(
        [Right("1", "1 a", "a is at place 2"), Explanation("2", "missed", "m"), Right("3", "3", "is at place 1")]
    )
    now = Explanations.of([Explanation("1", "low", "a is at place 15", item="1 a"), Right("2", "2", "is at place 9")])
    assert (before.counts, before.cut) == ({"missed": 1}, 0)
    found = changes({"d": before}, {"d": now})
    assert found.counts == {"newly_wrong": 1, "newly_right": 1, "otherwise_wrong": 0}
    wrong, right = found.first
    assert wrong.before == Explanation("1", "right", "a is at place 2", item="1 a")
    assert right.now is None
    assert Changes.from_json(found.to_json()).first == found.first
    assert list(_change(wrong)) == ["newly wrong: d, unit 1: low: a is at place 15 (baseline: right: a is at place 2)"]


def test_only_documents_of_both_runs_are_compared() -> None:
    assert changes({"a": wrong("1")}, {"b": wrong("1")}).first == ()


def test_where_a_list_is_cut_nobody_claims_what_it_may_hold() -> None:
    cut = Explanations.of([Explanation("1", "missed", "m"), Omitted("missed", 5)])
    found = changes({"a": cut, "b": cut}, {"a": wrong("2"), "b": cut})
    assert (found.counts, found.uncertain) == ({"newly_wrong": 0, "newly_right": 1, "otherwise_wrong": 0}, 2)
    assert changes({"a": wrong("2")}, {"a": cut}).counts["newly_wrong"] == 1
    assert changes({"a": wrong("2")}, {"a": cut}).counts["newly_right"] == 0


def test_all_are_kept_and_the_first_are_in_the_json_report() -> None:
    documents = {f"d{rank}": wrong(*map(str, range(ROOM))) for rank in range(2)}
    found = changes(dict.fromkeys(documents, Explanations()), documents)
    assert (found.counts["newly_wrong"], len(found.first)) == (2 * ROOM, 2 * ROOM)
    assert len(found.to_json()["first"]) == MOST_CHANGES


def test_documents_follow_by_their_names_unless_it_is_said_how_far_items_fell() -> None:
    """Within a sort those that fell most come first; the sorts keep their order."""
    names = [f"d{rank:02}" for rank in range(20)]
    before = {name: wrong("1", "2") for name in names}
    now = {name: Explanations.of([Explanation("2", "spurious", ""), Explanation("3", "missed", "")]) for name in names}
    found = changes(before, now)
    assert [change.case for change in found.first] == [name for name in names for _ in range(3)]
    common = Common(frozenset(names), frozenset())
    by_fall = changes_in(before, now, common, lambda change: float(change.case[1:]))
    assert by_fall.counts == found.counts
    assert [(change.sort, change.case) for change in by_fall.first] == [
        (sort, name) for sort in ("newly_wrong", "otherwise_wrong", "newly_right") for name in reversed(names)
    ]


def test_the_json_report_says_what_is_uncertain_and_the_kinds_only_where_there_are_any() -> None:
    whole, cut = (
        Explanations.of([Explanation("1", "missed", "m")]),
        Explanations.of([Explanation("2", "missed", "m"), Omitted("missed", 5)]),
    )
    for before, now in ((whole, cut), (cut, whole), (cut, cut), (whole, wrong("2")), (whole, whole)):
        found = changes({"d": before}, {"d": now})
        assert found.uncertain == (cut in (before, now))
        data = found.to_json()
        assert data.get("uncertain") == (1 if cut in (before, now) else None)
        assert Changes.from_json(data) == found
    nothing = changes({}, {}).to_json()
    assert nothing.keys() == {"counts", "first"}


def test_a_value_that_is_told_beside_an_item_is_no_change() -> None:
    """It is no error of the item, which is wrong in the same way as before."""
    before = Explanations.of([Explanation("1", "missed", "m")])
    now = Explanations.of([Explanation("1", "missed", "m"), Explanation("2", "low", "0.4", kind="value")])
    assert set(changes({"d": before}, {"d": now}).counts.values()) == {0}


ITEMS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["missed", "spurious"]))


@given(ITEMS, ITEMS)
def test_the_way_back_is_the_opposite(one: dict[str, str], other: dict[str, str]) -> None:
    def explained(items: dict[str, str]) -> dict[str, Explanations]:
        return {"d": Explanations.of(Explanation(item, reason, "") for item, reason in items.items())}

    there, back = changes(explained(one), explained(other)).counts, changes(explained(other), explained(one)).counts
    assert there["newly_wrong"] == back["newly_right"] == len(other.keys() - one.keys())
    assert (
        there["otherwise_wrong"] == back["otherwise_wrong"] == sum(one[item] != other[item] for item in one.keys() & other.keys())
    )


def test_what_was_right_and_is_right_is_no_change() -> None:
    with pytest.raises(ValueError, match="did not change"):
        _ = Change("d", "newly_wrong", None, None).explanation
