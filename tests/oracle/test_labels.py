"""The task `labels` in profile `sklearn` against scikit-learn and SciPy, on random data; the extra `oracle` installs them.

The data have ties, labels that only one side or nobody has, and weights: how often each item counts; to the others it is repeated.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_nlpeval import score
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of

metrics = pytest.importorskip("sklearn.metrics")
stats = pytest.importorskip("scipy.stats")

SEEDS = range(12)
NAMES = ("a", "b", "c", "d", "e")

Rows = Sequence[Mapping[str, Any]]
Ints = NDArray[np.int64]


def figures(folder: Path, gold: Rows, system: Rows, weights: Ints, **options: Any) -> dict[str, float]:
    """Return the values of all measures under weights, NaN for none; of weights of 1 they must be the scores of the files."""
    for name, rows in (("gold", gold), ("system", system)):
        lines = [json.dumps({"id": number, **row}) for number, row in enumerate(rows)]
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    settings = {"profile": "sklearn", **options}
    result = score("labels", options=settings, gold=folder / "gold.jsonl", system=folder / "system.jsonl")
    assert result.evidence is not None, [str(problem) for problem in result.all_problems()]
    ones = np.ones((1, len(gold)), np.int64)
    found = {}
    for measure in result.suite.measures(list(result.evidence.columns)):
        unweighted = measure.values(Sample(result.evidence, ones))[0]
        value = result.scores[measure.name].value
        assert math.nan if value is None else value == pytest.approx(unweighted, abs=1e-12)
        found[measure.name] = float(measure.values(Sample(result.evidence, weights[None, :]))[0])
    return found


def quietly(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Call a scorer whose warnings about what has no value do not matter here; NaN for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **named)
        except ValueError:
            return math.nan


def agree(found: Mapping[str, float], expected: Mapping[str, float]) -> None:
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12, nan_ok=True), name


def drawn(seed: int, size: int) -> tuple[np.random.Generator, Ints]:
    chance = np.random.default_rng(seed)
    return chance, chance.integers(0, 4, size) if seed % 3 else np.ones(size, np.int64)


def averages(truth: Any, answers: Any, labels: Sequence[Any] | None) -> Iterator[tuple[str, float]]:
    for average in ("micro", "macro", "weighted"):
        values = quietly(metrics.precision_recall_fscore_support, truth, answers, labels=labels, average=average, zero_division=0)
        yield from zip((f"{average}.precision", f"{average}.recall", f"{average}.f1"), values[:3], strict=True)


def by_label(truth: Any, answers: Any, labels: Sequence[Any], names: Sequence[str]) -> Iterator[tuple[str, float]]:
    values = quietly(metrics.precision_recall_fscore_support, truth, answers, labels=list(labels), zero_division=0)
    for figure, column in zip(("precision", "recall", "f1"), values[:3], strict=True):
        yield from ((f"{name}.{figure}", value) for name, value in zip(names, column, strict=True))


@pytest.mark.parametrize("averaged", [None, ["c", "a"]])
@pytest.mark.parametrize("seed", SEEDS)
def test_labels(tmp_path: Path, seed: int, averaged: list[str] | None) -> None:
    chance, weights = drawn(seed, 40)
    number = int(chance.integers(1, len(NAMES)))
    gold = [NAMES[code] for code in chance.integers(0, number, 40)]
    system = [
        label if chance.random() < 0.6 else NAMES[code] for label, code in zip(gold, chance.integers(0, 4, 40), strict=True)
    ]
    options: dict[str, Any] = {"labels": list(NAMES), "ordinal": True, **({"averaged": averaged} if averaged else {})}
    found = figures(tmp_path, [{"label": label} for label in gold], [{"label": label} for label in system], weights, **options)
    truth, answers = np.repeat(gold, weights), np.repeat(system, weights)
    agree(
        found,
        {
            "accuracy": metrics.accuracy_score(truth, answers),
            "balanced_accuracy": quietly(metrics.balanced_accuracy_score, truth, answers),
            "mcc": metrics.matthews_corrcoef(truth, answers),
            "kappa": quietly(metrics.cohen_kappa_score, truth, answers),
            "quadratic_kappa": quietly(metrics.cohen_kappa_score, truth, answers, labels=list(NAMES), weights="quadratic"),
            **dict(averages(truth, answers, averaged)),
            **dict(by_label(truth, answers, NAMES, NAMES)),
        },
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_probabilities(tmp_path: Path, seed: int) -> None:
    chance, weights = drawn(seed, 60)
    names = NAMES[: 2 + seed % 4]
    gold = chance.integers(0, max(2, len(names) - seed % 2), 60)
    counts = chance.multinomial(10, np.full(len(names), 1 / len(names)), 60)  # many ties, and zeros
    numbers = counts / 10
    answers = numbers.argmax(axis=1)
    rows = [
        {"label": names[code], "p": dict(zip(names, row, strict=True))}
        for code, row in zip(answers, numbers.tolist(), strict=True)
    ]
    found = figures(tmp_path, [{"label": names[code]} for code in gold], rows, weights, labels=list(names), probability="p")
    truth, repeated = np.repeat(gold, weights), np.repeat(numbers, weights, axis=0)
    expected = {}
    for code, name in enumerate(names):
        flags = truth == code
        expected[f"{name}.roc_auc"] = quietly(metrics.roc_auc_score, flags, repeated[:, code])
        expected[f"{name}.average_precision"] = quietly(metrics.average_precision_score, flags, repeated[:, code])
        expected[f"{name}.brier"] = metrics.brier_score_loss(flags, repeated[:, code], pos_label=True)
    whole = [value for name, value in expected.items() if name.endswith("roc_auc") and not math.isnan(value)]
    expected["macro.roc_auc"] = float(np.mean(whole))
    expected["macro.average_precision"] = float(np.mean([expected[f"{name}.average_precision"] for name in names]))
    expected["log_loss"] = quietly(metrics.log_loss, truth, repeated, labels=list(range(len(names))))
    expected["brier"] = metrics.brier_score_loss(truth, repeated, labels=list(range(len(names))), scale_by_half=False)
    agree(found, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lone_probability(tmp_path: Path, seed: int) -> None:
    chance, weights = drawn(seed, 50)
    gold = chance.integers(0, 2, 50)
    numbers = chance.integers(0, 11, 50) / 10
    rows = [{"label": NAMES[int(number > 0.5)], "p": number} for number in numbers.tolist()]
    found = figures(tmp_path, [{"label": NAMES[code]} for code in gold], rows, weights, probability="p", positive="b")
    truth, repeated = np.repeat(gold, weights), np.repeat(numbers, weights)
    agree(
        found,
        {
            "b.roc_auc": metrics.roc_auc_score(truth, repeated),
            "a.roc_auc": metrics.roc_auc_score(1 - truth, -repeated),
            "b.average_precision": metrics.average_precision_score(truth, repeated),
            "a.average_precision": metrics.average_precision_score(1 - truth, -repeated),
            "b.brier": metrics.brier_score_loss(truth, repeated),
            "a.brier": metrics.brier_score_loss(1 - truth, 1 - repeated),
            "brier": 2 * metrics.brier_score_loss(truth, repeated),
            "log_loss": metrics.log_loss(truth, repeated),
        },
    )


@pytest.mark.parametrize("averaged", [None, ["b", "d"]])
@pytest.mark.parametrize("seed", SEEDS)
def test_sets(tmp_path: Path, seed: int, averaged: list[str] | None) -> None:
    chance, weights = drawn(seed, 40)
    gold, system = (chance.random((2, 40, 4)) < 0.3).astype(int)
    gold[:, 3] = 0 if seed % 2 else gold[:, 3]
    numbers = chance.integers(0, 6, (40, 4)) / 5
    options: dict[str, Any] = {"labels": list(NAMES[:4]), **({"averaged": averaged} if averaged else {})}
    sides = ([{"labels": [NAMES[code] for code in np.flatnonzero(row)]} for row in side] for side in (gold, system))
    golden, answered = sides
    rows = [{**row, "p": dict(zip(NAMES, own, strict=False))} for row, own in zip(answered, numbers.tolist(), strict=True)]
    found = figures(tmp_path, golden, rows, weights, kind="labels", probability="p", **options)
    truth, answers, repeated = (np.repeat(side, weights, axis=0) for side in (gold, system, numbers))
    codes = [NAMES.index(name) for name in averaged or NAMES[:4]]
    expected = {
        "subset_accuracy": metrics.accuracy_score(truth, answers),
        "hamming_loss": metrics.hamming_loss(truth, answers),
        "samples.jaccard": quietly(metrics.jaccard_score, truth, answers, labels=codes, average="samples", zero_division=0),
        **dict(averages(truth, answers, codes)),
        **dict(by_label(truth, answers, range(4), NAMES[:4])),
    }
    values = quietly(metrics.precision_recall_fscore_support, truth, answers, labels=codes, average="samples", zero_division=0)
    expected |= zip(("samples.precision", "samples.recall", "samples.f1"), values[:3], strict=True)
    for code in range(4):
        expected[f"{NAMES[code]}.roc_auc"] = quietly(metrics.roc_auc_score, truth[:, code], repeated[:, code])
        expected[f"{NAMES[code]}.average_precision"] = quietly(metrics.average_precision_score, truth[:, code], repeated[:, code])
    agree(found, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_scores(tmp_path: Path, seed: int) -> None:
    chance, weights = drawn(seed, 50)
    gold = chance.integers(0, 2 + seed, 50) / 4
    system = (gold + chance.normal(0, 1, 50)).round(seed % 3)
    found = figures(
        tmp_path, [{"score": x} for x in gold.tolist()], [{"score": x} for x in system.tolist()], weights, kind="score"
    )
    truth, answers = np.repeat(gold, weights), np.repeat(system, weights)
    agree(
        found,
        {
            "pearson": stats.pearsonr(truth, answers).statistic,
            "spearman": stats.spearmanr(truth, answers).statistic,
            "kendall": stats.kendalltau(truth, answers).statistic,
            "mae": metrics.mean_absolute_error(truth, answers),
            "rmse": metrics.root_mean_squared_error(truth, answers),
        },
    )


def native_report(folder: Path, gold: Rows, system: Rows, **options: Any) -> str:
    for name, rows in (("gold", gold), ("system", system)):
        lines = [json.dumps({"id": number, **row}) for number, row in enumerate(rows)]
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    settings = {"profile": "sklearn", **options}
    return render(
        "native", report_of([score("labels", options=settings, gold=folder / "gold.jsonl", system=folder / "system.jsonl")])
    )


FEELINGS = ("bad", "good", "neither good nor bad", "neutral")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"labels": ["neutral", "good", "unheard of", "bad", "neither good nor bad"]},
        {"averaged": ["good", "bad"]},
        {"averaged": ["unheard of", "good"]},
        {"averaged": [*FEELINGS[::-1]]},
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_native_report_is_scikit_learns(tmp_path: Path, seed: int, options: Mapping[str, Any]) -> None:
    """The labels given there are those of `averaged`; as somewhere an item is right, numbers of items are whole there."""
    chance = np.random.default_rng(seed)
    truth = list(FEELINGS) + [FEELINGS[code] for code in chance.integers(0, len(FEELINGS), 30)]
    answers = truth[:4] + [label if chance.random() < 0.5 else FEELINGS[seed % 3] for label in truth[4:]]
    given = options.get("averaged")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*labels.*")
        expected = metrics.classification_report(truth, answers, labels=given, zero_division=0)
    assert native_report(tmp_path, *([{"label": label} for label in side] for side in (truth, answers)), **options) == expected


@pytest.mark.parametrize("averaged", [None, [3, 0]])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_native_report_of_sets_is_scikit_learns(tmp_path: Path, seed: int, averaged: list[int] | None) -> None:
    chance = np.random.default_rng(seed)
    gold, system = (chance.random((2, 40, 4)) < 0.4).astype(int)
    gold[:, 3] = 0 if seed % 2 else gold[:, 3]
    options: dict[str, Any] = {
        "labels": list(FEELINGS),
        **({"averaged": [FEELINGS[code] for code in averaged]} if averaged else {}),
    }
    sides = ([{"labels": [FEELINGS[code] for code in np.flatnonzero(row)]} for row in side] for side in (gold, system))
    codes = averaged or range(4)
    expected = metrics.classification_report(
        gold, system, labels=list(codes), target_names=[FEELINGS[code] for code in codes], zero_division=0
    )
    assert native_report(tmp_path, *sides, kind="labels", **options) == expected
