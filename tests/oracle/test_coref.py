"""Coreference against coval, on random entities. No registry has coval: put its folder on `PYTHONPATH`."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.unit.tasks.coref.files import WORDS, Span, as_json, scores

evaluator = pytest.importorskip("coval.eval.evaluator")

MEASURES = ("mentions", "muc", "bcub", "ceafe", "lea")


def random_side(chance: random.Random) -> list[list[Span]]:
    """Some disjoint entities."""
    spans = {(first, min(WORDS - 1, first + chance.choice([0, 0, 1, 2]))) for first in chance.choices(range(WORDS), k=9)}
    groups: dict[int, list[Span]] = {}
    for span in sorted(spans):
        groups.setdefault(chance.randrange(5), []).append(span)
    return list(groups.values())


def owners(side: list[list[Span]], other: list[list[Span]]) -> dict[Span, int]:
    """Return for the mentions of a side the rank of the other's entity that has them."""
    theirs = {mention: rank for rank, entity in enumerate(other) for mention in entity}
    return {mention: theirs[mention] for entity in side for mention in entity if mention in theirs}


@pytest.mark.parametrize("seed", range(300))
def test_coval_says_the_same(seed: int) -> None:
    """Where there is no value, coval says 0. Its CEAF-m is divided by entities, and left out."""
    chance = random.Random(seed)
    documents = {str(rank): (random_side(chance), random_side(chance)) for rank in range(chance.randint(1, 4))}
    gold, system = (as_json({name: sides[side] for name, sides in documents.items()}) for side in range(2))
    found = scores(gold, system)
    infos: dict[str, Any] = {
        name: (list(map(tuple, key)), list(map(tuple, response)), owners(key, response), owners(response, key))
        for name, (key, response) in documents.items()
    }
    for name in MEASURES:
        metric = {"bcub": "b_cubed"}.get(name, name)
        recall, precision, f1 = evaluator.evaluate_documents(infos, getattr(evaluator, metric))
        for figure, value in (("recall", recall), ("precision", precision), ("f1", f1)):
            assert (found[f"{name}.{figure}"] or 0) == pytest.approx(value, abs=1e-9), f"{name}.{figure}"
