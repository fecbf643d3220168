"""Scores over commits: which commits are points, what is evaluated, and where a score fell."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval import Suite, load_suites
from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.metrics.partners import GoldChange
from pytest_nlpeval.metrics.shares import wilson_interval
from pytest_nlpeval.reports.history.blocks import gold_sentences
from pytest_nlpeval.reports.history.document import history_json
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.history import History, Point
from pytest_nlpeval.run.past import history_of
from pytest_nlpeval.runs import Run
from tests.support import FOUR, RIGHT, config_text, make_suite, write
from tests.unit.baselines.repositories import commit, git, start
from tests.unit.baselines.test_gold_changes import FIFTH, asked
from tests.unit.run.outputs import GOLD, run_wrong_on

OFF = Statistics(confidence=None)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with a suite of one document, all of it right."""
    folder = make_suite(start(tmp_path / "repo"), golds={"a": GOLD}, runs={"a": run_wrong_on()})
    commit(folder, "right")
    return folder


def change(repo: Path, wrong: Collection[int], message: str = "change") -> str:
    write(repo, {"system/a.txt": run_wrong_on(wrong)})
    return commit(repo, message)


def read(repo: Path, *wanted: str, last: int = 20, since: str = "") -> History:
    (suite,) = load_suites(repo / "nlpeval.yaml", baseline="none")
    return history_of(replace(suite, statistics=OFF), Engine().run, None, wanted, last=last, since=since)


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[Suite]:
    """The suites that an engine evaluates."""
    suites: list[Suite] = []
    run = Engine.run

    def noting(self: Engine, suite: Suite) -> Run:
        suites.append(suite)
        return run(self, suite)

    monkeypatch.setattr(Engine, "run", noting)
    return suites


def values(history: History, measure: str = "accuracy") -> list[float | None]:
    return [point.readings[measure].score.value if point.readings else None for point in history.points]


def fell(history: History) -> list[str]:
    def is_fall(point: Point) -> bool:
        fall = point.readings["accuracy"].fall
        return fall is not None and fall.is_significant

    return [point.commit.name for point in history.points if is_fall(point)]


def test_points_are_the_commits_that_changed_the_systems_files(repo: Path) -> None:
    change(repo, {1, 2})
    write(repo, {"readme.txt": "x", "gold/b.xml": GOLD, "system/other.log": "x", "nlpeval.yaml": config_text("accuracy: 0.1")})
    commit(repo)
    (repo / "gold/b.xml").unlink()
    change(repo, {3}, "the last")
    history = read(repo)
    assert values(history) == [1, 14 / 16, 15 / 16]
    assert [point.commit.subject for point in history.points] == ["right", "change", "the last"]
    assert (history.resampled, history.cut, [measure.name for measure in history.measures]) == ("units", "", ["accuracy"])


def test_gold_is_todays(repo: Path) -> None:
    change(repo, range(1, 17))
    write(repo, {"gold/a.xml": GOLD.replace("TRUE", "FALSE")})
    assert values(read(repo)) == [0, 1]


def test_the_commit_with_which_a_score_fell_is_known(repo: Path) -> None:
    worse = change(repo, range(1, 9))
    change(repo, range(1, 8))
    history = read(repo)
    assert fell(history) == [worse]
    falls = [point.readings["accuracy"].fall for point in history.points]
    assert falls[0] is None
    assert falls[1] is not None
    assert (falls[1].drop, falls[1].p, falls[1].p_adjusted) == (8 / 16, 1 / 2**8, 2 / 2**8)
    assert falls[2] is not None
    assert (falls[2].drop, falls[2].p, falls[2].is_significant) == (-1 / 16, 1, False)


def test_the_number_of_points_counts(repo: Path) -> None:
    """A drop of five pairs has p = 1/32: significant alone, and not beside a second one, when it counts twice."""
    change(repo, range(1, 6))
    assert len(fell(read(repo))) == 1
    change(repo, range(1, 11))
    assert fell(read(repo)) == []
    assert len(fell(read(repo, last=2))) == 1


def test_nothing_is_evaluated_twice(repo: Path, evaluated: list[Suite]) -> None:
    change(repo, {1})
    change(repo, ())
    change(repo, {1})
    history = read(repo)
    assert values(history) == [1, 15 / 16, 1, 15 / 16]
    assert len(evaluated) == 2
    assert [point.run.commit for point in history.points] == [point.commit.name for point in history.points]


def test_documents_that_did_not_change_are_not_evaluated_again(tmp_path: Path, evaluated: list[Suite]) -> None:
    top = make_suite(start(tmp_path / "two"), golds=dict.fromkeys("ab", GOLD), runs=dict.fromkeys("ab", run_wrong_on()))
    commit(top)
    for texts in ({"a": run_wrong_on({1, 2})}, {"b": "1 PERHAPS\n"}, {"a": run_wrong_on(), "b": run_wrong_on({1})}):
        write(top, {f"system/{name}.txt": text for name, text in texts.items()})
        commit(top)
    (top / "system/b.txt").unlink()
    commit(top)
    write(top, {"system/b.txt": run_wrong_on()})
    history = read(top)
    assert values(history) == [1, 30 / 32, 14 / 16, 31 / 32, 1]
    assert [[case.name for case in suite.cases] for suite in evaluated] == [["a"], ["b"], ["a", "b"], ["b"]]  # the newest first
    assert [(point.run.broken, point.run.added) for point in history.points[2:]] == [(("b",), ()), ((), ()), ((), ("b",))]


def test_a_file_that_git_does_not_have_is_a_reason(repo: Path) -> None:
    write(repo, {"system/a.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"})
    commit(repo)
    change(repo, {1})
    history = read(repo)
    assert values(history) == [1, None, 15 / 16]
    assert "is a pointer of Git LFS" in history.points[1].run.reason


@pytest.mark.parametrize(("last", "expected"), [(1, [13 / 16]), (2, [14 / 16, 13 / 16]), (9, [1, 14 / 16, 13 / 16])])
def test_last(repo: Path, last: int, expected: list[float]) -> None:
    change(repo, {1, 2})
    write(repo, {"nlpeval.yaml": config_text("accuracy: 0.1")})
    commit(repo, "a threshold is no point")
    change(repo, {1, 2, 3})
    assert values(read(repo, last=last)) == expected


def test_since_begins_with_the_state_at_a_revision(repo: Path) -> None:
    change(repo, {1})
    write(repo, {"readme.txt": "x"})
    base = commit(repo, "not about the system")
    change(repo, {1, 2})
    history = read(repo, since="HEAD~1")
    assert values(history) == [15 / 16, 14 / 16]
    assert history.points[0].commit.name == base
    with pytest.raises(GitError, match="there is no commit nowhere in this repository"):
        read(repo, since="nowhere")


def test_the_past_before_a_move_belongs_to_it(repo: Path) -> None:
    change(repo, {1})
    (repo / "system").rename(repo / "out")
    write(repo, {"nlpeval.yaml": config_text().replace("system/{doc}", "out/{doc}")})
    commit(repo, "moved")
    write(repo, {"out/a.txt": run_wrong_on({1, 2})})
    commit(repo)
    assert values(read(repo)) == [1, 15 / 16, 14 / 16]


def test_what_cannot_be_scored_is_a_point_with_a_reason(repo: Path) -> None:
    (repo / "system/a.txt").unlink()
    commit(repo, "gone")
    write(repo, {"system/a.txt": "1 PERHAPS\n"})
    commit(repo, "broken")
    change(repo, range(1, 9), "worse")
    history = read(repo)
    assert values(history) == [1, None, None, 8 / 16]
    assert "no file matches system/{doc}.txt at" in history.points[1].run.reason
    assert "no document of then can be scored" in history.points[2].run.reason
    assert history.points[2].run.broken == ("a",)
    assert fell(replace(history, points=history.points[3:])) == [history.points[3].commit.name], "against the last scored one"
    facts = [(point.documents, bool(point.run.reason)) for point in history.points]
    assert facts == [(1, False), (0, True), (0, True), (1, False)]


def test_a_history_without_any_score(repo: Path) -> None:
    (repo / "system/a.txt").unlink()
    commit(repo)
    write(repo, {"system/a.txt": run_wrong_on()})
    history = read(repo, last=1)
    assert (values(history), history.measures) == ([None], ())


def test_a_suite_that_is_not_committed_has_no_points(tmp_path: Path) -> None:
    folder = start(tmp_path / "repo")
    commit(folder)
    make_suite(folder)
    assert read(folder).points == ()


def test_a_shallow_clone_says_where_its_history_ends(repo: Path, tmp_path: Path) -> None:
    change(repo, {1})
    change(repo, {1, 2})
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{repo}", "shallow")
    history = read(tmp_path / "shallow")
    assert values(history) == [15 / 16, 14 / 16]
    assert history.cut == history.points[0].commit.name
    assert read(tmp_path / "shallow", last=1).cut == ""
    assert read(repo).cut == ""


def test_intervals_and_units_come_with_each_point(repo: Path) -> None:
    change(repo, range(1, 9))
    (suite,) = load_suites(repo / "nlpeval.yaml", baseline="none", statistics={"resamples": 200})
    history = history_of(suite, Engine().run, None, last=20)
    intervals = [point.readings["accuracy"].interval for point in history.points]
    perfect, half = intervals
    assert perfect is not None
    assert half is not None
    assert [perfect, half] == [wilson_interval(16, 16), wilson_interval(8, 16)]


@pytest.fixture
def gaining(tmp_path: Path) -> Path:
    """A repository whose gold has four pairs, all judged rightly, and then gains a fifth, which is judged wrongly."""
    config = config_text("accuracy: {max_drop: 0}", gold="gold.xml", system="run.txt")
    folder = write(start(tmp_path), {"nlpeval.yaml": config, "gold.xml": asked([*FOUR]), "run.txt": RIGHT})
    commit(folder, "four")
    write(folder, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.5\n"})
    commit(folder, "five")
    return folder


def test_a_point_before_gold_changed_tells_so(gaining: Path) -> None:
    history = read(gaining)
    assert values(history) == [1, 4 / 5]
    first, last = history.points
    assert first.run.gold_changes == {"gold": GoldChange(before=4, paired=4, added=1)}
    assert not last.run.gold_changes
    (line,) = gold_sentences(history.points)
    since = f"the gold of 1 document (gold) changed since {first.commit.name[:7]}"
    assert line == f"{since}: of 4 items 4 are compared; 1 are new"
    (suite,) = history_json([history])["suites"]
    assert [point.get("gold_changed", "").partition(":")[2][-9:] for point in suite["points"]] == ["1 are new", ""]


def test_a_point_whose_gold_mostly_asked_other_things_has_no_value(gaining: Path) -> None:
    turned = {name: f"Another {name}." for name in "123"}
    write(gaining, {"gold.xml": asked([*FOUR, FIFTH], turned)})
    commit(gaining, "other questions")
    history = read(gaining)
    assert values(history) == [None, None], "of four and of five items three ask something else"
    assert "3 ask something else" in history.points[0].run.reason
