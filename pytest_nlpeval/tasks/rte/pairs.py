"""Reads the text-hypothesis pairs of a task file, with or without judgments; gold and input have these checks in common."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from hashlib import blake2b
from sys import intern
from typing import NamedTuple

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import XML_KINDS, line_of, read_records, record_lines, tag_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.rte.lines import is_numeral
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options, edition_of
from pytest_nlpeval.wording import nearest, quoted


class Texts(NamedTuple):
    """Text and hypothesis of a pair, and the line on which it begins; None beyond the lines that libxml2 knows."""

    text: str
    hypothesis: str
    line: int | None


@light_dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of a task file, in its order.

    `edition` is None where the file does not tell it. `ranks` gives each id's place in the file's order. `setting` has one entry per
    pair: the rank of its task in `settings`. `reread` gives the file's bytes once more, in pieces: texts are read where one is shown, and
    not kept. `clusters` has, if an option asks for it, what each pair belongs to.
    """

    edition: Edition | None
    ranks: Mapping[str, int]
    setting: NDArray[np.int8]
    reread: Callable[[], Iterator[bytes]]
    clusters: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def settings(self) -> tuple[str, ...]:
        """The application settings of the edition; where that is not known, all pairs have one that the editions share."""
        return (self.edition or FIRST).settings

    def texts(self, ids: Collection[str]) -> dict[str, Texts]:
        """Return text and hypothesis of some pairs, as far as the file has them; reads the file up to the last of these pairs."""
        texts: dict[str, Texts] = {}
        wanted = set(ids)
        for _, pair in _records(Source("", b""), ProblemLog("", XML_KINDS), self.reread()) if wanted else ():
            name = pair.get("id", "")
            if name in wanted:
                wanted.remove(name)
                texts[name] = Texts(pair.findtext("t", ""), pair.findtext("h", ""), line_of(pair))
            if not wanted:
                break
        return texts


@light_dataclass(frozen=True, slots=True)
class Gathered:
    """What is gathered from the file: one entry of each list per pair."""

    source: Source
    ranks: array[int]
    ids: list[str]
    tasks: list[str]
    values: list[str | None]
    entailments: list[str | None]
    texts: list[str]

    def clusters(self, options: Options, kept: NDArray[np.bool_]) -> tuple[str, ...]:
        """Return what each pair that is kept belongs to, if the options ask for it."""
        names = {"t": self.texts, "task": self.tasks}.get(options.cluster or "", [])
        return tuple(name for name, is_kept in zip(names, kept, strict=False) if is_kept)

    def line(self, rank: int) -> int | None:
        """Return the line of a pair; looked up only when there is something to say about it."""
        lines = record_lines(self.source, "pair")
        return lines[self.ranks[rank]] if self.ranks[rank] < len(lines) else None


def gather(source: Source, options: Options, log: ProblemLog) -> Gathered:
    """Return what an `entailment-corpus` holds; the problems of single pairs are in the log then, and that there is none."""
    pairs = Gathered(source, array("q"), [], [], [], [], [])
    for rank, pair in _records(source, log):
        name = pair.get("id", "")
        pairs.ranks.append(rank)
        pairs.ids.append(name)
        if options.cluster == "t":
            pairs.texts.append(blake2b((pair.findtext("t") or "").strip().encode(), digest_size=8).hexdigest())
        pairs.tasks.append(intern(pair.get("task", "")))
        pairs.values.append(_interned(pair.get("value")))
        pairs.entailments.append(_interned(pair.get("entailment")))
        if not is_numeral(name):
            log.add("rte.id", f"id {quoted(name)} is not a numeral; expected digits only", pairs.line(-1), where="pair")
        for part in pair:
            if not part.text or part.text.isspace():
                _log_blank(part, name, pairs.line(-1), log)
    if not pairs.ids and not log.has_errors:
        log.add("rte.no-pairs", "has no <pair>; expected at least one")
    return pairs


def _records(source: Source, log: ProblemLog, pieces: Iterable[bytes] | None = None) -> Iterator[tuple[int, etree._Element]]:
    return read_records(source, "rte.dtd", "entailment-corpus", "pair", log, pieces)


def _interned(word: str | None) -> str | None:
    return None if word is None else intern(word)


def _log_blank(part: etree._Element, name: str, line: int | None, log: ProblemLog) -> None:
    what = "text" if part.tag == "t" else "hypothesis"
    log.add("rte.blank-text", f"the {what} <{tag_of(part)}> is blank", line_of(part) or line, where=f"pair {name}")


def edition_by_judgments(pairs: Gathered, options: Options, log: ProblemLog, *, required: bool) -> Edition | None:
    """Return the options' edition, or else that of the first judgment; a judgment of another edition is logged.

    Return None if neither tells an edition. Where judgments are `required`, each pair without one is logged.
    """
    wanted = edition_of(options)
    edition = wanted
    for rank, (value, entailment) in enumerate(zip(pairs.values, pairs.entailments, strict=True)):
        if (value is None) is (entailment is None):
            if required or value is not None:
                _log_judgment(pairs, rank, log)
            continue
        own = FIRST if entailment is None else LATER
        edition = edition or own
        if own is not edition:
            why = "the options ask for" if wanted else "the file begins as"
            message = f"`{own.attribute}` belongs to edition {own.name}, but {why} edition {edition.name} (`{edition.attribute}`)"
            log.add("rte.edition", message, pairs.line(rank), where=f"pair {pairs.ids[rank]}")
    return edition


def _log_judgment(pairs: Gathered, rank: int, log: ProblemLog) -> None:
    where = f"pair {pairs.ids[rank]}"
    if pairs.values[rank] is None:
        message = (
            "has neither `value` nor `entailment`: a test pair cannot be gold; take the file with the judgments, "
            "or give this one as `input`: runs are then checked and not scored"
        )
        log.add("rte.no-judgment", message, pairs.line(rank), where=where)
    else:
        message = "has both `value` (edition 1) and `entailment` (editions 2, 3); keep one"
        log.add("rte.edition", message, pairs.line(rank), where=where)


def check_settings(pairs: Gathered, edition: Edition | None, log: ProblemLog) -> None:
    """Log each pair whose task is not an application setting of the edition, or of any edition where that is not known."""
    settings = edition.settings if edition else tuple(dict.fromkeys(FIRST.settings + LATER.settings))
    of = f"edition {edition.name}" if edition else "any edition"
    for rank, task in enumerate(pairs.tasks):
        if task not in settings:
            message = f"task {quoted(task)} is not an application setting of {of}; {nearest(task, settings)}"
            log.add("rte.task", message, pairs.line(rank), where=f"pair {pairs.ids[rank]}")


def kept_pairs(pairs: Gathered, log: ProblemLog) -> tuple[dict[str, int], NDArray[np.bool_]]:
    """Return each id's place among the pairs that are kept, and which these are: of one id the first, the others are logged."""
    ranks: dict[str, int] = {}
    kept = np.ones(len(pairs.ids), bool)
    for rank, name in enumerate(pairs.ids):
        if name in ranks:
            kept[rank] = False
            log.add("rte.duplicate-id", f"id {name} appears twice; ids are unique", pairs.line(rank), where="pair")
        else:
            ranks[name] = len(ranks)
    return ranks, kept


def setting_ranks(tasks: Collection[str], settings: tuple[str, ...]) -> NDArray[np.int8]:
    """Return the ranks of tasks among the settings."""
    rank_of = {setting: rank for rank, setting in enumerate(settings)}
    return np.fromiter((rank_of[task] for task in tasks), np.int8, len(tasks))
