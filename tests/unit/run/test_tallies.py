"""Counts of wrong items by kind, then and today."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.metrics.pairing import Common
from pytest_nlpeval.run.item_changes import Changes, changes
from pytest_nlpeval.run.tallies import Tally

WRONG = st.dictionaries(
    st.sampled_from("12345678"), st.tuples(st.sampled_from(["label", "missed"]), st.sampled_from("AB"), st.sampled_from("xy"))
)
COMMON = Common(frozenset({"d"}), frozenset())


def explanations(wrong: dict[str, tuple[str, str, str]]) -> Explanations:
    return Explanations.of(
        Explanation(item, reason, "", kind="other", pair=(label, "C"), group=group)
        for item, (reason, label, group) in wrong.items()
    )


def compared(before: dict[str, tuple[str, str, str]], now: dict[str, tuple[str, str, str]], common: Common = COMMON) -> Changes:
    return changes({"d": explanations(before)}, {"d": explanations(now)}, common)


@given(WRONG, WRONG)
def test_each_sort_of_kinds_adds_up_to_the_wrong_items_of_both_runs(
    before: dict[str, tuple[str, str, str]], now: dict[str, tuple[str, str, str]]
) -> None:
    found = compared(before, now)
    for tallies in found.by.values():
        assert sum(tally.then for tally in tallies) == len(before)
        assert sum(tally.today for tally in tallies) == len(now)
        assert sum(tally.newly_wrong for tally in tallies) == found.counts["newly_wrong"] == len(now.keys() - before.keys())
        assert sum(tally.newly_right for tally in tallies) == found.counts["newly_right"] == len(before.keys() - now.keys())
        assert [tally.growth for tally in tallies] == sorted((tally.growth for tally in tallies), reverse=True)


@given(WRONG, WRONG)
def test_tallies_survive_json(before: dict[str, tuple[str, str, str]], now: dict[str, tuple[str, str, str]]) -> None:
    found = compared(before, now)
    assert Changes.from_json(found.to_json()) == found


def test_an_item_that_is_wrong_for_another_reason_moves_between_kinds() -> None:
    found = compared({"1": ("missed", "A", "x")}, {"1": ("label", "A", "x")})
    assert found.by["reason"] == (Tally(name="label", today=1), Tally(name="missed", then=1))
    assert found.by["pair"] == (Tally(gold="A", system="C", then=1, today=1),)


def test_what_only_one_run_was_asked_does_not_count() -> None:
    found = compared({}, {"1": ("missed", "A", "x")}, Common(frozenset({"d"}), frozenset({("d", "1")})))
    assert found.by == {}


def test_what_is_counted_and_not_kept_counts_by_reason_and_document() -> None:
    many = Explanations({"label": 5}, (Explanation("1", "label", "", kind="other", item="1", group="x"),))
    found = changes({"d": Explanations()}, {"d": many}, COMMON)
    assert found.by["reason"] == (Tally(name="label", today=5, newly_wrong=1),)
    assert found.by["document"] == (Tally(name="d", today=5, newly_wrong=1),)
    assert found.by["group"] == (Tally(name="x", today=1, newly_wrong=1),)
