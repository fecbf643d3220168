"""Where a baseline file comes from: the commit that it was written at, the day, and the configuration whose file it is."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from pathlib import Path

from pytest_nlpeval.baselines.git import GitError, Repository
from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Origin:
    """What a baseline file tells of itself; "" for what it does not.

    `commit` is the name of git's HEAD when it was written, `written` the day in UTC (`2026-11-22`), `configuration` the path of the
    configuration whose file it is, or of the test's module, from the folder of the baseline file, with `/`.
    """

    commit: str = ""
    written: str = ""
    configuration: str = ""


NO_ORIGIN = Origin()
"""That of a file that tells none."""


def origin_now(file: Path, configuration: Path | None) -> Origin:
    """Return the origin of a baseline file that is written now; it belongs to nobody without a `configuration`."""
    folder = configuration.parent if configuration else Path.cwd()
    try:
        commit = Repository.around(folder).commit("HEAD")
    except GitError:  # no repository, or one without a commit
        commit = ""
    return Origin(commit, today().isoformat(), _from(file, configuration) if configuration else "")


def _from(file: Path, configuration: Path) -> str:
    try:
        return os.path.relpath(configuration, file.absolute().parent).replace(os.sep, "/")
    except ValueError:  # on another drive
        return ""


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


def age_in_days(written: str) -> int | None:
    """Return how many days ago a file was written, 0 if its day is yet to come; None for no day.

    >>> age_in_days("") is None, age_in_days(today().isoformat()), age_in_days("9999-12-31")
    (True, 0, 0)
    """
    try:
        return max((today() - date.fromisoformat(written)).days, 0)
    except ValueError:
        return None
