"""Functions of other packages' tasks: what they may raise, and what is an error of theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_nlpeval.foreign import TaskError, guarded
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
