"""Options of the task, in the form that everything else reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Side = Literal[0, 1]
GOLD: Side = 0
SYSTEM: Side = 1
SIDES = ("gold", "system")

Column: TypeAlias = "str | int"
"""A column's name or its number from 1, or a key of JSON."""

BLANKS = " \t"

MOST_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Options:
    """What a configuration says, completed. Of pairs the first is gold's, the second the system's.

    `formats` are "" where the file's suffix tells. `answers` are the columns of label, set or score: several if each is that of one
    label of a set (`is_indicated`). `all_labels` and `averaged` are empty if they are not given. `probability` is the one column or key
    of all probabilities, `probabilities` are pairs of label and column. `signature` has whatever changes a score, as text.
    """

    kind: Literal["label", "labels", "score"] = "label"
    by_line: bool = False
    formats: tuple[str, str] = ("", "")
    ids: tuple[Column, Column] = ("id", "id")
    answers: tuple[tuple[Column, ...], tuple[Column, ...]] = (("label",), ("label",))
    is_indicated: tuple[bool, bool] = (False, False)
    separator: str = ","
    group: Column | None = None
    text: tuple[Column, ...] = ()
    all_labels: tuple[str, ...] = ()
    ordinal: bool = False
    averaged: tuple[str, ...] = ()
    probability: Column | None = None
    probabilities: tuple[tuple[str, Column], ...] = ()
    positive: str = ""
    is_sklearn: bool = False
    signature: tuple[tuple[str, str], ...] = ()

    @property
    def has_probabilities(self) -> bool:
        """Whether the system's files have probabilities that count."""
        return self.probability is not None or bool(self.probabilities)

    @property
    def averages_all(self) -> bool:
        """Whether a label that no judged item has counts as 0 in macro averages: as in scikit-learn if it is asked for, and for sets."""
        return self.is_sklearn and (self.is_set or bool(self.averaged))

    @property
    def is_score(self) -> bool:
        """Whether an item has a number."""
        return self.kind == "score"

    @property
    def is_set(self) -> bool:
        """Whether an item has a set of labels."""
        return self.kind == "labels"


def options(**given: Any) -> Options:
    """Return the options of a configuration that fits the schema.

    >>> options(kind="score", label={"system": "prediction"}).answers
    (('score',), ('prediction',))
    """
    kind = given.get("kind", "label")
    answers = _pair(given.get("label"), kind)
    probability = given.get("probability")
    columns = probability if isinstance(probability, Mapping) else {}
    return Options(
        kind=kind,
        by_line=given.get("pair") == "line",
        formats=_pair(given.get("format"), ""),
        ids=_pair(_trimmed(given.get("id")), "id"),
        answers=(_columns(answers[0]), _columns(answers[1])),
        is_indicated=(isinstance(answers[0], list), isinstance(answers[1], list)),
        separator=given.get("separator", ","),
        group=_trimmed(given.get("group")),
        text=_columns(given.get("text", [])),
        all_labels=_labels(given.get("labels", ())),
        ordinal=given.get("ordinal", False),
        averaged=_labels(given.get("averaged", ())),
        probability=None if columns else _trimmed(probability),
        probabilities=tuple((as_label(label), _trimmed(column)) for label, column in columns.items()),
        positive=as_label(given.get("positive", "")),
        is_sklearn=given.get("profile") == "sklearn",
        signature=tuple((name, _written(value)) for name, value in sorted(given.items()) if name not in _FREE),
    )


_FREE = ("text", "format", "id", "pair")


def as_label(value: object) -> str:
    """Return a label as it is compared: `3` is "3", `true` is "true", blanks around it do not count."""
    return str(value).lower() if isinstance(value, bool) else str(value).strip(BLANKS)


def _labels(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(as_label, values)))


def _pair(given: Any, default: Any) -> tuple[Any, Any]:
    """Return what either side has, of a value for both or a mapping by side."""
    if isinstance(given, Mapping):
        return given.get("gold", default), given.get("system", default)
    return (default, default) if given is None else (given, given)


def _columns(given: Any) -> tuple[Column, ...]:
    return tuple(map(_trimmed, given)) if isinstance(given, list) else (_trimmed(given),)


def _trimmed(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {side: _trimmed(column) for side, column in given.items()}
    return given.strip(BLANKS) if isinstance(given, str) else given if given is None else int(given)


def _written(value: object) -> str:
    """Return an option as text that can stand between the bars of a signature."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text.replace("|", "\\u007c")
