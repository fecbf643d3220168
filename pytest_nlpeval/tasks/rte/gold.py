"""Reads the gold standard: text-hypothesis pairs with their judgments."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from sys import intern

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import XML_KINDS, line_of, read_records, record_lines, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.lines import is_numeral
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options, edition_of
from pytest_nlpeval.wording import nearest, quoted


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The pairs of a gold file, in its order.

    `ranks` gives each id's place in that order. `entailing` and `setting` have one entry per pair: 1 where entailment holds, else 0;
    the rank of the pair's task in `edition.settings`. `source` is the file, whose texts are read again where one is shown.
    """

    edition: Edition
    ranks: Mapping[str, int]
    entailing: NDArray[np.int8]
    setting: NDArray[np.int8]
    source: Source

    def texts(self, ids: Collection[str]) -> dict[str, tuple[str, str]]:
        """Return text and hypothesis of some pairs; reads the file up to the last of them."""
        found: dict[str, tuple[str, str]] = {}
        wanted = set(ids)
        for _, pair in _records(self.source, ProblemLog(self.source.label, XML_KINDS)) if wanted else ():
            name = pair.get("id", "")
            if name in wanted:
                wanted.remove(name)
                found[name] = pair.findtext("t", ""), pair.findtext("h", "")
            if not wanted:
                break
        return found


@dataclass(frozen=True, slots=True)
class _Pairs:
    """What is gathered from the file: one entry of each list per pair."""

    source: Source
    ranks: array[int]
    ids: list[str]
    tasks: list[str]
    values: list[str | None]
    entailments: list[str | None]

    def line(self, rank: int) -> int | None:
        """Return the line of a pair; looked up only when there is something to say about it."""
        lines = record_lines(self.source, "pair")
        return lines[self.ranks[rank]] if self.ranks[rank] < len(lines) else None


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the pairs of an `entailment-corpus`, or None with all problems in the log."""
    pairs = _gather(source, log)
    if not pairs.ids and not log.has_errors:
        log.add("rte.no-pairs", "has no <pair>; expected at least one")
    edition = _edition(pairs, options, log)
    _check_settings(pairs, edition, log)
    ranks: dict[str, int] = {}
    kept = np.ones(len(pairs.ids), bool)
    for rank, name in enumerate(pairs.ids):
        if name in ranks:
            kept[rank] = False
            log.add("rte.duplicate-id", f"id {name} appears twice; ids are unique", pairs.line(rank), where="pair")
        else:
            ranks[name] = len(ranks)
    if log.has_errors:
        return None
    judgments = pairs.values if edition is FIRST else pairs.entailments
    entailing = np.array([judgment == edition.positive for judgment in judgments], np.int8)
    setting = np.array([edition.settings.index(task) for task in pairs.tasks], np.int8)
    return Gold(edition, ranks, entailing[kept], setting[kept], source)


def _records(source: Source, log: ProblemLog) -> Iterator[tuple[int, etree._Element]]:
    return read_records(source, "rte.dtd", "entailment-corpus", "pair", log)


def _gather(source: Source, log: ProblemLog) -> _Pairs:
    pairs = _Pairs(source, array("q"), [], [], [], [])
    for rank, pair in _records(source, log):
        name = pair.get("id", "")
        pairs.ranks.append(rank)
        pairs.ids.append(name)
        pairs.tasks.append(intern(pair.get("task", "")))
        pairs.values.append(_interned(pair.get("value")))
        pairs.entailments.append(_interned(pair.get("entailment")))
        if not is_numeral(name):
            log.add("rte.id", f"id {quoted(name)} is not a numeral; expected digits only", pairs.line(-1), where="pair")
        for part in pair:
            if not part.text or part.text.isspace():
                _log_blank(part, name, pairs.line(-1), log)
    return pairs


def _interned(word: str | None) -> str | None:
    return None if word is None else intern(word)


def _log_blank(part: etree._Element, name: str, line: int | None, log: ProblemLog) -> None:
    what = "text" if part.tag == "t" else "hypothesis"
    log.add("rte.blank-text", f"the {what} <{tag_of(part)}> is blank", line_of(part) or line, where=f"pair {name}")


def _edition(pairs: _Pairs, options: Options, log: ProblemLog) -> Edition:
    """Return the edition by the first judgment, after logging whatever contradicts it or the options."""
    wanted = edition_of(options)
    found = wanted
    for rank, (value, entailment) in enumerate(zip(pairs.values, pairs.entailments, strict=True)):
        if (value is None) is (entailment is None):
            _log_judgment(pairs, rank, log)
            continue
        own = FIRST if entailment is None else LATER
        found = found or own
        if own is not found:
            why = "the options ask for" if wanted else "the file begins as"
            message = f"`{own.attribute}` belongs to edition {own.name}, but {why} edition {found.name} (`{found.attribute}`)"
            log.add("rte.edition", message, pairs.line(rank), where=f"pair {pairs.ids[rank]}")
    return found or FIRST


def _log_judgment(pairs: _Pairs, rank: int, log: ProblemLog) -> None:
    where = f"pair {pairs.ids[rank]}"
    if pairs.values[rank] is None:
        message = "has neither `value` nor `entailment`: a test pair cannot be gold; take the file with the judgments"
        log.add("rte.no-judgment", message, pairs.line(rank), where=where)
    else:
        message = "has both `value` (edition 1) and `entailment` (editions 2, 3); keep one"
        log.add("rte.edition", message, pairs.line(rank), where=where)


def _check_settings(pairs: _Pairs, edition: Edition, log: ProblemLog) -> None:
    for rank, task in enumerate(pairs.tasks):
        if task not in edition.settings:
            hint = nearest(task, edition.settings)
            message = f"task {quoted(task)} is not an application setting of edition {edition.name}; {hint}"
            log.add("rte.task", message, pairs.line(rank), where=f"pair {pairs.ids[rank]}")
