"""No data of a pull request turn a failing gate green, and whatever lowers the bar is told first."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from html import unescape
from pathlib import Path

import pytest

from tests.action.conftest import Act
from tests.action.runner import Job
from tests.support import HALF, RIGHT, apart, config_text, files_below, make_suite, write
from tests.unit.baselines.repositories import commit, git, start

PULL_REQUEST = {"GITHUB_EVENT_NAME": "pull_request"}

LAX = "    profiles: {lax: {accuracy: 0.1}}\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose base commit has two good suites: `dev`, whose system a pull request spoils, and `other`."""
    folder = start(tmp_path_factory.mktemp("base") / "workspace")
    make_suite(folder, config=config_text("accuracy: 0.8") + LAX, runs={"a": RIGHT, "b": RIGHT})
    make_suite(folder / "other", "accuracy: 0.25", name="other")
    commit(folder, "base")
    return folder


@pytest.fixture
def folder(base: Path, tmp_path: Path) -> Path:
    """That repository, for one test to change."""
    return shutil.copytree(base, tmp_path / "workspace")


def merged(folder: Path) -> Path:
    """Commit what is in the work tree as a pull request of one commit, and check out GitHub's merge commit, which has the same files."""
    git(folder, "switch", "--quiet", "--create", "topic")
    head = commit(folder, "head")
    merge = git(folder, "commit-tree", f"{head}^{{tree}}", "-p", "main", "-p", head, "-m", "merge")
    git(folder, "update-ref", "refs/heads/main", merge)
    git(folder, "symbolic-ref", "HEAD", "refs/heads/main")
    return folder


def spoil(folder: Path) -> None:
    write(folder, {"system/a.txt": HALF, "system/b.txt": HALF})


def messages(job: Job, level: str = "error") -> str:
    return "\n".join(annotation.message for annotation in job.of_level(level))


FAILED = "accuracy ≥ 0.8 failed for dev: 0.500 is short by 0.300"

ADDOPTS = (
    *("-k other", "--deselect=nlpeval.yaml", "-m 'not nlpeval'", "--ignore=nlpeval.yaml", "--ignore-glob=*/nlpeval.yaml"),
    *("--collect-only", "--setup-plan"),
    *("--nlpeval-informational", "--nlpeval-profile=lax", "--nlpeval-suite=other", "--nlpeval-report=json:other/report.json"),
)
"""Options of which each, by itself, takes away the failure of the gate or writes a report; none gives the failure back to another one."""


def test_addopts_decide_nothing(folder: Path, act: Act) -> None:
    """The log says which of them did: what was selected, collected or ignored, or the profile of the table."""
    spoil(folder)
    write(folder, {"pytest.ini": f"[pytest]\naddopts = {' '.join(ADDOPTS)}\n"})
    job = act(merged(folder), environment=PULL_REQUEST)
    assert (job.succeeded, job.outputs["passed"], messages(job)) == (False, "false", FAILED), job.log
    assert not (folder / "other/report.json").exists()
    assert "1 failed, 5 passed" in job.log, "all items of both suites"


def test_addopts_decide_nothing_for_workers(folder: Path, act: Act) -> None:
    spoil(folder)
    write(folder, {"pytest.ini": "[pytest]\naddopts = -k other --nlpeval-informational --nlpeval-profile=lax\n"})
    job = act(merged(folder), {"jobs": "2"}, PULL_REQUEST)
    assert (job.succeeded, messages(job)) == (False, FAILED)
    assert "2 workers" in job.log
    informed = act(folder, {"jobs": "2", "mode": "inform"}, PULL_REQUEST, judged=job)
    assert (informed.succeeded, informed.outputs["passed"]) == (True, "false")


@pytest.mark.parametrize("name", ["nlpeval", "nlpeval-session", "nlpeval_inputs", "nlpeval-inputs"])
def test_a_plugin_that_addopts_block_is_missed(folder: Path, act: Act, name: str) -> None:
    spoil(folder)
    write(folder, {"pytest.ini": f"[pytest]\naddopts = -p no:{name} --nlpeval-informational\n"})
    job = act(merged(folder), environment=PULL_REQUEST)
    assert (job.succeeded, job.outputs["passed"]) == (False, "false")


def test_no_configuration_is_left(folder: Path, act: Act) -> None:
    _delete(folder)
    (folder / "other/nlpeval.yaml").unlink()
    job = act(merged(folder), environment=PULL_REQUEST)
    assert not job.succeeded
    assert [line.split(",")[0] for line in messages(job).splitlines()[:2]] == ["the suite dev", "the suite other"]
    assert "no nlpeval.yaml found" in messages(job)


def test_what_the_inputs_select_counts(folder: Path, act: Act) -> None:
    """Each of them is needed: without it, a suite that is spoilt would be judged by its gate."""
    spoil(folder)
    for place in ("within/ignored", "within/unlike", "apart"):
        make_suite(folder / place, "accuracy: 0.8", name=place.rpartition("/")[2], runs={"a": HALF})
    for inputs in (
        {"paths": "nlpeval.yaml\nwithin\nother", "args": "-k 'not unlike' --ignore=within/ignored --nlpeval-profile=lax"},
        {"args": "--nlpeval-suite=dev", "profile": "lax"},
    ):
        job = act(folder, inputs)
        assert job.succeeded, (inputs, job.log)
        assert job.annotations == []


def test_a_suite_that_is_gone_is_missed_whatever_the_inputs_choose(folder: Path, act: Act) -> None:
    _delete(folder)
    job = act(merged(folder), {"args": "--nlpeval-suite=other"}, PULL_REQUEST)
    assert not job.succeeded
    assert "the suite dev, which nlpeval.yaml has at" in messages(job)


@pytest.mark.parametrize(
    ("ini", "inputs"),
    [
        ("nlpeval_files = other.yaml", {}),
        ("nlpeval_files = other.yaml", {"paths": "."}),
        ("norecursedirs = eval", {"paths": "."}),
        ("testpaths = other", {"python": "current"}),
    ],
)
def test_settings_that_leave_out_a_configuration(folder: Path, act: Act, ini: str, inputs: dict[str, str]) -> None:
    make_suite(folder / "eval", "accuracy: 0.8", name="late", runs={"a": HALF, "b": HALF})
    write(folder, {"pytest.ini": f"[pytest]\n{ini}\n"})
    job = act(merged(folder), inputs, PULL_REQUEST)
    assert not job.succeeded
    assert job.outputs["passed"] == "false"
    assert "suite late of eval/nlpeval.yaml was not judged" in messages(job) or "accuracy ≥ 0.8 failed for late" in messages(job)


def _delete(folder: Path) -> None:
    (folder / "nlpeval.yaml").unlink()


def _rename(folder: Path) -> None:
    (folder / "nlpeval.yaml").rename(folder / "nlpeval.yaml.bak")


def _folder(folder: Path) -> None:
    text = (folder / "nlpeval.yaml").read_text()
    _delete(folder)
    write(folder, {"nlpeval.yaml/kept": text})


def _dangling(folder: Path) -> None:
    _delete(folder)
    (folder / "nlpeval.yaml").symlink_to("nowhere")


def _empty_suites(folder: Path) -> None:
    write(folder, {"nlpeval.yaml": config_text("accuracy: 0.1", name="new")})


def test_a_suite_that_is_gone_is_named_first(folder: Path, act: Act) -> None:
    """In five ways, each in a folder of its own; one of them is a mistake by itself, also where nothing is compared."""
    changes = {"deleted": _delete, "renamed": _rename, "folder": _folder, "dangling": _dangling, "emptied": _empty_suites}
    for name in changes:
        make_suite(folder / name, "accuracy: 0.8", name=name, runs={"a": RIGHT})
    commit(folder, "base")
    for name, change in changes.items():
        write(folder / name, {"system/a.txt": HALF})
        change(folder / name)
    job = act(merged(folder), environment=PULL_REQUEST)
    assert not job.succeeded
    assert job.outputs["passed"] == "false"
    first = [annotation.message.partition(", is gone")[0] for annotation in job.of_level("error")[: len(changes)]]
    assert sorted(first) == sorted(f"the suite {name}, which {name}/nlpeval.yaml has at git:HEAD^1" for name in changes)
    assert all(job.summary.index(f"the suite {name}") < job.summary.index("### ") for name in changes)
    alone = act(folder, {"baseline": "none"}, PULL_REQUEST)
    assert not alone.succeeded
    (mistake,) = alone.of_level("error")
    assert mistake.message.startswith(
        "dangling/nlpeval.yaml is a configuration of the repository, and a link that leads to no file"
    )


PLACES = (".hidden", "build", "env")


def test_a_configuration_that_is_moved_is_judged_there(tmp_path: Path, act: Act) -> None:
    """To three places where pytest does not look, each with a suite of its own."""
    folder = start(tmp_path / "workspace")
    for place in PLACES:
        make_suite(
            folder / "own" / place.strip("."), config=config_text("accuracy: 0.8", name=place.strip(".")), runs={"a": RIGHT}
        )
    make_suite(folder / "other", "accuracy: 0.25", name="other")
    commit(folder, "base")
    for place in PLACES:
        shutil.move(folder / "own" / place.strip("."), folder / place)
        write(folder, {f"{place}/system/a.txt": HALF})
    write(folder, {"env/pyvenv.cfg": ""})
    failed = [FAILED.replace("dev", place.strip(".")) for place in PLACES]
    job = act(merged(folder), environment=PULL_REQUEST)
    assert not job.succeeded
    assert sorted(messages(job).splitlines()) == sorted(failed)
    assert {error.file for error in job.of_level("error")} == {f"{place}/nlpeval.yaml" for place in PLACES}
    for place in PLACES:
        name = place.strip(".")
        assert f"{name}: was in own/{name}/nlpeval.yaml at git:HEAD^1" in messages(job, "warning")
    everywhere = act(folder, {"paths": "."})
    assert not everywhere.succeeded
    for place in PLACES:
        name = place.strip(".")
        told = (FAILED.replace("dev", name), f"the suite {name} of {place}/nlpeval.yaml was not judged")
        assert any(line in messages(everywhere) for line in told), place
    left_out = act(folder, {"paths": "other\nown/*"}, PULL_REQUEST)
    assert not left_out.succeeded


def test_a_system_and_a_gate_that_are_gone(folder: Path, act: Act) -> None:
    several = config_text(
        "accuracy: 0.25", "coverage: 1", "cws: 0.1", system="{ours: 'system/{doc}.txt', old: 'system/{doc}.txt'}"
    )
    write(folder, {"nlpeval.yaml": several})
    commit(folder, "base")
    fewer = config_text("accuracy: 0.25", "c*s: 0.1", system="{ours: 'system/{doc}.txt', new: 'system/{doc}.txt'}")
    write(folder, {"nlpeval.yaml": fewer})
    job = act(merged(folder), environment=PULL_REQUEST)
    assert not job.succeeded
    assert messages(job).splitlines() == [
        "the gate coverage (min: 1) of dev/ours, which git:HEAD^1 has, is gone; restore it",
        "the suite dev/old, which nlpeval.yaml has at git:HEAD^1, is gone: nothing judges it any more; restore it",
        (
            'the suite is new in name only: git:HEAD^1 has its files under the name "dev/old"; write `was: dev/old` to compare with that, '
            "or accept it with `rules: {baseline.renamed: warning}` (dev/new)"
        ),
    ]


def test_what_lowers_the_bar_is_told_first(folder: Path, act: Act) -> None:
    text = config_text("accuracy: {min: 0.1, informational: true}", baseline="git:HEAD", rules="{rte.ties: 'off'}")
    write(folder, {"nlpeval.yaml": text, "gold/a.xml": (folder / "gold/a.xml").read_text().replace("A claim", "Another claim")})
    job = act(merged(folder), environment=PULL_REQUEST)
    assert job.succeeded, job.log
    assert job.outputs["passed"] == "true"
    told = messages(job, "warning").splitlines()
    assert told == [
        "dev: gates accuracy min was 0.8, is 0.1 (base: git:HEAD^1)",
        "dev: gates accuracy informational is new: true (base: git:HEAD^1)",
        'dev: rules rte.ties is new: "off" (base: git:HEAD^1)',
        "dev: gold: 1 file changed (gold/a.xml) (base: git:HEAD^1)",
        'dev: baseline is new: "git:HEAD" (base: git:HEAD^1)',
        "dev: profiles lax accuracy min was 0.1, and is gone (base: git:HEAD^1)",
    ]
    head = job.summary.partition("### ")[0]
    assert all(line.replace("^", "") in head.replace("^", "") for line in told)
    strict = act(folder, {"strict-config": "true"}, PULL_REQUEST, judged=job)
    assert (strict.succeeded, strict.outputs["passed"]) == (False, "false")
    assert messages(strict).splitlines() == told


def test_a_drop_against_the_base_commit(folder: Path, act: Act) -> None:
    text = config_text("accuracy: {min: 0.1, max_drop: 0.01}") + LAX
    write(folder, {"nlpeval.yaml": text})
    commit(folder, "base")
    spoil(folder)
    job = act(merged(folder), environment=PULL_REQUEST)
    assert not job.succeeded
    assert "0.5" in messages(job)
    assert "accuracy" in messages(job)
    summary = unescape(job.summary)
    assert re.search(
        r"dev \(nlpeval\.yaml\)</code>: compared with git:HEAD\^1 \(\w{7}\): 4 of 8 units differ, 4 newly wrong", summary
    )
    assert re.search(r"Baseline: \w{7} base, A, 14 Nov 2023 \(git:HEAD\^1\)\.", summary)
    assert "newly wrong" in messages(job, "notice")
    (dev, _) = json.loads((folder / "nlpeval-report/report.json").read_bytes())["suites"]
    assert (dev["scores"]["accuracy"]["baseline"], dev["scores"]["accuracy"]["drop"]) == (1.0, 0.5)
    assert not act(folder, {"baseline": "none"}, PULL_REQUEST).succeeded  # unjudged
    assert act(folder, {"baseline": "git:HEAD"}).succeeded


def test_a_history_that_is_too_shallow(folder: Path, act: Act, tmp_path: Path) -> None:
    merged(folder)
    for depth, found in (("1", False), ("2", True)):
        clone = tmp_path / f"clone{depth}"
        git(tmp_path, "clone", "--quiet", "--depth", depth, f"file://{folder}", str(clone))
        job = act(clone, environment=PULL_REQUEST)
        assert job.succeeded is found
        assert ("`fetch-depth: 2`" in messages(job)) is not found
        assert "1.0" in job.outputs["scores"]
    assert act(tmp_path / "clone1", {"baseline": "none"}, PULL_REQUEST).succeeded


def test_the_base_of_a_branch_that_is_checked_out_itself(folder: Path, act: Act, tmp_path: Path) -> None:
    base = git(folder, "rev-parse", "HEAD")
    git(folder, "switch", "--quiet", "--create", "topic")
    _delete(folder)
    commit(folder, "head")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"base": {"sha": base}}}))
    commit(folder, "one more")  # nothing is gone since HEAD^1
    job = act(folder, environment={**PULL_REQUEST, "GITHUB_EVENT_PATH": str(event)})
    assert not job.succeeded
    assert f"the suite dev, which nlpeval.yaml has at git:merge-base({base}), is gone" in messages(job)


def of_event(folder: Path, tmp_path: Path, base: str) -> dict[str, str]:
    """The environment of a job of which the event says that HEAD is the pull request's own commit, and `base` the tip of its base."""
    head = git(folder, "rev-parse", "HEAD")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"base": {"sha": base}, "head": {"sha": head}}}))
    return {**PULL_REQUEST, "GITHUB_EVENT_PATH": str(event), "GITHUB_SHA": head}


def test_a_branch_that_left_before_the_bar_was_raised(folder: Path, act: Act, tmp_path: Path) -> None:
    """It is judged by the older bar where its own commit is checked out, which is told; what it changes itself is told as ever."""
    git(folder, "switch", "--quiet", "--create", "topic")
    write(folder, {"other/system/a.txt": HALF, "other/system/b.txt": HALF})
    commit(folder, "head")
    git(folder, "switch", "--quiet", "main")
    write(folder, {"other/nlpeval.yaml": config_text("accuracy: 0.9", name="other")})
    make_suite(folder / "third", "accuracy: 0.25", name="third")
    base = commit(folder, "raised")
    git(folder, "switch", "--quiet", "topic")
    job = act(folder, environment=of_event(folder, tmp_path, base))
    assert job.succeeded, job.log
    (told,) = job.of_level("warning")
    assert "the base branch has changed since this branch left it" in told.message
    assert f"the suite third, which third/nlpeval.yaml has at git:{base[:12]}, is gone" in told.message
    assert "(and 1 more)" in told.message
    strict = act(folder, {"strict-config": "true"}, of_event(folder, tmp_path, base), judged=job)
    assert not strict.succeeded
    git(folder, "merge", "--quiet", "--message", "up to date", "main")
    up_to_date = act(folder, environment=of_event(folder, tmp_path, base))
    assert FAILED.replace("0.8", "0.9").replace("dev", "other").replace("0.300", "0.400") in messages(up_to_date)
    assert not messages(up_to_date, "warning")


def test_a_bar_that_the_base_branch_lowered_is_not_missed(folder: Path, act: Act, tmp_path: Path) -> None:
    git(folder, "switch", "--quiet", "--create", "topic")
    write(folder, {"nlpeval.yaml": config_text("accuracy: 0.7") + LAX})
    commit(folder, "head")
    git(folder, "switch", "--quiet", "main")
    write(folder, {"other/nlpeval.yaml": config_text("accuracy: 0.1", name="other")})
    base = commit(folder, "lowered")
    git(folder, "switch", "--quiet", "topic")
    job = act(folder, environment=of_event(folder, tmp_path, base))
    assert [told.message.partition(" (base")[0] for told in job.of_level("warning")] == [
        "dev: gates accuracy min was 0.8, is 0.7"
    ]


def test_a_merge_commit_that_the_pull_request_brings_is_not_that_of_github(folder: Path, act: Act, tmp_path: Path) -> None:
    """Its first parent is a commit of the pull request, whose bar is low already."""
    base = git(folder, "rev-parse", "HEAD")
    git(folder, "switch", "--quiet", "--create", "topic")
    spoil(folder)
    write(folder, {"nlpeval.yaml": config_text("accuracy: 0.4") + LAX})
    commit(folder, "head")
    merge = git(folder, "commit-tree", "topic^{tree}", "-p", "topic", "-p", "main", "-m", "merge")
    git(folder, "reset", "--quiet", "--hard", merge)
    job = act(folder, environment=of_event(folder, tmp_path, base))
    assert job.of_level("warning")[0].message.startswith("dev: gates accuracy min was 0.8, is 0.4")


def test_evidence_that_is_checked_in_is_not_read(folder: Path, act: Act) -> None:
    """Stores of evidence with every name that such files have, and counts of a perfect system."""
    spoil(folder)
    apart(folder, [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "--nlpeval"])
    store = folder / ".pytest_cache/d/nlpeval"
    found = [path for path in store.rglob("*") if path.is_file()]
    assert found
    for path in found:
        path.write_bytes(path.read_bytes().replace(b"0", b"1"))
    shutil.copytree(store, folder / ".nlpeval_cache")
    git(folder, "add", "--force", ".pytest_cache", ".nlpeval_cache")
    job = act(merged(folder), environment=PULL_REQUEST)
    assert (job.succeeded, messages(job)) == (False, FAILED)


REFUSED = {
    ".git/hooks": "leads into .git",
    "sub/.GIT": "leads into .git",
    "link": "leads through a link",
    "link/below": "leads through a link",
    "into": "leads through a link",
    "loop": "leads through a link",
    "loop/below": "leads through a link",
    "nlpeval.yaml": "leads through a file",
    "../outside": "leads out of the workspace",
}
"""Folders for reports, and why nothing is written there."""


def test_a_report_dir_that_is_refused(folder: Path, act: Act) -> None:
    (folder / "link").symlink_to("other")
    (folder / "into").symlink_to(".git")
    (folder / "loop").symlink_to("loop")
    before = sorted(files_below(folder / ".git")), sorted(files_below(folder / "other"))
    judged = None
    for given, message in REFUSED.items():
        job = act(folder, {"report-dir": given}, judged=judged)
        assert not job.succeeded, given
        assert f"no reports are written: the report-dir {message}" in job.of_level("error")[0].message
        assert (job.outputs["passed"], job.outputs["report"]) == ("false", "")
        assert json.loads(job.outputs["scores"])["dev"]["accuracy"] == 1.0
        assert f"the report-dir {message}" in job.summary
        assert (sorted(files_below(folder / ".git")), sorted(files_below(folder / "other"))) == before
        judged = judged or job


KILLED = """#!/bin/sh
rank=$(($(cat "{folder}/rank" 2>/dev/null) + 1))
echo $rank >"{folder}/rank"
test $rank != {killed} || kill -9 $$
exec "{git}" "$@"
"""


@pytest.mark.parametrize("killed", [1, 6, 0])
def test_a_git_that_is_killed_is_no_empty_answer(folder: Path, act: Act, tmp_path: Path, killed: int) -> None:
    """The bar is lowered here, which is told first. Where one of the processes of git is killed, the job fails and says so."""
    write(folder, {"other/nlpeval.yaml": config_text("accuracy: 0.1", name="other")})
    merged(folder)
    script = KILLED.format(folder=tmp_path, killed=killed, git=shutil.which("git"))
    (write(tmp_path, {"bin/git": script}) / "bin/git").chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    job = act(folder, environment={**PULL_REQUEST, "PATH": path})
    assert "Traceback" not in job.log
    told = "signal 9" in job.log or "git ended" in job.log
    assert (told, job.succeeded) == (bool(killed), not killed), job.log
