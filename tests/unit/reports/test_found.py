"""Thresholds that are proposed from today's intervals, and calls as a shell reads them."""

from __future__ import annotations

import shlex

import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_nlpeval.measures import COUNT, SHARE, Measure, Range, Sample, Values
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.reports.found import call_text, proposed
from pytest_nlpeval.run.recognition.deciding import Call


def no_values(sample: Sample) -> Values:
    raise NotImplementedError(sample)


def measure(better: str, range_: Range = SHARE) -> Measure:
    return Measure("m", "", "", no_values, range=range_, better="higher" if better == "higher" else "lower")


shares = st.floats(0, 1)
numbers = st.floats(-1e6, 1e6)


@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=3), st.sampled_from(["higher", "lower"]))
def test_a_threshold_of_a_share_is_a_little_worse_than_all_intervals(ends: list[tuple[float, float]], better: str) -> None:
    assume(all(abs(low - high) > 1e-6 for low, high in ends))
    intervals = [Interval(min(pair), max(pair)) for pair in ends]
    bound = proposed(measure(better), intervals)
    worst = min(interval.low for interval in intervals) if better == "higher" else max(interval.high for interval in intervals)
    if bound is None:
        assert worst <= 0.011 if better == "higher" else worst >= 0.989
        return
    assert 0 < bound < 1
    assert 0 < (worst - bound if better == "higher" else bound - worst) <= 0.0101
    assert bound == round(bound, 2)


@given(numbers, numbers)
def test_a_threshold_of_another_number_is_beyond_by_a_small_part_of_the_interval(one: float, another: float) -> None:
    low, high = sorted((one, another))
    assume(high - low > 1e-3)
    bound = proposed(measure("higher", Range(float("-inf"), float("inf"))), [Interval(low, high)])
    assert bound is not None
    assert low - 0.11 * (high - low) <= bound < low


def test_nothing_is_proposed_from_what_shows_nothing() -> None:
    assert proposed(measure("higher"), [Interval(0.5, 0.5)]) is None
    assert proposed(measure("higher"), [Interval(0.5, 0.7), Interval(1.0, 1.0)]) is None
    assert proposed(measure("higher"), [Interval(0.0, 0.7)]) is None
    assert proposed(measure("lower"), [Interval(0.5, 1.0)]) is None
    assert proposed(measure("lower", COUNT), [Interval(3, 7)]) is not None


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1),
    st.dictionaries(st.just("label"), st.text(min_size=1)),
)
def test_a_shell_reads_the_call_as_it_is_meant(path: str, options: dict[str, str]) -> None:
    words = shlex.split(call_text(Call("labels", options, {"gold": path}, 1, "")))
    assert words[:5] == ["nlpeval", "score", "labels", "--gold", path]
    assert [yaml.safe_load(word.partition("=")[2]) for word in words[6::2]] == list(options.values())
