"""docs/first-gate.md and the tutorials are what a newcomer sees in an empty environment: from `pip install` to both verdicts of gates.

These tests install packages from an index; `make first-gate` runs them, and `make test` leaves them out. `tests/test_transcripts.py`
runs the pages in the environment of the tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_transcripts import TUTORIALS, require_transcript, sections_of
from tests.transcripts import Place, stories


def run_from_nothing(story: str, folder: Path, wheel: Path) -> None:
    """Run what a page shows in an environment that it makes itself, and find what the page shows."""
    inside = folder / "folder-of-a-section"
    inside.mkdir()
    every = require_transcript(story, inside, Place.empty(wheel, folder))
    assert [each.command.split()[0] for each in every[:3]] == ["python", ".", "pip"]
    assert [(each.output, each.code) for each in every[:3]] == [("", 0)] * 3


@pytest.mark.parametrize("section", sections_of("docs/first-gate.md"))
def test_from_an_empty_environment_to_both_verdicts(section: str, tmp_path: Path, wheel: Path) -> None:
    run_from_nothing(section, tmp_path, wheel)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_begins_with_an_empty_environment(page: Path, tmp_path: Path, wheel: Path) -> None:
    (story,) = stories(page)
    run_from_nothing(story, tmp_path, wheel)
