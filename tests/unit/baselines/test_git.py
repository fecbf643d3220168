"""The past of a repository: revisions and files, without touching index and work tree."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_nlpeval.baselines.git import GitError, Repository, is_tracked
from tests.support import files_below, write
from tests.unit.baselines.repositories import commit, git, start


@pytest.fixture
def history(tmp_path: Path) -> tuple[Path, list[str]]:
    """A repository with three commits, the last one on a branch of its own."""
    folder = start(tmp_path / "repo")
    names = []
    for number in range(2):
        write(folder, {"a/x.txt": f"{number}\n", "b.txt": "always\n"})
        names.append(commit(folder))
    git(folder, "switch", "--quiet", "--create", "topic", names[0])
    write(folder, {"topic.txt": "t\n"})
    names.append(commit(folder))
    return folder, names


def test_a_revision_is_whatever_git_understands(history: tuple[Path, list[str]]) -> None:
    folder, (first, second, topic) = history
    repository = Repository.around(folder / "a")
    assert repository.top == folder
    found = [repository.commit(name) for name in ("main", "main~1", second[:8], "HEAD", "merge-base(main)", "merge-base(topic)")]
    assert found == [second, first, second, topic, first, topic]


@pytest.mark.parametrize("name", ["nowhere", "", "--all", "main:a/x.txt", "a\0b", "merge-base(nowhere)", "\n", "main..topic"])
def test_what_is_no_revision_says_what_to_do(history: tuple[Path, list[str]], name: str) -> None:
    with pytest.raises(
        GitError, match=r"(?s)there is no (common )?commit .* in this repository; fetch it \(`git fetch origin`\), or correct"
    ):
        Repository.around(history[0]).commit(name)


def test_a_shallow_clone_says_how_to_deepen_it(history: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, _ = history
    git(tmp_path, "clone", "--quiet", "--depth", "1", "--branch", "main", f"file://{folder}", "shallow")
    repository = Repository.around(tmp_path / "shallow")
    assert repository.commit("HEAD")
    with pytest.raises(GitError, match=r"shallow clone; fetch more of the history .*fetch-depth: 0"):
        repository.commit("HEAD^1")


def test_files_and_contents(history: tuple[Path, list[str]]) -> None:
    folder, (first, second, _) = history
    repository = Repository.around(folder)
    for name, text in ((first, b"0\n"), (second, b"1\n")):
        files = repository.files(name)
        assert list(files) == ["a/x.txt", "b.txt"]
        assert list(repository.contents(blob.name for blob in files.values())) == [text, b"always\n"]
    with pytest.raises(GitError, match="is not in this clone"):
        list(repository.contents(["0" * 40]))


def test_an_object_beyond_the_limit_is_not_read(history: tuple[Path, list[str]]) -> None:
    folder, (first, _, _) = history
    repository = Repository.around(folder)
    blob = repository.files(first)["b.txt"]
    assert list(repository.contents([blob.name], limit=7)) == [b"always\n"]
    with pytest.raises(GitError, match=f"the object {blob.name} has 7 bytes; at most 6 are read"):
        list(repository.contents([blob.name], limit=6))


def test_names_of_any_kind_come_through(tmp_path: Path) -> None:
    folder = start(tmp_path)
    names = ["with blank.txt", "tab\tand\nline.txt", 'quote".txt', "größe.txt", "-x.txt", "*.txt"]
    write(folder, dict.fromkeys(names, "x"))
    assert set(Repository.around(folder).files(commit(folder))) == set(names)


def test_no_git_and_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitError, match="is in no git repository; name a baseline file instead"):
        Repository.around(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed; install it, or name a baseline file"):
        Repository.around(tmp_path)


def test_a_repository_of_somebody_else_is_a_sentence(history: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TEST_ASSUME_DIFFERENT_OWNER": "1", "CONFIG_GLOBAL": os.devnull, "CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(f"GIT_{name}", value)
    folder, _ = history
    with pytest.raises(GitError, match=f"belongs to somebody else; `git config --global --add safe.directory {folder}`"):
        Repository.around(folder)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GIT_DIR", "other/.git"),
        ("GIT_WORK_TREE", "other"),
        ("GIT_COMMON_DIR", "other/.git"),
        ("GIT_OBJECT_DIRECTORY", "other/.git/objects"),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "other/.git/objects"),
        ("GIT_SHALLOW_FILE", "cut"),
        ("GIT_INDEX_FILE", "other/.git/index"),
        ("GIT_LITERAL_PATHSPECS", "1"),
    ],
)
def test_variables_of_another_repository_do_not_lead_astray(
    history: tuple[Path, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    folder, (first, second, _) = history
    foreign = git(write(start(tmp_path / "other"), {"x": "of the other"}), "hash-object", "-w", "x")
    write(tmp_path, {"cut": f"{second}\n"})
    git(tmp_path / "other", "add", "x")
    monkeypatch.setenv(variable, str(tmp_path / value))
    repository = Repository.around(folder / "a")
    assert [commit.name for commit in repository.commits(["a"], head="main")] == [second, first]
    with pytest.raises(GitError, match="is not in this clone"):
        list(repository.contents([foreign]))
    assert is_tracked(folder / "a")


def test_nothing_of_the_repository_is_touched(history: tuple[Path, list[str]]) -> None:
    folder, _ = history
    write(folder, {"topic.txt": "edited\n", "new.txt": "n"})
    before = files_below(folder)
    repository = Repository.around(folder)
    name = repository.commit("merge-base(main)")
    list(repository.contents(blob.name for blob in repository.files(name).values()))
    assert repository.ignores(str(folder / "new.txt")) is False
    assert files_below(folder) == before


def subjects(repository: Repository, *paths: str, **choice: str | int) -> list[str]:
    return [commit.subject for commit in repository.commits(paths, **choice)]  # type: ignore[arg-type]


@pytest.fixture
def line(tmp_path: Path) -> tuple[Repository, list[str]]:
    """A repository whose main line has three commits and a merge of a branch."""
    folder = start(tmp_path / "line")
    names = []
    for number, path in enumerate(["a/x.txt", "b.txt", "a/x.txt"]):
        write(folder, {path: f"{number}\n"})
        names.append(commit(folder, f"main {number}"))
    git(folder, "switch", "--quiet", "--create", "side", names[0])
    write(folder, {"a/side.txt": "s\n"})
    commit(folder, "side 1")
    write(folder, {"a/side.txt": "t\n"})
    commit(folder, "side 2")
    git(folder, "switch", "--quiet", "main")
    git(folder, "merge", "--quiet", "--no-ff", "--message", "merge of side", "side")
    return Repository.around(folder), names


def test_commits_of_the_first_parents_the_newest_first(line: tuple[Repository, list[str]]) -> None:
    repository, (first, second, third) = line
    assert subjects(repository) == ["merge of side", "main 2", "main 1", "main 0"]
    assert subjects(repository, "a") == ["merge of side", "main 2", "main 0"]
    assert subjects(repository, "a/x.txt") == ["main 2", "main 0"]
    assert subjects(repository, "a/x.txt", "b.txt") == ["main 2", "main 1", "main 0"]
    assert subjects(repository, ".") == subjects(repository)
    assert subjects(repository, "*.txt") == [], "a path is no pattern"
    assert subjects(repository, since=second) == ["merge of side", "main 2"]
    assert subjects(repository, "a", last=2) == ["merge of side", "main 2"]
    (found,) = repository.commits(head=third, last=1)
    assert (found.name, found.day, found.subject) == (third, "2023-11-14", "main 2")
    assert first == repository.commits()[-1].name


def test_subjects_of_any_kind_come_through(tmp_path: Path) -> None:
    folder = start(tmp_path)
    for message in ["größe\n\nbody", "two\nlines", "tab\tand \x1b[31m"]:
        commit(folder, message)
    git(folder, "commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", "")
    assert subjects(Repository.around(folder)) == ["", "tab\tand \x1b[31m", "two lines", "größe"]


def test_a_repository_without_commits_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="there is no commit here yet; commit the system's files"):
        Repository.around(start(tmp_path)).commits()


def test_where_a_shallow_clone_ends(line: tuple[Repository, list[str]], tmp_path: Path) -> None:
    repository, (first, second, third) = line
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{repository.top}", "shallow")
    shallow = Repository.around(tmp_path / "shallow")
    assert subjects(shallow, "a") == ["merge of side", "main 2"], "the last one seems to have made every file"
    assert [shallow.is_cut_at(commit.name) for commit in shallow.commits()] == [False, True]
    assert not any(repository.is_cut_at(name) for name in (first, second, third))
