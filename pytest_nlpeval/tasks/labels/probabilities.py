"""Reads and checks the probabilities that a system gives: one for each label, or that of one label alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pytest_nlpeval.kit.records import BLANKS, FAULT, Field, Records
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.answers import Answers, Flags, Floats, Rows, numbers_of, shown
from pytest_nlpeval.tasks.labels.limits import MOST_LABELS
from pytest_nlpeval.tasks.labels.options import Options
from pytest_nlpeval.tasks.labels.scored_labels import scores_of
from pytest_nlpeval.wording import plural, quoted


@light_dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """The probabilities of rows, 0 where a row has no answer.

    `columns` has those of each label that is named; `lone` has those of the positive label, if that is all there is.
    """

    columns: Mapping[str, Floats]
    lone: Floats | None = None

    def at(self, places: Rows, length: int) -> Probabilities:
        """Return the probabilities of `length` other rows, those of each row being put to its place, none where this is -1."""
        kept = places >= 0

        def placed(numbers: Floats) -> Floats:
            placed_numbers = np.zeros(length)
            placed_numbers[places[kept]] = numbers[kept]
            return placed_numbers

        columns = {label: placed(numbers) for label, numbers in self.columns.items()}
        return Probabilities(columns, None if self.lone is None else placed(self.lone))

    def of(self, label: str, options: Options) -> Floats | float:
        """Return the probabilities of a label."""
        if self.lone is not None:
            return self.lone if label == options.positive else 1 - self.lone
        return self.columns.get(label, 0.0)

    def of_answers(self, answers: Answers, options: Options) -> Floats:
        """Return the probability of each row's own label, 0 where it has none."""
        probabilities = np.zeros(len(answers.given))
        for code, label in enumerate(answers.names):
            rows = answers.rows[answers.codes == code]
            numbers = self.of(label, options)
            probabilities[rows] = numbers if isinstance(numbers, float) else numbers[rows]
        return probabilities


def read_probabilities(table: Records, given: Flags, options: Options, log: ProblemLog) -> Probabilities:
    """Return the probabilities of the rows that have an answer; their problems go to the log."""
    if not options.has_probabilities:
        return Probabilities({})
    if options.probability is None:
        columns = {label: _checked(table, column, given, log) for label, column in options.probabilities}
        return Probabilities(columns)
    cells = table.cells(options.probability)
    if table.is_json and any(isinstance(cell, dict | list) for cell in cells):
        return _of_objects(table, [scores_of(cell) or cell for cell in cells], given, log)
    if (options.is_set or not options.positive) and given.any():
        wrong = "sets need one of each label" if options.is_set else "name its label in the option positive"
        log.add(
            "labels.probability", f"a number alone is a probability of one label; {wrong}, or give a mapping of labels to columns"
        )
    return Probabilities({}, _checked(table, options.probability, given, log))


def _checked(table: Records, column: Field, given: Flags, log: ProblemLog) -> Floats:
    cells = table.cells(column)
    numbers = numbers_of(cells, is_json=table.is_json)
    for row in np.flatnonzero(given & ~((numbers >= 0) & (numbers <= 1))).tolist():
        if table.is_json or cells[row] != FAULT:
            _log(cells[row], f"column {column}", table.lines[row], log)
    return np.where(given, numbers, 0.0)


def _log(cell: object, where: str, line: int, log: ProblemLog) -> None:
    message = "is missing" if cell is None or cell == "" else f"is {shown(cell)}"
    log.add("labels.probability", f"the probability {message}; expected a number from 0 to 1", line, where=where)


def _of_objects(table: Records, cells: Sequence[Any], given: Flags, log: ProblemLog) -> Probabilities:
    """Return the probabilities of objects that name labels."""
    columns: dict[str, Floats] = {}
    for row, (cell, is_given) in enumerate(zip(cells, given.tolist(), strict=True)):
        if not is_given:
            continue
        if not isinstance(cell, dict):
            what = "is missing" if cell is None else f"is {shown(cell)}"
            log.add(
                "labels.probability",
                f"{what}; expected an object of labels with their probabilities, or a list of objects with label and score",
                table.lines[row],
            )
            continue
        for name, number in cell.items():
            is_number = isinstance(number, int | float) and not isinstance(number, bool)
            if not is_number or not 0 <= number <= 1:
                _log(number, name, table.lines[row], log)
                continue
            label = name.strip(BLANKS)
            if label not in columns:
                if len(columns) == MOST_LABELS:
                    log.add("labels.too-many", f"the probabilities name more than {MOST_LABELS:,} labels; are they ids?")
                    return Probabilities({})
                columns[label] = np.zeros(len(cells))
            columns[label][row] = number
    return Probabilities(columns)


def check_probabilities(
    probabilities: Probabilities, gold: Answers, system: Answers, lines: Rows, options: Options, log: ProblemLog
) -> None:
    """Log what is wrong with the probabilities of judged items, given what gold and system say of these."""
    if not options.has_probabilities or options.is_set:
        return
    if probabilities.lone is not None:
        others = sorted({*gold.names, *system.names} - {options.positive})
        if len(others) > 1:
            message = f"is that of {quoted(options.positive)} alone, but there are {plural(len(others), 'other label')}, such as "
            log.add(
                "labels.probability", f"the probability {message}{', '.join(map(quoted, others[:3]))}; give one of each label"
            )
    else:
        sums = sum(probabilities.columns.values(), np.zeros(len(system.given)))
        for item in np.flatnonzero(system.given & (np.abs(sums - 1) > _MOST_OFF)).tolist():
            message = f"the probabilities add up to {sums[item]:.6g}; expected 1"
            log.add("labels.probability-sum", message, int(lines[item]))
    impossible = int(np.count_nonzero(system.given & (probabilities.of_answers(gold, options) == 0)))
    if impossible:
        message = f"{plural(impossible, 'item')} with probability 0 for the gold label; log_loss takes 2^-52 instead"
        log.add("labels.zero-probability", message)


_MOST_OFF = 0.001 + 1e-9
"""The sum of doubles may be off by a little more than what was written."""
