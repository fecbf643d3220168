"""What the rows of a file say: a label, a set of labels or a number each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.kit.groups import unfit
from pytest_nlpeval.kit.numbers import GREATEST, decimals_of
from pytest_nlpeval.kit.records import BLANKS, FAULT, Field, Records, kind_of, listed_in, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.options import Options, Side
from pytest_nlpeval.tasks.labels.rows import label_of, texts_of
from pytest_nlpeval.tasks.labels.scored_labels import best_label, scores_of
from pytest_nlpeval.tasks.labels.written_sets import check_written_sets
from pytest_nlpeval.wording import nearest, quoted

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

Labels = tuple[str, ...]
Fault = tuple[str, str]
"""Code and message of a problem."""

RESERVED = ("micro", "macro", "weighted", "samples", "group")
"""Labels that are parts of the names of measures."""

H = TypeVar("H", bound=Hashable)


@light_dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers of `len(given)` rows; `given` flags the rows that have one.

    The answer of a row is the set of the labels `names[code]` for each of its entries in `rows` and `codes`, which are in the order of
    rows; of the kind label it is one. Of the kind score it is in `numbers`, and there are no entries.
    """

    given: Flags
    names: Labels
    rows: Rows
    codes: Rows
    numbers: Floats

    def at(self, places: Rows, length: int) -> Answers:
        """Return the answers of `length` other rows: that of each row is put to its place.

        It is left out where the place is -1, and so are the labels that nobody has then.
        """
        has_place = places >= 0
        given, numbers = np.zeros(length, np.bool_), np.zeros(length)
        given[places[has_place]] = self.given[has_place]
        numbers[places[has_place]] = self.numbers[has_place]
        entries = places[self.rows]
        kept = np.flatnonzero(entries >= 0)
        kept = kept[np.argsort(entries[kept], kind="stable")]
        is_used = np.bincount(self.codes[kept], minlength=len(self.names)) > 0
        names = tuple(name for name, is_kept in zip(self.names, is_used.tolist(), strict=True) if is_kept)
        return Answers(given, names, entries[kept], (np.cumsum(is_used) - 1)[self.codes[kept]], numbers)

    def sets(self, rows: Iterable[int]) -> list[Labels]:
        """Return the labels of some rows, sorted."""
        bounds = ((np.searchsorted(self.rows, row), np.searchsorted(self.rows, row, "right")) for row in rows)
        return [tuple(sorted(self.names[code] for code in self.codes[slice(*bound)].tolist())) for bound in bounds]


def read_answers(table: Records, options: Options, side: Side, log: ProblemLog) -> Answers:
    """Return the answers of a file, whose problems go to the log."""
    columns = options.answers[side]
    if options.is_score:
        return _numbers(table, columns[0], log)
    if options.is_indicated[side]:
        return _collected(_indicated(table, columns, log), _as_they_are, table, options, log)
    if options.is_set and table.is_json:
        return _collected(_lists(table, columns[0], log), _as_they_are, table, options, log)
    if options.is_set:
        return _collected(table.cells(columns[0]), lambda text: _parts(text, options), table, options, log)
    return _collected(_labels(table, columns[0], log), _alone, table, options, log)


def _labels(table: Records, column: Field, log: ProblemLog) -> list[str]:
    """Return the label of each row: of scores of labels the one with the highest."""
    if not table.is_json:
        return texts_of(table, column, "label", log)
    cells = (best_label(cell) if isinstance(cell, list | dict) else cell for cell in table.cells(column))
    return [label_of(cell, "label", line, log) for cell, line in zip(cells, table.lines, strict=True)]


def _as_they_are(labels: Labels | str | None) -> Labels | None:
    return labels if isinstance(labels, tuple) else None


def _alone(text: str) -> Labels | None:
    return (text,) if text else None


def _parts(text: str, options: Options) -> Labels:
    parts = listed_in(text.strip(BLANKS))
    return tuple(filter(None, (part.strip(BLANKS) for part in (text.split(options.separator) if parts is None else parts))))


def _lists(table: Records, column: Field, log: ProblemLog) -> list[Labels | str | None]:
    """Return the labels of each list of JSON, None for nothing."""
    answers: list[Labels | str | None] = []
    for cell, line in zip(table.cells(column), table.lines, strict=True):
        if scores_of(cell):
            log.add("labels.value", "has scores of labels; write the labels whose score is high enough", line)
            answers.append(FAULT)
        elif isinstance(cell, list):
            labels = tuple(label_of(label, "label", line, log) for label in cell)
            answers.append(FAULT if FAULT in labels else labels)
        elif cell is None:
            answers.append(None)
        else:
            log.add("labels.value", f"the set of labels is {kind_of(cell)}; expected a list", line)
            answers.append(FAULT)
    return answers


_INDICATORS: dict[object, bool] = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}
"""What columns of labels say, in lower case; pandas writes True, and 1.0 in columns that have gaps."""


def _indicated(table: Records, columns: Sequence[Field], log: ProblemLog) -> list[Labels | str | None]:
    """Return the labels whose columns say that a row has them, None where a key is missing."""
    sets: list[list[str]] = [[] for _ in table.lines]
    faults: dict[int, str | None] = {}
    for column in columns:
        label = text_of(column)
        for row, cell in enumerate(table.cells(column)):
            text = text_of(cell).lower()
            if text in _INDICATORS:
                if _INDICATORS[text]:
                    sets[row].append(label)
            elif not text and table.is_json:
                faults.setdefault(row, None)
            else:
                if text != FAULT:
                    cure = "; of a probability write 1 where it is high enough" if "." in text else ""
                    log.add(
                        "labels.value", f"{shown(cell)} in column {label}; expected 0, 1, false or true{cure}", table.lines[row]
                    )
                faults[row] = FAULT
    return [faults[row] if row in faults else tuple(labels) for row, labels in enumerate(sets)]


def _collected(
    keys: Sequence[H], labels_of: Callable[[H], Labels | None], table: Records, options: Options, log: ProblemLog
) -> Answers:
    """Return the answers of rows that are equal where their keys are, so that each different one is looked at once."""
    sets = {key: () if key == FAULT else labels_of(key) for key in dict.fromkeys(keys)}
    places = {key: place for place, key in enumerate(sets)}
    of_rows = np.fromiter(map(places.__getitem__, keys), np.int64, len(keys))
    names = sorted({label for labels in sets.values() for label in labels or ()})
    faults = {name: fault for name in names if (fault := fault_of(name, options))}
    _log_faults([_told(labels, faults, options) for labels in sets.values()], of_rows, table, log)
    left_out = {name for name, (code, _) in faults.items() if options.is_set and code == _UNKNOWN}
    codes = {name: code for code, name in enumerate(name for name in names if name not in left_out)}
    codes_of_sets = [[codes[label] for label in dict.fromkeys(labels or ()) if label in codes] for labels in sets.values()]
    has_two = any(len(codes_of_set) > 1 for codes_of_set in codes_of_sets)
    check_written_sets(codes, options, log, has_sets=has_two or table.is_json)
    given = np.array([labels is not None for labels in sets.values()], np.bool_)[of_rows]
    return Answers(given, tuple(codes), *_entries(codes_of_sets, of_rows), np.zeros(len(keys)))


def _log_faults(told: Sequence[Sequence[Fault]], of_rows: Rows, table: Records, log: ProblemLog) -> None:
    """Log what is wrong with the set of each row, given that of each different set, and the set of each row."""
    has_fault = np.array([bool(faults) for faults in told], np.bool_)
    for row in np.flatnonzero(has_fault[of_rows]).tolist() if has_fault.any() else ():
        for code, message in told[of_rows[row]]:
            log.add(code, message, table.lines[row])


def _entries(codes_of_sets: Sequence[Sequence[int]], of_rows: Rows) -> tuple[Rows, Rows]:
    """Return the row and the code of each label of each row, given the codes of each different set, and the set of each row.

    The sets [[5], [7, 8]] of the rows [1, 0, 1] give the rows [0, 0, 1, 2, 2] and the codes [7, 8, 5, 7, 8].
    """
    sizes = np.array([len(codes) for codes in codes_of_sets], np.int64)
    starts = np.cumsum(sizes) - sizes
    sizes_of_rows = sizes[of_rows]
    rows = np.repeat(np.arange(len(of_rows)), sizes_of_rows)
    places_in_sets = np.arange(len(rows)) - np.repeat(np.cumsum(sizes_of_rows) - sizes_of_rows, sizes_of_rows)
    codes = np.array([code for codes in codes_of_sets for code in codes], np.int64)
    return rows, codes[starts[of_rows][rows] + places_in_sets]


_UNKNOWN = "labels.unknown-label"


def _told(labels: Labels | None, faults: Mapping[str, Fault], options: Options) -> list[Fault]:
    """Return what is wrong with the labels of a row."""
    if labels is None:
        return [("labels.empty", f"has no {'set of labels' if options.is_set else 'label'}; write one")]
    faults_of_row = [faults[label] for label in dict.fromkeys(labels) if label in faults] if faults else []
    if not faults_of_row and len(set(labels)) == len(labels):
        return []
    return [
        *faults_of_row,
        *(
            ("labels.duplicate-label", f"the label {quoted(label)} stands {number} times in the set; it counts once")
            for label, number in Counter(labels).items()
            if number > 1
        ),
    ]


def fault_of(label: str, options: Options) -> Fault | None:
    """Return what is wrong with a label, None if nothing is."""
    if message := unfit(label):
        return "labels.value", f"the label {message}"
    if label in RESERVED or label.startswith("group."):
        return "labels.reserved", f"the label {quoted(label)} is part of the names of measures; call it something else"
    if options.all_labels and label not in options.all_labels:
        return _UNKNOWN, f"the label {quoted(label)} is not in the option labels; {nearest(label, options.all_labels)}"
    return None


def _numbers(table: Records, column: Field, log: ProblemLog) -> Answers:
    cells = table.cells(column)
    numbers = numbers_of(cells, is_json=table.is_json)
    given = np.ones(len(cells), np.bool_)
    for row in np.flatnonzero(~(np.abs(numbers) <= GREATEST)).tolist():
        cell = cells[row] if table.is_json else cells[row].strip(BLANKS)
        if cell in ("", None):
            given[row] = False
            log.add("labels.empty", "has no score; write one", table.lines[row])
        elif table.is_json or cell != FAULT:
            log.add("labels.number", f"{shown(cell)} is not a number such as 0.25 or -1e3, of at most 1e100", table.lines[row])
    nothing = np.zeros(0, np.int64)
    return Answers(given, (), nothing, nothing, np.where(given, numbers, 0.0))


def numbers_of(cells: Sequence[Any], *, is_json: bool) -> Floats:
    """Return the numbers of cells, NaN where one has none: text that is no decimal, a value of JSON that is no number."""
    if is_json:
        return np.array(
            [float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else np.nan for cell in cells]
        )
    return decimals_of(cells)


def shown(cell: object) -> str:
    """Return a cell as messages quote it."""
    return quoted(cell) if isinstance(cell, str) else kind_of(cell)
