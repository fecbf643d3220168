"""The options of the plugin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from pytest_nlpeval.config.production import Making
from pytest_nlpeval.config.sharding import Shard
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports import EVIDENCE, ReportTarget, report_target
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.wording import printable

ORDERS = ("last", "first")
"""Where the items of suites may be: behind all tests, or before them."""


@light_dataclass(frozen=True, slots=True)
class Options:
    """The options and the ini settings: `suites` name those to collect, none for all, `patterns` are the file names of configurations.

    `targets` are the reports to write. `order` is one of `ORDERS`, `produce` that of `Choices`. `baseline` and `statistics` replace what
    configurations say; `default_baseline` is for those that name none. `updates_baseline` says that baseline files are written from the
    results, `saves_baseline` names one that all of them go to. With a `shard`, its documents alone are counted, and go to the `evidence`
    file; nothing is judged. `outside` are the configurations whose `allow_outside` counts, None for all.
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
    shard: Shard | None = None
    evidence: Path | None = None

    @property
    def explains(self) -> bool:
        """Whether results must say why units are wrong, whatever becomes of them: a report or a baseline file will."""
        return bool(self.targets) or self.updates_baseline or bool(self.saves_baseline)

    @property
    def only_reports(self) -> bool:
        """Whether nobody but reports wants explanations: a baseline file has those of each document, as evidence of a shard has."""
        return not (self.updates_baseline or self.saves_baseline or self.shard)

    @classmethod
    def of(cls, config: pytest.Config) -> Options:
        """Return the options of a run; `pytest.UsageError` if a report cannot be what was asked for."""
        shard, targets = _shard_and_targets(config)
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
            () if shard else targets,
            _outside(config),
            shard,
            targets[0].path if shard else None,
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


def _shard_and_targets(config: pytest.Config) -> tuple[Shard | None, tuple[ReportTarget, ...]]:
    """Return the shard that is to be counted, if any, and the reports to write: of a shard its evidence alone."""
    targets = tuple(map(_target, config.getoption("nlpeval_report")))
    text: str | None = config.getoption("nlpeval_shard")
    if text is None:
        if any(target.format == EVIDENCE for target in targets):
            raise pytest.UsageError("--nlpeval-report evidence:FILE is what a shard writes; add --nlpeval-shard I/N")
        return None, targets
    if [target.format for target in targets] != [EVIDENCE]:
        raise pytest.UsageError(
            "--nlpeval-shard needs --nlpeval-report evidence:FILE, and no other report: `nlpeval merge` writes the reports"
        )
    for name in ("update_baseline", "save_baseline"):
        if config.getoption(f"nlpeval_{name}"):
            option = f"--nlpeval-{name.replace('_', '-')}"
            raise pytest.UsageError(f"{option} is of a whole run; `nlpeval merge --save-baseline FILE` writes one")
    try:
        return Shard.parsed(text), targets
    except ValueError as error:
        raise pytest.UsageError(printable(f"--nlpeval-shard: {error}")) from None


def _target(text: str) -> ReportTarget:
    try:
        target = report_target(text, (*formats_of("run"), EVIDENCE))
    except ValueError as error:
        raise pytest.UsageError(printable(f"--nlpeval-report: {error}")) from None
    if target.is_stdout:
        raise pytest.UsageError("--nlpeval-report: the standard output is pytest's own; give a file")
    return target
