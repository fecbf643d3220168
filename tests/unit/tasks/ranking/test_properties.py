"""What must hold of the measures, whatever the files."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.tasks.ranking.options import options
from tests.unit.tasks.ranking.files import EVERY, collections, counted, qrels, scores, trec, values_of

Sides = tuple[dict[str, dict[str, Any]], dict[str, dict[str, float]]]


def close(found: dict[str, float | None]) -> Any:
    return {name: None if value is None else pytest.approx(value, abs=1e-12) for name, value in found.items()}


@given(collections(), st.randoms())
@settings(deadline=None)
def test_the_order_of_lines_and_names_change_nothing(sides: Sides, chance: Any) -> None:
    gold, run = sides
    expected = close(scores(gold, run))
    chosen = options(measures=list(EVERY))
    texts = []
    for text in (qrels(gold), trec(run)):
        lines = text.splitlines(keepends=True)
        chance.shuffle(lines)
        texts.append("".join(lines))
    assert values_of(counted(texts[0], texts[1], chosen)[0].evidence, chosen) == expected
    names = sorted({name for side in sides for own in side.values() for name in own})
    others = dict(zip(names, chance.sample([f"n{number}" for number in range(len(names))], len(names)), strict=True))
    renamed = [
        {f"t{topic}": {others[name]: value for name, value in own.items()} for topic, own in side.items()} for side in sides
    ]
    assert scores(*renamed) == expected


@given(collections())
@settings(deadline=None)
def test_an_increasing_function_of_the_scores_changes_nothing(sides: Sides) -> None:
    gold, run = sides
    places = {topic: {score: rank for rank, score in enumerate(sorted(set(own.values())))} for topic, own in run.items()}
    other = {topic: {name: 3.0 * places[topic][score] - 7 for name, score in own.items()} for topic, own in run.items()}
    assert scores(gold, other) == scores(gold, run)


def distinct(run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return the results with other scores, of which no two are equal."""
    return {topic: {name: float(-place) for place, name in enumerate(own)} for topic, own in run.items()}


@given(collections())
@settings(deadline=None)
def test_lists_are_the_same_lists_with_falling_scores(sides: Sides) -> None:
    import json

    gold, run = sides
    chosen = options(measures=list(EVERY))
    lists = json.dumps({topic: list(own) for topic, own in run.items()})
    for profile in ("standard", "trec_eval", "pytrec_eval"):
        own = options(measures=list(EVERY), profile=profile)
        assert values_of(counted(qrels(gold), lists, own)[0].evidence, chosen) == values_of(
            counted(qrels(gold), trec(distinct(run)), own)[0].evidence, chosen
        )


@given(collections())
@settings(deadline=None)
def test_profiles_agree_without_ties(sides: Sides) -> None:
    gold = {topic: {**own, "r": 1} for topic, own in sides[0].items()}
    run = distinct(sides[1])
    standard = scores(gold, run)
    assert scores(gold, run, profile="trec_eval") == standard
    assert scores(gold, run, profile="pytrec_eval") == standard


@given(collections())
@settings(deadline=None)
def test_the_best_run_is_perfect(sides: Sides) -> None:
    gold = {topic: {**own, "r": 1} for topic, own in sides[0].items()}
    best = {topic: {name: float(grade) for name, grade in own.items() if grade > 0} for topic, own in gold.items()}
    found = scores(gold, best)
    assert {name: found[name] for name in ("nDCG", "AP", "RR", "Rprec", "Bpref", "SetF")} == pytest.approx(
        dict.fromkeys(("nDCG", "AP", "RR", "Rprec", "Bpref", "SetF"), 1)
    )


@given(collections())
@settings(deadline=None)
def test_more_places_find_no_less(sides: Sides) -> None:
    names = [f"{base}@{cut}" for base in ("R", "Success", "RR") for cut in range(1, 9)]
    found = scores(*sides, measures=(*names, *(f"P@{cut}" for cut in range(1, 9))))
    for base in ("R", "Success", "RR"):
        values = [found[f"{base}@{cut}"] for cut in range(1, 9)]
        if values[0] is not None:
            assert all(first <= second + 1e-12 for first, second in pairwise(values) if first is not None and second is not None)
    for cut in range(1, 9):
        precision, success = found[f"P@{cut}"], found[f"Success@{cut}"]
        assert precision is None or success is None or precision <= success + 1e-12


@given(collections())
@settings(deadline=None)
def test_further_judgements_of_not_relevant_documents_change_only_two_measures(sides: Sides) -> None:
    gold, run = sides
    more = {topic: {**dict.fromkeys(run.get(topic, {}), 0), **own} for topic, own in gold.items()}
    before, after = scores(gold, run), scores(more, run)
    assert {name: after[name] for name in EVERY if name != "Bpref" and "Judged" not in name} == {
        name: before[name] for name in EVERY if name != "Bpref" and "Judged" not in name
    }


@given(collections())
@settings(deadline=None)
def test_in_trec_eval_level_documents_stand_by_falling_id(sides: Sides) -> None:
    gold, run = sides
    falling = {topic: sorted(own, key=lambda name: (own[name], name.encode()), reverse=True) for topic, own in run.items()}
    others = {topic: {name: float(-place) for place, name in enumerate(names)} for topic, names in falling.items()}
    assert scores(gold, run, profile="trec_eval") == scores(gold, others, profile="trec_eval")


@given(collections(), st.sampled_from(["standard", "trec_eval", "pytrec_eval"]), st.sampled_from(["linear", "exponential"]))
@settings(deadline=None)
def test_values_lie_between_0_and_1(sides: Sides, profile: str, gains: str) -> None:
    found = scores(*sides, profile=profile, gains=gains)
    assert all(value is None or 0 <= value <= 1 for value in found.values())


def test_large_blocks_of_equal_scores() -> None:
    """A constant score of 5,000 documents, of which 3 are relevant, one of them third in line for trec_eval."""
    names = [f"d{number:04}" for number in range(5000)]
    gold = {"q": dict.fromkeys(names[:3], 1)}
    found = scores(gold, {"q": dict.fromkeys(names, 1.0)}, measures=("P@10", "R@10", "AP", "RR", "Success@10"))
    assert found["P@10"] == pytest.approx(3 / 5000, rel=1e-12)
    assert found["R@10"] == pytest.approx(10 / 5000, rel=1e-12)
    none = (4990 * 4989 * 4988) / (5000 * 4999 * 4998)
    assert found["Success@10"] == pytest.approx(1 - none, rel=1e-12)
    first, chances = 3 / 5000, []
    for place in range(1, 4999):
        chances.append(first / place)
        first *= (5000 - place - 2) / (5000 - place)
    assert found["RR"] == pytest.approx(sum(chances), rel=1e-12)
    precision = sum((1 + (place - 1) * 2 / 4999) / place for place in range(1, 5001)) / 5000
    assert found["AP"] == pytest.approx(precision, rel=1e-12)


def test_level_documents_of_one_gain_are_no_better_than_ideal() -> None:
    """0.1 + 0.1 + 0.1 is above 3 * 0.1."""
    gold = {"q": dict.fromkeys("abc", 0.1)}
    assert scores(gold, {"q": dict.fromkeys("abc", 1.0)}, measures=("nDCG",), rel=0.1) == {"nDCG": 1, "coverage": 1}
