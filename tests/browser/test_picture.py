"""The picture in the docs shows what the page shows now."""

from __future__ import annotations

from pathlib import Path

from tests.browser.picture import PICTURE, WORDS, page, words


def test_the_picture_in_the_docs_is_current(tmp_path: Path) -> None:
    assert words(page(tmp_path / "repository")) == WORDS.read_text(encoding="utf-8"), "run `python -m tests.browser.picture`"
    assert PICTURE.read_bytes().startswith(b"\x89PNG")
    assert PICTURE.stat().st_size < 150_000
