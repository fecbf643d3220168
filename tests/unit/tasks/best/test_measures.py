from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.best import TASK
from pytest_nlpeval.tasks.best.measures import COLUMNS
from pytest_nlpeval.tasks.best.options import Options
from tests.unit.tasks.best.files import ROWS, Row, counts_of, evidence_of, rows_of, scores_of, values_of

ATTITUDES = ("all", "belief", "sentiment")
PROVENANCES = ("full", "single")
AVERAGES = ("micro", "macro")
SHARES = ("precision", "recall", "f1")
NAMES = [f"{a}.{p}.{v}.{s}" for a in ATTITUDES for p in PROVENANCES for v in AVERAGES for s in SHARES]


def triple(values: dict[str, float], prefix: str) -> tuple[float, float, float]:
    precision, recall, f1 = (values[f"{prefix}.{share}"] for share in SHARES)
    return precision, recall, f1


def prf(precision: float, recall: float) -> tuple[object, object, object]:
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return pytest.approx(precision, abs=1e-12), pytest.approx(recall, abs=1e-12), pytest.approx(f1, abs=1e-12)


def merged(*documents: tuple[list[Row], list[Row]]) -> Evidence:
    return Evidence.merge([evidence_of(gold, system).named(f"d{rank}") for rank, (gold, system) in enumerate(documents)])


def test_the_36_measures() -> None:
    assert len(NAMES) == 36
    measures = TASK.measures(Options(), None) or ()
    assert [measure.name for measure in measures] == NAMES
    assert not any(measure.range.is_whole for measure in measures)
    assert TASK.signature(Options(), ()) == {}


GOLD = rows_of("belief cb a1 h1", "belief cb a1 h2", "belief rob b1 k1", "sentiment pos a1 p1", "belief ncb c1 r1")
SYSTEM = rows_of("belief cb a1 h1", "belief ncb b1 k1", "sentiment pos a1 h1", "belief cb - k1")
"""Belief: exact at F 2/3, wrong value, one false positive, one missed. Sentiment: one false positive, one missed."""


def test_measures_of_an_attitude_are_a_group() -> None:
    measures = TASK.measures(Options(), None) or ()
    assert {(measure.name.partition(".")[0], measure.group, measure.better) for measure in measures} == {
        ("all", "all", "higher"),
        ("belief", "belief", "higher"),
        ("sentiment", "sentiment", "higher"),
    }


def test_by_hand() -> None:
    values = values_of(evidence_of(GOLD, SYSTEM))
    single, full = 1 + 2 / 3, 2 / 3 + 2 / 3
    assert triple(values, "belief.single.micro") == prf(single / (single + 1), single / (single + 1))
    assert triple(values, "belief.full.micro") == prf(full / (full + 1), full / (full + 1))
    assert triple(values, "sentiment.single.micro") == triple(values, "sentiment.full.micro") == prf(0, 0)
    assert triple(values, "all.single.micro") == prf(single / (single + 2), single / (single + 2))
    assert triple(values, "all.full.micro") == prf(full / (full + 2), full / (full + 2))
    for attitude in ATTITUDES:
        for provenance in PROVENANCES:
            assert triple(values, f"{attitude}.{provenance}.macro") == prf(*triple(values, f"{attitude}.{provenance}.micro")[:2])


@pytest.mark.parametrize(("gold", "system", "full", "single"), [
    ([], [], (1, 1), (1, 1)),
    (["belief cb a1 h1"], [], (1, 0), (1, 0)),
    ([], ["belief cb a1 h1"], (0, 1), (0, 1)),
    (["belief cb a1 h1"], ["belief cb a1 k1"], (0, 0), (0, 0)),
    (["belief cb a1 h1"], ["belief cb a1 h2"], (0, 0), (0, 0)),
    (["belief cb a1 h1", "belief cb a1 k1"], ["belief cb a1 h2", "belief cb a1 k1"], (1, 1), (1 / 2, 1)),
    (["belief cb a1 h1"], ["belief ncb b1 h1"], (1, 1), (1, 1)),
    (["belief na a1 h1"], ["belief na a1 h1"], (1, 1), (1, 1)),
])  # fmt: skip
def test_where_denominators_are_0(
    gold: list[str], system: list[str], full: tuple[float, float], single: tuple[float, float]
) -> None:
    values = values_of(evidence_of(rows_of(*gold), rows_of(*system)))
    assert triple(values, "belief.full.micro") == prf(*full)
    assert triple(values, "belief.single.micro") == prf(*single)


def test_macro_by_hand() -> None:
    """Document 0: exact and one missed. 1: wrong value and two false positives. 2: nothing to find and nothing found."""
    evidence = merged(
        (rows_of("belief cb a1 h1", "belief cb a1 h2", "belief cb b1 k1"), rows_of("belief cb a1 h1")),
        (rows_of("belief cb a1 h1"), rows_of("belief rob a1 h1", "belief cb b1 k1", "belief cb - k1")),
        ([], []),
    )
    values = values_of(evidence)
    precision = (1 + 2 / 3 / (2 / 3 + 2) + 1) / 3
    recall = (1 / (1 + 1) + 1 + 1) / 3
    assert triple(values, "belief.single.macro") == prf(precision, recall)
    assert triple(values, "belief.full.macro") == prf(precision, (2 / 3 / (2 / 3 + 1) + 1 + 1) / 3)
    tp = 1 + 2 / 3
    assert triple(values, "belief.single.micro") == prf(tp / (tp + 2), tp / (tp + 1))
    assert triple(values, "sentiment.single.macro") == prf(1, 1)


def test_macro_f_is_not_the_mean_of_fs() -> None:
    values = values_of(merged((rows_of("belief cb a1 h1"), []), ([], rows_of("belief cb a1 h1"))))
    assert triple(values, "belief.single.macro") == prf(1 / 2, 1 / 2)


def test_macro_pools_the_attitudes_within_a_document() -> None:
    values = values_of(merged((rows_of("belief cb a1 h1", "sentiment pos a1 h1"), rows_of("belief cb a1 h1")), ([], [])))
    assert triple(values, "all.single.macro") == prf(1, (1 / 2 + 1) / 2)


def test_documents_without_data_points_do_not_affect_micro() -> None:
    one = (GOLD, SYSTEM)
    assert {name: value for name, value in values_of(merged(one, ([], []), ([], []))).items() if "micro" in name} == {
        name: value for name, value in values_of(evidence_of(GOLD, SYSTEM)).items() if "micro" in name
    }


def test_precision_and_recall_are_exact_where_they_are_thirds() -> None:
    """Without an error of rounding: 1/3 credit alone is P = R = 1."""
    values = values_of(evidence_of(rows_of("belief cb a1 h1"), rows_of("belief ncb b1 h1")))
    assert triple(values, "belief.single.micro") == (1.0, 1.0, 1.0)


@settings(max_examples=40)
@given(ROWS, ROWS)
def test_values_lie_between_0_and_1(gold: list[Row], system: list[Row]) -> None:
    values = values_of(evidence_of(gold, system))
    assert list(values) == NAMES
    assert all(0 <= value <= 1 for value in values.values())


@settings(max_examples=40)
@given(ROWS)
def test_perfect_output_scores_1(rows: list[Row]) -> None:
    assert set(values_of(evidence_of(rows, rows)).values()) == {1.0}


@settings(max_examples=40)
@given(ROWS, ROWS)
def test_all_is_belief_and_sentiment(gold: list[Row], system: list[Row]) -> None:
    """`all` by its counts, derived here once more."""
    counts = counts_of(evidence_of(gold, system))
    pool = {name: counts[f"belief.{name}"] + counts[f"sentiment.{name}"] for name in COLUMNS}
    values = values_of(evidence_of(gold, system))
    for provenance, tp in (("full", pool["credit"]), ("single", pool["thirds"] / 3)):
        fp = pool["system"] - pool["matched"] + (pool["unsupported"] if provenance == "single" else 0)
        fn = pool["gold"] - pool["matched"]
        precision = tp / (tp + fp) if tp + fp else float(not pool["system"])
        recall = tp / (tp + fn) if tp + fn else float(not pool["gold"])
        assert triple(values, f"all.{provenance}.micro") == prf(precision, recall)


@settings(max_examples=40)
@given(ROWS, ROWS, st.sampled_from(("k1", "p1", "r3")))
def test_a_tuple_towards_a_wrong_target_earns_nothing(gold: list[Row], system: list[Row], target: str) -> None:
    gold, system = ([row for row in rows if row.target != target] for rows in (gold, system))
    wrong = Row("sentiment", "neg", "b1", target)
    before, after = counts_of(evidence_of(gold, system)), counts_of(evidence_of(gold, [*system, wrong]))
    assert after == before | {"sentiment.system": before["sentiment.system"] + 1}
    values, lower = values_of(evidence_of(gold, system)), values_of(evidence_of(gold, [*system, wrong]))
    for name in NAMES:
        assert lower[name] <= values[name] if name.endswith(".precision") else lower[name] == values[name] or name.endswith(".f1")


@settings(max_examples=40)
@given(ROWS, ROWS)
def test_full_credit_is_at_most_single_credit(gold: list[Row], system: list[Row]) -> None:
    counts = counts_of(evidence_of(gold, system))
    assert all(counts[f"{attitude}.credit"] <= counts[f"{attitude}.thirds"] / 3 + 1e-12 for attitude in ATTITUDES[1:])


def test_full_provenance_may_still_score_higher() -> None:
    """Wrong provenance is a false positive with single provenance only."""
    values = values_of(evidence_of(rows_of("belief cb a1 h1", "belief cb a1 k1"), rows_of("belief cb a1 h2", "belief cb a1 k1")))
    assert values["all.full.micro.f1"] == 1
    assert values["all.single.micro.f1"] == pytest.approx(2 * 1 / 2 * 1 / (1 / 2 + 1))


def repeated(evidence: Evidence, weights: list[int]) -> Evidence:
    rows = np.repeat(np.arange(len(evidence.units)), weights)
    return Evidence.of([evidence.units[row] for row in rows], {name: column[rows] for name, column in evidence.columns.items()})


PAIR = st.tuples(ROWS, ROWS)


@settings(max_examples=20)
@given(st.lists(PAIR, min_size=1, max_size=3), st.data())
def test_a_weight_counts_a_document_that_often(documents: list[tuple[list[Row], list[Row]]], data: st.DataObject) -> None:
    evidence = merged(*documents)
    row = st.lists(st.integers(0, 3), min_size=len(documents), max_size=len(documents)).filter(any)
    weights = data.draw(st.lists(row, min_size=1, max_size=3))
    for measure in TASK.measures(Options(), tuple(evidence.columns)) or ():
        values = measure.values(Sample(evidence, np.array(weights, np.int64)))
        assert values.shape == (len(weights),)
        for value, once in zip(values.tolist(), weights, strict=True):
            assert value == pytest.approx(float(measure.values(Sample(repeated(evidence, once)))[0]), abs=1e-12), measure.name


@settings(max_examples=20)
@given(st.lists(PAIR, min_size=1, max_size=4))
def test_the_order_of_documents_changes_nothing(documents: list[tuple[list[Row], list[Row]]]) -> None:
    assert values_of(merged(*documents)) == values_of(merged(*reversed(documents)))


def test_evidence_survives_json() -> None:
    evidence = merged((GOLD, SYSTEM), (SYSTEM, GOLD))
    again = Evidence.from_json(evidence.to_json())
    assert again == evidence
    assert scores_of(again) == scores_of(evidence)
