"""`--nlpeval-shard`: documents alone, no gates; `nlpeval merge` then gives the report of one run."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support import HALF, RIGHT, command, make_suite, outcomes, run_pytest, run_pytest_apart, write

RUNS = {"a": RIGHT, "b": HALF, "c": RIGHT, "d": HALF, "e": RIGHT}


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    make_suite(pytester.path, "accuracy: 0.9", "coverage: 0.5", runs=RUNS)
    return pytester


def test_shards_merge_to_the_report_of_one_run(folder: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_pytest(folder, "--nlpeval-report=json:one.json", "--nlpeval-report=html:one.html").code == 1
    ran: list[str] = []
    for number in (1, 2, 3):
        ended = run_pytest(folder, "-v", f"--nlpeval-shard={number}/3", f"--nlpeval-report=evidence:part{number}.json")
        assert ended.code == 0, ended.all
        assert f"shard {number}/3: " in ended.out
        assert "`nlpeval merge` judges the gates" in ended.out
        ran += outcomes(ended.out)
    assert sorted(ran) == [f"nlpeval.yaml::dev::{name}" for name in sorted(RUNS)], "each document once, and no gate"
    merged = command(
        capfd, "merge", "part2.json", "part3.json", "part1.json", "--report", "json:merged.json", "--report", "html:merged.html"
    )
    assert merged.code == 1, merged.all
    for format_ in ("json", "html"):
        assert (folder.path / f"merged.{format_}").read_bytes() == (folder.path / f"one.{format_}").read_bytes()


def test_a_shard_has_the_same_evidence_with_workers(folder: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    here, there = (
        run("-v", "--nlpeval-shard=1/2", f"--nlpeval-report=evidence:{name}.json")
        for name, run in (("here", partial(run_pytest, folder)), ("there", partial(run_pytest_apart, folder, "-n2")))
    )
    assert (here.code, there.code) == (0, 0), there.all
    assert len(outcomes(here.out)) > 1
    assert sorted(outcomes(there.out)) == sorted(outcomes(here.out)), "each document once, and no gate"
    assert "shard 1/2: " in there.out
    assert "`nlpeval merge` judges the gates" in there.out
    assert (folder.path / "there.json").read_bytes() == (folder.path / "here.json").read_bytes()


def test_shards_of_pytest_and_of_the_command_are_of_two_runs(folder: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    run_pytest(folder, "--nlpeval-shard=1/2", "--nlpeval-report=evidence:part1.json")
    command(capfd, "run", "--shard=2/2", "--report=evidence:part2.json")
    merged = command(capfd, "merge", "part1.json", "part2.json")
    assert merged.code == 2
    assert (
        "part2.json: shard.foreign: is of another run than part1.json: counted by `nlpeval run` instead of pytest;" in merged.all
    )
    assert "counted by pytest instead of `nlpeval run`" in command(capfd, "merge", "part2.json", "part1.json").all


def test_a_bad_file_fails_the_shard_that_has_it_and_the_merge(folder: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    write(folder.path, {"system/d.txt": "1 MAYBE 0.9\n"})
    codes = [
        run_pytest(folder, f"--nlpeval-shard={number}/2", f"--nlpeval-report=evidence:part{number}.json").code
        for number in (1, 2)
    ]
    assert sorted(codes) == [0, 1]
    merged = command(capfd, "merge", "part1.json", "part2.json")
    assert (merged.code, "system/d.txt" in merged.out) == (1, True)
    assert merged.out == command(capfd, "run").out


def test_a_shard_without_documents_passes_and_counts(folder: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    for number in range(1, 8):
        ended = run_pytest(folder, f"--nlpeval-shard={number}/7", f"--nlpeval-report=evidence:part{number}.json")
        assert ended.code == 0, ended.all
    merged = command(capfd, "merge", *(f"part{number}.json" for number in range(1, 8)))
    assert merged.out == command(capfd, "run").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nlpeval-shard=1/2"], "--nlpeval-shard needs --nlpeval-report evidence:FILE"),
        (["--nlpeval-shard=3/2", "--nlpeval-report=evidence:p.json"], '"3/2" is no shard'),
        (["--nlpeval-report=evidence:p.json"], "add --nlpeval-shard I/N"),
        (["--nlpeval-shard=1/2", "--nlpeval-report=evidence:p.json", "--nlpeval-report=json:r.json"], "no other report"),
        (
            ["--nlpeval-shard=1/2", "--nlpeval-report=evidence:p.json", "--nlpeval-save-baseline=b.json"],
            "--nlpeval-save-baseline is of a whole run",
        ),
        (["--nlpeval-shard=1/2", "--nlpeval-report=evidence:p.json", "-k", "a"], "no evidence written"),
    ],
)
def test_what_a_shard_cannot_do(folder: pytest.Pytester, arguments: list[str], said: str) -> None:
    ended = run_pytest(folder, *arguments)
    assert ended.code == 4, ended.all
    assert said in ended.all
    assert not (folder.path / "p.json").exists()
