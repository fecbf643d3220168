"""Executors that a user names: Dask's, or whatever a function returns. Their workers may be on other machines.

What such a worker does is checked: it may have another program, or not see the files. Whatever an executor raises becomes a sentence that
says what to do.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from pytest_nlpeval import __version__
from pytest_nlpeval.config.suite import Case
from pytest_nlpeval.foreign import said_of
from pytest_nlpeval.foreign_process import announce
from pytest_nlpeval.left_behind import end_with_parent
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.runs import Part

T = TypeVar("T")

PATIENCE = 10
"""How many seconds a scheduler has to answer."""


class Program(NamedTuple):
    """What a process runs: results of another version are none."""

    package: str
    python: str

    @classmethod
    def here(cls) -> Program:
        """Return that of this process."""
        return cls(__version__, ".".join(map(str, sys.version_info[:2])))

    def __str__(self) -> str:
        """As a sentence names it."""
        return f"pytest-nlpeval {self.package} on Python {self.python}"


def _refusal(code: str, message: str) -> NlpevalError:
    return NlpevalError((Problem(code, "error", "", None, None, "", message),))


@contextmanager
def named_executor(name: str) -> Iterator[Executor]:
    """Give the executor of that name: `dask`, `dask://HOST:PORT`, or `module:factory`; whatever was started for it ends behind it.

    Raises:
        NlpevalError: if it cannot be had.
    """
    announce(name)
    with ExitStack() as stack:
        opened = _dask if name == "dask" or name.startswith("dask://") else _made
        yield CheckedExecutor(opened(name, stack), name)


def _dask(name: str, stack: ExitStack) -> Executor:
    try:
        distributed: Any = import_module("distributed")  # whose calls have no types
    except ImportError:
        raise _refusal(
            "executor.unavailable", f'{name} needs Dask; install the extra: pip install "pytest-nlpeval[dask]"'
        ) from None
    address = name.removeprefix("dask").removeprefix("://")
    for logger in ("distributed", "tornado.application", *filter(_is_of_dask, list(logging.root.manager.loggerDict))):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what becomes of documents is told by the command
    try:
        if address:
            client = stack.enter_context(distributed.Client(f"tcp://{address}", timeout=PATIENCE, set_as_default=False))
        else:
            cluster = stack.enter_context(distributed.LocalCluster(dashboard_address=None, silence_logs=logging.CRITICAL))
            client = stack.enter_context(distributed.Client(cluster, timeout=PATIENCE, set_as_default=False))
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        cure = "start one with `dask scheduler`, or give the HOST:PORT that it tells"
        raise _refusal("executor.unavailable", f"no scheduler of Dask answers for {name} ({_said(error)}); {cure}") from None
    if address and not client.scheduler_info(n_workers=-1)["workers"]:
        message = f"the scheduler of {name} has no workers; start some with `dask worker {address}`"
        raise _refusal("executor.unavailable", message)
    executor: Executor = client.get_executor(pure=False)  # files may change between two calls with the same arguments
    return executor


def _is_of_dask(logger: str) -> bool:
    return logger.startswith("distributed.")


def _made(name: str, stack: ExitStack) -> Executor:
    module, colon, factory = name.partition(":")
    if not (module and colon and factory):
        message = f'"{name}" is no executor; expected dask, dask://HOST:PORT, or MODULE:FACTORY'
        raise _refusal("executor.unavailable", message)
    if (here := os.getcwd()) not in sys.path:  # noqa: PTH109 - text; `python -m` does the same
        sys.path.insert(0, here)
    try:
        made = getattr(import_module(module), factory)()
    except Exception as error:  # the user's own code may raise anything
        raise _refusal("executor.unavailable", f"{name} gives no executor: {_said(error)}") from error
    if not isinstance(made, Executor):
        message = f"{name} gives no `concurrent.futures.Executor`, but an object of the class {type(made).__name__}"
        raise _refusal("executor.unavailable", message)
    return stack.enter_context(made)


def _said(error: BaseException) -> str:
    return said_of(error).partition("\n")[0]


class CheckedExecutor(Executor):
    """Hands batches of cases to another executor; a result counts only if its worker has this program, and sees the files.

    The futures raise `NlpevalError` for whatever becomes of a worker, or of the other executor.
    """

    def __init__(self, inner: Executor, name: str) -> None:
        self._inner = inner
        self._name = name
        self._is_lost = False
        if util := sys.modules.get("multiprocessing.util"):  # a process that is forked for later may never get work
            util.register_after_fork(self, _begin_there)

    def submit(self, function: Callable[..., T], /, *args: Any, **_: Any) -> Future[T]:
        """Hand a batch of cases, the first argument, to the other executor."""
        (cases,) = args
        outer: Future[T] = Future()
        try:
            inner: Future[Any] = self._inner.submit(_done_there, Program.here(), function, cases)
        except Exception as error:  # noqa: BLE001 - it may be closed, or broken, or unable to send
            outer.set_exception(self._failure(error))
            return outer
        inner.add_done_callback(lambda done: self._pass_on(done, outer, cases))
        outer.add_done_callback(lambda done: self._cancel(inner) if done.cancelled() else None)
        return outer

    def _pass_on(self, inner: Future[Any], outer: Future[T], cases: Sequence[Case]) -> None:
        if not outer.set_running_or_notify_cancel():
            return
        try:
            result = inner.result()
            self._require_program(result)
            self._require_files(result, cases)
        except NlpevalError as error:
            outer.set_exception(error)
        except BaseException as error:  # noqa: BLE001 - whatever the other executor raises; no interrupt comes to this thread
            outer.set_exception(self._failure(error))
        else:
            outer.set_result(result)

    def _cancel(self, inner: Future[Any]) -> None:
        """Cancel what nobody waits for, unless the other executor fails: it ends all by itself, and a pool cannot end what is cancelled."""
        if not self._is_lost:
            inner.cancel()

    def _failure(self, error: BaseException) -> NlpevalError:
        """Return what is told of a failure of the other executor, which counts as lost from then on."""
        self._is_lost = True
        message = (
            f"{self._name} lost documents ({_said(error)}): a worker died (out of memory?), or the scheduler is gone; run again"
        )
        if isinstance(error, ImportError | AttributeError):
            message = (
                f"a worker of {self._name} cannot do the work ({_said(error)}); install {Program.here()} there, and the tasks"
            )
        return _refusal("executor.failed", message)

    def _require_program(self, result: object) -> None:
        if isinstance(result, Program):
            message = f"a worker of {self._name} has {result}, and here is {Program.here()}; install the same on all workers"
            raise _refusal("executor.version", message)

    def _require_files(self, part: Part, cases: Sequence[Case]) -> None:
        """Require that no file is there and was not for a worker."""
        for case, result in zip(cases, part.cases, strict=True):
            for role, problems in result.problems.items():
                path = case.files[role].path
                if any(problem.code == "file.missing" for problem in problems) and os.path.exists(path):  # noqa: PTH110 - text
                    cure = "workers need the same files at the same paths: share the folder, or use --shard"
                    raise _refusal("executor.files", f"{path} is here, and a worker of {self._name} does not see it; {cure}")


def _begin_there(_: object) -> None:
    end_with_parent()


def _done_there(program: Program, function: Callable[[Sequence[Case]], T], cases: Sequence[Case]) -> T | Program:
    """Do a batch in a worker; return the worker's own program instead if that is another."""
    end_with_parent()
    return function(cases) if Program.here() == program else Program.here()
