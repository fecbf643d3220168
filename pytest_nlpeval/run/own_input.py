"""What a run writes never takes the place of what it reads: a slip of the pen would cost the configuration, or gold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pytest_nlpeval.config.suite import Suite


def why_unwritable(targets: Sequence[Path], suites: Iterable[Suite]) -> str:
    """Return why reports and the like cannot all be written to these files: one is read by a suite, or is named twice; else ""."""
    files = [target for target in targets if target.is_file() or not target.exists()]  # a device may be written to by many
    names = list(map(os.path.realpath, files))
    if twice := [target for number, target in enumerate(files) if names[number] in names[:number]]:
        return f"{twice[0]} would be written twice; name another file"
    there = [target for target in files if target.exists()]
    endings = tuple(target.name for target in there)
    for suite in suites if there else ():
        for path, what in _read(suite):
            if path.endswith(endings) and (taken := [target for target in there if _is_same(target, path)]):
                return f"{taken[0]} is {what} of {suite.name}, which would be lost; name another file"
    return ""


def _is_same(first: Path, second: str) -> bool:
    with suppress(OSError):  # only one of them is there
        return os.path.samefile(first, second)  # noqa: PTH121 - a suite may have very many files
    return False


def _read(suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield the paths that a suite reads, and what they are of it. A baseline file may be written anew: whoever asks for that means it."""
    if suite.config:
        yield str(suite.config), "the configuration"
    for case in suite.cases:
        yield from ((file.path, f"a {role} file") for role, file in case.files.items() if file.content is None)
