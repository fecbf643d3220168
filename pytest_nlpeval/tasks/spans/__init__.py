"""Labelled spans of text, such as named entities: CoNLL columns, JSON Lines with offsets, brat standoff.

Sources: conlleval.pl (Tjong Kim Sang, 2004); seqeval 1.2.2; SemEval-2013 Task 9 (partial credit), as nervaluate 1.2.1 computes it.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.kit.groups import group_kinds
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.spans.measures import measures, notes, signature
from pytest_nlpeval.tasks.spans.native import native
from pytest_nlpeval.tasks.spans.options import PARTS, RECORDS, annotation_ending, make_options, text_ending

PROBLEMS = {
    **text_kinds("off"),
    **group_kinds("spans"),
    "spans.roles": Kind("error", "a text is given, and the format is not brat", fixed=True),
    "spans.columns": Kind("error", "conll: a line has fewer than two columns, or not the one that `columns` names", fixed=True),
    "spans.column-count": Kind(
        "error", "conll: a line has more or fewer columns than the first; if tolerated, it is read all the same"
    ),
    "spans.tag-columns": Kind(
        "warning",
        "conll: the last two columns have tags, the first of them not of chunks, and no option says which is meant; the last is read",
    ),
    "spans.tag": Kind("error", "conll, or tags in jsonl: no tag; if tolerated, it counts as O"),
    "spans.scheme": Kind("warning", "conll: a tag that the scheme does not allow where it stands; `reading` says what it means"),
    "spans.length": Kind(
        "error", "conll: the system has another number of sentences, or of tokens in one, than gold", fixed=True
    ),
    "spans.tokens": Kind("error", "conll: the system has another token than gold; if tolerated, tokens go by place"),
    "spans.json": Kind(
        "error", "jsonl: a line or document is no JSON, or has a key twice, NaN, or half a surrogate pair", fixed=True
    ),
    "spans.record": Kind(
        "error", "jsonl: a text, an id, a list of spans or a span is missing or not what it should be", fixed=True
    ),
    "spans.items": Kind("error", "jsonl: the path of records in a document leads nowhere, or to something else", fixed=True),
    "spans.path": Kind("error", "jsonl: a path picks two elements of a list", fixed=True),
    "spans.where": Kind("error", "jsonl: no record is left by the option `where`", fixed=True),
    "spans.no-list": Kind("error", "jsonl: a record has no list of spans; if tolerated, it has no spans"),
    "spans.answer": Kind("error", "jsonl: a record is rejected or ignored (Prodigy); if tolerated, it counts like any other"),
    "spans.duplicate-id": Kind("error", "jsonl: two records have one id", fixed=True),
    "spans.records": Kind(
        "error", "jsonl: without ids in both files, the system has another number of records than gold", fixed=True
    ),
    "spans.missing": Kind("error", "jsonl: the system has no record with an id of gold; if tolerated, it has no spans there"),
    "spans.unknown-id": Kind("error", "jsonl: gold has no record with an id of the system; if tolerated, it is left out"),
    "spans.other-text": Kind("error", "jsonl: the system's text is not gold's", fixed=True),
    "spans.line": Kind("error", "brat: a line is no annotation, or a malformed T line", fixed=True),
    "spans.t-id": Kind("error", "brat: two T lines have one id; if tolerated, both count"),
    "spans.offset": Kind("error", "an offset is no integer, out of order, or beyond the text", fixed=True),
    "spans.text": Kind("error", "the text that a span carries is not what it covers; if tolerated, the offsets count"),
    "spans.label": Kind("error", "measures cannot be named after a label that is scored", fixed=True),
    "spans.too-many": Kind("error", "there are more than 1,000 labels, those of gold included", fixed=True),
    "spans.duplicate": Kind("warning", "a span has the extent and label of an earlier one; it counts once"),
}

STARTER = Starter(
    options={"format": "conll", "labels": ["PER", "LOC", "ORG", "MISC"]},
    gates=(
        StarterGate("micro.f1", 0.5, "exact F over all labels"),
        StarterGate("macro.f1", 0.4, "the same with all labels alike"),
        StarterGate("semeval.partial.f1", 0.5, "half credit for spans that only overlap"),
    ),
)

_SUFFIXES = (".conll", ".jsonl", ".ann", ".bio", ".iob", ".tsv", ".txt", ".json")

TASK = Task(
    name="spans",
    summary="Labelled spans such as named entities: CoNLL columns, JSON Lines or brat standoff.",
    version="2",
    roles=(
        Role(
            "text",
            "gold",
            "format brat only: the text that the annotations are about",
            Deferred("pytest_nlpeval.tasks.spans.reading:read_plain_text"),
            required=False,
            suffixes=(".txt",),
            ending=text_ending,
        ),
        Role(
            "gold",
            "gold",
            "conll: a token and its tag per line; jsonl: a text with its spans per line; brat: an .ann file",
            Deferred("pytest_nlpeval.tasks.spans.reading:read_gold"),
            suffixes=_SUFFIXES,
            ending=annotation_ending,
        ),
        Role(
            "system",
            "system",
            "the same format as gold, with the same tokens or texts",
            Deferred("pytest_nlpeval.tasks.spans.reading:read_system"),
            suffixes=_SUFFIXES,
            ending=annotation_ending,
        ),
    ),
    options=make_options,
    options_schema=json_schema("spans.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.spans.counting:count"),
    count_together=Deferred("pytest_nlpeval.tasks.spans.together:count_together"),
    measures=measures,
    signature=signature,
    fixed_measures=False,
    native=native,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.spans.graphs:graphs"),
    starter=STARTER,
    reading=("format", "columns", "scheme", *RECORDS, *PARTS),
    asks=Deferred("pytest_nlpeval.tasks.spans.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.spans.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.spans.recognising:recognise"),
)
