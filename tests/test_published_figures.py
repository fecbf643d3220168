"""docs/tutorial-shared-task.md prints the published figures that it cites. tests/test_transcripts.py checks that programs print them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from tests.test_contract import ROOT

PAGE = (ROOT / "docs/tutorial-shared-task.md").read_text(encoding="utf-8")


def rows_of(section: str) -> list[list[str]]:
    """Return the cells of a section's table, without its head."""
    (text,) = re.findall(rf"^## \d\. {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


NEWSREADER = rows_of("The table that a scorer's author published")
CONLL = {row[0]: row[1:] for row in rows_of("Figures whose input is published, too")}


def test_both_tables_are_read() -> None:
    assert (len(NEWSREADER), len(CONLL)) == (5, 7)


@pytest.mark.parametrize("row", NEWSREADER, ids=lambda row: str(row[0]))
def test_the_native_table_has_a_published_row_in_three_decimals(row: list[str]) -> None:
    name, *figures = filter(None, row)
    (printed,) = re.findall(rf"^{re.escape(name)}(?:\t[\t\w]*)?\n\t(.*)$", PAGE, re.MULTILINE)
    counts, ratios = figures[:3], figures[3:]
    assert printed.split("\t") == counts + [str(round(float(ratio), 3)) for ratio in ratios]


@pytest.mark.parametrize("row", NEWSREADER, ids=lambda row: str(row[0]))
def test_the_published_ratios_are_those_of_their_counts(row: list[str]) -> None:
    tp, fp, fn = (Fraction(count) for count in row[1:4])
    ratios = tp / (tp + fn), tp / (tp + fp), 2 * tp / (2 * tp + fn + fp)
    assert [float(cell) for cell in row[4:7]] == pytest.approx([float(ratio) for ratio in ratios], abs=1e-12)


def quotient(cell: str) -> Fraction:
    """Return the value of a cell such as 2.2/3."""
    above, _, below = cell.partition("/")
    return Fraction(above) / Fraction(below or "1")


def printed_scores(measure: str) -> dict[str, str]:
    """Return what the page's last command prints of a measure."""
    return dict(re.findall(rf"^{measure}\.(precision|recall|f1) +(\d\.\d+)$", PAGE, re.MULTILINE))


@pytest.mark.parametrize(
    ("measure", "name"),
    [("muc", "MUC"), ("bcub", "B-cubed"), ("ceafm", "CEAF of mentions"), ("ceafe", "CEAF of entities")],
)
def test_the_scores_are_those_of_the_case(measure: str, name: str) -> None:
    recall, precision, f1 = CONLL[name]
    scores = printed_scores(measure)
    assert (scores["recall"], scores["precision"]) == (f"{float(quotient(recall)):.4f}", f"{float(quotient(precision)):.4f}")
    digits = len(f1.partition(".")[2])
    assert round(2 * quotient(recall) * quotient(precision) / (quotient(recall) + quotient(precision)), digits) == Fraction(f1)
    assert round(Fraction(scores["f1"]), min(digits, 4)) == round(Fraction(f1), 4)


def test_blanc_is_the_mean_of_both_kinds_of_links() -> None:
    within, between = ([quotient(cell) for cell in CONLL[f"BLANC, links {kind} entities"][:2]] for kind in ("within", "between"))
    means = [float(sum(pair) / 2) for pair in zip(within, between, strict=True)]
    f1 = float(sum(2 * r * p / (r + p) for r, p in (within, between)) / 2)
    scores = printed_scores("blanc")
    assert [scores["recall"], scores["precision"], scores["f1"]] == [f"{value:.4f}" for value in (*means, f1)]
    assert f"{f1:.2f}" == CONLL["BLANC"][2]
