"""What is of fewer resamples than the statistics say: every report says so, of scores, drops, differences and p-values."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.pairing import Pairs
from pytest_nlpeval.metrics.resampling import Distribution, Significance, bootstrap_drops, randomise
from pytest_nlpeval.run import chance
from pytest_nlpeval.run.chance import Chance
from tests.support import command, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.run.outputs import make_systems, run_wrong_on
from tests.unit.run.test_numbers_of_resamples import ADDITIVE, NOW, THEN, judging, ranking

UNITS = 16
"""Pairs of a document: all of them differ, too many for all ways to swap to be counted in so few resamples."""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two systems that rank pairs; `ours` became wrong everywhere, and `other` is wrong on half of them."""
    top = start(tmp_path / "repo")
    monkeypatch.chdir(make_systems(top, ours=(), other=()))
    write(top, {"ours/a.txt": ranked(()), "other/a.txt": ranked(range(1, 9))})
    commit(top)
    write(top, {"ours/a.txt": ranked(range(1, 17))})
    commit(top)
    monkeypatch.setattr(chance, "MOST_DRAWN", 2 * 250 * UNITS)
    return top


def ranked(wrong: Collection[int]) -> str:
    """A run with confidences, which is wrong on some pairs."""
    lines = run_wrong_on(wrong).splitlines()
    return "".join(f"{line} {1 - rank / 100:.2f}\n" for rank, line in enumerate(lines))


def document(schema: str, path: str = "r.json") -> Any:
    read = json.loads(Path(path).read_bytes())
    jsonschema.Draft202012Validator(json_schema(schema)).validate(read)
    return read


def row(path: str, *names: str, **cells: str) -> list[str]:
    """The cells of these names in the one row of a CSV file that has these cells."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        (of_cells,) = (each for each in csv.DictReader(file) if cells.items() <= each.items())
    return [of_cells[name] for name in names]


@pytest.mark.parametrize("resamples", [200, 1_000])
def test_an_interval_and_a_test_say_how_many_were_drawn_if_these_are_fewer(
    resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: dict[str, int] = {}
    swapped: dict[str, int] = {}

    def drops(pairs: Pairs, measures: Sequence[Measure], draws: Draws) -> dict[str, Distribution]:
        drawn.update((measure.name, draws.resamples) for measure in measures)
        return bootstrap_drops(pairs, measures, draws)

    def swaps(pairs: Pairs, measures: Sequence[Measure], draws: Draws, levels: object) -> dict[str, Significance]:
        assert levels is None
        swapped.update((measure.name, draws.resamples) for measure in measures)
        return randomise(pairs, measures, draws)

    monkeypatch.setattr(chance, "bootstrap_drops", drops)
    monkeypatch.setattr(chance, "randomise", swaps)
    monkeypatch.setattr(chance, "MOST_DRAWN", 300 * len(NOW.units))
    how, measures = judging("a", "r", resamples=resamples), [*ADDITIVE, ranking("r")]
    pairs = how.pairs(NOW, THEN)
    intervals, tests = how.drop_intervals(pairs, measures), how.tests(pairs, measures)
    fewer = {name: number if number < resamples else None for name, number in drawn.items()}
    assert {name: interval.resamples for name, interval in intervals.items()} == fewer
    assert fewer["r"] == max(100, resamples // 8)
    assert fewer["a"] == (300 if resamples == 1_000 else None)
    assert swapped["a"] == resamples, "additive measures are swapped as often as the statistics say, however many units there are"
    assert {name: test.resamples for name, test in tests.items()} == {
        name: None if tests[name].is_exact or number == resamples else number for name, number in swapped.items()
    }


def test_a_user_who_asks_for_each_measure_gets_as_many_for_those_that_are_sums() -> None:
    how = Chance.of(NOW, judging(resamples=200).statistics)
    pairs = how.pairs(NOW, THEN)
    assert {interval.resamples for interval in how.drop_intervals(pairs, ADDITIVE).values()} == {None}
    assert {interval.resamples for interval in how.intervals(NOW, [*ADDITIVE, ranking("r")]).values()} == {None}


def test_a_run_with_a_baseline_says_it_in_every_format(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    names = {"json": "r.json", "html": "r.html", "markdown": "r.md", "text": "r.txt", "csv": "r.csv"}
    reports = [part for form, name in names.items() for part in ("--report", f"{form}:{name}")]
    ended = command(capfd, "run", "--suite", "dev/ours", "--no-cache", "--baseline", "git:HEAD~1", *reports)
    (suite,) = document("report.schema.json")["suites"]
    accuracy, cws = suite["scores"]["accuracy"], suite["scores"]["cws"]
    assert "resamples" not in accuracy, "the interval of a share is Wilson's"
    assert accuracy["drop_resamples"] == 500
    assert (cws["drop_resamples"], cws["p_resamples"]) == (10_000 // 8, 10_000 // 8)
    assert "p_resamples" not in accuracy
    scores = list(suite["scores"].values())
    intervals = sum(name in score for score in scores for name in ("resamples", "drop_resamples"))
    tests = sum("p_resamples" in score for score in scores)
    told = f"(as few as 500 for {intervals} intervals and {tests} p-values)"
    for name in ("r.html", "r.md", "r.txt"):
        assert told in " ".join((repo / name).read_text().split()), name
    fewer = ("resamples", "drop_resamples", "p_resamples")
    assert row("r.csv", *fewer, measure="accuracy", document="") == ["", "500", ""]
    assert row("r.csv", *fewer, measure="cws", document="") == [str(cws.get(name, "")) for name in fewer]
    assert "10,000 resamples (as few as 500 for 1 interval)" in ended.out, "which shows the gated measure alone"
    plain = command(capfd, "run", "--suite", "dev/ours", "--no-cache", "--baseline", "git:HEAD~1")
    assert plain == ended


@pytest.mark.parametrize("form", ["text", "html", "markdown", "latex"])
def test_a_comparison_says_it(repo: Path, capfd: pytest.CaptureFixture[str], form: str) -> None:
    reports = ("--report", "json:r.json", "--report", f"{form}:r.{form}", "--report", "csv:r.csv")
    ended = command(capfd, "compare", "--no-cache", "dev/ours", "dev/other", "--measure", "cws", "--resamples", "300", *reports)
    assert ended.code == 0, ended.all
    measures = document("comparison.schema.json")["measures"]
    (cws,) = [measure for measure in measures if measure["measure"] == "cws"]
    (difference,) = cws["differences"]
    assert (difference["resamples"], difference["p_resamples"]) == (100, 100), "there are 256 ways to swap eight units"
    facts = [fact for measure in measures for fact in (*measure["scores"], *measure["differences"])]
    intervals, tests = (sum(name in fact for fact in facts) for name in ("resamples", "p_resamples"))
    assert (intervals, tests) == (1, 1)
    assert (
        row("r.csv", "resamples", "p_resamples", measure="cws", system=difference["second"], minus=difference["first"])
        == ["100"] * 2
    )
    told = "300 resamples of units (as few as 100 for 1 interval and 1 p-value), seed"
    assert told in " ".join((repo / f"r.{form}").read_text().split())


@pytest.mark.parametrize("form", ["text", "html", "markdown"])
def test_a_history_says_it_whether_remembered_or_not(repo: Path, capfd: pytest.CaptureFixture[str], form: str) -> None:
    reports = ("--report", "json:r.json", "--report", f"{form}:r.{form}", "--report", "csv:r.csv")
    told = []
    for _ in range(2):
        ended = command(capfd, "history", "--suite", "dev/ours", "--measure", "cws", "--resamples", "300", *reports)
        assert ended.code == 0, ended.all
        (suite,) = document("history.schema.json")["suites"]
        told.append((suite, (repo / f"r.{form}").read_text()))
    assert told[0] == told[1]
    suite, text = told[0]
    fallen = suite["points"][-1]["scores"]["cws"]
    assert fallen["p_resamples"] == 100
    assert "resamples" not in fallen
    assert row("r.csv", "resamples", "p_resamples", commit=suite["points"][-1]["commit"]) == ["", "100"]
    assert "300 resamples of units (as few as 100 for 1 p-value), seed" in " ".join(text.split())
