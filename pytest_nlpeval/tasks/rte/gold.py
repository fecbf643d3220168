"""Reads the gold standard: text-hypothesis pairs with their judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sys import intern

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from pytest_nlpeval.formats.json_schema import nearest
from pytest_nlpeval.formats.source import Source
from pytest_nlpeval.formats.xml import read_records, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.ids import PairIndex
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options, edition_of


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The pairs of a gold file, in its order: `index` holds their ids, `entailing` and `setting` one entry per pair.

    `entailing` is 1 where entailment holds; `setting` is the rank of the pair's task in `edition.settings`.
    """

    edition: Edition
    index: PairIndex
    entailing: NDArray[np.int8]
    setting: NDArray[np.int8]


@dataclass(slots=True)
class _Pairs:
    """What is gathered from the file: one entry per pair."""

    ids: list[str]
    tasks: list[str]
    values: list[str | None]
    entailments: list[str | None]
    lines: list[int]


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the pairs of an `entailment-corpus`, or None with all problems in the log."""
    pairs = _gather(source, log)
    if not pairs.ids and not log.has_errors:
        log.add("rte.no-pairs", "has no <pair>; expected at least one")
    edition = _edition(pairs, options, log)
    judgments = pairs.values if edition is FIRST else pairs.entailments
    _check_settings(pairs, edition, log)
    index = PairIndex(pairs.ids)
    kept = np.ones(len(pairs.ids), bool)
    for row in index.repeated:
        kept[row] = False
        log.add("rte.duplicate-id", f"id {pairs.ids[row]} stands twice; ids are unique", pairs.lines[row], where="pair")
    if log.has_errors:
        return None
    entailing = np.array([judgment == edition.positive for judgment in judgments], np.int8)
    setting = np.array([edition.settings.index(task) for task in pairs.tasks], np.int8)
    return Gold(edition, index if kept.all() else PairIndex(index.unique), entailing[kept], setting[kept])


def _gather(source: Source, log: ProblemLog) -> _Pairs:
    pairs = _Pairs([], [], [], [], [])
    for pair in read_records(source, "rte.dtd", "entailment-corpus", "pair", log):
        name = pair.get("id", "")
        line = pair.sourceline or 0
        pairs.ids.append(name)
        pairs.tasks.append(intern(pair.get("task", "")))
        pairs.values.append(_interned(pair.get("value")))
        pairs.entailments.append(_interned(pair.get("entailment")))
        pairs.lines.append(line)
        if not (name.isascii() and name.isdigit()):
            log.add("rte.id", f'id "{name}" is no numeral; expected digits only', line, where="pair")
        _check_texts(pair, name, line, log)
    return pairs


def _interned(word: str | None) -> str | None:
    return None if word is None else intern(word)


def _check_texts(pair: etree._Element, name: str, line: int, log: ProblemLog) -> None:
    for part in pair:
        if not part.text or part.text.isspace():
            what = "text" if part.tag == "t" else "hypothesis"
            log.add("rte.blank-text", f"the {what} <{tag_of(part)}> is blank", part.sourceline or line, where=f"pair {name}")


def _edition(pairs: _Pairs, options: Options, log: ProblemLog) -> Edition:
    """Return the edition by the first judgment, after logging whatever contradicts it or the options."""
    wanted = edition_of(options)
    found = wanted
    for name, line, value, entailment in zip(pairs.ids, pairs.lines, pairs.values, pairs.entailments, strict=True):
        if (value is None) is (entailment is None):
            _log_judgment(name, line, value is None, log)
            continue
        own = FIRST if entailment is None else LATER
        found = found or own
        if own is not found:
            why = "the options ask for" if wanted else "the file begins as"
            message = f"`{own.attribute}` belongs to edition {own.name}, but {why} edition {found.name} (`{found.attribute}`)"
            log.add("rte.edition", message, line, where=f"pair {name}")
    return found or FIRST


def _log_judgment(name: str, line: int, none: bool, log: ProblemLog) -> None:  # noqa: FBT001 - which of two messages
    where = f"pair {name}"
    if none:
        message = "has neither `value` nor `entailment`: a test pair cannot be gold; take the file with the judgments"
        log.add("rte.no-judgment", message, line, where=where)
    else:
        log.add("rte.edition", "has both `value` (edition 1) and `entailment` (editions 2, 3); keep one", line, where=where)


def _check_settings(pairs: _Pairs, edition: Edition, log: ProblemLog) -> None:
    known: Sequence[str] = edition.settings
    for name, task, line in zip(pairs.ids, pairs.tasks, pairs.lines, strict=True):
        if task not in known:
            message = f'task "{task}" is no application setting of edition {edition.name}; {nearest(task, known)}'
            log.add("rte.task", message, line, where=f"pair {name}")
