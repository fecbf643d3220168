"""What a run of pytest takes in: which paths its arguments name, and whether anything keeps some of its tests from running."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval.config.finding import is_config

_SELECTING = ("keyword", "markexpr", "deselect", "lf", "stepwise", "collectonly", "setuponly", "setupplan")
"""pytest's options that keep tests from being run."""


def is_whole(session: pytest.Session) -> bool:
    """Whether a run was to run all of its tests and came to its end: no `-k` or the like, no single test, not stopped by `-x`."""
    config = session.config
    if session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        return False
    selects = any(config.getoption(name, None) for name in _SELECTING) or any("::" in argument for argument in config.args)
    return not (selects or has_failed_enough(session))


def has_failed_enough(session: pytest.Session) -> bool:
    """Whether the run was stopped by `-x` or `--maxfail`, which xdist makes an interruption."""
    maxfail = session.config.getoption("maxfail")
    return bool(maxfail) and session.testsfailed >= maxfail


def named_paths(config: pytest.Config) -> list[Path]:
    """Return the files and folders that the arguments name."""
    return [Path(config.invocation_params.dir, argument.partition("::")[0]) for argument in config.args]


def rootdir_configs(config: pytest.Config, patterns: tuple[str, ...]) -> list[Path]:
    """Return the configurations in the rootdir itself."""
    try:
        entries = sorted(config.rootpath.iterdir())
    except OSError:
        return []
    return [path for path in entries if is_config(path.name, patterns) and path.is_file()]
