"""Labels that look like several."""

from __future__ import annotations

from pytest_nlpeval.tasks.labels.written_sets import likely_mark


def test_a_mark_stands_between_labels_that_occur_otherwise() -> None:
    assert likely_mark({"a;b", "b;c", "d;a"}) == ";"
    assert likely_mark({"a;b", "c;d"}) == ""
    assert likely_mark({"a / b", "b"}) == "/"
    assert likely_mark(set()) == ""
