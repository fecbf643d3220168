"""`--suite` of every command: what is chosen, what is not, and that a part is never taken for the whole."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pytest_nlpeval.reports.formats import formats_of
from tests.support import HALF, RIGHT, command, config_text, gold_xml, write
from tests.unit.baselines.repositories import commit, start

Capture = pytest.CaptureFixture[str]

CONFIG = (
    config_text("accuracy: 0.9", name="dev", system="{ours: a.txt, old: b.txt}", gold="gold.xml")
    + config_text("accuracy: 0.9", name="web", system="b.txt", gold="gold.xml").partition("suites:\n")[2]
    + config_text("accuracy: 0.9", name="news+web", system="a.txt", gold="gold.xml").partition("suites:\n")[2]
)
ALONE = "the run is of chosen suites alone"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the suites dev/ours (passes), dev/old (fails), web (fails) and news+web (passes)."""
    top = write(start(tmp_path), {"nlpeval.yaml": CONFIG, "gold.xml": gold_xml(), "a.txt": RIGHT, "b.txt": HALF})
    commit(top)
    monkeypatch.chdir(top)
    return top


def names(folder: Path) -> list[str]:
    return [suite["name"] for suite in json.loads((folder / "r.json").read_bytes())["suites"]]


@pytest.mark.parametrize(
    ("chosen", "expected", "code"),
    [
        (["dev"], ["dev/ours", "dev/old"], 1),
        (["dev/ours"], ["dev/ours"], 0),
        (["dev/*"], ["dev/ours", "dev/old"], 1),
        (["*web"], ["web", "news+web"], 1),
        (["news+web"], ["news+web"], 0),
        (["web", "dev/ours"], ["dev/ours", "web"], 1),
        (["dev", "dev/ours"], ["dev/ours", "dev/old"], 1),
        (["*"], ["dev/ours", "dev/old", "web", "news+web"], 1),
        ([], ["dev/ours", "dev/old", "web", "news+web"], 1),
    ],
)
def test_run_judges_the_chosen_suites_in_their_order(
    folder: Path, capfd: Capture, chosen: list[str], expected: list[str], code: int
) -> None:
    ended = command(capfd, "run", "--no-cache", "--report", "json:r.json", *(f"--suite={name}" for name in chosen))
    assert ended.code == code
    assert names(folder) == expected
    assert (ALONE in ended.out) == bool(chosen)


@pytest.mark.parametrize(
    "arguments", [("run",), ("validate",), ("history",), ("baseline", "update"), ("baseline", "show"), ("compare",)]
)
def test_a_name_that_no_suite_has_is_an_error_with_the_nearest(folder: Path, capfd: Capture, arguments: tuple[str, ...]) -> None:
    ended = command(capfd, *arguments, "--suite", "dev/ours", "--suite", "deb/ours", "--suite", "x[*]")
    assert (ended.code, ended.out) == (2, "")
    assert 'there is no suite "deb/ours"; did you mean "dev/ours"' in ended.err
    assert 'there is no suite "x[*]"; ' in ended.err, "all mistakes at once; a bracket is a character like others"


@pytest.mark.parametrize("form", formats_of("run"))
def test_every_report_says_that_the_run_is_of_a_part(folder: Path, capfd: Capture, form: str) -> None:
    assert command(capfd, "run", "--no-cache", "--suite", "dev/ours", "--report", f"{form}:report").code == 0
    assert ALONE in (folder / "report").read_text(encoding="utf-8")
    assert command(capfd, "run", "--no-cache", "--report", f"{form}:report").code == 1
    assert ALONE not in (folder / "report").read_text(encoding="utf-8")


def test_validate_and_history_look_at_the_chosen_suites(folder: Path, capfd: Capture) -> None:
    write(folder, {"b.txt": "1 MAYBE\n"})
    assert command(capfd, "validate").code == 1
    ended = command(capfd, "validate", "--suite", "dev/ours")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "1 document checked, 0 with errors")
    assert ALONE in ended.out
    assert command(capfd, "validate", "--task", "rte", "--suite", "x", "a.txt").code == 2
    assert command(capfd, "history", "--no-cache", "--suite", "web", "--report", "csv:h.csv").code == 0
    assert {row["suite"] for row in csv.DictReader((folder / "h.csv").read_text().splitlines())} == {"web"}


def test_an_update_of_some_suites_keeps_the_others(folder: Path, capfd: Capture) -> None:
    assert command(capfd, "baseline", "update", "--no-cache", "--baseline", "main.json").code == 0
    before = json.loads((folder / "main.json").read_bytes())["suites"]
    write(folder, {"a.txt": HALF, "b.txt": RIGHT})
    ended = command(capfd, "baseline", "update", "--no-cache", "--baseline", "main.json", "--suite", "web")
    assert ended.code == 0
    assert ended.out.splitlines()[0].startswith("web: accuracy 0.5")
    assert "dropped" not in ended.out
    after = json.loads((folder / "main.json").read_bytes())["suites"]
    assert list(after) == list(before)
    assert {name for name in after if after[name] != before[name]} == {"web"}


def test_a_part_is_never_saved_as_a_run(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "run", "--no-cache", "--suite", "dev/ours", "--save-baseline", "main.json")
    assert ended.code == 2
    assert "main.json would have the suites dev/ours alone" in ended.all
    assert not (folder / "main.json").exists()


def test_what_is_stored_is_shown_in_brief_and_by_suite_and_measure(folder: Path, capfd: Capture) -> None:
    command(capfd, "baseline", "update", "--no-cache", "--baseline", "main.json")

    def shown(*arguments: str) -> list[str]:
        ended = command(capfd, "baseline", "show", "--baseline", "main.json", *arguments)
        assert ended.code == 0, ended.all
        return ended.out.splitlines()

    head, accuracy, more = shown("--suite", "web")
    assert (head, accuracy) == ("web: 1 document, 4 units in main.json", "  accuracy 0.5000")
    every = shown("--suite", "web", "--measure", "*")
    assert more == f"  … and {len(every) - 2} more measures: --measure '*' shows all"
    assert shown("--suite", "web", "--measure", "cov*") == [head, "  coverage 1.0000"]
    assert len(shown()) == 4 * 3
    ended = command(capfd, "baseline", "show", "--baseline", "main.json", "--measure", "accurcy")
    assert (ended.code, 'no suite here has a measure "accurcy"; did you mean "accuracy"' in ended.err) == (2, True)
    assert command(capfd, "baseline", "update", "--baseline", "main.json", "--measure", "accuracy").code == 2


@pytest.mark.parametrize("chosen", ["dev", "d*v", "dev/*"])
def test_compare_takes_the_suite_by_option_too(folder: Path, capfd: Capture, chosen: str) -> None:
    usual = command(capfd, "compare", "dev", "old", "ours", "--no-cache")
    assert usual.code == 0
    assert command(capfd, "compare", "--suite", chosen, "old", "ours", "--no-cache").out == usual.out


def test_compare_takes_one_suite(folder: Path, capfd: Capture) -> None:
    assert command(capfd, "compare", "--suite", "dev/old", "ours", "--no-cache").code == 0
    several = command(capfd, "compare", "--suite", "*web")
    assert (several.code, "compare takes one suite; --suite chose web, news+web" in several.err) == (2, True)
    none = command(capfd, "compare")
    assert (none.code, "name the suite to compare: dev, web, news+web" in none.err) == (2, True)
