from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.rte import TASK
from pytest_nlpeval.tasks.rte.measures import notes
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options
from tests.unit.tasks.rte.files import (
    FIVE,
    NOT_ORDERED,
    ROWS,
    RUN,
    Row,
    evidence_of,
    gold_text,
    row_evidence,
    run_lines,
    scores_of,
    values_of,
)

RANKED = ("cws", "cws.expected", "cws.worst", "cws.best")
EDITIONS = st.sampled_from((FIRST, LATER))
SEEDS = st.integers(0, 10**6)


def same(one: Evidence, other: Evidence, *but: str) -> None:
    """Both give the same values and reasons, apart from the measures `but`."""
    first, second = scores_of(one), scores_of(other)
    assert first.keys() == second.keys()
    for name in first.keys() - set(but):
        assert first[name].reason == second[name].reason, name
        if first[name].value is not None:
            assert first[name].value == pytest.approx(second[name].value, abs=1e-12), name


def file_order(evidence: Evidence) -> list[str]:
    """The measures that see the order of the run file."""
    return ["cws", *(name for name in values_of(evidence) if name.startswith("task.") and name.endswith(".cws"))]


def test_the_worked_example() -> None:
    cws = (1 / 1 + 2 / 2 + 3 / 3 + 3 / 4 + 4 / 5) / 5
    assert cws == pytest.approx(0.91)
    values = values_of(evidence_of(gold_text(FIVE), RUN))
    assert values == {
        "accuracy": 4 / 5,
        "coverage": 1,
        **dict.fromkeys(RANKED, pytest.approx(cws, abs=1e-15)),
        "TRUE.precision": 2 / 2,
        "TRUE.recall": 2 / 3,
        "TRUE.f1": 2 * 2 / (2 + 3),
        "FALSE.precision": 2 / 3,
        "FALSE.recall": 2 / 2,
        "FALSE.f1": 2 * 2 / (3 + 2),
        "task.IE.accuracy": 1,
        "task.IE.cws": 1,
        "task.IE.coverage": 1,
        "task.IR.accuracy": 1 / 2,
        "task.IR.cws": (1 + 1 / 2) / 2,
        "task.IR.coverage": 1,
        "task.PP.accuracy": 1,
        "task.PP.cws": 1,
        "task.PP.coverage": 1,
        "task.QA.accuracy": 1,
        "task.QA.cws": 1,
        "task.QA.coverage": 1,
    }


def test_before_anything_is_read_all_measures_of_all_editions_are_possible() -> None:
    names = [measure.name for measure in TASK.measures(Options(), None) or ()]
    assert len(set(names)) == len(names)
    words = ("TRUE", "FALSE", "YES", "NO")
    expected = {"accuracy", "coverage", *RANKED, "average_precision"}
    expected |= {f"{word}.{name}" for word in words for name in ("precision", "recall", "f1")}
    settings_of_all = {*FIRST.settings, *LATER.settings}
    expected |= {f"task.{setting}.{name}" for setting in settings_of_all for name in ("accuracy", "cws", "coverage")}
    assert set(names) == expected


def test_each_measure_says_what_it_is() -> None:
    for measure in TASK.measures(Options(), None) or ():
        assert measure.definition.endswith(".")
        assert measure.formula
        assert measure.missing


def test_only_the_settings_and_words_of_the_gold_file_have_measures() -> None:
    names = values_of(evidence_of(gold_text((("1", "SUM", True),), LATER), "ranked: yes\n1 YES\n")).keys()
    assert {name for name in names if name.startswith("task.")} == {"task.SUM.accuracy", "task.SUM.cws", "task.SUM.coverage"}
    assert not {name for name in names if name.startswith(("TRUE.", "FALSE."))}
    assert "average_precision" in names
    assert "average_precision" not in values_of(evidence_of(gold_text(FIVE), RUN))


@pytest.mark.parametrize(
    ("run", "reasons"),
    [
        ("", {"accuracy": "no pair is judged", "cws": "no pair is judged", "task.IR.cws": "no pair of task IR is judged"}),
        ("1 TRUE\n", {"cws": "no confidence scores in the run", "FALSE.precision": "no pair is judged FALSE"}),
        ("1 TRUE\n", {"FALSE.recall": "no judged pair is FALSE in gold", "task.QA.accuracy": "no pair of task QA is judged"}),
        (
            "1 TRUE 1\n",
            {
                "task.QA.cws": "no pair of task QA is judged",
                "FALSE.f1": "no pair is judged FALSE and no judged pair is FALSE in gold",
            },
        ),
    ],
)
def test_what_has_no_value_says_why(run: str, reasons: dict[str, str]) -> None:
    scores = scores_of(evidence_of(gold_text(FIVE), run))
    assert {name: scores[name].reason for name in reasons} == reasons
    assert all(scores[name].value is None for name in reasons)


def test_a_tolerated_mixture_of_confidences_has_no_cws() -> None:
    scores = scores_of(evidence_of(gold_text(FIVE), "1 TRUE 1\n2 TRUE\n4 TRUE 1\n", {"rte.mixed-confidence": "warning"}))
    assert {scores[name].reason for name in (*RANKED, "task.IR.cws")} == {"some judged pairs have no confidence score"}
    assert scores["accuracy"].value == 1


LATER_GOLD = gold_text((("1", "IE", True), ("2", "IR", False), ("3", "QA", True)), LATER)


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        ("ranked: no\n1 YES\n", "the run is not ranked (`ranked: no`)"),
        ("ranked: yes\n2 YES\n", "no judged pair entails"),
        ("ranked: yes\n", "no judged pair entails"),
    ],
)
def test_why_there_is_no_average_precision(run: str, reason: str) -> None:
    score = scores_of(evidence_of(LATER_GOLD, run))["average_precision"]
    assert (score.value, score.reason) == (None, reason)


def test_editions_2_and_3_have_no_cws() -> None:
    scores = scores_of(evidence_of(LATER_GOLD, "ranked: yes\n1 YES\n"))
    assert {scores[name].value for name in (*RANKED, "task.IE.cws")} == {None}
    assert {scores[name].reason for name in (*RANKED, "task.IE.cws")} == {"runs of edition 2-3 have no confidence scores"}


def test_several_rankings_have_no_average_precision() -> None:
    part = evidence_of(LATER_GOLD, "ranked: yes\n1 YES\n")
    score = scores_of(Evidence.merge([part.named("a"), part.named("b")]))["average_precision"]
    assert (score.value, score.reason) == (None, "several rankings")


def test_ties_of_several_cases_go_by_the_names_of_the_cases_then_by_line() -> None:
    gold = gold_text((("1", "IR", True), ("2", "IR", True)))
    wrong, right = evidence_of(gold, "1 FALSE 0.5\n2 FALSE 0.5\n"), evidence_of(gold, "1 TRUE 0.5\n2 TRUE 0.5\n")
    merged = Evidence.merge([wrong.named("b"), right.named("a")])
    assert values_of(merged)["cws"] == pytest.approx((1 + 1 + 2 / 3 + 2 / 4) / 4, abs=1e-15)
    merged = Evidence.merge([wrong.named("a"), right.named("b")])
    assert values_of(merged)["cws"] == pytest.approx((0 + 0 + 1 / 3 + 2 / 4) / 4, abs=1e-15)


def test_ties_go_by_line_not_by_the_gold_file() -> None:
    gold = gold_text((("1", "IR", True), ("2", "IR", True)))
    values = values_of(evidence_of(gold, "2 FALSE 1\n1 TRUE 1\n", NOT_ORDERED))
    assert values["cws"] == pytest.approx((0 + 1 / 2) / 2, abs=1e-15)


def test_the_signature_names_the_edition() -> None:
    assert TASK.signature(Options(), evidence_of(gold_text(FIVE), RUN).columns) == {"edition": "1"}
    assert TASK.signature(Options(3), ()) == {"edition": "2-3"}


@settings(max_examples=40)
@given(ROWS, EDITIONS)
def test_values_lie_between_0_and_1_and_others_have_a_reason(rows: list[Row], edition: Edition) -> None:
    for name, score in scores_of(row_evidence(rows, edition)).items():
        assert score.reason if score.value is None else 0 <= score.value <= 1 + 1e-12, name


@settings(max_examples=40)
@given(ROWS)
def test_cws_lies_between_the_extremes(rows: list[Row]) -> None:
    values = values_of(row_evidence(rows))
    cws, expected, worst, best = (values[name] for name in RANKED)
    if cws is None or expected is None or worst is None or best is None:
        assert cws is expected is worst is best is None
    else:
        assert worst - 1e-12 <= min(cws, expected) <= max(cws, expected) <= best + 1e-12


@settings(max_examples=40)
@given(ROWS, EDITIONS)
def test_perfect_output_scores_1(rows: list[Row], edition: Edition) -> None:
    values = values_of(row_evidence([Row(row.setting, row.holds, row.holds, row.confidence) for row in rows], edition))
    has_none = {"average_precision"} if edition is LATER else set()
    present = {edition.positive if row.holds else edition.negative for row in rows}
    for name, value in values.items():
        missing = name.partition(".")[0] in {edition.positive, edition.negative} - present or (edition is LATER and "cws" in name)
        if name not in has_none:
            assert value is None if missing else value == pytest.approx(1, abs=1e-12), name


@settings(max_examples=40)
@given(ROWS, SEEDS)
def test_the_order_of_gold_pairs_changes_nothing(rows: list[Row], seed: int) -> None:
    pairs = [row.gold(name) for name, row in enumerate(rows)]
    run = "".join(run_lines(rows))
    shuffled = random.Random(seed).sample(pairs, len(pairs))
    same(evidence_of(gold_text(pairs), run), evidence_of(gold_text(shuffled), run, NOT_ORDERED))


@settings(max_examples=40)
@given(ROWS, SEEDS)
def test_the_order_of_lines_changes_cws_among_ties_only(rows: list[Row], seed: int) -> None:
    gold, lines = gold_text(row.gold(name) for name, row in enumerate(rows)), run_lines(rows)
    shuffled = random.Random(seed).sample(lines, len(lines))
    one, other = evidence_of(gold, "".join(lines)), evidence_of(gold, "".join(shuffled), NOT_ORDERED)
    same(one, other, *file_order(one))


@settings(max_examples=40)
@given(ROWS, SEEDS)
def test_without_ties_the_order_of_lines_changes_nothing(rows: list[Row], seed: int) -> None:
    distinct = [Row(row.setting, row.holds, row.said, f"0.{rank + 1:03}") for rank, row in enumerate(rows)]
    gold, lines = gold_text(row.gold(name) for name, row in enumerate(rows)), run_lines(distinct)
    shuffled = random.Random(seed).sample(lines, len(lines))
    one, other = evidence_of(gold, "".join(lines)), evidence_of(gold, "".join(shuffled), NOT_ORDERED)
    same(one, other)
    values = values_of(one)
    if values["cws"] is not None:
        assert [values[name] for name in RANKED] == pytest.approx([values["cws"]] * 4, abs=1e-12)


@settings(max_examples=40)
@given(ROWS, EDITIONS, st.integers(0, 8))
def test_splitting_the_pairs_over_documents_changes_nothing(rows: list[Row], edition: Edition, cut: int) -> None:
    whole = row_evidence(rows, edition)
    first, second = rows[:cut], rows[cut:]
    parts = [row_evidence(part, edition).named(name) for name, part in (("a", first), ("b", second)) if part]
    split = Evidence.merge(parts)
    same(whole, split, *(["average_precision"] if len(parts) > 1 else []))
    if len(parts) > 1 and edition is LATER:
        assert scores_of(split)["average_precision"].reason == "several rankings"


def repeated(evidence: Evidence, weights: NDArray[np.int64]) -> Evidence:
    rows = np.repeat(np.arange(len(evidence.units)), weights)
    return Evidence.of([evidence.units[row] for row in rows], {name: column[rows] for name, column in evidence.columns.items()})


@settings(max_examples=40)
@given(ROWS, EDITIONS, st.data())
def test_a_weight_counts_a_row_that_often(rows: list[Row], edition: Edition, data: st.DataObject) -> None:
    evidence = row_evidence(rows, edition)
    row = st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    weights = np.array(data.draw(st.lists(row, min_size=1, max_size=3)), np.int64)
    sample = Sample(evidence, weights)
    for measure in TASK.measures(Options(), tuple(evidence.columns)) or ():
        values = measure.values(sample)
        assert values.shape == (len(weights),)
        for value, once in zip(values.tolist(), weights, strict=True):
            expected = float(measure.values(Sample(repeated(evidence, once)))[0])
            assert math.isnan(value) if math.isnan(expected) else value == pytest.approx(expected, abs=1e-12), measure.name


@settings(max_examples=20)
@given(ROWS, EDITIONS)
def test_weights_of_1_are_no_weights(rows: list[Row], edition: Edition) -> None:
    evidence = row_evidence(rows, edition)
    ones = Sample(evidence, np.ones((2, len(rows)), np.int64))
    for measure in TASK.measures(Options(), tuple(evidence.columns)) or ():
        value = measure.score(Sample(evidence)).value
        expected = math.nan if value is None else pytest.approx(value, abs=1e-12)
        assert all(math.isnan(found) if value is None else found == expected for found in measure.values(ones).tolist())


@settings(max_examples=20)
@given(ROWS, EDITIONS)
def test_evidence_survives_json(rows: list[Row], edition: Edition) -> None:
    evidence = row_evidence(rows, edition)
    assert values_of(Evidence.from_json(evidence.to_json())) == values_of(evidence)


@pytest.mark.parametrize(
    ("judged", "said"), [((1, 0, 1), ["partial submission: 2 of 3 pairs answered (coverage 0.666667)"]), ((1, 1, 1), [])]
)
def test_a_partial_submission_is_named_with_its_coverage(judged: tuple[int, ...], said: list[str]) -> None:
    evidence = Evidence.of("abc", {"judged": np.array(judged, np.int8)})
    assert list(notes(evidence, Options(), ("gold", "system"))) == said


def test_the_coverage_of_nearly_all_pairs_is_not_1() -> None:
    judged = np.ones(1_000_000, np.int8)
    judged[0] = 0
    (note,) = notes(Evidence.of(tuple(map(str, range(judged.size))), {"judged": judged}), Options(), ())
    assert note == "partial submission: 999,999 of 1,000,000 pairs answered (coverage 0.999999)"
