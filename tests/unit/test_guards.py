"""What guards take from the other fields of their gate, and of which measures they can be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import pytest

from pytest_nlpeval.conditions import Min, Standing
from pytest_nlpeval.gates import Gate, judge
from pytest_nlpeval.guards import (
    GUARDS,
    Finding,
    Guard,
    GuardedUnit,
    Listing,
    MaxNewlyWrong,
    MaxWorse,
    MustPass,
    least_right,
    mistake,
    naming,
)
from pytest_nlpeval.measures import SHARE, Measure, Range, Sample, Score, Values

BEYOND = Range(-math.inf, math.inf)


def no_values(sample: Sample) -> Values:
    raise NotImplementedError(str(sample))


def measure(
    name: str, needs: Literal["totals", "documents"] = "totals", within: Range = SHARE, right: float | None = None
) -> Measure:
    return Measure(name, "", "", no_values, needs=needs, range=within, right=right)


@pytest.mark.parametrize("guard", [MaxNewlyWrong(2.0), MaxWorse(1.0, by=0.25), MustPass(0.0, listing=Listing(("a",)))])
@pytest.mark.parametrize("strict", [False, True])
def test_a_guard_takes_what_the_gate_sets(guard: Guard, strict: bool) -> None:
    (found,) = Gate("m", 1, {"min": Min(0.5), guard.name: guard}, right=0.75, strict=strict).guards()
    assert (type(found), found.threshold, found.by, found.listing) == (type(guard), guard.threshold, guard.by, guard.listing)
    assert (found.right, found.strict) == (0.75, strict)


def test_a_guard_is_judged_by_its_count_and_never_by_the_score() -> None:
    gate = Gate("m", 1, {"max_newly_wrong": MaxNewlyWrong(1.0)})
    (failed,) = judge(gate, Standing(Score(0.9)), {"max_newly_wrong": Finding(2, "2 units are newly wrong: a, b")})
    assert (failed.verdict, failed.reason, failed.standing.score.value) == ("failed", "2 units are newly wrong: a, b", 2)
    (unjudged,) = judge(gate, Standing(Score(None, "a file has errors")))
    assert (unjudged.verdict, unjudged.reason, unjudged.holds) == ("unjudged", "a file has errors", False)


def test_from_which_value_a_unit_is_right() -> None:
    assert least_right(measure("m", right=0.5), 0.75) == 0.75
    assert least_right(measure("m", right=0.5), 0.0) == 0, "a gate may say that every unit is right"
    assert least_right(measure("m", right=0.5), None) == 0.5
    assert least_right(measure("m", right=0.0), None) == 0
    assert least_right(measure("m"), None) == 1
    assert least_right(measure("m", within=BEYOND), None) is None


WITHOUT_UNITS = measure("ece", needs="documents")
MANY = [measure(f"m{number}") for number in range(13)]


@pytest.mark.parametrize(
    ("names", "of", "right", "measures", "message"),
    [
        ("max_worse max_newly_wrong must_pass known_failures", measure("m"), None, [], ""),
        ("max_worse", measure("m", within=BEYOND), None, [], ""),
        ("must_pass", measure("m", within=BEYOND), 0.0, [], ""),
        (
            "max_worse must_pass known_failures",
            measure("m", within=BEYOND),
            None,
            [],
            "must_pass, known_failures of m needs `right`, the value from which a unit is right: its range has no best end",
        ),
        (
            "must_pass max_worse",
            WITHOUT_UNITS,
            None,
            [WITHOUT_UNITS, measure("a"), measure("b", within=BEYOND), measure("c")],
            "ece has no value of a single unit, which must_pass, max_worse needs; such measures are a, c",
        ),
        (
            "must_pass",
            WITHOUT_UNITS,
            0.5,
            [measure("b", within=BEYOND)],
            "ece has no value of a single unit, which must_pass needs; such measures are b",
        ),
        (
            "must_pass",
            WITHOUT_UNITS,
            None,
            [WITHOUT_UNITS],
            "ece has no value of a single unit, which must_pass needs; such measures are none",
        ),
        (
            "must_pass",
            WITHOUT_UNITS,
            None,
            MANY,
            "ece has no value of a single unit, which must_pass needs; such measures are m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11",
        ),
    ],
)
def test_of_which_measures_guards_can_be(
    names: str, of: Measure, right: float | None, measures: Sequence[Measure], message: str
) -> None:
    assert mistake([GUARDS[name](0.0) for name in names.split()], of, right, measures) == message


def test_the_first_ten_units_are_named() -> None:
    units = [GuardedUnit("d", f"q{number}", None, 0.0) for number in range(12)]
    first = ", ".join(f"q{number}" for number in range(10))
    assert naming(units[:10], 10, by_case=False) == first
    assert naming(units[:11], 11, by_case=False) == f"{first}, … (1 more unit)"
    assert naming(units, 12, by_case=False) == f"{first}, … (2 more units)"
    assert naming(units[:2], 2, by_case=True) == "d/q0, d/q1"
