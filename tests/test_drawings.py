"""The pictures of the explanations are what `tests.drawings` draws from the code on their pages, and say what the pages say."""

from __future__ import annotations

import re

import pytest

from tests.drawings import DRAWINGS, EXACT, FOLDER, RESAMPLING


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_picture_is_of_the_code_on_its_page(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == DRAWINGS[name](), "run `python -m tests.drawings`"


def test_the_pictures_have_the_figures_of_the_pages() -> None:
    said = {name: " ".join(re.findall(r"<text[^>]*>([^<]*)<", (FOLDER / name).read_text(encoding="utf-8"))) for name in DRAWINGS}
    assert "4 / 6 = 0.667" in said["evidence.svg"]
    assert "from 0.725 to 0.950" in said["bootstrap.svg"]
    assert f"{28 + 8 + 1} of {2**8} ways" in said["exchange.svg"]


@pytest.mark.parametrize("name", DRAWINGS)
def test_each_picture_stands_on_a_page(name: str) -> None:
    assert f"](pictures/{name})" in "".join(page.read_text(encoding="utf-8") for page in (EXACT, RESAMPLING))
