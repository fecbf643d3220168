"""Options of the task, in the form that everything else reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pytest_nlpeval.kit.records import Field, Layout, by_side, fields_of, layouts, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass

Side = Literal[0, 1]
GOLD: Side = 0
SYSTEM: Side = 1


@light_dataclass(frozen=True, slots=True)
class Options:
    """What a configuration says, completed. Of pairs the first is gold's, the second the system's.

    `layouts` say how the files of either side are read. `answers` are the columns of label, set or score: several if each is that of one
    label of a set (`is_indicated`). `all_labels` and `averaged` are empty if they are not given. `probability` is the one column or key
    of all probabilities, `probabilities` are pairs of label and column. `signature` has whatever changes a score, as text.
    """

    kind: Literal["label", "labels", "score"] = "label"
    layouts: tuple[Layout, Layout] = (Layout(), Layout())
    answers: tuple[tuple[Field, ...], tuple[Field, ...]] = (("label",), ("label",))
    is_indicated: tuple[bool, bool] = (False, False)
    separator: str = ","
    group: Field | None = None
    cluster: Field | None = None
    text: tuple[Field, ...] = ()
    all_labels: tuple[str, ...] = ()
    ordinal: bool = False
    averaged: tuple[str, ...] = ()
    probability: Field | None = None
    probabilities: tuple[tuple[str, Field], ...] = ()
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
    answers = by_side(given.get("label"), kind)
    probability = given.get("probability")
    columns = probability if isinstance(probability, Mapping) else {}
    return Options(
        kind=kind,
        layouts=layouts(given),
        answers=(fields_of(answers[0]), fields_of(answers[1])),
        is_indicated=(isinstance(answers[0], list), isinstance(answers[1], list)),
        separator=given.get("separator", ","),
        group=_one(given.get("group")),
        cluster=_one(given.get("cluster")),
        text=fields_of(given.get("text")),
        all_labels=_labels(given.get("labels", ())),
        ordinal=given.get("ordinal", False),
        averaged=_labels(given.get("averaged", ())),
        probability=None if columns else _one(probability),
        probabilities=tuple(
            sorted(((text_of(label), field) for label, column in columns.items() for field in fields_of(column)), key=str)
        ),
        positive=text_of(given.get("positive", "")),
        is_sklearn=given.get("profile") == "sklearn",
        signature=tuple((name, _written(value)) for name, value in sorted(given.items()) if name not in _FREE),
    )


_FREE = ("text", "format", "items", "where", "id", "pair", "cluster")


def _labels(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(text_of, values)))


def _one(given: Any) -> Field | None:
    return next(iter(fields_of(given)), None)


def _written(value: object) -> str:
    """Return an option as text that can stand between the bars of a signature."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text.replace("|", "\\u007c")
