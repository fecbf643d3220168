from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Range, Sample
from pytest_nlpeval.tasks.qa import TASK
from pytest_nlpeval.tasks.qa.matching import token_f1
from pytest_nlpeval.tasks.qa.measures import SCORES, notes, signature
from pytest_nlpeval.tasks.qa.normalising import normaliser
from pytest_nlpeval.tasks.qa.options import Options, Profile
from tests.unit.tasks.qa.files import (
    ANSWERS,
    NUMBERS,
    PREDICTIONS,
    counted,
    evidence_of,
    lines,
    runs,
    scores_of,
    squad,
    values_of,
)

Run = tuple[dict[str, list[str]], dict[str, str], dict[str, float]]
PROFILES: tuple[Profile, ...] = ("standard", "squad2", "squad1")
SQUAD2 = Options(profile="squad2")


def close(values: dict[str, float | None]) -> object:
    return pytest.approx(values, abs=1e-12, nan_ok=True)


@given(run=runs(), threshold=st.sampled_from((-1.0, 0.0, 0.5, 1.0)), seed=st.integers(0, 99))
def test_the_order_of_questions_answers_and_keys_changes_nothing(run: Run, threshold: float, seed: int) -> None:
    answers, predictions, numbers = run
    chance = random.Random(seed)
    names = chance.sample(list(answers), len(answers))
    shuffled = {name: chance.sample(answers[name], len(answers[name])) for name in names}
    options = Options(threshold=threshold)
    other = evidence_of(shuffled, dict(reversed(predictions.items())), dict(sorted(numbers.items())), options)
    assert values_of(other, options) == close(values_of(evidence_of(answers, predictions, numbers, options), options))


@given(run=runs(), seed=st.integers(0, 99))
def test_the_order_of_files_and_their_cuts_change_nothing(run: Run, seed: int) -> None:
    answers, predictions, numbers = run
    chance = random.Random(seed)
    parts = []
    for name in chance.sample(list(answers), len(answers)):
        part = evidence_of({name: answers[name]}, {name: predictions[name]}, {name: numbers[name]})
        parts.append(part.named(chance.choice("ab") + name))
    assert values_of(Evidence.merge(parts)) == close(values_of(evidence_of(answers, predictions, numbers)))


@given(run=runs())
def test_a_first_answer_as_prediction_gives_1_in_everything(run: Run) -> None:
    """Unless nothing is left of that answer when it is normalised."""
    normal_form = normaliser(None)
    answers = {name: texts for name, texts in run[0].items() if not texts or normal_form(texts[0])} or {"x": []}
    predictions = {name: texts[0] if texts else "" for name, texts in answers.items()}
    numbers = {name: float(not texts) for name, texts in answers.items()}
    values = values_of(evidence_of(answers, predictions, numbers))
    shares = {name: value for name, value in values.items() if not name.endswith(("total", "threshold"))}
    assert set(shares.values()) <= {1.0, None}
    assert shares["exact"] == shares["best.f1"] == 1


@given(run=runs(), threshold=st.sampled_from((0.0, 0.5, 1.0)), profile=st.sampled_from(("standard", "squad2")))
def test_f1_is_never_below_exact_and_the_same_without_answer(run: Run, threshold: float, profile: Profile) -> None:
    options = Options(threshold=threshold, profile=profile)
    values = values_of(evidence_of(*run, options), options)
    for kind in ("", "HasAns.", "NoAns."):
        exact, f1 = values[f"{kind}exact"], values[f"{kind}f1"]
        assert (exact is None) == (f1 is None)
        assert f1 is None or exact is None or f1 >= exact - 1e-12
    assert values["NoAns.exact"] == values["NoAns.f1"]


@given(run=runs())
def test_the_best_threshold_reaches_what_it_says(run: Run) -> None:
    values = values_of(evidence_of(*run))
    for score in SCORES:
        threshold = values[f"best.{score}.threshold"]
        if threshold is None:
            nothing = sum(not texts for texts in run[0].values()) / len(run[0])
            assert values[f"best.{score}"] == pytest.approx(nothing, abs=1e-12)
        else:
            options = Options(threshold=threshold)
            assert values_of(evidence_of(*run, options), options)[score] == pytest.approx(values[f"best.{score}"], abs=1e-12)


@given(run=runs())
def test_no_threshold_is_better_and_no_lesser_one_as_good(run: Run) -> None:
    values = values_of(evidence_of(*run))
    for score in SCORES:
        best, least = values[f"best.{score}"], values[f"best.{score}.threshold"]
        assert best is not None
        for threshold in (-100.0, *run[2].values()):
            options = Options(threshold=threshold)
            reached = values_of(evidence_of(*run, options), options)[score]
            assert reached is not None
            assert reached <= best + 1e-12
            assert least is None or threshold >= least or reached < best - 1e-12


@given(run=runs(least=1), weights=st.lists(st.integers(0, 3), min_size=8, max_size=8), profile=st.sampled_from(PROFILES))
def test_a_question_of_weight_w_counts_w_times(run: Run, weights: list[int], profile: Profile) -> None:
    options = Options(profile=profile, threshold=0.5)
    evidence = evidence_of(*run, options)
    counts = np.array([weights[: len(evidence.units)]])
    rows = np.repeat(np.arange(len(evidence.units)), counts[0])
    repeated = Evidence.of(
        [evidence.units[row] for row in rows], {name: column[rows] for name, column in evidence.columns.items()}
    )
    for measure in TASK.measures(options, None) or ():
        weighted = measure.values(Sample(evidence, np.vstack([counts, counts * 2])))
        (expected,) = measure.values(Sample(repeated))
        if not (rows.size or np.isnan(weighted[0])):
            assert measure.name.endswith("total")
        elif rows.size:
            assert weighted[0] == pytest.approx(expected, abs=1e-12, nan_ok=True), measure.name
            factor = 2 if measure.name.endswith("total") else 1
            assert weighted[1] == pytest.approx(expected * factor, abs=1e-12, nan_ok=True), measure.name


@given(run=runs())
def test_squad2_differs_from_standard_in_best_alone(run: Run) -> None:
    standard, squad2 = values_of(evidence_of(*run)), values_of(evidence_of(*run, SQUAD2), SQUAD2)
    assert {name for name in standard if standard[name] != squad2[name] and not name.startswith("best.")} == set()


def test_squad2_looks_between_equal_numbers_in_the_order_of_their_file() -> None:
    numbers = {"1": 0.2, "3": 0.9, "2": 0.9}
    best = values_of(evidence_of(ANSWERS, PREDICTIONS, NUMBERS, SQUAD2), SQUAD2)["best.f1"]
    other = values_of(evidence_of(ANSWERS, PREDICTIONS, numbers, SQUAD2), SQUAD2)["best.f1"]
    assert [best, other] == pytest.approx([(1 + 4 / 5) / 3, (1 + 4 / 5 + 1) / 3])


def test_squad2_goes_by_document_before_the_place_in_its_file() -> None:
    """The right one comes first if its document does, though it is the second of its file."""
    right = evidence_of({"x": ["y"], "r": ["y"]}, {"x": "", "r": "y"}, {"x": 0.5, "r": 0.5}, SQUAD2)
    wrong = evidence_of({"w": []}, {"w": "y"}, {"w": 0.5}, SQUAD2)
    first = Evidence.merge([right.named("a"), wrong.named("b")])
    second = Evidence.merge([right.named("b"), wrong.named("a")])
    assert values_of(first, SQUAD2)["best.exact"] == pytest.approx((1 + 1) / 3)
    assert values_of(second, SQUAD2)["best.exact"] == pytest.approx(1 / 3)


def test_documents_of_which_some_have_no_numbers_have_no_best_threshold() -> None:
    with_numbers = evidence_of(ANSWERS, PREDICTIONS, NUMBERS).named("a")
    both = Evidence.merge([with_numbers, evidence_of(ANSWERS, PREDICTIONS).named("b")])
    found = scores_of(both)
    assert found["f1"].value == pytest.approx(3 / 5)
    assert found["best.f1"].value is None
    assert found["best.f1"].reason == found["best.f1.threshold"].reason == "some documents have no no-answer numbers"


def test_there_is_a_reason_where_there_is_no_value() -> None:
    without = scores_of(evidence_of({"1": []}, {"1": "x"}))
    assert without["HasAns.f1"].reason == "there are no answerable questions"
    assert without["best.f1"].reason == "there are no no-answer numbers"
    nothing = scores_of(evidence_of({"1": []}, {"1": "x"}, {"1": 0.5}))
    assert nothing["best.f1"].value == 1
    assert nothing["best.f1.threshold"].reason == "it is best to answer nothing"
    assert scores_of(evidence_of({"1": ["x"]}, {"1": "x"}))["NoAns.exact"].reason == "there are no questions without answer"


def test_sums_that_only_noise_tells_apart_are_equal() -> None:
    """After the first and after the last question the sum is 2, but three times 1/3 added to 1 are a little more, as floats."""
    third = token_f1({"x": 1}, 1, ["x", "y", "z", "v", "w"])
    assert 1 + third + third + third > 2
    answers = {"1": ["x"], "2": [], **{name: ["x y z v w"] for name in "345"}}
    predictions = dict.fromkeys(answers, "x")
    numbers = {name: int(name) / 10 for name in answers}
    values = values_of(evidence_of(answers, predictions, numbers))
    assert values["best.f1"] == pytest.approx(2 / 5)
    assert values["best.f1.threshold"] == 0.1


def test_thresholds_have_no_range() -> None:
    measures = {measure.name: measure for measure in TASK.measures(Options(), None) or ()}
    assert measures["best.f1.threshold"].range == Range(-np.inf, np.inf)
    value = values_of(evidence_of({"1": ["x"]}, {"1": "x"}, {"1": -1000.5}))["best.f1.threshold"]
    assert value == -1000.5


def test_all_options_are_in_the_signature() -> None:
    assert signature(Options(), ()) == {"profile": "standard", "language": "none", "threshold": "1.0"}
    options = Options(threshold=-3, language="de", profile="squad1")
    assert signature(options, ()) == {"profile": "squad1", "language": "de", "threshold": "-3.0"}


def test_missing_predictions_are_noted() -> None:
    evidence = counted(squad(ANSWERS), lines({"id": 1, "prediction": ""}), rules={"qa.missing-id": "off"}).evidence
    assert list(notes(evidence, Options(), ())) == ["2 of 3 questions have no prediction and score 0"]
    assert list(notes(evidence_of(ANSWERS, PREDICTIONS, NUMBERS), Options(), ())) == []
