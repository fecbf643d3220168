"""The task ranking against pytrec_eval and ir_measures, where these are installed: random collections, to the digit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.tasks.ranking.files import GRADES, collections, scores

OF_PYTREC_EVAL = {
    "map": "AP",
    "map_cut_5": "AP@5",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_10": "nDCG@10",
    "P_5": "P@5",
    "P_10": "P@10",
    "recall_5": "R@5",
    "recall_10": "R@10",
    "success_1": "Success@1",
    "success_5": "Success@5",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
}

OF_IR_MEASURES = (
    "nDCG@3",
    "nDCG@10",
    "AP",
    "AP@3",
    "RR",
    "RR@3",
    "P@3",
    "R@3",
    "Success@1",
    "Success@3",
    "Rprec",
    "Bpref",
    "SetP",
    "SetR",
    "Judged@3",
    "Judged@10",
)

Sides = tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]

judged = collections(GRADES.filter(lambda grade: grade >= 0))
"""trec_eval reads what is left from the topic before where a topic has negative grades only."""


@given(judged, st.sampled_from([1, 2]))
@settings(max_examples=500, deadline=None)
def test_pytrec_eval(sides: Sides, rel: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    gold, run = sides
    evaluator = pytrec_eval.RelevanceEvaluator(
        gold,
        {name.rpartition("_")[0] if name[-1].isdigit() else name for name in OF_PYTREC_EVAL}
        | {"map_cut.5", "ndcg_cut.5,10", "P.5,10", "recall.5,10", "success.1,5"}
        - {"map_cut", "ndcg_cut", "P", "recall", "success"},
        relevance_level=rel,
    )
    topics: Any = evaluator.evaluate(run)
    found = scores(gold, run, measures=tuple(OF_PYTREC_EVAL.values()), profile="pytrec_eval", rel=rel)
    for name, measure in OF_PYTREC_EVAL.items():
        wanted = sum(values[name] for values in topics.values()) / len(gold)
        assert found[measure] == pytest.approx(wanted, rel=1e-14, abs=0), measure


@given(judged, st.sampled_from([1, 2]))
@settings(max_examples=200, deadline=None)
def test_ir_measures_without_ties(sides: Sides, rel: int) -> None:
    """It leaves topics without results out, of `Judged@k` and of all means, and counts topics without relevant documents as 0."""
    ir_measures = pytest.importorskip("ir_measures")
    gold, run = sides
    distinct = {
        topic: {name: float(place) for place, name in enumerate(sorted(own, key=lambda name: own[name]))}
        for topic, own in run.items()
    }
    kept = {topic: grades for topic, grades in gold.items() if topic in run and any(grade >= rel for grade in grades.values())}
    if not kept:
        return
    parsed = {name: ir_measures.parse_measure(name) for name in OF_IR_MEASURES}
    graded = {
        name: measure(rel=rel) if "rel" in measure.SUPPORTED_PARAMS and not name.startswith(("nDCG", "Judged")) else measure
        for name, measure in parsed.items()
    }
    wanted = ir_measures.calc_aggregate(list(graded.values()), kept, {topic: distinct[topic] for topic in kept})
    found = scores(kept, distinct, measures=OF_IR_MEASURES, rel=rel)
    for name, measure in graded.items():
        assert found[name] == pytest.approx(wanted[measure], rel=1e-12, abs=1e-12), name
