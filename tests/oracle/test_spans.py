"""Labelled spans against seqeval and nervaluate, on random tags; the extra `oracle` installs both."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.tasks.spans.files import conll, scored
from tests.unit.tasks.spans.test_schemes import written

metrics = pytest.importorskip("seqeval.metrics")
scheme_of = pytest.importorskip("seqeval.scheme")
nervaluate = pytest.importorskip("nervaluate")

LABELS = ("X", "Y", "a-b")
FIGURES = {"precision": "precision", "recall": "recall", "f1-score": "f1"}
AVERAGES = {"micro avg": "micro", "macro avg": "macro", "weighted avg": "weighted"}

Tags = list[list[str]]


def random_tags(letters: str, seed: int, size: int = 20_000) -> Tags:
    """Sentences of tags in no order whatever."""
    chance = random.Random(seed)
    tags = ["O", "O", *(f"{letter}-{label}" for letter in letters for label in LABELS)]
    lengths = [chance.randint(1, 12) for _ in range(size // 6)]
    return [[chance.choice(tags) for _ in range(length)] for length in lengths]


def changed(sentences: Tags, letters: str, seed: int, share: float = 0.2) -> Tags:
    """The same sentences with some other tags."""
    chance = random.Random(seed)
    tags = ["O", *(f"{letter}-{label}" for letter in letters for label in LABELS)]
    return [[chance.choice(tags) if chance.random() < share else tag for tag in sentence] for sentence in sentences]


def random_chunks(seed: int, size: int = 3_000) -> list[list[tuple[str, int]]]:
    """Sentences of spans without overlap, and of tokens in none."""
    chance = random.Random(seed)
    return [[(chance.choice(["", "", *LABELS]), chance.randint(1, 3)) for _ in range(chance.randint(1, 6))] for _ in range(size)]


def values_of(gold: Tags, system: Tags, **options: Any) -> dict[str, float | None]:
    def file(sentences: Tags) -> str:
        return conll([(f"w{place}", tag) for place, tag in enumerate(sentence)] for sentence in sentences)

    return scored(file(gold), file(system), **options)


def of_seqeval(gold: Tags, system: Tags, **options: Any) -> Iterator[tuple[str, float]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = metrics.classification_report(gold, system, output_dict=True, zero_division=0, **options)
    for name, row in report.items():
        yield from ((f"{AVERAGES.get(name, name)}.{ours}", float(row[theirs])) for theirs, ours in FIGURES.items())


def assert_same(ours: dict[str, float | None], theirs: Iterator[tuple[str, float]]) -> None:
    found = dict(theirs)
    assert len(found) == 3 * (len(LABELS) + len(AVERAGES))
    assert {name: ours[name] or 0.0 for name in found} == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("letters", ["BI", "IE", "BIES"])
@pytest.mark.parametrize("seed", range(2))
def test_lenient_is_seqeval_without_mode(letters: str, seed: int) -> None:
    gold = random_tags(letters, seed)
    system = changed(gold, letters, seed + 10)
    assert_same(values_of(gold, system), of_seqeval(gold, system))


@pytest.mark.parametrize(("scheme", "letters"), [("IOB2", "BI"), ("IOE2", "IE"), ("IOBES", "BIES")])
@pytest.mark.parametrize("seed", range(2))
def test_strict_is_seqevals_strict_mode(scheme: str, letters: str, seed: int) -> None:
    gold = random_tags(letters, seed)
    system = changed(gold, letters, seed + 10)
    theirs = of_seqeval(gold, system, mode="strict", scheme=getattr(scheme_of, scheme))
    assert_same(values_of(gold, system, reading="strict", scheme=scheme), theirs)


def test_strict_iob1_is_seqevals_on_well_formed_files() -> None:
    gold, system = (written(random_chunks(seed), "IOB1") for seed in (1, 2))
    system = [
        (ours + ["O"] * len(theirs))[: len(theirs)] for ours, theirs in zip(system, gold, strict=True)
    ]  # the end of a span may be cut off: still well-formed
    theirs = of_seqeval(gold, system, mode="strict", scheme=scheme_of.IOB1)
    assert_same(values_of(gold, system, reading="strict", scheme="IOB1"), theirs)


@pytest.mark.parametrize("seed", range(3))
def test_partial_credit_is_nervaluates_on_flat_spans(seed: int) -> None:
    gold = written(random_chunks(seed), "IOB2")
    system = changed(gold, "BI", seed, share=0.1)
    ours = values_of(gold, system)
    found = nervaluate.Evaluator(gold, system, tags=list(LABELS), loader="list").evaluate()["overall"]
    for schema in ("strict", "exact", "partial"):
        theirs = {name: getattr(found[schema], name) for name in ("correct", "spurious", "precision", "recall", "f1")}
        theirs["missing"] = found[schema].missed
        theirs |= {"partial": found[schema].partial} if schema == "partial" else {"incorrect": found[schema].incorrect}
        assert {name: ours[f"semeval.{schema}.{name}"] for name in theirs} == pytest.approx(theirs, abs=1e-12), schema
    assert (ours["semeval.type.correct"] or 0) >= found["ent_type"].correct  # it pairs in the order of its lists
