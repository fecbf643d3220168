"""Options of the task: the threshold of no-answer numbers, the language, the scorer that is followed, and how files are read."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from pytest_nlpeval.kit.records import Field, Layout, fields_of, layouts
from pytest_nlpeval.light_dataclasses import light_dataclass

Profile = Literal["standard", "squad2", "squad1"]

READING = ("format", "items", "where", "id", "answers", "question", "prediction")
"""The options that say how files are read."""


@light_dataclass(frozen=True, slots=True)
class Shape:
    """What options say of the files of one side: their layout, and in which field what the task calls by these names stands."""

    layout: Layout = field(default_factory=Layout)
    named: tuple[tuple[str, Field], ...] = ()

    @property
    def is_given(self) -> bool:
        """Whether any option says something."""
        return bool(self.named) or self.layout != Layout()

    def field(self, name: str) -> Field:
        """Return the field in which something stands, by default the one of its own name."""
        return dict(self.named).get(name, name)


@light_dataclass(frozen=True, slots=True)
class Options:
    """A prediction whose no-answer number is greater than `threshold` counts as no answer.

    `language` chooses MLQA's normalisation of that language, None that of SQuAD. `profile` says whose figures are to be reached: this
    project's, those of evaluate-v2.0.py, or those of evaluate-v1.1.py (with a `language`, of mlqa_evaluation_v1.py).
    `cluster` is the key of what questions have in common, None for nothing: of a question, or of what it stands in; `group` is that of
    the value by which all measures are also given. `gold` and `system` are the shapes of the files.
    """

    threshold: float = 1.0
    language: str | None = None
    profile: Profile = "standard"
    cluster: str | None = None
    group: str | None = None
    gold: Shape = Shape()
    system: Shape = Shape()


def make_options(**given: Any) -> Options:
    """Return the options that satisfy the task's schema.

    >>> make_options(prediction="answer.text").system.field("prediction")
    'answer.text'
    """
    gold, system = layouts(given)
    others = {name: value for name, value in given.items() if name not in READING}
    others |= {name: str(field) for name in ("group", "cluster") for field in fields_of(given.get(name))}
    return Options(**others, gold=_shape(gold, ("answers", "question"), given), system=_shape(system, ("prediction",), given))


def _shape(layout: Layout, names: tuple[str, ...], given: dict[str, Any]) -> Shape:
    return Shape(layout, tuple((name, field) for name in names for field in fields_of(given.get(name))))
