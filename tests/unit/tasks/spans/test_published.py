"""What conlleval, seqeval and nervaluate print for sentences of WNUT-17, which are not part of the repository."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, score

ROOT = Path(__file__).parents[4]
FOLDER = Path(os.environ.get("NLPEVAL_WNUT17") or ROOT / "../shared/data/spans")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no copy of the WNUT-17 sentences")

GREEDY = {("spinningbytes", f"semeval.type.{figure}") for figure in ("correct", "incorrect", "precision", "recall", "f1")}
"""Where nervaluate, which pairs in the order of its lists, finds a pair less."""


def rows() -> Iterator[tuple[str, str, str, str]]:
    with (FOLDER / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        _, *found = csv.reader(stream, delimiter="\t")
    for system, scorer, measure, value in found:
        if scorer != "nervaluate" or (system, measure) not in GREEDY:
            yield system, scorer, measure, value


@cache
def result(system: str, *, is_strict: bool) -> SuiteResult:
    options = {"reading": "strict", "scheme": "IOB2"} if is_strict else {}
    return score("spans", options=options, gold=FOLDER / "wnut17/gold.conll", system=FOLDER / f"wnut17/{system}.conll")


def figure(found: SuiteResult, measure: str) -> float:
    """Return the value of a measure, 0 where there is none, as in these scorers, or one of conlleval's counts."""
    counts = {name: found.scores[f"micro.{name}"].value or 0 for name in ("tp", "fp", "fn")}
    match measure:
        case "tokens":
            return found["token.number"]
        case "correct":
            return counts["tp"]
        case "gold spans":
            return counts["tp"] + counts["fn"]
        case "system spans":
            return counts["tp"] + counts["fp"]
        case _:
            return found.scores[measure].value or 0


def test_every_figure_of_the_three_scorers() -> None:
    checked = 0
    for system, scorer, measure, value in rows():
        found = figure(result(system, is_strict="strict" in scorer), measure)
        shown = f"{100 * found:.2f}%" if value.endswith("%") else found
        assert shown == value if value.endswith("%") else found == pytest.approx(float(value), abs=1e-12), (
            system,
            scorer,
            measure,
        )
        checked += 1
    assert checked == 427


def test_where_the_greatest_matching_has_a_pair_more() -> None:
    found = result("spinningbytes", is_strict=False)
    assert found["semeval.type.correct"] == 92 + 1
    assert found["semeval.type.incorrect"] == 37 - 1
