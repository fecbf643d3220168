"""What must hold of all measures, on random files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.labels import tally
from tests.unit.tasks.labels.files import Scored, objects, same, scored

NAMES = ("g.jsonl", "s.jsonl")

Rows = list[dict[str, Any]]

LABELS = st.sampled_from("abcd")
GROUPS = st.sampled_from(["x", "y", "z"])
SHARES = st.integers(0, 4).map(lambda quarter: quarter / 4)

OF_KIND: Mapping[str, st.SearchStrategy[Any]] = {
    "label": LABELS,
    "labels": st.lists(LABELS, unique=True),
    "score": st.integers(-3, 3).map(lambda number: number / 2),
}


@st.composite
def files(draw: st.DrawFn, kind: str) -> tuple[Rows, Rows]:
    """Return rows of gold and system; of labels with probabilities."""
    number = draw(st.integers(1, 8))
    gold = [{"id": row, kind: draw(OF_KIND[kind]), "group": draw(GROUPS)} for row in range(number)]
    system = [{"id": row, kind: draw(OF_KIND[kind])} for row in range(number)]
    for row in system if kind == "labels" else ():
        row["p"] = {label: draw(SHARES) for label in draw(st.lists(LABELS, unique=True))}
    for row in system if kind == "label" else ():
        first = draw(SHARES)
        row["p"] = {"a": first, "b": 1 - first}
    return gold, system


def of(gold: Rows, system: Rows, kind: str, **options: Any) -> Scored:
    given = {"kind": kind, "group": "group", **({} if kind == "score" else {"probability": "p"}), **options}
    return scored(objects(gold), objects(system), {"labels.probability-sum": "off"}, NAMES, **given)


KINDS = st.sampled_from(["label", "labels", "score"])
CASES = KINDS.flatmap(lambda kind: st.tuples(st.just(kind), files(kind)))
PROFILES = st.sampled_from(["standard", "sklearn"])


@given(CASES, PROFILES, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_changes_nothing(case: tuple[str, tuple[Rows, Rows]], profile: str, chance: Random) -> None:
    kind, (gold, system) = case
    same(
        of(gold, system, kind, profile=profile).values(),
        of(shuffled(gold, chance), shuffled(system, chance), kind, profile=profile).values(),
    )


def shuffled(rows: Rows, chance: Random) -> Rows:
    """Return rows, their keys and the labels of sets in another order."""
    found = []
    for row in rows:
        items = [(key, chance.sample(value, len(value)) if isinstance(value, list) else value) for key, value in row.items()]
        found.append(dict(chance.sample(items, len(items))))
    return chance.sample(found, len(found))


@given(CASES, PROFILES, st.data())
@settings(deadline=None)
def test_a_weight_is_a_number_of_equal_items(case: tuple[str, tuple[Rows, Rows]], profile: str, data: st.DataObject) -> None:
    """Labels and groups stay those of all items, as they do in resamples."""
    kind, (gold, system) = case
    found = of(gold, system, kind, profile=profile)
    evidence = found.evidence
    assert evidence is not None
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(gold), max_size=len(gold)))
    rows = np.repeat(np.arange(len(gold)), weights)
    columns = {name: column[rows] for name, column in evidence.columns.items()}
    repeated = Scored(Evidence.of([str(row) for row in range(len(rows))], columns), [], [], found.given)
    same(found.values(np.array([weights])), repeated.values())


@given(CASES, st.data())
@settings(deadline=None)
def test_resamples_do_not_depend_on_each_other(case: tuple[str, tuple[Rows, Rows]], data: st.DataObject) -> None:
    kind, (gold, system) = case
    found = of(gold, system, kind)
    assert found.evidence is not None
    one = st.lists(st.integers(0, 2), min_size=len(gold), max_size=len(gold))
    weights = np.array(data.draw(st.lists(one, min_size=2, max_size=3)))
    sample = Sample(found.evidence, weights)
    together = {name: measure.values(sample) for name, measure in found.measures().items()}
    for place, alone in enumerate(weights):
        same({name: float(values[place]) for name, values in together.items()}, found.values(alone[None, :]))


@given(CASES)
@settings(deadline=None)
def test_the_system_equal_to_gold_is_perfect(case: tuple[str, tuple[Rows, Rows]]) -> None:
    kind, (gold, _) = case
    answers = [{"id": row["id"], kind: row[kind]} for row in gold]
    found = scored(objects(gold), objects(answers), None, NAMES, kind=kind, group="group")
    assert not found.explanations
    measures = found.measures()
    for name, value in found.values().items():
        if not math.isnan(value):
            assert value == pytest.approx(1 if measures[name].better == "higher" else 0, abs=1e-12), name


SWAPPED = {"precision": "recall", "recall": "precision"}
NOT_SWAPPED = ("balanced_accuracy",)


@given(CASES)
@settings(deadline=None)
def test_swapping_the_sides_swaps_precision_and_recall(case: tuple[str, tuple[Rows, Rows]]) -> None:
    kind, (gold, system) = case
    for rows in (gold, system):
        for row in rows:
            row.pop("p", None)
    groups = {row["id"]: row["group"] for row in gold}
    there = [{**row, "group": groups[row["id"]]} for row in system]
    one, other = (
        scored(objects(first), objects(second), None, NAMES, kind=kind, group="group").values()
        for first, second in ((gold, system), (there, gold))
    )
    assert one.keys() == other.keys()
    for name, value in one.items():
        stem, _, figure = name.rpartition(".")
        if "weighted" in stem or figure in NOT_SWAPPED:
            continue
        swapped = other[f"{stem}.{SWAPPED[figure]}" if figure in SWAPPED else name]
        assert value == pytest.approx(swapped, abs=1e-12, nan_ok=True), name


@given(CASES, PROFILES)
@settings(deadline=None)
def test_a_group_that_holds_every_item_has_the_values_of_the_suite(case: tuple[str, tuple[Rows, Rows]], profile: str) -> None:
    kind, (gold, system) = case
    values = of([{**row, "group": "x"} for row in gold], system, kind, profile=profile).values()
    groups = {name.removeprefix("group.x."): value for name, value in values.items() if name.startswith("group.")}
    same(groups, {name: value for name, value in values.items() if not name.startswith("group.")})


@given(KINDS.filter(lambda kind: kind != "score").flatmap(lambda kind: st.tuples(st.just(kind), files(kind))), PROFILES)
@settings(deadline=None)
def test_very_many_labels_are_counted_alike(case: tuple[str, tuple[Rows, Rows]], profile: str) -> None:
    """Beyond a number of labels they are summed in one pass, and not one by one."""
    kind, (gold, system) = case
    found = of(gold, system, kind, profile=profile)
    few = found.values()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "MOST_OF_TOTALS", 0)
        same(found.values(), few)


@pytest.mark.parametrize("kind", ["label", "labels", "score"])
@given(st.data())
@settings(deadline=None, max_examples=30)
def test_values_are_in_range(kind: str, data: st.DataObject) -> None:
    found = of(*data.draw(files(kind)), kind)
    measures = found.measures()
    for name, value in found.values().items():
        low, high, *_ = measures[name].range
        assert math.isnan(value) or low <= value <= high or name.endswith("brier"), name
        assert measures[name].missing


def test_documents_are_pooled() -> None:
    """Two documents give what one of all items gives."""
    chance = Random(3)
    gold = [{"id": row, "label": chance.choice("abc"), "group": chance.choice("xy")} for row in range(40)]
    system: Sequence[dict[str, Any]] = [{"id": row, "label": chance.choice("abc")} for row in range(40)]
    whole = scored(objects(gold), objects(system), None, NAMES, group="group")
    parts = []
    for name, rows in (("a", slice(25)), ("b", slice(25, None))):
        part = scored(objects(gold[rows]), objects(system[rows]), None, NAMES, group="group").evidence
        assert part is not None
        parts.append(part.named(name))
    same(Scored(Evidence.merge(parts), [], [], {"group": "group"}).values(), whole.values())
