"""The table of the worked example on the task's page has every measure, with the figure that its case has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_nlpeval import score
from tests.tasks.test_cases import value_of

ROOT = Path(__file__).parents[4]
CASE = ROOT / "tests/tasks/records/valid/worked-measures"
PAGE = (ROOT / "docs/records.md").read_text(encoding="utf-8").partition("## Worked example")[2].partition("## ")[0]
ROWS = dict([cell.strip(" `") for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| `"))
OTHERS = (
    "field.items.name.",
    "field.items.price.",
    "field.total.",
    "field.vendor.",
    "lines.by.bran.",
    "lines.by.sack.",
    "group.",
)
"""The beginnings of what is measured like what has rows."""


def test_the_table_has_every_measure_with_the_figure_of_the_case() -> None:
    options: dict[str, Any] = yaml.safe_load((CASE / "expected.yaml").read_text(encoding="utf-8"))["options"]
    result = score(
        "records", gold=CASE / "gold.jsonl", system=CASE / "system.jsonl", schema=CASE / "schema.json", options=options
    )
    assert {name for name in result.scores if not name.startswith(OTHERS)} == {
        name for name in ROWS if not name.startswith("group.")
    }
    for name, formula in ROWS.items():
        assert result[name] == pytest.approx(float(value_of(formula.replace("·", "*"))), abs=1e-12), name
