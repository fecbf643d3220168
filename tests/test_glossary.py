"""docs/glossary.md gives each notion one word, and no page says another one for it; what it uses as names exists."""

from __future__ import annotations

import re

import pytest

from pytest_nlpeval.guards import CONDITIONS
from tests.transcripts import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
"""The pages for those who use the program, and how to work on it. Pages for developers quote what others wrote in their own words."""

GLOSSARY = ROOT / "docs/glossary.md"
ROWS = re.findall(r"^\| (\*\*.*?) \| (.*?) \|(.*)\|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)


def prose(page: str) -> str:
    """Return a page without code, addresses and what the programs print."""
    without_blocks = re.sub(r"^```.*?^```$|^ {4,}\S[^\n]*$", "", page, flags=re.MULTILINE | re.DOTALL)
    return " ".join(re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", without_blocks).split())


def words(row: tuple[str, str, str]) -> list[str]:
    """Return the words of a row for notions."""
    return re.findall(r"\*\*(.+?)\*\*", row[0])


def others(row: tuple[str, str, str]) -> list[str]:
    """Return what a row says is another word."""
    return [other.strip() for other in row[2].split(",") if other.strip()]


OTHERS = [(other, words(row)[0]) for row in ROWS for other in others(row)]


def test_the_words_stand_in_order_and_once() -> None:
    names = [word for row in ROWS for word in words(row)[:1]]
    assert names == sorted(set(names))
    assert {"suite", "case", "unit", "item", "evidence", "measure", "gate", "baseline"} <= set(names)
    assert not {other for other, _ in OTHERS} & set(names)


@pytest.mark.parametrize(("other", "word"), OTHERS, ids=[other for other, _ in OTHERS])
def test_no_page_says_another_word(other: str, word: str) -> None:
    pages = [page for page in PAGES if page != GLOSSARY]
    saying = [
        page.name
        for page in pages
        if re.search(rf"\b{re.escape(other)}s?\b", prose(page.read_text(encoding="utf-8")), re.IGNORECASE)
    ]
    assert saying == [], f"say {word}"


def test_prose_is_neither_code_nor_an_address() -> None:
    page = "A `slice` of [it](delta.md)\n\n```text\nslice\n```\n\n    $ slice\n\nends.\n"
    assert prose(page) == "A of [it ends."


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_page_on_conditions_and_the_reference_name_every_condition(condition: str) -> None:
    reference = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("configuration.md", "regressions.md"))
    assert re.search(rf"`{condition}\b", reference)
