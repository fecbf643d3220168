from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.rows import Counts, Row, rows_in, rows_of
from tests.unit.tasks.cat.judging import judge
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config(
    "REFERS many2one directional",
    "EVENT markable 0 class tense",
    "TIMEX3 instance comparable type",
    "TLINK one2one directional relType",
    "PLOT one2one directional",
    "TIMEX3 markable 0 attribute.tp",
)


def names(**options: Any) -> list[str]:
    return [row.name for row in rows_of(CONFIG, make_options(**options))]


def test_rows_are_markables_then_relations_in_the_order_of_the_lines() -> None:
    assert names() == [
        "EVENT.strict", "EVENT.relaxed", "TIMEX3.strict", "TIMEX3.relaxed", "REFERS.strict", "REFERS.relaxed",
        "TLINK.tempeval", "TLINK.strict", "TLINK.relaxed", "PLOT.strict", "PLOT.relaxed",
    ]  # fmt: skip


def test_the_original_has_no_many2one_rows() -> None:
    assert names(profile="nwr2014") == [name for name in names() if not name.startswith("REFERS")]


def test_relaxed_rows_may_be_left_out() -> None:
    assert names(relaxed=False) == [name for name in names() if not name.endswith("relaxed")]


@pytest.mark.parametrize(("line", "has_row"), [
    ("TLINK one2one undirectional", True), ("TLINK many2one directional", False), ("TLINK markable 0", False),
    ("tlink one2one directional", False),
])  # fmt: skip
def test_tempeval_is_of_one2one_tlinks(line: str, has_row: bool) -> None:
    rows = [row.name for row in rows_of(config(line), make_options())]
    assert ("TLINK.tempeval" in rows) == has_row


@pytest.mark.parametrize("relaxed", [True, False])
@pytest.mark.parametrize("profile", ["standard", "nwr2014"])
def test_rows_are_found_again_in_their_columns(profile: str, relaxed: bool) -> None:
    found = judge(CONFIG, document(), document(), profile=profile, relaxed=relaxed)
    assert list(rows_in(found.evidence.columns)) == list(rows_of(CONFIG, make_options(profile=profile, relaxed=relaxed)))


def test_attributes_may_be_called_like_counts() -> None:
    configuration = config("A markable 0 tp gold", "B markable 0 system")
    found = judge(configuration, document(["a A 1 tp=X"]), document(["a A 1 tp=x"]))
    assert list(rows_in(found.evidence.columns)) == list(rows_of(configuration, make_options()))
    assert next(iter(rows_in(found.evidence.columns))) == Row("markable", "A.strict", ("tp", "gold"))
    assert [found.value(f"A.strict.{name}") for name in ("tp", "attribute.tp", "attribute.gold")] == [1, 1, 1]


def test_what_is_matched_is_the_same_from_either_side_of_most_rows() -> None:
    assert Counts.of(1, 2, 3) == Counts(1, 2, 3, 1, 1)
    assert Counts(5, 1, 2, 3, 4).columns("A.strict") == {
        "A.strict.tp": 5, "A.strict.gold": 1, "A.strict.system": 2, "A.strict.gold_matched": 3, "A.strict.system_matched": 4,
    }  # fmt: skip
