"""The option `cluster`: what items of one file are drawn together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import score
from pytest_nlpeval.columns import CLUSTER
from pytest_nlpeval.metrics.pairing import resampled_by
from tests.support import gold_xml, write

LABELS = {
    "gold.tsv": "id\tlabel\tauthor\n1\ta\tx\n2\tb\ty\n3\ta\tx\n4\ta\t\n",
    "system.tsv": "id\tlabel\n1\ta\n2\tb\n3\ta\n4\ta\n",
}
LINES = {
    "gold.jsonl": "".join(
        json.dumps({"id": str(rank), "answers": ["a"]} | ({"page": page} if page else {})) + "\n"
        for rank, page in enumerate(["p", 7, "p", None])
    ),
    "system.json": json.dumps(dict.fromkeys("0123", "a")),
}
SQUAD = {
    "gold.json": json.dumps(
        {
            "data": [
                {
                    "title": title,
                    "paragraphs": [
                        {"context": "a", "qas": [{"id": f"{title}{rank}", "answers": [{"text": "a"}]} for rank in "12"]}
                    ],
                }
                for title in "xy"
            ]
        }
    ),
    "system.json": json.dumps(dict.fromkeys(["x1", "x2", "y1", "y2"], "a")),
}
PAIRS = {"gold.xml": gold_xml(), "system.txt": "1 TRUE\n2 FALSE\n3 TRUE\n4 FALSE\n"}


@pytest.mark.parametrize(
    ("task", "files", "cluster", "expected"),
    [
        ("labels", LABELS, "author", ["x", "y", "x", None]),
        ("qa", LINES, "page", ["p", "7", "p", None]),
        ("qa", SQUAD, "title", ["x", "x", "y", "y"]),
        ("rte", PAIRS, "task", ["IR", "IR", "QA", "QA"]),
    ],
)
def test_evidence_says_what_an_item_belongs_to(
    tmp_path: Path, task: str, files: Mapping[str, str], cluster: str, expected: list[str | None]
) -> None:
    write(tmp_path, files)
    paths: dict[str, Any] = {name.partition(".")[0]: tmp_path / name for name in files}
    plain, clustered = (score(task, options=options, **paths) for options in ({}, {"cluster": cluster}))
    assert plain.evidence is not None
    assert clustered.evidence is not None
    assert clustered.evidence.columns[CLUSTER].tolist() == expected
    assert [resampled_by(result) for result in (plain.evidence, clustered.evidence)] == ["units", "clusters"]
    assert clustered.scores == plain.scores
    assert clustered.signature == plain.signature


def test_pairs_of_one_text_belong_together(tmp_path: Path) -> None:
    files = PAIRS | {"gold.xml": gold_xml().replace("A text.", "Another text.", 1)}
    write(tmp_path, files)
    result = score("rte", options={"cluster": "t"}, gold=tmp_path / "gold.xml", system=tmp_path / "system.txt")
    assert result.evidence is not None
    first, *others = result.evidence.columns[CLUSTER].tolist()
    assert len(set(others)) == 1
    assert first not in others
