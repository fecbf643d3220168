"""Tries what `attacks.yaml` lists: small repositories, what a pull request makes of them, and what must come of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.action.runner import Job
from tests.support import HALF, RIGHT, config_text, gold_xml, make_suite, write
from tests.unit.baselines.repositories import commit, git, start

ATTACKS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "attacks.yaml").read_text())
ATTRIBUTES = ".gitattributes"
BASE_CONFIG = config_text("accuracy: 0.8")
MARKS = {"RIGHT": RIGHT, "HALF": HALF, "GOLD": gold_xml(), "CONFIG": BASE_CONFIG}
"""Words that stand for whole files; in configurations, `accuracy: 0.8` is the bar of the base."""


def prepared(attack: Mapping[str, Any], folder: Path) -> Path:
    """Return a repository in which GitHub's merge commit of the pull request is checked out, as git writes the work tree."""
    workspace = start(folder / "workspace")
    make_suite(workspace, config=BASE_CONFIG, runs={"a": RIGHT})
    change(workspace, attack.get("base", {}))
    commit(workspace, "base")
    git(workspace, "switch", "--quiet", "--create", "topic")
    head = {"system/a.txt": HALF, **attack.get("head", {})}
    change(workspace, {name: content for name, content in head.items() if name != ATTRIBUTES})
    commit(workspace, "head")
    if ATTRIBUTES in head:  # last: what it says of files holds for checking them out only
        change(workspace, {ATTRIBUTES: head[ATTRIBUTES]})
        git(workspace, "add", ATTRIBUTES)
        git(workspace, "commit", "--quiet", "--message", "attributes")
    merge = git(workspace, "commit-tree", "topic^{tree}", "-p", "main", "-p", "topic", "-m", "merge")
    git(workspace, "update-ref", "refs/heads/main", merge)
    fresh = folder / "fresh"
    git(folder, "clone", "--quiet", "--no-checkout", "--branch", "main", f"file://{workspace}", str(fresh))
    for name, program in attack.get("settings", {}).items():
        git(fresh, "config", name, program)
    git(fresh, "checkout", "--quiet", "main")
    change(fresh, attack.get("job", {}))
    return fresh


def change(folder: Path, files: Mapping[str, Any]) -> None:
    """Make files what an attack says: text, one of MARKS, None for none, `{link: target}`, `{move: from}`, `{replace: {old: new}}`.

    `{text: …, times: n}` is a text n times, each `#` being the number. `{submodule: COMMIT}` is one that is not checked out, and
    `{repository: files}` the files of a bare repository with one commit and its parent, both of these files.
    """
    for name, content in files.items():
        path = folder / name
        if isinstance(content, str):
            write(folder, {name: MARKS.get(content, content)})
        elif content is None:
            (shutil.rmtree if path.is_dir() and not path.is_symlink() else Path.unlink)(path)
        else:
            _make(path, folder, content)


def _make(path: Path, folder: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if "link" in content:
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        path.symlink_to(content["link"])
    elif "move" in content:
        shutil.move(folder / content["move"], path)
    elif "replace" in content:
        text = path.read_text()
        for old, new in content["replace"].items():
            assert old in text, f"{path} has no {old!r}"
            text = text.replace(old, new)
        path.write_text(text)
    elif "submodule" in content:
        path.mkdir(exist_ok=True)
        git(
            folder,
            "update-index",
            "--add",
            "--replace",
            "--cacheinfo",
            f"160000,{content['submodule']},{path.relative_to(folder)}",
        )
    elif "repository" in content:
        _check_in(path, content["repository"])
    else:
        lines = "".join(content["text"].replace("#", str(number)) for number in range(content["times"]))
        path.write_text(content.get("before", "") + lines + content.get("after", ""))


def _check_in(path: Path, files: Mapping[str, Any]) -> None:
    """Put a repository's own files into a folder, as files like any others."""
    apart = start(path.parent / "apart")
    change(apart, files)
    commit(apart)
    commit(apart)
    for name in ("HEAD", "objects", "refs"):
        source = apart / ".git" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, path / name)
    write(path, {"refs/.keep": "", "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n"})
    shutil.rmtree(apart)


def assert_inert(job: Job) -> None:
    """Nothing that is secret is told, and nothing that a pull request wrote became a command, an element or an annotation of its own."""
    reports = [path.read_text() for path in (job.folder / "nlpeval-report").glob("*") if path.is_file()]
    for text in (job.log, job.summary, *reports):
        assert "SECRET" not in text
    assert len(job.summary.encode()) <= 1 << 20  # GitHub shows none that is larger
    assert "<img" not in job.summary
    assert "<!--" not in job.summary.replace("<!-- -->", "")  # which keeps signs of GitHub's apart
    assert job.summary.count("<details>") == job.summary.count("</details>")
    assert job.leftovers == {}
    assert all(annotation.title.startswith("nlpeval") for annotation in job.annotations)


def assert_red(job: Job, says: str) -> None:
    """The job fails, and an error that GitHub shows says why."""
    assert not job.succeeded, job.log
    assert job.outputs["passed"] == "false"
    shown = [f"{annotation.file}: {annotation.message}" for annotation in job.of_level("error")[:10]]
    assert any(says in message for message in shown), "\n".join(shown) or job.log


def assert_told(job: Job, says: str) -> None:
    """The job passes; what loosens is the first warning, and stands in the open before all suites in the summary."""
    assert job.succeeded, job.log
    first = job.of_level("warning")[0]
    assert says in first.message, first.message
    top = job.summary.partition("### ")[0].partition("<details>")[0]
    assert says.replace("^", "") in top.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("^", ""), top
