"""`nlpeval score`, `validate`, `tasks`, `init`, and how the command behaves in a pipe."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import Measure, load_suites
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.shares import wilson_interval
from pytest_nlpeval.run import against_baseline, conclusion, engine
from pytest_nlpeval.run.chance import Chance
from tests.support import COMMAND, HALF, HANG, RIGHT, command, files_below, gold_xml, make_suite, write
from tests.unit.baselines.repositories import commit, start

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_suite(tmp_path)


def accuracy(text: str) -> float | None:
    value = json.loads(text)["suites"][0]["scores"]["accuracy"]["value"]
    assert value is None or isinstance(value, float)
    return value


@pytest.mark.parametrize(
    ("gold", "system", "value"),
    [
        ("gold/b.xml", "system/b.txt", 0.5),
        ("gold/{doc}.xml", "system/{doc}.txt", 0.75),
        ("./gold/{doc}.xml", "system/../system/{doc}.txt", 0.75),
    ],
)
def test_score(folder: Path, capfd: Capture, gold: str, system: str, value: float) -> None:
    ended = command(capfd, "score", "rte", "--gold", gold, f"--system={system}", "--report", "json:-")
    assert ended.code == 0
    assert accuracy(ended.out) == value
    assert "accuracy" in ended.err


def test_score_with_absolute_paths(folder: Path, capfd: Capture) -> None:
    ended = command(
        capfd, "score", "rte", "--gold", folder / "gold/b.xml", "--system", folder / "system/b.txt", "--report", "json:-"
    )
    assert accuracy(ended.out) == 0.5


def test_score_with_folders_pairs_by_file_name(folder: Path, capfd: Capture) -> None:
    write(folder, {"g/one": gold_xml(), "g/two": gold_xml(), "s/one": RIGHT, "s/two": HALF})
    ended = command(capfd, "score", "rte", "--gold", "g", "--system", "s/", "--report", "json:-")
    assert (ended.code, accuracy(ended.out)) == (0, 0.75)
    (folder / "s/two").rename(folder / "s/three")
    assert command(capfd, "score", "rte", "--gold", "g", "--system", "s").code == 2  # three has no gold


def test_score_prints_every_score(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "score", "rte", "--gold", "gold/b.xml", "--system", "system/b.txt")
    assert ended.code == 0
    lines = {line.split()[0]: line.split()[1:] for line in ended.out.splitlines() if line.strip()}
    assert lines["measure"] == ["value", "low", "high"]
    assert lines["accuracy"][0] == "0.5000"
    assert lines["coverage"] == ["1.0000", f"{wilson_interval(4, 4).low:.4f}", "1.0000"]  # whatever is drawn, all of it is judged
    assert lines["FALSE.precision"][0] == "-"
    assert "no pair is judged FALSE" in ended.out


@pytest.mark.parametrize(
    ("gold", "system", "code", "message"),
    [
        ("gold/b.xml", "none.txt", 1, "none.txt: file.missing"),
        ("gold/b.xml", "gold/b.xml", 1, "gold/b.xml:1: rte.line"),
        ("gold/b.xml", "other.txt", 1, "other.txt:1: rte.unknown-id"),
        ("none.xml", "system/b.txt", 2, "none.xml: file.missing"),
        ("system/b.txt", "system/b.txt", 2, "system/b.txt:1:1: xml.syntax"),
        ("gold/{doc}.xml", "system", 2, "system/a: file.missing"),  # a.txt has no gold
        ("nothing/{doc}.xml", "system/{doc}.txt", 2, "config.path: no file matches"),
        ("gold/{doc}.xml", "system/a.txt", 2, "config.path: system names only one file"),
    ],
)
def test_exit_codes_of_score(folder: Path, capfd: Capture, gold: str, system: str, code: int, message: str) -> None:
    write(folder, {"other.txt": "99 TRUE 0.5\n"})
    ended = command(capfd, "score", "rte", "--gold", gold, "--system", system)
    assert (ended.code, message in ended.all) == (code, True), ended.all


def test_a_system_folder_with_a_single_gold_file_is_the_systems_fault(folder: Path, capfd: Capture) -> None:
    """Section 4: "a system file that is missing, a folder, malformed, …" is 1; only gold and configuration are 2."""
    (folder / "empty").mkdir()
    ended = command(capfd, "score", "rte", "--gold", "gold/b.xml", "--system", "empty")
    assert ended.code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["rtte", "--gold", "gold/a.xml", "--system", "system/a.txt"],
        ["rte"],
        ["rte", "--gold", "gold/a.xml"],
        ["rte", "--gold", "gold/a.xml", "--system"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--gold", "gold/a.xml"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--ere", "x"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "stray"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", "edition"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", "edition=4"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", "edition=[1"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", "=1"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", "edition=1", "--option", "edition=1"],
        ["rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", "edtion=1"],
    ],
)
def test_usage_errors_of_score(folder: Path, capfd: Capture, arguments: list[str]) -> None:
    ended = command(capfd, "score", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err


def test_option(folder: Path, capfd: Capture) -> None:
    files = ["--gold", "gold/a.xml", "--system", "system/a.txt"]
    assert command(capfd, "score", "rte", *files, "--option", "edition=1").code == 0
    ended = command(capfd, "score", "rte", *files, "--option", "edition=2")
    assert ended.code == 2
    assert "gold/a.xml:2: rte.edition" in ended.out


def test_validate_suites(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "validate")
    assert (ended.code, ended.out, ended.err) == (0, "2 documents checked, 0 with errors\n", "")
    write(folder, {"system/a.txt": "1 MAYBE\n"})
    ended = command(capfd, "validate", "nlpeval.yaml", "--jobs", "1")
    assert ended.code == 1
    assert "system/a.txt:1: rte.judgment" in ended.out
    assert ended.out.endswith("2 documents checked, 1 with errors\n")


def test_validate_judges_no_gates(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: 0.99")
    assert command(capfd, "validate").code == 0


def test_validate_scores_compares_and_explains_nothing(folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite(start(folder), "accuracy: {min: 0.99, max_drop: 0.01}", "cws: 0.1", baseline="git:HEAD")
    commit(folder)
    done: list[str] = []
    for owner, name in (
        (Measure, "score"),
        (Chance, "intervals"),
        (Explanations, "of"),
        (against_baseline, "compare"),
        (conclusion, "weak_gates"),
        (engine, "run_of"),
    ):
        monkeypatch.setattr(owner, name, noting(done, name, getattr(owner, name)))
    assert command(capfd, "validate").code == 0
    assert done == []
    assert command(capfd, "run", "--no-cache").code == 1
    assert set(done) == {"score", "intervals", "of", "compare", "weak_gates", "run_of"}


def noting(done: list[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*arguments: Any, **keywords: Any) -> Any:
        done.append(name)
        return function(*arguments, **keywords)

    return noted


def test_validate_tells_what_files_leave_without_a_measure_and_lists_without_a_unit(folder: Path, capfd: Capture) -> None:
    gates = ("task.RC.accuracy: 0.5", "accuracy: {must_pass: ['a/1', 'a/none']}")
    make_suite(folder, *gates)
    validated, judged = command(capfd, "validate"), command(capfd, "run", "--no-cache")
    assert (validated.code, judged.code) == (2, 2)
    for message in ('these files have no measure "task.RC.accuracy"', 'no unit of gold is called "a/none"'):
        assert message in validated.out
        assert message in judged.all
    write(folder, {"system/a.txt": "1 MAYBE\n"})
    ended = command(capfd, "validate")
    assert ended.code == 1, "while files have errors, nobody knows which measures and units there are"
    assert "no measure" not in ended.out


def test_validate_leaves_no_file(folder: Path, capfd: Capture) -> None:
    before = files_below(folder)
    command(capfd, "validate")
    command(capfd, "validate", "--task", "rte", "system/a.txt")
    assert files_below(folder) == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["system/a.txt", "system/b.txt"], 0, "2 system files of rte checked, 0 with errors"),
        (["--role", "system", "gold/a.xml", "system/a.txt"], 1, "gold/a.xml:1: rte.line"),
        (["none.txt"], 1, "none.txt: file.missing"),
        (["system"], 1, "system: file.not-regular"),
        (["--role", "gold", "gold/a.xml"], 0, "1 gold file of rte checked, 0 with errors"),
        (["--role", "gold", "system/a.txt"], 2, "system/a.txt:1:1: xml.syntax"),
        (["--role", "gold", "none.xml"], 2, "none.xml: file.missing"),
        (["--role", "ere", "gold/a.xml"], 2, 'has no role "ere"'),
        ([], 2, "expected files to check"),
        (["--option", "edition=2", "system/a.txt"], 1, "rte.ranked"),
        (["--option", "edition=5", "system/a.txt"], 2, "config.option"),
    ],
)
def test_validate_files(folder: Path, capfd: Capture, arguments: list[str], code: int, message: str) -> None:
    ended = command(capfd, "validate", "--task", "rte", *arguments)
    assert (ended.code, message in ended.all) == (code, True), ended.all


@pytest.mark.parametrize("arguments", [("--role", "gold"), ("--role", "system"), ("--option", "edition=2")])
def test_what_is_about_single_files_is_refused_without_a_task(folder: Path, capfd: Capture, arguments: tuple[str, ...]) -> None:
    ended = command(capfd, "validate", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "nlpeval validate --task TASK FILE…" in ended.err


def test_validate_files_of_an_unknown_task(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "validate", "--task", "rtte", "system/a.txt")
    assert ended.code == 2
    assert 'did you mean "rte"?' in ended.err


def test_report_as_markdown_is_what_a_run_writes(folder: Path, capfd: Capture) -> None:
    command(capfd, "run", "--report", "json:report.json", "--report", "markdown:report.md")
    ended = command(capfd, "report", "markdown", "report.json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (folder / "report.md").read_text()
    assert ended.out.startswith("> [!NOTE]\n> ✅ **the one gate passed**")
    assert len(command(capfd, "report", "markdown", "report.json", "--limit", "300").out) <= 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["markdown", "none.json"], "none.json: file.missing"),
        (["markdown", "system/a.txt"], "system/a.txt:1:3: report.invalid: is not JSON"),
        (["pdf", "none.json"], "invalid choice"),
        (["markdown"], "required"),
    ],
)
def test_a_report_that_cannot_be_had(folder: Path, capfd: Capture, arguments: list[str], message: str) -> None:
    ended = command(capfd, "report", *arguments)
    assert (ended.code, ended.out, message in ended.err) == (2, "", True), ended.err


def test_tasks(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "tasks")
    assert (ended.code, ended.err) == (0, "")
    assert any(line.startswith("rte ") for line in ended.out.splitlines())


def test_tasks_rte(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "tasks", "rte")
    assert (ended.code, ended.err) == (0, "")
    for word in ("gold", "system", "edition", "accuracy", "cws.expected", "rte.unknown-id", "warning"):
        assert word in ended.out
    assert all(len(line) <= 200 for line in ended.out.splitlines())
    unknown = command(capfd, "tasks", "rtte")
    assert (unknown.code, unknown.out) == (2, "")
    assert 'did you mean "rte"?' in unknown.err


def test_init_writes_what_loads(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = command(capfd, "init")
    assert (ended.code, ended.err) == (0, "")
    write(tmp_path, {"gold/a.gold": gold_xml(), "gold/a.xml": gold_xml()})
    write(tmp_path, {f"system/a{suffix}": RIGHT for suffix in (".xml", ".txt", ".run", "")})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    assert (suite.name, suite.recipe.task.name, [case.name for case in suite.cases]) == ("rte", "rte", ["a"])
    assert command(capfd, "run").code == 0


def test_init_never_overwrites(folder: Path, capfd: Capture) -> None:
    before = files_below(folder)
    ended = command(capfd, "init")
    assert (ended.code, ended.out) == (2, "")
    assert "nlpeval.yaml exists already; nothing was written" in ended.err
    assert files_below(folder) == before


def test_init_elsewhere(folder: Path, capfd: Capture) -> None:
    (folder / "sub").mkdir()
    assert command(capfd, "init", "sub").code == 0
    assert (folder / "sub/nlpeval.yaml").is_file()
    assert command(capfd, "init", "none").code == 2
    assert command(capfd, "init", "--task", "rtte").code == 2
    dangling = folder / "link"
    dangling.mkdir()
    (dangling / "nlpeval.yaml").symlink_to(folder / "target.yaml")
    assert command(capfd, "init", "link").code == 2
    assert not (folder / "target.yaml").exists()


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version(folder: Path, capfd: Capture, option: str) -> None:
    ended = command(capfd, option)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("subcommand", ["run", "score", "validate", "report", "tasks", "init"])
def test_help_of_subcommands(folder: Path, capfd: Capture, subcommand: str) -> None:
    assert command(capfd, subcommand, "--help").code == 0


@pytest.mark.parametrize("arguments", [["tasks", "rte"], ["run", "--report", "json:-"], ["validate"]])
def test_a_reader_that_goes_away(folder: Path, arguments: list[str]) -> None:
    """As in `nlpeval tasks rte | head -1`, at its worst: the pipe is closed before anything is written."""
    write(folder, {f"system/a{number}.txt": "x\n" * 100 for number in range(300)})
    read, wrote = os.pipe()
    os.close(read)
    with open(wrote, "wb") as stdout:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=folder, stdout=stdout, stderr=subprocess.PIPE, timeout=HANG, check=False
        )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert b"BrokenPipe" not in done.stderr
