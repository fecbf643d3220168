from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.reports.run import document
from tests.support import make_suite
from tests.unit.run.outputs import GOLD, run_wrong_on


@pytest.mark.parametrize("room", [1, 3, 100])
def test_a_report_keeps_the_explanations_that_it_has_room_for_and_counts_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    runs = {"a": run_wrong_on(range(1, 6)), "b": run_wrong_on([2]), "c": run_wrong_on(range(1, 17))}
    (suite,) = load_suites(make_suite(tmp_path, golds=dict.fromkeys(runs, GOLD), runs=runs) / "nlpeval.yaml")
    result = evaluate(suite, explain=True)
    every = [(case.name, entry.unit) for case in result.cases if case.explanations for entry in case.explanations.first]
    assert len(every) == 5 + 1 + 16
    monkeypatch.setattr(document, "MOST", room)
    (report,) = document.report_of([result]).suites
    assert report.explanations is not None
    kept = [(entry.case, entry.explanation.unit) for entry in report.explanations.first]
    assert kept == every[: 2 * room], "twice the room, since each sort has fewer than are kept in any case"
    assert report.explanations.counts == {"wrong-judgment": len(every)}
    assert report.explanations.cut == len(every) - len(kept)
