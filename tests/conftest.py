"""What every test needs: an environment in which pytest and the command behave the same everywhere."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from pytest_nlpeval import foreign_process
from tests.support import HANG, THREADS

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""No test depends on how fast a machine is, or how busy."""

settings.register_profile("same", UNTIMED, derandomize=True, database=None, max_examples=50)
settings.register_profile("search", UNTIMED, derandomize=False, print_blob=True, max_examples=200)
settings.load_profile("same")  # the same examples in every run; `make search` looks for others


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what stays until the end: it would look through thousands of tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def _same_environment_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    colours = ("FORCE_COLOR", "NO_COLOR", "PY_COLORS", "CLICOLOR", "CLICOLOR_FORCE")
    for name in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "PYTEST_ADDOPTS", "COLUMNS", "LINES", *colours):
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("GIT_")]:  # a hook of git sets those that name its repository
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NLPEVAL_STORE_KEY", "a key of the tests' own")  # they leave no secret in this user's cache folder
    monkeypatch.setenv(THREADS, "1")


@pytest.fixture
def never_waits() -> Iterator[None]:
    """Let a test fail that waits for a pipe, say, which would be for ever: after far more time than it takes."""

    def fail(*_: object) -> None:
        pytest.fail("it waits")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(HANG)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


class ProcessEndedError(BaseException):
    """Raised where this process would have ended."""


@pytest.fixture
def no_end(monkeypatch: pytest.MonkeyPatch) -> type[BaseException]:
    """Let what ends this process at once raise this error instead: it would end all tests, as if they had passed."""
    process, really = os.getpid(), foreign_process._EXIT

    def end(status: int) -> None:
        if os.getpid() == process:
            raise ProcessEndedError(status)
        really(status)

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(foreign_process, "_EXIT", end)
    return ProcessEndedError
