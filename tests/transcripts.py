"""Runs the pages that are transcripts: what a page shows of files is written, what it shows of commands is run, and the output compared.

Each section `## …` has a folder of its own, and one shell that runs its commands; a tutorial, whose sections go on where the one before
ended, has one folder and one shell. Of a page beside a configuration, as an example is, the folder holds what lies beside the page. A
block behind a line that ends in "`NAME`:" is the
file of that name; in a block `console`, a line that begins with `$ ` is a command, and what follows is its output.

`python -m tests.transcripts PAGE…` writes the outputs of this environment into pages.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent

PROJECT = Path("/home/ada/project")
"""What the folder of a section is called on a page."""

HANG = 3_600
"""Seconds after which a shell is taken to hang, which may install packages on a machine that others use: a guard, no measurement."""

COMMITTED = "2026-01-12T09:00:00+00:00"
"""When every commit of a section is made: its day and its name, which a page shows, are the same in every run."""

_BLOCK = re.compile(r"(?P<before>[^\n]*\n\n?)```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`(?P<name>[\w./-]+)`:\n\n?$")
_LASTED = re.compile(r"\bin \d+\.\d\ds\b(?: \(\d+:\d\d:\d\d\))?")
_COMMIT = re.compile(r"\b[0-9a-f]{12}\b")
_ENDED = "--- a command ended with "

_INSTALLING = re.compile(r"python -m venv |\. \.venv/bin/activate|pip install ")
"""The commands that make an environment and fill it."""


@dataclass(frozen=True)
class Ran:
    """A command, what it printed, and its exit code."""

    command: str
    output: str
    code: int


@dataclass(frozen=True)
class Place:
    """Where commands run: the environment's variables, and whether commands that install are run, or taken to have been."""

    variables: Mapping[str, str]
    installs: bool

    def runs(self, command: str) -> bool:
        """Whether a command is run here."""
        return self.installs or not _INSTALLING.match(command)

    @classmethod
    def here(cls) -> Place:
        """This very environment, which has the package."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return cls(_plain() | {"PATH": path, "PYTEST_ADDOPTS": "-p no:randomly -p no:xdist"}, installs=False)

    @classmethod
    def empty(cls, wheel: Path, folder: Path) -> Place:
        """An environment without any package, where `pip install` takes the wheel for the package; `folder` is for what that needs."""
        constraint, python = folder / "constraint.txt", folder / "bin/python"
        constraint.write_text(f"pytest-nlpeval @ {wheel.as_uri()}\n")
        python.parent.mkdir()
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        python.chmod(0o755)
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
        variables = {"PATH": path, "PIP_CONSTRAINT": str(constraint), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1"}
        return cls(_plain() | variables, installs=True)


def _plain() -> dict[str, str]:
    """The variables of this process, without those that change what programs print or find."""
    without = re.compile(
        "PYTEST_.*|PYTHON.*|NLPEVAL_.*|VIRTUAL_ENV|COLUMNS|LINES|GIT_.*|CI|GITHUB_.*|FORCE_COLOR|NO_COLOR|PY_COLORS"
    )
    kept = {name: value for name, value in os.environ.items() if not without.fullmatch(name)}
    kept |= {"PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "80", "TERM": "dumb"}
    return kept | {"GIT_AUTHOR_DATE": COMMITTED, "GIT_COMMITTER_DATE": COMMITTED, "GIT_CONFIG_GLOBAL": os.devnull}


def sections(page: str) -> list[str]:
    """Return what is before the first section, and each section."""
    return re.split(r"^(?=## )", page, flags=re.MULTILINE)


def laid_out(page: Path, folder: Path) -> None:
    """Copy what lies beside a page into a folder, if a configuration is there: the page is of an example."""
    if (page.parent / "nlpeval.yaml").is_file():
        shutil.copytree(page.parent, folder, ignore=shutil.ignore_patterns(".*", page.name), dirs_exist_ok=True)


def stories(path: Path) -> list[str]:
    """Return what of a page is run in one folder: a tutorial as a whole, of another page each section."""
    page = path.read_text(encoding="utf-8")
    return [page] if path.name.startswith("tutorial-") else sections(page)


def commands_of(section: str) -> list[str]:
    """Return the commands of a section."""
    return [command for block in _BLOCK.finditer(section) for command in _commands(block)]


def ran(section: str, folder: Path, place: Place) -> list[Ran]:
    """Run the commands of a section in a folder, after its files are written there; return what each printed, and its exit code."""
    script = "\n".join(_steps(section, place))
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", f"exec 2>&1\n{script}"],
        cwd=folder,
        env=dict(place.variables),
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        timeout=HANG,
        check=False,
    )
    text = done.stdout.decode().replace(str(folder), str(PROJECT)).replace(folder.name, PROJECT.name)
    pieces = re.split(rf"^{_ENDED}(\d+)\n", text, flags=re.MULTILINE)
    commands = [command for command in commands_of(section) if place.runs(command)]
    assert len(pieces) == 2 * len(commands) + 1, pieces[-1]
    return [
        Ran(command, plain(output), int(code)) for command, output, code in zip(commands, pieces[::2], pieces[1::2], strict=False)
    ]


def shown(section: str, every: Iterable[Ran], place: Place) -> str:
    """Return a section with what its commands printed in a place; one that was not run there has no output."""
    following = iter(every)
    return _BLOCK.sub(lambda block: _filled(block, following, place), section)


def _steps(section: str, place: Place) -> Iterator[str]:
    for block in _BLOCK.finditer(section):
        if named := _FILE.search(block["before"]):
            name = shlex.quote(named["name"])
            yield f"mkdir -p $(dirname {name})\ncat > {name} <<'END OF THE FILE'\n{block['text']}END OF THE FILE"
        for command in filter(place.runs, _commands(block)):
            yield f'{command}\necho "{_ENDED}$?"'


def _commands(block: re.Match[str]) -> list[str]:
    lines = block["text"].splitlines() if block["language"] == "console" else []
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def _filled(block: re.Match[str], every: Iterator[Ran], place: Place) -> str:
    commands = _commands(block)
    if not commands:
        return block.group()
    outputs = ((command, next(every).output if place.runs(command) else "") for command in commands)
    text = "".join(f"$ {command}\n{output}" for command, output in outputs)
    return f"{block['before']}```console\n{text}```"


def plain(output: str) -> str:
    """Return an output without what differs from run to run: times, names of commits, blanks at the ends of lines."""
    text = _COMMIT.sub("0" * 12, _LASTED.sub("in 0.50s", output))
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def is_runnable(section: str) -> bool:
    """Whether this environment has what the section installs besides the package."""
    return "scikit-learn" not in " ".join(commands_of(section)) or find_spec("sklearn") is not None


def main(pages: list[str]) -> None:
    """Write the outputs into pages; a section that needs more than this environment has stays as it is."""
    place = Place.here()
    for name in pages:
        path = ROOT / name
        parts = []
        for section in stories(path):
            with tempfile.TemporaryDirectory() as folder:
                laid_out(path, Path(folder))
                parts.append(shown(section, ran(section, Path(folder), place), place) if is_runnable(section) else section)
        path.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
