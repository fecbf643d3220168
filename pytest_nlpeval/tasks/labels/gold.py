"""Reads the gold standard: items with their label, set or score, and perhaps the group that each is in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.labels.answers import MOST_GROUPS, Answers, Labels, Rows, read_answers, unfit
from pytest_nlpeval.tasks.labels.options import GOLD, Column, Options
from pytest_nlpeval.tasks.labels.problems import PROBLEMS
from pytest_nlpeval.tasks.labels.rows import check_number, check_pairs, has_room, is_by_line, pairs_of, read_ids
from pytest_nlpeval.tasks.labels.table import FAULT, Table, read_table, texts_of
from pytest_nlpeval.wording import quoted

_WINDOW_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The items of a gold file.

    `units` are their names. `places` gives the item of each row of the file, -1 for none. Paired by id, `ids` gives the item of each id,
    -1 for none; paired by line it is None. `groups` are the values of the groups, and `group` has the place of each item's there, -1 for
    none. `clusters` has, if an option asks for it, the name of what each item belongs to, None for nothing. `reread` gives the file's
    bytes once more: texts are read when one is shown, and not kept.
    """

    units: tuple[str, ...]
    places: Rows
    ids: Mapping[str, int] | None
    answers: Answers
    groups: Labels
    group: Rows
    clusters: Sequence[str | None] | None
    label: str
    reread: Callable[[], Iterator[bytes]]

    def texts(self, items: Collection[int], options: Options) -> dict[int, str]:
        """Return what the text columns have for some items."""
        if not options.text or not items:
            return {}
        source = Source(self.label, b"".join(self.reread()))
        table = read_table(source, options, GOLD, options.text, ProblemLog("", PROBLEMS, room=0))
        if table is None or len(table.lines) != len(self.places):  # the file has changed
            return {}
        wanted = set(items)
        rows = ((item, row) for row, item in enumerate(self.places.tolist()) if item in wanted)
        columns = [table.cells(column) for column in options.text]
        return {item: " | ".join(_quote(cells[row]) for cells in columns) for item, row in rows}


def _quote(cell: object) -> str:
    return "" if cell is None else " ".join(str(cell).split())


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the items of a gold file, or None with all problems in the log."""
    if not has_room(source.label, options, GOLD, log):
        return None
    by_line = is_by_line(source.label, options, GOLD)
    own = [*options.answers[GOLD], *([] if by_line else [options.ids[GOLD]])]
    others = [column for column in (options.group, options.cluster) if column is not None]
    table = read_table(source, options, GOLD, [*own, *others, *options.text], log)
    if table is None:
        return None
    answers = read_answers(table, options, GOLD, log)
    ids = None if by_line else read_ids(table, options.ids[GOLD], log)
    is_item = answers.given & ids.is_first if ids else answers.given
    places = np.where(is_item, np.cumsum(is_item) - 1, -1)
    number = int(np.count_nonzero(is_item))
    if not number and not log.has_errors:
        log.add("labels.no-items", "has no item; expected at least one")
    answers = answers.at(places, number)
    groups, group = _groups(table, options.group, log)
    group = group[is_item]
    clusters = _clusters(table, options.cluster, is_item, log)
    check_number(set(answers.names), log)
    check_pairs(pairs_of(answers, group), log)
    if log.has_errors:
        return None
    names = ids.names if ids else list(map(str, range(1, len(is_item) + 1)))
    units = tuple(names) if number == len(names) else tuple(names[row] for row in np.flatnonzero(is_item).tolist())
    known = None
    if ids:
        known = dict(zip(names, places.tolist(), strict=True))
        if not ids.is_first.all():  # of an id that stands twice the first row counts
            known |= {name: place for name, place in zip(names, places.tolist(), strict=True) if place >= 0}
    return Gold(units, places, known, answers, groups, group, clusters, source.label, source.reader(_WINDOW_BYTES))


def _groups(table: Table, column: Column | None, log: ProblemLog) -> tuple[Labels, Rows]:
    """Return the values of a column of groups, sorted, and the place of each row's there, -1 for none."""
    if column is None:
        return (), np.full(len(table.lines), -1)
    texts = texts_of(table, column, "group", log)
    values = set(texts) - {"", FAULT}
    faults = {value: _fault(value) for value in values if unfit(value) or "." in value}
    if faults or "" in texts:
        for text, line in zip(texts, table.lines, strict=True):
            if text in faults:
                log.add(*faults[text], line)
            elif not text:
                log.add("labels.no-group", "has no group; the item is in none", line)
    if len(values) > MOST_GROUPS:
        message = f"there are {len(values):,} groups, at most {MOST_GROUPS} are allowed; is it a column of texts or ids?"
        log.add("labels.too-many", message)
    groups = tuple(sorted(values))
    places = {value: place for place, value in enumerate(groups)} | {"": -1, FAULT: -1}
    return groups, np.fromiter(map(places.__getitem__, texts), np.int64, len(texts))


def _clusters(table: Table, column: Column | None, is_item: NDArray[np.bool_], log: ProblemLog) -> list[str | None] | None:
    """Return what each item belongs to by a column, None for an empty cell."""
    if column is None:
        return None
    return [text or None for text, kept in zip(texts_of(table, column, "cluster", log), is_item, strict=True) if kept]


def _fault(value: str) -> tuple[str, str]:
    if message := unfit(value):
        return "labels.value", f"the group {message}"
    return (
        "labels.reserved",
        f"the group {quoted(value)} has a dot, which names of measures cannot tell from their own; write it without",
    )
