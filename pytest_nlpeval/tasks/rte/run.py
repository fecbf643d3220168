"""Reads a system's run: one judgment per line, with confidences (edition 1) or as a ranking (editions 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.confidence import NONE
from pytest_nlpeval.tasks.rte.gold import Gold
from pytest_nlpeval.tasks.rte.ids import PairIndex, short_key
from pytest_nlpeval.tasks.rte.lines import Booleans, Integers, Line, blocks, parse_line, scan_block
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options, edition_of

_RANKED = {b"ranked: yes": True, b"ranked: no": False}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The judgments of a run in the file's order, one entry of each array per judgment.

    `lines` are line numbers from 1, `keys` those of the pairs' ids, `ranks` the pairs' ranks in the gold file (-1 without gold),
    `positive` is True where the run says that entailment holds, `confidence` a key (`tasks.rte.confidence`) or `NONE`. `ranked`
    says whether the order is a ranking.
    """

    lines: Integers
    keys: Integers
    ranks: Integers
    positive: Booleans
    confidence: Integers
    ranked: bool

    def where(self, kept: Booleans) -> Run:
        """Return the run without the judgments that are not `kept`."""
        lines, keys, ranks = self.lines[kept], self.keys[kept], self.ranks[kept]
        return Run(lines, keys, ranks, self.positive[kept], self.confidence[kept], self.ranked)


def read_run(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Run | None:
    """Return the judgments of a run file, or None with all problems in the log.

    Without gold among the documents, whatever needs it is not checked, and the first line tells the edition unless the options do.
    """
    text = read_text(source, log)
    if text is None:
        return None
    gold: Gold | None = documents.get("gold")
    guess = LATER if text.lstrip().startswith(b"ranked") else FIRST
    edition = gold.edition if gold else edition_of(options) or guess
    ranked, text, first_line = (False, text, 1) if edition is FIRST else _header(text, log)
    run = _judgments(text, first_line, ranked, edition, gold, log)
    if not run.lines.size and not log.has_errors:
        log.add("rte.empty-run", "judges no pair; coverage is 0")
    _check_confidences(run, log)
    run = _without_unknown(run, gold, source, log)
    run = _without_repeated(run, source, log)
    if edition is FIRST and gold:
        _check_order(run, gold, log)
    if ranked:
        _check_ranking(run, log)
    return None if log.has_errors else run


def _header(text: bytes, log: ProblemLog) -> tuple[bool, bytes, int]:
    """Return whether the run is ranked, the rest of the text, and the number of its first line."""
    first, _, rest = text.partition(b"\n")
    if first in _RANKED:
        return _RANKED[first], rest, 2
    message = "the first line of a run of editions 2 and 3 must be exactly `ranked: yes` or `ranked: no`"
    log.add("rte.ranked", message, 1)
    return (False, rest, 2) if first.lower().lstrip().startswith(b"rank") else (False, text, 1)


def _judgments(text: bytes, line: int, ranked: bool, edition: Edition, gold: Gold | None, log: ProblemLog) -> Run:  # noqa: FBT001
    index = gold.index if gold else _OwnIds()
    columns: list[tuple[Integers, Integers, Integers, Integers]] = []
    for block in blocks(text):
        scanned = scan_block(block, edition)
        columns.append((scanned.ranks + line, scanned.keys, scanned.positive.astype(np.int64), scanned.confidence))
        if scanned.others:
            columns.append(_one_by_one(block, scanned.others, line, edition, index, log))
        line += block.count(b"\n")
    lines, keys, positive, confidence = (
        np.concatenate([np.zeros(0, np.int64), *(part[place] for part in columns)]) for place in range(4)
    )
    order = np.argsort(lines, kind="stable")
    ranks = gold.index.ranks(keys) if gold else np.full(keys.size, -1)
    return Run(lines[order], keys[order], ranks[order], positive[order] == 1, confidence[order], ranked)


class _OwnIds:
    """Keys for the ids of a run that is read without gold: long ones are numbered as they come."""

    def __init__(self) -> None:
        self._long: dict[str, int] = {}

    def key(self, name: str) -> int:
        key = short_key(name)
        return self._long.setdefault(name, -1 - len(self._long)) if key is None else key


def _one_by_one(
    block: bytes, ranks: list[int], line: int, edition: Edition, index: PairIndex | _OwnIds, log: ProblemLog
) -> tuple[Integers, Integers, Integers, Integers]:
    texts = block.split(b"\n")
    found: list[tuple[int, Line]] = []
    for rank in ranks:
        parsed = parse_line(texts[rank].decode(), line + rank, edition, log)
        if parsed:
            found.append((line + rank, parsed))
    rows = [(number, index.key(read.id), int(read.positive), read.confidence) for number, read in found]
    table = np.array(rows, np.int64).reshape(-1, 4)
    return table[:, 0], table[:, 1], table[:, 2], table[:, 3]


def _check_confidences(run: Run, log: ProblemLog) -> None:
    without = run.confidence == NONE
    missing, present = int(without.sum()), int((~without).sum())
    if missing and present:
        odd = without if missing <= present else ~without
        what = "no confidence" if missing <= present else "a confidence"
        message = f"{present:,} lines have a confidence and {missing:,} none; give all or none (this is the first with {what})"
        log.add("rte.mixed-confidence", message, int(run.lines[odd][0]))


def _without_unknown(run: Run, gold: Gold | None, source: Source, log: ProblemLog) -> Run:
    if gold is None:
        return run
    unknown = run.ranks < 0
    _log_ids(run.lines[unknown], "rte.unknown-id", "is not in the gold file", source, log)
    return run.where(~unknown)


def _without_repeated(run: Run, source: Source, log: ProblemLog) -> Run:
    _, first = np.unique(run.keys, return_index=True)
    repeated = np.ones(run.keys.size, bool)
    repeated[first] = False
    _log_ids(run.lines[repeated], "rte.duplicate-id", "was judged on an earlier line; judge each pair once", source, log)
    return run.where(~repeated)


def _log_ids(lines: Integers, code: str, message: str, source: Source, log: ProblemLog) -> None:
    texts = source.data.split(b"\n") if lines.size and log.enabled(code) else []
    for line in lines.tolist() if texts else ():
        name = texts[line - 1].decode(errors="replace").lstrip("\ufeff").split(maxsplit=1)[0][:60]
        log.add(code, f"pair {name} {message}", line, where=f"pair {name}")


def _check_order(run: Run, gold: Gold, log: ProblemLog) -> None:
    for place in (np.flatnonzero(np.diff(run.ranks) < 0) + 1).tolist():
        this, before = (gold.index.ids[run.ranks[place - back]] for back in (0, 1))
        message = (
            f"pair {this} stands behind pair {before}; keep the gold file's order (only the order of tied confidences matters)"
        )
        log.add("rte.order", message, int(run.lines[place]), where=f"pair {this}")


def _check_ranking(run: Run, log: ProblemLog) -> None:
    negative = np.flatnonzero(~run.positive)
    late = np.flatnonzero(run.positive & (np.arange(run.lines.size) > (negative[0] if negative.size else run.lines.size)))
    for place in late.tolist():
        log.add("rte.ranking", "YES behind a NO; a ranked run has the pairs judged NO at the end", int(run.lines[place]))
