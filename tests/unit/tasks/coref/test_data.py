"""Real documents with the figures of the field's scorers, where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import score

FOLDER = Path(os.environ.get("NLPEVAL_COREF") or Path(__file__).parents[5] / "shared/data/coref")
EXPECTED: dict[str, dict[str, float]] = (
    json.loads((FOLDER / "expected.json").read_text(encoding="utf-8")) if (FOLDER / "expected.json").exists() else {}
)


@pytest.mark.skipif(not EXPECTED, reason="the documents are not at hand")
def test_there_are_figures_of_three_scorers() -> None:
    assert len(EXPECTED) == 15


@pytest.mark.parametrize("key", EXPECTED)
@pytest.mark.parametrize("profile", ["standard", "corefud-1.2"])
def test_figures_of_the_scorers(key: str, profile: str) -> None:
    """On these files both profiles give the same figures; where a scorer says 0 for 0 of 0 there is no value."""
    files, _, chosen = key.split(";")
    gold, system = files.split()
    options: dict[str, Any] = dict(part.strip().split(": ") for part in chosen.split(",") if part.strip())
    if gold.endswith(".conllu"):
        options["profile"] = profile
    elif profile != "standard":
        pytest.skip("the profile is about CorefUD")
    result = score("coref", options=options, gold=FOLDER / gold, system=FOLDER / system)
    assert result.outcome == "ok"
    for measure, value in EXPECTED[key].items():
        found = result.scores[measure].value
        assert found == pytest.approx(value, abs=1e-11) if found is not None else value == 0, measure
