"""The page on rte leaves out no sentence of the instructions that asks for something; tests/test_sources.py checks its table."""

from __future__ import annotations

import html
import re

import pytest

from tests.test_sources import PLACES, QUOTED, SEEDS, plain, rows

TITLE = "Recognising Textual Entailment Challenge Instructions"
NO_PART = (
    "The goal of the development set is to guide",
    "Notice that since the given task has an unsupervised nature",
    "Rather it is assumed that systems will be using generic techniques",
    "Systems should be developed based on the development data set",
    "We regard it as acceptable to run automatic knowledge acquisition methods",
    "If absolutely necessary, we ask that participants report any other changes",
)
"""Beginnings of sentences about how systems are made, which ask nothing of whoever scores."""


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the documents are not at hand")
def test_no_sentence_on_formats_submissions_and_measures_is_left_out() -> None:
    (text,) = (text for path in SEEDS.glob("*.txt") if TITLE in (text := path.read_text(encoding="utf-8")))
    text = html.unescape(plain(re.sub(r"</?\w[^>]*>", "", text)))
    part = text[text.index("Both Development and Test sets") : text.index("Final Notes")]
    said = [plain(quote).removesuffix(".") for row in rows("rte", PLACES) for quote in QUOTED.findall(row[1])]
    sentences = re.split(r"(?<=[.;]) (?=[A-Z])", part)
    assert len(sentences) > 30
    assert [one for one in sentences if not any(quote in one for quote in said) and not one.startswith(NO_PART)] == []
