"""Worker processes of this machine: they do batches of cases as soon as they save time."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pytest_nlpeval.cli.streams import keep
from pytest_nlpeval.foreign_process import ends_as_ever
from pytest_nlpeval.left_behind import end_with_parent, make_shared_folder, remove_shared_folder
from pytest_nlpeval.tasks import modules_of

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

TRIAL = 0.1
"""How many seconds this process works alone before it decides whether to start workers."""

LEAST_GAIN = 0.15
"""How many seconds workers must save, at least, to be started."""

P = ParamSpec("P")
T = TypeVar("T")


class Workers(Executor):
    """Does batches of cases in this process until it knows that worker processes save time, and from then on in these.

    How long the first batches took tells how long the others would; `expect` says how many cases there are in all.
    """

    def __init__(self, jobs: int, tasks: Collection[str]) -> None:
        self._jobs = jobs
        self._modules = ["pytest_nlpeval.cli.fork_server", "pytest_nlpeval.run.budget"]
        self._modules += [module for name in sorted(tasks) for module in modules_of(name)]
        self._left = self._done = 0
        self._is_warm = False
        self._spent = 0.0
        self._ready = 0.0
        self._pool: ProcessPoolExecutor | None = None
        self._start = _start_up()

    def expect(self, cases: int) -> None:
        """Say how many more cases are to come."""
        self._left += cases

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do a batch of cases, the first argument, here and now, or hand it to the workers."""
        cases = sum(len(some) for some in args if isinstance(some, Sequence))
        if self._pool is None and self._pays():
            self._pool = _pool(self._jobs)
        self._left -= cases
        if self._pool is not None:
            return _apart(self._pool.submit(function, *args, **kwargs))
        started = time.perf_counter()
        future: Future[T] = Future()
        future.set_result(function(*args, **kwargs))
        if self._is_warm:
            self._spent += time.perf_counter() - started
            self._done += cases
        self._is_warm = True  # the first batch took longer: it imported the task's modules
        return future

    def _pays(self) -> bool:
        """Whether workers save time, and the server that forks them is ready; it is started as soon as they would save time.

        Workers cannot save the time of what is done here until they are ready.
        """
        if not self._done or self._spent < TRIAL:
            return False
        wait = max(0.0, self._ready - self._spent) if self._ready else self._start
        if (self._spent / self._done * self._left - wait) * (1 - 1 / self._jobs) < LEAST_GAIN:
            return False
        if not self._ready:
            _start_server(self._modules)
            self._ready = self._spent + self._start
        return self._spent >= self._ready

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """End the workers, at once if the user interrupts, or one has died: one that was just being started then would never end."""
        if self._pool is None:
            return
        if kind is not None and issubclass(kind, (KeyboardInterrupt, BrokenExecutor)):
            from multiprocessing import active_children

            for process in active_children():
                process.terminate()
        if kind is KeyboardInterrupt:
            results: Any = self._pool._result_queue  # noqa: SLF001 - nothing public ends the wait for a result
            results._writer.close()  # noqa: SLF001 - whose worker was in the middle of sending it
        self._pool.shutdown(cancel_futures=kind is not None and kind is not KeyboardInterrupt)


def _apart(inner: Future[T]) -> Future[T]:
    """Return another future for the result of a pool's own.

    Whoever waits may cancel it. The pool's own is never cancelled so: a pool that is ended at once would raise an error for it.
    """
    outer: Future[T] = Future()

    def pass_on(_: Future[T]) -> None:
        if inner.cancelled():
            outer.cancel()
        elif outer.set_running_or_notify_cancel():
            if error := inner.exception():
                outer.set_exception(error)
            else:
                outer.set_result(inner.result())

    inner.add_done_callback(pass_on)
    return outer


def _start_up() -> float:
    """Return about how many seconds the fork server takes to import what workers need: as many as this process has worked until now."""
    return time.process_time()


def _method() -> str:
    from multiprocessing import get_all_start_methods

    return "forkserver" if "forkserver" in get_all_start_methods() else "spawn"


def _start_server(modules: list[str]) -> None:
    """Start the process that imports what workers need and then forks them, where there is such a thing; do not wait for it."""
    if _method() == "spawn":
        return
    from multiprocessing import resource_tracker, set_forkserver_preload
    from multiprocessing.forkserver import ensure_running

    # What this process has counted until now tells which readers of formats the workers need.
    of_tasks = [name for name in sys.modules if name.startswith("pytest_nlpeval.tasks.")]
    set_forkserver_preload([*modules, *of_tasks])
    make_shared_folder()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # the tracker ends with this process; the others it ignores
    try:
        resource_tracker.ensure_running()  # it lets interrupts through, which would then reach the server
        signal.pthread_sigmask(signal.SIG_SETMASK, {*mask, signal.SIGINT})  # as there: an interrupt is for this process alone
        ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _pool(jobs: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(jobs, get_context(_method()), initializer=_begin_worker)


def _begin_worker() -> None:
    """Make this worker leave interrupts to its parent process, and end as soon as that has, however it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep()
    ends_as_ever()
    end_with_parent()


def remove_shared() -> None:
    """Unlink the semaphores that workers share, and remove the folder in which their server listens.

    The process that watches over semaphores would complain of them if this process just ended. Nothing public does either but the end of
    the program, which waits for the workers.
    """
    util = sys.modules.get("multiprocessing.util")
    if util:
        util._run_finalizers(0)  # noqa: SLF001
        remove_shared_folder()
