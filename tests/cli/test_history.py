"""`nlpeval history` as a user meets it: table and chart, reports, clones, and what can go wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import json_schema
from tests.support import Ended, command, config_text, files_below, make_suite, write
from tests.unit.baselines.repositories import commit, git, start
from tests.unit.run.outputs import GOLD, make_systems, run_wrong_on

Capture = pytest.CaptureFixture[str]
FAST = ("--resamples", "200", "--no-cache")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, as the current folder, whose system got much worse and a little better."""
    top = make_suite(start(tmp_path / "repo"), golds={"a": GOLD}, runs={"a": run_wrong_on()})
    monkeypatch.chdir(top)
    commit(top, "First system")
    for wrong, message in ((range(1, 9), "A new model"), (range(1, 8), "Tuned")):
        write(top, {"system/a.txt": run_wrong_on(wrong)})
        commit(top, message)
    return top


def history(capfd: Capture, *arguments: str) -> Ended:
    return command(capfd, "history", *arguments, *FAST)


def test_table_chart_and_the_commit_that_made_it_worse(folder: Path, capfd: Capture) -> None:
    before = files_below(folder)
    ended = history(capfd)
    assert (ended.code, ended.err) == (0, "")
    names = git(folder, "log", "--format=%h", "--abbrev=7").split()[::-1]
    rows = [line for line in ended.out.splitlines() if line[:7] in names]
    assert [row.split()[:4] for row in rows] == [
        [names[0], "2023-11-14", "1", "1.0000"],
        [names[1], "2023-11-14", "1", "0.5000"],
        [names[2], "2023-11-14", "1", "0.5625"],
    ]
    assert rows[0].endswith("o        First system"), "the greatest value is at the right end of the chart"
    assert "fell  A new model" in rows[1]
    assert "|" in rows[1]
    assert f"accuracy fell with {names[1]} (2023-11-14, A new model): 1.0000 → 0.5000, adjusted p = " in ended.out
    assert files_below(folder) == before


def test_the_page(folder: Path, capfd: Capture) -> None:
    assert history(capfd, "--report", "html:page/history.html").code == 0
    page = (folder / "page/history.html").read_text(encoding="utf-8")
    assert "History of 1 suite over 3 commits: 1 fall beyond chance" in page
    assert page == history(capfd, "--report", "html:-").out


def test_json_and_csv(folder: Path, capfd: Capture) -> None:
    ended = history(capfd, "--report", "json:-", "--report", "csv:history.csv")
    report = json.loads(ended.out)
    Draft202012Validator(json_schema("history.schema.json")).validate(report)
    (suite,) = report["suites"]
    assert [point["scores"]["accuracy"]["value"] for point in suite["points"]] == [1, 8 / 16, 9 / 16]
    rows = list(csv.DictReader((folder / "history.csv").read_text().splitlines()))
    assert [(row["subject"], row["value"], row["drop"], row["fell"]) for row in rows] == [
        ("First system", "1.0", "", ""),
        ("A new model", "0.5", "0.5", "fell"),
        ("Tuned", "0.5625", "-0.0625", ""),
    ]


def test_markdown_has_the_table_with_its_chart_and_who_made_it_worse(folder: Path, capfd: Capture) -> None:
    write(folder, {"system/a.txt": run_wrong_on(range(1, 8))})
    commit(folder, "Pipes | and <b>")
    write(folder, {"system/a.txt": run_wrong_on(range(1, 7))})
    commit(folder, "Pipes | and <b>")
    lines = history(capfd, "--report", "markdown:-").out.splitlines()
    assert lines[0].startswith("### <code>dev: 4 commits; 95 % intervals")
    rows = [line for line in lines if line.startswith("| <code>")]
    assert [row.split(" | ")[3] for row in rows] == ["1.0000", "0.5000", "0.5625", "0.6250"]
    assert rows[-1].endswith("| <code>Pipes &#124; and &#60;b&#62;</code> |")
    assert "&#160;&#160;<code>" not in rows[1]
    assert "<code>fell</code>" in rows[1]
    assert any(line.startswith("accuracy fell with ") for line in lines[lines.index("<pre>") :])


def test_the_same_bytes_from_the_store_and_without(folder: Path, capfd: Capture) -> None:
    first, second = (command(capfd, "history", "--resamples", "200").out for _ in range(2))
    assert first == second == history(capfd).out


@pytest.mark.parametrize(
    ("arguments", "subjects"),
    [
        (["--last", "1"], ["Tuned"]),
        (["--since", "HEAD~1"], ["A new model", "Tuned"]),
        (["--since", "HEAD"], ["Tuned"]),
        (["nlpeval.yaml", "--last", "2"], ["A new model", "Tuned"]),
    ],
)
def test_part_of_the_history(folder: Path, capfd: Capture, arguments: list[str], subjects: list[str]) -> None:
    report = json.loads(history(capfd, *arguments, "--report", "json:-").out)
    assert [point["subject"] for point in report["suites"][0]["points"]] == subjects


def test_several_measures_and_systems(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    top = make_systems(start(tmp_path / "repo"), ours=(), other={1})
    monkeypatch.chdir(top)
    commit(top)
    out = history(capfd, "--measure", "accuracy", "--measure", "FALSE.*", "--confidence", "off").out
    assert "dev/ours: 1 commit; 200 resamples of units, seed 12345" in out
    assert "dev/other: 1 commit" in out
    assert "(no pair is judged FALSE)" in out
    assert [out.count(f"\n{name}\n") for name in ("accuracy", "FALSE.precision", "coverage")] == [2, 2, 0]


def test_what_cannot_be_scored_says_why(folder: Path, capfd: Capture) -> None:
    write(folder, {"system/a.txt": "1 PERHAPS\n"})
    commit(folder, "Broken")
    ended = history(capfd, "--report", "csv:-")
    last = list(csv.DictReader(ended.out.splitlines()))[-1]
    assert (last["subject"], last["measure"], last["value"]) == ("Broken", "", "")
    assert last["reason"].endswith("no document of then can be scored")
    assert "Broken (git:" in ended.err
    ended = history(capfd, "--last", "1")
    assert (ended.code, "no document of then can be scored" in ended.out) == (0, True)


def test_nothing_is_committed_yet(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    top = start(tmp_path / "repo")
    monkeypatch.chdir(make_suite(top))
    ended = history(capfd)
    assert (ended.code, ended.err) == (2, "nlpeval: there is no commit here yet; commit the system's files\n")
    git(top, "commit", "--quiet", "--allow-empty", "--message", "x")
    ended = history(capfd)
    assert ended.out == "dev: no commit has the suite; commit its configuration and the system's files\n"
    assert history(capfd, "--measure", "accuracy") == ended


def test_a_shallow_clone_says_where_it_ends(
    folder: Path, tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{folder}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    ended = history(capfd)
    assert ended.code == 0
    assert "dev: 2 commits" in ended.out
    name = git(folder, "rev-parse", "HEAD~1")[:7]
    assert f"The history of this shallow clone ends at {name}; fetch more of it (`git fetch --unshallow`" in ended.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--measure", "acuracy"], 'no suite here has a measure "acuracy"; did you mean "accuracy"'),
        (["--since", "nowhere"], "there is no commit nowhere in this repository; fetch it"),
        (["--last", "0"], '"0" is not a number of commits; expected 1 or more'),
        (["--last", "x"], '"x" is not a number of commits; expected 1 or more'),
        (["--report", "native:x"], "FORMAT one of csv, html, json, markdown, text"),
        (["missing.yaml"], "missing.yaml: file.missing"),
    ],
)
def test_calls_that_cannot_be_carried_out(folder: Path, capfd: Capture, arguments: list[str], said: str) -> None:
    ended = history(capfd, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


@pytest.mark.parametrize("kept", [False, True])
def test_a_measure_is_unknown_although_only_the_files_tell_which_there_are(folder: Path, capfd: Capture, *, kept: bool) -> None:
    """The labels of gold and output say which measures there are; the second time the history is remembered."""
    suite = {"task": "labels", "gold": "gold.txt", "system": "system.txt"}
    write(
        folder,
        {"nlpeval.yaml": config_text("accuracy: 0.5", **suite), "gold.txt": "alarm\nmusic\n", "system.txt": "alarm\nmusic\n"},
    )
    commit(folder, "A classifier")
    store = ("--cache-dir", "kept") if kept else ("--no-cache",)
    for _ in range(2):
        assert command(capfd, "history", "--measure", "music.f1", *store).code == 0
        ended = command(capfd, "history", "--measure", "musik.f1", *store)
        assert (ended.code, ended.out) == (2, "")
        assert 'no suite here has a measure "musik.f1"; did you mean "music.f1"' in ended.err


def test_no_repository_and_no_git(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(make_suite(tmp_path))
    ended = history(capfd)
    assert (ended.code, "is in no git repository" in ended.err) == (2, True)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in history(capfd).err


def test_nothing_of_a_message_is_obeyed(folder: Path, capfd: Capture) -> None:
    """`command` asserts that the output is clean; a formula is none in the CSV report."""
    write(folder, {"system/a.txt": run_wrong_on(range(1, 16))})
    commit(folder, "=1+2 \x1b[31m::error::x\u202e " + "long " * 30)
    ended = history(capfd, "--report", "csv:-")
    assert ended.code == 0
    assert list(csv.DictReader(ended.out.splitlines()))[-1]["subject"].startswith("'=1+2 \\x1b")
    assert "…" in ended.err
