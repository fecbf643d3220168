"""The pages that are transcripts, whole or in a section, show what the programs print, run in the environment of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.browser.picture import FOLDER, written_page
from tests.browser.picture import TUTORIALS as TUTORIAL_PAGES
from tests.transcripts import ROOT, Place, Ran, commands_of, is_runnable, laid_out, ran, sections, shown, stories


def sections_of(page: str) -> list[Any]:
    """The sections of a page that have commands, each under its title."""
    every = sections((ROOT / page).read_text(encoding="utf-8"))
    return [pytest.param(section, id=section.partition("\n")[0].strip("# ")) for section in every if commands_of(section)]


def require_both_verdicts(every: Sequence[Ran]) -> None:
    """A gate fails and a gate passes, by the exit codes of the commands that judge; all others end well."""
    judging = ("pytest", "nlpeval run")
    assert {each.code for each in every if each.command.startswith(judging)} == {0, 1}
    assert {each.code for each in every if not each.command.startswith(judging)} == {0}


def require_transcript(text: str, folder: Path, place: Place | None = None) -> list[Ran]:
    """The commands of a text print what it shows, and judge both ways; return what each printed, by default in this environment."""
    place = place or Place.here()
    every = ran(text, folder, place)
    require_both_verdicts(every)
    assert shown(text, every, place) == text
    return every


@pytest.mark.parametrize("section", sections_of("docs/first-gate.md"))
def test_the_first_gate_is_what_the_programs_print(section: str, tmp_path: Path) -> None:
    assert len(commands_of(section)) < 10
    if not is_runnable(section):
        pytest.skip("scikit-learn is not installed")
    require_transcript(section, tmp_path)


@pytest.mark.parametrize("section", sections_of("docs/groups.md"))
def test_a_group_that_falls_is_what_the_programs_print(section: str, tmp_path: Path) -> None:
    require_transcript(section, tmp_path)


TUTORIALS = sorted((ROOT / "docs").glob("tutorial-*.md"))


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_is_what_the_programs_print(page: Path, tmp_path: Path) -> None:
    """From its first line to its last, in one folder; its picture is of the page that it writes."""
    (story,) = stories(page)
    if not is_runnable(story):
        pytest.skip("scikit-learn is not installed")
    require_transcript(story, tmp_path)
    words = (FOLDER / f"{page.stem}.txt").read_text(encoding="utf-8")
    assert TUTORIAL_PAGES[page.stem].words(written_page(tmp_path)) == words, "run `python -m tests.browser.picture`"


MISTAKES = sections_of("docs/troubleshooting.md")


def test_there_are_ten_mistakes() -> None:
    assert len(MISTAKES) == 10


@pytest.mark.parametrize("section", MISTAKES)
def test_a_mistake_is_told_with_what_mends_it(section: str, tmp_path: Path) -> None:
    """What shows the mistake fails, or warns; what the message says mends it, and the last command ends well and without a word of it."""
    place = Place.here()
    every = ran(section, tmp_path, place)
    assert shown(section, every, place) == section
    told = [each for each in every if each.code or "[warning]" in each.output]
    assert len(told) == 1, told
    assert every[-1].code == 0


EXAMPLES = ("text", "ranking", "scores")
"""The examples whose pages go from failing gates to passing ones: a suite of each kind of user."""


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_suite_of_an_example_goes_from_a_failing_gate_to_a_passing_one(example: str, tmp_path: Path) -> None:
    page = ROOT / "examples" / example / "README.md"
    (section,) = (section for section in sections(page.read_text(encoding="utf-8")) if commands_of(section))
    laid_out(page, tmp_path)
    place = Place.here()
    every = ran(section, tmp_path, place)
    assert shown(section, every, place) == section
    judged = [each for each in every if each.command.startswith("nlpeval run")]
    assert {each.code for each in every if each not in judged} == {0}
    assert [each.code for each in judged] == [1, 0, 1, 0]
    assert [each.command for each in judged[::2]] == [each.command for each in judged[1::2]]
    bases = {suite["name"] for suite in yaml.safe_load((page.parent / "nlpeval.yaml").read_text())["suites"]}
    assert {each.command.partition("--suite ")[2].partition("/")[0] for each in judged} == bases
