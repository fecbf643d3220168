"""What the scorers of the field print for receipts, dialogue states, relations and tool calls, where the data are at hand."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import score

DATA = Path(os.environ.get("NLPEVAL_RECORDS") or Path(__file__).parents[5] / "shared/data/records")

FACT = ["relations.head", "relations.tail", "relations.type"]
TYPED = [*FACT, "relations.head_type", "relations.tail_type"]
SLOTS = ["hotel-area", "hotel-stars", "hotel-name", "train-day", "train-leaveat", "train-destination"]
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "receipts": {"record": "receipt"},
    "states": {"record": "state", "nothing": ["none"], "fields": [*SLOTS, "restaurant-food", "restaurant-area"]},
    "relations": {
        "compare": {"relations": "set", "relations.head": "whole", "relations.tail": "whole"},
        "views": {
            "boundaries": {"fields": FACT, "by": "relations.type"},
            "strict": {"fields": TYPED, "by": "relations.type"},
        },
    },
    "calls": {
        "record": {"gold": "calls", "system": "output"},
        "parse": "fenced",
        "normalise": ["lower", "punctuation"],
        "compare": {"item.arguments": "map", "item.arguments.*": "any"},
        "text": "question",
    },
}


@pytest.mark.skipif(not DATA.exists(), reason="the data are not at hand")
@pytest.mark.parametrize("name", OPTIONS)
def test_figures_of_the_scorers(name: str) -> None:
    """All but BFCL's: it checks the functions' documents besides."""
    with (DATA / "expected.tsv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["files"] == name and row["scorer"] != "bfcl"]
    assert rows
    files: dict[str, Any] = {role: DATA / f"{name}-{role}.jsonl" for role in ("gold", "system")}
    for row in rows:
        profile = {"profile": "donut"} if row["scorer"] == "donut" else {}
        result = score("records", options={**OPTIONS[name], **profile}, **files)
        assert result[row["measure"]] == pytest.approx(float(row["value"]), abs=1e-12), row
