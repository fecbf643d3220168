"""A suite as it was: the system's files of a revision, against today's gold."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval import Suite, load_suites
from pytest_nlpeval.baselines.earlier import (
    Earlier,
    Fingerprint,
    earlier_suite,
    fingerprint,
    places_of,
    repository_of,
)
from pytest_nlpeval.baselines.git import GitError
from tests.support import HALF, RIGHT, config_text, gold_xml, make_suite, write
from tests.unit.baselines.repositories import commit, git, start


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with the suite `dev` of two documents, committed."""
    folder = make_suite(start(tmp_path / "repo") / "sub").parent
    commit(folder)
    return folder


def suite_in(repo: Path) -> Suite:
    (suite,) = load_suites(repo / "sub/nlpeval.yaml", baseline="none")
    return suite


def read(repo: Path, revision: str = "HEAD") -> tuple[Earlier, dict[str, str]]:
    """The earlier suite, and the texts of the system's files in it."""
    with earlier_suite(suite_in(repo), revision) as earlier:
        return earlier, {case.name: Path(case.files["system"].path).read_text() for case in earlier.suite.cases}


def test_the_systems_files_are_those_of_then_and_gold_is_todays(repo: Path) -> None:
    write(repo, {"sub/system/a.txt": "later", "sub/gold/a.xml": "today's"})
    earlier, texts = read(repo)
    assert texts == {"a": RIGHT, "b": HALF}
    case = earlier.suite.cases[0]
    assert Path(case.files["gold"].path).read_text() == "today's"
    assert case.files["system"].label == f"{earlier.commit[:12]}:sub/system/a.txt"
    assert not Path(case.files["system"].path).exists(), "the folder lasts as long as the context"
    assert (earlier.is_new, earlier.added, earlier.vanished) == (False, (), ())


def test_documents_that_come_and_go(repo: Path) -> None:
    for role, suffix in (("gold", "xml"), ("system", "txt")):
        (repo / f"sub/{role}/a.{suffix}").rename(repo / f"sub/{role}/z.{suffix}")
    earlier, texts = read(repo)
    assert (set(texts), earlier.added, earlier.vanished) == ({"b"}, ("z",), ("a",))


def test_files_that_moved_are_found_by_the_configuration_of_then(repo: Path) -> None:
    (repo / "sub/system").rename(repo / "sub/out")
    write(repo, {"sub/nlpeval.yaml": config_text().replace("system/{doc}", "out/{doc}")})
    assert read(repo)[1] == {"a": RIGHT, "b": HALF}


def test_further_files_of_the_system_are_those_of_then_or_none(tmp_path: Path) -> None:
    """A document is one of then if it had predictions; today's numbers are not for them."""
    repo = start(tmp_path / "repo")
    qa = {"task": "qa", "gold": "gold/{doc}.json", "system": "system/{doc}.json"}
    golds = {"a": '{"id": 1, "answers": ["x"]}', "b": '{"id": 1, "answers": []}'}
    make_suite(repo / "sub", "exact: 0", golds=golds, runs=dict.fromkeys("ab", '{"1": "x"}'), **qa)
    commit(repo)
    with_numbers = config_text("exact: 0", **qa, na_prob="na/{doc}.json")
    write(repo, {"sub/nlpeval.yaml": with_numbers, "sub/na/a.json": '{"1": 0}', "sub/na/b.json": '{"1": 1}'})
    with earlier_suite(suite_in(repo), "HEAD") as earlier:
        assert [case.files.keys() for case in earlier.suite.cases] == [{"gold", "system"}] * 2
    (repo / "sub/system/b.json").rename(repo / "sub/b.json")
    commit(repo)
    (repo / "sub/b.json").rename(repo / "sub/system/b.json")
    write(repo, {"sub/na/a.json": '{"1": 7}'})
    with earlier_suite(suite_in(repo), "HEAD") as earlier:
        (case,) = earlier.suite.cases
        assert (case.name, earlier.added) == ("a", ("b",))
        assert Path(case.files["na_prob"].path).read_text() == '{"1": 0}'


def test_a_system_of_several_is_found_by_its_name(repo: Path) -> None:
    several = config_text().replace("system/{doc}.txt", '{one: "system/{doc}.txt", two: "two/{doc}.txt"}')
    write(repo, {"sub/nlpeval.yaml": several, "sub/two/a.txt": HALF, "sub/two/b.txt": HALF})
    commit(repo)
    found = {}
    for suite in load_suites(repo / "sub/nlpeval.yaml"):
        with earlier_suite(suite, "HEAD") as earlier:
            found[suite.name] = [Path(case.files["system"].path).read_text() for case in earlier.suite.cases]
    assert found == {"dev/one": [RIGHT, HALF], "dev/two": [HALF, HALF]}
    for suite in load_suites(repo / "sub/nlpeval.yaml"):
        with earlier_suite(suite, "HEAD~1") as earlier:
            assert earlier.is_new, "the configuration of then has no systems of these names"


@pytest.mark.parametrize("change", ["no file", "another name", "another task", "no suites", "a list", "suites of text"])
def test_a_suite_that_the_configuration_of_then_does_not_have_is_new(repo: Path, change: str) -> None:
    text = {
        "another name": config_text().replace("name: dev", "name: other"),
        "another task": config_text().replace("task: rte", "task: best"),
        "no suites": "version: 1\n",
        "a list": "- 1\n",
        "suites of text": "suites: [text]\n",
    }.get(change)
    if text is None:
        (repo / "sub/nlpeval.yaml").unlink()
    else:
        write(repo, {"sub/nlpeval.yaml": text})
    commit(repo)
    write(repo, {"sub/nlpeval.yaml": config_text()})
    earlier, texts = read(repo)
    assert (earlier.is_new, texts) == (True, {})


def test_one_document_goes_by_its_place_whatever_gold_is_called(tmp_path: Path) -> None:
    single = config_text().replace("{doc}", "x")
    folder = write(start(tmp_path), {"nlpeval.yaml": single, "gold/x.xml": gold_xml(), "system/x.txt": RIGHT})
    commit(folder)
    write(folder, {"gold/y.xml": gold_xml(), "nlpeval.yaml": single.replace("gold/x", "gold/y")})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    with earlier_suite(suite, "HEAD") as earlier:
        (case,) = earlier.suite.cases
        assert (case.name, Path(case.files["system"].path).read_text()) == ("y", RIGHT)


def test_links_inside_the_repository_are_followed(repo: Path) -> None:
    write(repo, {"sub/elsewhere/a.txt": "linked"})
    path = repo / "sub/system/a.txt"
    path.unlink()
    path.symlink_to("../elsewhere/a.txt")
    commit(repo)
    assert read(repo)[1]["a"] == "linked"


@pytest.mark.parametrize("target", ["/etc/hosts", "../../../outside", "a.txt", "missing.txt"])
def test_other_links_are_refused(repo: Path, target: str) -> None:
    path = repo / "sub/system/a.txt"
    path.unlink()
    path.symlink_to(target)
    commit(repo)
    with pytest.raises(GitError, match=r"sub/system/a\.txt is a link that leads .*; put the file in its place"):
        read(repo)


def test_a_pointer_of_git_lfs_is_no_file(repo: Path) -> None:
    write(repo, {"sub/system/a.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"})
    commit(repo)
    with pytest.raises(GitError, match=r"sub/system/a\.txt at \w{12} is a pointer of Git LFS.*use a baseline file"):
        read(repo)


def test_files_that_git_ignores_have_no_past(tmp_path: Path) -> None:
    folder = make_suite(start(tmp_path) / "sub").parent
    write(folder, {".gitignore": "system/\n"})
    commit(folder)
    with pytest.raises(GitError, match=r"git ignores a\.txt, so it has no earlier ones; use a baseline file"):
        read(folder)


def test_files_in_a_submodule_are_another_repositorys(tmp_path: Path) -> None:
    other = write(start(tmp_path / "other"), {"a.txt": RIGHT, "b.txt": HALF})
    commit(other)
    folder = make_suite(start(tmp_path / "repo") / "sub").parent
    shutil.rmtree(folder / "sub/system")
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub/system")
    commit(folder)
    with pytest.raises(GitError, match=r"lies in the submodule sub/system, another repository; use a baseline file"):
        read(folder)


def test_a_revision_without_files_says_so(repo: Path) -> None:
    shutil.rmtree(repo / "sub/system")
    bare = commit(repo)
    make_suite(repo / "sub")
    with pytest.raises(GitError, match=rf"no file matches sub/system/{{doc}}\.txt at {bare[:12]}; name a revision that has"):
        read(repo)


def test_a_configuration_that_cannot_be_read_says_so(repo: Path) -> None:
    write(repo, {"sub/nlpeval.yaml": "a: ["})
    commit(repo)
    write(repo, {"sub/nlpeval.yaml": config_text()})
    with pytest.raises(GitError, match=r"sub/nlpeval\.yaml at \w{12} is not well-formed YAML"):
        read(repo)


def test_a_linked_work_tree_a_detached_head_and_a_shallow_clone_know_the_same_past(repo: Path, tmp_path: Path) -> None:
    write(repo, {"sub/system/a.txt": HALF})
    commit(repo)
    git(repo, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{repo}", "shallow")
    for place in (repo, tmp_path / "linked", tmp_path / "shallow"):
        assert read(place, "HEAD^1")[1] == {"a": RIGHT, "b": HALF}
        assert read(place)[1] == {"a": HALF, "b": HALF}


def prints(repo: Path, *revisions: str) -> list[Fingerprint | None]:
    suite = suite_in(repo)
    repository = repository_of(suite)
    return [fingerprint(suite, repository, repository.commit(revision)) for revision in revisions]


def test_a_fingerprint_follows_the_systems_files_alone(repo: Path) -> None:
    write(repo, {"sub/gold/a.xml": "another", "other.txt": "x", "sub/nlpeval.yaml": config_text("coverage: 0.1")})
    commit(repo)
    write(repo, {"sub/system/a.txt": HALF})
    commit(repo)
    write(repo, {"sub/system/a.txt": RIGHT})
    commit(repo)
    first, same, changed, back = prints(repo, "HEAD~3", "HEAD~2", "HEAD~1", "HEAD")
    assert first == same == back
    assert changed not in (None, first)


def test_a_fingerprint_survives_a_move_and_follows_links(repo: Path) -> None:
    (repo / "sub/system").rename(repo / "sub/out")
    write(repo, {"sub/nlpeval.yaml": config_text().replace("system/{doc}", "out/{doc}"), "sub/kept.txt": RIGHT})
    commit(repo)
    path = repo / "sub/out/a.txt"
    path.unlink()
    path.symlink_to("../kept.txt")
    commit(repo)
    first, moved, linked = prints(repo, "HEAD~2", "HEAD~1", "HEAD")
    assert first == moved == linked


def test_a_suite_that_was_not_there_has_no_fingerprint(tmp_path: Path) -> None:
    folder = start(tmp_path / "repo")
    before = commit(folder)
    make_suite(folder / "sub")
    assert prints(folder, before) == [None]


def test_the_places_of_a_suite_are_all_that_it_ever_had(repo: Path) -> None:
    (repo / "sub/system").rename(repo / "sub/out")
    write(repo, {"sub/nlpeval.yaml": config_text().replace("system/{doc}", "out/{doc}")})
    commit(repo)
    write(repo, {"sub/nlpeval.yaml": "a: ["})
    commit(repo)
    write(repo, {"sub/nlpeval.yaml": config_text().replace("system/{doc}.txt", "../../{doc}.txt")})
    commit(repo)
    write(repo, {"sub/nlpeval.yaml": config_text()})
    suite = suite_in(repo)
    assert places_of(suite, repository_of(suite)) == ["sub/nlpeval.yaml", "sub/out", "sub/system"]


def test_a_suite_of_paths_has_no_repository(repo: Path) -> None:
    with pytest.raises(GitError, match="a suite without configuration has no past"):
        repository_of(replace(suite_in(repo), config=None))
