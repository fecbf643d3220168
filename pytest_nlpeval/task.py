"""What a task is: files by role, options, counting and measures. Tasks know nothing of suites, gates, pytest or reports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pytest_nlpeval.explanations import Entry
from pytest_nlpeval.files import Source
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.wording import nearest

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Evidence
    from pytest_nlpeval.formats.samples import Sample, Samples
    from pytest_nlpeval.graphs import Drawing
    from pytest_nlpeval.metrics.partners import Items


class OptionsError(ValueError):
    """What is wrong with options that satisfy the schema: for each mistake the keys and places that lead to it, and a message."""

    def __init__(self, mistakes: Iterable[tuple[tuple[str | int, ...], str]]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("; ".join(message for _, message in self.mistakes))


Documents = Mapping[str, Any]
"""The documents read so far, by role. What a document is, is the task's own business."""


@frozen_dataclass(frozen=True, slots=True)
class Deferred:
    """A function of another module, `module:name`, which is imported when it is first called.

    A task's readers and its counting are such functions: telling about a task then needs none of the libraries that reading files needs.
    """

    place: str

    def load(self) -> Callable[..., Any]:
        """Return the function."""
        return _function_at(self.place)

    def __call__(self, *given: Any) -> Any:
        """Call the function."""
        return _function_at(self.place)(*given)


@cache
def _function_at(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


Reader = Callable[[Source, Documents, Any, ProblemLog], Any]
"""`read(source, documents, options, log)`: the file's document, or None with errors in the log.

`documents` holds the roles before this one in the task's order; one that is absent or could not be read is missing there, and the
reader then leaves out the checks that need it.
"""


@frozen_dataclass(frozen=True, slots=True)
class Role:
    """A file that a case consists of. Errors in `gold`-side files are the user's set-up, those in `system`-side ones the system's.

    `required` may be a function of the task's options. A suite may have files of a role that stands `instead_of_gold`; it then has no
    gold, its files are only validated, and its measures are those that exist without gold. `suffixes` are how the names of such files
    usually end, the most usual first, and `once` says that one file usually serves all documents of a suite; a new configuration says
    so, too, and nothing else depends on it. `ending(options)` is how all files of the role end in a folder where others lie beside them.
    A file that `is_question` is all shown to the system, and has no answer.
    """

    name: str
    side: Literal["gold", "system"]
    summary: str
    read: Reader
    required: bool | Callable[[Any], bool] = True
    suffixes: tuple[str, ...] = (".xml",)
    once: bool = False
    instead_of_gold: bool = False
    is_question: bool = False
    ending: Callable[[Any], str] | None = None


@frozen_dataclass(frozen=True, slots=True)
class Counted:
    """What counting a case gives: its evidence (a document without name), and why units are not right.

    `explanations` should be an iterator that does its work when it is asked for the next one, such as a generator: nobody asks unless
    a gate failed or a report wants them.
    """

    evidence: Evidence
    explanations: Iterable[Entry] = ()


@frozen_dataclass(frozen=True, slots=True)
class Together:
    """What counting several cases at once gives: their evidence, documents in the order given, and the explanations of each by name.

    It is what counting them one by one gives, merged, column by column in the same order.
    """

    evidence: Evidence
    explanations: Mapping[str, Iterable[Entry]]


@frozen_dataclass(frozen=True, slots=True)
class StarterGate:
    """A gate of a new configuration: the `worst` value of a measure that passes; `meaning` says in a few words what that is about.

    Where more is better, `worst` is the least value, where less is better, the greatest: it is written as a bare number.

    Where `only` says under which other options or files the measure has a value, the gate is commented out.
    """

    measure: str
    worst: float
    meaning: str
    only: str = ""


@frozen_dataclass(frozen=True, slots=True)
class Starter:
    """What a new configuration begins with, beside the task's files.

    `options` fit the task's schema and hold all that are required. Measures of `gates` exist with these options, apart from those
    of an `only`. A task without any gets the first share among its measures.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    gates: tuple[StarterGate, ...] = ()


class Reported(NamedTuple):
    """What a report says of a suite's result, for the report of the task's own original scorer.

    `values` are those of all measures, None for none; `documents` is how many there are; `graphs` has what the task draws, in the JSON
    report's form, by name.
    """

    values: Mapping[str, float | None]
    signature: Mapping[str, str]
    documents: int
    graphs: Mapping[str, Mapping[str, Any]]


SURE, LIKELY, POSSIBLE = 0.9, 0.6, 0.3
"""How a task may be of its guess: only this task has such files; they have the task's usual names or shape; nothing speaks against it."""


class Guess(NamedTuple):
    """What a task makes of two files: `confidence` from 0 to 1, the `options` they need, and `why`, a clause that names what was seen.

    `files` are the further roles, with the sample among those near the two that has each. Two guesses of one confidence are equally likely.
    """

    confidence: float
    options: Mapping[str, Any]
    why: str
    files: Mapping[str, Sample] = {}


@frozen_dataclass(frozen=True, slots=True)
class Task:
    """One shared task's format and counting.

    `roles` are in reading order: gold and what it needs before the system file. `options` builds the task's frozen options from
    keyword arguments that satisfy `options_schema` (a JSON Schema for an object), and raises `OptionsError` for what no schema can tell.
    `problems` lists every kind that reading and
    counting can log. `version` names the scorer: it changes whenever a score can change for the same files, and with it all
    stored evidence becomes invalid.

    `count(documents, options, log)` gives the evidence of one case and its explanations. `count_together(files, options, logs)` does so for
    several cases with small files at once, from the files themselves: `files` and `logs` have by document and role what is read and where
    problems are written. It may be faster, and gives `Together`, or None where it cannot do so with the very problems, evidence and
    explanations of one by one: where any file has an error. They are then counted one by one. `measures(options, columns)` gives the
    measures that exist for evidence with these columns; with `columns=None`, before anything is read, all that can exist, or None
    if only the files can tell. `fixed_measures` says that the files have no influence on which measures exist.
    `signature(options, columns)` gives whatever changes a score, for the report. `native(reported)` gives the report
    of the task's own original scorer, if it is known for one, from what a JSON report says of a suite; a `KeyError` says what the report
    lacks. `notes(evidence, options, roles)` gives what a reader of a suite's scores must know besides
    them, one sentence each without a full stop: that some units were left out, say; `roles` are those that the suite has files for. It
    is asked once for a suite, with the evidence of all its cases, and not at all where files have errors. `graphs(evidence, options)` gives
    what the task draws of the result, and is asked likewise. `starter` is what `nlpeval init` writes, and what `nlpeval tasks` lists the
    measures of.

    `remedy(options, name)` says which option to change so that there is a measure of that name, "" if none helps: for gates on measures
    that are not worked out.

    `reading` names the options that say how files are read: old files are read with those of their time. `of_then(today, earlier)` gives
    the options of old files from those of today, with these in them, and from all of then, both as they are written; None for the former.
    `asks(documents, options)` gives the items of a document, from what was read of its gold side: an old output is compared over what both
    golds ask. `restate(earlier, today, partners)` gives the documents to count for an old output whose gold changed: `earlier` are those
    of then, gold and system; `today` has the gold side of now; `partners` has for each of today's items the rank of the earlier one that it
    is, or -1. Without `restate` the items of a document stand or fall together: the old output is read anew with today's gold if that
    asks the same, and left out otherwise. Without `asks` a document is one question: the bytes of its files that are questions, of all
    gold-side files if none is.

    `falls` are last parts of names of measures: what changed against a baseline is sorted by how far units fell in the first such measure
    that an explanation bears on.

    `recognise(samples)` gives the guesses at what two files are, none if they are not the task's; without it a user must name the task.
    A guess is believed only after the task's readers have read the files without errors, so that looking at names and shapes is enough.
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
    count_together: (
        Callable[[Mapping[str, Mapping[str, Source]], Any, Mapping[str, Mapping[str, ProblemLog]]], Together | None] | None
    ) = None
    fixed_measures: bool = True
    native: Callable[[Reported], str] | None = None
    notes: Callable[[Evidence, Any, Collection[str]], Iterable[str]] | None = None
    graphs: Callable[[Evidence, Any], Iterable[Drawing]] | None = None
    starter: Starter = Starter()
    remedy: Callable[[Any, str], str] | None = None
    reading: tuple[str, ...] = ()
    of_then: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]] | None = None
    asks: Callable[[Documents, Any], Items] | None = None
    restate: Callable[[Documents, Documents, NDArray[int64]], Documents] | None = None
    falls: tuple[str, ...] = ()
    recognise: Callable[[Samples], Iterable[Guess]] | None = None

    def hint(self, options: Any, name: str, names: Iterable[str]) -> str:
        """Return what to do about a measure that there is not: which option brings it forth, or else which of the `names` are near."""
        return (self.remedy(options, name) if self.remedy else "") or nearest(name, names)

    def needed(self, options: Any | None, given: Collection[str] = ()) -> tuple[str, ...]:
        """Return the roles that a suite with these options must have; with None, as long as they are unknown, those always needed.

        `given` are the roles that it has files for: of these one may stand instead of gold.
        """
        reference = self.reference(given)
        return tuple(
            reference if role.name == "gold" else role.name
            for role in self.roles
            if role.required is True or (callable(role.required) and options is not None and role.required(options))
        )

    def reference(self, given: Collection[str]) -> str:
        """Return the role whose files the system's are paired with: `gold`, or the one of the `given` that stands instead of it."""
        return next((role.name for role in self.roles if role.instead_of_gold and role.name in given), "gold")

    def role(self, name: str) -> Role:
        """Return the role of that name; `KeyError` if there is none."""
        return {role.name: role for role in self.roles}[name]
