"""Nothing that an input, a file name or a file holds becomes a command, an output, a variable or a file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.action.conftest import STOLEN, Act
from tests.action.runner import ROOT, Job, Runner
from tests.support import RIGHT, config_text, files_below, gold_xml, make_suite, write

PWNED = "$(touch pwned)`touch pwned`;touch pwned #\n::error::pwned\n::set-env name=PWNED::1\npassed=true\nPWNED<<X\n1\nX\n"
NAMES = (
    "a\n::error file=x::pwned",
    "b%0A::error::pwned",
    "c\r::warning::pwned",
    "d,line=1,title=pwned",
    "e::set-output name=passed::true",
    "f##[error]pwned",
    "g\x1b[31m\u202epwned",
    "h|<img src=x onerror=pwned>|`code`|[pwned](http:pwned)|@pwned #1",
    "$(touch pwned)",
)
LINE = "1 <img/src=x>@someone[pwned](https:)%0A::error::pwned\r::set-env\x1b[2J\u2028::stop-commands::x\n"


def assert_inert(job: Job, before: dict[str, bytes | None]) -> None:
    """The runner took nothing but what the action means, and no file came to be that the action does not write."""
    assert job.leftovers == {}
    assert set(job.outputs) == {"passed", "report", "scores"}
    assert set(job.steps["test"]) <= {"status"}
    assert set(job.steps["report"]) <= {"passed", "failed", "report", "scores"}
    assert not [annotation for annotation in job.annotations if annotation.message.startswith("pwned")]
    assert not [annotation for annotation in job.annotations if not annotation.title.startswith("nlpeval")]
    new = {name for name in set(files_below(job.folder)) - set(before) if not name.startswith((".pytest_cache", "__pycache__"))}
    assert new <= {"nlpeval-report", *(f"nlpeval-report/{name}" for name in ("report.json", "report.md", "junit.xml"))}


@pytest.mark.parametrize("name", ["paths", "profile", "args"])
def test_inputs(tmp_path: Path, act: Act, name: str) -> None:
    workspace = make_suite(tmp_path / "workspace")
    before = files_below(workspace)
    job = act(workspace, {name: PWNED})
    assert not job.succeeded
    assert job.outputs["passed"] == "false"
    assert_inert(job, before)


@pytest.mark.parametrize("name", ["mode", "jobs", "python"])
def test_inputs_of_the_first_step(tmp_path: Path, name: str) -> None:
    workspace = make_suite(tmp_path / "workspace")
    before = files_below(workspace)
    job = Runner(workspace, tmp_path / "scratch").action({name: PWNED})
    assert not job.succeeded
    assert (job.steps, job.leftovers, files_below(workspace)) == ({"install": {}}, {}, before)
    assert len(job.annotations) == 1
    assert "pwned" not in job.log


def test_report_dirs(tmp_path: Path, act: Act) -> None:
    """A name of any letters, folders outside, and one with links in the places of the reports, which are neither followed nor replaced."""
    workspace = make_suite(tmp_path / "workspace", "accuracy: 0.75")
    job = act(workspace, {"report-dir": "x\n::error::pwned $(touch pwned)"})
    assert job.succeeded
    assert job.outputs["report"] == "x\n::error::pwned $(touch pwned)/report.json"
    assert (workspace / job.outputs["report"]).is_file()
    assert job.annotations == []
    assert not (workspace / "pwned").exists()
    (tmp_path / "outside").mkdir()
    (workspace / "link").symlink_to(tmp_path / "outside")
    for given in ("link", "link/below", "../outside"):
        outside = act(workspace, {"report-dir": given}, judged=job)
        assert not outside.succeeded, given
        assert "leads out of the workspace" in outside.annotations[0].message
        assert list((tmp_path / "outside").iterdir()) == []
    names = [path.name for path in (workspace / job.outputs["report"]).parent.iterdir()]
    target = tmp_path / "target"
    target.write_text("mine")
    for name in names:
        write(workspace, {"links/kept": ""})
        (workspace / "links" / name).symlink_to(target)
    linked = act(workspace, {"report-dir": "links"}, judged=job)
    assert not linked.succeeded
    assert "has something else in the place of report.json" in linked.of_level("error")[0].message
    assert (linked.outputs["passed"], linked.outputs["report"]) == ("false", "")
    assert "has something else in the place of report.json" in linked.summary
    assert target.read_text() == "mine"
    assert sorted(names) == ["junit.xml", "report.json", "report.md"]
    assert all((workspace / "links" / name).is_symlink() for name in names)


def test_names_and_contents_of_files(tmp_path: Path, act: Act) -> None:
    workspace = make_suite(tmp_path / "workspace", "accuracy: 0.75", runs=dict.fromkeys(NAMES, LINE))
    before = files_below(workspace)
    job = act(workspace)
    assert not job.succeeded
    assert json.loads(job.outputs["scores"])["dev"]["accuracy"] is None
    assert_inert(job, before)
    assert len(job.of_level("error")) == 10
    for text in (job.summary, (workspace / "nlpeval-report/report.md").read_text()):
        assert not any(raw in text for raw in ("<img", "\x1b", "\u202e", "\r"))  # no runner reads these files for commands
    assert "system/d,line=1,title=pwned.txt" in {annotation.file for annotation in job.of_level("error")}


def test_names_of_configurations_and_folders(tmp_path: Path, act: Act) -> None:
    workspace = tmp_path / "workspace"
    names = ("-x", "@args", "a::b", "c[d]", "e\n::error::pwned", "--nlpeval-informational")
    for name in names:
        make_suite(workspace / name, "accuracy: 0.8", runs={"a": "1 TRUE 0.9\n2 TRUE 0.8\n3 TRUE 0.7\n4 TRUE 0.6\n"})
        write(workspace, {f"{name}.nlpeval.yaml": config_text("accuracy: 0.8").replace("gold/", "'gold/").replace("xml", "xml'")})
    write(workspace, {"gold/a.xml": gold_xml(), "system/a.txt": RIGHT, "args": "--nlpeval-informational\n"})
    before = files_below(workspace)
    job = act(workspace)
    assert not job.succeeded
    assert len(json.loads((workspace / "nlpeval-report/report.json").read_bytes())["suites"]) == 2 * len(names)
    assert_inert(job, before)


def test_tests_that_print_commands_and_look_for_the_files_of_commands(tmp_path: Path, act: Act) -> None:
    workspace = make_suite(tmp_path / "workspace", "accuracy: 0.75")
    code = """
import os

def test_own():
    for line in ("::error::pwned", "::set-env name=PWNED::1", "::add-path::/pwned", "::stop-commands::x", "::x::", "##[error]pwned"):
        print(line)
    assert not {"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE"} & set(os.environ)
    assert not [name for name in os.environ if "TOKEN" in name]
"""
    write(workspace, {"test_own.py": code})
    before = files_below(workspace)
    job = act(workspace, {"paths": ".", "args": "-s"})
    assert job.succeeded, job.log
    assert "::error::pwned" in job.log
    assert job.annotations == []
    assert_inert(job, before)


def test_installing_imports_no_module_of_the_repository(installation: Job) -> None:
    assert {path.name for path in installation.folder.iterdir()} == {f"{name}.py" for name in STOLEN}
    assert installation.annotations == []
    assert installation.leftovers == {}


def test_no_step_holds_an_expression_or_a_token() -> None:
    text = (ROOT / "action.yml").read_text()
    assert all("${{" not in line for line in text.splitlines() if "run:" in line)
    assert "token" not in text
    assert "secrets" not in text


def test_nobody_can_guess_the_words_of_the_steps() -> None:
    """They end what the runner must not obey, and what is an output's value."""
    script = f"source '{ROOT / 'action/common.sh'}'; random_word"
    environment = {**os.environ, "NLPEVAL_INTERPRETER": sys.executable}
    words = {subprocess.run(["bash", "-c", script], env=environment, capture_output=True, check=True).stdout for _ in range(2)}
    assert len(words) == 2
    assert all(re.fullmatch(b"[0-9a-f]{32}", word) for word in words)


def test_each_run_has_words_of_its_own(tmp_path: Path, act: Act) -> None:
    """Whoever knew a word from an earlier run could let the runner obey again, or end a value and set an output of their own.

    So could a repository with a module that chooses the words; no step that holds one imports it.
    """
    workspace = make_suite(tmp_path / "workspace", "accuracy: 0.75")
    write(workspace, {f"{name}.py": "open('pwned', 'w')\n" for name in ("secrets", "shlex")})
    words: list[str] = []
    for _ in range(2):
        job = act(workspace)
        assert job.succeeded, job.log
        told = [job.log, *((tmp_path / f"scratch/{step}-GITHUB_OUTPUT").read_text() for step in ("test", "report"))]
        found = [re.findall(r"^(?:::stop-commands::|\w+<<)(.*)$", text, re.MULTILINE) for text in told]
        assert list(map(len, found)) == [1, 1, 4]
        words += [word for each in found for word in each]
    assert len(set(words)) == 2 * 6
    assert all(re.fullmatch("[0-9a-f]{32}", word) for word in words)
    assert not (workspace / "pwned").exists()
