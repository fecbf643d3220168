"""Whatever ends the command, at whatever moment: no process stays, nothing is half-written, and the next run gives the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.faults.processes import WITH_WORKERS, await_that, catches, make_long_suite, members, needs_workers, running
from tests.support import COMMAND, EAGER_COMMAND, HANG, apart, assert_clean, command_apart, files_below, make_suite, write
from tests.unit.run.test_engine import EXEMPLAR, RIGHT, WRONG, gold, system

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched in /proc")

WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}
REPORT = ("--report", "json:report.json")
AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org")


class Prepared(NamedTuple):
    """A suite's folder, and its whole report, which is too long to be shown."""

    folder: Path
    report: bytes

    def __repr__(self) -> str:
        return f"Prepared({self.folder})"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A suite of some documents, and its report."""
    folder = tmp_path_factory.mktemp("suite")
    names = [f"d{rank:03}" for rank in range(200)]
    golds, runs = dict.fromkeys(names, gold(50)), dict.fromkeys(names, system(*[RIGHT, WRONG] * 25))
    make_suite(folder, "f1: 0.1", golds=golds, runs=runs, **EXEMPLAR)
    assert command_apart(folder, "run", "--no-cache", *REPORT).code == 0
    return Prepared(folder, (folder / "report.json").read_bytes())


def is_whole_or_absent(path: Path, report: bytes) -> bool:
    return not path.exists() or path.read_bytes() == report


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None)
@given(moment=some.floats(0, 1.2), number=some.sampled_from(list(WORDS)), all_processes=some.booleans())
def test_a_signal_ends_all_processes_with_one_line(
    suite: Prepared, moment: float, number: signal.Signals, *, all_processes: bool
) -> None:
    folder, report = suite
    (folder / "report.json").unlink(missing_ok=True)
    with running(folder, [*WITH_WORKERS, *REPORT]) as process:
        await_that(lambda: process.poll() is not None or catches(process, signal.SIGTERM), "the command takes signals")
        time.sleep(moment)
        if process.poll() is None:
            (os.killpg if all_processes else os.kill)(process.pid, number)
        _, error = process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    assert_clean(error)
    if process.returncode:
        assert process.returncode == 128 + number
        assert error == f"nlpeval: {WORDS[number]}\n"
    assert is_whole_or_absent(folder / "report.json", report)
    assert not [name for name in files_below(folder) if "unfinished" in name]


PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
OWN_STREAM = """
import os, pathlib
os.dup2(os.open(pathlib.Path(__file__).with_name(f"said-{os.getpid()}"), os.O_WRONLY | os.O_CREAT), 2)
"""
"""What Python imports in each process as soon as it imports anything: from then on each says what it says in a file of its own."""

BEGUN = """
import os, pathlib
import pytest_nlpeval.plugin
pathlib.Path(__file__).with_name(f"begun-{os.getpid()}").touch()
"""


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None, deadline=None)
@given(
    moment=some.floats(0, 2.5),
    number=some.sampled_from([signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]),
    words=some.sampled_from([(), ("-n", "2")]),
    all_processes=some.booleans(),
)
def test_no_signal_shows_where_pytest_was(
    suite: Prepared, moment: float, number: signal.Signals, words: tuple[str, ...], *, all_processes: bool
) -> None:
    """From the first import of the plugin on, in each process: another plugin imports it here, in order to tell of it."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        tempfile.TemporaryDirectory() as told,
        pytest.MonkeyPatch.context() as patch,
    ):
        write(Path(told), {"my_begun.py": BEGUN, "sitecustomize.py": OWN_STREAM})
        patch.setenv("TMPDIR", temporary)
        patch.setenv("PYTHONPATH", told)
        with running(suite.folder, [*PYTEST, "-p", "my_begun", "--nlpeval", *words]) as process:
            main = Path(told, f"begun-{process.pid}")
            await_that(lambda: process.poll() is not None or main.exists(), "the plugin is imported")
            time.sleep(moment)
            if process.poll() is None:
                (os.killpg if all_processes else os.kill)(process.pid, number)
            out, _ = process.communicate()
            await_that(lambda: not members(process.pid), "all processes have ended")
        await_that(lambda: not [*Path(temporary).glob("nlpeval-*")], "what workers share is removed")
        begun = {path.name.removeprefix("begun-") for path in Path(told).glob("begun-*")}
        said = {pid: Path(told, f"said-{pid}").read_text() for pid in sorted(begun)}
    error = said[str(process.pid)]
    assert_clean(out + "".join(said.values()))
    if process.returncode:
        is_told_by_pytest = process.returncode == pytest.ExitCode.INTERRUPTED and number == signal.SIGINT
        assert is_told_by_pytest or process.returncode == -number, out + error
        assert "nlpeval: interrupted" not in error or error.count("\n") == 1


INTERRUPT = "os.kill(os.getpid(), signal.SIGINT)"
MOMENTS = {
    "pytest_sessionfinish": f"def pytest_sessionfinish():\n    {INTERRUPT}\n",
    "pytest_unconfigure": f"def pytest_unconfigure():\n    {INTERRUPT}\n",
    "threads are waited for": f"""
def wait():
    threading.main_thread().join()
    while True:  # the first may come a moment before the other thread waits
        {INTERRUPT}
        time.sleep(0.1)

def pytest_unconfigure():
    threading.Thread(target=wait).start()
""",
    "at exit": f"@atexit.register\ndef end():\n    {INTERRUPT}\n",
    "at exit, in a destructor": """
class Interrupting:
    def __del__(self):
        raise KeyboardInterrupt

@atexit.register
def end():
    Interrupting()
""",
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_behind_the_items_is_a_line_at_most(suite: Prepared, moment: str) -> None:
    """Without `--nlpeval` it is Python's."""
    write(suite.folder, {"my_hook.py": f"import atexit, os, signal, threading, time\n{MOMENTS[moment]}"})
    words = [*PYTEST, "-p", "my_hook", "--collect-only"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(suite.folder))
        ended = apart(suite.folder, [*words, "--nlpeval"])
        without = subprocess.run(words, cwd=suite.folder, capture_output=True, text=True, timeout=HANG, check=False)
    assert (ended.code, ended.err) == (-signal.SIGINT, "" if moment == "at exit" else "nlpeval: interrupted\n")
    assert "Traceback" in without.stderr


ACTION = Path(__file__).parents[2] / "action" / "run_pytest.py"
MOMENTS_OF_ACTION = {**MOMENTS, "imported": INTERRUPT}
del MOMENTS_OF_ACTION["at exit, in a destructor"]


@pytest.mark.parametrize("moment", MOMENTS_OF_ACTION)
def test_an_interrupt_of_the_action_outside_the_items_is_a_line_at_most(suite: Prepared, tmp_path: Path, moment: str) -> None:
    """Its process is a program that calls `pytest.main`, whose interrupts the plugin leaves to it.

    The folder of the suite may have a module `my_hook` from the tests above.
    """
    write(tmp_path, {"my_moment.py": f"import atexit, os, signal, threading, time\n{MOMENTS_OF_ACTION[moment]}"})
    arguments = ["-p", "my_moment", "-p", "no:cacheprovider", "--nlpeval", "--collect-only"]
    write(tmp_path, {"plan.json": json.dumps({"arguments": arguments, "given": True, "usual": [], "unusual": []})})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        patch.setenv("NLPEVAL_WORK", str(tmp_path))
        ended = apart(suite.folder, [sys.executable, "-P", str(ACTION)])
    is_told = moment not in ("at exit", "threads are waited for")
    assert (ended.code, ended.err) == (-signal.SIGINT, "nlpeval: interrupted\n" if is_told else ""), ended.out


WRITES = {
    "report": ("--nlpeval-report", "json:new/report.json"),
    "shard": ("--nlpeval-shard", "1/2", "--nlpeval-report", "evidence:new/shard.json"),
    "baseline": ("--nlpeval-save-baseline", "new/saved.json"),
}
WRITING = """
import os, signal
from contextlib import contextmanager
from pytest_nlpeval import writing

before = writing._beside

@contextmanager
def beside(path):
    with before(path) as opened:
        {deed}
        yield opened

writing._beside = beside
"""
ENDS_ITSELF = "os.kill(os.getpid(), signal.{name})"
ENDS_CHILD = "os.fork() or os.kill(os.getpid(), signal.{name}); os.wait(); [_] = path.parent.iterdir()"


@pytest.mark.parametrize("deed", [ENDS_ITSELF, ENDS_CHILD], ids=["itself", "a child"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("what", WRITES)
def test_pytest_leaves_no_unfinished_file_where_a_signal_ends_it(
    tmp_path: Path, what: str, number: signal.Signals, deed: str
) -> None:
    """Nor does the end of a child that code of another package has forked remove it."""
    make_suite(tmp_path, "f1: 0.5", golds={"d": gold(2)}, runs={"d": system(RIGHT, RIGHT)}, **EXEMPLAR)
    write(tmp_path, {"my_hook.py": WRITING.format(deed=deed.format(name=number.name))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        ended = apart(tmp_path, [*PYTEST, "-p", "my_hook", "--nlpeval", *WRITES[what]])
    name = WRITES[what][-1].rpartition("/")[2]
    written = [path.name for path in (tmp_path / "new").iterdir()]
    assert (ended.code, ended.err, written) == ((-number, "", []) if deed == ENDS_ITSELF else (0, "", [name])), ended.out


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None)
@given(moment=some.floats(0, 1.5), cache=some.sampled_from(["--cache-dir=cache", "--no-cache"]))
def test_a_kill_leaves_no_process_and_a_store_and_reports_that_serve(suite: Prepared, moment: float, cache: str) -> None:
    folder, report = suite
    (folder / "report.json").unlink(missing_ok=True)
    with running(folder, [*WITH_WORKERS, cache, *REPORT]) as process:
        time.sleep(moment)
        process.kill()
        process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    assert is_whole_or_absent(folder / "report.json", report)
    ended = command_apart(folder, "run", cache, *REPORT)
    assert (ended.code, ended.err) == (0, "")
    assert (folder / "report.json").read_bytes() == report
    assert not [name for name in files_below(folder) if "unfinished" in name]


@needs_workers
@pytest.mark.parametrize("processes", [2, 4], ids=["server", "workers"])
@pytest.mark.parametrize("kill", [os.kill, os.killpg], ids=["one", "all"])
def test_a_kill_in_the_middle_ends_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill: Callable[[int, int], None], processes: int
) -> None:
    """Nobody tells them: each has to notice that the process that started it is gone. Somebody removes the folder that they shared."""
    make_long_suite(tmp_path)
    with tempfile.TemporaryDirectory() as temporary:  # sockets have short names
        monkeypatch.setenv("TMPDIR", temporary)
        with running(tmp_path, [*WITH_WORKERS, "--no-cache"]) as process:
            await_that(
                lambda: process.poll() is not None or (len(members(process.pid)) >= processes and [*Path(temporary).iterdir()]),
                "there are a folder and processes",
            )
            kill(process.pid, signal.SIGKILL)
            process.communicate()
            await_that(lambda: not members(process.pid), "all processes have ended")
        assert process.returncode == -signal.SIGKILL
        await_that(lambda: not [*Path(temporary).iterdir()], "the folder is removed")


EXECUTOR = """
import concurrent.futures, multiprocessing

def processes():
    return concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork"))
"""


@pytest.mark.parametrize(
    ("number", "all_processes"),
    [*((number, is_for_all) for number in WORDS for is_for_all in (False, True)), (signal.SIGKILL, False)],
)
def test_whatever_ends_a_run_ends_the_processes_of_an_executor(
    tmp_path: Path, number: signal.Signals, *, all_processes: bool
) -> None:
    """They wait for work for ever, and what is forked has the command's handlers, with the names of its unfinished files."""
    make_long_suite(tmp_path)
    write(tmp_path, {"engines.py": EXECUTOR})
    with running(tmp_path, [*COMMAND, "run", "--executor", "engines:processes"]) as process:
        await_that(
            lambda: process.poll() is not None or len(members(process.pid)) >= 4, "the command's two processes have workers"
        )
        (os.killpg if all_processes else os.kill)(process.pid, number)
        _, error = process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    ends = (128 + number, f"nlpeval: {WORDS[number]}\n") if number in WORDS else (-number, "")
    assert (process.returncode, error) == ends


LOSING = """
import pathlib

class Interrupting:
    def __del__(self):
        raise KeyboardInterrupt

def test_that_is_interrupted():
    Interrupting()

def test_next():
    pathlib.Path("next").touch()
"""


@pytest.mark.skipif(pytest.version_tuple < (8, 4), reason="pytest hears of what Python loses in each test by itself")
@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["alone", "worker"])
@pytest.mark.parametrize("flag", ["--nlpeval", "-q"])
def test_an_interrupt_that_python_loses_stops_pytest_behind_the_item(tmp_path: Path, flag: str, words: tuple[str, ...]) -> None:
    """Without `--nlpeval` pytest warns of it, and goes on."""
    make_suite(tmp_path)
    write(tmp_path, {"test_it.py": LOSING})
    program = [*PYTEST, "-p", "no:randomly", "test_it.py", flag, *words]
    ended = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=HANG, check=False)
    is_told = "Interrupted: interrupted" in ended.stdout and "Traceback" not in ended.stdout
    stops = flag == "--nlpeval"
    assert (ended.returncode, is_told, (tmp_path / "next").exists()) == (2 * stops, stops, not stops), ended.stdout


IN_CONTROLLER = """
class Interrupting:
    def __del__(self):
        raise KeyboardInterrupt

def pytest_configure(config):
    global is_controller
    is_controller = not hasattr(config, "workerinput")

def pytest_runtest_logfinish():
    if is_controller:
        Interrupting()
"""


@pytest.mark.parametrize("flag", ["--nlpeval", "-q"])
def test_an_interrupt_that_python_loses_in_the_controller_of_workers_stops_pytest(tmp_path: Path, flag: str) -> None:
    """Without `--nlpeval` pytest warns of it, and goes on."""
    make_suite(tmp_path)
    waiting = "import time\n" + "".join(f"def test_{rank}():\n    time.sleep(0.1)\n" for rank in range(20))
    write(tmp_path, {"conftest.py": IN_CONTROLLER, "test_it.py": waiting})
    program = [*PYTEST, "-p", "no:randomly", "test_it.py", flag, "-n", "1", "--maxschedchunk", "1"]
    ended = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=HANG, check=False)
    is_told = "Interrupted: interrupted" in ended.stdout and "Traceback" not in ended.stdout
    stops = flag == "--nlpeval"
    assert (ended.returncode, is_told, "20 passed" in ended.stdout) == (2 * stops, stops, not stops), ended.stdout


def make_produced(folder: Path) -> str:
    """Write a suite whose system's files are made by a program that never ends, and return what its processes are called."""
    words = f'[{sys.executable}, wait.py, "{{input}}", "{{output}}"]'
    entries = {"produce": f'{{command: {words}, input: "gold/{{doc}}.tsv"}}', **EXEMPLAR}
    make_suite(folder, "f1: 0.5", golds={name: gold(1) for name in "abcd"}, runs={}, **entries)
    (folder / "wait.py").write_text("import sys, time\nopen(sys.argv[2], 'w').close()\ntime.sleep(3600)\n")
    return "wait.py"


def of_script(folder: Path, script: str) -> list[str]:
    """The processes that run a script in a folder."""
    seen = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            words = (process / "cmdline").read_bytes().split(b"\0")
            if script.encode() in words and os.path.realpath(process / "cwd") == str(folder):
                seen.append(process.name)
    return seen


PRODUCING = {
    "command": (*COMMAND, "run", "--produce", "--no-cache"),
    "workers": (*WITH_WORKERS, "--produce", "--no-cache"),
    "pytest": (sys.executable, "-m", "pytest", "--nlpeval", "--nlpeval-produce", "-p", "no:cacheprovider"),
    "xdist": (sys.executable, "-m", "pytest", "--nlpeval", "--nlpeval-produce", "-p", "no:cacheprovider", "-n", "2"),
}


ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)
ENDS = [
    *((who, number) for who in ("command", "pytest", "xdist") for number in ENDING),
    *(("workers", number) for number in (signal.SIGTERM, signal.SIGKILL)),
]


@pytest.mark.parametrize(("who", "number"), ENDS)
def test_whatever_ends_a_run_ends_the_programs_that_make_files(tmp_path: Path, who: str, number: signal.Signals) -> None:
    """They are in sessions of their own: nobody else would, and who is killed cannot."""
    script = make_produced(tmp_path)
    with running(tmp_path, PRODUCING[who]) as process:
        await_that(lambda: list((tmp_path / "system").glob(".nlpeval-*/*")), "a program writes")
        process.send_signal(number)
        process.communicate()
    is_pytest_s = "pytest" in PRODUCING[who] and number == signal.SIGINT
    assert abs(process.returncode) % 128 == (pytest.ExitCode.INTERRUPTED if is_pytest_s else number)
    await_that(lambda: not of_script(tmp_path, script), "the programs have ended")
    await_that(lambda: not list((tmp_path / "system").iterdir()), "what they had begun is removed")


SLEEPS = """
import pathlib, time

def test_that_sleeps():
    pathlib.Path("sleeps").touch()
    try:
        time.sleep(3600)
    finally:
        pathlib.Path("was_interrupted").touch()
"""


@pytest.mark.parametrize("flag", ["--nlpeval", "-q"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_worker_of_xdist_ends_with_its_controller(tmp_path: Path, number: signal.Signals, flag: str) -> None:
    """Without `--nlpeval` xdist lets a test go on for five seconds, and then interrupts it."""
    make_suite(tmp_path)
    write(tmp_path, {"test_it.py": SLEEPS})
    with running(tmp_path, [*PYTEST, "-p", "no:randomly", "-n", "1", "-k", "sleeps", flag]) as process:
        await_that(lambda: process.poll() is not None or (tmp_path / "sleeps").exists(), "the test sleeps")
        assert process.poll() is None
        process.send_signal(number)
        process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    assert process.returncode == -number
    assert (tmp_path / "was_interrupted").exists() == (flag != "--nlpeval")


TEMPORARY = {"workers": ("pymp-*", ("--jobs", "2")), "an earlier commit": ("nlpeval-*", ("--baseline", "git:HEAD"))}
"""What a run makes among the temporary files, and when."""


@needs_workers
@pytest.mark.parametrize("number", WORDS)
@pytest.mark.parametrize("why", TEMPORARY)
def test_a_signal_leaves_no_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str, number: signal.Signals
) -> None:
    """The files of an earlier commit may be secret, and a machine that many runs are ended on would be full of them."""
    pattern, options = TEMPORARY[why]
    make_long_suite(tmp_path)
    for arguments in (["init"], ["add", "."], [*AUTHOR, "commit", "--message", "first"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as temporary:  # sockets have short names
        monkeypatch.setenv("TMPDIR", temporary)
        with running(tmp_path, [*EAGER_COMMAND, "run", "--no-cache", *options]) as process:
            await_that(lambda: process.poll() is not None or [*Path(temporary).glob(pattern)], "there is something")
            process.send_signal(number)
            _, error = process.communicate()
            await_that(lambda: not members(process.pid), "all processes have ended")
        assert (process.returncode, error) == (128 + number, f"nlpeval: {WORDS[number]}\n")
        assert not files_below(Path(temporary))


COMPARING = {
    "command": (*COMMAND, "run", "--no-cache", "--baseline", "git:HEAD"),
    "workers": (*WITH_WORKERS, "--no-cache", "--baseline", "git:HEAD"),
    "pytest": (*PYTEST, "--nlpeval", "--nlpeval-baseline", "git:HEAD"),
    "xdist": (*PYTEST, "--nlpeval", "--nlpeval-baseline", "git:HEAD", "-n", "2"),
}
KILLS = [
    *((who, signal.SIGKILL) for who in COMPARING),
    *(("pytest", number) for number in WORDS),
    *(("xdist", number) for number in (signal.SIGTERM, signal.SIGHUP)),
]


@pytest.mark.parametrize(("who", "number"), KILLS)
def test_nor_do_pytest_and_what_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str, number: signal.Signals
) -> None:
    """Nobody handles the signal, and yet somebody removes the files."""
    make_long_suite(tmp_path, names=100, rows=5_000)
    for arguments in (["init"], ["add", "."], [*AUTHOR, "commit", "--message", "first"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as temporary:
        monkeypatch.setenv("TMPDIR", temporary)
        with running(tmp_path, COMPARING[who]) as process:
            await_that(lambda: process.poll() is not None or [*Path(temporary).glob("nlpeval-*/*.tsv")], "there are files")
            process.send_signal(number)
            process.communicate()
            await_that(lambda: not members(process.pid), "all processes have ended")
        assert process.returncode == (pytest.ExitCode.INTERRUPTED if number == signal.SIGINT else -number)
        await_that(lambda: not [*Path(temporary).glob("nlpeval-*")], "they are removed")


@needs_workers
def test_a_worker_that_is_killed_is_one_line(tmp_path: Path) -> None:
    make_long_suite(tmp_path)
    with running(tmp_path, [*WITH_WORKERS, "--no-cache"]) as process:
        await_that(lambda: process.poll() is not None or len(members(process.pid)) >= 4, "there are workers")
        if process.poll() is None:
            worker = members(process.pid)[-1]  # after the command, the tracker of its semaphores, and the server
            os.kill(worker, signal.SIGKILL)
        _, error = process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    assert (process.returncode, error) == (2, "nlpeval: a worker process died (out of memory?); try fewer --jobs\n")


def test_a_signal_that_is_ignored_stays_ignored(suite: Prepared) -> None:
    """So `nohup` works, and what a script starts in the background goes on when somebody interrupts what is in front."""
    folder, _ = suite
    code = "import os, signal, sys\nfor s in (signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\n"
    code += "os.execv(sys.argv[1], sys.argv[1:])"
    with running(folder, [sys.executable, "-c", code, *COMMAND, "run", "--no-cache"]) as process:
        await_that(lambda: process.poll() is not None or catches(process, signal.SIGTERM), "the command takes signals")
        for number in (signal.SIGINT, signal.SIGHUP):
            os.kill(process.pid, number)
        process.communicate()
    assert process.returncode == 0
