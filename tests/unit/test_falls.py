"""What becomes of groups against a baseline, and how it is said."""

from __future__ import annotations

from pytest_nlpeval.conditions import NoGroupFalls, Standing
from pytest_nlpeval.falls import GroupFall, GroupFalls
from pytest_nlpeval.measures import Score

NEWS = GroupFall("news", 0.7, 0.9, 0.2, 0.1, 0.3, p=0.001, p_adjusted=0.002)
WEB = GroupFall("web", 0.5, 0.8, 0.3, p=0.04, p_adjusted=0.06)
MAIL = GroupFall("mail", 0.9, 0.8, -0.1, p=1.0, p_adjusted=1.0)


def judged(falls: GroupFalls | None, allowed: float = 0.05, alpha: float | None = 0.05) -> tuple[bool | None, str]:
    condition = NoGroupFalls(allowed, alpha)
    standing = Standing(Score(0.7), Score(0.8), 0.1, falls=falls)
    return condition.holds(standing), condition.reason(standing)


def test_the_worst_group_that_falls_is_named_with_its_drop_interval_and_p() -> None:
    holds, reason = judged(GroupFalls((MAIL, NEWS, WEB)))
    assert holds is False
    assert reason == "group news: 0.700, was 0.900: the drop of 0.200 [0.100, 0.300] (p = 0.002) is over by 0.150"


def test_without_a_level_every_greater_drop_fails() -> None:
    holds, reason = judged(GroupFalls((MAIL, NEWS, WEB)), alpha=None)
    assert holds is False
    assert reason.startswith("group web: 0.500, was 0.800: the drop of 0.300")
    assert reason.endswith("; so fall news")


def test_a_drop_that_may_be_chance_passes_and_is_told() -> None:
    holds, reason = judged(GroupFalls((WEB, MAIL)))
    assert holds is True
    assert reason == "the greatest drop, 0.300 of group web, may be chance (p = 0.060)"
    assert judged(GroupFalls((MAIL,))) == (True, "")


def test_a_drop_as_great_as_allowed_passes() -> None:
    assert judged(GroupFalls((NEWS,)), allowed=0.2, alpha=None) == (True, "")


def test_a_p_as_great_as_alpha_and_a_drop_without_test_fail() -> None:
    assert judged(GroupFalls((WEB,)), alpha=0.06)[0] is False
    assert judged(GroupFalls((WEB,)), alpha=0.0599)[0] is True
    assert judged(GroupFalls((GroupFall("untested", 0.5, 0.9, 0.4),)))[0] is False


def test_the_greatest_drop_is_told_of_whatever_group_it_is_and_why_nothing_could_be_shown() -> None:
    first = GroupFall("a", 0.2, 0.8, 0.6, p=0.25, p_adjusted=0.5, limit="2 units differ")
    holds, reason = judged(GroupFalls((WEB, first, MAIL)))
    assert holds is True
    assert reason.startswith("the greatest drop, 0.600 of group a, may be chance (p = 0.500); ")
    assert reason.endswith("; only 2 units differ: no drop could have been more than chance explains")


def test_five_groups_are_named_and_the_others_counted() -> None:
    five = tuple("abcde")
    assert judged(GroupFalls((MAIL,), lost=five))[1] == "no value any more in a, b, c, d, e"
    assert judged(GroupFalls((MAIL,), lost=(*five, "f", "g")))[1] == "no value any more in a, b, c, d, e, … (2 more)"


def test_a_group_that_lost_its_value_is_no_pass() -> None:
    assert judged(GroupFalls((MAIL,), lost=("web",))) == (None, "no value any more in web")
    assert judged(GroupFalls((NEWS,), lost=("web",)))[0] is False


def test_without_common_groups_there_is_nothing_to_judge() -> None:
    holds, reason = judged(GroupFalls((), added=("new",), gone=("old",)))
    assert holds is None
    assert reason == "no group is in both runs with a value; not in the baseline: new; gone since the baseline: old"


def test_groups_too_small_to_fail_are_told_and_do_not_fail() -> None:
    tiny = GroupFall("tiny", 0.0, 1.0, 1.0)
    holds, reason = judged(GroupFalls((MAIL, tiny), small=(("tiny", 2),)))
    assert holds is True
    assert reason.startswith("the greatest drop, 1.000 of group tiny, may be chance; ")
    assert reason.endswith("too small for any drop to be more than chance explains (alpha 0.05): tiny (2 units)")
    assert judged(GroupFalls((MAIL, tiny), small=(("tiny", 2),)), alpha=None)[0] is False


def test_a_suite_that_the_baseline_does_not_have_passes_and_a_missing_baseline_does_not() -> None:
    condition = NoGroupFalls(0.1)
    assert condition.holds(Standing(Score(0.5), is_new=True)) is True
    assert condition.holds(Standing(Score(0.5))) is None
    assert "no baseline" in condition.reason(Standing(Score(0.5)))
    assert not condition.has_nothing_to_judge(Standing(Score(None), is_counted=True))


def test_falls_survive_json() -> None:
    falls = GroupFalls((NEWS, WEB, MAIL), ("a",), ("b",), (("c", 3),), ("d",), ("e",))
    assert GroupFalls.from_json(falls.to_json()) == falls
    untested = GroupFalls((GroupFall("a", 0.5, 0.9, 0.4),))
    assert untested.to_json() == {"groups": [{"group": "a", "value": 0.5, "baseline": 0.9, "drop": 0.4}]}
    assert GroupFalls.from_json(untested.to_json()) == untested


def test_what_is_demanded_and_how_it_fails() -> None:
    condition = NoGroupFalls(0.05, 0.01)
    standing = Standing(Score(0.7), falls=GroupFalls((NEWS, MAIL)))
    assert condition.bound == "drop of each group ≤ 0.05 (alpha 0.01)"
    assert condition.distance(standing) == 0.05 - 0.2
