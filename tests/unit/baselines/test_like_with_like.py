"""A drop is over what both runs were asked: documents and items that come, go or change are told, and in no drop."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.run.against_baseline import Comparison
from pytest_nlpeval.run.baseline_update import updates
from pytest_nlpeval.run.results import SuiteResult
from tests.support import FOUR, HALF, RIGHT, make_suite, write
from tests.unit.baselines.repositories import commit, start

GATE = "accuracy: {max_drop: 0}"
WRONG = RIGHT.replace("TRUE", "?").replace("FALSE", "TRUE").replace("?", "FALSE")
"""A run on FOUR that is right nowhere."""

SOURCES = ("git:HEAD", "kept.json")


def accept(folder: Path, source: str, *, explain: bool = False) -> None:
    """Commit what is in a folder, or write the baseline file."""
    (suite,) = load_suites(folder / "nlpeval.yaml")
    if source.endswith(".json"):
        for update in updates([evaluate(suite, explain=True)]):
            update.write()
    commit(folder)


def today(folder: Path, *, explain: bool = False) -> tuple[SuiteResult, Comparison]:
    (suite,) = load_suites(folder / "nlpeval.yaml")
    result = evaluate(suite, explain=explain)
    assert result.comparison is not None
    return result, result.comparison


def drop_of(comparison: Comparison, measure: str = "accuracy") -> float | None:
    return comparison.standings[measure].drop


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("before", "added"), [(3, 4), (25, 10)], ids=["by units", "by documents"])
def test_harder_documents_that_are_added_are_no_drop(tmp_path: Path, source: str, before: int, added: int) -> None:
    folder = make_suite(start(tmp_path), GATE, baseline=source, runs={f"a{rank:02}": RIGHT for rank in range(before)})
    accept(folder, source)
    make_suite(folder, GATE, baseline=source, runs={f"b{rank:02}": WRONG for rank in range(added)})
    result, comparison = today(folder)
    assert result.scores["accuracy"].value == pytest.approx(before / (before + added))
    assert comparison.standings["accuracy"].baseline.value == 1
    assert (drop_of(comparison), comparison.standings["accuracy"].p) == (0, 1)
    assert [verdict.verdict for verdict in result.verdicts] == ["passed"]
    size = 1 if before >= 20 else len(FOUR)
    assert comparison.units == {"paired": before * size, "added": added * size, "removed": 0, "differing": 0}
    assert any("scores over all of today's" in note for note in result.notes)


@pytest.mark.parametrize("source", SOURCES)
def test_easy_documents_that_are_added_hide_no_drop(tmp_path: Path, source: str) -> None:
    folder = make_suite(start(tmp_path), GATE, baseline=source, runs={f"a{rank:02}": RIGHT for rank in range(25)})
    accept(folder, source)
    make_suite(folder, GATE, baseline=source, runs={f"a{rank:02}": HALF for rank in range(5)})
    make_suite(folder, GATE, baseline=source, runs={f"b{rank:02}": RIGHT for rank in range(100)})
    result, comparison = today(folder)
    assert drop_of(comparison) == pytest.approx(5 / 25 / 2), "half of the answers of 5 in 25 documents"
    assert [verdict.verdict for verdict in result.verdicts] == ["failed"]
    assert "0.900, was 1.000: the drop of 0.100" in result.verdicts[0].reason


def test_a_repaired_document_is_not_newly_wrong(tmp_path: Path) -> None:
    folder = make_suite(start(tmp_path), GATE, baseline="git:HEAD", runs={"a": RIGHT, "b": "no run"})
    commit(folder)
    write(folder, {"system/b.txt": HALF})
    _, comparison = today(folder, explain=True)
    assert comparison.changes is not None
    assert set(comparison.changes.counts.values()) == {0}
    assert comparison.units == {"paired": 4, "added": 0, "removed": 0, "differing": 0}
    assert drop_of(comparison) == 0


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_drawn_of_a_drop_is_decided_by_what_both_runs_have(tmp_path: Path, source: str) -> None:
    """Of twelve documents the baseline has three: no test of three documents could show a drop, one of their twelve units can."""
    gate = "accuracy: {max_drop: 0, alpha: 0.05}"
    folder = make_suite(start(tmp_path), gate, baseline=source, runs={f"a{rank}": RIGHT for rank in range(3)})
    accept(folder, source)
    runs = {f"a{rank}": HALF for rank in range(3)} | {f"b{rank}": RIGHT for rank in range(9)}
    make_suite(folder, gate, baseline=source, runs=runs)
    result, comparison = today(folder)
    assert comparison.resampled == "units"
    assert comparison.units == {"paired": 12, "added": 36, "removed": 0, "differing": 6}
    assert comparison.standings["accuracy"].p == 2**-6
    assert [verdict.verdict for verdict in result.verdicts] == ["failed"]
    assert any("6 of 12 units differ" in note for note in result.notes)
