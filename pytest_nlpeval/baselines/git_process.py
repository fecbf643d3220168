"""Runs git so that nothing in a repository makes it run a program, reach the network, lead elsewhere or wait for ever."""

from __future__ import annotations

import os
import select
import signal
import stat
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pytest_nlpeval.problems import NoAnswerError

_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that end a process, and for which it may have a handler."""

PATIENCE = 600
"""How many seconds git may take for an answer. For a pipe that its configuration includes it would wait for ever."""

SETTINGS: Mapping[str, str] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}
"""With these variables git writes no file of the repository, asks nobody, replaces no object or parent by another, and speaks English.

It also fetches nothing: a partial clone would run what its `.git/config` names for that. Git before 2.45 may not know GIT_NO_LAZY_FETCH;
it then allows no protocol.
"""

_OPTIONS = (
    "--no-pager",
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.commitGraph=false"),
    *("-c", "safe.bareRepository=explicit"),
)
"""Options before git's command. They go before what `.git/config` says: no program of its choice is run, parents are read from commits,
and a folder with the files of a repository, which anybody can check in, is none."""

_OTHER_PLACES = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"),
    *("GIT_SHALLOW_FILE", "GIT_LITERAL_PATHSPECS"),
)
"""Variables that git sets inside hooks. They may name another repository than the one that a configuration lies in, and say how paths
are meant."""

_READ_BY_GIT = ("HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "objects/info/alternates")
"""Files in `.git` that git may read whatever it is asked: it would wait for a pipe, and read a device for ever. What these name, it may
read, too: `PATIENCE` is for that."""

_SILENT = (
    f"git has not answered for {PATIENCE // 60} minutes; perhaps its configuration includes a pipe or device (`git config --list "
    "--show-origin` would wait, too), or a disk does not answer"
)

_SIGPIPE = 13

_NOT_FETCHED = frozenset((128, -_SIGPIPE))
"""How a git ends that may not fetch an object of a partial clone: it says so, or what would fetch ends before git writes to that."""

_RUNNING: set[subprocess.Popen[bytes]] = set()
"""The processes of git that have not ended."""

_STARTING = threading.Lock()
"""Who has it may start git: nobody any more once this process ends."""


class GitError(Exception):
    """Git cannot give something, and says so; the message says what a user can do about it."""


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _OTHER_PLACES} | dict(SETTINGS)


def run_git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder, and return what it printed, and how it ended.

    Raises:
        GitError: if it cannot be run.
        NoAnswerError: if it does not end, or a signal ends it.
    """
    with started(folder, *arguments) as process:
        try:
            said, complaints = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise NoAnswerError(_SILENT) from None
    if process.returncode < 0 and process.returncode not in _NOT_FETCHED:
        raise NoAnswerError(f"git {arguments[0]} was ended by {_signal(process.returncode)} (out of memory?); run again")
    return subprocess.CompletedProcess(process.args, process.returncode, said, complaints)


@contextmanager
def started(folder: Path, *arguments: str, stderr: int = subprocess.PIPE) -> Iterator[subprocess.Popen[bytes]]:
    """Start git, to be asked on its standard input; it ends behind this, if it has not before.

    Raises:
        GitError: if it cannot be run, or would wait for ever.
    """
    _require_files(folder)
    with _runnable(folder):
        with _signals_later(), _STARTING:
            process = subprocess.Popen(  # noqa: S603 - no word of it is from outside
                _command(arguments),
                cwd=folder,
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
            _RUNNING.add(process)
        with process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()
                _RUNNING.discard(process)


@contextmanager
def _signals_later() -> Iterator[None]:
    """Let signals that end this process wait: their handler would wait for this thread to have started git."""
    if threading.current_thread() is not threading.main_thread():  # where no handler runs
        yield
        return
    came: list[int] = []
    handlers = {number: handler for number in _ENDING if callable(handler := signal.getsignal(number))}
    for number in handlers:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def end_running() -> None:
    """End all processes of git at once, and let no thread start another: one that waits for a pipe would outlive this process."""
    _STARTING.acquire(timeout=1)  # a thread that is starting one may need as long to tell
    for process in tuple(_RUNNING):
        process.kill()


def _require_files(folder: Path) -> None:
    """Require that no file that git reads in the folder's `.git` is a pipe or a device, other than the one that is empty."""
    for name in _READ_BY_GIT:
        path = folder / ".git" / name
        try:
            kind = path.stat()
        except (OSError, ValueError):  # most are not there; git says what else is wrong
            continue
        is_file = stat.S_ISREG(kind.st_mode) or stat.S_ISDIR(kind.st_mode)
        if not is_file and kind.st_rdev != Path(os.devnull).stat().st_rdev:
            raise GitError(f"{path} is a pipe or a device, for which git would wait for ever; take it away")


def object_of(process: subprocess.Popen[bytes], name: str, limit: int) -> bytes:
    """Return the bytes of an object, asking a `git cat-file --batch` that was started.

    Raises:
        GitError: if it is not there, or has more bytes than the limit.
        NoAnswerError: if it does not come, or not whole.
    """
    if process.stdin is None or process.stdout is None:
        raise GitError("git has no streams")
    process.stdin.write(f"{name}\n".encode())
    process.stdin.flush()
    if not _answers(process.stdout):
        raise NoAnswerError(_SILENT)
    answer = process.stdout.readline()
    if not answer.endswith(b"\n") and (code := _exit_code(process)) not in _NOT_FETCHED:
        how = f"with exit code {code}" if code >= 0 else f"by {_signal(code)}"
        raise NoAnswerError(f"git ended {how} when it was asked for the object {name}; run again")
    header = answer.decode().split(" ")
    if len(header) != 3:
        raise GitError(f"the object {name} is not in this clone; fetch it (`git fetch --refetch --no-filter`)")
    if (size := int(header[2])) > limit:
        raise GitError(f"the object {name} has {size:,} bytes; at most {limit:,} are read")
    data = process.stdout.read(size)
    if len(data) + len(process.stdout.read(1)) <= size:  # a line end follows
        raise NoAnswerError(f"git ended in the middle of the object {name} (out of memory?); run again")
    return data


def _exit_code(process: subprocess.Popen[bytes]) -> int:
    """Return how a git that says no more ends."""
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        raise NoAnswerError(_SILENT) from None


def _signal(code: int) -> str:
    """Return the signal that ended a process, by its exit code."""
    return f"signal {-code}, {signal.strsignal(-code)}"


def _answers(stream: IO[bytes]) -> bool:
    """Whether git says something within PATIENCE, or ends; yes on Windows, where streams cannot be watched."""
    if not hasattr(select, "poll"):
        return True
    watched = select.poll()
    watched.register(stream, select.POLLIN)
    return bool(watched.poll(PATIENCE * 1000))


def _command(arguments: Iterable[str]) -> list[str]:
    return ["git", *_OPTIONS, *arguments]


@contextmanager
def _runnable(folder: Path) -> Iterator[None]:
    """Turn what the operating system says of a git that cannot be run, or that is gone, into a sentence."""
    try:
        yield
    except FileNotFoundError as error:
        if error.filename == str(folder):
            raise GitError(f"the folder {folder} is gone") from None
        raise GitError("git is not installed; install it, or name a baseline file") from None
    except BrokenPipeError:
        raise NoAnswerError("git ended before it was asked all; run again") from None
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror or error}; install it anew, or name a baseline file") from None
