"""`nlpeval init` for every task: what it writes loads, and gives scores on the files of the task's example."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_nlpeval import load_suites
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.reports.starter import template
from pytest_nlpeval.tasks import TASKS, load_task
from tests.cli.test_foreign_task import MODULE, nlpeval
from tests.support import command, write

Capture = pytest.CaptureFixture[str]
EXAMPLES = Path(__file__).parents[2] / "examples"


def example(task: str, number: int = 0) -> Suite:
    """A suite of the task's example, of the first of its systems."""
    suites = {suite.name.partition("/")[0]: suite for suite in reversed(load_suites(EXAMPLES / task / "nlpeval.yaml"))}
    return list(reversed(suites.values()))[number]


def fill(folder: Path, suite: Suite) -> None:
    """Put the files of a suite where the configuration in the folder expects them."""
    paths = yaml.safe_load((folder / "nlpeval.yaml").read_text())["suites"][0]
    for case in suite.cases:
        for role in paths.keys() & case.files.keys():
            target = folder / paths[role].replace("{doc}", case.name)
            target.parent.mkdir(exist_ok=True)
            shutil.copy(case.files[role].path, target)


def scored(capfd: Capture) -> tuple[list[dict[str, Any]], dict[str, float | None]]:
    """Gates and scores of `nlpeval run` in the current folder."""
    ended = command(capfd, "run", "--no-cache", "--report", "json:-")
    assert ended.code in (0, 1), ended.all
    (suite,) = json.loads(ended.out)["suites"]
    assert not suite["problems"]
    return suite["gates"], {name: score["value"] for name, score in suite["scores"].items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", TASKS)
def test_what_init_writes_scores_the_files_of_the_example(folder: Path, capfd: Capture, name: str) -> None:
    assert command(capfd, "init", "--task", name).code == 0
    fill(folder, example(name))
    gates, scores = scored(capfd)
    assert {gate["measure"] for gate in gates} == {gate.measure for gate in load_task(name).starter.gates if not gate.only}
    assert gates
    for gate in gates:
        value = scores[gate["measure"]]
        assert value is not None
        assert value > 0
        assert gate["threshold"] > 0
        assert gate["verdict"] in ("passed", "failed")


@pytest.mark.parametrize("name", TASKS)
def test_without_files_init_says_which_to_put_where(folder: Path, capfd: Capture, name: str) -> None:
    command(capfd, "init", "--task", name)
    ended = command(capfd, "run")
    assert ended.code == 2
    assert re.search(r"no file matches \"gold/\{doc\}\S+\"", ended.err)
    assert len(ended.err.splitlines()) == 1  # nothing else is wrong


@pytest.mark.parametrize(
    ("name", "number", "subtask", "gate"),
    [
        ("rte", 0, None, "cws"),
        ("rte", 1, None, "average_precision"),
        ("are", 1, 2, "muc.f1"),
        ("are", 2, 3, "f1"),
        ("are", 3, 4, "muc_overlap.f1"),
    ],
)
def test_gates_in_comments_are_for_other_options_or_files(
    folder: Path, capfd: Capture, name: str, number: int, subtask: int | None, gate: str
) -> None:
    text = template(load_task(name))
    if subtask:
        text = re.sub("subtask: 1", f"subtask: {subtask}", text)
        text = re.sub(r"^      (success_rate|answered):", r"      # \1:", text, flags=re.MULTILINE)
    text, changed = re.subn(rf"^      # ({re.escape(gate)}:)", r"      \1", text, flags=re.MULTILINE)
    assert changed == 1
    write(folder, {"nlpeval.yaml": text})
    fill(folder, example(name, number))
    gates, scores = scored(capfd)
    assert gate in [found["measure"] for found in gates]
    assert scores[gate] is not None


def with_option(text: str, option: str) -> str:
    """A new configuration with one of the options in comments out of its comment."""
    text, changed = re.subn(rf"(?m)^    #   ({option}: \S)|^      # ({option}: \S)", r"      \1\2", text)
    assert changed == 1
    return text.replace("    # options:\n", "    options:\n")


@pytest.mark.parametrize("name", ["are", "cat", "exemplar", "rte"])
def test_options_in_comments_are_valid_and_nothing_but_the_default(folder: Path, name: str) -> None:
    write(folder, {"nlpeval.yaml": template(load_task(name))})
    fill(folder, example(name))
    (before,) = load_suites(folder / "nlpeval.yaml")
    schema, starter = load_task(name).options_schema["properties"], load_task(name).starter
    commented = schema.keys() - starter.options.keys()
    assert commented
    for option in commented:
        text = with_option(template(load_task(name)), option)
        write(folder, {"nlpeval.yaml": text})
        (suite,) = load_suites(folder / "nlpeval.yaml")
        given = yaml.safe_load(text)["suites"][0]["options"]
        assert given.keys() == {option, *starter.options}
        if "default" in schema[option]:
            assert given[option] == schema[option]["default"]
            found, default = getattr(suite.recipe.options, option), getattr(before.recipe.options, option)
            assert found == default or (list(found), list(default)) == ([], [])


def test_init_with_a_task_for_a_folder_names_the_option(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "init", "cat")
    assert (ended.code, ended.out) == (2, "")
    assert "`nlpeval init --task cat`" in ended.err
    assert "--task" not in command(capfd, "init", "none").err


def test_init_with_a_folder_that_is_called_like_a_task_asks_which_is_meant(folder: Path, capfd: Capture) -> None:
    (folder / "cat").mkdir()
    ended = command(capfd, "init", "cat")
    assert (ended.code, ended.out) == (2, "")
    assert "for the task it is `nlpeval init --task cat`, in that folder `nlpeval init cat --task cat`" in ended.err
    assert list((folder / "cat").iterdir()) == []
    assert command(capfd, "init", "cat", "--task", "rte").code == 0
    assert "task: rte" in (folder / "cat/nlpeval.yaml").read_text()


def test_init_for_a_task_of_another_package(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "site/my_numbers.py": MODULE,
            "site/my_numbers-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: my-numbers\nVersion: 1\n",
            "site/my_numbers-1.dist-info/entry_points.txt": "[nlpeval.tasks]\nnumbers = my_numbers:TASK\n",
            "repo/gold/a.xml": "1\n2\n3\n4\n",
            "repo/system/a.xml": "1\n2\n3\n5\n",
        },
    )
    assert nlpeval(tmp_path, "init", "--task", "numbers").code == 0
    ended = nlpeval(tmp_path, "run", "--no-cache", "--report", "json:-")
    assert ended.code == 0
    assert json.loads(ended.out)["suites"][0]["scores"]["accuracy"]["value"] == 3 / 4
    told = nlpeval(tmp_path, "tasks", "numbers").out
    assert "accuracy: right / all" in told
    assert "gold/{doc}.xml" in told
