"""Reads a system's run: one judgment per line, with confidences (edition 1) or as a ranking (editions 2 and 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.confidence import NONE
from pytest_nlpeval.tasks.rte.lines import Judgment, read_lines
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options, edition_of
from pytest_nlpeval.tasks.rte.pairs import Pairs

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Floats = NDArray[np.float64]

_RANKED = {b"ranked: yes": True, b"ranked: no": False}


@light_dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The judgments of a run in the file's order, one entry of each array per judgment.

    `edition` is that of the gold or task file; where no file tells it, that of the run. `lines` are line numbers from
    1. `ranks` are the pairs' ranks in the gold or task file; without such a file, in the order in which the run first names them.
    `positive` is True where the run says that entailment holds. `confidence` is a key (`tasks.rte.confidence`) or `NONE`. `ranked` says
    whether the order is a ranking.
    """

    edition: Edition
    lines: Integers
    ranks: Integers
    positive: Booleans
    confidence: Floats
    ranked: bool

    def where(self, kept: Booleans) -> Run:
        """Return the run without the judgments that are not `kept`."""
        return Run(self.edition, self.lines[kept], self.ranks[kept], self.positive[kept], self.confidence[kept], self.ranked)


def read_run(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Run | None:
    """Return the judgments of a run file, or None with all problems in the log.

    Without gold or task file among the documents, whatever needs one is not checked, and the first line tells the edition unless the
    options do.
    """
    text = read_text(source, log)
    if text is None:
        return None
    role = "gold" if "gold" in documents else "input"
    pairs: Pairs | None = documents.get(role)
    guess = LATER if text.lstrip().startswith(b"ranked") else FIRST
    edition = (pairs and pairs.edition) or edition_of(options) or guess
    ranked, text, first_line = (False, text, 1) if edition is FIRST else _header(text, log)
    table = np.fromiter(_ranked_judgments(read_lines(lines_of(text), first_line, edition, log), pairs), _ROW)
    run = Run(edition, table["line"], table["rank"], table["positive"], table["confidence"], ranked)
    if not run.lines.size and not log.has_errors:
        log.add("rte.empty-run", "judges no pair; coverage is 0")
    _check_confidences(run, log)
    unknown = run.ranks == _UNKNOWN
    _log_ids(run.lines[unknown], "rte.unknown-id", f"is not in the {role} file", source, log)
    run = _without_repeated(run.where(~unknown), source, log)
    if edition is FIRST and pairs:
        _check_order(run, tuple(pairs.ranks), role, log)
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


_UNKNOWN = -1
_ROW = np.dtype([("line", np.int64), ("rank", np.int64), ("positive", np.bool_), ("confidence", np.float64)])


def _ranked_judgments(judgments: Iterable[Judgment], pairs: Pairs | None) -> Iterator[tuple[int, int, bool, float]]:
    """Replace the id of each judgment by the pair's rank (see `Run`)."""
    own: defaultdict[str, int] = defaultdict(count().__next__)
    for number, name, positive, confidence in judgments:
        yield number, pairs.ranks.get(name, _UNKNOWN) if pairs else own[name], positive, confidence


def _check_confidences(run: Run, log: ProblemLog) -> None:
    without = run.confidence == NONE
    missing, present = int(without.sum()), int((~without).sum())
    if missing and present:
        odd = without if missing <= present else ~without
        what = "no confidence" if missing <= present else "a confidence"
        message = f"{present:,} lines have a confidence and {missing:,} none; give all or none (this is the first with {what})"
        log.add("rte.mixed-confidence", message, int(run.lines[odd][0]))


def _without_repeated(run: Run, source: Source, log: ProblemLog) -> Run:
    _, first = np.unique(run.ranks, return_index=True)
    repeated = np.ones(run.ranks.size, bool)
    repeated[first] = False
    _log_ids(run.lines[repeated], "rte.duplicate-id", "was judged on an earlier line; judge each pair once", source, log)
    return run.where(~repeated)


def _log_ids(lines: Integers, code: str, message: str, source: Source, log: ProblemLog) -> None:
    texts = source.data.split(b"\n") if lines.size and log.enabled(code) else []
    for line in lines.tolist() if texts else ():
        name = texts[line - 1].decode(errors="replace").lstrip("\ufeff").split(maxsplit=1)[0][:60]
        log.add(code, f"pair {name} {message}", line, where=f"pair {name}")


def _check_order(run: Run, ids: tuple[str, ...], role: str, log: ProblemLog) -> None:
    for place in (np.flatnonzero(np.diff(run.ranks) < 0) + 1).tolist():
        this, before = (ids[run.ranks[place - back]] for back in (0, 1))
        message = (
            f"pair {this} appears after pair {before}; keep the {role} file's order (only the order of tied confidences matters)"
        )
        log.add("rte.order", message, int(run.lines[place]), where=f"pair {this}")


def _check_ranking(run: Run, log: ProblemLog) -> None:
    negative = np.flatnonzero(~run.positive)
    late = np.flatnonzero(run.positive & (np.arange(run.lines.size) > (negative[0] if negative.size else run.lines.size)))
    for place in late.tolist():
        log.add("rte.ranking", "YES after a NO; a ranked run has the pairs judged NO at the end", int(run.lines[place]))
