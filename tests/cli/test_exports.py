"""Files as well-known tools write them are read with the options of docs/items.md, docs/qa.md and docs/spans.md, and recognised."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_nlpeval import evaluate, score
from pytest_nlpeval.run.recognition.deciding import recognised
from tests.support import write

DOCS = Path(__file__).parents[2] / "docs"
Files = dict[str, str]
QA_HEADING = "[files that list items](items.md)"


def rows_of(page: str, heading: str) -> dict[str, list[str]]:
    """Return the cells behind the first one of each row of the first table below a line of a page."""
    text = (DOCS / page).read_text(encoding="utf-8").split(heading)[1]
    table = re.search(r"^\|.*(?:\n\|.*)*", text, re.MULTILINE)
    assert table
    rows = ([cell.strip() for cell in line.strip("|").split(" | ")] for line in table[0].splitlines()[2:])
    return {first.removeprefix("| "): others for first, *others in rows}


def as_lines(*records: Any) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


LM_EVAL = as_lines(
    *(
        {
            "doc_id": place,
            "doc": {"text": "…"},
            "target": gold,
            "resps": [[said]],
            "filtered_resps": [said],
            "filter": "none",
            "acc": 1.0,
        }
        for place, (gold, said) in enumerate((("book", "book"), ("cancel", "cancel"), ("book", "cancel")))
    )
)
TESTS = "name,intent\na,book\nb,cancel\nc,book\n"
PROMPTFOO = json.dumps(
    {
        "evalId": "eval-1",
        "results": {
            "version": 3,
            "prompts": [],
            "results": [
                {
                    "testIdx": place,
                    "vars": {"name": name},
                    "provider": {"id": provider, "label": ""},
                    "response": {"output": said},
                }
                for provider in ("local:first", "local:second")
                for place, (name, said) in enumerate((("a", "book"), ("b", "cancel"), ("c", "cancel")))
            ],
        },
    }
)
INSPECT = json.dumps(
    {
        "version": 2,
        "status": "success",
        "eval": {"task": "intents"},
        "samples": [
            {"id": place, "epoch": 1, "input": "…", "target": gold, "scores": {"match": {"value": "C", "answer": said}}}
            for place, (gold, said) in enumerate((("book", "book"), ("cancel", "cancel"), ("book", "cancel")))
        ],
    }
)
TABLE = "id,text,label\n1,One.,book\n2,Two.,cancel\n3,Three.,book\n"
BEST = [{"label": "book", "score": 0.9}, {"label": "cancel", "score": 0.8}, {"label": "cancel", "score": 0.6}]
ALL = [
    [best, {"label": {"book": "cancel", "cancel": "book"}[str(best["label"])], "score": 1 - float(str(best["score"]))}]
    for best in BEST
]

LABELS: dict[str, tuple[Files, Files]] = {
    "lm-evaluation-harness, `samples_*.jsonl`": ({"samples.jsonl": LM_EVAL}, {"samples.jsonl": LM_EVAL}),
    "promptfoo, `-o out.json`": ({"tests.csv": TESTS}, {"out.json": PROMPTFOO}),
    "inspect_ai, `inspect log dump`": ({"log.json": INSPECT}, {"log.json": INSPECT}),
    "pandas, `to_csv(index=False)`": ({"gold.csv": TABLE}, {"out.csv": "id,prediction\n1,book\n2,cancel\n3,cancel\n"}),
    "pandas, a column of lists": (
        {"gold.csv": "id,labels\n1,\"['toxic', 'spam']\"\n2,[]\n3,['spam']\n"},
        {"out.csv": "id,labels\n1,\"['spam', 'toxic']\"\n2,[]\n3,['toxic']\n"},
    ),
    "pandas, a column per label": (
        {"gold.csv": "id,toxic,spam\n1,True,True\n2,False,False\n3,False,True\n"},
        {"out.csv": "id,toxic,spam\n1,1.0,1.0\n2,0.0,0.0\n3,1.0,0.0\n"},
    ),
    '`pipeline("text-classification")` of Hugging Face, for a list of texts': (
        {"gold.csv": TABLE},
        {"out.json": json.dumps(BEST)},
    ),
    "the same with `top_k=None`, the scores of all labels for each text": ({"gold.csv": TABLE}, {"out.json": json.dumps(ALL)}),
}
"""A file of gold and one of the system for each row of the table in docs/items.md, of three items of which two are right."""

NOT_RECOGNISED = {"promptfoo, `-o out.json`", "inspect_ai, `inspect log dump`"}
"""Rows of which a user must name the options: which provider is meant, or that answers count and not the scores beside them."""

ANSWERED = (("['Orlin', 'the Orlin']", "Orlin", "Orlin"), ("['Mira Voss']", "Ott", "Mira Voss"))
SAMPLES = as_lines(
    *(
        {"doc_id": place, "doc": {"question": "…"}, "target": gold, "filtered_resps": [answers[rank]], "filter": name}
        for rank, name in enumerate(("none", "last"))
        for place, (gold, *answers) in enumerate(ANSWERED)
    )
)
QA: dict[str, tuple[Files, Files, float]] = {
    "lm-evaluation-harness, `samples_*.jsonl`, as gold and system": (
        {"samples.jsonl": SAMPLES},
        {"samples.jsonl": SAMPLES},
        1 / 2,
    ),
    "promptfoo, `-o out.json`, gold a table of the tests": (
        {"tests.csv": "name,expected\na,book\nb,cancel\nc,book\n"},
        {"out.json": PROMPTFOO.replace("local:", "")},
        2 / 3,
    ),
    "pandas, `to_csv(index=False)`": (
        {"gold.csv": "id,reference\n1,\"['Orlin', 'the Orlin']\"\n2,Mira Voss\n3,\n"},
        {"out.csv": "id,answer\n1,Orlin\n2,Ott\n3,\n"},
        2 / 3,
    ),
}
"""A file of gold and one of the system for each row of the table in docs/qa.md, and the share of right answers."""

TEXT = "Mira Voss saw Orlin."
GOLD = as_lines({"id": 7, "text": TEXT, "spans": [[0, 9, "PER"], [14, 19, "LOC"]]}, {"id": 8, "text": "Ott left.", "spans": []})
PLACES = {"start": 0, "end": 9}
"""Of gold's two spans the system finds one, and nothing else."""

LABEL_STUDIO = {"value": {**PLACES, "text": "Mira Voss", "labels": ["PER"]}, "id": "a", "from_name": "label", "type": "labels"}
SPANS: dict[str, list[Files]] = {
    "spaCy": [
        {"out.jsonl": as_lines(*docs)}
        for docs in [
            (
                {"text": TEXT, "ents": [{**PLACES, "label": "PER"}], "sents": [{"start": 0, "end": 20}], "tokens": [{"id": 0}]},
                {"text": "Ott left.", "ents": [], "tokens": [{"id": 0, "start": 0, "end": 3}]},
            )
        ]
    ],
    'Hugging Face, `pipeline("token-classification", aggregation_strategy="simple")`': [
        {
            "out.jsonl": as_lines(
                {"entities": [{"entity_group": "PER", "score": 0.9, "word": "mira voss", **PLACES}]}, {"entities": []}
            )
        },
        {"out.jsonl": as_lines([{"entity_group": "PER", "score": 0.9, "word": "mira voss", **PLACES}], [])},
        {"out.json": json.dumps([[{"entity_group": "PER", "score": 0.9, "word": "mira voss", **PLACES}], []])},
    ],
    "Presidio, GLiNER": [
        {"out.jsonl": as_lines({"entities": [{"entity_type": "PER", **PLACES, "score": 0.85}]}, {"entities": []})},
        {"out.json": json.dumps([[{**PLACES, "text": "Mira Voss", "label": "PER", "score": 0.98}], []])},
    ],
    "Label Studio": [
        {
            "out.json": json.dumps(
                [
                    {"id": 7, "annotations": [{"id": 1, "result": [LABEL_STUDIO]}], "data": {"text": TEXT}, "predictions": []},
                    {"id": 8, "annotations": [{"id": 2, "result": []}], "data": {"text": "Ott left."}, "predictions": []},
                ]
            )
        },
        {
            "out.json": json.dumps(
                [
                    {"id": 7, "text": TEXT, "label": [{**PLACES, "text": "Mira Voss", "labels": ["PER"]}], "annotator": 1},
                    {"id": 8, "text": "Ott left.", "label": [], "annotator": 1},
                ]
            )
        },
    ],
    "doccano, Prodigy": [
        {
            "out.jsonl": as_lines(
                {"id": 7, "text": TEXT, "label": [[0, 9, "PER"]], "Comments": []}, {"id": 8, "text": "Ott left.", "label": []}
            )
        },
        {
            "out.jsonl": as_lines(
                {
                    "id": 7,
                    "text": TEXT,
                    "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 9}],
                    "relations": [],
                },
                {"id": 8, "text": "Ott left.", "entities": [], "relations": []},
            )
        },
        {
            "out.jsonl": as_lines(
                {
                    "text": TEXT,
                    "_input_hash": 1,
                    "tokens": [{"text": "Mira", "start": 0, "end": 4, "id": 0, "ws": True}],
                    "spans": [{**PLACES, "token_start": 0, "token_end": 1, "label": "PER"}],
                    "answer": "accept",
                },
                {"text": "Ott left.", "_input_hash": 2, "tokens": [], "spans": [], "answer": "accept"},
            )
        },
    ],
}
TOKENS = as_lines(
    {"id": "0", "tokens": ["Mira", "Voss", "saw", "Orlin"], "ner_tags": ["B-PER", "I-PER", "O", "B-LOC"]},
    {"id": "1", "tokens": ["Ott", "left"], "ner_tags": ["O", "O"]},
)
TRAINING = as_lines(
    {"tokenized_text": ["Mira", "Voss", "saw", "Orlin"], "ner": [[0, 1, "PER"], [3, 3, "LOC"]]},
    {"tokenized_text": ["Ott", "left"], "ner": []},
)
PREDICTED = json.dumps([[{**PLACES, "text": "Mira Voss", "label": "PER", "score": 0.98}], []])


def spans_files() -> Iterator[tuple[str, Files, Files]]:
    """Yield the row of the table in docs/spans.md, and the files of gold and system, of each kind of file that it names."""
    yield from ((tool, {"gold.jsonl": GOLD}, files) for tool, kinds in SPANS.items() for files in kinds)
    said = TOKENS.replace('"B-LOC"', '"O"')
    yield "Hugging Face, data sets", {"gold.jsonl": TOKENS}, {"out.jsonl": said}
    yield "GLiNER, training data", {"gold.jsonl": TRAINING}, {"out.json": PREDICTED}
    yield (
        "GLiNER, training data",
        {"gold.json": json.dumps(list(map(json.loads, TRAINING.splitlines())))},
        {"out.json": PREDICTED},
    )


SPAN_FILES = [*spans_files()]


def test_each_row_of_the_tables_has_files() -> None:
    assert rows_of("items.md", "## Exports of other tools").keys() == LABELS.keys()
    assert rows_of("qa.md", QA_HEADING).keys() == QA.keys()
    assert rows_of("spans.md", "Exports of these tools").keys() == {tool for tool, _, _ in SPAN_FILES}


def only(folder: Path, files: Files) -> Path:
    """Write the only one of some files; return its path."""
    write(folder, files)
    (name,) = files
    return folder / name


def options_of(cells: list[str]) -> dict[str, Any]:
    """Return the options that the last cell of a row gives."""
    options: dict[str, Any] = {}
    for option in re.findall(r"`(\w+: [^`]+)`", cells[-1]):
        options |= yaml.safe_load(option)
    assert options
    return options


@pytest.mark.parametrize("tool", QA)
def test_answers_are_read_with_the_options_of_the_table(tool: str, tmp_path: Path) -> None:
    *files, exact = QA[tool]
    gold, system = (only(tmp_path, each) for each in files)
    result = score("qa", gold=gold, system=system, options=options_of(rows_of("qa.md", QA_HEADING)[tool]))
    assert not result.all_problems()
    assert result["exact"] == exact


@pytest.mark.parametrize("tool", LABELS)
def test_labels_are_read_with_the_options_of_the_table(tool: str, tmp_path: Path) -> None:
    gold, system = (only(tmp_path, files) for files in LABELS[tool])
    options = options_of(rows_of("items.md", "## Exports of other tools")[tool])
    result = score("labels", gold=gold, system=system, options=options)
    assert not result.all_problems()
    assert result["subset_accuracy" if "kind" in options else "accuracy"] == 2 / 3
    if tool not in NOT_RECOGNISED:
        (decision,) = recognised(gold.name, system.name, tmp_path)
        assert decision.chosen
        assert decision.chosen.task == "labels"
        assert evaluate(decision.chosen.suite(tmp_path))["subset_accuracy" if "kind" in options else "accuracy"] == 2 / 3


@pytest.mark.parametrize(
    ("tool", "gold", "system"), SPAN_FILES, ids=[f"{tool}-{place}" for place, (tool, _, _) in enumerate(SPAN_FILES)]
)
def test_spans_are_read_as_they_are(tool: str, gold: Files, system: Files, tmp_path: Path) -> None:
    paths = only(tmp_path, gold), only(tmp_path, system)
    result = score("spans", gold=paths[0], system=paths[1], options={"format": "jsonl"})
    assert not result.all_problems(), tool
    assert (result["micro.precision"], result["micro.recall"]) == (1, 1 / 2)
    (decision,) = recognised(paths[0].name, paths[1].name, tmp_path)
    assert decision.chosen
    assert decision.chosen.suite(tmp_path).recipe.options == result.suite.recipe.options
