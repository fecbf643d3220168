"""What the action makes of a repository: verdict, annotations, summary, outputs, report folder."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.files import json_schema
from tests.action.conftest import BUILDERS, Act, without_index
from tests.action.runner import ROOT, Annotation, Job, Runner
from tests.support import HALF, RIGHT, apart, config_text, make_suite, write


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def report(job: Job) -> Any:
    """The report that the action left, checked against its schema."""
    document = json.loads((job.folder / job.outputs["report"]).read_bytes())
    jsonschema.Draft202012Validator(json_schema("report.schema.json")).validate(document)
    assert document["passed"] == (job.outputs["passed"] == "true")
    return document


def errors(job: Job) -> list[tuple[str, str]]:
    return [(annotation.file, annotation.line) for annotation in job.of_level("error")]


def test_passing(workspace: Path, act: Act) -> None:
    make_suite(workspace, "accuracy: 0.75")
    job = act(workspace)
    assert job.succeeded
    assert job.annotations == []
    assert job.leftovers == {}
    assert (job.outputs["passed"], job.outputs["report"]) == ("true", "nlpeval-report/report.json")
    assert json.loads(job.outputs["scores"])["dev"]["accuracy"] == 0.75
    assert job.summary.startswith("> [!NOTE]\n> ✅ **the one gate passed**")
    assert report(job)["passed"] is True
    folder = workspace / "nlpeval-report"
    assert sorted(path.name for path in folder.iterdir()) == ["junit.xml", "report.json", "report.md"]
    assert (folder / "report.md").read_text() + "\n" == job.summary
    assert {case.get("name") for case in ET.parse(folder / "junit.xml").iter("testcase")} == {"a", "b", "accuracy"}


def test_a_failing_gate_stands_at_its_line(workspace: Path, act: Act) -> None:
    make_suite(workspace, "coverage: 1", "accuracy: 0.8", "cws: {min: 1.0, informational: true}")
    job = act(workspace)
    assert not job.succeeded
    assert job.outputs["passed"] == "false"
    assert job.of_level("error") == [
        Annotation(
            "error",
            "accuracy ≥ 0.8 failed for dev: 0.750 is short by 0.050",
            "nlpeval.yaml",
            "9",
            title="nlpeval: gate failed",
        )
    ]
    assert [(annotation.line, annotation.level) for annotation in job.annotations] == [("9", "error"), ("10", "notice")]
    assert re.search(
        r"\| ❌ failed \| .* \| <code>accuracy</code> \| \*\*0\.750\*\* \| .* \| ≥ 0\.8, short by 0\.050 \|", job.summary
    )
    assert report(job)["suites"][0]["outcome"] == "failed"
    assert not (workspace / ".pytest_cache/d/nlpeval").exists(), "no store of evidence, which a cache would bring back"
    informed = act(workspace, {"mode": "inform"}, judged=job)
    assert informed.succeeded
    assert informed.outputs["passed"] == "false"
    assert [(annotation.level, annotation.line) for annotation in informed.annotations] == [("warning", "9"), ("notice", "10")]
    assert "failed gates do not fail the job" in informed.summary


def test_an_invalid_system_file_fails_in_either_mode(workspace: Path, act: Act) -> None:
    make_suite(workspace, "accuracy: 0.5", runs={"a": RIGHT, "b": "1 TRUE 0.9\n2 MAYBE 0.8\n"})
    job = act(workspace, {"mode": "inform"})
    assert not job.succeeded
    assert job.outputs["passed"] == "false"
    assert ("system/b.txt", "2") in errors(job)
    assert "rte.judgment" in job.summary
    assert [annotation.level for annotation in job.annotations if "unjudged" in annotation.title] == ["warning"]
    assert json.loads(job.outputs["scores"])["dev"]["accuracy"] is None
    gate = act(workspace, judged=job)
    assert not gate.succeeded
    assert ("nlpeval.yaml", "8") in errors(gate)


def test_a_bad_configuration_stands_at_its_lines(workspace: Path, act: Act) -> None:
    make_suite(workspace, "acuracy: 0.5", "accuracy: high")
    judged = None
    for inputs in ({}, {"mode": "inform"}, {"jobs": "2"}):
        job = act(workspace, inputs, judged=None if "jobs" in inputs else judged)
        judged = judged or job
        assert not job.succeeded
        assert job.outputs["passed"] == "false"
        assert errors(job) == [("nlpeval.yaml", "8"), ("nlpeval.yaml", "9")]
        assert job.outputs["scores"] == "{}"
        assert "did you mean" in job.summary
        assert [problem["code"] for problem in report(job)["problems"]] == ["config.measure", "config.invalid"]


def test_the_report_needs_no_numpy(tmp_path: Path) -> None:
    program = "import sys; sys.path.insert(0, sys.argv[1]); import report; sys.exit('numpy' in sys.modules)"
    ended = apart(tmp_path, [sys.executable, "-c", program, str(ROOT / "action")])
    assert ended.code == 0, ended.all


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("report.py", "The report did not come to its end"),
        ("arguments.py", "pytest ended with exit code 2 before any suite was judged"),
    ],
)
def test_a_step_that_is_ended_with_0_fails(
    workspace: Path, installed: dict[str, str], tmp_path: Path, script: str, says: str
) -> None:
    """C code of a task of another package can end the process so, behind Python's back."""
    make_suite(workspace, "accuracy: 0.75")
    ending = f'#!/bin/sh\ncase "$*" in */{script}) exit 0 ;; esac\nexec "{installed["interpreter"]}" "$@"\n'
    interpreter = write(tmp_path, {"python": ending, "scratch/job/kept": ""}) / "python"
    interpreter.chmod(0o755)
    seed = {"install": {"interpreter": str(interpreter), "work": str(tmp_path / "scratch/job")}}
    job = Runner(workspace, tmp_path / "scratch").action(only=["test", "report", "Judge"], seed=seed)
    assert not job.succeeded
    assert job.of_level("error")[0].message.startswith(says)
    assert "Traceback" not in job.log


def test_no_suites(workspace: Path, act: Act) -> None:
    job = act(workspace)
    assert not job.succeeded
    assert [annotation.message[:21] for annotation in job.annotations] == ["no nlpeval.yaml found"]
    assert report(job)["problems"][0]["code"] == "config.none"


def test_a_path_that_does_not_exist(workspace: Path, act: Act) -> None:
    make_suite(workspace)
    job = act(workspace, {"paths": "nowhere"})
    assert not job.succeeded
    assert len(job.of_level("error")) == 1


def test_profile(workspace: Path, act: Act) -> None:
    make_suite(workspace, config=config_text("accuracy: 0.25") + "    profiles: {release: {accuracy: 0.8}}\n")
    assert act(workspace).succeeded
    job = act(workspace, {"profile": "release"})
    assert not job.succeeded
    assert errors(job) == [("nlpeval.yaml", "9")]
    unknown = act(workspace, {"profile": "relaese"})
    assert not unknown.succeeded
    assert 'did you mean "release"?' in unknown.of_level("error")[0].message


def test_every_configuration_of_the_repository_and_no_test(workspace: Path, act: Act) -> None:
    make_suite(workspace / "one", "accuracy: 0.75")
    make_suite(workspace / "@two", "accuracy: 0.8")
    write(workspace, {"tests/test_own.py": "import nowhere\n", "tests/conftest.py": "import nowhere\n", "@two/x": "-x\n"})
    job = act(workspace)
    assert len(report(job)["suites"]) == 2
    assert errors(job) == [("@two/nlpeval.yaml", "8")]
    assert set(json.loads(job.outputs["scores"])) == {"one/nlpeval.yaml::dev", "@two/nlpeval.yaml::dev"}


def test_paths_of_a_rootdir_below_the_workspace(workspace: Path, act: Act) -> None:
    make_suite(workspace / "sub", "accuracy: 0.8", runs={"a": HALF, "b": "x\n"})
    write(workspace, {"sub/pytest.ini": "[pytest]\n"})
    job = act(workspace, {"paths": "sub"})
    assert set(errors(job)) == {("sub/nlpeval.yaml", "8"), ("sub/system/b.txt", "1")}


def test_options_and_plugins_of_the_repository(workspace: Path, act: Act) -> None:
    make_suite(workspace, "accuracy: 0.75")
    write(
        workspace,
        {
            "pytest.ini": "[pytest]\naddopts = -v -p own_plugin\nfilterwarnings = error\n",
            "own_plugin.py": "def pytest_addoption(parser): parser.addoption('--own')\n"
            "def pytest_report_header(config): return 'own plugin: ' + str(config.getoption('--own'))\n",
        },
    )
    job = act(workspace, {"args": "--own 'two words' -k accuracy"})
    assert job.succeeded, job.log
    assert "own plugin: two words" in job.log
    assert "1 passed, 2 deselected" in job.log
    assert report(job)["suites"][0]["cases"]["total"] == 2


def test_a_failing_test_of_the_repository_fails_the_job(workspace: Path, act: Act) -> None:
    make_suite(workspace, "accuracy: 0.75")
    write(workspace, {"test_own.py": "def test_own(): assert False\n"})
    judged = None
    for mode in ("gate", "inform"):
        job = judged = act(workspace, {"paths": ".", "mode": mode}, judged=judged)
        assert not job.succeeded
        assert job.outputs["passed"] == "false"
        assert "1 test besides gates failed" in job.of_level("error")[0].message
        assert json.loads(job.outputs["scores"])["dev"]["accuracy"] == 0.75


def test_args_that_cannot_be_split(workspace: Path, act: Act) -> None:
    make_suite(workspace)
    job = act(workspace, {"args": "-k 'accuracy"})
    assert not job.succeeded
    assert "the input args cannot be split" in job.of_level("error")[0].message


def test_output_is_made_and_saved_only_if_an_input_says_so(workspace: Path, act: Act) -> None:
    made = f"open('out.txt', 'w').write({RIGHT!r})"
    produce = f'{{command: ["{sys.executable}", make.py]}}'
    entries = {"gold": "gold/a.xml", "system": "out.txt", "produce": produce}
    make_suite(workspace, config=config_text("accuracy: 1.0", **entries))
    write(workspace, {"make.py": made, "pytest.ini": "[pytest]\naddopts = --nlpeval-produce --nlpeval-save-baseline=no.json\n"})
    assert not act(workspace).succeeded
    assert not {"out.txt", "no.json"} & {path.name for path in workspace.iterdir()}
    job = act(workspace, {"produce": "true", "save-baseline": "base.json"})
    assert job.succeeded, job.log
    assert list(json.loads((workspace / "base.json").read_bytes())["suites"]) == ["dev"]
    assert act(workspace, {"produce": "true", "baseline": "base.json"}).succeeded


def test_a_suite_left_to_tests_needs_them(workspace: Path, act: Act) -> None:
    entries = {"name": "dev", "task": "rte", "gold": "gold/a.xml", "judged_by": "test"}
    text = "version: 1\nsuites:\n  - " + "\n    ".join(f"{key}: {value}" for key, value in entries.items())
    make_suite(workspace, config=text + "\n    gates: {accuracy: 1.0}\n")
    write(workspace, {"test_own.py": f"def test_it(nlpeval):\n    nlpeval.judge('dev', system={RIGHT!r})\n"})
    job = act(workspace)
    assert not job.succeeded
    assert "suite.unjudged" in job.log
    assert act(workspace, {"paths": ".", "mode": "gate"}).succeeded


def test_python_current_imports_the_repositorys_code(
    workspace: Path, tmp_path: Path, installation: Job, installed: dict[str, str]
) -> None:
    make_suite(workspace, "accuracy: 0.75")
    write(workspace, {"own.py": "ANSWER = 42\n", "test_own.py": "import own\n\ndef test_own(): assert own.ANSWER == 42\n"})
    own = Path(installed["interpreter"]).parent
    path = f"{own}:{Runner(workspace, tmp_path).environment['PATH']}"
    environment = {"PATH": path, **without_index(installation.folder.parent / BUILDERS)}
    job = Runner(workspace, tmp_path / "scratch", environment).action({"python": "current"})
    assert job.succeeded, job.log
    assert Path(job.steps["install"]["interpreter"]).parent == own
    assert {case.get("name") for case in ET.parse(workspace / "nlpeval-report/junit.xml").iter("testcase")} >= {"test_own"}


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"mode": "gates"}, "mode must be gate or inform"),
        ({"jobs": "0"}, "jobs must be a number"),
        ({"jobs": "two"}, "jobs must be a number"),
        ({"produce": "yes"}, "produce must be true or false"),
        ({"python": "no-such-python"}, "No Python 3.11 or later"),
        ({"python": "old"}, "No Python 3.11 or later"),
    ],
)
def test_inputs_are_checked_first(workspace: Path, tmp_path: Path, inputs: dict[str, str], message: str) -> None:
    old = tmp_path / "bin" / "old"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    path = f"{old.parent}:{Runner(workspace, tmp_path).environment['PATH']}"
    job = Runner(workspace, tmp_path / "scratch", {"PATH": path}).action(inputs)
    assert not job.succeeded
    assert [message in annotation.message for annotation in job.annotations] == [True]
    assert set(job.steps) == {"install"}


def test_a_report_folder_that_is_there_already(workspace: Path, act: Act) -> None:
    make_suite(workspace, "acuracy: 1")
    stale = '{"version": 1, "tool": "x", "passed": true, "suites": []}'
    write(workspace, {"out/report.json": stale, "out/junit.xml": "<x/>", "out/other": "kept"})
    job = act(workspace, {"report-dir": "out"})
    assert (job.succeeded, job.outputs["passed"], job.outputs["report"]) == (False, "false", "out/report.json")
    assert report(job)["passed"] is False
    assert (workspace / "out/other").read_text() == "kept"


def test_pytest_that_dies(workspace: Path, act: Act) -> None:
    make_suite(workspace)
    write(workspace, {"conftest.py": "import os\ndef pytest_sessionstart(): os._exit(0)\n"})
    job = act(workspace)
    assert not job.succeeded
    assert job.outputs["passed"] == "false"
    assert "pytest ended with exit code 0 before any suite was judged" in job.of_level("error")[0].message
