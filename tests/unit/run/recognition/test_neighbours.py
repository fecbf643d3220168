"""The samples of files by which they are recognised."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval.formats.samples import HEAD
from pytest_nlpeval.run.recognition.neighbours import sample_of


@pytest.mark.parametrize(("most", "is_sampled"), [(3, True), (2, False)])
def test_a_document_of_too_many_lists_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, is_sampled: bool
) -> None:
    """A document of JSON is read whole to be recognised, if it would be to be scored; it has three lists here."""
    monkeypatch.setattr("pytest_nlpeval.files.MOST_PARTS", most)
    (tmp_path / "a.json").write_text("[[\n" + " " * HEAD + "[]]]")
    assert (sample_of("a.json", "", tmp_path) is not None) == is_sampled
