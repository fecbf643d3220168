"""Tasks of other packages: whatever goes wrong in one of their functions is an error that names task, function and place."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import local
from types import TracebackType
from typing import Any, NoReturn

from pytest_nlpeval import foreign_types
from pytest_nlpeval.explanations import Entry
from pytest_nlpeval.measures import Measure, NotAdditiveError, Sample
from pytest_nlpeval.problems import NlpevalError, Problem, ProblemLog
from pytest_nlpeval.task import Counted, OptionsError, Role, Task, Together

LONGEST = 300
"""How many characters of an exception's text are told, at most."""

_NOT_THEIRS = (str(Path(__file__).parent), str(Path(importlib.__file__).parent), "<frozen importlib", "<string>")
"""How the files begin that an exception only comes through: those of this package, of what imports, and of what dataclasses write."""

UNKNOWN = 2
"""The exit code of a process that code of another package ends with 0, while nothing is decided."""

_EXIT = os._exit
_EXECUTE = {name: getattr(os, name) for name in ("execv", "execve")}
"""What all functions of `os` call that let another program take the place of this one."""

_PLACES = (os, sys.modules[os.name])
"""Where these functions are: `os` has them from `posix` or `nt`, from where others may take them, too."""

_CALLING = local()
"""`process`: the process in which this thread runs code of another package, None while it does not."""

BEFORE: list[Callable[[str], object]] = []
"""What is called with the name of a task, a source of baselines or an executor of another package before its module is imported."""

_ends: dict[int, int] = {}
"""The exit code that takes the place of 0, by the number of each process in which code of another package has run."""


_watched: set[int] = set()
"""The numbers of processes whose end tells nothing: who started them has their results, or notices that they are not there."""


class TaskError(NlpevalError):
    """A function of a task failed; its one problem says which, how, and where."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A function of a task, called `name` where its failures are told; `check` takes what it returns, and returns what is used of it.

    It raises `TaskError` for anything that the function raises: `sys.exit` would end the run with whatever it says. An interrupt stays
    one, and what the function may raise (`passes`) stays that.
    """

    func: Callable[..., Any]
    task: str
    name: str
    check: Callable[[Any], Any]
    passes: tuple[type[Exception], ...] = ()

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call the function."""
        with self.telling():
            return self.check(self.func(*given, **named))

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell of whatever is raised meanwhile."""
        passes: tuple[type[BaseException], ...] = (KeyboardInterrupt, TaskError, *self.passes)
        try:
            with kept_running():
                yield
        except passes:
            raise
        except BaseException as error:
            raise TaskError((Problem("task.failed", "error", "", None, None, "", self._message(error)),)) from error

    def _message(self, error: BaseException) -> str:
        return f"the task {self.task} fails in {self.name}: {failure_of(error)}; tell whoever wrote it"


@contextmanager
def kept_running() -> Iterator[None]:
    """Meanwhile `os._exit` raises `SystemExit` in this thread: the process would end with whatever it says, and nothing judged.

    From then on, `os._exit(0)` of another thread, or of what is called at the end, ends this process with `UNKNOWN`, or with the exit code
    that is known by then (`ends_with`), and no other program takes the place of this one. A process that is forked meanwhile is not
    concerned, but ends where it would come back from that code: it would judge, and write reports, once more.
    """
    before, process = getattr(_CALLING, "process", None), os.getpid()
    for place in _PLACES:
        vars(place).update(_INSTEAD)
    _CALLING.process = process
    _ends[process] = 0 if process in _watched else UNKNOWN
    try:
        yield
    finally:
        if os.getpid() != _CALLING.process:
            _EXIT(UNKNOWN)
        _CALLING.process = os.getpid() if before == process else before  # which may have gone on in another one


def announce(name: str) -> None:
    """Say that a task, a source of baselines or an executor of another package is imported next; of the command, while no thread runs."""
    for each in BEFORE:
        each(name)


def go_on() -> None:
    """Say that this process goes on with what the one that forked it did: what ends it is what would have ended that one."""
    _CALLING.process = os.getpid()
    _ends[os.getpid()] = UNKNOWN


def ends_with(code: int) -> None:
    """Say with which exit code this process ends: all that decides it is done."""
    _ends[os.getpid()] = code


def ends_as_ever() -> None:
    """Say that this is a worker, which ends with 0 when it is not needed any more."""
    _watched.add(os.getpid())


def _exit_or_raise(status: int) -> NoReturn:
    if getattr(_CALLING, "process", None) == os.getpid():
        raise SystemExit(status)
    code = status or _ends.get(os.getpid(), 0)
    if code != status:
        with suppress(OSError):  # nobody is there to read it
            os.write(2, b"nlpeval: code of another package ended the process\n")
    _EXIT(code)


def _execute_or_raise(name: str, *given: Any) -> NoReturn:
    if os.getpid() in _ends:
        raise SystemExit(f"os.{name} would end the run")
    _EXECUTE[name](*given)
    raise AssertionError


_INSTEAD = {"_exit": _exit_or_raise, **{name: partial(_execute_or_raise, name) for name in _EXECUTE}}
"""What stands in the place of these functions from the first call of another package's code on."""


def said_of(error: BaseException) -> str:
    """Return an exception's type and text, cut where it is long.

    >>> said_of(SystemExit(0))
    'SystemExit: 0'
    """
    name = type(error).__name__
    try:
        with kept_running():
            text = str(error)
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        said = f"{name}: {shown}" if text else name
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - its own code, which may end the process, too
        said = f"{name}: its text cannot be had"
    return said


def failure_of(error: BaseException) -> str:
    """Return what an exception says, and the last place outside this package that it came through."""
    return f"{said_of(error)}{_place(error.__traceback__)}"


def _place(traceback: TracebackType | None) -> str:
    """Return the last place that an exception came through outside of this package and of what imports."""
    place = ""
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith(_NOT_THEIRS):
            place = f" ({file}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return place


def is_guarded(task: Task) -> bool:
    """Whether the functions of a task tell what goes wrong in them."""
    return isinstance(task.measures, Guarded)


def guarded(task: Task) -> Task:
    """Return a task all of whose functions tell what goes wrong in them."""

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
        options=guard(task.options, "`options`", foreign_types.checked_options, OptionsError),
        count=guard(task.count, "`count`", _Counting(task.name)),
        count_together=task.count_together and guard(_Together(task.count_together, task.name), "`count_together`", _anything),
        measures=guard(task.measures, "`measures`", _Measuring(task.name)),
        signature=guard(task.signature, "`signature`", dict),
        native=guard(task.native, "`native`", foreign_types.checked_text, KeyError),
        notes=guard(task.notes, "`notes`", foreign_types.checked_texts),
        graphs=guard(task.graphs, "`graphs`", foreign_types.checked_drawings),
        remedy=guard(task.remedy, "`remedy`", foreign_types.checked_text),
        of_then=guard(task.of_then, "`of_then`", dict),
        asks=guard(task.asks, "`asks`", _anything),
        restate=guard(task.restate, "`restate`", dict),
        recognise=guard(task.recognise, "`recognise`", foreign_types.checked_guesses),
    )


def _anything(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
                foreign_types.check_explained(explanation)
            yield explanation


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class _Measuring:
    """Checks the measures, and guards their functions."""

    task: str

    def __call__(self, values: Any) -> Sequence[Measure] | None:
        return None if values is None else tuple(map(self._guarded, values))

    def _guarded(self, value: Any) -> Measure:
        measure = foreign_types.check_measure(value)
        what = f"the measure {measure.name}"
        missing = (
            measure.missing
            if isinstance(measure.missing, str)
            else Guarded(measure.missing, self.task, what, foreign_types.checked_text)
        )
        return replace(
            measure,
            values=Guarded(partial(foreign_types.finite_values, measure.values), self.task, what, _anything, (NotAdditiveError,)),
            missing=missing,
        )


def without_measures(_options: Any, _columns: Collection[str] | None) -> Sequence[Measure]:
    """Return no measure: what is left of a task whose measures fail."""
    return ()


def without_facts(_options: Any, _columns: Collection[str]) -> Mapping[str, str]:
    """Return no fact: what is left of a task whose signature fails."""
    return {}


def muted(task: Task, reasons: Mapping[str, str]) -> Task:
    """Return a task in which the measures of these names have no value, for these reasons."""
    return replace(task, measures=_Muting(task.measures, reasons))


@dataclass(frozen=True, slots=True)
class _Muting:
    measures: Callable[[Any, Collection[str] | None], Sequence[Measure] | None]
    reasons: Mapping[str, str]

    def __call__(self, options: Any, columns: Collection[str] | None) -> Sequence[Measure] | None:
        measures = self.measures(options, columns)
        return measures and tuple(
            replace(measure, values=_no_values, missing=self.reasons[measure.name]) if measure.name in self.reasons else measure
            for measure in measures
        )


def _no_values(sample: Sample) -> Any:
    from pytest_nlpeval.libraries import np

    return np.full(sample.size, np.nan)


def silenced(task: Task) -> Task:
    """Return a task that is asked for nothing any more but what it is called."""
    return replace(task, measures=without_measures, signature=without_facts, native=None, notes=None, graphs=None)
