"""What commands begin with: the suites of configurations, what is chosen of statistics, and the evidence store."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_nlpeval.cli.output import tell
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.config.checks import ConfigError, chosen_statistics, require_profile
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.config.finding import find_configs
from pytest_nlpeval.config.pyproject import FILE, misplaced_tables
from pytest_nlpeval.config.selection import chosen, require_chosen
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.files import repository_root
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.measure_choice import unknown_measures
from pytest_nlpeval.run.own_input import why_unwritable
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.run.store_folder import NotAStoreError, UnfitStoreError
from pytest_nlpeval.wording import nearest, path_from_here


def load_all(options: argparse.Namespace, read: Sequence[str | Path] = (), /, **choices: Any) -> list[Suite]:
    """Return all suites of the paths given, or raise with every mistake of every configuration.

    `read` are the files that the command reads beside those of the suites; `choices` are those of `load_suites`.
    """
    suites: list[Suite] = []
    problems: list[Problem] = []
    for config in dict.fromkeys(config for path in options.paths or [Path.cwd()] for config in find_configs(path, _skip)):
        try:
            suites += load_suites(config, **choices)
        except ConfigError as error:
            problems += (
                replace(problem, path=path_from_here(problem.path, error.root or Path.cwd())) for problem in error.problems
            )
    if not (suites or problems):
        problems += (
            replace(problem, path=path_from_here(problem.path, root))
            for root, problem in _misplaced(options.paths or [Path.cwd()])
        )
    if problems:
        raise ConfigError(tuple(problems))
    if not suites:
        raise UsageError("no nlpeval.yaml found here; `nlpeval init` writes one")
    require_other_files(options, suites, read)
    require_chosen(suites, options.suites)
    suites = chosen(suites, options.suites)
    require_profile(choices.get("profile"), {name for suite in suites for name in suite.profiles})
    return suites


def require_other_files(options: argparse.Namespace, suites: Sequence[Suite], read: Sequence[str | Path] = ()) -> None:
    """Refuse to write reports, evidence or a baseline where the command reads."""
    reports = [target.path for target in getattr(options, "report", ()) if not target.is_stdout]
    if why := why_unwritable(reports, suites, getattr(options, "save_baseline", None), read):
        raise UsageError(why)


def _misplaced(folders: Sequence[Path]) -> Iterator[tuple[Path, Problem]]:
    """Yield what is written where no configuration is, with the root that its path is relative to."""
    for folder in folders:
        root = repository_root(folder / FILE)
        yield from ((root, problem) for problem in misplaced_tables(folder, root))


def _skip(error: OSError) -> None:
    tell(f"nlpeval: {error.filename} is skipped: it cannot be read ({error.strerror})", "warning")


def statistics_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return what the options say of baseline and statistics, for `load_suites`."""
    try:
        return {
            "baseline": options.baseline,
            "statistics": chosen_statistics({name: getattr(options, name) for name in ("confidence", "resamples", "seed")}),
        }
    except ValueError as error:
        raise UsageError(f"--{error}") from None


def require_measures(wanted: Sequence[str], measures: Sequence[Measure]) -> None:
    """Raise `UsageError` for a wanted name that none of the measures has; without any measure, what lacks them says why."""
    for name in unknown_measures(wanted, measures) if measures else ():
        raise UsageError(f'no suite here has a measure "{name}"; {nearest(name, {measure.name for measure in measures})}')


def store_of(options: argparse.Namespace) -> EvidenceStore:
    """Return the evidence store that the options ask for."""
    if options.no_cache:
        return EvidenceStore()
    folder = options.cache_dir
    try:
        return EvidenceStore.at(folder)
    except NotAStoreError as error:
        message = f"--cache-dir {folder} holds other files ({error}); name a folder that is new, or used for nothing else"
        raise UsageError(message) from None
    except UnfitStoreError as error:
        tell(f"nlpeval: no evidence store: {error}", "warning")
    except OSError as error:
        tell(f"nlpeval: no evidence store in {folder}: {error.strerror}", "warning")
    return EvidenceStore()
