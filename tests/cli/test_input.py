"""A suite with the task file instead of gold: runs are validated, and nothing is judged, in every way in which a suite can be run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, score
from tests.support import RIGHT, Ended, command, outcomes, run_pytest, write

YAML = "version: 1\nsuites:\n  - name: test\n    task: rte\n    input: input/{doc}.xml\n    system: system/{doc}.txt\n"
PAIRS = (("1", "IR"), ("2", "IR"), ("3", "QA"), ("4", "QA"))
PART = "1 TRUE\n3 FALSE\n4 TRUE\n"
ONLY = "validated only, no gold"
PARTIAL = "partial submission: 3 of 4 pairs answered (coverage 0.75)"


def task_file() -> str:
    lines = (f'<pair id="{name}" task="{task}"><t>A text.</t><h>A claim.</h></pair>' for name, task in PAIRS)
    return "\n".join(["<entailment-corpus>", *lines, "</entailment-corpus>"]) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite without gold: a task file, and a run on a part of it."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"nlpeval.yaml": YAML, "input/a.xml": task_file(), "system/a.txt": PART})


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    return command(capfd, "run", "--no-cache", *arguments)


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json", "native"])
def test_every_report_says_so_and_names_a_partial_submission(folder: Path, capfd: pytest.CaptureFixture[str], form: str) -> None:
    ended = run(capfd, "--report", f"{form}:-")
    assert ended.code == 0
    for text in (ended.out, ended.err):
        assert ONLY in text
        assert PARTIAL in text


def test_the_json_report_holds_coverage_and_what_is_missing(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report = json.loads(run(capfd, "--report", "json:-").out)
    (suite,) = report["suites"]
    assert report["passed"] is True
    assert suite["notes"] == [ONLY, PARTIAL]
    assert suite["gates"] == []
    assert not suite.get("graphs")
    assert {name: found["value"] for name, found in suite["scores"].items()} == {
        "coverage": 3 / 4,
        "task.IR.coverage": 1 / 2,
        "task.QA.coverage": 2 / 2,
    }
    assert suite["explanations"]["counts"] == {"unjudged": 1}
    assert suite["explanations"]["first"][0]["message"] == "pair 2 is not judged"
    assert suite["explanations"]["first"][0]["passage"]["text"] == "A text. ⊢ A claim."


def test_a_whole_run_is_no_partial_submission(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(folder, {"system/a.txt": RIGHT})
    ended = run(capfd)
    assert ended.code == 0
    assert ONLY in ended.out
    assert "partial" not in ended.out


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        (
            {"system/a.txt": "2 TRUE\n1 TRUE\n"},
            1,
            "system/a.txt:2: rte.order: pair 1 appears after pair 2; keep the input file's",
        ),
        ({"system/a.txt": "5 TRUE\n"}, 1, "system/a.txt:1: rte.unknown-id: pair 5 is not in the input file"),
        ({"input/b.xml": task_file()}, 1, "system/b.txt: file.missing"),
        ({"system/b.txt": PART}, 2, "input/b.xml: file.missing"),
        ({"input/a.xml": "<entailment-corpus/>"}, 2, "input/a.xml: rte.no-pairs"),
        (
            {"input/a.xml": task_file().replace("QA", "QB")},
            2,
            'input/a.xml:4: rte.task: task "QB" is not an application setting of any',
        ),
        ({"input/a.xml": PART, "system/a.txt": task_file()}, 2, "input/a.xml: file.swapped: input and system are each"),
    ],
)
def test_a_bad_run_is_the_systems_fault_a_bad_task_file_yours(
    folder: Path, capfd: pytest.CaptureFixture[str], files: dict[str, str], code: int, message: str
) -> None:
    write(folder, files)
    for ended in (run(capfd), command(capfd, "validate")):
        assert (ended.code, message in ended.all) == (code, True), ended.all
        assert ONLY in ended.all


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            "    gates:\n      coverage: 0.9\n",
            '7:5: config.gate: with "input" instead of "gold", files are only validated: leave the gates',
        ),
        ("    profiles:\n      no: {}\n      strict: {accuracy: 0.5}\n", "9:7: config.gate: with"),
        ("    gold: gold/{doc}.xml\n", '5:5: config.key: "input" stands instead of "gold"; leave "input" out, or "gold"'),
    ],
)
def test_what_does_not_go_together_is_told_at_its_line(
    folder: Path, capfd: pytest.CaptureFixture[str], more: str, message: str
) -> None:
    write(folder, {"nlpeval.yaml": YAML + more, "gold/a.xml": task_file()})
    ended = run(capfd)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"nlpeval.yaml:{message}")
    assert len(ended.err.splitlines()) == 1


def test_gates_of_no_measure_are_allowed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(folder, {"nlpeval.yaml": YAML + "    gates: {}\n    profiles: {release: {}}\n"})
    assert run(capfd, "--profile", "release").code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("input: {ours: a.xml}", "5:5: config.path: input is the same for all systems"),
        ("input: a.xml", "6:5: config.path: system names a file for each document, but input only one file"),
        ("input: none/{doc}.xml", '5:5: config.path: no file matches "none/{doc}.xml"'),
        ("input: ../x/{doc}.xml", "5:5: config.path: leaves the root folder"),
    ],
)
def test_paths_are_checked_as_those_of_gold(folder: Path, capfd: pytest.CaptureFixture[str], line: str, message: str) -> None:
    write(folder, {"nlpeval.yaml": YAML.replace("input: input/{doc}.xml", line)})
    ended = run(capfd)
    assert ended.code == 2
    assert f"nlpeval.yaml:{message}" in ended.err


def test_several_systems_have_reports_of_their_own(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = YAML.replace("system/{doc}.txt", "\n      one: system/{doc}.txt\n      two: two/{doc}.txt")
    write(folder, {"nlpeval.yaml": config, "two/a.txt": RIGHT})
    ended = run(capfd)
    assert ended.out.splitlines()[:3] == [f"test/one: {ONLY}", f"test/one: {PARTIAL}", f"test/two: {ONLY}"]


def test_pytest_has_items_of_cases_only(pytester: pytest.Pytester) -> None:
    write(pytester.path, {"nlpeval.yaml": YAML, "input/a.xml": task_file(), "system/a.txt": PART})
    ended = run_pytest(pytester, "-v", "--nlpeval-report=json:r.json")
    assert ended.code == 0
    assert outcomes(ended.out) == {"nlpeval.yaml::test::a": "passed"}
    assert f"test: {ONLY}\ntest: {PARTIAL}\n" in ended.out
    assert json.loads((pytester.path / "r.json").read_text())["suites"][0]["notes"] == [ONLY, PARTIAL]
    write(pytester.path, {"system/a.txt": "9 TRUE\n"})
    ended = run_pytest(pytester, "-v")
    assert (ended.code, outcomes(ended.out)) == (1, {"nlpeval.yaml::test::a": "failed"})


def test_score_and_the_python_interface_take_it_too(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ended = command(capfd, "score", "rte", "--no-cache", "--input", "input/a.xml", "--system", "system/a.txt")
    assert ended.code == 0
    assert ended.out.startswith(f"rte: {ONLY}\nrte: {PARTIAL}\n")
    result: SuiteResult = score("rte", input="input/{doc}.xml", system="system/{doc}.txt")
    assert (result["coverage"], result.outcome, result.notes) == (3 / 4, "ok", (ONLY, PARTIAL))
    with pytest.raises(KeyError, match='no measure "accuracy"'):
        assert result["accuracy"]
    both = command(capfd, "score", "rte", "--input", "input/a.xml", "--gold", "input/a.xml", "--system", "system/a.txt")
    assert both.code == 2
    assert both.err.startswith('config.key: "input" stands instead of "gold"')


def test_a_task_file_is_checked_alone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ended = command(capfd, "validate", "--task", "rte", "--role", "input", "input/a.xml")
    assert (ended.code, ended.out) == (0, "1 input file of rte checked, 0 with errors\n")
    write(folder, {"input/a.xml": task_file().replace('id="2"', 'id="x"')})
    ended = command(capfd, "validate", "--task", "rte", "--role", "input", "input/a.xml")
    assert (ended.code, "input/a.xml:3: rte.id" in ended.out) == (2, True)


def test_the_example_is_valid(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent.parent / "examples/rte-submission")
    ended = run(capfd)
    assert ended.code == 0
    assert "rte-test/run2: partial submission: 5 of 8 pairs answered (coverage 0.625)" in ended.out
    assert "[warning]" not in ended.out
