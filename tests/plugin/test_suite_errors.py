"""Errors of a suite itself, which no verdict depends on: the first of the gates that were chosen fails on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import FOUR, RIGHT, config_text, make_suite, outcomes, run_pytest, run_pytest_apart, run_pytest_with, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.baselines.test_gold_changes import FIFTH, asked

LISTED = ("accuracy: {min: 0.5, must_pass: golden.txt}", "coverage: 0.5")


def gates(text: str) -> dict[str, str]:
    return {name.rpartition("::")[2]: outcome for name, outcome in outcomes(text).items() if "document" not in name}


WRONG = {
    "golden.txt: file.missing: does not exist": None,
    "golden.txt: guard.empty: names no unit that must pass": "",
    'golden.txt:1: guard.no-such-item: no unit of gold is called "99"': "99\n",
}
"""Lists that are wrong, None for one that is not there, by what is told of them."""


def wrong(folder: Path, listed: str | None) -> None:
    make_suite(folder, *LISTED)
    write(folder, {} if listed is None else {"golden.txt": listed})


@pytest.mark.parametrize("message", WRONG)
def test_a_list_that_is_wrong_fails_the_first_gate(pytester: pytest.Pytester, message: str) -> None:
    wrong(pytester.path, WRONG[message])
    ended = run_pytest(pytester, "-v")
    assert (ended.code, message in ended.out) == (1, True), ended.out
    assert "1 failed" in ended.out
    assert ("there is no list of units to judge by" in ended.out) == (not WRONG[message]), ended.out
    alone = run_pytest(pytester, "-v", "-k", "coverage")
    assert (alone.code, message in alone.out) == (1, True), "the gate that was chosen is the first"


def test_a_list_that_is_wrong_fails_the_first_gate_with_workers(pytester: pytest.Pytester) -> None:
    """Three suites, of which each tells of its own list, as it does without workers."""
    for number, listed in enumerate(WRONG.values()):
        wrong(pytester.path / f"suite{number}", listed)
    here, there = run_pytest(pytester, "-v"), run_pytest_apart(pytester, "-n2", "-v")
    assert (here.code, there.code) == (1, 1)
    for number, message in enumerate(WRONG):
        assert f"suite{number}/{message}" in there.out
    assert "3 failed" in there.out
    assert outcomes(there.out) == {name: outcomes(here.out)[name] for name in outcomes(there.out)}
    told = "there is no list of units to judge by"
    assert there.out.count(told) == here.out.count(told) > 0


def test_an_error_in_the_lines_of_a_gate_is_told_by_that_gate(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "coverage: 0.5", "accuracy: {min: 0.5, must_pass: ['99']}")
    ended = run_pytest(pytester, "-v", "-p", "no:randomly")
    assert gates(ended.out)["accuracy"] == "failed"
    assert gates(ended.out)["coverage"] == "passed"


@pytest.fixture
def repository(pytester: pytest.Pytester) -> Path:
    config = config_text("accuracy: {max_drop: 0}", gold="gold.xml", system="run.txt", baseline="git:HEAD")
    folder = write(start(pytester.path), {"nlpeval.yaml": config, "gold.xml": asked([*FOUR]), "run.txt": RIGHT})
    commit(folder)
    return folder


def test_a_unit_that_vanished_fails_although_no_score_fell(repository: Path, pytester: pytest.Pytester) -> None:
    write(repository, {"gold.xml": asked([*FOUR[:3]]), "run.txt": "".join(RIGHT.splitlines(keepends=True)[:3])})
    ended = run_pytest(pytester, "-v")
    assert (ended.code, gates(ended.out)["accuracy"]) == (1, "failed")
    assert "baseline.vanished: 1 item that git:HEAD has results of" in ended.out


def test_a_warning_about_the_gold_is_in_the_summary_once(repository: Path, pytester: pytest.Pytester) -> None:
    write(repository, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.9\n"})
    ended = run_pytest(pytester)
    assert ended.code == 0, ended.out
    assert ended.out.count("baseline.gold-changed: the gold of 1 document") == 1


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_a_suite_without_gates_fails_on_what_vanished(
    repository: Path, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    config = (repository / "nlpeval.yaml").read_text().partition("    gates:")[0]
    write(repository, {"nlpeval.yaml": config})
    commit(repository)
    assert run_pytest(pytester).code == 0
    write(repository, {"gold.xml": asked([*FOUR[:3]]), "run.txt": "".join(RIGHT.splitlines(keepends=True)[:3])})
    ended = run_pytest_with(pytester, workers, "-v")
    assert (ended.code, "baseline.vanished: 1 item that git:HEAD has results of" in ended.out) == (1, True), ended.out
    assert "1 failed, 1 passed" in ended.out, "the document itself is in order"


def test_a_document_may_be_called_baseline(pytester: pytest.Pytester) -> None:
    config = config_text(gold="gold/{doc}.xml", system="system/{doc}.txt", baseline="git:HEAD").partition("    gates:")[0]
    files = {"nlpeval.yaml": config, "gold/baseline.xml": asked([*FOUR]), "system/baseline.txt": RIGHT}
    commit(write(start(pytester.path), files))
    ended = run_pytest(pytester, "-v")
    assert ended.code == 0
    names = {name.rpartition("::")[2] for name in outcomes(ended.out)}
    assert names == {"baseline", "baseline (document)"}


def test_a_suite_without_gates_fails_on_a_wrong_file_of_groups(pytester: pytest.Pytester) -> None:
    options = "    options: {group: {documents: groups.tsv}}\n"
    config = config_text(gold="gold/{doc}.xml", system="system/{doc}.txt").partition("    gates:")[0] + options
    files = {"nlpeval.yaml": config, "gold/suite.xml": asked([*FOUR]), "system/suite.txt": RIGHT}
    write(pytester.path, {**files, "groups.tsv": "document\tgroup\nsuite\tnews\n"})
    ended = run_pytest(pytester, "-v")
    assert ended.code == 0, ended.out
    assert {name.rpartition("::")[2] for name in outcomes(ended.out)} == {"suite", "suite (document)"}
    write(pytester.path, {"groups.tsv": "document\tgroup\nsuite\tnews.wire\n"})
    ended = run_pytest(pytester, "-v")
    assert (ended.code, 'groups.tsv:2: group.reserved: the group "news.wire"' in ended.out) == (1, True), ended.out
