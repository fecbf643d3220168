"""The options of the plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from pytest_nlpeval.config.production import Making
from pytest_nlpeval.reports import ReportTarget, report_target
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.wording import printable

ORDERS = ("last", "first")
"""Where the items of suites may be: behind all tests, or before them."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options and the ini settings: `suites` name those to collect, none for all, `patterns` are the file names of configurations.

    `targets` are the reports to write. `order` is one of `ORDERS`, `produce` that of `Choices`. `baseline` and `statistics` replace what
    configurations say; `default_baseline` is for those that name none. `updates_baseline` says that baseline files are written from the
    results, `saves_baseline` names one that all of them go to. `outside` are the configurations whose `allow_outside` counts, None for all.
    """

    suites: tuple[str, ...]
    profile: str | None
    baseline: str | None
    default_baseline: str | None
    statistics: Mapping[str, Any]
    updates_baseline: bool
    saves_baseline: str | None
    informational: bool
    no_cache: bool
    produce: Making | None
    order: str
    patterns: tuple[str, ...]
    targets: tuple[ReportTarget, ...]
    outside: frozenset[str] | None

    @property
    def explains(self) -> bool:
        """Whether results must say why units are wrong, whatever becomes of them: a report or a baseline file will."""
        return bool(self.targets) or self.updates_baseline or bool(self.saves_baseline)

    @classmethod
    def of(cls, config: pytest.Config) -> Options:
        """Return the options of a run; `pytest.UsageError` if a report cannot be what was asked for."""
        return cls(
            tuple(config.getoption("nlpeval_suite")),
            config.getoption("nlpeval_profile"),
            config.getoption("nlpeval_baseline"),
            config.getoption("nlpeval_default_baseline"),
            _statistics(config),
            config.getoption("nlpeval_update_baseline"),
            config.getoption("nlpeval_save_baseline"),
            config.getoption("nlpeval_informational"),
            config.getoption("nlpeval_no_cache"),
            _making(config),
            _order(config),
            tuple(config.getini("nlpeval_files")),
            tuple(map(_target, config.getoption("nlpeval_report"))),
            _outside(config),
        )


def _statistics(config: pytest.Config) -> dict[str, Any]:
    given = {name: config.getoption(f"nlpeval_{name}") for name in ("confidence", "resamples", "seed")}
    if not any(given.values()):
        return {}
    from pytest_nlpeval.config.checks import chosen_statistics

    try:
        return chosen_statistics(given)
    except ValueError as error:
        raise pytest.UsageError(printable(f"--nlpeval-{error}")) from None


def _outside(config: pytest.Config) -> frozenset[str] | None:
    """Return the paths of the option, made as those of configurations are; `none` names none."""
    given: list[str] | None = config.getoption("nlpeval_outside")
    if given is None:
        return None
    paths = (Path(config.invocation_params.dir, text) for text in given if text != "none")
    return frozenset(str(path.parent.resolve() / path.name) for path in paths)


def _making(config: pytest.Config) -> Making | None:
    """Return whether systems' files are to be made, in the run that all workers are of."""
    if not config.getoption("nlpeval_produce") or config.getoption("collectonly"):
        return None
    run = getattr(config, "workerinput", {}).get("nlpeval_run") or uuid4().hex
    return Making(run, keeps=not config.getoption("nlpeval_no_cache"))


def _order(config: pytest.Config) -> str:
    order = str(config.getini("nlpeval_order"))
    if order not in ORDERS:
        raise pytest.UsageError(printable(f"nlpeval_order: expected {' or '.join(ORDERS)}, got {order}"))
    return order


def _target(text: str) -> ReportTarget:
    try:
        target = report_target(text, formats_of("run"))
    except ValueError as error:
        raise pytest.UsageError(printable(f"--nlpeval-report: {error}")) from None
    if target.is_stdout:
        raise pytest.UsageError("--nlpeval-report: the standard output is pytest's own; give a file")
    return target
