"""Since when a suite is as bad as it is, as the report has it."""

from __future__ import annotations

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True, kw_only=True)
class PointReport:
    """A measure's value with the files of a commit; the commit is "" for files that are not committed."""

    commit: str = ""
    subject: str = ""
    date: str = ""
    value: float


@light_dataclass(frozen=True, slots=True, kw_only=True)
class SinceReport:
    """The commit at which a measure fell last, with the values before it and at it; "" for files that are not committed.

    `points` are the measure's values over the commits that were looked at, the oldest first, today's last.
    """

    commit: str = ""
    subject: str = ""
    author: str = ""
    date: str = ""
    measure: str
    before: float
    value: float
    points: tuple[PointReport, ...] = ()
