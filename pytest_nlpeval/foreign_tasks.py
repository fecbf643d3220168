"""Guards the functions of tasks of other packages: each tells what goes wrong in it, and what it gives that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_nlpeval import foreign_types
from pytest_nlpeval.explanations import Entry
from pytest_nlpeval.foreign import TASKS_BY_PACKAGE, Guarded
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, NotAdditiveError
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, OptionsError, Role, Task, Together

_BUILT_WITH = frozenset((__name__.partition(".")[0], "functools"))
"""The packages from which a task of another one has functions, too."""


def guarded(task: Task) -> Task:
    """Return a task all of whose functions tell what goes wrong in them."""
    for function in (task.options, task.count, task.measures, task.signature, *(role.read for role in task.roles)):
        place = str(getattr(function, "place", getattr(function, "__module__", "")))  # the place of one that is deferred
        package = re.split("[.:]", place)[0]
        if package not in _BUILT_WITH:
            TASKS_BY_PACKAGE.setdefault(package, {})[task.name] = None

    def guard(function: Any, name: str, check: Callable[[Any], Any], *passes: type[Exception]) -> Any:
        return function and Guarded(function, task.name, name, check, passes)

    def roles() -> Iterator[Role]:
        for role in task.roles:
            required = guard(role.required, f"`required` of {role.name}", bool) if callable(role.required) else role.required
            read = guard(_Reading(role.read), f"`read` of {role.name}", _anything)
            ending = guard(role.ending, f"`ending` of {role.name}", foreign_types.checked_text)
            yield replace(role, read=read, required=required, ending=ending)

    return replace(
        task,
        roles=tuple(roles()),
        options=guard(_Choosing(task.options), "`options`", foreign_types.checked_options, OptionsError),
        count=guard(task.count, "`count`", _Counting(task.name)),
        count_together=task.count_together and guard(_Together(task.count_together, task.name), "`count_together`", _anything),
        measures=guard(task.measures, "`measures`", _Measuring(task.name)),
        signature=guard(task.signature, "`signature`", foreign_types.checked_facts),
        native=guard(task.native, "`native`", foreign_types.checked_text, KeyError),
        notes=guard(task.notes, "`notes`", foreign_types.checked_notes),
        graphs=guard(task.graphs, "`graphs`", foreign_types.checked_drawings),
        remedy=guard(task.remedy, "`remedy`", foreign_types.checked_sentence),
        of_then=guard(task.of_then, "`of_then`", foreign_types.checked_options_of_then),
        asks=guard(task.asks, "`asks`", foreign_types.checked_items),
        restate=guard(task.restate, "`restate`", dict),
        recognise=guard(task.recognise, "`recognise`", foreign_types.checked_guesses),
    )


def _anything(value: Any) -> Any:
    return value


@light_dataclass(frozen=True, slots=True)
class _Reading:
    """Reads a file with `func`, with documents in a mapping of its own; a file that it leaves out without a word would not be missed."""

    func: Callable[..., Any]

    def __call__(self, source: Any, documents: Mapping[str, Any], options: Any, log: ProblemLog) -> Any:
        document = self.func(source, dict(documents), options, log)
        if document is None and not log.has_errors:
            raise ValueError(
                "it gives None, and the log has no error; a problem that leaves nothing to count needs a `fixed` kind"
            )
        return document


@light_dataclass(frozen=True, slots=True)
class _Choosing:
    """Makes options with `func`, whose `OptionsError` must say what is wrong with which of them."""

    func: Callable[..., Any]

    def __call__(self, **given: Any) -> Any:
        try:
            return self.func(**given)
        except OptionsError as error:
            raise OptionsError(foreign_types.checked_mistakes(error.mistakes)) from error


@light_dataclass(frozen=True, slots=True)
class _Counting:
    """Checks what counting gives, and guards its explanations, which are worked out later."""

    task: str

    def __call__(self, value: Any) -> Counted:
        counted = foreign_types.checked_counted(value)
        return Counted(counted.evidence, self.explained(counted.explanations))

    def explained(self, explanations: Iterable[Any]) -> Iterator[Entry]:
        """Yield the explanations, each checked."""
        guard = Guarded(iter, self.task, "explanations of `count`", _anything)
        each = guard(explanations)
        following = replace(guard, func=next)
        while (explanation := following(each, None)) is not None:
            with guard.telling():
                checked = foreign_types.checked_explained(explanation)
            yield checked


@light_dataclass(frozen=True, slots=True)
class _Together:
    """Counts several cases with `func`, in mappings that are its own; what it gives must be of these very cases, in their order."""

    func: Callable[..., Any]
    task: str

    def __call__(self, files: Mapping[str, Any], options: Any, logs: Mapping[str, Any]) -> Together | None:
        own_files, own_logs = ({name: dict(of_case) for name, of_case in each.items()} for each in (files, logs))
        value = self.func(own_files, options, own_logs)
        if value is None:
            return None
        together, explained = foreign_types.checked_together(value, tuple(files)), _Counting(self.task).explained
        return Together(together.evidence, {name: explained(each) for name, each in together.explanations.items()})


@light_dataclass(frozen=True, slots=True)
class _Measuring:
    """Checks the measures, and guards their functions."""

    task: str

    def __call__(self, values: Any) -> Sequence[Measure] | None:
        return None if values is None else tuple(map(self._guarded, foreign_types.checked_measures(values)))

    def _guarded(self, measure: Measure) -> Measure:
        what = f"the measure {measure.name}"
        missing = (
            foreign_types.checked_sentence(measure.missing)
            if isinstance(measure.missing, str)
            else Guarded(measure.missing, self.task, what, foreign_types.checked_sentence)
        )
        return replace(
            measure,
            values=Guarded(partial(foreign_types.finite_values, measure.values), self.task, what, _anything, (NotAdditiveError,)),
            missing=missing,
        )
