"""docs/first-gate.md is what a newcomer sees in an empty environment: from `pip install` to a gate that fails and one that passes.

These tests install packages from an index; `make first-gate` runs them, and `make test` leaves them out. `tests/test_transcripts.py`
runs the page in the environment of the tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_transcripts import require_both_verdicts, sections_of
from tests.transcripts import Place, ran, shown


@pytest.mark.parametrize("section", sections_of("first-gate.md"))
def test_from_an_empty_environment_to_both_verdicts(section: str, tmp_path: Path, wheel: Path) -> None:
    folder = tmp_path / "folder-of-a-section"
    folder.mkdir()
    place = Place.empty(wheel, tmp_path)
    every = ran(section, folder, place)
    assert [each.command.split()[0] for each in every[:3]] == ["python", ".", "pip"]
    assert [(each.output, each.code) for each in every[:3]] == [("", 0)] * 3
    require_both_verdicts(every)
    assert shown(section, every, place) == section
