"""Records against the scorer of Donut, on random records; donut-python, which brings torch, is not among the extras."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pytest_nlpeval import score

util = pytest.importorskip("donut.util", exc_type=ImportError)

ROUNDS = 100
SCALARS = ("a", "b", " a ", "", " ", "1", "1.0", 0, 1, 2.5, 1.0, True, False, None)


def random_value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth and kind < 0.2:
        return {key: random_value(chance, depth - 1) for key in chance.sample("xyz", chance.randint(0, 3))}
    if depth and kind < 0.4:
        return [random_value(chance, depth - 1) for _ in range(chance.randint(0, 3))]
    if depth and kind < 0.5:
        return [
            {key: random_value(chance, 0) for key in chance.sample("xy", chance.randint(0, 2))}
            for _ in range(chance.randint(1, 3))
        ]
    return chance.choice(SCALARS)


def random_record(chance: random.Random) -> dict[str, Any]:
    return {key: random_value(chance, 2) for key in chance.sample("uvwx", chance.randint(1, 4))}


def test_f1_is_that_of_donut() -> None:
    compared = 0
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        gold = [random_record(chance) for _ in range(5)]
        system = [record if chance.random() < 0.3 else random_record(chance) for record in gold]
        result = score("records", gold=gold, system=system, options={"pair": "line", "profile": "donut"})
        assert result.outcome == "ok", (seed, [str(problem) for problem in result.all_problems()])
        if result.scores["micro.f1"].value is None:
            continue
        assert result["micro.f1"] == util.JSONParseEvaluator().cal_f1(system, gold), seed
        compared += 1
    assert compared > 0.9 * ROUNDS
