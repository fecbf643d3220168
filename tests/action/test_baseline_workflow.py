"""Output that is not in git: the example workflow keeps the evidence of each commit of the main branch, for pull requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.action.runner import ROOT, Job, Runner
from tests.support import HALF, RIGHT, make_suite, write
from tests.unit.baselines.repositories import commit, git, start

WORKFLOW = ROOT / "examples/workflows/baseline.yml"
EMPTY = "0" * 40
MAKE = "mkdir -p system\nprintf '%s' \"$(cat answers.txt)\" >system/a.txt\n"


class Ci:
    """A repository whose output is made by a step of the job, and the runs of the workflow on its commits, with one cache."""

    def __init__(self, folder: Path, installed: dict[str, str]) -> None:
        self.folder, self.installed, self.count = start(folder / "workspace"), installed, 0
        self.scratch = folder / "scratch"
        make_suite(self.folder, "accuracy: {max_drop: 0.1}", runs={"a": RIGHT})
        (self.folder / "system/a.txt").unlink()
        write(self.folder, {"make-output.sh": MAKE, "answers.txt": RIGHT, ".gitignore": "system\nnlpeval-*\n"})
        commit(self.folder, "base")

    def run(self, event: str, **facts: Any) -> Job:
        for name in ("nlpeval-baseline", "nlpeval-report", "system"):
            for path in (self.folder / name).glob("*"):
                path.unlink()
        self.count += 1
        work = self.scratch / f"work{self.count}"
        work.mkdir(parents=True)
        runner = Runner(self.folder, self.scratch, {"GITHUB_EVENT_NAME": event})
        github = {"event_name": event, "sha": git(self.folder, "rev-parse", "HEAD").strip(), "event": facts}
        return runner.workflow(WORKFLOW, "nlpeval", {"install": {**self.installed, "work": str(work)}}, github)

    def report(self) -> dict[str, Any]:
        (suite,) = json.loads((self.folder / "nlpeval-report/report.json").read_bytes())["suites"]
        assert isinstance(suite, dict)
        return suite

    def kept(self) -> set[str]:
        return {path.name.removeprefix("nlpeval-") for path in (self.scratch / "cache").glob("*")}


@pytest.fixture
def ci(tmp_path: Path, installed: dict[str, str]) -> Ci:
    return Ci(tmp_path, installed)


def head(ci: Ci) -> str:
    return git(ci.folder, "rev-parse", "HEAD").strip()


def pull_request(ci: Ci, answers: str) -> None:
    """Check out GitHub's merge commit of a pull request whose system answers so."""
    git(ci.folder, "switch", "--quiet", "--create", "topic")
    write(ci.folder, {"answers.txt": answers})
    commit(ci.folder, "head")
    git(ci.folder, "switch", "--quiet", "main")
    git(ci.folder, "merge", "--quiet", "--no-ff", "--message", "merge", "topic")


def test_pushes_and_pull_requests_are_compared_with_what_the_commit_before_kept(ci: Ci) -> None:
    base = head(ci)
    first = ci.run("push", before=EMPTY)
    assert not first.succeeded
    (gate,) = ci.report()["gates"]
    assert gate["verdict"] == "unjudged"
    assert "base.json: file.missing: does not exist" in gate["reason"]
    assert "`--save-baseline`" in gate["reason"]
    assert ci.kept() == {base}
    write(ci.folder, {"notes.txt": "a"})
    commit(ci.folder, "second")
    second = ci.run("push", before=base)
    assert second.succeeded, second.log
    assert ci.report()["baseline"]["commit"] == base
    pushed = head(ci)
    assert ci.kept() == {base, pushed}
    kept = json.loads((ci.scratch / "cache" / f"nlpeval-{pushed}" / "nlpeval-baseline/base.json").read_bytes())
    assert pushed in json.dumps(kept)
    pull_request(ci, HALF)
    job = ci.run("pull_request")
    assert not job.succeeded
    assert "accuracy drop ≤ 0.1 failed for dev" in "".join(annotation.message for annotation in job.of_level("error"))
    assert ci.report()["baseline"]["commit"] == pushed
    assert ci.kept() == {base, pushed}


def test_a_pull_request_keeps_nothing_and_a_missing_baseline_is_red(ci: Ci) -> None:
    pull_request(ci, RIGHT)
    job = ci.run("pull_request")
    assert not job.succeeded
    assert [gate["verdict"] for gate in ci.report()["gates"]] == ["unjudged"]
    assert ci.kept() == set()


def test_a_run_that_judged_nothing_keeps_nothing(ci: Ci) -> None:
    """What the restored file holds is not kept under another commit."""
    base = head(ci)
    ci.run("push", before=EMPTY)
    write(ci.folder, {"answers.txt": "no answers\n"})
    commit(ci.folder, "second")
    assert not ci.run("push", before=base).succeeded
    assert ci.kept() == {base}
