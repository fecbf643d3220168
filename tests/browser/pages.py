"""Pages whose every number is known."""

from __future__ import annotations

from functools import cache
from typing import Any

from pytest_nlpeval import Axis, Bars, Matrix, evaluate, load_suites
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from tests.test_contract import ROOT
from tests.unit.reports.documents import document, gate, suite
from tests.unit.reports.documents import render as rendered
from tests.unit.reports.test_drawing import dots, graph, line

KINDS = ("missed", "spurious", "wrong-value")


EXAMPLES = {config.parent.name: config for config in sorted((ROOT / "examples").glob("*/nlpeval.yaml"))}


@cache
def example(name: str) -> str:
    """The page of an example."""
    return render("html", report_of([evaluate(suite, explain=True) for suite in load_suites(EXAMPLES[name])]))


def explanation(place: int, **fields: Any) -> dict[str, Any]:
    """An explanation of document `place % 5`, of each kind in turn, every second bearing on `f1`, the others on `muc.*`.

    Its words stand in a passage with marks.
    """
    kind = KINDS[place % len(KINDS)]
    text = f"The ferry number {place} sank."
    marked = {"text": text, "gold": [[4, 9]], "system": [[7, 9]]}
    entry = {"case": f"d{place % 5}", "unit": str(place), "item": str(place), "reason": kind, "kind": kind, "line": None}
    told = {"gold": "G", "measures": [("f1", "muc.*")[place % 2]], "pair": ["G", f"S{place % 2}"], "group": f"g{place % 4}"}
    return {**entry, "message": f"message {place}", "passage": marked, **told, **fields}


def report(documents: int = 25, explanations: int = 30) -> dict[str, Any]:
    """A report of two systems, the first compared with a baseline: of every third explanation the change is known."""
    listed = [
        {
            "name": f"d{place}",
            "explanations": explanations // 5,
            "values": {"f1": (place * 7 % documents) / documents, "tp": place * 100},
        }
        for place in range(documents)
    ]
    sorts = ("newly_wrong", "otherwise_wrong")
    first = [explanation(place, **({"change": sorts[place % 2]} if place % 3 == 0 else {})) for place in range(explanations)]
    before = {"unit": "u", "reason": "missed", "message": "was missed", "line": 1, "kind": "missed"}
    right = {"case": "d7", "unit": "u", "item": "u", "change": "newly_right", "before": before, "now": None}
    scores = {
        "f1": {"value": 0.25, "low": 0.2, "high": 0.375, "baseline": 0.5, "drop": 0.25, "p": 0.01},
        **{f"{name}.{side}": {"value": 0.5, "group": name} for name in ("muc", "link") for side in ("precision", "recall", "f1")},
        "tp": {"value": 1200},
        "cws": {"value": None, "reason": "no confidences"},
    }
    graphs = [
        graph(
            line((0, 0), (0.5, 1), (1, 0.75)), dots((0.25, 0.5)), {**line((0, 0), (1, 1)), "name": "chance", "style": "reference"}
        ),
        Matrix.of("labels", "Labels", "It shows.", "gold", "ours", {("a", "a"): 3, ("a", "b"): 1, ("b", "b"): 2}).to_json(),
        Bars("parts", "Parts", "It shows.", Axis("accuracy"), (("x", 0.25), ("y", 1.0))).to_json(),
    ]
    ours = suite(
        name="dev/ours",
        system="ours",
        cases={"total": documents, "failed": 0, "by": "f1", "documents": listed, "cut": 0},
        explanations={"counts": {"missed": explanations}, "first": first, "cut": 0},
        changes={
            "counts": {"newly_wrong": 5, "newly_right": 1, "otherwise_wrong": 5},
            "first": [right],
            "by": {
                "reason": [
                    {"name": kind, "then": 5, "today": 10 + place, "newly_wrong": 5, "newly_right": 0}
                    for place, kind in enumerate(KINDS)
                ]
            },
        },
        baseline={"source": "git:main", "commit": "c" * 40, "resampled": "units", "units": {"paired": 9, "differing": 3}},
        notes=["compared with git:main"],
        scores=scores,
        gates=[gate(), gate(measure="tp", threshold=1000, value=1200, verdict="passed", reason="")],
        graphs=graphs,
    )
    return document(ours, suite(name="dev/old", system="old", outcome="ok", gates=[], graphs=graphs))


def of_a_thousand_documents() -> str:
    """The page of a report of 1,000 documents and 10,000 items, each with a passage."""
    text = "Nobody was hurt when the old ferry sank near the harbour in winter. " * 6
    long = [explanation(place, passage={"text": text[:400], "gold": [[4, 9]], "system": [[30, 50]]}) for place in range(10_000)]
    big = report(documents=1000)["suites"][0]
    return rendered("html", document({**big, "explanations": {"counts": {"missed": 10_000}, "first": long, "cut": 0}}))


def of_twenty_five_thousand_measures() -> str:
    """The page of a suite with 25,001 measures."""
    scores = {
        f"relation.{place}.f1": {"value": place % 1000 / 1000, "low": 0.1, "high": 0.9, "baseline": 0.5, "drop": 0.1}
        for place in range(25_000)
    }
    return rendered("html", document(suite(scores={"f1": {"value": 0.25}, **scores})))
