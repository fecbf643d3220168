"""Reads the gold standard: items with their label, set or score, and perhaps the group that each is in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.groups import GroupCodes, Groups, groups_of
from pytest_nlpeval.kit.records import Field, Ids, Records, read_ids
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.labels.answers import Answers, Labels, Rows, read_answers
from pytest_nlpeval.tasks.labels.limits import check_number, check_pairs, pairs_of
from pytest_nlpeval.tasks.labels.options import GOLD, Options
from pytest_nlpeval.tasks.labels.problems import PROBLEMS
from pytest_nlpeval.tasks.labels.rows import file_of, has_room, read_rows, texts_of

_WINDOW_BYTES = 1 << 20


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The items of a gold file.

    `units` are their names. `places` gives the item of each row of the file, -1 for none. `ids` are those of the rows, None if these are
    paired by line. `groups` are the values of the groups, and `group` has the place of each item's there, -1 for
    none. `clusters` has, if an option asks for it, the name of what each item belongs to, None for nothing. `reread` gives the file's
    bytes once more: texts are read when one is shown, and not kept. `left_out` is how many records `where` left out.
    """

    units: tuple[str, ...]
    places: Rows
    ids: Ids | None
    answers: Answers
    groups: Labels
    group: Rows
    clusters: Sequence[str | None] | None
    left_out: int
    label: str
    reread: Callable[[], Iterator[bytes]]

    def texts(self, items: Collection[int], options: Options) -> dict[int, str]:
        """Return what the text columns have for some items."""
        if not options.text or not items:
            return {}
        source = Source(self.label, b"".join(self.reread()))
        table = read_rows(file_of(source, options, GOLD, ProblemLog("", PROBLEMS, room=0)), [*options.text], options, GOLD)
        if table is None or len(table) != len(self.places):  # the file has changed
            return {}
        wanted = set(items)
        rows = ((item, row) for row, item in enumerate(self.places.tolist()) if item in wanted)
        columns = [table.cells(column) for column in options.text]
        return {item: " | ".join(_quote(cells[row]) for cells in columns) for item, row in rows}


def _quote(cell: object) -> str:
    return "" if cell is None else " ".join(str(cell).split())


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the items of a gold file, or None with all problems in the log."""
    file = file_of(source, options, GOLD, log)
    if not has_room(file, options, GOLD):
        return None
    others = [column for column in (options.group, options.cluster) if column is not None]
    table = read_rows(file, [*options.answers[GOLD], *others, *options.text], options, GOLD)
    if table is None:
        return None
    answers = read_answers(table, options, GOLD, log)
    ids = read_ids(table, file) if file.has_ids else None
    is_item = answers.given & ids.is_first if ids else answers.given
    places = np.where(is_item, np.cumsum(is_item) - 1, -1)
    number = int(np.count_nonzero(is_item))
    if not number and not log.has_errors:
        log.add("labels.no-items", "has no item; expected at least one")
    answers = answers.at(places, number)
    groups = _groups(table, options.group, log)
    group = groups.of_rows[is_item]
    clusters = _clusters(table, options.cluster, is_item, log)
    check_number(set(answers.names), log)
    check_pairs(pairs_of(answers, group), log)
    if log.has_errors:
        return None
    names = list(map(str, ids.names if ids else range(1, len(table) + 1)))
    units = tuple(compress(names, is_item.tolist()))
    return Gold(
        units, places, ids, answers, groups.names, group, clusters, table.left_out, source.label, source.reader(_WINDOW_BYTES)
    )


def _groups(table: Records, column: Field | None, log: ProblemLog) -> Groups:
    """Return the groups of all rows by a column."""
    if column is None:
        return Groups((), np.full(len(table), -1))
    return groups_of(texts_of(table, column, "group", log), table.lines, GroupCodes.of("labels", unfit="labels.value"), log)


def _clusters(table: Records, column: Field | None, is_item: NDArray[np.bool_], log: ProblemLog) -> list[str | None] | None:
    """Return what each item belongs to by a column, None for an empty cell."""
    if column is None:
        return None
    return [text or None for text, kept in zip(texts_of(table, column, "cluster", log), is_item, strict=True) if kept]
