"""The figures of the worked example on the task's page are those that its case has, and are worked out there as the page says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, score
from tests.tasks.test_cases import value_of

ROOT = Path(__file__).parents[4]
CASE = ROOT / "tests/tasks/coref/valid/worked-example"
CASE_OF_ZEROS = CASE.parent / "worked-zeros"
PAGE = (ROOT / "docs/coref.md").read_text(encoding="utf-8").partition("## Worked example")[2].partition("## ")[0]
ROWS = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| `")]


def figures_of(text: str) -> dict[str, Fraction]:
    """Return the figures of a row: those that are named `P`, `R` and `F`, or the last one for all of them.

    The last figure of a chain `formula = figure` is what the formula comes to.
    """
    found: dict[str, Fraction] = {}
    for name, formula in re.findall(r"\b((?:P = R|[PRF]))(?: =)? ([0-9(][0-9+·/() =]*[0-9)])", text):
        values = {value_of(part.replace("·", "*")) for part in formula.split(" = ")}
        assert len(values) == 1, formula
        found |= dict.fromkeys("PRF" if name == "P = R" else name, values.pop())
    if not found:
        (*_, last) = re.findall(r"[0-9(][0-9+·/() =]*[0-9)]", text)
        values = {value_of(part.replace("·", "*")) for part in last.split(" = ")}
        assert len(values) == 1, last
        found = dict.fromkeys("PRF", values.pop())
    return found


def test_every_measure_has_a_row() -> None:
    named = {
        name for name in score("coref", gold=CASE / "gold.conll", system=CASE / "system.conll").scores if name.endswith(".f1")
    }
    assert {f"{name.removesuffix('.f1')}.f1" for name, _ in ROWS} == named


@pytest.mark.parametrize(("name", "text"), ROWS)
def test_the_page_says_what_the_case_has(name: str, text: str) -> None:
    result = score("coref", gold=CASE / "gold.conll", system=CASE / "system.conll")
    if name == "zeros":
        assert result.scores["zeros.f1"].value is None
        assert "no value" in text
        return
    _check(name, text, result)


def test_the_page_says_what_the_case_of_zeros_has() -> None:
    (text,) = re.findall(r"`zeros` has (.*)\.", PAGE)
    _check("zeros", text, score("coref", gold=CASE_OF_ZEROS / "gold.conllu", system=CASE_OF_ZEROS / "system.conllu"))


def _check(name: str, text: str, result: SuiteResult) -> None:
    figures = figures_of(text)
    for figure, letter in (("precision", "P"), ("recall", "R"), ("f1", "F")):
        measure = name if name.endswith(".f1") else f"{name}.{figure}"
        assert result[measure] == pytest.approx(float(figures[letter]), abs=1e-12) if letter in figures else letter == "F", (
            measure
        )
