"""What trec_eval, pytrec_eval and the reference give for a small collection, where it is at hand."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import score
from pytest_nlpeval.tasks.ranking.native import _name_of

DATA = Path(os.environ.get("NLPEVAL_RANKING") or Path(__file__).parents[5] / "shared/data/ranking")

MEASURES = [
    "AP",
    "Rprec",
    "Bpref",
    "RR",
    "RR@10",
    "P@5",
    "P@10",
    "R@10",
    "nDCG",
    "nDCG@10",
    "Success@1",
    "Success@5",
    "SetP",
    "SetR",
    "SetF",
]

STANDARD = "standard (the reference)"

SCORERS: dict[str, tuple[dict[str, Any], float]] = {
    "trec_eval 10.0 -c": ({"profile": "trec_eval"}, 1e-15),
    "trec_eval 10.0 -c -M 10": ({"profile": "trec_eval"}, 1e-15),
    "trec_eval 10.0 -c -l 2": ({"profile": "trec_eval", "rel": 2}, 1e-15),
    "trec_eval 10.0 -c -l 2 -M 10": ({"profile": "trec_eval", "rel": 2}, 1e-15),
    "trec_eval 9.0.8": ({"profile": "pytrec_eval"}, 0.5e-4),
    "trec_eval 9.0.8 -M 10": ({"profile": "pytrec_eval"}, 0.5e-4),
    "pytrec_eval, mean": ({"profile": "pytrec_eval"}, 1e-15),
    STANDARD: ({}, 1e-15),
}
"""The options that give a scorer's figures, and how many digits of these are told."""


def rows() -> list[dict[str, str]]:
    with (DATA / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


@pytest.mark.skipif(not DATA.is_dir(), reason="the collection is not at hand")
@pytest.mark.parametrize("gold", ["gold.qrels", "gold.tsv", "gold.jsonl"])
@pytest.mark.parametrize("system", ["bm25.trec", "overlap.trec", "overlap.json", "overlap.jsonl"])
def test_the_figures_of_every_scorer(gold: str, system: str) -> None:
    run = system.partition(".")[0]
    results = {
        scorer: score(
            "ranking",
            gold=DATA / gold,
            system=DATA / system,
            options={**options, **({} if scorer == STANDARD else {"measures": MEASURES})},
        )
        for scorer, (options, _) in SCORERS.items()
    }
    compared = 0
    for row in rows():
        if row["run"] != run:
            continue
        result, tolerance = results[row["scorer"]], SCORERS[row["scorer"]][1]
        names = {_name_of(measure): measure for measure in MEASURES}
        cut = "@10" if row["scorer"].endswith("-M 10") else ""
        measure = row["figure"] if row["scorer"] == STANDARD else names[row["figure"]] + cut
        share = result["coverage"] if "9.0.8" in row["scorer"] or "pytrec" in row["scorer"] else 1  # these leave q14 out
        assert share is not None
        found = result[measure]
        assert found is not None
        assert found / share == pytest.approx(float(row["value"]), abs=tolerance + 1e-15, rel=0), (row, found)
        compared += 1
    assert compared == 70
