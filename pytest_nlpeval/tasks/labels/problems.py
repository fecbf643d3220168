"""What can be wrong with the files."""

from __future__ import annotations

from pytest_nlpeval.kit.records import record_kinds
from pytest_nlpeval.problems import Kind

PROBLEMS = {
    **record_kinds("labels"),
    "labels.format": Kind("error", "lines where the files need ids, or the labels are sets", fixed=True),
    "labels.json": Kind(
        "error", "a line is not a JSON object, or one with NaN, a key twice or half a surrogate pair", fixed=True
    ),
    "labels.value": Kind("error", "a label, group or id of a wrong type, too long, or with a control character", fixed=True),
    "labels.number": Kind("error", "a score is not a decimal number of at most 1e100", fixed=True),
    "labels.missing-id": Kind("error", "a gold id is not in the system file; if tolerated, the item is unjudged"),
    "labels.empty": Kind(
        "error", "a row has no label or score; if tolerated, gold has no item for it, or the system leaves it unjudged"
    ),
    "labels.unknown-label": Kind("error", "a label is not in the option `labels`; if tolerated, it has no measures of its own"),
    "labels.separator": Kind("warning", "labels look like several that are written as one"),
    "labels.other-labels": Kind("warning", "gold has none of the labels that the system gives"),
    "labels.reserved": Kind("error", "a label or group that names of measures cannot hold", fixed=True),
    "labels.duplicate-label": Kind("warning", "a label stands twice in a set; it counts once"),
    "labels.no-group": Kind("warning", "an item has no group; it is in none"),
    "labels.averaged": Kind("warning", "a label of `averaged` is in neither file of a document"),
    "labels.probability": Kind(
        "error", "probabilities are missing, no numbers from 0 to 1, or not of the kind asked for", fixed=True
    ),
    "labels.probability-sum": Kind(
        "error", "the probabilities of an item do not add up to 1; if tolerated, they count as they stand"
    ),
    "labels.zero-probability": Kind("warning", "items whose gold label has probability 0; log_loss takes 2^-52"),
    "labels.too-many": Kind("error", "more than 1,000 labels, 200 groups, or 10,000 pairs of them in a document", fixed=True),
}
