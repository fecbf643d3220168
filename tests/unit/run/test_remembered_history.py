"""Histories that are remembered whole: the same reports with a store as without one, whatever changed since; and when none is kept."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval import Suite, load_suites
from pytest_nlpeval.baselines.git import Commit, GitError
from pytest_nlpeval.config.content import Content
from pytest_nlpeval.config.suite import File
from pytest_nlpeval.reports import pieces
from pytest_nlpeval.reports.kinds import HISTORY
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run import digest, remembered_history
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.history import History
from pytest_nlpeval.run.past import history_of
from pytest_nlpeval.run.remembered_history import memory_of
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Run
from tests.support import FOUR, RIGHT, config_text, make_suite, write
from tests.unit.baselines.repositories import commit, git, start
from tests.unit.baselines.test_gold_changes import FIFTH, asked
from tests.unit.run.outputs import GOLD, run_wrong_on

FEW = {"resamples": 50}


class Histories:
    """Reads histories with a store, and notes which suites are evaluated for them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = EvidenceStore(folder.parent / "store")
        self.evaluated: list[Suite] = []

    def read(self, *wanted: str, last: int = 9, since: str = "", statistics: dict[str, Any] | None = None) -> History:
        """Return the history of the folder's suite, which must tell what one without a store tells."""
        (suite,) = load_suites(self.folder / "nlpeval.yaml", baseline="none", statistics=FEW | (statistics or {}))
        self.evaluated.clear()
        found = history_of(suite, self.evaluate, self.store, wanted, last=last, since=since)
        assert told(found) == told(history_of(suite, Engine().run, None, wanted, last=last, since=since))
        return found

    def evaluate(self, suite: Suite) -> Run:
        """Evaluate a suite, and note it."""
        self.evaluated.append(suite)
        return Engine(store=self.store).run(suite)

    def was_recalled(self) -> bool:
        """Whether the history that was read last came from the store."""
        return not self.evaluated


def told(history: History) -> list[str]:
    """All that is told of a history: as JSON, to people, and in its page."""
    return [
        "".join(pieces("json", HISTORY, [history])),
        repr(HISTORY.blocks([history], Setting())),
        repr(HISTORY.page([history])),
    ]


@pytest.fixture
def repo(tmp_path: Path) -> Iterator[Histories]:
    """A repository whose system got worse twice."""
    histories = Histories(make_history(tmp_path / "repo"))
    yield histories
    histories.store.close()


def make_history(folder: Path) -> Path:
    make_suite(start(folder), golds={"a": GOLD}, runs={"a": run_wrong_on()})
    commit(folder, "right")
    for last in (4, 9):
        write(folder, {"system/a.txt": run_wrong_on(range(1, last))})
        commit(folder, f"wrong up to {last}")
    return folder


def test_the_second_history_evaluates_nothing_and_tells_the_same(repo: Histories) -> None:
    first = repo.read()
    assert not repo.was_recalled()
    second = repo.read()
    assert repo.was_recalled()
    assert second == replace(first, measures=second.measures)  # whose functions are made anew


def test_what_is_asked_for_counts(repo: Histories) -> None:
    ways: Sequence[dict[str, Any]] = [
        {"last": 2},
        {"since": "HEAD~1"},
        {"statistics": {"seed": 1}},
        {"statistics": {"resamples": 60}},
        {"statistics": {"confidence": None}},
    ]
    for asked_for in [{}, *ways]:
        for was_recalled in (False, True):
            repo.read(**asked_for)
            assert repo.was_recalled() == was_recalled, asked_for
    for wanted in (["cws"], ["cws", "accuracy"], ["*"]):
        for was_recalled in (False, True):
            repo.read(*wanted)
            assert repo.was_recalled() == was_recalled, wanted


Change = Callable[[Path], object]


def commit_of(*wrong: int) -> Change:
    def change(folder: Path) -> None:
        write(folder, {"system/a.txt": run_wrong_on(wrong)})
        commit(folder, f"wrong on {wrong}")

    return change


CHANGES: dict[str, Change] = {
    "other answers in gold": lambda folder: write(folder, {"gold/a.xml": GOLD.replace("TRUE", "FALSE")}),
    "one answer in gold": lambda folder: write(folder, {"gold/a.xml": GOLD.replace("TRUE", "FALSE", 1)}),
    "gold as it was": lambda folder: write(folder, {"gold/a.xml": GOLD}),
    "a gate on another measure": lambda folder: write(folder, {"nlpeval.yaml": config_text("cws: 0.1")}),
    "another threshold": lambda folder: write(folder, {"nlpeval.yaml": config_text("accuracy: 0.125")}),
    "an option": lambda folder: write(folder, {"nlpeval.yaml": config_text("accuracy: 0.1", options="{edition: 1}")}),
    "a rule": lambda folder: write(folder, {"nlpeval.yaml": config_text("accuracy: 0.1", rules="{rte.ties: error}")}),
    "another name": lambda folder: write(folder, {"nlpeval.yaml": config_text(name="other", was="dev")}),
    "a new document": lambda folder: write(folder, {"gold/b.xml": GOLD, "system/b.txt": run_wrong_on({1})}),
    "a worse output that is not committed": lambda folder: write(folder, {"system/a.txt": run_wrong_on(range(1, 17))}),
    "an output with errors": lambda folder: (write(folder, {"system/a.txt": "1 PERHAPS\n"}), commit(folder)),
    "a new output": commit_of(1, 2, 3),
    "all committed": commit,
    "another message": lambda folder: git(folder, "commit", "--amend", "--quiet", "--allow-empty", "--message", "other"),
    "another line of commits": lambda folder: git(folder, "reset", "--soft", "HEAD~1") if has_two(folder) else "",
}


def has_two(folder: Path) -> bool:
    return int(git(folder, "rev-list", "--count", "HEAD")) > 1


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_history_after_a_change_is_that_without_a_store(repo: Histories, change: Change) -> None:
    repo.read()
    change(repo.folder)
    repo.read()
    repo.read()


@settings(max_examples=8)
@given(st.lists(st.sampled_from([*CHANGES]), min_size=2, max_size=4))
def test_histories_between_any_changes_are_those_without_a_store(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        histories = Histories(make_history(Path(folder) / "repo"))
        for name in names:
            CHANGES[name](histories.folder)
            histories.read()
        histories.store.close()


def _suite(repo: Histories) -> Suite:
    (suite,) = load_suites(repo.folder / "nlpeval.yaml", baseline="none")
    return suite


COMMITS = [Commit(40 * "a", "2026-01-01", "subject", "author")]


def key_of(repo: Histories, suite: Suite, commits: Sequence[Commit] = COMMITS) -> bytes:
    memory = memory_of(suite, commits, ["accuracy"], 9, repo.store)
    assert memory is not None
    return memory.key


class _Another:
    def __repr__(self) -> str:
        return "another"


@pytest.mark.parametrize("name", [field.name for field in fields(Suite) if field.name not in ("recipe", "cases", "groups")])
def test_every_field_of_a_suite_makes_it_another_history(repo: Histories, name: str) -> None:
    suite, changed = _suite(repo), dict[str, Any]({name: _Another()})
    assert key_of(repo, replace(suite, **changed)) != key_of(repo, suite)
    assert key_of(repo, _suite(repo)) == key_of(repo, suite)


def test_recipe_cases_commits_and_the_program_make_it_another_history(repo: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = _suite(repo)
    recipe, (case,) = suite.recipe, suite.cases
    with_file = {**case.files, "system": replace(case.files["system"], path="elsewhere")}
    suites = [
        suite,
        replace(suite, recipe=replace(recipe, root=None)),
        replace(suite, recipe=replace(recipe, rules={"rte.ties": "error"})),
        replace(suite, recipe=replace(recipe, options=replace(recipe.options, edition=1))),
        replace(suite, cases=(replace(case, name="b"),)),
        replace(suite, cases=(case, replace(case, name="b"))),
        replace(suite, cases=(replace(case, files=with_file),)),
    ]
    keys = [key_of(repo, each) for each in suites]
    (first,) = COMMITS
    keys += [key_of(repo, suite, commits) for commits in ([first._replace(name=40 * "b")], [*COMMITS, *COMMITS])]
    program = (digest, "__version__", "0"), (remembered_history, "_numpy", lambda: "another"), (sys, "version", "another")
    for module, name, value in program:
        with monkeypatch.context() as changed:
            changed.setattr(module, name, value)
            keys.append(key_of(repo, suite))
    assert len({*keys}) == len(keys)


def test_nothing_is_kept_where_the_digest_would_not_have_everything(repo: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = _suite(repo)
    (case,) = suite.cases
    given_in_memory = replace(case, files={**case.files, "system": File("", "system", Content(b""))})
    for other in (replace(suite, groups=_Another()), replace(suite, cases=(given_in_memory,))):  # type: ignore[arg-type]
        assert memory_of(other, COMMITS, [], 9, repo.store) is None
    for store in (None, EvidenceStore()):
        assert memory_of(suite, COMMITS, [], 9, store) is None
    assert memory_of(suite, [], [], 9, repo.store) is None
    with monkeypatch.context() as changed:
        changed.setattr(remembered_history, "_numpy", str)
        assert memory_of(suite, COMMITS, [], 9, repo.store) is None
    with monkeypatch.context() as changed:
        changed.setattr(remembered_history, "scoring_settings", lambda _: None)
        assert memory_of(suite, COMMITS, [], 9, repo.store) is None
    (repo.folder / "gold/a.xml").unlink()
    assert memory_of(suite, COMMITS, [], 9, repo.store) is None


def test_without_the_file_of_its_version_nobody_knows_which_numpy_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert remembered_history._numpy()
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, {"numpy/__init__.py": ""})
    assert remembered_history._numpy() == ""
    write(tmp_path, {"numpy/version.py": "version = '0'\n"})
    assert remembered_history._numpy()


@pytest.mark.parametrize("text", ["1 PERHAPS\n", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"])
def test_a_history_with_a_commit_that_could_not_be_scored_is_not_kept(repo: Histories, text: str) -> None:
    write(repo.folder, {"system/a.txt": text})
    commit(repo.folder)
    commit_of(1)(repo.folder)
    for _ in range(2):
        repo.read()
        assert not repo.was_recalled()
    repo.read(last=1)
    repo.read(last=1)
    assert repo.was_recalled()


def test_a_document_with_errors_is_looked_at_again(repo: Histories) -> None:
    write(repo.folder, {"gold/b.xml": GOLD, "system/b.txt": "1 PERHAPS\n"})
    commit(repo.folder)
    for _ in range(2):
        assert repo.read().points[-1].run.broken == ("b",)
        assert not repo.was_recalled()


def test_commits_without_the_systems_files_are_looked_at_again(repo: Histories) -> None:
    (repo.folder / "system/a.txt").unlink()
    commit(repo.folder)
    commit_of(1)(repo.folder)
    for _ in range(2):
        assert "no file matches" in repo.read().points[-2].run.reason
        assert not repo.was_recalled()


def test_a_history_over_golds_is_not_kept(repo: Histories) -> None:
    """What git does not have of another gold, a partial clone's, it may have next time."""
    config = config_text("accuracy: 0.1", gold="gold.xml", system="run.txt")
    write(repo.folder, {"nlpeval.yaml": config, "gold.xml": asked([*FOUR]), "run.txt": RIGHT})
    commit(repo.folder, "four")
    write(repo.folder, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.5\n"})
    commit(repo.folder, "five")
    of_four = git(repo.folder, "rev-parse", "HEAD~1:gold.xml")
    place = repo.folder / ".git/objects" / of_four[:2] / of_four[2:]
    away = place.rename(repo.folder.parent / "away")
    assert not repo.read(last=2).points[0].run.gold_changes, "what cannot be had is taken to be today's"
    away.rename(place)
    assert repo.read(last=2).points[0].run.gold_changes
    repo.read(last=2)
    assert not repo.was_recalled()
    repo.read(last=1)
    repo.read(last=1)
    assert repo.was_recalled()


def test_gold_of_another_ending_is_another_gold(repo: Histories) -> None:
    """Its bytes are asked of git, which may not have them."""
    git(repo.folder, "mv", "gold/a.xml", "gold/a.gold")
    write(repo.folder, {"nlpeval.yaml": config_text(gold="gold/{doc}.gold")})
    for _ in range(2):
        repo.read()
        assert not repo.was_recalled()


def test_gold_that_leads_nowhere_is_not_todays(repo: Histories) -> None:
    gold = repo.folder / "gold/a.xml"
    gold.unlink()
    gold.symlink_to("nowhere")
    commit_of(5)(repo.folder)
    gold.unlink()
    write(repo.folder, {"gold/a.xml": GOLD})
    for _ in range(2):
        assert [point.documents for point in repo.read().points] == [1, 1, 1, 1]
        assert not repo.was_recalled()


def test_gold_that_changes_while_it_is_counted_is_no_gold_of_the_history_that_is_kept(repo: Histories) -> None:
    (suite,) = load_suites(repo.folder / "nlpeval.yaml", baseline="none", statistics=FEW)

    def evaluate_with_other_gold(then: Suite) -> Run:
        write(repo.folder, {"gold/a.xml": GOLD.replace("TRUE", "FALSE", 1)})
        return Engine().run(then)

    history_of(suite, evaluate_with_other_gold, repo.store, last=1)
    write(repo.folder, {"gold/a.xml": GOLD})
    assert [point.readings["accuracy"].score.value for point in repo.read(last=1).points] == [8 / 16]


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {"history": None},
        {"history": {"columns": [], "measures": ["gone"], "resampled": "units", "points": []}},
        {"history": {"columns": [], "measures": [], "resampled": "units", "points": [["unknown", [], {}, 1]]}},
        {"history": {"columns": [], "measures": [], "resampled": "units", "points": [[]]}},
    ],
)
def test_an_entry_that_cannot_be_read_is_worked_out_again(
    repo: Histories, monkeypatch: pytest.MonkeyPatch, kept: dict[str, Any]
) -> None:
    get = EvidenceStore.get
    monkeypatch.setattr(
        EvidenceStore, "get", lambda store, keys, **how: dict.fromkeys(keys, kept) if len(keys) == 1 else get(store, keys, **how)
    )
    assert len(repo.read().points) == 3


def test_a_history_of_nothing_is_not_kept(repo: Histories) -> None:
    (repo.folder / "system/a.txt").unlink()
    commit(repo.folder)
    write(repo.folder, {"system/a.txt": run_wrong_on()})
    repo.read(last=1)
    with pytest.raises(GitError):
        repo.read(since="nowhere")
    memory = memory_of(_suite(repo), COMMITS, [], 9, repo.store)
    assert memory is not None
    assert not memory.lasts(History(memory.suite, ()))


def test_what_is_kept_is_plain_json(repo: Histories) -> None:
    history = repo.read("*")
    kept = remembered_history._encoded(history)
    assert json.loads(json.dumps(kept)) == json.loads(json.dumps(remembered_history._encoded(repo.read("*"))))
    assert repo.was_recalled()
