"""Tells suites of several configurations apart: a name is followed by the configuration that it is from, where there are several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_nlpeval.config.meaning import base_name
from pytest_nlpeval.reports.model import Report, SuiteReport

if TYPE_CHECKING:  # pytest's table needs no history
    from pytest_nlpeval.run.history import History


def telling_configurations(suites: Sequence[SuiteReport]) -> Sequence[SuiteReport]:
    """Return the suites of a report, with names that tell their configurations if these are several."""
    if len({suite.config for suite in suites}) < 2:
        return suites
    return [replace(suite, name=_named(suite.name, suite.system, suite.config)) for suite in suites]


def report_telling_configurations(report: Report) -> Report:
    """Return a report whose suites' names tell their configurations if these are several."""
    return replace(report, suites=tuple(telling_configurations(report.suites)))


def histories_telling_configurations(histories: Sequence[History]) -> Sequence[History]:
    """Return histories with names of suites that tell their configurations if these are several."""
    suites = [history.suite for history in histories]
    if len({suite.label for suite in suites}) < 2:
        return histories
    named = [replace(suite, name=_named(suite.name, suite.system, suite.label)) for suite in suites]
    return [replace(history, suite=suite) for history, suite in zip(histories, named, strict=True)]


def records_telling_configurations(records: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the records of a run of pytest (`pytest_plugin.records`), with such names of suites."""
    if len({record["config"] for record in records}) < 2:
        return records
    return [{**record, "suite": f"{record['suite']} ({record['label']})"} for record in records]


def _named(name: str, system: str, config: str) -> str:
    """Return the name of a suite with its configuration.

    >>> _named("dev/ours", "ours", "eval/nlpeval.yaml"), _named("dev", "", "nlpeval.yaml")
    ('dev (eval/nlpeval.yaml)/ours', 'dev (nlpeval.yaml)')
    """
    base = base_name(name, system)
    return f"{base} ({config}){name[len(base) :]}"
