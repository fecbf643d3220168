"""Baselines, as a user of the command meets them: from git and from a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support import HALF, RIGHT, command, command_apart, config_text, files_below, gold_xml, make_suite, write
from tests.unit.baselines.repositories import commit, git, start

GATES = ("accuracy: {max_drop: 0.1}",)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a suite of two documents, both right, whose output then gets worse: accuracy 1 -> 6/8."""
    folder = make_suite(start(tmp_path / "repo"), *GATES, runs={"a": RIGHT, "b": RIGHT})
    commit(folder)
    write(folder, {"system/b.txt": HALF})
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def folder_without_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite with two wrong items, whose gate no baseline judges."""
    monkeypatch.chdir(tmp_path)
    return make_suite(tmp_path, *GATES)


def report_of(folder: Path, name: str = "r.json") -> dict[str, Any]:
    (suite,) = json.loads((folder / name).read_bytes())["suites"]
    found: dict[str, Any] = suite
    return found


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    ended = command(capfd, "run", "--no-cache", "--report", "json:r.json", *arguments)
    return ended.code, ended.all


def test_a_drop_against_a_revision_fails_and_says_what_is_newly_wrong(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = run(capfd, "--baseline", "git:HEAD")
    assert code == 1
    assert re.search(r"dev: compared with git:HEAD \(\w{7}\): 2 of 8 units differ, 2 newly wrong", said)
    told = " ".join(said.split())
    assert "✗ dev (rte): 1 of 1 gate failed" in told
    assert "accuracy fell from 1.000 to 0.750: a drop of 0.250 (95 % interval 0.000 to 0.625; 0.1 is allowed)" in told
    assert "drop ≤ 0.1, over by 0.150" in told
    assert "Newly wrong, 2 of 2 system/b.txt:2 2 (IR): gold FALSE, system TRUE" in told
    suite = report_of(repo)
    assert suite["scores"]["accuracy"]["baseline"] == 1
    assert suite["scores"]["accuracy"]["drop"] == 1 - 6 / 8
    assert suite["scores"]["accuracy"]["p"] == 1 / 4, "of the four ways to exchange the two units only one drops as much"
    assert suite["baseline"]["units"] == {"paired": 8, "added": 0, "removed": 0, "differing": 2}
    assert suite["changes"]["counts"] == {"newly_wrong": 2, "newly_right": 0, "otherwise_wrong": 0}


def test_a_drop_that_may_be_chance_passes_and_says_so(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"nlpeval.yaml": config_text("accuracy: {max_drop: 0.1, alpha: 0.05}")})
    code, said = run(capfd, "--baseline", "git:HEAD")
    assert code == 0
    told = " ".join(said.split())
    assert "✓ dev (rte): the one gate passed" in told
    assert "accuracy drop ≤ 0.1 (alpha 0.05): passed: the drop of 0.250 may be chance (p = 0.250)" in told
    (gate,) = report_of(repo)["gates"]
    none_drawn = (6 / 8) ** 8  # the share of resamples without either of the two units: all others drop by more than 0.1
    assert gate["p"] == 2**-2 > none_drawn  # a drop above 0.1 is one above 0, for which two units that fell show no more


@pytest.mark.parametrize(
    ("gates", "outputs", "code", "item"),
    [
        (["accuracy: {max_drop: 0.1}"], {}, 1, "Newly wrong, 2 of 2"),
        (["accuracy: {max_drop: 0.5}"], {}, 0, "Newly wrong, 2 of 2"),
        (["accuracy: {max_drop: 0.5}"], {"system/b.txt": RIGHT}, 0, ""),
        (["cws: {max_drop: 0.1}"], {"system/b.txt": "1 MAYBE\n"}, 1, "b.txt:1"),
        (["TRUE.precision: {min: 0.9, informational: true}", "accuracy: 0.1"], {}, 0, "Newly wrong, 2 of 2"),
        (["accuracy: {must_pass: [b/2]}"], {}, 1, "Newly wrong, 2 of 2"),
        (["accuracy: {must_pass: [b/5]}"], {}, 2, "Newly wrong, 2 of 2"),
    ],
)
def test_a_person_reads_the_same_with_and_without_a_report(
    repo: Path, capfd: pytest.CaptureFixture[str], gates: list[str], outputs: dict[str, str], code: int, item: str
) -> None:
    write(repo, {"nlpeval.yaml": config_text(*gates)} | outputs)
    told = [command(capfd, "run", "--baseline", "git:HEAD", *report) for report in ([], ["--report", "json:r.json"])]
    assert told[0] == told[1]
    assert told[0].code == code, told[0].all
    assert item in told[0].all


def test_a_suite_whose_gates_are_unjudged_shows_what_is_wrong(
    folder_without_baseline: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = [command(capfd, "run", *report) for report in ([], ["--report", "json:r.json"])]
    assert told[0] == told[1]
    assert told[0].code == 1
    assert "Wrong, 2 of 2" in told[0].all


def test_identical_output_has_p_1_and_no_drop(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    git(repo, "checkout", "--quiet", "system")
    code, _ = run(capfd, "--baseline", "git:HEAD")
    scores = report_of(repo)["scores"]
    assert code == 0
    assert {score["drop"] for score in scores.values() if "drop" in score} == {0}
    assert {score["p"] for score in scores.values() if "p" in score} == {1}
    assert {"accuracy", "cws"} <= {name for name, score in scores.items() if "p" in score}


def test_todays_gold_judges_both(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    turned = gold_xml((("1", "IR", "TRUE"), ("2", "IR", "TRUE"), ("3", "QA", "TRUE"), ("4", "QA", "TRUE")))
    write(repo, {"gold/b.xml": turned})
    code, _ = run(capfd, "--baseline", "git:HEAD")
    accuracy = report_of(repo)["scores"]["accuracy"]
    assert (code, accuracy["value"], accuracy["baseline"]) == (0, 8 / 8, 6 / 8)


def test_a_new_suite_holds_and_a_vanished_document_does_not(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"nlpeval.yaml": config_text(*GATES).replace("name: dev", "name: other")})
    code, said = run(capfd, "--baseline", "git:HEAD")
    assert (code, "not compared with the baseline: the suite is new" in said) == (2, True)
    assert "baseline.renamed: the suite is new in name only: git:HEAD has its files under the name" in said
    write(repo, {"nlpeval.yaml": config_text(*GATES)})
    for path in ("gold/b.xml", "system/b.txt"):
        (repo / path).unlink()
    code, said = run(capfd, "--baseline", "git:HEAD")
    assert (code, "baseline.vanished: 1 document of git:HEAD (b) had results" in said) == (2, True)
    write(repo, {"nlpeval.yaml": config_text(*GATES, rules="{baseline.vanished: warning}")})
    code, said = run(capfd, "--baseline", "git:HEAD")
    assert (code, "[warning]" in said) == (0, True)


def test_added_and_broken_documents_are_told(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"system/b.txt": "nonsense\n"})
    commit(repo)
    write(repo, {"system/b.txt": RIGHT, "system/c.txt": RIGHT, "gold/c.xml": gold_xml()})
    code, said = run(capfd, "--baseline", "git:HEAD")
    assert code == 0
    assert "dev: 1 document not in the baseline: c" in said
    assert "dev: 1 document with errors in the baseline: b" in said


@pytest.mark.parametrize("arguments", [("--baseline", "git:nowhere"), ("--baseline", "missing.json"), ()])
def test_without_a_baseline_a_drop_is_unjudged_and_fails(
    repo: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, said = run(capfd, *arguments)
    assert code == 1
    assert "accuracy is unjudged: " in said
    assert report_of(repo)["scores"]["accuracy"]["value"] == 6 / 8


def test_none_switches_the_configurations_baseline_off(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"nlpeval.yaml": "defaults: {baseline: git:HEAD}\n" + config_text("accuracy: 0.5")})
    assert "compared with git:HEAD" in run(capfd)[1]
    assert "compared" not in run(capfd, "--baseline", "none")[1]


def test_a_baseline_file_is_written_whole_shown_and_compared_with(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"nlpeval.yaml": "defaults: {baseline: base/main.json}\n" + config_text(*GATES)})
    git(repo, "stash", "push", "--quiet", "system")
    ended = command(capfd, "baseline", "update")
    assert (ended.code, ended.out) == (0, "dev: is new, with 2 documents\nbase/main.json written; commit it\n")
    git(repo, "stash", "pop", "--quiet")
    before = (repo / "base/main.json").read_bytes()
    code, said = run(capfd)
    assert (code, "accuracy fell from 1.000 to 0.750: a drop of 0.250" in said) == (1, True)
    assert report_of(repo)["changes"]["counts"]["newly_wrong"] == 2
    assert "accuracy 1.0000" in command(capfd, "baseline", "show").out
    ended = command(capfd, "baseline", "update")
    assert "dev: accuracy 1.000 → 0.750\n" in ended.out
    assert run(capfd)[0] == 0
    git(repo, "checkout", "--quiet", "system")
    command(capfd, "baseline", "update")
    assert (repo / "base/main.json").read_bytes() == before


def test_a_file_under_other_circumstances_is_not_comparable_and_says_why(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"nlpeval.yaml": "defaults: {baseline: main.json}\n" + config_text(*GATES)})
    command(capfd, "baseline", "update")
    write(repo, {"nlpeval.yaml": "defaults: {baseline: main.json}\n" + config_text(*GATES, options="{edition: 1}")})
    code, said = run(capfd)
    assert code == 1
    told = " ".join(said.split())
    assert "main.json is not comparable: the option edition was null and is 1; to accept it: `nlpeval baseline update`" in told


def test_update_refuses_what_is_not_valid(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ended = command(capfd, "baseline", "update")
    assert (ended.code, "baseline.none: no suite names a baseline file" in ended.err) == (2, True)
    write(repo, {"nlpeval.yaml": "defaults: {baseline: main.json}\n" + config_text(*GATES), "system/a.txt": "nonsense"})
    before = files_below(repo)
    ended = command(capfd, "baseline", "update", "--no-cache")
    assert (ended.code, "baseline.refused: 1 document with errors" in ended.err) == (2, True)
    assert files_below(repo) == before


def test_update_tells_what_it_changes(repo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def update() -> list[str]:
        *lines, written = command(capfd, "baseline", "update", "--no-cache").out.splitlines()
        assert written == "main.json written; commit it"
        return lines

    text = "defaults: {baseline: main.json}\n" + config_text(*GATES)
    write(repo, {"nlpeval.yaml": text})
    assert update() == ["dev: is new, with 2 documents"]
    assert update() == ["dev: unchanged"]
    write(repo, {"system/b.txt": RIGHT})
    monkeypatch.setattr("pytest_nlpeval.run.baseline_update.MOST_SCORES", 1)
    first, rest = update()
    assert first == "dev: accuracy 0.750 → 1.000"
    assert re.fullmatch(r"dev: \d+ more scores change", rest)
    for path in ("gold/b.xml", "system/b.txt"):
        (repo / path).unlink()
    assert "dev: 1 document dropped" in update()
    write(repo, {"nlpeval.yaml": text.replace("name: dev", "name: other")})
    assert update() == ["dev: is dropped: the configuration does not have it any more", "other: is new, with 1 document"]


def test_update_tells_of_units_that_change_no_score(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "Ada\tfounded\tOtt\tfounded\t[[[Ada]]] ---> {{{founded}}} <--- [[[Ott]]]\n"
    right, wrong = (f"Ada\t{said}\tOtt\n" for said in ("founded", "sold"))
    files = {"gold.tsv": f"Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence\n{row}{row}"}
    suite = "{name: s, task: exemplar, gold: gold.tsv, system: s.tsv, baseline: main.json}"
    files |= {"nlpeval.yaml": f"version: 1\nsuites:\n  - {suite}\n", "s.tsv": f"Entity1\tRelation\tEntity2\n{right}{wrong}"}
    monkeypatch.chdir(write(tmp_path, files))
    command(capfd, "baseline", "update", "--no-cache")
    write(tmp_path, {"s.tsv": f"Entity1\tRelation\tEntity2\n{wrong}{right}"})
    assert command(capfd, "baseline", "update", "--no-cache").out.startswith("s: no score changes, single units do\n")


def test_units_that_cannot_say_how_great_a_drop_is_show_nothing(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one = gold_xml((("1", "IR", "TRUE"),))
    (repo / "gold/b.xml").unlink()
    (repo / "system/b.txt").unlink()
    config = config_text("accuracy: {non_inferior: 0.1}")
    write(repo, {"nlpeval.yaml": config, "gold/a.xml": one, "system/a.txt": "1 TRUE\n"})
    commit(repo)
    assert run(capfd, "--baseline", "git:HEAD")[0] == 0, "the runs do not differ at all"
    write(repo, {"system/a.txt": "1 FALSE\n"})
    code, said = run(capfd, "--baseline", "git:HEAD")
    told = " ".join(said.split())
    assert (code, "failed: too few units to say how great the drop may be" in told) == (1, True)
    (gate,) = report_of(repo)["gates"]
    assert "upper" not in gate
    assert gate["drop"] == 1


def test_show_says_what_there_is_and_what_is_missing(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    suite = config_text(*GATES)
    for baseline, said in (("", "dev: no baseline\n"), ("defaults: {baseline: git:HEAD}\n", "dev: git:HEAD\n")):
        write(repo, {"nlpeval.yaml": baseline + suite})
        assert command(capfd, "baseline", "show").out == said
    write(repo, {"nlpeval.yaml": "defaults: {baseline: main.json}\n" + suite})
    command(capfd, "baseline", "update", "--no-cache")
    write(repo, {"nlpeval.yaml": "defaults: {baseline: main.json}\n" + suite.replace("name: dev", "name: other")})
    assert command(capfd, "baseline", "show").out == "other: not in main.json\n"
    code, told = run(capfd)
    assert (code, "not compared with the baseline: the suite is new: main.json does not have it" in told) == (2, True)
    assert "baseline.renamed" in told
    assert command(capfd, "baseline", "update", "--no-cache").code == 0, "which accepts the new name"
    assert run(capfd)[0] == 0
    write(repo, {"main.json": "{"})
    ended = command(capfd, "baseline", "show")
    assert (ended.code, ended.err.startswith("main.json:1:2: baseline.invalid: is not JSON: expected a key")) == (2, True)


def test_a_file_belongs_to_one_configuration(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "defaults: {baseline: main.json}\n" + config_text(*GATES)
    write(repo, {"nlpeval.yaml": text, "more.nlpeval.yaml": text})
    ended = command(capfd, "baseline", "update", "--no-cache")
    assert (ended.code, "main.json is also the baseline file of " in ended.err) == (2, True)


def test_a_baseline_outside_the_root_is_refused(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"nlpeval.yaml": "defaults: {baseline: ../main.json}\n" + config_text(*GATES)})
    ended = command(capfd, "run", "--no-cache")
    assert (ended.code, "leaves the root folder" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--resamples=5", "--resamples: expected a whole number from 100 to 1,000,000"),
        ("--seed=-1", "--seed: expected a whole number from 0 to 4,294,967,295"),
        ("--seed=x", '--seed: expected a whole number from 0 to 4,294,967,295, got "x"'),
        ("--confidence=95", "--confidence: expected a number between 0 and 1, or off"),
    ],
)
def test_mistaken_statistics_say_what_is_expected(repo: Path, capfd: pytest.CaptureFixture[str], option: str, said: str) -> None:
    ended = command(capfd, "run", "--no-cache", option)
    assert (ended.code, said in ended.err) == (2, True)


def test_intervals_depend_on_confidence_and_seed_only(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def interval(*options: str) -> tuple[Any, Any]:
        run(capfd, *options)
        score = report_of(repo)["scores"]["accuracy"]
        return score.get("low"), score.get("high")

    write(repo, {"nlpeval.yaml": config_text("accuracy: 0.1")})
    assert interval("--confidence", "off") == (None, None)
    assert interval() == interval("--seed", "12345", "--resamples", "10000", "--confidence", "0.95")
    low, high = interval()
    assert 0 <= low <= 6 / 8 <= high <= 1


def test_workers_and_clones_give_the_same_report_and_touch_nothing(repo: Path, tmp_path: Path) -> None:
    write(repo, {"nlpeval.yaml": "defaults: {baseline: git:HEAD}\n" + config_text(*GATES), "half.txt": "edited"})
    before = files_below(repo / ".git")
    reports = []
    for arguments in ([], ["--jobs", "2"]):
        ended = command_apart(repo, "run", "--no-cache", "--report", f"json:{tmp_path}/r.json", *arguments)
        assert ended.code == 1
        reports.append((tmp_path / "r.json").read_bytes())
    assert reports[0] == reports[1]
    assert files_below(repo / ".git") == before


@pytest.mark.parametrize("option", ["--report=json:report.json", "--confidence=0.9", "--resamples=1000", "--seed=1"])
def test_an_update_takes_no_option_that_changes_nothing(capfd: pytest.CaptureFixture[str], option: str) -> None:
    ended = command(capfd, "baseline", "update", option)
    assert ended.code == 2
    assert option.partition("=")[0] in ended.err
