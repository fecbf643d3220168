"""Runs the command and pytest on one hostile suite and checks what every such run must hold to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import Ended, command, files_below, run_pytest

MOST_OUTPUT = 60_000
"""Characters: no input makes a run print more."""

OWN = (".nlpeval_cache", ".pytest_cache", "__pycache__")


def both(
    pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str], folder: Path, code: int, *, collects: bool = True
) -> tuple[Ended, Ended]:
    """Return how `nlpeval run` and `pytest --nlpeval` ended in `folder`, a folder of pytester's own.

    `code` is the command's; pytest's is 1 for bad files and failed gates, 2 where the configuration is wrong (`collects` is false).
    """
    around = files_below(pytester.path)
    os.chdir(folder)
    ran = command(capfd, "run")
    with capfd.disabled():
        tested = run_pytest(pytester, f"--rootdir={folder}")
    for ended in (ran, tested):
        assert len(ended.all) < MOST_OUTPUT
    assert (ran.code, tested.code) == (code, min(code, 1) if collects else 2), ran.all + tested.all
    new = {name for name, content in files_below(pytester.path).items() if name not in around or around[name] != content}
    prefix = "" if folder == pytester.path else f"{folder.relative_to(pytester.path)}/"
    assert {name for name in new if not name.removeprefix(prefix).startswith(OWN)} <= {prefix.rstrip("/")}
    return ran, tested


def shows(ended: tuple[Ended, Ended], *fragments: str) -> None:
    """Both say all of this."""
    for fragment in fragments:
        for one in ended:
            assert fragment in one.all, f"{fragment!r} not in:\n{one.all}"
