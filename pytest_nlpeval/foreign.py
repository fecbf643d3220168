"""Tasks of other packages: whatever goes wrong in one of their functions is an error that names task, function and place."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from pytest_nlpeval.foreign_process import called
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.task import Task
from pytest_nlpeval.wording import encodable

LONGEST = 300
"""How many characters of an exception's text are told, at most."""

_NOT_THEIRS = (str(Path(__file__).parent), str(Path(importlib.__file__).parent), "<frozen importlib", "<string>")
"""How the files begin that an exception only comes through: those of this package, of what imports, and of what dataclasses write."""


TASKS_BY_PACKAGE: dict[str, dict[str, None]] = {}
"""The names of the tasks of other packages that are made of functions of a package, by that package's name."""


class TaskError(NlpevalError):
    """A function of a task failed; its one problem says which, how, and where."""


@light_dataclass(frozen=True, slots=True)
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
            with called():
                yield
        except passes:
            raise
        except BaseException as error:
            raise _error(_failing(self.task, self.name, error)) from error


def said_of(error: BaseException) -> str:
    """Return an exception's type and text, cut where it is long.

    >>> said_of(SystemExit(0))
    'SystemExit: 0'
    """
    name = _cut(type.__getattribute__(type(error), "__name__"))
    try:
        with called():
            text = str(error)
        said = f"{name}: {_cut(text)}" if text else name
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - its own code, which may end the process, too
        said = f"{name}: its text cannot be had"
    return said


def _cut(text: str) -> str:
    return encodable(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def failure_of(error: BaseException) -> str:
    """Return what an exception says, and the last place outside this package that it came through."""
    return f"{said_of(error)}{_place(BaseException.__getattribute__(error, '__traceback__'))}"


def _place(traceback: TracebackType | None) -> str:
    """Return the last place that an exception came through outside of this package and of what imports."""
    place = ""
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith(_NOT_THEIRS):
            place = f" ({file}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return place


@contextmanager
def blamed(task: Task) -> Iterator[None]:
    """Let whatever is raised meanwhile be an error of a task of another package, which has given what this package cannot work with.

    What its functions give is looked at field by field, and may still fit nothing, or not fit together.
    """
    try:
        yield
    except NlpevalError:
        raise
    except Exception as error:
        if not is_guarded(task):
            raise
        raise failed_in(error, task.name) or _error(_unfit(task, error)) from error


def _unfit(task: Task, error: Exception) -> str:
    """Return what is said where an exception comes from no line of the task, which may have given something unfit all the same."""
    return (
        f"what the task {task.name} gives cannot be worked with: {failure_of(error)}; tell whoever wrote it, or, if it gives what it "
        f"should, whoever wrote pytest-nlpeval"
    )


@contextmanager
def blamed_on_any() -> Iterator[None]:
    """Let an exception that comes from a line of a task of another package be an error of that task, whatever was done with it.

    Reports are made of what several tasks gave.
    """
    try:
        yield
    except NlpevalError:
        raise
    except Exception as error:
        if (failure := failed_in(error)) is None:
            raise
        raise failure from error


def failed_in(error: Exception, task: str = "") -> TaskError | None:
    """Return the error of the task of another package whose code an exception came through last, None if it came through none.

    `task` is the one that is at work, where one is; one package may have several.
    """
    last = None
    traceback = BaseException.__getattribute__(error, "__traceback__")
    while traceback is not None:
        code = traceback.tb_frame.f_code
        package = str(traceback.tb_frame.f_globals.get("__name__")).partition(".")[0]
        last = (task or " or ".join(TASKS_BY_PACKAGE[package]), code.co_name) if package in TASKS_BY_PACKAGE else last
        traceback = traceback.tb_next
    return last and _error(_failing(*last, error))


def _failing(task: str, name: str, error: BaseException) -> str:
    return f"the task {task} fails in {name}: {failure_of(error)}; tell whoever wrote it"


def _error(message: str) -> TaskError:
    return TaskError((Problem("task.failed", "error", "", None, None, "", message),))


def is_guarded(task: Task) -> bool:
    """Whether the functions of a task tell what goes wrong in them."""
    return isinstance(task.measures, Guarded)


def without_measures(_options: Any, _columns: Collection[str] | None) -> Sequence[Measure]:
    """Return no measure: what is left of a task whose measures fail."""
    return ()


def without_facts(_options: Any, _columns: Collection[str]) -> Mapping[str, str]:
    """Return no fact: what is left of a task whose signature fails."""
    return {}


def muted(task: Task, reasons: Mapping[str, str]) -> Task:
    """Return a task in which the measures of these names have no value, for these reasons."""
    return replace(task, measures=_Muting(task.measures, reasons))


@light_dataclass(frozen=True, slots=True)
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
