"""Intervals and advice: what is said of chance, and when nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.pairing import By
from pytest_nlpeval.metrics.resampling import Distribution, bootstrap
from pytest_nlpeval.reports.formats import FORMATS
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run import advice, chance
from tests.support import HALF, RIGHT, make_suite


def notes_and_intervals(folder: Path, *gates: str, documents: int = 1) -> tuple[tuple[str, ...], set[str]]:
    make_suite(folder, *gates, runs={f"d{rank:02}": RIGHT if rank % 2 else HALF for rank in range(documents)})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    result = evaluate(suite)
    return result.notes, set(result.intervals)


def test_a_ranking_has_an_interval_where_that_is_cheap_or_a_gate_judges_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four pairs are drawn 200 times if there are 800 draws, and that often at least."""
    assert {"accuracy", "cws", "cws.best"} <= notes_and_intervals(tmp_path, "accuracy: 0.1")[1]
    monkeypatch.setattr(chance, "MOST_DRAWN_BESIDE", 4 * chance.LEAST_RESAMPLES)
    assert {"accuracy", "cws", "cws.best"} <= notes_and_intervals(tmp_path, "accuracy: 0.1")[1]
    monkeypatch.setattr(chance, "MOST_DRAWN_BESIDE", 4 * chance.LEAST_RESAMPLES - 1)
    plain = notes_and_intervals(tmp_path, "accuracy: 0.1")[1]
    assert "accuracy" in plain
    assert not any("cws" in name for name in plain)
    assert notes_and_intervals(tmp_path, "accuracy: 0.1", "cws: 0.1")[1] == plain | {"cws"}


def test_what_no_gate_judges_is_drawn_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pairs and 1,000 draws are 250 resamples: as many are drawn where a gate judges none of the measures, and 10,000 otherwise."""
    drawn: list[int] = []

    def noted(evidence: Evidence, measures: Sequence[Measure], draws: Draws, by: By) -> dict[str, Distribution]:
        drawn.append(draws.resamples)
        return bootstrap(evidence, measures, draws, by)

    monkeypatch.setattr(chance, "bootstrap", noted)
    monkeypatch.setattr(chance, "MOST_DRAWN_UNJUDGED", 1_000)
    notes_and_intervals(tmp_path / "share", "accuracy: 0.1")  # its interval is Wilson's: all that are drawn are not judged
    assert max(drawn) == 250
    drawn.clear()
    notes_and_intervals(tmp_path / "ranking", "accuracy: 0.1", "cws: 0.1")
    assert max(drawn) == 10_000


def test_a_report_says_which_intervals_are_of_fewer_resamples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pairs: rankings that no gate judges have 1,000 / 4 resamples, Wilson's interval of the accuracy none, the gated ranking all."""
    monkeypatch.setattr(chance, "MOST_DRAWN_BESIDE", 1_000)
    make_suite(tmp_path, "accuracy: 0.1", "cws: 0.1", runs={"d": HALF})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    document = report_of([evaluate(suite)])
    scores = document.suites[0].scores
    assert {name: scores[name].resamples for name in ("accuracy", "cws", "cws.best")} == {
        "accuracy": None,
        "cws": None,
        "cws.best": 250,
    }
    assert {score.resamples for score in scores.values()} == {None, 250}
    drawn = sum(score.resamples == 250 for score in scores.values())
    page = "".join(FORMATS["html"](RUN, document, Setting()))
    assert f"10,000 draws (as few as 250 for {drawn} intervals), seed 12345" in page


def test_very_many_units_have_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "MOST_UNITS", 3)
    assert notes_and_intervals(tmp_path, "accuracy: 0.1") == ((), set())


def test_a_tighter_bound_is_proposed_in_enough_units(tmp_path: Path) -> None:
    """All 100 units are judged: Wilson's interval begins at 0.963, of which two decimals are proposed."""
    notes, _ = notes_and_intervals(tmp_path, "coverage: 0.5", documents=25)
    assert notes == ("limits that values clear with their intervals, which could be tighter: coverage ≥ 0.5 → 0.96",)
    assert notes_and_intervals(tmp_path / "few", "coverage: 0.5", documents=24)[0] == ()


def test_no_unit_alone_is_more_than_half_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where single units are drawn, none is looked for, and they are not ranked."""
    monkeypatch.delattr(advice, "ranks_of")
    assert list(advice.lopsided(Evidence.of(["1", "2"], {}), "units")) == []
