"""What is told of a comparison with a baseline: the facts of the JSON report, and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from pytest_nlpeval.baselines.origin import today
from pytest_nlpeval.conditions import MaxDrop, Standing
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import COUNT, Measure, Sample, Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.run.against_baseline import Comparison, compare
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.runs import Run
from tests.unit.run.test_against_baseline import FAST, gate, run, share


def test_what_reports_are_told_of_a_baseline() -> None:
    """What there is nothing of is left out, an age of 0 days is not."""
    empty = Comparison(Run("base", reason="it has no such suite", is_new=True), {})
    assert empty.to_json() == {"source": "base", "reason": "it has no such suite", "new": True}
    today_ = today().isoformat()
    then = Run("b.json", "c0ffee", added=("d1",), broken=("d2",), written=today_, subject="s", author="a", day="2026-01-02")
    assert Comparison(then, {}, "units", {"paired": 3, "added": 0}).to_json() == {
        "source": "b.json",
        "commit": "c0ffee",
        "subject": "s",
        "author": "a",
        "date": "2026-01-02",
        "resampled": "units",
        "units": {"paired": 3, "added": 0},
        "documents_added": ["d1"],
        "documents_broken": ["d2"],
        "written": today_,
        "age_days": 0,
    }


def test_what_reports_are_told_of_a_score_against_the_baseline() -> None:
    tested = Standing(Score(0.5), Score(0.75), 0.25, p=0.125)
    untested = Standing(Score(0.5), Score(0.75), 0.25)
    standings = {"tested": tested, "untested": untested, "new": Standing(Score(0.5), Score(None, "it is new"))}
    comparison = Comparison(Run("base"), standings, drops={"tested": Interval(0.1, 0.4), "new": Interval(0.1, 0.4)})
    facts = {"baseline": 0.75, "drop": 0.25}
    assert comparison.of_score("tested") == {**facts, "p": 0.125, "drop_low": 0.1, "drop_high": 0.4}
    assert comparison.of_score("untested") == facts
    assert comparison.of_score("new") == comparison.of_score("nowhere") == {}


def told(now: Evidence, then: Run) -> list[str]:
    measures = [share(name) for name in now.columns]
    scores = {measure.name: measure.score(Sample(now)) for measure in measures}
    return list(compare(now, measures, scores, [], then, Chance.of(now, FAST, [])).sentences())


def test_sentences_of_a_comparison() -> None:
    """Each document has 20 units: today's d0 has 5 more, and d1 is gone; 7 units of d0 became wrong."""
    baseline = run(20, {"a": 0}, documents=2)
    (first,) = run(25, {"a": 7}).split()
    yesterday = (today() - timedelta(days=1)).isoformat()
    then = Run(
        "b.json", "c0ffee0123456789", baseline, broken=("x", "y", "z", "w"), codes={"x": ("a.b", "c.d")}, written=yesterday
    )
    assert told(first, then) == [
        "compared with b.json (c0ffee0, 1 day old): 7 of 20 units differ, 5 added, 20 removed",
        "drops are over the 20 units of both runs, scores over all of today's",
        "4 documents with errors in the baseline: x (a.b, c.d), y, z, …",
    ]
    (verdict,) = told(baseline, Run("then", evidence=baseline, added=("u", "v", "w"), written=today().isoformat()))[:1]
    assert verdict == "compared with then: 0 of 40 units differ"
    assert told(baseline, Run("then", evidence=baseline, added=("u", "v", "w")))[1:] == [
        "3 documents not in the baseline: u, v, w"
    ]
    assert told(baseline, Run("then", reason="there is no commit")) == ["not compared with the baseline: there is no commit"]


@pytest.mark.parametrize(
    ("by", "differing", "verdicts_", "said"),
    [
        ("units", 5, 2, " (2 in what is right, 3 only in numbers)"),
        ("units", 5, 0, " (0 in what is right, 5 only in numbers)"),
        ("units", 5, 5, ""),
        ("units", 5, None, ""),
        ("units", 0, 0, ""),
        ("documents", 5, 0, " (only in numbers)"),
        ("documents", 5, 7, ""),  # units, of five documents
        ("documents", 5, 2, ""),
    ],
)
def test_units_that_changed_in_numbers_alone_are_told(by: str, differing: int, verdicts_: int | None, said: str) -> None:
    units = {"paired": 9, "added": 0, "removed": 0, "differing": differing}
    then = Run("then", evidence=run(9, {"a": 0}))
    (sentence,) = Comparison(then, {}, by, units, verdicts=verdicts_).sentences()
    assert sentence == f"compared with then: {differing} of 9 {by} differ{said}"


def test_what_says_that_a_unit_is_right_is_the_gated_shares_or_the_first_share() -> None:
    """Units 0 and 1 changed in `a`, and 0 to 3 in `b`; neither a count, an error rate nor what no single unit has says what is right."""
    now, then = run(9, {"a": 2, "b": 4}), Run("then", evidence=run(9, {"a": 0, "b": 0}))
    of_b = share("b")
    others = [
        replace(of_b, name="count", range=COUNT),
        replace(of_b, name="rate", better="lower"),
        replace(of_b, name="mean", needs="documents"),
    ]

    def changed(measures: Sequence[Measure], *gated: str) -> int | None:
        scores = {measure.name: measure.score(Sample(now)) for measure in measures}
        gates = [gate(name, MaxDrop(0.0)) for name in gated]
        return compare(now, measures, scores, gates, then, Chance.of(now, FAST, gates)).verdicts

    assert changed([*others, share("a"), of_b]) == 2
    assert changed([*others, share("a"), of_b], "rate", "count") == 2
    assert changed([*others, share("a"), of_b], "b") == 4
    assert changed([share("b"), share("a")], "a") == 2
