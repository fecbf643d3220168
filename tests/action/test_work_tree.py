"""What the work tree judges by, and no commit has: it is told, for nobody can compare it."""

from __future__ import annotations

from pathlib import Path

import pytest
from configurations import configured
from past import past
from work_tree import converted, unknown

from pytest_nlpeval.baselines.git import Repository
from pytest_nlpeval.baselines.tree import MOST_LINKS, Tree
from tests.support import RIGHT, gold_xml, make_suite, write
from tests.unit.baselines.repositories import commit, git, start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a suite of two documents, and a file elsewhere for links to lead to."""
    folder = make_suite(start(tmp_path / "workspace"), "accuracy: 0.8", runs={"a": RIGHT, "b": RIGHT})
    return write(folder, {"real/a.xml": gold_xml()})


def told(folder: Path) -> list[str]:
    repository = Repository.around(folder)
    tree = Tree.of(repository, commit(folder) if git(folder, "status", "--short") else repository.commit("HEAD"))
    return [f"{found.place} {found.code}: {found.message}" for found in unknown(configured(tree), repository, tree, "warning")]


def link_gold(folder: Path, *targets: str) -> None:
    """Put a chain of links in the place of a gold file."""
    (folder / "gold/a.xml").unlink()
    names = ["a.xml", *map(str, range(1, len(targets)))]
    for name, target in zip(names, targets, strict=True):
        (folder / "gold" / name).symlink_to(target)


def test_what_a_commit_has_is_known(folder: Path) -> None:
    assert told(folder) == []
    link_gold(folder, *map(str, range(1, MOST_LINKS)), "../real/a.xml")
    assert told(folder) == []


def test_links_that_no_commit_can_follow(folder: Path) -> None:
    link_gold(folder, *map(str, range(1, MOST_LINKS + 1)), "../real/a.xml")
    (found,) = told(folder)
    assert found.startswith(
        "gold/a.xml action.converted: dev: links lead to it, of which one is absolute, or there are more than "
    )
    for path in (folder / "gold").iterdir():
        path.unlink()
    write(folder, {"gold/a.xml": gold_xml(), "gold/b.xml": gold_xml()})
    link_gold(folder, str(folder / "real/a.xml"))
    assert told(folder) == [found]


def test_a_link_out_of_the_repository_is_no_file_of_it(folder: Path) -> None:
    """Whoever lets a suite lead outside is told elsewhere."""
    outside = write(folder.parent, {"outside.xml": gold_xml()}) / "outside.xml"
    link_gold(folder, str(outside))
    assert told(folder) == []


def test_files_beside_those_of_the_commit(folder: Path) -> None:
    commit(folder)
    write(folder, {".git/info/exclude": "gold/\n", "gold/c.xml": gold_xml(), "gold/d.xml": gold_xml(), "gold/more.txt": ""})
    message = "gold: 2 files that the commit does not have (gold/c.xml, gold/d.xml)"
    assert told(folder) == [f"nlpeval.yaml:3 action.loosened: dev: {message}"]


def test_gold_that_no_commit_has_is_for_the_job_to_bring(folder: Path) -> None:
    write(folder, {".gitignore": "gold/\n"})
    assert told(folder) == []


def test_files_that_are_not_there_are_one_problem(folder: Path) -> None:
    repository = Repository.around(folder)
    files = {path: blob.name for path, blob in repository.files(commit(folder)).items()}
    assert list(converted(files, repository)) == []
    for name in ("a", "b"):
        (folder / f"gold/{name}.xml").unlink()
    (found,) = converted(files, repository)
    assert found.place == "gold/a.xml"
    assert found.message.startswith("is not there, nor are gold/b.xml, and its commit has it, ")


def test_a_submodule_is_at_the_commit_that_is_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gold of the suite lies in it, in whatever folder; its configurations are those that the settings outside name."""
    inner = write(start(tmp_path / "inner"), {"c/gold.xml": gold_xml(), "eval.yaml": (folder / "nlpeval.yaml").read_text()})
    commit(inner)
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "docs/sub")
    text = (folder / "nlpeval.yaml").read_text().replace("gold/{doc}.xml", "docs/sub/{doc}/gold.xml")
    write(folder, {"nlpeval.yaml": text, "pytest.ini": "[pytest]\nnlpeval_files = nlpeval.yaml eval.yaml\n"})
    base = commit(folder)
    repository = Repository.around(folder)
    (entry,) = configured(Tree.of(repository, base))
    assert entry.files["gold"] == {"docs/sub": git(folder / "docs/sub", "rev-parse", "HEAD")}
    assert list(converted(entry.watched, repository)) == []
    write(folder / "docs/sub", {"c/gold.xml": gold_xml() + "\n"})
    moved = commit(folder / "docs/sub")
    (found,) = converted(entry.watched, repository)
    assert (found.code, found.place) == ("action.converted", "docs/sub")
    assert found.message.startswith(f"is a submodule at {moved[:12]}, and its commit has {entry.files['gold']['docs/sub'][:12]};")
    commit(folder)
    monkeypatch.chdir(folder)
    compared = past(base, [])
    assert [entry.config for entry in compared.old] == [entry.config for entry in compared.new]
    assert {entry.config for entry in compared.new} == {"nlpeval.yaml", "docs/sub/eval.yaml"}
