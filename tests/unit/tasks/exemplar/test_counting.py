from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.exemplar import PROBLEMS
from pytest_nlpeval.tasks.exemplar.counting import count
from pytest_nlpeval.tasks.exemplar.matching import reason
from pytest_nlpeval.tasks.exemplar.options import Options
from tests.unit.tasks.exemplar.files import gold_row, pairs_of, scores_of

NOTHING = gold_row("[[[A]]] ---> sees <--- [[[B]]]", "---")
OUTSIDE = gold_row("[[[A]]] ---> has <--- {{{ taken over }}} [[[B]]]", "taken over")
WORDS = ("'s", "sale", "of", "today", "taken", "over", "has", "sees", "A", "Sale")

rows = st.tuples(
    st.sampled_from([gold_row(), NOTHING, OUTSIDE]),
    st.one_of(st.just("---"), st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)),
)


def evidence_of(both: list[tuple[str, str]], options: Options | None = None) -> Evidence:
    return count(pairs_of(both), options or Options(), ProblemLog("", PROBLEMS)).evidence


def test_one_row_per_sentence() -> None:
    evidence = evidence_of([(gold_row(), "sale of"), (gold_row(), "of"), (NOTHING, "sees"), (NOTHING, "---"), (OUTSIDE, "---")])
    assert evidence.units == ("2", "3", "4", "5", "6")
    assert {name: column.tolist() for name, column in evidence.columns.items()} == {
        "correct": [1, 0, 0, 0, 0],
        "extractions": [1, 1, 1, 0, 0],
        "relations": [1, 1, 0, 0, 1],
    }


def test_no_rows() -> None:
    evidence = evidence_of([])
    assert evidence.units == ()
    assert {evidence.column(name).dtype.kind for name in evidence.columns} == {"i"}


@pytest.mark.parametrize(
    ("trigger", "windows", "extraction", "why"),
    [
        ("taken over", "has", "has taken over", ""),
        ("taken over", "has", "over taken over", ""),
        ("taken over", "", "taken over", ""),
        ("taken over", "has", "taken", "missing-trigger"),
        ("taken over", "has", "taken wrongly", "missing-trigger"),
        ("taken over", "has", "taken over wrongly", "token-not-allowed"),
        ("", "has", "has", "no-relation-in-gold"),
        ("", "has", "", ""),
        ("taken over", "has", "", "not-extracted"),
    ],
)
def test_the_first_reason_that_holds(trigger: str, windows: str, extraction: str, why: str) -> None:
    assert reason(trigger, windows, extraction) == why


def test_case_folding_is_unicode() -> None:
    row = gold_row("[[[A]]] ---> die <--- {{{ Straße }}} [[[B]]]", "Straße")
    assert evidence_of([(row, "DIE STRASSE")], Options(ignore_case=True)).column("correct").tolist() == [1]
    assert evidence_of([(row, "DIE STRASSE")]).column("correct").tolist() == [0]


@given(st.lists(rows).flatmap(lambda both: st.tuples(st.just(both), st.permutations(both))))
def test_the_order_of_rows_changes_nothing(orders: tuple[list[tuple[str, str]], list[tuple[str, str]]]) -> None:
    assert scores_of(pairs_of(orders[0])) == scores_of(pairs_of(orders[1]))


@given(st.lists(rows))
def test_ignoring_case_never_makes_a_row_wrong(both: list[tuple[str, str]]) -> None:
    strict, lenient = (evidence_of(both, Options(ignore_case=flag)).column("correct") for flag in (False, True))
    assert (strict <= lenient).all()


@given(st.lists(rows))
def test_tokens_in_another_order_or_twice_change_nothing(both: list[tuple[str, str]]) -> None:
    turned = [(row, text if text == "---" else " ".join([*reversed(text.split()), text])) for row, text in both]
    assert evidence_of(both) == evidence_of(turned)
