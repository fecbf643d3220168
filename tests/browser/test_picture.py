"""The pictures in the docs show what the pages show now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.picture import DIGESTS, FOLDER, PAGES, PICTURES, TUTORIALS, digests_of

MOST_BYTES = 2_500_000
"""Of all pictures together."""


@pytest.mark.parametrize("name", PAGES)
def test_the_pictures_of_a_page_in_the_docs_are_current(tmp_path: Path, name: str) -> None:
    words = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert PAGES[name].words(PAGES[name].make(tmp_path / name)) == words, "run `python -m tests.browser.picture`"


def test_all_pictures_are_small_and_shown() -> None:
    paths = [FOLDER / f"{name}.png" for name in PICTURES]
    assert sorted(FOLDER.glob("*.png")) == sorted(paths)
    assert sorted(FOLDER.glob("*.txt")) == sorted(FOLDER / f"{name}.txt" for name in (*PAGES, *TUTORIALS))
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
    assert sum(path.stat().st_size for path in paths) < MOST_BYTES
    pages = "".join(page.read_text(encoding="utf-8") for page in FOLDER.parent.glob("*.md"))
    assert [path.name for path in paths if f"pictures/{path.name}" not in pages] == []


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_shows_its_own_report_behind_the_command_that_writes_it(name: str) -> None:
    page = (FOLDER.parent / f"{name}.md").read_text(encoding="utf-8")
    writing, picture = "--report html:report.html", f"](pictures/{name}.png)"
    assert (page.count(writing), page.count(picture)) == (1, 1)
    assert page.index(writing) < page.index(picture)


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_picture_of_a_tutorial_was_taken_of_its_story(name: str) -> None:
    """A command, a file or an output that changed, or words of the report, without a picture taken anew; runs nothing.

    What the report says of the story is looked at where the story runs (`tests/test_transcripts.py`), its style by the other pictures.
    """
    stored = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert set(stored) == set(TUTORIALS)
    assert digests_of(name) == stored[name], f"run `python -m tests.browser.picture {name}`"
