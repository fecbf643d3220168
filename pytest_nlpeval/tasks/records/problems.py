"""What can be wrong with the files."""

from __future__ import annotations

from pytest_nlpeval.kit.records import record_kinds
from pytest_nlpeval.problems import Kind

PROBLEMS = {
    **record_kinds("records"),
    "records.missing-id": Kind("error", "a gold id is not in the system file; if tolerated, the system lacks the record"),
    "records.record": Kind("error", "a record is no object or list; tolerated in a system's file, it is unparsed"),
    "records.null": Kind("error", "the system's record is absent or null; if tolerated, the system lacks the record"),
    "records.key": Kind("error", "a key of gold is empty, longer than 200 characters, or has a control character", fixed=True),
    "records.too-long": Kind("error", "a record of gold has more than 5,000 scalars, or 500 objects in a list", fixed=True),
    "records.too-many": Kind(
        "error", "more than 1,000 paths, 200 groups, 1,000 values of `by`, or 10,000 pairs of group and path", fixed=True
    ),
    "records.no-gold": Kind("warning", "with `rows`, the system has ids that gold has not; all they say is spurious"),
    "records.extra": Kind("warning", "the system has a path that no gold record of the file has; it counts as spurious"),
    "records.number": Kind("warning", "a value of gold cannot be read as a number; it is compared as text"),
    "records.date": Kind("warning", "a value of gold cannot be read as a date; it is compared as text"),
    "records.schema": Kind("error", "a schema is no JSON Schema, or has a reference elsewhere or in a circle", fixed=True),
    "records.schema-keyword": Kind("warning", "a keyword of the schema is not checked"),
    "records.no-group": Kind("warning", "a record has no group; it is in none"),
    "records.reserved": Kind("error", "a group's name has a dot or control character, or is too long", fixed=True),
}
