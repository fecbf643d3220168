"""Suites of one name in two configurations are told apart in every report, and never share a baseline file."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from pytest_nlpeval.reports.formats import formats_of
from tests.support import HALF, RIGHT, command, config_text, make_suite, run_pytest, write
from tests.unit.baselines.repositories import commit, start

Capture = pytest.CaptureFixture[str]
PLACES = ("one/nlpeval.yaml", "two/nlpeval.yaml")


@pytest.fixture(params=[True, False], ids=["repository", "folders"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two configurations with a suite `dev` each, in a repository or without any."""
    top = start(tmp_path / "repo") if request.param else tmp_path
    make_suite(top / "one", runs={"a": RIGHT})
    make_suite(top / "two", runs={"a": HALF})
    if request.param:
        commit(top)
    monkeypatch.chdir(top)
    return top


def report(folder: Path, capfd: Capture, form: str, *paths: str) -> str:
    assert command(capfd, "run", *paths, "--no-cache", "--report", f"{form}:out").code in (0, 1)
    return (folder / "out").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", [form for form in formats_of("run") if form not in ("csv", "json", "changes")])
def test_a_report_for_people_names_them_behind_the_suite(folder: Path, capfd: Capture, form: str) -> None:
    text = report(folder, capfd, form)
    assert "dev (" in text
    assert all(re.search(rf"dev \([^)]*{re.escape(place)}\)", text) for place in PLACES)
    assert "dev (" not in report(folder, capfd, form, "one")


def test_json_and_csv_have_a_field(folder: Path, capfd: Capture) -> None:
    suites = json.loads(report(folder, capfd, "json"))["suites"]
    assert [suite["name"] for suite in suites] == ["dev", "dev"]
    rows = list(csv.DictReader(report(folder, capfd, "csv").splitlines()))
    for configs in ([suite["config"] for suite in suites], list(dict.fromkeys(row["configuration"] for row in rows))):
        assert len(configs) == 2
        assert all(config.endswith(place) for config, place in zip(configs, PLACES, strict=True))
    (alone,) = json.loads(report(folder, capfd, "json", "one"))["suites"]
    assert alone["config"] in ("one/nlpeval.yaml", "nlpeval.yaml"), "relative to the repository, or to its own folder"


def test_systems_stand_behind_the_configuration(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        make_suite(
            start(tmp_path) / name, runs={"a": RIGHT}, config=config_text("accuracy: 0.1", system="{ours: 'system/{doc}.txt'}")
        )
    write(tmp_path, {"two/nlpeval.yaml": config_text("accuracy: 0.1", system="{x: 'system/{doc}.txt', y: 'system/{doc}.txt'}")})
    monkeypatch.chdir(tmp_path)
    assert "dev (two/nlpeval.yaml)/x" in report(tmp_path, capfd, "text")


def test_pytests_table_names_them(pytester: pytest.Pytester) -> None:
    for name in ("one", "two"):
        make_suite(pytester.path / name, runs={"a": RIGHT})
    assert "dev (one/nlpeval.yaml)" in (both := run_pytest(pytester).out)
    assert "dev (two/nlpeval.yaml)" in both
    assert "dev (" not in run_pytest(pytester, "one").out


def test_a_history_names_them(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    top = start(tmp_path)
    for name in ("one", "two"):
        make_suite(top / name, runs={"a": RIGHT})
    commit(top)
    monkeypatch.chdir(top)
    ended = command(capfd, "history", "--no-cache", "--report", "json:h.json", "--report", "csv:h.csv", "--report", "html:h.html")
    assert all(f"dev ({place})" in ended.out for place in PLACES)
    assert all(f"dev ({place})" in (top / "h.html").read_text(encoding="utf-8") for place in PLACES)
    assert [suite["config"] for suite in json.loads((top / "h.json").read_bytes())["suites"]] == list(PLACES)
    assert list(dict.fromkeys(row["configuration"] for row in csv.DictReader((top / "h.csv").read_text().splitlines()))) == list(
        PLACES
    )


@pytest.mark.parametrize("name", ["dev", "other"])
def test_two_folders_as_arguments_never_share_a_baseline_file(folder: Path, capfd: Capture, name: str) -> None:
    text = (folder / "two/nlpeval.yaml").read_text()
    write(folder, {"two/nlpeval.yaml": text.replace("name: dev", f"name: {name}")})
    last = ("--no-cache", "--baseline", "main.json")
    together = command(capfd, "baseline", "update", "one", "two", *last)
    assert (together.code, (folder / "main.json").exists()) == (2, False)
    assert "baseline.shared: " in together.all
    assert "one/nlpeval.yaml" in together.all
    assert command(capfd, "baseline", "update", "one", *last).code == 0
    kept = (folder / "main.json").read_bytes()
    after = command(capfd, "baseline", "update", "two", *last)
    assert (after.code, "baseline.shared: " in after.all) == (2, True)
    assert (folder / "main.json").read_bytes() == kept
