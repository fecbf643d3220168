"""What the field's scorers print for transcripts, translations and summaries, where these are at hand: they have a licence of their own."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import score

DATA = Path(os.environ.get("NLPEVAL_TEXTS") or Path(__file__).parents[5] / "shared/data/text")

TRANSLATIONS = ["bleu", "chrf", "chrf++", "ter"]
SUMMARIES = {"measures": ["rouge1", "rouge2", "rougeL", "rougeLsum"], "text": "summary", "profile": "published"}


def runs() -> dict[str, tuple[dict[str, str], Mapping[str, Any]]]:
    """Return the files and options of each run."""
    found: dict[str, tuple[dict[str, str], Mapping[str, Any]]] = {
        "transcripts": ({"gold": "gold.trn", "system": "system.trn"}, {}),
        "transcripts normalised": ({"gold": "gold.trn", "system": "system.trn"}, {"normalise": ["lower", "punctuation"]}),
        "summaries": ({"gold": "gold.jsonl", "system": "system.jsonl"}, SUMMARIES),
    }
    one = {"gold": "gold.txt", "system": "system.txt"}
    for name, files in (("translations", one), ("translations two references", {**one, "gold2": "gold2.txt"})):
        found[name] = files, {"measures": TRANSLATIONS}
        for tokenizer in ("intl", "char"):
            found[f"{name} {tokenizer}"] = files, {"measures": "bleu", "tokenize": tokenizer}
    return found


@pytest.mark.skipif(not DATA.exists(), reason="the texts are not at hand")
@pytest.mark.parametrize("profile", ["standard", "published"])
@pytest.mark.parametrize("name", runs())
def test_figures_are_those_that_the_scorers_give(name: str, profile: str) -> None:
    files, options = runs()[name]
    with (DATA / "expected.tsv").open(encoding="utf-8") as lines:
        expected = {row["measure"]: float(row["value"]) for row in csv.DictReader(lines, delimiter="\t") if row["suite"] == name}
    assert expected
    paths: dict[str, Any] = {role: DATA / file for role, file in files.items()}
    result = score("text", options={"profile": profile, **options}, **paths)
    for measure, value in expected.items():
        assert result[measure] == pytest.approx(value, abs=1e-12), measure
