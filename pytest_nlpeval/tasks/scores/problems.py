"""What can be wrong with the files."""

from __future__ import annotations

from pytest_nlpeval.kit.records import record_kinds
from pytest_nlpeval.problems import Kind

PROBLEMS = {
    **record_kinds("scores"),
    "scores.format": Kind("error", "lines where the files need ids, or for several results", fixed=True),
    "scores.duplicate-id": Kind(
        "error", "an id stands twice where items have one record, or in gold with other content; if tolerated, the first counts"
    ),
    "scores.missing-id": Kind("error", "an item of gold has no record, and nothing says what counts instead", fixed=True),
    "scores.missing": Kind("error", "an item lacks a result, and nothing says what counts instead", fixed=True),
    "scores.number": Kind("error", "a result is no decimal number of at most 1e100, and no text of `values`", fixed=True),
    "scores.range": Kind("error", "a result lies outside its range", fixed=True),
    "scores.repeats": Kind("error", "an item has more records or values than `repeats`, or of different numbers", fixed=True),
    "scores.imputed": Kind("warning", "items lack a result; each missing value counts as the number of `missing`"),
    "scores.skipped": Kind("warning", "items lack a result and are left out of it, as `skip` allows"),
    "scores.no-group": Kind("warning", "an item has no group; it is in none"),
    "scores.reserved": Kind("error", "a group that names of measures cannot hold", fixed=True),
    "scores.too-many": Kind("error", "more than 200 groups in a document", fixed=True),
}
