"""What a task is: files by role, options, counting and measures. Tasks know nothing of suites, gates, pytest or reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.formats.source import Source
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.problems import Kind, ProblemLog

Documents = Mapping[str, Any]
"""The documents read so far, by role. What a document is, is the task's own business."""

Reader = Callable[[Source, Documents, Any, ProblemLog], Any]
"""`read(source, documents, options, log)`: the file's document, or None with errors in the log.

`documents` holds the roles before this one in the task's order; one that is absent or could not be read is missing there, and the
reader then leaves out the checks that need it.
"""


@dataclass(frozen=True, slots=True)
class Role:
    """A file that a case consists of. Errors in `gold`-side files are the user's set-up, those in `system`-side ones the system's.

    `required` may be a function of the task's options. `suffix` is how such files are usually called, and `once` says that one usually
    serves all documents of a suite; a new configuration says so, too, and nothing else depends on it.
    """

    name: str
    side: Literal["gold", "system"]
    summary: str
    read: Reader
    required: bool | Callable[[Any], bool] = True
    suffix: str = ".xml"
    once: bool = False


class Explanation(NamedTuple):
    """Why a unit is not right: a `reason` from the task's fixed list, and a sentence; `line` is the system file's, from 1."""

    unit: str
    reason: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Explanations:
    """The first `SHOWN` explanations of a document, and how many there are per reason.

    `rows` are the explanations' fields as plain tuples: there may be very many, and the garbage collector passes over those.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    rows: tuple[tuple[str, str, str, int | None], ...] = ()

    SHOWN = 1000

    @property
    def first(self) -> tuple[Explanation, ...]:
        """The explanations that are kept."""
        return tuple(map(Explanation._make, self.rows))

    @classmethod
    def of(cls, explanations: Iterable[Explanation]) -> Self:
        """Count all, keep the first."""
        counts: Counter[str] = Counter()
        rows: list[tuple[str, str, str, int | None]] = []
        for explanation in explanations:
            counts[explanation.reason] += 1
            if len(rows) < cls.SHOWN:
                rows.append((explanation.unit, explanation.reason, explanation.message, explanation.line))
        return cls(dict(sorted(counts.items())), tuple(rows))

    def to_json(self) -> dict[str, Any]:
        """Return a JSON document."""
        return {"counts": dict(self.counts), "first": [explanation._asdict() for explanation in self.first]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote."""
        first = (Explanation(**explanation) for explanation in data["first"])
        return cls(dict(data["counts"]), tuple((found.unit, found.reason, found.message, found.line) for found in first))


@dataclass(frozen=True, slots=True)
class Counted:
    """What counting a case gives: its evidence (a document without name), and why units are not right."""

    evidence: Evidence
    explanations: Explanations = Explanations()


@dataclass(frozen=True, slots=True)
class Task:
    """One shared task's format and counting.

    `roles` are in reading order: gold and what it needs before the system file. `options` builds the task's frozen options from
    keyword arguments that satisfy `options_schema` (a JSON Schema for an object). `problems` lists every kind that reading and
    counting can log. `version` names the scorer: it changes whenever a score can change for the same files, and with it all
    stored evidence becomes invalid.

    `count(documents, options, log)` gives the evidence of one case and its explanations. `measures(options, columns)` gives the
    measures that exist for evidence with these columns; with `columns=None`, before anything is read, all that can exist, or None
    if only the files can tell. `fixed_measures` says that the files have no influence on which measures exist.
    `signature(options, columns)` gives whatever changes a score, for the report. `native(values, signature, documents)` gives the
    report of the task's own original scorer, if it is known for one, from the values of all measures (None for none), the
    signature and the number of documents.
    """

    name: str
    summary: str
    version: str
    roles: tuple[Role, ...]
    options: Callable[..., Any]
    options_schema: Mapping[str, Any]
    problems: Mapping[str, Kind]
    count: Callable[[Documents, Any, ProblemLog], Counted]
    measures: Callable[[Any, Collection[str] | None], Sequence[Measure] | None]
    signature: Callable[[Any, Collection[str]], Mapping[str, str]]
    fixed_measures: bool = True
    native: Callable[[Mapping[str, float | None], Mapping[str, str], int], str] | None = None

    def needed(self, options: Any | None) -> tuple[str, ...]:
        """Return the roles that a suite with these options must have; with None, as long as they are unknown, those always needed."""
        return tuple(
            role.name
            for role in self.roles
            if role.required is True or (callable(role.required) and options is not None and role.required(options))
        )

    def role(self, name: str) -> Role:
        """Return the role of that name; `KeyError` if there is none."""
        return {role.name: role for role in self.roles}[name]
