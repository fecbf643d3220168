"""Runs the commands that write a system's files, unless what they depend on is what it was when they wrote them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

from pytest_nlpeval.config.production import OUTPUT, Making, Production
from pytest_nlpeval.config.suite import Case
from pytest_nlpeval.left_behind import ended_with_us, kill
from pytest_nlpeval.problems import Kind, Problem, ProblemLog
from pytest_nlpeval.wording import quoted
from pytest_nlpeval.writing import temporary_folder, write_atomically

PRODUCE_KINDS = {
    "produce.exit": Kind("error", "the command of `produce` failed", fixed=True),
    "produce.timeout": Kind("error", "the command of `produce` took too long", fixed=True),
    "produce.start": Kind("error", "the command of `produce` cannot be started", fixed=True),
    "produce.no-output": Kind("error", "the command of `produce` wrote no file", fixed=True),
}

KEPT = ".nlpeval_produced"
"""The folder beside a configuration in which digests of what was produced are kept; it ignores itself in git."""

MOST_SAID = 400
"""How many characters of what a command said last are told."""


class _Failure(NamedTuple):
    code: str
    message: str


def produced(case: Case) -> tuple[Problem, ...]:
    """Make the system's file of a case, if a command is to make it and it is not up to date; return what kept it from being made."""
    if case.production is None:
        return ()
    failure = _produced(case.production) if case.production.output else _produced_once(case.production)
    if failure is None:
        return ()
    log = ProblemLog(case.files["system"].label, PRODUCE_KINDS)
    log.add(failure.code, failure.message, where=f"{case.name}: {quoted(' '.join(case.production.command), 120)}")
    return log.problems()


@lru_cache(maxsize=256)
def _produced_once(production: Production) -> _Failure | None:
    """Make the files of all documents; a process asks once for each run, since a production knows its run."""
    return _produced(production)


def _produced(production: Production) -> _Failure | None:
    digest = _digest(production)
    stamp = production.folder / KEPT / hashlib.sha256(repr((production.command, production.output)).encode()).hexdigest()
    with _locked(stamp):
        if _is_up_to_date(production, stamp, digest):
            return None
        failure = _run(production)
        if failure is None:
            _keep(stamp, {"digest": digest, "output": _sha_of(production.output) if production.output else ""})
        return failure


def _is_up_to_date(production: Production, stamp: Path, digest: str) -> bool:
    try:
        kept = json.loads(stamp.read_bytes())
    except (OSError, ValueError):
        return False
    output = _sha_of(production.output) if production.output else ""
    return output is not None and kept == {"digest": digest, "output": output}


def _keep(stamp: Path, facts: dict[str, str | None]) -> None:
    with suppress(OSError):  # a folder that cannot be written costs time, never a result
        write_atomically(stamp, json.dumps(facts))


@contextmanager
def _locked(stamp: Path) -> Iterator[None]:
    """Let one process at a time make a file, where the system has such locks: the others then find it made."""
    try:
        import fcntl

        if not (ignored := stamp.parent / ".gitignore").exists():
            write_atomically(ignored, "*\n")
        stream = stamp.with_suffix(".lock").open("wb")
    except (ImportError, OSError):
        yield
        return
    with stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _digest(production: Production) -> str:
    """Return a digest of the command, of the bytes of its input, and of the files on which the output depends."""
    making = production.making
    facts = [list(production.command), [_sha_of(path) for path in production.inputs], production.output]
    facts += [] if making.keeps else [making.run]
    depends = _of_files(production.folder, production.depends, making)
    return hashlib.sha256(json.dumps([*facts, depends]).encode()).hexdigest()


@lru_cache(maxsize=64)
def _of_files(folder: Path, patterns: tuple[str, ...], making: Making) -> list[tuple[str, str | None]]:  # noqa: ARG001 - kept for a run
    return [(path.relative_to(folder).as_posix(), _sha_of(path)) for path in sorted(files_of(folder, patterns))]


def files_of(folder: Path, patterns: Iterable[str]) -> set[Path]:
    """Return the files below a folder that patterns of `depends` match."""
    whole = [
        f"{pattern}/*" if pattern.endswith("**") else pattern for pattern in patterns
    ]  # `**` was folders alone before Python 3.13
    return {path for pattern in whole for path in folder.glob(pattern) if path.is_file()}


def _sha_of(path: str | Path) -> str | None:
    """Return a digest of a file's bytes, None if it is no file, or cannot be read."""
    try:
        if not Path(path).is_file():  # a pipe or device may never end
            return None
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


def _run(production: Production) -> _Failure | None:
    """Run the command; the file takes its name only when the command has ended well."""
    try:
        return _run_beside(production)
    except OSError as error:
        return _Failure("produce.no-output", f"the output cannot be written: {error}")


def _run_beside(production: Production) -> _Failure | None:
    is_named = production.is_named
    if production.output:
        Path(production.output).parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(Path(production.output).parent if is_named else None) as folder:
        written = folder / Path(production.output).name if is_named else Path(production.output)
        command = production.words(str(written))
        failure = _ended(command, production)
        if failure is None and production.output and not written.is_file():
            failure = _Failure("produce.no-output", f"the command ended well, but wrote no file; it must write {OUTPUT}")
        if failure is None and is_named:
            written.replace(production.output)
    return failure


def _ended(command: list[str], production: Production) -> _Failure | None:
    """Run a command to its end, and say what went wrong. Processes that it started end with it if it takes too long."""
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(  # noqa: S603 - the configuration's command, without a shell, only if the user asks for it
                command,
                cwd=production.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return _Failure("produce.start", f"the command cannot be started: {error}")
        with ended_with_us(process.pid):
            try:
                code = process.wait(production.timeout)
            except subprocess.TimeoutExpired:
                _end(process)
                return _Failure("produce.timeout", f"the command took more than {production.timeout:g} s{_last_of(said)}")
            except BaseException:
                _end(process)
                raise
        return _Failure("produce.exit", f"the command ended with exit code {code}{_last_of(said)}") if code else None


def _end(process: subprocess.Popen[bytes]) -> None:
    kill(process.pid)
    process.wait()


def _last_of(said: IO[bytes]) -> str:
    """Return the last of what a command said on its standard error."""
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - 8 * MOST_SAID))
    text = " | ".join(said.read().decode("utf-8", "replace").split("\n")).strip(" |")
    return f", and said: {'…' if len(text) > MOST_SAID else ''}{text[-MOST_SAID:]}" if text else ", and said nothing"
