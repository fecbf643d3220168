"""Every measure against its definition: the mean over all orders of level documents, one order after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from math import log2
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.ranking.measures import Name
from tests.unit.tasks.ranking.files import EVERY, collections, scores

Grades = dict[str, float]
Order = tuple[str, ...]


def orders(run: dict[str, float]) -> Iterator[Order]:
    """Yield all orders of results by falling score."""
    falling = sorted(run, key=lambda name: -run[name])
    blocks = [permutations(block) for _, block in groupby(falling, key=lambda name: run[name])]
    for parts in product(*map(list, blocks)):
        yield tuple(name for part in parts for name in part)


def ndcg(order: Sequence[str], grades: Grades, cut: int) -> float:
    def gain(names: Sequence[str]) -> float:
        return sum(max(grades.get(name, 0), 0) / log2(place + 2) for place, name in enumerate(names[:cut]))

    best = gain(sorted(grades, key=lambda name: -grades[name]))
    return gain(order) / best if best else 0.0


def bpref(order: Sequence[str], grades: Grades, rel: float) -> Fraction:
    relevant = {name for name, grade in grades.items() if grade >= rel}
    others = {name for name, grade in grades.items() if grade < rel and grade != -1}
    least = min(len(relevant), len(others))
    total = Fraction(0)
    for place, name in enumerate(order):
        if name in relevant:
            before = len(others.intersection(order[:place]))
            total += 1 - (Fraction(min(before, len(relevant)), least) if least else 0)
    return total / len(relevant)


def value(written: str, order: Sequence[str], grades: Grades, rel: float = 1) -> float:
    """Return a measure of one order, from its definition."""
    name = Name.of(written)
    cut = name.cut or 10**6
    relevant = [name for name, grade in grades.items() if grade >= rel]
    hits = [place for place, name in enumerate(order[:cut], 1) if name in relevant]
    if name.base == "nDCG":
        return ndcg(order, grades, cut)
    if name.base == "Bpref":
        return float(bpref(order, grades, rel))
    if name.base == "Judged":
        return sum(grades.get(name, -1) != -1 for name in order[:cut]) / min(cut, len(order))
    figures: dict[str, float] = {
        "AP": sum(rank / place for rank, place in enumerate(hits, 1)) / len(relevant),
        "RR": 1 / hits[0] if hits else 0,
        "P": len(hits) / cut,
        "R": len(hits) / len(relevant),
        "Success": float(bool(hits)),
        "Rprec": sum(name in relevant for name in order[: len(relevant)]) / len(relevant),
        "SetP": len(hits) / len(order) if order else 0,
        "SetR": len(hits) / len(relevant),
        "SetF": 2 * len(hits) / (len(order) + len(relevant)),
    }
    return figures[name.base]


def expected(written: str, gold: dict[str, Any], run: dict[str, Any], rel: float) -> float | None:
    """Return a measure's mean over the topics that count, and over the orders of each."""
    base = Name.of(written).base
    means = []
    for topic, grades in gold.items():
        has_relevant = any(grade >= (1e-300 if base == "nDCG" else rel) for grade in grades.values())
        if base == "Judged" and not run.get(topic):
            continue
        if base != "Judged" and not has_relevant:
            continue
        values = [value(written, order, grades, rel) for order in orders(run.get(topic, {}))]
        means.append(sum(values) / len(values))
    return sum(means) / len(means) if means else None


small = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=6)


@given(collections(), small, st.sampled_from([1, 2, 0.5]))
def test_every_measure_is_its_mean_over_all_orders(sides: tuple[Any, Any], run: dict[str, float], rel: float) -> None:
    gold, _ = sides
    system = {"q0": run}
    found = scores(gold, system, rel=rel)
    for written in EVERY:
        wanted = expected(written, gold, system, rel)
        assert found[written] == (None if wanted is None else pytest.approx(wanted, abs=1e-12)), written
