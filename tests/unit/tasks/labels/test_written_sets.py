"""Labels that look like several."""

from __future__ import annotations

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.options import options
from pytest_nlpeval.tasks.labels.problems import PROBLEMS
from pytest_nlpeval.tasks.labels.written_sets import check_common_labels, likely_mark


def test_a_mark_stands_between_labels_that_occur_otherwise() -> None:
    assert likely_mark({"a;b", "b;c", "d;a"}) == ";"
    assert likely_mark({"a;b", "c;d"}) == ""
    assert likely_mark({"a / b", "b"}) == "/"
    assert likely_mark(set()) == ""


def test_codes_that_pandas_wrote_as_decimals_are_named() -> None:
    """A column of whole numbers that had gaps is one of decimals."""
    log = ProblemLog("s.csv", PROBLEMS)
    check_common_labels(["1", "2"], ["1.0", "2.0"], 2, options(), log)
    (problem,) = log.problems()
    assert problem.message.endswith('"1.0" is another label than "1"; write codes as whole numbers on both sides')
