"""Where packages of others add tasks, pytest runs in a child of its first process: whatever ends the child with 0 before its time fails.

To whoever starts and ends pytest, the two processes are one.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.faults.processes import await_that, members, running
from tests.faults.test_broken_task import HERE, IN_C, broken, whole
from tests.faults.test_first_process import WAITING, folder, install, is_waiting
from tests.support import HANG, Ended, apart, write

__all__ = ["folder"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere pytest is one process")

SCRIPT = (str(Path(sys.executable).with_name("pytest")), "--nlpeval", "-p", "no:cacheprovider")
MODULE = (sys.executable, "-m", "pytest", *SCRIPT[1:])
END = "__import__('ctypes').CDLL(None)._exit(0)"
SENTENCE = (
    r"nlpeval: the process ended in the middle of the run \({}\); nothing of it counts\. It ran code of other packages, which can end it "
    r"behind Python's back{}\. Upgrade that, tell whoever wrote it, or leave out what needs it \(--nlpeval-suite\)\n"
)


def is_told(ended: Ended, how: str = "exit code 0", names: str = ": numbers") -> bool:
    return re.fullmatch(SENTENCE.format(how, names), ended.err) is not None


@pytest.mark.parametrize("function", [name for name in HERE if name != "native"])  # of which pytest asks nothing
def test_what_ends_the_process_in_c_is_no_run_that_passes(folder: Path, function: str) -> None:
    repo = install(folder, broken(function, END))
    write(repo, {"system/3.txt": "1\n7\n"})  # or there is nothing to explain
    ended = apart(repo, (*MODULE, "--nlpeval-report=html:report.html"))
    assert (ended.code, is_told(ended)) == (2, True), ended.all


@pytest.mark.parametrize("how", IN_C)
def test_however_it_does(folder: Path, how: str) -> None:
    ended = apart(install(folder, broken("count", IN_C[how])), SCRIPT)
    code, told = (137, "signal 9, Killed") if how == "a signal" else (2, "exit code 0")
    assert (ended.code, is_told(ended, told)) == (code, True), ended.all


@pytest.mark.parametrize("function", ["import", "count", "values"])
def test_nor_is_it_with_workers(folder: Path, function: str) -> None:
    """Of which each is a process; where the controller works something out, it is the child of another."""
    ended = apart(install(folder, broken(function, END)), (*MODULE, "-n", "2", "--max-worker-restart=0"))
    assert ended.code in (1, 2, 4), ended.all
    assert " passed" not in ended.out or " failed" in ended.out


def test_a_source_of_baselines_is_code_of_others_too(folder: Path) -> None:
    repo = install(folder, whole())
    write(folder, {"site/my_ends.py": f"def run_of(*_):\n    {END}\n"})
    ended = apart(repo, (*MODULE, "--nlpeval-baseline", "ours:x"))
    assert (ended.code, is_told(ended, names=": numbers, ours")) == (2, True), ended.all


def test_so_is_what_another_plugin_imports(folder: Path) -> None:
    repo = install(folder, whole())
    write(repo, {"conftest.py": END})
    ended = apart(repo, MODULE)
    assert (ended.code, ended.out, is_told(ended, names="")) == (2, "", True), ended.all


def test_any_other_exit_code_is_left_as_it_is(folder: Path) -> None:
    repo = install(folder, broken("count", END.replace("0", "77")))
    ended = apart(repo, MODULE)
    assert (ended.code, ended.err) == (77, "")


@pytest.mark.parametrize(("gate", "code"), [("accuracy: 0.5", 0), ("accuracy: {max: 0.5}", 1), ("acuracy: 1", 2)])
def test_the_exit_code_is_that_of_the_run_whatever_ends_python(folder: Path, gate: str, code: int) -> None:
    repo = install(folder, whole())
    text = (repo / "nlpeval.yaml").read_text()
    write(repo, {"nlpeval.yaml": text.replace("accuracy: 0.5", gate)})
    plain = apart(repo, MODULE)
    assert (plain.code, plain.err) == (code, ""), plain.all
    install(folder, broken("import", "__import__('atexit').register(__import__('ctypes').CDLL(None)._exit, 0)"))
    assert _timeless(apart(repo, MODULE)) == _timeless(plain)


def _timeless(ended: Ended) -> Ended:
    return Ended(ended.code, re.sub(r"\d\.\d\ds", "", re.sub("Using --randomly-seed=.*", "", ended.out)), ended.err)


ASKED = {"--help": 0, "--version --version": 0, "--fixtures": 0, "--collect-only": 0, "--nlpeval-suite nope": 4, "--nope": 4}


@pytest.mark.parametrize("words", ASKED)
def test_whatever_else_pytest_is_asked_ends_as_ever(folder: Path, words: str) -> None:
    ended = apart(install(folder, whole()), (*MODULE, *words.split()))
    assert (ended.code, "in the middle" in ended.all) == (ASKED[words], False), ended.all


INNER = """
import os
import pytest
import my_numbers

pytest_plugins = ["pytester"]


def test_that_runs_pytest(pytester):
    pytester.makefile(".yaml", nlpeval={text!r})
    for side in ("gold", "system"):
        (pytester.mkdir(side) / "a.txt").write_text("1\\n2\\n")
    process = os.getpid()
    assert pytester.inline_run("--nlpeval").ret == {code}
    assert os.getpid() == process
    {end}
"""


@pytest.mark.parametrize(("gate", "code"), [("accuracy: 0.5", 0), ("accuracy: {max: 0.5}", 1)])
@pytest.mark.parametrize("flag", ["--nlpeval", "-q"])
def test_a_run_within_a_test_decides_nothing(folder: Path, gate: str, code: int, flag: str) -> None:
    repo = install(folder, whole())
    text = (repo / "nlpeval.yaml").read_text()
    test = INNER.format(text=text.replace("accuracy: 0.5", gate), code=code, end="")
    write(repo, {"test_it.py": test})
    words = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", flag)
    ended = apart(repo, words)
    assert (ended.code, ended.err) == (0, ""), ended.all
    write(repo, {"test_it.py": test.replace("\n    \n", f"\n    {END}\n")})
    assert apart(repo, words).code == 2 * (flag == "--nlpeval")  # without it this package does nothing


def test_a_program_that_calls_pytest_stays_one_process(folder: Path) -> None:
    repo = install(folder, whole())
    write(repo, {"conftest.py": "import os\nassert os.environ['PROCESS'] == str(os.getpid())\n"})
    code = (
        "import os, pytest, sys\nos.environ['PROCESS'] = str(os.getpid())\ncode = pytest.main(sys.argv[1:])\nsys.exit(7 + code)"
    )
    ended = apart(repo, (sys.executable, "-c", code, *SCRIPT[1:]))
    assert ended.code == 7, ended.all


@pytest.mark.parametrize("flag", ["--nlpeval", "-q"])
@pytest.mark.parametrize("has_task", [True, False])
def test_pytest_is_one_process_where_nobody_adds_a_task(folder: Path, flag: str, *, has_task: bool) -> None:
    repo = install(folder, whole())
    entries = folder / "site/my_numbers-1.dist-info/entry_points.txt"
    entries.write_text(entries.read_text() if has_task else "")
    write(repo, {"test_it.py": "import os\ndef test_it():\n    print('PARENT', os.getppid())\n"})
    ended = apart(repo, (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-s", flag, "test_it.py"))
    is_child = f"PARENT {os.getpid()}\n" not in ended.out
    assert (ended.code, is_child) == (0, has_task and flag == "--nlpeval"), ended.all


ENDS = {signal.SIGINT: 2, signal.SIGTERM: 143, signal.SIGHUP: 129}


@pytest.mark.parametrize("whom", ["first", "child"])
@pytest.mark.parametrize("number", ENDS)
def test_a_signal_ends_both_as_it_ends_pytest(folder: Path, number: signal.Signals, whom: str) -> None:
    repo = install(folder, broken("count", WAITING))
    with running(repo, MODULE) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        first, child = members(process.pid)
        assert first == process.pid
        os.kill(first if whom == "first" else child, number)
        out, error = process.communicate()
        assert not members(process.pid)
    is_silent = whom == "first" or number == signal.SIGINT
    assert (process.returncode, error == "") == (ENDS[number], is_silent), error
    assert (out.count("! KeyboardInterrupt !"), "Traceback" in out) == (number == signal.SIGINT, False), out


def test_an_interrupt_of_the_terminal_comes_once(folder: Path) -> None:
    """Which sends it to both processes."""
    import pty

    repo = install(folder, broken("count", WAITING))
    child, terminal = pty.fork()
    if not child:
        os.chdir(repo)
        os.execv(MODULE[0], MODULE)
    said = b""
    try:
        await_that(lambda: is_waiting(repo), "the task counts")
        os.write(terminal, b"\x03")
        while part := _read(terminal):
            said += part
    finally:
        _, status = os.waitpid(child, 0)
    text = said.decode()
    assert os.waitstatus_to_exitcode(status) == 2, text
    assert (text.count("! KeyboardInterrupt !"), "Traceback" in text) == (1, False), text


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # nobody has the other end any more
        return b""


def test_a_kill_of_the_first_ends_all(folder: Path) -> None:
    repo = install(folder, broken("count", WAITING))
    with running(repo, MODULE) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        process.kill()
        process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    assert process.returncode == -signal.SIGKILL


WATCHED = f"import threading, time\nthreading.Thread(target=time.sleep, args=({HANG},), daemon=True).start()\n"


@pytest.mark.parametrize("words", [(), ("-s",), ("-n", "2"), ("-n", "1", "--dist", "each")], ids=" ".join)
def test_workers_and_capture_are_as_ever(folder: Path, words: Sequence[str]) -> None:
    repo = install(folder, whole())
    write(repo, {"test_it.py": "def test_it(capfd):\n    print('x')\n    assert capfd.readouterr().out == 'x\\n'\n"})
    ended = apart(repo, (*MODULE, *words))
    assert (ended.code, ended.err, " 22 passed" in ended.out) == (0, "", True), ended.all


def test_what_runs_threads_before_is_not_forked(folder: Path) -> None:
    """The child would not have them."""
    repo = install(folder, whole())
    write(folder, {"site/my_threads.py": WATCHED})
    write(repo, {"test_it.py": "import threading\ndef test_it():\n    assert threading.active_count() > 1\n"})
    assert apart(repo, (*MODULE, "-p", "my_threads")).code == 0
