"""Standard streams that are closed, full, or whose reader goes away: never a traceback, never the exit code of a failed gate."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import COMMAND, HANG, Ended, assert_clean, make_suite, write
from tests.unit.baselines.repositories import commit, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a shell closes streams, and a device is full")

CLOSED = "nlpeval: the standard output is closed; redirect it, to /dev/null if nobody wants it\n"
FULL = "nlpeval: the standard output cannot be written: No space left on device\n"

COMMANDS = {
    "run": "run --no-cache",
    "a report": "run --no-cache --report json:-",
    "score": "score rte --gold gold/a.xml --system system/a.txt --no-cache",
    "validate": "validate",
    "report": "report markdown kept.json",
    "merge": "merge --no-cache part.json",
    "compare": "compare --no-cache dev git:HEAD",
    "history": "history --no-cache",
    "a report of a history": "history --no-cache --report csv:-",
    "a baseline": "baseline show --baseline main.json",
    "a new baseline": "baseline update --no-cache --baseline new.json",
    "explain": "explain",
    "doctor": "doctor",
    "tasks": "tasks rte",
    "help": "--help",
    "version": "--version",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    make_suite(start(folder), "accuracy: 0.5")
    commit(folder)
    assert shell(folder, "run --no-cache --report json:kept.json").code == 0
    assert shell(folder, "run --no-cache --shard 1/1 --report evidence:part.json").code == 0
    assert shell(folder, "baseline update --no-cache --baseline main.json").code == 0
    assert [shell(folder, arguments).code for arguments in COMMANDS.values()] == [0] * len(COMMANDS)
    return folder


def shell(folder: Path, arguments: str, redirection: str = "") -> Ended:
    """Run the command as a shell does, with redirections."""
    write(folder, {"nlpeval.py": COMMAND[2]})
    line = f"{sys.executable} nlpeval.py {arguments} {redirection}"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], cwd=folder, capture_output=True, timeout=HANG, check=False)
    ended = Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert_clean(ended.all)
    return ended


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_closed_output_is_one_line_and_exit_code_2(folder: Path, arguments: str) -> None:
    assert shell(folder, arguments, ">&-") == Ended(2, "", CLOSED)


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_full_output_is_one_line_and_exit_code_2(folder: Path, arguments: str) -> None:
    ended = shell(folder, arguments, ">/dev/full")
    assert (ended.code, ended.err.splitlines(keepends=True)[-1]) == (2, FULL)
    assert ended.err == FULL or ":-" in arguments  # what people read is on the standard error then


@pytest.mark.parametrize("name", ["run", "a report", "help"])
def test_an_error_stream_that_takes_nothing_or_a_reader_that_goes_changes_no_verdict(folder: Path, name: str) -> None:
    plain = shell(folder, COMMANDS[name])
    for redirection in ("2>&-", "2>/dev/full", "<&- 2>&-"):
        assert shell(folder, COMMANDS[name], redirection) == Ended(0, plain.out)
    assert shell(folder, COMMANDS[name], "| true") == Ended(0, "", plain.err)


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_closed_input_changes_nothing(folder: Path, arguments: str) -> None:
    plain, closed = (shell(folder, arguments, redirection) for redirection in ("", "<&-"))
    assert closed == plain


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [("<&-", 0, ""), (">&-", 2, CLOSED), (">/dev/full", 2, FULL), ("2>&-", 0, ""), ("<&- 2>&-", 0, ""), ("| true", 0, "")],
)
def test_a_configuration_is_made_without_streams(tmp_path: Path, redirection: str, code: int, said: str) -> None:
    """`init` asks whether its input and output are a terminal."""
    make_suite(tmp_path, "accuracy: 0.5")
    (tmp_path / "nlpeval.yaml").unlink()
    ended = shell(tmp_path, "init gold/a.xml system/a.txt", redirection)
    assert (ended.code, ended.err) == (code, said)


def test_a_gate_that_fails_is_told_from_output_that_does(tmp_path: Path) -> None:
    make_suite(tmp_path, "accuracy: 0.9")
    assert shell(tmp_path, "run --no-cache", ">/dev/null").code == 1
    assert shell(tmp_path, "run --no-cache", "| true").code == 1
    assert shell(tmp_path, "run --no-cache", ">/dev/full").code == 2
    assert shell(tmp_path, "run --no-cache", ">&- 2>&-") == Ended(2, "")


def test_no_file_takes_the_place_of_a_closed_stream(folder: Path) -> None:
    """Whatever is opened first would get the number of the standard output, and what is printed would go into it."""
    for redirection in ("2>&-", "<&-"):
        assert shell(folder, "run --cache-dir cache", redirection).code == 0
    assert shell(folder, "run --cache-dir cache").code == 0
    assert next((folder / "cache").glob("*.sqlite")).read_bytes().startswith(b"SQLite format 3\0")


PYTEST = f"{sys.executable} -m pytest --nlpeval -p no:cacheprovider"
GONE = "nlpeval: the standard output cannot be written: Broken pipe\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("redirection", "said"), [(">&-", CLOSED), (">/dev/full", FULL), ("| head -0", GONE), (">&- 2>&-", "")])
def test_pytest_whose_output_takes_nothing_ends_with_2(folder: Path, redirection: str, said: str, unbuffered: str) -> None:
    """With 1 it would say that a gate failed."""
    line = f"set -o pipefail; PYTHONUNBUFFERED={unbuffered} {PYTEST} {redirection}"
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_pytest_judges_without_an_error_stream(folder: Path, redirection: str) -> None:
    done = subprocess.run(["bash", "-c", f"{PYTEST} {redirection}"], cwd=folder, capture_output=True, timeout=HANG, check=False)
    assert (done.returncode, b" passed" in done.stdout) == (0, True)
