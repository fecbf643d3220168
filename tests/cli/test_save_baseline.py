"""Output that is not in git: `--save-baseline`, what a baseline file tells of itself, and that no two configurations share one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from pytest_nlpeval.baselines import origin
from pytest_nlpeval.run.store import Entry, EvidenceStore
from tests.support import HALF, RIGHT, command, config_text, make_suite, run_pytest, write
from tests.unit.baselines.repositories import commit, start

GATE = "accuracy: {max_drop: 0.1}"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_suite(start(tmp_path / "repo"), GATE, runs={"a": RIGHT, "b": RIGHT})
    write(folder, {".gitignore": "system/\n.nlpeval_cache/\n*.json\n"})
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def baseline_of(report: Path) -> dict[str, object]:
    (suite,) = json.loads(report.read_text())["suites"]
    found: dict[str, object] = suite["baseline"]
    return found


def test_a_run_is_saved_whatever_its_verdict_and_compared_with(
    repo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    head, day = commit(repo), date(2026, 1, 31)
    monkeypatch.setattr(origin, "today", lambda: day)
    saving = command(capfd, "run", "--save-baseline", "saved/base.json", "--report", "json:-")
    assert (saving.code, "saved/base.json written" in saving.err) == (1, True), "max_drop has nothing to compare with"
    assert json.loads(saving.out)["passed"] is False
    kept = json.loads((repo / "saved/base.json").read_text())
    assert (kept["commit"], kept["written"], "configuration" in kept) == (head, "2026-01-31", False)
    write(repo, {"system/a.txt": HALF})
    monkeypatch.setattr(origin, "today", lambda: day + timedelta(days=12))
    ended = command(capfd, "run", "--baseline", "saved/base.json", "--report", "json:r.json")
    assert (ended.code, f"compared with saved/base.json ({head[:7]}, 12 days old)" in ended.out) == (1, True), ended.out
    told = baseline_of(repo / "r.json")
    assert (told["commit"], told["written"], told["age_days"]) == (head, kept["written"], 12)
    assert command(capfd, "report", "text", "r.json").code == 0, "the schema knows what is new"


def test_without_a_store_a_report_keeps_in_memory_only_what_a_comparison_may_read(
    repo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    get = EvidenceStore.get

    def noted(store: EvidenceStore, keys: Sequence[bytes], *, explain: bool = False) -> dict[bytes, Entry]:
        asked.append(len(keys))
        return get(store, keys, explain=explain)

    monkeypatch.setattr(EvidenceStore, "get", noted)
    for more, is_asked in (
        (["--report", "json:-"], False),
        ([], False),
        (["--report", "json:-", "--baseline", "git:HEAD"], True),
    ):
        asked.clear()
        command(capfd, "run", "--no-cache", *more)
        assert bool(asked) is is_asked, more
    asked.clear()
    assert command(capfd, "score", "rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--no-cache").code == 0
    assert not asked


def test_an_unchanged_baseline_file_keeps_its_day(
    repo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origin, "today", lambda: date(2026, 1, 31))
    assert command(capfd, "baseline", "update", "--baseline", "base.json").code == 0
    before = (repo / "base.json").read_text()
    assert json.loads(before)["configuration"] == "nlpeval.yaml"
    monkeypatch.setattr(origin, "today", lambda: date(2026, 2, 1))
    assert "dev: unchanged" in command(capfd, "baseline", "update", "--baseline", "base.json").out
    assert (repo / "base.json").read_text() == before
    write(repo, {"system/a.txt": HALF})
    command(capfd, "baseline", "update", "--baseline", "base.json")
    assert json.loads((repo / "base.json").read_text())["written"] == "2026-02-01"


def test_what_is_invalid_or_of_several_configurations_is_not_saved(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(repo, {"more.nlpeval.yaml": config_text(GATE, name="more")})
    ended = command(capfd, "run", "--save-baseline", "base.json")
    assert (ended.code, "baseline.shared: base.json would be the file of 2 configurations" in ended.err) == (2, True)
    write(repo, {"system/a.txt": "nonsense"})
    ended = command(capfd, "run", "nlpeval.yaml", "--save-baseline", "base.json")
    assert (ended.code, "baseline.refused" in ended.err) == (2, True)
    assert not (repo / "base.json").exists()


def test_folders_that_share_a_file_by_different_paths(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "defaults: {baseline: ../base.json}\n" + config_text(GATE)
    for name in ("one", "two"):
        make_suite(repo / name, config=text)
    both = command(capfd, "baseline", "update", "one", "two")
    assert (both.code, "two/nlpeval.yaml:4: baseline.shared" in both.err) == (2, True), both.err
    assert command(capfd, "baseline", "update", "one").code == 0
    other = command(capfd, "baseline", "update", "two")
    assert (other.code, "base.json is the baseline file of one/nlpeval.yaml" in other.err) == (2, True), other.err
    (repo / "one/nlpeval.yaml").unlink()
    assert command(capfd, "baseline", "update", "two").code == 0, "the configuration has moved"


def test_pytest_saves_too_and_only_whole_runs(pytester: pytest.Pytester) -> None:
    folder = make_suite(pytester.path, "accuracy: 0.5")
    assert run_pytest(pytester, "--nlpeval-save-baseline=base.json").code == 0
    assert list(json.loads((folder / "base.json").read_text())["suites"]) == ["dev"]
    part = run_pytest(pytester, "--nlpeval-save-baseline=other.json", "-k", "accuracy")
    assert (part.code, "--nlpeval-save-baseline: nothing is written: not all documents" in part.out) == (4, True)


@pytest.mark.parametrize("day", ["", "yesterday", "2026-13-01"])
def test_no_day_has_no_age(day: str) -> None:
    assert origin.age_in_days(day) is None
