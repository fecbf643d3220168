"""`nlpeval run --since`: the commit at which the measure that failed most fell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import html

from tests.support import command, make_suite, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.run.outputs import GOLD, run_wrong_on

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of 16 pairs whose output became wrong on half of them in the third of four commits."""
    monkeypatch.chdir(tmp_path)
    make_suite(start(tmp_path), "accuracy: 0.9", golds={"a": GOLD}, runs={"a": run_wrong_on({1})})
    commit(tmp_path, "First model")
    for message, wrong in {"Faster": {1, 2}, "Prune the model": range(1, 9), "Prune less": range(1, 8)}.items():
        write(tmp_path, {"system/a.txt": run_wrong_on(wrong)})
        commit(tmp_path, message)
    return tmp_path


def test_the_commit_of_the_last_fall_is_named(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "run", "--since", "HEAD~3", "--report", "json:r.json")
    assert ended.code == 1
    since = json.loads((folder / "r.json").read_text())["suites"][0]["since"]
    assert (since["subject"], since["author"], since["measure"]) == ("Prune the model", "A", "accuracy")
    assert (since["before"], since["value"]) == (14 / 16, 8 / 16)
    assert [(point["subject"], point["value"]) for point in since["points"]] == [
        ("First model", 15 / 16),
        ("Faster", 14 / 16),
        ("Prune the model", 8 / 16),
        ("Prune less", 9 / 16),
    ]
    assert f"since     accuracy went from 0.875 to 0.500 at {since['commit'][:7]} Prune the model, A, 14 Nov 2023" in ended.out


def test_the_page_draws_the_measure_over_the_commits(folder: Path, capfd: Capture) -> None:
    """The limit of 0.9 is a line; between 0.5, the lowest, and 0.9375, the highest, there is a tenth more room on either side."""
    command(capfd, "run", "--since", "HEAD~3", "--report", "html:r.html")
    (figure,) = html.parse(folder / "r.html").xpath("//section[@id='dev']//figure[@class='past']")
    (again,) = html.parse(folder / "r.html").xpath("//footer//dt[.='again']/following-sibling::dd[1]")
    assert again.text_content().endswith("--since 'HEAD~3' --report html:report.html")
    (svg,) = figure.xpath(".//svg")
    assert svg.get("aria-label") == "accuracy over 4 commits: 0.938, 0.875, 0.500, 0.562"
    heights = [float(point.get("cy")) for point in svg.xpath(".//circle")]
    low, high = 0.5 - 0.04375, 0.9375 + 0.04375
    assert heights == pytest.approx(
        [8 + 44 * (high - value) / (high - low) for value in (15 / 16, 14 / 16, 8 / 16, 9 / 16)], abs=0.06
    )
    assert svg.xpath("count(.//*[@class='fall']/preceding-sibling::circle)") == 2
    (limit,) = svg.xpath(".//path[@class='li']")
    assert limit.get("d").split()[1].startswith(f"{8 + 44 * (high - 0.9) / (high - low):.1f}")
    rows = [[cell.text_content().strip() for cell in row] for row in figure.xpath(".//tbody/tr")]
    assert [row[-1] for row in rows] == ["0.938", "0.875", "0.500 ✗ fell", "0.562"]
    assert rows[2][:2] == [f"{rows[2][0][:7]} Prune the model", "14 Nov 2023"]


def test_a_fall_before_the_revision_is_not_looked_for(folder: Path, capfd: Capture) -> None:
    command(capfd, "run", "--since", "HEAD~1", "--report", "json:r.json")
    assert "since" not in json.loads((folder / "r.json").read_text())["suites"][0]


def test_files_that_are_not_committed_are_told(folder: Path, capfd: Capture) -> None:
    write(folder, {"system/a.txt": run_wrong_on(range(1, 17))})
    ended = command(capfd, "run", "--since", "HEAD~3", "--report", "json:r.json")
    since = json.loads((folder / "r.json").read_text())["suites"][0]["since"]
    points = since.pop("points")
    assert since == {"measure": "accuracy", "before": 9 / 16, "value": 0.0}
    assert (len(points), points[-1]) == (5, {"value": 0.0})
    assert "accuracy went from 0.562 to 0.000 in files that are not committed" in ended.out


def test_an_unknown_revision_is_a_usage_error(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "run", "--since", "nowhere")
    assert (ended.code, "there is no commit nowhere in this repository" in ended.err) == (2, True)


def test_a_run_that_passes_looks_at_no_commit(folder: Path, capfd: Capture) -> None:
    write(folder, {"system/a.txt": run_wrong_on({1})})
    assert command(capfd, "run", "--since", "nowhere").code == 0
