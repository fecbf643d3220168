from __future__ import annotations

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.spans import TASK
from pytest_nlpeval.tasks.spans.labels import RESERVED, fault_of
from pytest_nlpeval.tasks.spans.options import make_options
from tests.unit.tasks.spans.files import evidence_of, scored, scores_of, tagged

GOLD = ("a/B-X b/I-X c/B-Y", "d/B-Y e/O f/B-Z", "g/B-X h/O", "i/O j/B-X k/I-X")
SYSTEM = ("a/B-X b/O c/B-Y", "d/B-X e/O f/B-Z", "g/O h/B-W", "i/B-X j/I-X k/I-X")
SENTENCES = tuple(zip(GOLD, SYSTEM, strict=True))


def names_of(labels: list[str] | None, evidence: Evidence | None = None) -> list[str]:
    measures = TASK.measures(make_options(labels=labels), None if evidence is None else list(evidence.columns))
    return [measure.name for measure in measures or ()]


def test_the_first_measure_is_the_one_that_people_ask_for() -> None:
    assert names_of(["A"])[0] == "micro.f1"


def test_beyond_a_thousand_labels_none_has_measures_of_its_own() -> None:
    """A file has at most as many, but several may have others each."""
    few, many = ([f"gold.L{rank}" for rank in range(number)] for number in (1000, 1001))
    few_names, many_names = (
        [measure.name for measure in TASK.measures(make_options(), columns) or ()] for columns in (few, many)
    )
    assert {f"L{rank}.f1" for rank in range(1000)} < set(few_names)
    assert many_names == [name for name in few_names if not name.startswith("L")]


def test_without_labels_only_files_tell_which_measures_there_are() -> None:
    assert TASK.measures(make_options(), None) is None
    evidence = evidence_of(tagged(*GOLD), tagged(*SYSTEM))
    assert [name for name in names_of(None, evidence) if name.endswith(".tp")] == [
        "micro.tp",
        "unlabelled.tp",
        "W.tp",
        "X.tp",
        "Y.tp",
        "Z.tp",
    ]
    assert names_of(["W", "X", "Y", "Z"]) == names_of(None, evidence)


def test_no_two_measures_have_one_name() -> None:
    labels = ["A", "A.relaxed.x", "micros", "tokens", "B.precision", "f1"]
    assert not any(fault_of(label, make_options()) for label in labels)
    names = names_of(labels)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "label", ["", " A", "A\u00a0", "A*", "A\x7f", *RESERVED, *(f"{name}.f1" for name in RESERVED), "A.relaxed", "A.partial"]
)
def test_labels_that_measures_cannot_be_called_by(label: str) -> None:
    assert fault_of(label, make_options())
    assert not fault_of(label, make_options(labels=["A"]))


def test_only_tokens_have_an_accuracy() -> None:
    assert [
        measure.name
        for measure in TASK.measures(make_options(labels=["A"], format="jsonl"), None) or ()
        if "token" in measure.name
    ] == []


@pytest.mark.parametrize("seed", range(5))
def test_weights_repeat_sentences(seed: int) -> None:
    weights = np.random.default_rng(seed).integers(0, 4, len(SENTENCES))
    repeated = [pair for pair, weight in zip(SENTENCES, weights.tolist(), strict=True) for _ in range(weight)]
    evidence = evidence_of(tagged(*GOLD), tagged(*SYSTEM))
    gold, system = (tagged(*(pair[side] for pair in repeated)) for side in (0, 1))
    expected = scores_of(evidence_of(gold, system))
    sample = Sample(evidence, weights[None, :])
    for measure in TASK.measures(make_options(), list(evidence.columns)) or ():
        (value,) = measure.values(sample).tolist()
        if measure.name in expected:
            assert value == pytest.approx(np.nan if expected[measure.name] is None else expected[measure.name], nan_ok=True), (
                measure.name
            )
        else:
            assert np.isnan(value) or value == 0  # a label that is in none of the repeated sentences


def test_cutting_a_file_between_sentences_changes_no_measure() -> None:
    """As a score of distinct forms over the whole set (WNUT-17's surface F1) would."""
    parts = [evidence_of(tagged(gold), tagged(system)).named(str(rank)) for rank, (gold, system) in enumerate(SENTENCES)]
    assert scores_of(Evidence.merge(parts)) == scores_of(evidence_of(tagged(*GOLD), tagged(*SYSTEM)))


def test_means_over_labels() -> None:
    values = scored(tagged(*GOLD), tagged(*SYSTEM))
    # X: g 3, s 3, c 0; Y: g 2, s 1, c 1; Z: 1, 1, 1; W: 0, 1, 0
    assert values["macro.f1"] == pytest.approx((0 + 2 / 3 + 1 + 0) / 4)
    assert values["macro.precision"] == pytest.approx((0 + 1 + 1 + 0) / 4)
    assert values["macro.recall"] == pytest.approx((0 + 1 / 2 + 1 + 0) / 4)
    assert values["weighted.f1"] == pytest.approx((3 * 0 + 2 * 2 / 3 + 1 * 1) / 6)
    assert values["weighted.recall"] == values["micro.recall"] == pytest.approx(2 / 6)


def test_what_has_no_value_says_why() -> None:
    options = make_options(labels=["X", "Q"])
    evidence = evidence_of(tagged(*GOLD), tagged(*SYSTEM), options)
    reasons = {
        measure.name: measure.score(Sample(evidence)).reason for measure in TASK.measures(options, list(evidence.columns)) or ()
    }
    assert reasons["Q.precision"] == "the system has no Q spans"
    assert reasons["Q.recall"] == "gold has no Q spans"
    assert reasons["Q.f1"] == "neither side has Q spans"


def test_the_signature_has_what_changes_a_score() -> None:
    assert TASK.signature(make_options(), ()) == {
        "format": "conll",
        "labels": "all",
        "reading": "lenient",
        "scheme": "found",
        "columns": "1,last,last",
    }
    assert TASK.signature(make_options(format="brat", labels=["B", "A"]), ()) == {"format": "brat", "labels": "B,A"}


def test_notes_say_what_is_left_out() -> None:
    options = make_options(labels=["X", "Y"])
    assert TASK.notes is not None
    assert list(TASK.notes(evidence_of(tagged(*GOLD), tagged(*SYSTEM), options), options, ())) == [
        "only X, Y are scored: 1 span of gold and 2 of the system with other labels left out"
    ]
    assert list(TASK.notes(evidence_of(tagged(*GOLD), tagged(*SYSTEM)), make_options(), ())) == []
