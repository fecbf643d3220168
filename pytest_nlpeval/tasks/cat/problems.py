"""What can be wrong in the files of the task."""

from __future__ import annotations

from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.formats.xml import XML_KINDS
from pytest_nlpeval.problems import Kind

PROBLEMS = {
    **XML_KINDS,
    **text_kinds("off"),
    "cat.config": Kind("error", "a configuration's line is wrong, or there is no configuration, or there are two", fixed=True),
    "cat.no-id": Kind("error", "a token or markable has no id, or an anchor, source or target names none", fixed=True),
    "cat.duplicate-id": Kind("error", "two tokens or two markables of a file have the same id", fixed=True),
    "cat.relation-id": Kind("error", "a relation has no id, or an earlier one's; if tolerated, it is scored all the same"),
    "cat.reference": Kind("error", "an anchor names no token of the file, or a source or target no markable", fixed=True),
    "cat.sentence": Kind("error", "a token's sentence number is missing or not an integer", fixed=True),
    "cat.tokens": Kind("error", "gold and system file differ in their tokens", fixed=True),
    "cat.attribute": Kind(
        "warning", "attributes of an element differ only in case; the one that is written as configured counts, else the first"
    ),
    "cat.arity": Kind("warning", "a relation has too few or too many sources or targets for its type; it is not scored"),
    "cat.excess": Kind("error", "in the profile `nwr2014`, equal empty markables multiply the TLINKs beyond a limit", fixed=True),
    "cat.instance-alone": Kind(
        "warning", "an instance line's NAME has no markable line, so that its empty markables are not scored"
    ),
    "cat.cut": Kind("warning", "markables and relations that the option `sentences` leaves out, with their numbers"),
    "cat.incomparable": Kind("warning", "empty markables that are not comparable instances are not scored, with their number"),
    "cat.duplicate": Kind("warning", "a relation says what an earlier one says, or a mention is in two groups; it counts once"),
    "cat.unidentifiable-end": Kind(
        "warning", "a relation ends on an empty markable that is not a comparable instance; it is left out on both sides"
    ),
}
