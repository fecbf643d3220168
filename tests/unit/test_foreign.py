"""Functions of other packages' tasks: what they may raise, and what is an error of theirs."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.foreign_process import ends_with, kept_running
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.task import OptionsError
from pytest_nlpeval.tasks import load_task


def refuse(**_given: Any) -> Any:
    raise OptionsError([(("k",), "is too great")])


def stop(**_given: Any) -> Any:
    raise SystemExit(0)


def test_mistakes_in_options_stay_mistakes_of_the_user() -> None:
    with pytest.raises(OptionsError, match="is too great"):
        guarded(replace(load_task("rte"), options=refuse)).options()


def test_an_exit_is_an_error_of_the_task() -> None:
    with pytest.raises(TaskError, match="`options`: SystemExit: 0"):
        guarded(replace(load_task("rte"), options=stop)).options()


def end_at_once(**_given: Any) -> Any:
    os._exit(0)


def end_from_where_os_has_it(**_given: Any) -> Any:
    sys.modules[os.name]._exit(0)


@pytest.mark.usefixtures("no_end")
@pytest.mark.parametrize("end", [end_at_once, end_from_where_os_has_it])
def test_the_end_of_the_process_is_an_error_of_the_task(end: Callable[..., Any]) -> None:
    with pytest.raises(TaskError, match=r"`options`: SystemExit: 0 \(.*test_foreign\.py, line"):
        guarded(replace(load_task("rte"), options=end)).options()


def test_a_process_ends_as_ever_behind_code_of_others(no_end: type[BaseException]) -> None:
    with kept_running():
        with kept_running(), pytest.raises(SystemExit):
            os._exit(3)
        with pytest.raises(SystemExit):  # the inner one is over, the outer one is not
            os._exit(4)
    with pytest.raises(no_end, match="5"):
        os._exit(5)


@pytest.mark.parametrize(("status", "known", "code"), [(6, None, 6), (0, None, 2), (0, 0, 0), (0, 1, 1), (3, 1, 3)])
def test_another_thread_ends_the_process_and_never_with_0_unless_that_is_known(
    no_end: type[BaseException], status: int, known: int | None, code: int
) -> None:
    """A watchdog of tests that hang ends it, and so may what is called at the end."""
    raised: list[BaseException] = []

    def end() -> None:
        try:
            os._exit(status)
        except no_end as error:
            raised.append(error)

    with kept_running():
        if known is not None:
            ends_with(known)
        thread = Thread(target=end)
        thread.start()
        thread.join()
    assert [error.args for error in raised] == [(code,)]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        *(("os", name) for name in ("execv", "execve", "execl", "execlp", "execvp", "execvpe")),
        *((os.name, name) for name in ("execv", "execve")),
    ],
)
def test_no_other_program_takes_the_place_of_the_run(place: str, name: str) -> None:
    given: list[Any] = [sys.executable, "x"] if name.startswith("execl") else [sys.executable, ["x"]]
    given += [{}] if name.endswith("e") else []
    with kept_running(), pytest.raises(SystemExit, match=r"os\.execve? would end the run"):
        getattr(sys.modules[place], name)(*given)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_process_that_is_forked_meanwhile_ends_as_ever() -> None:
    with kept_running():
        child = os.fork()
        if not child:
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        child = os.fork()
        if not child:
            os.execv(sys.executable, [sys.executable, "-c", "raise SystemExit(7)"])
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([math.inf], "an infinite number"),
        ([-math.inf], "an infinite number"),
        ([], r"shape \(0,\), expected \(R,\)"),
        ([1, 2], r"shape \(2,\), expected \(R,\)"),
        ([[1]], r"shape \(1, 1\), expected \(R,\)"),
    ],
)
def test_values_that_are_no_numbers_of_the_sample_are_an_error_of_the_task(values: list[Any], says: str) -> None:
    """Infinity is above every minimum: a division by 0 would pass."""
    own = Measure("m", "", "", lambda _: values)  # type: ignore[arg-type, return-value]
    (measure,) = guarded(replace(load_task("rte"), measures=lambda *_: [own])).measures(None, None) or ()
    with pytest.raises(TaskError, match=f"the measure m: .*{says}"):
        measure.values(Sample(Evidence.of(["1"], {"right": np.array([1], np.int8)})))
