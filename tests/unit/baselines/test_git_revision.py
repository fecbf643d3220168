"""The run of a suite at a revision: the system's files of the revision, against today's gold."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

import pytest

from pytest_nlpeval import Suite, evaluate, load_suites
from pytest_nlpeval.baselines import names
from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.baselines.git_revision import Fingerprint, files_at, places_of, repository_of, run_of
from pytest_nlpeval.baselines.names import patterns_of
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.config.suite import Baseline, Case
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.yaml import Marked, read_yaml
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.runs import Run
from pytest_nlpeval.tasks import TASKS, load_task
from tests.budget.counting import count_calls
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


def cases_at(suite: Suite, revision: str = "HEAD") -> tuple[Run, dict[str, Case], dict[str, str]]:
    """The run of a suite at a revision, and what there was to evaluate: the cases, and the texts of the system's files by document."""
    cases: dict[str, Case] = {}
    texts: dict[str, str] = {}

    def evaluate(earlier: Suite) -> Run:
        cases.update({case.name: case for case in earlier.cases})
        texts.update({case.name: Path(case.files["system"].path).read_text() for case in earlier.cases})
        return Run("", wrong={})

    return run_of(suite, Baseline(f"git:{revision}", "git"), evaluate), cases, texts


def read(repo: Path, revision: str = "HEAD") -> tuple[Run, dict[str, str]]:
    run, _, texts = cases_at(suite_in(repo), revision)
    return run, texts


def refused(repo: Path) -> str:
    """Why there is nothing to evaluate."""
    run, cases, _ = cases_at(suite_in(repo))
    assert (run.evidence, run.is_new, cases) == (None, False, {})
    return run.reason


def test_the_systems_files_are_those_of_then_and_gold_is_todays(repo: Path) -> None:
    write(repo, {"sub/system/a.txt": "later", "sub/gold/a.xml": "today's"})
    run, cases, texts = cases_at(suite_in(repo))
    assert texts == {"a": RIGHT, "b": HALF}
    assert Path(cases["a"].files["gold"].path).read_text() == "today's"
    assert cases["a"].files["system"].label == f"{run.commit[:7]}:sub/system/a.txt"
    assert not Path(cases["a"].files["system"].path).exists(), "the folder lasts as long as the evaluation"
    assert (run.source, run.is_new, run.added, run.vanished, run.wrong) == ("git:HEAD", False, (), (), {})
    assert run.reason == "git:HEAD: no document of then can be scored", "nobody counted anything here"


def test_documents_that_come_and_go(repo: Path) -> None:
    for role, suffix in (("gold", "xml"), ("system", "txt")):
        (repo / f"sub/{role}/a.{suffix}").rename(repo / f"sub/{role}/z.{suffix}")
    run, texts = read(repo)
    assert (set(texts), run.added, run.vanished) == ({"b"}, ("z",), ("a",))


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
    assert [case.files.keys() for case in cases_at(suite_in(repo))[1].values()] == [{"gold", "system"}] * 2
    (repo / "sub/system/b.json").rename(repo / "sub/b.json")
    commit(repo)
    (repo / "sub/b.json").rename(repo / "sub/system/b.json")
    write(repo, {"sub/na/a.json": '{"1": 7}'})
    read_numbers: list[str] = []

    def evaluate(earlier: Suite) -> Run:
        read_numbers.extend(Path(case.files["na_prob"].path).read_text() for case in earlier.cases)
        return Run("")

    run = run_of(suite_in(repo), Baseline("git:HEAD", "git"), evaluate)
    assert (read_numbers, run.added) == (['{"1": 0}'], ("b",))


def test_a_system_of_several_is_found_by_its_name(repo: Path) -> None:
    several = config_text().replace("system/{doc}.txt", '{one: "system/{doc}.txt", two: "two/{doc}.txt"}')
    write(repo, {"sub/nlpeval.yaml": several, "sub/two/a.txt": HALF, "sub/two/b.txt": HALF})
    commit(repo)
    suites = load_suites(repo / "sub/nlpeval.yaml")
    texts = {suite.name: cases_at(suite)[2] for suite in suites}
    assert texts == {"dev/one": {"a": RIGHT, "b": HALF}, "dev/two": {"a": HALF, "b": HALF}}
    for suite in suites:
        assert cases_at(suite, "HEAD~1")[0].is_new, "the configuration of then has no systems of these names"


@pytest.mark.parametrize(
    "change", ["no file", "another name", "another task", "no system", "no suites", "a list", "suites of text"]
)
def test_a_suite_that_the_configuration_of_then_does_not_have_is_new(repo: Path, change: str) -> None:
    text = {
        "another name": config_text().replace("name: dev", "name: other"),
        "another task": config_text().replace("task: rte", "task: best"),
        "no system": config_text().replace("system:", "output:"),
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
    run, texts = read(repo)
    assert (run.is_new, texts) == (True, {})
    assert run.reason == "the suite is new: git:HEAD does not have it"


def test_one_document_goes_by_its_place_whatever_gold_is_called(tmp_path: Path) -> None:
    single = config_text().replace("{doc}", "x")
    folder = write(start(tmp_path), {"nlpeval.yaml": single, "gold/x.xml": gold_xml(), "system/x.txt": RIGHT})
    commit(folder)
    write(folder, {"gold/y.xml": gold_xml(), "nlpeval.yaml": single.replace("gold/x", "gold/y")})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    assert cases_at(suite)[2] == {"y": RIGHT}


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
    assert re.search(r"sub/system/a\.txt is a link that leads .*; put the file in its place", refused(repo))


LINKED = config_text().replace("system/{doc}", "out/{doc}")


def link(repo: Path, path: str, target: str) -> None:
    """Let a path in the suite's folder be a link."""
    place = repo / "sub" / path
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(target)


@pytest.fixture
def linked(repo: Path) -> Path:
    """A repository whose system folder is a link: at HEAD^ to a run that is right in `a`, at HEAD to one that is right in `b`."""
    (repo / "sub/system").rename(repo / "sub/v1")
    write(repo, {"sub/nlpeval.yaml": LINKED, "sub/v2/a.txt": HALF, "sub/v2/b.txt": RIGHT})
    link(repo, "out", "v1")
    commit(repo)
    link(repo, "out", "v2")
    commit(repo)
    return repo


def test_a_linked_folder_is_the_one_that_it_led_to(linked: Path) -> None:
    assert read(linked, "HEAD^")[1] == {"a": RIGHT, "b": HALF}
    assert read(linked)[1] == {"a": HALF, "b": RIGHT}
    run, cases, _ = cases_at(suite_in(linked))
    assert cases["a"].files["system"].label == f"{run.commit[:7]}:sub/out/a.txt", "as the configuration calls it"


def test_a_linked_folder_is_scored_as_it_was(linked: Path) -> None:
    write(linked, {"sub/nlpeval.yaml": LINKED + "    baseline: git:HEAD^\n", "sub/v2/b.txt": HALF})
    (suite,) = load_suites(linked / "sub/nlpeval.yaml")
    result = evaluate(suite)
    standing = result.comparison and result.comparison.standings["accuracy"]
    assert standing
    assert (standing.score.value, standing.baseline.value, standing.drop) == (1 / 2, 3 / 4, 1 / 4)


def test_the_history_of_a_linked_folder_has_the_places_that_it_led_to(linked: Path) -> None:
    suite = suite_in(linked)
    assert places_of(suite, repository_of(suite)) == ["sub/nlpeval.yaml", "sub/out", "sub/system", "sub/v1", "sub/v2"]
    first, second = prints(linked, "HEAD^", "HEAD")
    assert first != second


def test_links_to_links_and_linked_folders_of_documents_are_followed(repo: Path) -> None:
    shutil.rmtree(repo / "sub/system")
    write(repo, {"sub/nlpeval.yaml": config_text().replace("system/{doc}.txt", "out/{doc}/run.txt"), "sub/v1/x.txt": RIGHT})
    write(repo, {"sub/v1/y.txt": HALF, "sub/docs/b/run.txt": "old"})
    for path, target in (("one/run.txt", "../v1/x.txt"), ("docs/a", "../two"), ("two", "one"), ("out", "./docs/../docs")):
        link(repo, path, target)
    link(repo, "docs/b/run.txt", "../../v1/../v1/y.txt")
    commit(repo)
    assert read(repo)[1] == {"a": RIGHT, "b": HALF}


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("/etc", "out of the repository's files"),
        ("../../outside", "out of the repository's files"),
        ("nowhere", "out of the repository's files"),
        ("out", "to no file"),
        ("back", "to no file"),
    ],
)
def test_a_linked_folder_that_leads_to_none_says_so(repo: Path, target: str, where: str) -> None:
    write(repo, {"sub/nlpeval.yaml": LINKED})
    link(repo, "out", target)
    link(repo, "back", "out")
    commit(repo)
    (repo / "sub/out").unlink()  # today it is a folder
    (repo / "sub/system").rename(repo / "sub/out")
    assert refused(repo) == f"git:HEAD: sub/out is a link that leads {where}; put the file in its place"


def test_a_pointer_of_git_lfs_is_no_file(repo: Path) -> None:
    write(repo, {"sub/system/a.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"})
    commit(repo)
    assert re.search(r"sub/system/a\.txt at \w{7} is a pointer of Git LFS.*use a baseline file", refused(repo))


def test_files_that_git_ignores_have_no_past(tmp_path: Path) -> None:
    folder = make_suite(start(tmp_path) / "sub").parent
    write(folder, {".gitignore": "system/\n"})
    commit(folder)
    assert re.search(r"git ignores a\.txt, so it has no earlier ones; use a baseline file", refused(folder))


def test_files_in_a_submodule_are_another_repositorys(tmp_path: Path) -> None:
    other = write(start(tmp_path / "other"), {"a.txt": RIGHT, "b.txt": HALF})
    commit(other)
    folder = make_suite(start(tmp_path / "repo") / "sub").parent
    shutil.rmtree(folder / "sub/system")
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub/system")
    commit(folder)
    assert re.search(r"lies in the submodule sub/system, another repository; use a baseline file", refused(folder))


def test_a_revision_without_files_says_so(repo: Path) -> None:
    shutil.rmtree(repo / "sub/system")
    bare = commit(repo)
    make_suite(repo / "sub")
    assert re.search(rf"no file matches sub/system/{{doc}}\.txt at {bare[:7]}; name a revision that has", refused(repo))


def test_a_configuration_that_cannot_be_read_says_so(repo: Path) -> None:
    write(repo, {"sub/nlpeval.yaml": "a: ["})
    commit(repo)
    write(repo, {"sub/nlpeval.yaml": config_text()})
    assert re.search(r"sub/nlpeval\.yaml at \w{7} is not well-formed YAML", refused(repo))


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
    found = [files_at(suite, repository, repository.commit(revision)) for revision in revisions]
    return [files.fingerprint(suite.cases) if files else None for files in found]


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


@pytest.mark.parametrize(("before", "read"), [(5, 1), (0, 2)], ids=["as before", "new"])
def test_suites_of_one_configuration_share_what_a_commit_has(
    repo: Path, monkeypatch: pytest.MonkeyPatch, before: int, read: int
) -> None:
    """Each suite would otherwise list the commit, and parse configurations that are as long as there are suites.

    Of suites that are new, that of today is asked how they were called before.
    """
    read_before: list[bytes] = []

    def counted(source: Source, log: ProblemLog) -> Marked | None:
        read_before.append(source.data)
        return read_yaml(source, log)

    monkeypatch.setattr(names, "read_yaml", counted)
    systems = ", ".join(f"s{number}: 'system/{{doc}}.txt'" for number in range(5))
    write(repo, {"sub/nlpeval.yaml": config_text(system=f"{{{systems}}}") if before else config_text(name="other")})
    name = commit(repo)
    write(repo, {"sub/nlpeval.yaml": config_text(system=f"{{{systems}}}")})
    Tree.of.cache_clear()
    names.entries_of.cache_clear()
    suites = load_suites(repo / "sub/nlpeval.yaml", baseline="none")
    runs = [run_of(suite, Baseline("git:HEAD", "git"), lambda _: Run("", wrong={})) for suite in suites]
    assert [(run.commit, run.is_new, run.former) for run in runs] == [(name, not before, "" if before else "other")] * 5
    assert (len(read_before), Tree.of.cache_info().misses) == (read, 1)


def test_patterns_of_a_configuration_are_worked_out_once_for_each_task() -> None:
    """In whatever order suites ask: tasks that take turns must not push each other out of what is remembered."""
    tasks = [load_task(name) for name in TASKS]
    entries = (f"  - {{name: {task.name}, task: {task.name}, gold: g, system: s}}\n" for task in tasks)
    text = f"version: 1\nsuites:\n{''.join(entries)}".encode()

    def ask(times: int) -> list[list[str]]:
        return [list(patterns_of(text, task, PurePosixPath())) for _ in range(times) for task in tasks]

    assert ask(3) == [[task.name] for _ in range(3) for task in tasks]
    once, often = (count_calls(partial(ask, times))["config.meaning.suite_names"] for times in (1, 3))
    assert often == once > 0


def test_a_file_of_too_many_lines_at_a_commit_is_not_scored(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty lines are allowed: what is committed has more in one of two documents, and today's has not."""
    write(repo / "sub", {"system/a.txt": RIGHT + "\n" * 20})
    commit(repo)
    write(repo / "sub", {"system/a.txt": RIGHT})
    monkeypatch.setattr("pytest_nlpeval.files.MOST_PARTS", 20)
    (suite,) = load_suites(repo / "sub/nlpeval.yaml", baseline="git:HEAD")
    result = evaluate(suite)
    assert not result.failed_cases
    assert result.comparison is not None
    baseline = result.comparison.baseline
    assert (baseline.broken, baseline.codes) == (("a",), {"a": ("file.too-many-parts",)})
