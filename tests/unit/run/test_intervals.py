"""Which measures have intervals, of which kind, and from what is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from pytest_nlpeval.conditions import Min
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure, OfGroup, Sample
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.shares import wilson_interval
from pytest_nlpeval.run import chance
from pytest_nlpeval.run.chance import Chance
from tests.unit.run.test_against_baseline import FAST, gate, run, share

A, B = share("a"), share("b")
CONFIDENCE = 0.95


def intervals(
    evidence: Evidence, *measures: Measure, gated: str | None = None, resample: Literal["units", "documents"] = "units"
) -> dict[str, Interval]:
    gates = None if gated is None else [gate(gated, Min(0.5))]
    statistics = replace(FAST, resample=resample, confidence=CONFIDENCE)
    return Chance.of(evidence, statistics, gates).intervals(evidence, measures)


def test_a_share_of_units_has_wilsons_interval_and_one_of_documents_if_it_is_none_or_all() -> None:
    evidence = run(10, {"a": 12, "b": 0}, documents=4)
    assert intervals(evidence, A, B) == {"a": wilson_interval(40 - 12, 40, CONFIDENCE), "b": wilson_interval(40, 40, CONFIDENCE)}
    drawn = intervals(evidence, A, B, resample="documents")
    assert drawn["b"] == wilson_interval(40, 40, CONFIDENCE)
    assert drawn["a"][:2] == (10 / 40, 1.0), (
        "of four documents with 0, 8, 10 and 10 right: (1 + 4) / 4**4 have less than 10, 2**4 / 4**4 all"
    )
    none_right = run(10, {"a": 40}, documents=4)
    assert intervals(none_right, A, resample="documents") == {"a": wilson_interval(0, 40, CONFIDENCE)}


def test_units_without_a_value_are_none_of_a_share() -> None:
    """Of ten units four are judged, of which three are right."""
    judged = (np.arange(10) < 4).astype(np.int8)
    columns = {"right": judged * (np.arange(10) > 0), "judged": judged}
    share_of_judged = Measure("s", "", "", lambda sample: ratio(sample.total("right"), sample.total("judged")))
    assert intervals(Evidence.of("abcdefghij", columns), share_of_judged) == {"s": wilson_interval(3, 4, CONFIDENCE)}


@pytest.mark.parametrize("units", [1, 2])
def test_a_single_unit_has_none(units: int) -> None:
    found = intervals(run(units, {"a": 0}), A)
    assert found == ({} if units == 1 else {"a": wilson_interval(2, 2, CONFIDENCE)})


def test_nobody_who_wants_none_gets_one() -> None:
    evidence = run(10, {"a": 1})
    assert Chance.of(evidence, replace(FAST, confidence=None)).intervals(evidence, [A]) == {}


def test_of_very_many_units_only_those_are_worked_out_that_a_user_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "MOST_UNITS", 10)
    assert intervals(run(10, {"a": 1}), A, gated="a").keys() == {"a"}
    assert intervals(run(11, {"a": 1}), A, gated="a") == {}
    assert intervals(run(11, {"a": 1}), A).keys() == {"a"}


def test_of_very_many_groups_only_those_that_a_gate_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "MOST_OF_GROUPS", 2)
    evidence = run(10, {"a": 1})
    evidence = replace(evidence, columns={**evidence.columns, "in": np.ones(10, np.int8)})
    groups = [replace(A, name=f"{name}.a", of_group=OfGroup("a", name, "in")) for name in "xyz"]
    of_all = wilson_interval(9, 10, CONFIDENCE)
    assert intervals(evidence, A, *groups[:2], gated="a") == dict.fromkeys(("a", "x.a", "y.a"), of_all)
    assert intervals(evidence, A, *groups, gated="a").keys() == {"a"}
    assert intervals(evidence, A, *groups, gated="z.a").keys() == {"a", "x.a", "y.a", "z.a"}, "two others are not too many"
    assert intervals(evidence, A, *groups).keys() == {"a", "x.a", "y.a", "z.a"}, "a user asked for each"


def test_what_both_runs_have_decides_what_is_drawn_unless_the_statistics_say_it() -> None:
    now, then = run(2, {"a": 1}, documents=25), run(2, {"a": 1}, documents=2)
    assert Chance.of(now, FAST).pairs(now, then).by == "units"
    assert Chance.of(now, replace(FAST, resample="documents")).pairs(now, then).by == "documents"
    assert Chance.of(now, replace(FAST, resample="units")).pairs(now, then).by == "units"
    assert Chance.of(now, FAST).by == "documents"


def test_intervals_that_are_known_are_not_worked_out_again() -> None:
    evidence, known = run(10, {"a": 1}), Interval(0.25, 0.75)
    judged, score = Chance.of(evidence, replace(FAST, confidence=CONFIDENCE)), A.score(Sample(evidence))
    assert judged.scored(evidence, [A], {"a": known}) == {"a": (score, known)}
    assert judged.scored(evidence, [A]) == {"a": (score, wilson_interval(9, 10, CONFIDENCE))}
