"""The figures of the worked examples on the task's page are those that their cases have."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pytest_nlpeval import score

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/ud.md").read_text(encoding="utf-8").partition("## Worked example")[2].partition("## ")[0]
CASES = ROOT / "tests/tasks/ud/valid"
TABLES = [
    [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    for part in PAGE.split("\n\n")
    if part.startswith("|")
]


@pytest.mark.parametrize(("table", "case"), [*zip(TABLES, ["worked-example", "worked-edges"], strict=True)])
def test_the_table_says_what_the_case_has(table: list[list[str]], case: str) -> None:
    """Each figure is the one of the measure, and follows from the row's counts."""
    result = score("ud", gold=CASES / case / "gold.conllu", system=CASES / case / "system.conllu")
    head, _, *rows = table
    for names, *cells in rows:
        row = dict(zip(head[1:], cells, strict=True))
        gold, system, correct = (int(row[name]) for name in ("gold", "system", "correct"))
        expected = {"precision": (correct, system), "recall": (correct, gold), "f1": (2 * correct, gold + system)}
        if row.get("aligned"):
            expected["aligned accuracy"] = correct, int(row["aligned"])
        for figure, (above, below) in expected.items():
            assert Fraction(row[figure]) == Fraction(above, below)
            for name in names.split(", "):
                assert result[f"{name}.{figure.replace(' ', '_')}"] == pytest.approx(above / below, abs=1e-12), name
