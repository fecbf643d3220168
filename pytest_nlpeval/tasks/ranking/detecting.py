"""Which format a file has, seen from its content, and its content as lists."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.kit.records import BLANKS, Path
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ranking.ids import Flags, Integers
from pytest_nlpeval.tasks.ranking.json_files import read_json_file
from pytest_nlpeval.tasks.ranking.lists import Lists, check_ids
from pytest_nlpeval.tasks.ranking.options import GOLD, Options, Side
from pytest_nlpeval.tasks.ranking.records import Described
from pytest_nlpeval.tasks.ranking.tables import read_table_file
from pytest_nlpeval.tasks.ranking.trec import first_line, read_trec
from pytest_nlpeval.wording import quoted

Format = Literal["trec", "tsv", "csv", "json", "jsonl"]


@light_dataclass(frozen=True, slots=True, eq=False)
class Content:
    """What a file of either side holds.

    `ranks` is trec's column of ranks, and `is_ranked` flags the rows whose rank is a whole number; both are None in other formats.
    `described` has what gold says of topics in JSON Lines.
    """

    lists: Lists
    ranks: Integers | None = None
    is_ranked: Flags | None = None
    described: Described | None = None


def format_of(data: bytes, options: Options, side: Side) -> Format:
    """Return the format of a file whose text `read_text` returned, unless the options name it."""
    if options.formats[side]:
        named: Any = options.formats[side]
        return named  # type: ignore[no-any-return]
    start = data[: 1 << 16].lstrip()[:1] or data.lstrip()[:1]
    if start in {b"{", b"["}:
        return "jsonl" if _is_json_line(data.lstrip(), options, side) else "json"
    if options.has_numbers(side):
        return "tsv"
    columns = {str(column) for column in options.columns(side)}
    line = first_line(data)
    if columns <= _cells(line, "\t"):
        return "tsv"
    return "csv" if columns <= _cells(line, ",") else "trec"


def _cells(line: str, mark: str) -> set[str]:
    return {cell.strip(BLANKS).strip('"') if mark == "," else cell.strip(BLANKS) for cell in line.split(mark)}


def _is_json_line(data: bytes, options: Options, side: Side) -> bool:
    """Whether the first line is an object with the key of ids."""
    try:
        value = json.loads(data[: data.find(b"\n")])
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and Path.of(str(options.keys(side)[0])).follow(value) is not None


def read_content(source: Source, options: Options, side: Side, log: ProblemLog) -> Content | None:
    """Return what a file holds, None with problems in the log if it cannot be told; other problems are in the log, too."""
    data = read_text(source, log)
    if data is None:
        return None
    kind = format_of(data, options, side)
    if kind == "trec":
        trec = read_trec(data, side, log)
        content = Content(trec.lists, trec.ranks, trec.is_ranked)
    elif kind in {"json", "jsonl"}:
        lists, described = read_json_file(source, options, side, log, by_line=kind == "jsonl")
        content = Content(lists, described=described)
    else:
        table = read_table_file(source, kind, options, side, log)
        if table is None:
            return None
        content = Content(table)
    check_ids(content.lists, log)
    if not content.lists.topics and not log.has_errors:
        log.add("ranking.no-topics", "has no topic; expected at least one")
    return content if side == GOLD or options.order == "score" else _by_rank(content, kind, log)


def _by_rank(content: Content, kind: Format, log: ProblemLog) -> Content:
    """Return results that stand by their ranks; ranks that are not whole, or twice in a topic, go to the log."""
    lists = content.lists
    if kind in {"json", "jsonl"}:  # in which they stand by place
        return content
    if content.ranks is not None and content.is_ranked is not None:
        for row in np.flatnonzero(~content.is_ranked).tolist():
            log.add("ranking.rank", "the rank is no whole number of at most 2^53; expected 1, 2, …", lists.line(row))
        lists = replace(lists, values=-content.ranks.astype(np.float64))
    _check_ranks(lists, log)
    return Content(replace(lists, by_place=np.ones(len(lists.topics), np.bool_)))


def _check_ranks(lists: Lists, log: ProblemLog) -> None:
    """Log ranks that another document of the topic has already."""
    if log.count("ranking.rank"):
        return
    order = np.lexsort((lists.values, lists.topic))
    same = (np.diff(lists.values[order]) == 0) & (np.diff(lists.topic[order]) == 0)
    for row in sorted(order[1:][same].tolist()):
        topic, rank = quoted(lists.topics[lists.topic[row]]), -int(lists.values[row])
        log.add("ranking.rank", f"the rank {rank} stands in the topic {topic} already; ranks are distinct", lists.line(row))
