"""Groups of items: the values of a field by which every measure is also given."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from pytest_nlpeval.kit.records import FAULT, kind_of, text_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.wording import quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_GROUPS, MOST_LENGTH = 200, 200


@frozen_dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The values of groups, sorted, and the place of each row's value there, -1 for none."""

    names: tuple[str, ...]
    of_rows: NDArray[np.int64]


class GroupCodes(NamedTuple):
    """The codes of problems with groups: a value with a dot, one that is too long or has a control character, none, too many values."""

    reserved: str
    unfit: str
    none: str
    too_many: str

    @classmethod
    def of(cls, task: str, unfit: str) -> Self:
        """Return the codes of a task that has `<task>.reserved`, `.no-group` and `.too-many`."""
        return cls(f"{task}.reserved", unfit, f"{task}.no-group", f"{task}.too-many")

    @classmethod
    def few(cls, task: str) -> Self:
        """Return the codes of a task that has `<task>.group` for whatever is wrong, and `<task>.no-group`."""
        return cls(f"{task}.group", f"{task}.group", f"{task}.no-group", f"{task}.group")


def group_kinds(task: str) -> dict[str, Kind]:
    """Return the kinds of problems of `GroupCodes.few`."""
    return {
        f"{task}.group": Kind(
            "error", f"a group has a name that measures cannot have, or there are more than {MOST_GROUPS}", fixed=True
        ),
        f"{task}.no-group": Kind("warning", "an item of gold has no group; it is in none"),
    }


def group_column(cells: Sequence[object], lines: Sequence[int | None], task: str, log: ProblemLog) -> list[str | None]:
    """Return the group of each row from the value that it has, None for none; what is wrong is logged by `GroupCodes.few`.

    A value is a text, a whole number, true or false, as JSON has them.
    """
    texts = []
    for cell, line in zip(cells, lines, strict=True):
        if cell is None or isinstance(cell, str | int):
            texts.append(text_of(cell))
        else:
            message = f"the group is {kind_of(cell)}; expected a string, a whole number, true or false"
            log.add(f"{task}.group", message, line)
            texts.append(FAULT)
    groups = groups_of(texts, lines, GroupCodes.few(task), log)
    return [groups.names[place] if place >= 0 else None for place in groups.of_rows.tolist()]


def groups_of(texts: Sequence[str], lines: Sequence[int | None], codes: GroupCodes, log: ProblemLog) -> Groups:
    """Return the groups of rows whose cells are `texts`, "" for none and `FAULT` for one whose problem is told."""
    values = set(texts) - {"", FAULT}
    faults = {value: _fault(value, codes) for value in values if unfit(value) or "." in value}
    if faults or "" in texts:
        for text, line in zip(texts, lines, strict=True):
            if text in faults:
                log.add(*faults[text], line)
            elif not text:
                log.add(codes.none, "has no group; the item is in none", line)
    _check_number(values, codes, log)
    names = tuple(sorted(values))
    places = {value: place for place, value in enumerate(names)} | {"": -1, FAULT: -1}
    return Groups(names, np.fromiter(map(places.__getitem__, texts), np.int64, len(texts)))


def _check_number(values: Collection[str], codes: GroupCodes, log: ProblemLog) -> None:
    if len(values) > MOST_GROUPS:
        message = f"there are {len(values):,} groups, at most {MOST_GROUPS} are allowed; is it a column of texts or ids?"
        log.add(codes.too_many, message)


def unfit(value: str) -> str:
    """Return what is wrong with a label or a group's value as text, "" if nothing is."""
    if not value:
        return f"is empty; expected 1 to {MOST_LENGTH} characters"
    if len(value) > MOST_LENGTH:
        return f"{quoted(value)} is too long; expected at most {MOST_LENGTH} characters"
    if any(unicodedata.category(character) == "Cc" for character in value):
        return f"{quoted(value)} has a control character; expected none"
    return ""


def _fault(value: str, codes: GroupCodes) -> tuple[str, str]:
    if message := unfit(value):
        return codes.unfit, f"the group {message}"
    message = f"the group {quoted(value)} has a dot, which names of measures cannot tell from their own; write it without"
    return codes.reserved, message
