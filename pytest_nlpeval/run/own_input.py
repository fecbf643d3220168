"""What a run writes never takes the place of what it reads: a slip of the pen would cost the configuration, or gold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.files import real_path
from pytest_nlpeval.guards import Guard
from pytest_nlpeval.run.guard_lists import path_of

_Identity: TypeAlias = tuple[int, int]
"""Device and number of a file."""


def why_unwritable(
    reports: Sequence[Path], suites: Iterable[Suite], baseline: Path | None = None, others: Sequence[str | Path] = ()
) -> str:
    """Return why reports, and a `baseline` to save, cannot all be written to these files: one is read, or is named twice; else "".

    `others` are files that the run reads beside those of its suites. A baseline may take the place of a suite's baseline file: whoever
    asks for that means it.
    """
    targets = [*reports, *([baseline] if baseline else [])]
    files = [target for target in targets if target.is_file() or not target.exists()]  # a device may be written to by many
    names = [real_path(target) or str(target) for target in files]
    if twice := [target for number, target in enumerate(files) if names[number] in names[:number]]:
        return f"{twice[0]} would be written twice; name another file"
    there: dict[_Identity | None, Path] = {identity: target for target in files if (identity := _identity(target))}
    if not there:
        return ""
    for path, what, is_baseline in chain(((other, "an input", False) for other in others), *map(_read, suites)):
        taken = there.get(_identity(path))
        if taken is not None and not (is_baseline and taken is baseline):
            return f"{taken} is {what}, which would be lost; name another file"
    return ""


def input_of(suites: Iterable[Suite], path: str | Path) -> str:
    """Return what of some suites a file is, as "a gold file of dev"; "" if none of them reads it, but as its baseline file."""
    identity = _identity(path)
    read = chain.from_iterable(map(_read, suites)) if identity else ()
    return next((what for other, what, is_baseline in read if not is_baseline and _identity(other) == identity), "")


def _identity(path: str | Path) -> _Identity | None:
    """Return what is the same for all names of a file, those of links included; None if there is none."""
    with suppress(OSError, ValueError):
        status = os.stat(path)  # noqa: PTH116 - a suite may have very many files
        return status.st_dev, status.st_ino
    return None


def _read(suite: Suite) -> Iterator[tuple[str | Path, str, bool]]:
    """Yield the paths that the run of a suite reads, what they are, and whether that is the baseline file."""
    for path, what in _inputs(suite):
        yield path, f"{what} of {suite.name}", False
    if suite.baseline and suite.baseline.file:
        yield suite.baseline.file.path, f"the baseline file of {suite.name}", True


def _inputs(suite: Suite) -> Iterator[tuple[str | Path, str]]:
    if suite.config:
        yield suite.config, "the configuration"
    if suite.groups and suite.groups.file:
        yield suite.groups.file.path, "the file of groups"
    for guard in (condition for layer in suite.layers for entry in layer for condition in entry.conditions.values()):
        if isinstance(guard, Guard) and guard.listing and guard.listing.path:
            yield path_of(guard.listing, suite), f"the list {guard.name}"
    for case in suite.cases:
        yield from ((file.path, f"a {role} file") for role, file in case.files.items() if file.content is None)
    yield from ((path, "an input of the command") for path in _inputs_of_commands(suite))


def _inputs_of_commands(suite: Suite) -> Iterator[str | Path]:
    productions = [case.production for case in suite.cases if case.production]
    if productions:
        from pytest_nlpeval.run.producing import files_of  # only few suites have commands

        yield from chain(*(production.inputs for production in productions))
        for folder, patterns in {(production.folder, production.depends) for production in productions}:
            yield from files_of(folder, patterns)
