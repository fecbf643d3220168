"""The pictures in the docs show what the pages show now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.picture import FOLDER, PICTURES


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_in_the_docs_is_current(tmp_path: Path, name: str) -> None:
    picture, path = PICTURES[name], FOLDER / f"{name}.png"
    words = path.with_suffix(".txt").read_text(encoding="utf-8")
    assert picture.words(picture.page(tmp_path / name)) == words, "run `python -m tests.browser.picture`"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size < 150_000
    assert any(f"pictures/{name}.png" in page.read_text(encoding="utf-8") for page in FOLDER.parent.glob("*.md"))
