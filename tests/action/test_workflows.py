"""The example workflows and the project's own: what they are allowed, what they use, and what a user sees of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml

from tests.action.runner import REPOSITORY, ROOT, Runner, holds

EXAMPLES = sorted((ROOT / "examples/workflows").glob("*.yml"))
COMMENT = ROOT / "examples/workflows/comment.yml"
ACTIONS = [ROOT / "action.yml", ROOT / "action/comment/action.yml"]
WORKFLOWS = [*EXAMPLES, *sorted((ROOT / ".github/workflows").glob("*.yml"))]
PINNED = re.compile(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+\b")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_is_used_is_pinned(path: Path) -> None:
    used = [line.strip().removeprefix("- ") for line in path.read_text().splitlines() if "uses:" in line]
    assert used
    assert not [line for line in used if not PINNED.match(line)]


def test_one_version_of_each_action() -> None:
    lines = {
        line.partition("uses: ")[2]
        for path in (*WORKFLOWS, ROOT / "docs/ci.md", ROOT / "README.md")
        for line in path.read_text().splitlines()
    }
    used = {line for line in lines if line.startswith(("actions/", "pypa/"))}
    assert len(used) == len({line.partition("@")[0] for line in used}), sorted(used)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_may_only_read(path: Path) -> None:
    """But for the one that comments: its job may write comments, and has no code of a pull request."""
    workflow = read(path)
    assert workflow["permissions"] == ({} if path == COMMENT else {"contents": "read"})
    given = [job["permissions"] for job in workflow["jobs"].values() if "permissions" in job]
    assert given == ([{"actions": "read", "pull-requests": "write"}] if path == COMMENT else [])
    assert "pull_request_target" not in path.read_text()
    assert "secrets." not in path.read_text()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_only_a_push_writes_to_the_cache(path: Path) -> None:
    """What a run of the main branch restores was written by one: by no pull request, and by no workflow that is told of one."""
    caching = [step for job in read(path)["jobs"].values() for step in job["steps"] if "cache" in str(step)]
    for step in caching:
        used = step["uses"].partition("@")[0]
        assert used in ("actions/cache/restore", "actions/cache/save")
        assert "restore-keys" not in step["with"]
        assert used == "actions/cache/restore" or "&& github.event_name == 'push' &&" in step["if"]
    assert bool(caching) is (path.stem == "baseline")


@pytest.mark.parametrize(
    ("name", "start"), [("comment", "name: Comment"), ("baseline", "      - name: Name the commit"), ("matrix", "jobs:")]
)
def test_a_page_shows_the_workflow_as_it_is(name: str, start: str) -> None:
    text = (ROOT / f"examples/workflows/{name}.yml").read_text()
    shown = re.sub(r" # zizmor: .*", "", text[text.index(start) :]).rstrip()
    assert f"```yaml\n{shown}\n```" in (ROOT / "docs/ci.md").read_text()


def test_the_comment_runs_nothing_of_a_pull_request() -> None:
    """Its job checks nothing out, downloads nothing by itself, and has no script of its own."""
    (job,) = read(COMMENT)["jobs"].values()
    assert [step["uses"].partition("@")[0] for step in job["steps"]] == [
        "actions/setup-python",
        "OWNER/pytest-nlpeval/action/comment",
    ]
    assert job["if"] == "github.event.workflow_run.event == 'pull_request'"
    assert COMMENT.read_text().count("zizmor: ignore") == COMMENT.read_text().count("ignore[dangerous-triggers]") == 1
    assert not [path for path in WORKFLOWS if path != COMMENT and "zizmor: ignore" in path.read_text()]


def test_the_comment_waits_for_the_workflow_that_uploads_what_it_reads() -> None:
    """The names of the workflow and of the artifact are those of the example for pull requests."""
    judging = read(ROOT / "examples/workflows/pull-request.yml")
    upload = judging["jobs"]["nlpeval"]["steps"][-1]
    action = read(ROOT / "action/comment/action.yml")
    assert read(COMMENT)[True]["workflow_run"]["workflows"] == [judging["name"]]  # YAML 1.1 takes `on` for a truth value
    assert upload["with"]["name"] == action["inputs"]["artifact"]["default"]
    assert upload["with"]["path"] == read(ROOT / "action.yml")["inputs"]["report-dir"]["default"]


@pytest.mark.parametrize("path", [*ACTIONS, *WORKFLOWS], ids=lambda path: path.stem)
def test_no_script_holds_an_expression(path: Path) -> None:
    def scripts(node: Any) -> list[str]:
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        own = [node["run"]] if isinstance(node, dict) and isinstance(node.get("run"), str) else []
        return own + [script for value in inner for script in scripts(value)]

    assert not [script for script in scripts(read(path)) if "${{" in script]


def repository(folder: Path) -> Path:
    """The example of the task `exemplar`, with a gate set too high and a line of the baseline's file spoilt."""
    copytree(ROOT / "examples/exemplar", folder)
    config, baseline = folder / "nlpeval.yaml", folder / "system/baseline.tsv"
    config.write_text(config.read_text().replace("f1: 0.55", "f1: 0.90"))
    lines = baseline.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("\t", " ", 1)
    baseline.write_text("".join(lines))
    return folder


def test_the_pull_request_example_as_a_user_sees_it(tmp_path: Path, installed: dict[str, str]) -> None:
    """The page shows the end of the log, the summary and the outputs, as they are."""
    (tmp_path / "work").mkdir()
    runner = Runner(repository(tmp_path / "workspace"), tmp_path / "scratch")
    job = runner.workflow(
        ROOT / "examples/workflows/pull-request.yml", "nlpeval", {"install": {**installed, "work": str(tmp_path / "work")}}
    )
    assert not job.succeeded
    told = re.split(r"\n::[0-9a-f]{32}::\n", job.log)[-1].strip()
    outputs = "\n".join(f"{name}: {value}" for name, value in job.outputs.items())
    page = (ROOT / "docs/ci.md").read_text()
    for shown in (told, job.summary.strip(), outputs):
        assert shown in page, shown


def test_the_release_gate_holds_a_release_to_its_profile(tmp_path: Path, installed: dict[str, str]) -> None:
    path = ROOT / "examples/workflows/release-gate.yml"
    assert read(path)["jobs"]["publish"]["needs"] == "nlpeval"
    workspace = copytree(ROOT / "examples/rte", tmp_path / "workspace")
    (tmp_path / "work").mkdir()
    runner = Runner(workspace, tmp_path / "scratch")
    job = runner.workflow(path, "nlpeval", {"install": {**installed, "work": str(tmp_path / "work")}})
    assert job.succeeded, job.log
    assert "coverage" in (workspace / "nlpeval-report/report.md").read_text()
    scores = json.loads(job.told["scores"])
    assert scores
    published = runner.workflow(path, "publish", {}, needs={"nlpeval": job.told})
    assert published.succeeded
    first, shown = published.log.splitlines()
    assert (first, json.loads(shown)) == ("Publish here. The scores of this release:", scores)
    assert "if" not in read(path)["jobs"]["publish"]  # so a job that failed is never followed by it


def test_every_night_all_is_told_and_nothing_fails(tmp_path: Path, installed: dict[str, str]) -> None:
    """In a repository with a test of its own, slow, and a gate that fails; what installs the system is told of, and installs nothing."""
    path = ROOT / "examples/workflows/nightly.yml"
    workspace = copytree(ROOT / "examples/exemplar", tmp_path / "workspace")
    config = workspace / "nlpeval.yaml"
    config.write_text(config.read_text().replace("f1: 0.55", "f1: 0.90"))
    (workspace / "test_own.py").write_text(
        "import pathlib, pytest\n\n\n@pytest.mark.slow\ndef test_own():\n    pathlib.Path('ran').touch()\n"
    )
    (workspace / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow: takes long\n")
    tools, told = tmp_path / "tools", tmp_path / "told"
    tools.mkdir()
    (tmp_path / "work").mkdir()
    (tools / "python").write_text(f'#!/bin/sh\necho "$@" >>{told}\n')
    (tools / "python").chmod(0o755)
    runner = Runner(workspace, tmp_path / "scratch")
    runner.environment["PATH"] = f"{tools}{os.pathsep}{runner.environment['PATH']}"
    job = runner.workflow(path, "nlpeval", {"install": {**installed, "work": str(tmp_path / "work")}})
    assert job.succeeded, job.log
    assert told.read_text() == "-m pip install .\n"
    assert (workspace / "ran").exists()
    assert job.outputs["passed"] == "false"
    assert job.log.splitlines()[-1] == f"Something is below its gate; see {job.outputs['report']}"
    assert (workspace / job.outputs["report"]).exists()
    last = read(path)["jobs"]["nlpeval"]["steps"][-1]
    assert not holds(last["if"], {"steps": {"nlpeval": {"passed": "true"}}}, succeeded=True)


@pytest.mark.parametrize(("tag", "fits"), [("v{}", True), ("{}", False), ("v{}.1", False), ("v{}\n", False)])
def test_a_release_is_its_tags_version(tag: str, fits: bool, tmp_path: Path) -> None:
    from pytest_nlpeval import __version__

    runner = Runner(tmp_path, tmp_path / "scratch", {"GITHUB_REF_NAME": tag.format(__version__)})
    done = subprocess.run(
        ["bash", str(ROOT / ".github/check-version.sh")], env=runner.environment, capture_output=True, check=False
    )
    assert (done.returncode == 0) is fits


def named(root: Path, *arguments: str, repository: str = "") -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "GITHUB_REPOSITORY"}
    program = [sys.executable, "-I", str(root / ".github/names.py"), *arguments]
    environment |= {"GITHUB_REPOSITORY": repository} if repository else {}
    return subprocess.run(program, env=environment, capture_output=True, text=True, check=False)


def test_all_pages_name_the_package_and_the_repository_as_pyproject_does() -> None:
    done = named(ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_release_of_another_repository_is_refused_until_its_name_is_written(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml", "docs/ci.md", ".github/names.py", "examples/workflows/nightly.yml"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    of_another = named(tmp_path, repository="someone/nlpeval-fork")
    assert of_another.returncode == 1
    assert "https://github.com/someone/nlpeval-fork" in of_another.stderr
    project = tmp_path / "pyproject.toml"
    project.write_text(
        project.read_text().replace(REPOSITORY, "someone/nlpeval-fork").replace('"pytest-nlpeval"', '"their-nlpeval"')
    )
    lines = named(tmp_path, repository="someone/nlpeval-fork").stderr.splitlines()
    assert {line.partition(":")[0] for line in lines} == {"README.md", "docs/ci.md", "examples/workflows/nightly.yml"}
    assert named(tmp_path, "--write").returncode == 0
    assert named(tmp_path, repository="someone/nlpeval-fork").returncode == 0
    for name in ("README.md", "docs/ci.md", "examples/workflows/nightly.yml"):
        text = (tmp_path / name).read_text()
        assert REPOSITORY not in text
        assert "uses: someone/nlpeval-fork@" in text
    assert "pip install their-nlpeval" in (tmp_path / "README.md").read_text()


def test_the_pre_commit_hook_runs_the_command() -> None:
    (hook,) = read(ROOT / ".pre-commit-hooks.yaml")
    assert hook["entry"] == "nlpeval validate"
    assert hook["pass_filenames"] is False


def test_the_matrix_gives_the_report_of_one_run(tmp_path: Path) -> None:
    """The scripts of its jobs, in folders of their own: each has a checkout, and the last one the artifacts of the others."""
    jobs = read(ROOT / "examples/workflows/matrix.yml")["jobs"]
    count, judge = ([step["run"] for step in jobs[name]["steps"] if "run" in step][-1] for name in ("count", "judge"))
    program = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": "summary.md"}
    merging = copytree(ROOT / "examples/cat", tmp_path / "judge")
    shards = jobs["count"]["strategy"]["matrix"]["shard"]
    for shard in shards:
        folder = copytree(ROOT / "examples/cat", tmp_path / f"count{shard}")
        variables = {**os.environ, **program, "SHARD": f"{shard}/{len(shards)}"}
        subprocess.run(["bash", "-e", "-c", count], cwd=folder, env=variables, check=True, capture_output=True)
        artifact = merging / f"evidence/nlpeval-evidence-{shard}"
        artifact.mkdir(parents=True)
        (folder / "evidence.json").rename(artifact / "evidence.json")
    subprocess.run(["bash", "-e", "-c", judge], cwd=merging, env={**os.environ, **program}, check=True, capture_output=True)
    one = [sys.executable, "-m", "pytest_nlpeval", "run", "--report=html:one.html", "--report=markdown:one.md"]
    subprocess.run(one, cwd=merging, check=True, capture_output=True)
    assert (merging / "nlpeval-report/report.html").read_bytes() == (merging / "one.html").read_bytes()
    assert (merging / "summary.md").read_bytes() == (merging / "one.md").read_bytes()
    shutil.rmtree(merging / "evidence/nlpeval-evidence-1")
    short = subprocess.run(
        ["bash", "-e", "-c", judge], cwd=merging, env={**os.environ, **program}, check=False, capture_output=True
    )
    assert (short.returncode, b"shard.missing" in short.stderr) == (2, True)
