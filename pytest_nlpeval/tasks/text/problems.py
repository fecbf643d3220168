"""What can be wrong with the files."""

from __future__ import annotations

from pytest_nlpeval.kit.records import record_kinds
from pytest_nlpeval.problems import Kind

PROBLEMS = {
    **record_kinds("text", but=("no-items",)),
    "text.no-segments": Kind("error", "gold has no segment", fixed=True),
    "text.value": Kind(
        "error", "a text, id or group of a wrong type, gold without a text, or a hypothesis with several", fixed=True
    ),
    "text.trn": Kind("error", "a line of a trn file does not end in `(id)`", fixed=True),
    "text.no-id": Kind("error", "an id is missing or empty", fixed=True),
    "text.length": Kind("error", "paired by line, a file has fewer or more segments than gold", fixed=True),
    "text.missing-id": Kind("error", "a gold id is not in the system file; if tolerated, the segment has no hypothesis"),
    "text.null": Kind("error", "the system's text is null or missing; if tolerated, the segment has no hypothesis"),
    "text.alternatives": Kind("error", "a trn file has alternatives, `{ a / b }`; if tolerated, their parts count as words"),
    "text.empty-reference": Kind("warning", "all references of a segment are empty"),
    "text.empty": Kind("warning", "a hypothesis is empty, and no reference of the segment is"),
    "text.tokenized": Kind("warning", "100 or more hypotheses end in a blank and a full stop: BLEU would split tokens twice"),
    "text.too-long": Kind(
        "error", "a text of more than 200,000 characters, or with ter or rougeLsum of more than 5,000 words", fixed=True
    ),
    "text.no-group": Kind("warning", "a segment has no group; it is in none"),
    "text.reserved": Kind("error", "a group whose name has a dot, which names of measures cannot hold", fixed=True),
    "text.too-many": Kind("error", "more than 200 groups in a document", fixed=True),
}
