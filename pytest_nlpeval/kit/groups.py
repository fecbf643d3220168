"""Groups of items: the values of a field by which every measure is also given."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_nlpeval.kit.records import FAULT
from pytest_nlpeval.libraries import np
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_GROUPS, MOST_LENGTH = 200, 200


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The values of groups, sorted, and the place of each row's value there, -1 for none."""

    names: tuple[str, ...]
    of_rows: NDArray[np.int64]


def groups_of(texts: Sequence[str], lines: Sequence[int], task: str, unfit_code: str, log: ProblemLog) -> Groups:
    """Return the groups of rows whose cells are `texts`, "" for none and `FAULT` for one whose problem is told.

    A value with a dot is `<task>.reserved`, no value is `<task>.no-group`, more than `MOST_GROUPS` values are `<task>.too-many`. A value
    that is too long, or has a control character, is of the code `unfit_code`.
    """
    values = set(texts) - {"", FAULT}
    faults = {value: _fault(value, task, unfit_code) for value in values if unfit(value) or "." in value}
    if faults or "" in texts:
        for text, line in zip(texts, lines, strict=True):
            if text in faults:
                log.add(*faults[text], line)
            elif not text:
                log.add(f"{task}.no-group", "has no group; the item is in none", line)
    _check_number(values, task, log)
    names = tuple(sorted(values))
    places = {value: place for place, value in enumerate(names)} | {"": -1, FAULT: -1}
    return Groups(names, np.fromiter(map(places.__getitem__, texts), np.int64, len(texts)))


def _check_number(values: Collection[str], task: str, log: ProblemLog) -> None:
    if len(values) > MOST_GROUPS:
        message = f"there are {len(values):,} groups, at most {MOST_GROUPS} are allowed; is it a column of texts or ids?"
        log.add(f"{task}.too-many", message)


def unfit(value: str) -> str:
    """Return what is wrong with a label or a group's value as text, "" if nothing is."""
    if not value:
        return f"is empty; expected 1 to {MOST_LENGTH} characters"
    if len(value) > MOST_LENGTH:
        return f"{quoted(value)} is too long; expected at most {MOST_LENGTH} characters"
    if any(unicodedata.category(character) == "Cc" for character in value):
        return f"{quoted(value)} has a control character; expected none"
    return ""


def _fault(value: str, task: str, unfit_code: str) -> tuple[str, str]:
    if message := unfit(value):
        return unfit_code, f"the group {message}"
    message = f"the group {quoted(value)} has a dot, which names of measures cannot tell from their own; write it without"
    return f"{task}.reserved", message
