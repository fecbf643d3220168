"""What the scorer of 2014 printed for 20 documents of the Event StoryLine Corpus, which are not part of the repository."""

from __future__ import annotations

import os
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, score
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.run.native import native as native_report

ROOT = Path(__file__).parents[4]
CORPUS = Path(os.environ.get("NLPEVAL_CAT_ESL") or ROOT / "../shared/data/cat-esl")
FIGURES = ("tp", "fp", "fn", "recall", "precision", "f1")

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="no copy of the Event StoryLine documents")


@pytest.fixture(scope="module")
def result() -> SuiteResult:
    return score(
        "cat",
        options={"profile": "nwr2014", "sentences": "all"},
        config=CORPUS / "config.txt",
        gold=CORPUS / "gold/{doc}.xml",
        system=CORPUS / "system/{doc}.xml",
    )


def expected() -> Iterator[tuple[str, list[Decimal]]]:
    """The rows of the table: a line with the title, a line with the figures."""
    title = ""
    for line in (CORPUS / "expected.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("\t"):
            yield title, [Decimal(field) for field in line.split()]
        elif line.strip():
            title = line.partition("\t")[0]


def row_of(title: str) -> str:
    """Return the measures' prefix for a title such as `TLINK (relaxed match)`."""
    name, _, what = title.partition("(")
    kinds = {"": "strict", "relaxed match)": "relaxed", "tempeval evaluation)": "tempeval"}
    return f"{name.strip()}.{kinds[what]}"


def test_all_figures_are_those_that_the_original_printed(result: SuiteResult) -> None:
    assert result.outcome == "ok"
    assert len(result.cases) == 20
    table = {row_of(title): figures for title, figures in expected()}
    assert len(table) == 3 * 2 + 3 + 2
    printed = {
        row: [Decimal(result[f"{row}.{figure}"]).quantize(Decimal("0.001"), ROUND_HALF_UP) for figure in FIGURES] for row in table
    }
    assert printed == table


def test_all_rows_were_printed(result: SuiteResult) -> None:
    assert {name.rpartition(".")[0] for name in result.scores} == {row_of(title) for title, _ in expected()}


def test_the_documents_one_by_one_add_up(result: SuiteResult) -> None:
    assert result.evidence is not None
    for path in sorted((CORPUS / "gold").iterdir())[:3]:
        options = {"profile": "nwr2014", "sentences": "all"}
        alone = score("cat", options=options, config=CORPUS / "config.txt", gold=path, system=CORPUS / "system" / path.name)
        assert alone.evidence is not None
        rank = result.evidence.documents.index(path.stem)
        assert {name: alone.evidence.column(name)[0] for name in alone.evidence.columns} == {
            name: result.evidence.column(name)[rank] for name in result.evidence.columns
        }


def test_gold_against_itself_scores_1() -> None:
    gold = CORPUS / "gold/{doc}.xml"
    found = score("cat", config=CORPUS / "config.txt", gold=gold, system=gold)
    assert found.outcome == "ok"
    rows = {name.rpartition(".")[0] for name in found.scores}
    assert {found[f"{row}.f1"] for row in rows} == {1.0}
    assert {found[f"{row}.{count}"] for row in rows for count in ("fp", "fn")} == {0}


def test_the_native_report_is_the_original_table_but_for_the_order_of_rows(result: SuiteResult) -> None:
    printed = (CORPUS / "expected.tsv").read_text(encoding="utf-8")
    assert sorted(native_report(report_of([result])).splitlines()) == sorted(printed.splitlines())
