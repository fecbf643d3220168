"""What conditions say, word for word: these sentences are what people act on."""

from __future__ import annotations

import math

import pytest

from pytest_nlpeval import conditions
from pytest_nlpeval.conditions import Condition, Max, MaxDrop, MaxDropRelative, Min, NoGroupFalls, NonInferior, Standing
from pytest_nlpeval.falls import GroupFall, GroupFalls
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.guards import GuardedUnit, Listing, MaxNewlyWrong, MaxWorse, MustPass, naming, settings_of
from pytest_nlpeval.measures import Score
from pytest_nlpeval.numbers import TOLERANCE


def standing(value: float, before: float | None = None, **facts: object) -> Standing:
    made = Standing(Score(value)) if before is None else Standing(Score(value), Score(before), before - value)
    for name, fact in facts.items():
        object.__setattr__(made, name, fact)
    return made


def fallen(*groups: GroupFall, lost: tuple[str, ...] = ()) -> Standing:
    return standing(0.5, 0.6, falls=GroupFalls(groups, lost=lost))


IE, QA = GroupFall("IE", 0.5, 0.75, 0.25), GroupFall("QA", 0.5, 0.5, 0.0)

SENTENCES: list[tuple[Condition, Standing, bool | None, str]] = [
    (Min(0.5), standing(0.5), True, ""),
    (Min(0.5), standing(0.4), False, "0.400 is short by 0.100"),
    (Max(0.5), standing(0.6), False, "0.600 is over by 0.100"),
    (Max(0.5), Standing(Score(None, "nothing was asked")), None, "nothing was asked"),
    (MaxDrop(0.25), standing(0.5, 0.75), True, ""),
    (MaxDrop(0.01), standing(0.5, 0.6), False, "0.500, was 0.600: the drop of 0.100 is over by 0.090"),
    (MaxDrop(0.01), standing(0.5, 0.6, p_adjusted=0.001), False, "0.500, was 0.600: the drop of 0.100 is over by 0.090"),
    (MaxDrop(0.01, 0.05), standing(0.5, 0.6), False, "0.500, was 0.600: the drop of 0.100 is over by 0.090"),
    (
        MaxDrop(0.01, 0.05),
        standing(0.7, 0.6, compared=0.5, drop=0.1),
        False,
        "0.500, was 0.600: the drop of 0.100 is over by 0.090",
    ),
    (
        MaxDrop(0.01, 0.05),
        standing(0.5, 0.6, p_adjusted=0.04),
        False,
        "0.500, was 0.600: the drop of 0.100 is over by 0.090, more than chance explains (p = 0.040)",
    ),
    (MaxDrop(0.01, 0.05), standing(0.5, 0.6, p_adjusted=0.06), True, "the drop of 0.100 may be chance (p = 0.060)"),
    (
        MaxDrop(0.01, 0.05),
        standing(0.5, 0.6, p_adjusted=0.25, limit="2 units differ"),
        True,
        "the drop of 0.100 may be chance (p = 0.250); only 2 units differ: no drop could have been more than chance explains",
    ),
    (MaxDrop(0.0), standing(0.5, 0.5, drop=TOLERANCE), True, ""),
    (MaxDropRelative(0.5), standing(0.25, 0.5), True, ""),
    (MaxDropRelative(0.1), standing(0.25, 0.5), False, "0.250, was 0.500: the drop of 0.250 is over by 0.200"),
    (NonInferior(0.02), standing(0.5, 0.5, upper=0.0, is_same=True), True, "the outputs are identical"),
    (NonInferior(0.02), standing(0.5, 0.5, upper=0.01), True, ""),
    (
        NonInferior(0.02),
        standing(0.5, 0.5, upper=0.02),
        False,
        "the drop of 0 may be as great as 0.020 (95 % one-sided)",
    ),
    (
        NonInferior(0.02, 0.1),
        standing(0.5, 0.6, upper=0.2),
        False,
        "the drop of 0.100 may be as great as 0.200 (90 % one-sided)",
    ),
    (NonInferior(0.02), standing(0.5, 0.5, upper=math.inf), False, "too few units to say how great the drop may be"),
    (NoGroupFalls(0.02), fallen(QA, IE), False, "group IE: 0.500, was 0.750: the drop of 0.250 is over by 0.230"),
    (NoGroupFalls(0.25), fallen(QA, IE), True, ""),
    (NoGroupFalls(0.02), fallen(QA, lost=("IR",)), None, "no value any more in IR"),
    (NoGroupFalls(0.02), fallen(), None, "no group is in both runs with a value"),
    (
        NoGroupFalls(0.02, 0.05),
        fallen(IE._replace(p_adjusted=0.2)),
        True,
        "the greatest drop, 0.250 of group IE, may be chance (p = 0.200)",
    ),
    (
        NoGroupFalls(0.02, 0.05),
        fallen(IE._replace(p_adjusted=0.01)),
        False,
        "group IE: 0.500, was 0.750: the drop of 0.250 (p = 0.010) is over by 0.230",
    ),
    (NoGroupFalls(0.02), Standing(Score(0.5), Score(None, "it is new"), is_new=True), True, "it is new"),
    (NoGroupFalls(0.02), Standing(Score(None, "nothing was asked"), is_new=True), None, "nothing was asked"),
]


@pytest.mark.parametrize(("condition", "judged_by", "holds", "reason"), SENTENCES)
def test_a_condition_says_why(condition: Condition, judged_by: Standing, holds: bool | None, reason: str) -> None:
    assert condition.holds(judged_by) is holds
    assert condition.reason(judged_by) == reason


def test_each_condition_is_judged_by_its_own_test() -> None:
    tested = standing(0.5, 0.6, tested={"max_drop": conditions.Tested(0.01, 0.02, "3 units differ")})
    assert (tested.of("max_drop").p, tested.of("max_drop").p_adjusted, tested.of("max_drop").limit) == (
        0.01,
        0.02,
        "3 units differ",
    )
    assert tested.of("max_drop_relative") is tested


def test_the_json_of_a_verdict_has_the_facts_that_its_condition_needs() -> None:
    drop = standing(0.5, 0.6, p=0.01, p_adjusted=0.02, upper=0.15, detectable=0.05)
    compared = Verdict("f1", NonInferior(0.02), drop, "failed", "so", 3, informational=False).to_json()
    alone = Verdict("f1", Min(0.6), drop, "failed", "so", 3, informational=False).to_json()
    own = {"measure": "f1", "value": 0.5, "verdict": "failed", "reason": "so", "line": 3, "informational": False}
    assert alone == own | {"condition": "min", "threshold": 0.6}
    facts = {"baseline": 0.6, "drop": pytest.approx(0.1), "p": 0.01, "p_adjusted": 0.02, "upper": 0.15, "detectable": 0.05}
    assert compared == own | facts | {"condition": "non_inferior", "threshold": 0.02}
    assert (
        "upper"
        not in Verdict(
            "f1", NonInferior(0.02), standing(0.5, 0.6, upper=math.inf), "failed", "", 3, informational=False
        ).to_json()
    )


def test_the_json_of_a_verdict_on_groups_has_what_became_of_them_and_no_test_of_the_whole() -> None:
    falls = GroupFalls((GroupFall("IE", 0.5, 0.75, 0.25),), lost=("QA",))
    drop = standing(0.5, 0.6, p=0.01, p_adjusted=0.02, upper=0.15, detectable=0.05, falls=falls)
    told = Verdict("f1", NoGroupFalls(0.02, 0.05), drop, "failed", "so", 3, informational=False).to_json()
    own = {"measure": "f1", "value": 0.5, "verdict": "failed", "reason": "so", "line": 3, "informational": False}
    facts = {"condition": "no_group_falls", "threshold": 0.02, "alpha": 0.05, "baseline": 0.6, "drop": pytest.approx(0.1)}
    group = {"group": "IE", "value": 0.5, "baseline": 0.75, "drop": 0.25}
    assert told == own | facts | {"groups": {"groups": [group], "lost": ["QA"]}}
    assert "groups" not in Verdict("f1", MaxDrop(0.02), drop, "failed", "so", 3, informational=False).to_json()
    without = Verdict("f1", NoGroupFalls(0.02), standing(0.5, 0.6), "unjudged", "so", 3, informational=False).to_json()
    assert "groups" not in without


def test_the_distance_of_groups_is_that_of_the_group_that_falls_most() -> None:
    assert NoGroupFalls(0.02).distance(fallen(QA, IE)) == 0.02 - 0.25
    chance = fallen(QA._replace(drop=0.1, p_adjusted=0.01), IE._replace(p_adjusted=0.9))
    assert NoGroupFalls(0.02, 0.05).distance(chance) == 0.02 - 0.1
    assert NoGroupFalls(0.02).distance(fallen()) is None
    assert NoGroupFalls(0.02).distance(standing(0.5)) is None
    assert not NoGroupFalls(0.02).has_nothing_to_judge(Standing(Score(None, "none"), is_new=True, is_counted=True))
    assert (NoGroupFalls(0.02).bound, NoGroupFalls(0.02, 0.05).bound) == (
        "drop of each group ≤ 0.02",
        "drop of each group ≤ 0.02 (alpha 0.05)",
    )


# Guards


def test_ten_units_are_named_and_others_counted() -> None:
    units = [GuardedUnit("d", f"u{rank}", None, None) for rank in range(12)]
    assert naming(units[:2], 2, by_case=False) == "u0, u1"
    assert naming(units[:2], 2, by_case=True) == "d/u0, d/u1"
    ten = ", ".join(f"u{rank}" for rank in range(10))
    assert naming(units[:10], 10, by_case=False) == ten
    assert naming(units[:11], 11, by_case=False) == f"{ten}, … (1 more unit)"
    assert naming(units, 12, by_case=False) == f"{ten}, … (2 more units)"


def test_guards_take_numbers_lists_paths_and_differences() -> None:
    assert MustPass.of(["a", 1]).listing == Listing(("a", "1"), "")
    assert MustPass.of("golden.txt").listing == Listing((), "golden.txt")
    assert MaxNewlyWrong.of(2).threshold == 2
    worse = [MaxWorse.of(value) for value in (2, {"units": 3, "by": 0.5}, {"units": 3}, {"by": 0.5})]
    assert [(guard.threshold, guard.by) for guard in worse] == [(2, 0), (3, 0.5), (3, 0), (0, 0.5)]


def test_a_report_tells_what_of_a_guard_is_not_as_usual() -> None:
    assert settings_of(MaxWorse(0.0)) == {}
    assert settings_of(NonInferior(0.02, 0.05)) == {}
    assert settings_of(MaxWorse(0.0, by=0.2)) == {"by": 0.2}
    assert settings_of(MaxNewlyWrong(0.0, right=0.8)) == {"right": 0.8}
