"""Circumstances: what makes stored evidence incomparable, and what does not."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import Suite, evaluate, load_suites
from pytest_nlpeval.baselines.circumstances import circumstances_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.run.baseline_update import updates
from pytest_nlpeval.runs import Circumstances
from pytest_nlpeval.tasks.rte.options import Options
from tests.support import COMMAND, apart, config_text, make_suite, write

HERE = Circumstances("rte", "1", {"edition": 1}, {"rte.ties": "off"}, {"a": "0", "b": "1"})


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (HERE, []),
        (replace(HERE, gold={"b": "1", "c": "2"}), []),
        (replace(HERE, scorer="2"), ['the scorer\'s version was "1" and is "2"']),
        (replace(HERE, options={"edition": 2}), ["the option edition was 1 and is 2"]),
        (replace(HERE, rules={}), ['the rule rte.ties was "off" and is null']),
        (replace(HERE, gold={"a": "x", "b": "y"}), ["the gold files of 2 documents changed (a, b)"]),
    ],
)
def test_what_makes_results_incomparable_is_named(now: Circumstances, said: list[str]) -> None:
    assert HERE.differences(now) == said


@light_dataclass(frozen=True, slots=True)
class Grown(Options):
    """The options of a later version of the task: one more, which changes nothing unless it is set."""

    blanks: str = "keep"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite that was accepted: its baseline file is written."""
    make_suite(tmp_path, "accuracy: {max_drop: 0}", baseline="main.json")
    update(suite_in(tmp_path))
    return tmp_path


def suite_in(folder: Path, **later: Any) -> Suite:
    """The suite; with options of a `later` version of its task if there are any."""
    (suite,) = load_suites(folder / "nlpeval.yaml")
    if not later:
        return suite
    options = Grown(**asdict(suite.recipe.options), **later)
    return replace(suite, recipe=replace(suite.recipe, task=replace(suite.recipe.task, options=Grown), options=options))


def update(suite: Suite) -> tuple[str, ...]:
    """Accept what the suite gives, and return what that changes."""
    (made,) = updates([evaluate(suite, explain=True)])
    made.write()
    return made.lines


def compared(suite: Suite) -> str:
    """Why the suite cannot be compared with its file; "" if it can, and has not changed."""
    comparison = evaluate(suite).comparison
    assert comparison
    standing = comparison.standings["accuracy"]
    assert (standing.drop == 0) is (standing.baseline.value is not None)
    return standing.baseline.reason


def test_an_option_that_a_file_lacks_has_its_default(folder: Path) -> None:
    assert compared(suite_in(folder)) == ""
    assert compared(suite_in(folder, blanks="keep")) == ""
    reason = 'main.json is not comparable: the option blanks was "keep" and is "drop"; to accept it: `nlpeval baseline update`'
    assert compared(suite_in(folder, blanks="drop")) == reason
    assert update(suite_in(folder, blanks="keep")) == ("dev: unchanged",)
    assert '"blanks": "keep"' in (folder / "main.json").read_text()


def test_an_option_that_the_task_no_longer_has_is_a_difference_unless_it_was_null(folder: Path) -> None:
    text = (folder / "main.json").read_text()
    for value, reason in (("1", "the option gone was 1 and is null"), ("null", "")):
        write(folder, {"main.json": text.replace('"options": {', f'"options": {{"gone": {value}, ')})
        assert (reason in compared(suite_in(folder)), bool(compared(suite_in(folder)))) == (True, bool(reason))


def test_a_rule_that_a_file_lacks_is_the_severity_of_the_task(folder: Path) -> None:
    def with_rule(severity: str) -> str:
        write(folder, {"nlpeval.yaml": config_text("accuracy: 0", baseline="main.json", rules=f"{{rte.ties: '{severity}'}}")})
        return compared(suite_in(folder))

    assert suite_in(folder).recipe.task.problems["rte.ties"].severity == "warning"
    assert with_rule("warning") == ""
    assert 'the rule rte.ties was "warning" and is "off"' in with_rule("off")


def test_another_task_has_other_options(folder: Path) -> None:
    text = (folder / "main.json").read_text()
    write(folder, {"main.json": text.replace('"task": "rte"', '"task": "best"')})
    assert compared(suite_in(folder)).startswith('main.json is not comparable: the task was "best" and is "rte"')


def test_circumstances_of_a_suite_follow_its_gold_and_not_its_system(tmp_path: Path) -> None:
    make_suite(tmp_path)
    before = circumstances_of(suite_in(tmp_path))
    assert set(before.gold) == {"a", "b"}
    write(tmp_path, {"system/a.txt": "another"})
    assert circumstances_of(suite_in(tmp_path)) == before
    write(tmp_path, {"gold/a.xml": "another"})
    assert before.differences(circumstances_of(suite_in(tmp_path))) == ["the gold files of 1 document changed (a)"]


TEXT = """version: 1
suites:
  - name: dev
    task: text
    gold: gold.txt
    system: system.txt
    options: {normalise: [nfkc, lower, punctuation, spaces], measures: ter, ter: [normalized, no_punct, case_sensitive]}
    baseline: main.json
    gates: {ter: 1}
"""


def test_options_that_are_sets_are_the_same_in_every_process(tmp_path: Path) -> None:
    """Python has the elements of a set in an order of each process's own: neither baseline files nor shards may follow it."""
    write(tmp_path, {"nlpeval.yaml": TEXT, "gold.txt": "The cat sat.\nIt rained.\n", "system.txt": "A cat sat.\nIt rains.\n"})

    def nlpeval(seed: int, *arguments: str) -> str:
        ended = apart(tmp_path, [*COMMAND, *arguments], {"PYTHONHASHSEED": str(seed)})
        assert ended.code == 0, ended
        return ended.out

    nlpeval(1, "baseline", "update")
    for seed in (2, 3):
        assert "not compared" not in nlpeval(seed, "run", "--report", "text:-")
        nlpeval(seed, "run", "--shard", f"{seed - 1}/2", "--report", f"evidence:{seed}.json")
    assert "unchanged" in nlpeval(4, "baseline", "update")
    assert "not compared" not in nlpeval(5, "merge", "2.json", "3.json")
