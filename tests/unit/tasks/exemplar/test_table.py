from __future__ import annotations

import pytest

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.exemplar import PROBLEMS
from pytest_nlpeval.tasks.exemplar.table import field_column, first_row


@pytest.mark.parametrize(
    ("lines", "is_row", "first", "message"),
    [
        (["Entity1\tRelation"], False, 2, ""),
        (["A\tb\tC"], True, 1, "the first line is a row; expected a header line: X, separated by tabs"),
        ([" \t"], False, 2, "the first line is blank; expected a header line: X, separated by tabs"),
        ([], False, 2, "the file is empty; expected a header line: X, separated by tabs"),
    ],
)
def test_the_first_line_is_a_header(lines: list[str], is_row: bool, first: int, message: str) -> None:
    log = ProblemLog("gold.tsv", PROBLEMS)
    assert first_row(lines, is_row, "X", log) == first
    assert [problem.message for problem in log.problems()] == ([message] if message else [])


def test_a_missing_header_comes_before_what_is_wrong_in_the_first_row() -> None:
    log = ProblemLog("gold.tsv", PROBLEMS)
    log.add("exemplar.empty", "", 1, 3)
    first_row(["A\t\tC"], True, "X", log)
    assert [problem.code for problem in log.problems()] == ["exemplar.header", "exemplar.empty"]


def test_columns_count_code_points() -> None:
    line = "Ödön\t😀\tČ\tx"
    assert [line[field_column(line, rank) - 1] for rank in range(4)] == ["Ö", "😀", "Č", "x"]
