"""What each field may hold, whatever the others say: checked once for each distinct string of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud.inventory import RELATIONS, UPOS
from pytest_nlpeval.tasks.ud.numbering import Numbering
from pytest_nlpeval.tasks.ud.options import first_part
from pytest_nlpeval.tasks.ud.table import FIELDS, Column, Field, Flags, Integers, Table
from pytest_nlpeval.wording import nearest, quoted

_SPACES = "\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
SEPARATORS = dict.fromkeys(map(ord, _SPACES))
"""The characters of Unicode category Zs, for `str.translate` to remove."""

_SEPARATOR = re.compile(f"[{_SPACES}]")
_WITH_SPACES: frozenset[Field] = frozenset(("FORM", "LEMMA", "MISC"))
_WHITE = re.compile(r"[^\S\n]")
_MISPLACED = re.compile(r"(?m)^[^\S\n]|[^\S\n](?:[^\S\n]|$)")
_ITEM = re.compile(r"([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=([A-Z0-9][A-Za-z0-9]*(?:,[A-Z0-9][A-Za-z0-9]*)*)")
_RELATION = re.compile(r"[a-z]+(?::[a-z]+)?")


def with_fields_filled(table: Table, numbering: Numbering, log: ProblemLog) -> Table:
    """Return the table with `_` in fields that are empty and must not be; they are in the log, and so is misplaced white space."""
    columns = dict(table.columns)
    is_token = np.zeros(len(table.line), np.bool_)
    is_token[numbering.ranges] = True
    is_token[numbering.words[numbering.range_of < 0]] = True
    for name, column in table.columns.items():
        _check_white_space(table, name, column, numbering, log)
        if "" not in column.names or name in {"ID", "HEAD"}:
            continue
        empty = column.is_in("")
        rows = np.flatnonzero(empty & ~is_token if name == "FORM" else empty)
        for row in rows.tolist():
            table.log(log, "ud.empty-field", row, "the field is empty; write `_` for no value", name)
        columns[name] = _filled(column, rows)
    return replace(table, columns=columns)


def _filled(column: Column, rows: Integers) -> Column:
    names = column.names if "_" in column.names else (*column.names, "_")
    codes = column.codes.copy()
    codes[rows] = names.index("_")
    return Column(codes, names)


def _check_white_space(table: Table, name: Field, column: Column, numbering: Numbering, log: ProblemLog) -> None:
    """Log white space at an end or twice in a row, and any in a field that has none."""
    written = "\n".join(column.names)
    if not _WHITE.search(written):
        return
    has_white = column.flagged([_WHITE.search(string) is not None for string in column.names])
    wrong = has_white
    if name in _WITH_SPACES:
        wrong = column.flagged([_MISPLACED.search(string) is not None for string in column.names])
        if name != "MISC":
            wrong[numbering.ranges] = has_white[numbering.ranges]
    for row in np.flatnonzero(wrong).tolist():
        where = "between two words of it, single" if name in _WITH_SPACES else "nowhere"
        table.log(log, "ud.white-space", row, f"{quoted(column[row])} has white space; expected {where}", name)


def check_forms(table: Table, numbering: Numbering, log: ProblemLog) -> bool:
    """Log tokens without characters; return whether there are none."""
    forms = table.columns["FORM"]
    tokens = np.sort(np.concatenate((numbering.ranges, numbering.words[numbering.range_of < 0])))
    is_empty = forms.flagged([not form for form in stripped(forms.names)])[tokens]
    for row in tokens[is_empty].tolist():
        table.log(log, "ud.form", row, "the token has no characters; expected its form", "FORM")
    return not is_empty.any()


def check_values(table: Table, numbering: Numbering, *, is_parsed: bool, log: ProblemLog) -> None:
    """Log what level 2 of the validator finds in UPOS, FEATS and DEPREL, and in fields that a row should not have."""
    columns, words, empty = table.columns, numbering.words, numbering.empty
    upos, feats, deprel = columns["UPOS"], columns["FEATS"], columns["DEPREL"]
    known = upos.is_in(*UPOS)
    unknown = _of(words, ~known) + _of(empty, ~(known | upos.is_in("_")))
    table.log_each(
        log, "ud.upos", unknown, lambda row: f"{quoted(upos[row])} is none of the 17; {nearest(upos[row], UPOS)}", "UPOS"
    )
    faults = [fault_of_features(name) for name in feats.names]
    malformed = feats.flagged([bool(fault) for fault in faults])
    nodes = np.sort(np.append(words, empty))
    table.log_each(log, "ud.feats", _of(nodes, malformed), lambda row: faults[int(feats.codes[row])], "FEATS")
    if is_parsed:
        is_wrong = deprel.flagged([not is_relation(name) for name in deprel.names])
        table.log_each(
            log,
            "ud.deprel",
            _of(words, is_wrong),
            lambda row: f"{quoted(deprel[row])} is no universal relation; {nearest(first_part(deprel[row]), RELATIONS)}",
            "DEPREL",
        )
    _check_superfluous(table, numbering, log)


def is_well_formed(name: str) -> bool:
    """Whether a string looks like a relation, known or not: letters, perhaps with a subtype."""
    return _RELATION.fullmatch(name) is not None


def is_relation(name: str) -> bool:
    """Whether a string is one of the 37 relations, perhaps with a subtype."""
    return is_well_formed(name) and first_part(name) in RELATIONS


def _of(rows: Integers, flags: Flags) -> list[int]:
    return rows[flags[rows]].tolist() if flags.any() else []


def fault_of_features(feats: str) -> str:
    """Return what is wrong with FEATS, "" for nothing.

    >>> fault_of_features("Number=Sing|Case=Nom")
    'the feature Case stands behind Number; expected the order of letters, whatever their case'
    """
    if feats == "_":
        return ""
    before: tuple[str, str] | None = None
    for item in feats.split("|"):
        match = _ITEM.fullmatch(item)
        if match is None:
            return f"{quoted(item)} is no feature; expected Name=Value, or Name=Value,Value"
        name = match[1]
        if before is not None and name.lower() <= before[0]:
            word = "is repeated" if name.lower() == before[0] else f"stands behind {before[1]}"
            return f"the feature {name} {word}; expected {'each once' if 'repeated' in word else _ORDER}"
        if not _ascends(match[2].split(",")):
            return f"the values of {name} are repeated or unsorted; expected {_ORDER}, each once"
        before = name.lower(), name
    return ""


_ORDER = "the order of letters, whatever their case"


def _ascends(values: Sequence[str]) -> bool:
    lower = [value.lower() for value in values]
    return all(first < second for first, second in pairwise(lower))


def _check_superfluous(table: Table, numbering: Numbering, log: ProblemLog) -> None:
    """Log fields of ranges and empty nodes that these do not have, and SpaceAfter where it means nothing."""
    columns, ranges, empty = table.columns, numbering.ranges, numbering.empty
    for name in FIELDS[2:9]:
        allowed = ("_", "Typo=Yes") if name == "FEATS" else ("_",)
        for row in _of(ranges, ~columns[name].is_in(*allowed)):  # type: ignore[index]
            table.log(log, "ud.fields", row, f"a range has no {name}; write `_`", name)  # type: ignore[arg-type]
    for name in ("HEAD", "DEPREL"):
        for row in _of(empty, ~columns[name].is_in("_")):  # type: ignore[index]
            table.log(log, "ud.fields", row, f"an empty node has no {name}, only DEPS; write `_`", name)  # type: ignore[arg-type]
    misc = columns["MISC"]
    items = [space_after(name) for name in misc.names]
    has_any, is_wrong = misc.flagged([bool(values) for values in items]), misc.flagged([not values <= {"No"} for values in items])
    in_range = numbering.words[numbering.range_of >= 0]
    told = dict.fromkeys(np.flatnonzero(is_wrong).tolist(), "SpaceAfter has one value, No; delete it for a space")
    told |= dict.fromkeys(_of(empty, has_any), "an empty node has no SpaceAfter; delete it")
    told |= dict.fromkeys(_of(in_range, has_any), "SpaceAfter of a word in a range means nothing; put it on the range")
    for row, message in sorted(told.items()):
        table.log(log, "ud.space-after", row, message, "MISC")


def space_after(misc: str) -> set[str]:
    """Return the values of SpaceAfter in a MISC field.

    >>> space_after("Gloss=go|SpaceAfter=No"), space_after("_")
    ({'No'}, set())
    """
    if "SpaceAfter=" not in misc:
        return set()
    return {item.removeprefix("SpaceAfter=") for item in misc.split("|") if item.startswith("SpaceAfter=")}


def stripped(forms: Sequence[str]) -> Sequence[str]:
    """Return forms without characters of category Zs; nearly always they have none, which one search tells."""
    return [form.translate(SEPARATORS) for form in forms] if _SEPARATOR.search("\n".join(forms)) else forms
