"""Old outputs: new results, other gold, places as ids; over whole suites in a git repository."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from pytest_nlpeval import Graph, SuiteResult, evaluate, load_suites
from pytest_nlpeval.reports.run.document import report_of
from tests.unit.tasks.scores.files import items, objects

GATES = {"score.mean": {"max_drop": 0}}


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


def written(folder: Path, gold: str, system: str, gates: object = None, **options: object) -> None:
    (folder / "gold.jsonl").write_text(gold)
    (folder / "system.jsonl").write_text(system)
    suite: dict[str, object] = {
        "name": "s",
        "task": "scores",
        "gold": "gold.jsonl",
        "system": "system.jsonl",
        "baseline": "git:HEAD",
    }
    suite |= {"gates": gates or GATES} | ({"options": options} if options else {})
    (folder / "nlpeval.yaml").write_text(yaml.safe_dump({"version": 1, "suites": [suite]}))


def committed(folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "then")


def result(folder: Path) -> SuiteResult:
    (suite,) = load_suites(folder / "nlpeval.yaml")
    return evaluate(suite)


def records(values: Iterable[object], **more: object) -> str:
    return objects({"id": str(item), "score": value, **more} for item, value in enumerate(values))


def verdicts(found: SuiteResult) -> list[tuple[str, str]]:
    return [(verdict.measure, verdict.verdict) for verdict in found.verdicts]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path, items(range(4)), records([1, 1, 0, 1]))
    committed(tmp_path)
    return tmp_path


def test_a_drop_is_over_items(folder: Path) -> None:
    written(folder, items(range(4)), records([1, 0, 0, 1]))
    found = result(folder)
    assert found.comparison is not None
    assert found.comparison.standings["score.mean"].drop == 1 / 4
    assert verdicts(found) == [("score.mean", "failed")]


def test_a_new_result_is_new_as_a_new_suite_is(folder: Path) -> None:
    """The old output does not have it; the drops of the others are judged as ever."""
    gates = {**GATES, "style.mean": {"max_drop": 0}}
    written(folder, items(range(4)), records([1, 1, 0, 1], style=3), gates, results=["score", "style"])
    found = result(folder)
    assert verdicts(found) == [("score.mean", "passed"), ("style.mean", "passed")]
    assert found.comparison is not None
    assert found.comparison.standings["style.mean"].is_new
    assert not found.comparison.standings["score.mean"].is_new


def test_a_new_item_is_left_out_of_the_drop(folder: Path) -> None:
    written(folder, items(range(5)), records([1, 1, 0, 1, 0]))
    found = result(folder)
    assert found["score.mean"] == 3 / 5
    assert verdicts(found) == [("score.mean", "passed")]


def test_a_change_of_repeats_leaves_gates_unjudged(folder: Path) -> None:
    written(folder, items(range(4)), records([1, 1, 0, 1] * 2).replace('"4"', '"0"'), repeats=2)
    doubled = objects({"id": str(item), "score": 1} for item in range(4) for _ in range(2))
    (folder / "system.jsonl").write_text(doubled)
    assert verdicts(result(folder)) == [("score.mean", "unjudged")]


def test_any_number_of_repeats_fits_old_output(folder: Path) -> None:
    doubled = objects({"id": str(item), "score": 1} for item in range(4) for _ in range(2))
    written(folder, items(range(4)), doubled, repeats="any")
    assert verdicts(result(folder)) == [("score.mean", "passed")]


def test_places_say_nothing_of_other_gold_without_text(tmp_path: Path) -> None:
    """Items in another order would pair with answers to other questions."""
    gold = objects({"q": name} for name in "abcd")
    options = {"id": {"gold": "#0", "system": "id"}}
    written(tmp_path, gold, records([1, 1, 0, 0]), **options)
    committed(tmp_path)
    turned = objects({"q": name} for name in "dcba")
    written(tmp_path, turned, records([0, 0, 1, 1]), **options)
    assert verdicts(result(tmp_path)) == [("score.mean", "unjudged")]
    written(tmp_path, turned, records([0, 0, 1, 1]), **options, text="q")
    found = result(tmp_path)
    assert verdicts(found) == [("score.mean", "passed")]
    assert found.comparison is not None
    assert found.comparison.standings["score.mean"].drop == 0
    assert found.comparison.units is not None
    assert (found.comparison.units["paired"], found.comparison.units["differing"]) == (4, 0)


def test_a_low_value_is_no_change(folder: Path) -> None:
    written(folder, items(range(4)), records([0, 1, 1, 1]))
    (suite,) = load_suites(folder / "nlpeval.yaml")
    found = evaluate(suite, explain=True)
    assert found.comparison is not None
    assert found.comparison.changes is not None
    assert not any(found.comparison.changes.counts.values())


def test_guards_name_items(folder: Path) -> None:
    options = {"results": {"score": {"pass": 1}}}
    written(
        folder,
        items(range(4)),
        records([1, 0, 1, 1]),
        {"score.pass_rate": {"max_newly_wrong": 0, "known_failures": ["2"]}},
        **options,
    )
    (verdict, *others) = result(folder).verdicts
    assert "1" in verdict.reason
    assert {entry.verdict for entry in (verdict, *others)} == {"failed"}


def test_the_spread_is_drawn_with_that_of_the_baseline(folder: Path) -> None:
    written(folder, items(range(4)), records([1, 1, 2, 1]))
    (suite,) = report_of([result(folder)]).suites
    (spread,) = suite.graphs
    assert isinstance(spread, Graph)
    assert [(series.style, series.points[-1]) for series in spread.series] == [("line", (2.0, 1.0)), ("baseline", (1.0, 1.0))]
    assert (spread.x.low, spread.x.high) == (0.0, 2.0)


def test_changes_are_sorted_by_how_far_the_items_means_fell(folder: Path) -> None:
    """Item 1 fell by 1, item 0 by 7/8 and item 2, which is flaky now, by 1/4."""
    options = {"repeats": 4, "results": {"score": {"pass": 1, "range": [0, 1]}}}

    def answers(values: list[list[float]]) -> str:
        return objects({"id": str(item), "score": value} for item, own in enumerate(values) for value in own)

    written(folder, items(range(5)), answers([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 0, 0]]), **options)
    git(folder, "commit", "-qam", "four repeats")
    written(folder, items(range(5)), answers([[0.5, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]]), **options)
    (suite,) = load_suites(folder / "nlpeval.yaml")
    found = evaluate(suite, explain=True)
    assert found.comparison is not None
    assert found.comparison.changes is not None
    changes = [(change.sort, change.explanation.unit) for change in found.comparison.changes.first]
    assert changes == [
        ("newly_wrong", "1"),
        ("newly_wrong", "0"),
        ("newly_wrong", "2"),
        ("otherwise_wrong", "4"),
        ("newly_right", "3"),
    ]
