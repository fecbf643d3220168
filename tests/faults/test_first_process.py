"""Code of another package runs in a child of the command's process: to whoever starts and ends the command, the two are one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_nlpeval.cli import apart as of_command
from tests.faults.processes import WITH_WORKERS, await_that, members, needs_workers, running
from tests.faults.test_broken_task import broken, whole
from tests.faults.test_signals import WORDS
from tests.support import COMMAND, HANG, apart, assert_clean, config_text, make_suite, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched in /proc")

WAITING = "open(f'waiting-{__import__(\"os\").getpid()}', 'w').close(); __import__('time').sleep(3600)"
RUN = (*COMMAND, "run", "--no-cache")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of twenty documents, and of a task of a package that every process finds."""
    write(
        tmp_path,
        {
            "site/my_numbers-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: my-numbers\nVersion: 1\n",
            "site/my_numbers-1.dist-info/entry_points.txt": "[nlpeval.tasks]\nnumbers = my_numbers:TASK\n"
            "[nlpeval.baselines]\nours = my_ends:run_of\n",
            "repo/nlpeval.yaml": config_text("accuracy: 0.5", task="numbers", gold="gold/{doc}.txt", system="system/{doc}.txt"),
            **{f"repo/{side}/{rank}.txt": "1\n2\n" for side in ("gold", "system") for rank in range(20)},
        },
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path / "site"), os.environ.get("PYTHONPATH")))))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return tmp_path


def install(folder: Path, module: str) -> Path:
    """Install a module as the package's, and return the folder of the suite."""
    write(folder, {"site/my_numbers.py": module.replace("import numpy as np", "import sys\nimport numpy as np", 1)})
    return folder / "repo"


def is_waiting(repo: Path) -> bool:
    return bool(list(repo.glob("waiting-*")))


@pytest.mark.parametrize("whom", ["first", "child", "both"])
@pytest.mark.parametrize("number", WORDS)
def test_a_signal_ends_both_with_one_line(folder: Path, number: signal.Signals, whom: str) -> None:
    repo = install(folder, broken("count", WAITING))
    with running(repo, RUN) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        first, child = members(process.pid)
        assert first == process.pid
        if whom == "both":
            os.killpg(first, number)
        else:
            os.kill(first if whom == "first" else child, number)
        out, error = process.communicate()
        assert not members(process.pid)
    assert (process.returncode, out, error) == (128 + number, "", f"nlpeval: {WORDS[number]}\n")


def test_a_signal_that_the_task_lets_end_its_process_is_the_same(folder: Path) -> None:
    default = "import signal; signal.signal(signal.SIGTERM, signal.SIG_DFL); "
    repo = install(folder, broken("count", default + WAITING))
    with running(repo, RUN) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        process.terminate()
        _, error = process.communicate()
        assert not members(process.pid)
    assert (process.returncode, error) == (128 + signal.SIGTERM, "nlpeval: terminated\n")


def test_signals_that_are_ignored_stay_ignored(folder: Path) -> None:
    code = "import os, signal, sys\nfor s in (signal.SIGINT, signal.SIGHUP, signal.SIGCHLD): signal.signal(s, signal.SIG_IGN)\n"
    code += "os.execv(sys.argv[1], sys.argv[1:])"
    until_told = "open('waiting-0', 'w').close()\nwhile not __import__('os').path.exists('told'): pass"
    repo = install(folder, broken("import", until_told))
    with running(repo, [sys.executable, "-c", code, *RUN]) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        os.killpg(process.pid, signal.SIGINT)
        os.killpg(process.pid, signal.SIGHUP)
        (repo / "told").touch()
        out, error = process.communicate()
    assert (process.returncode, error) == (0, ""), out


@pytest.mark.parametrize(
    "program", [RUN, pytest.param((*WITH_WORKERS, "--no-cache"), marks=needs_workers)], ids=["alone", "workers"]
)
def test_a_kill_of_the_first_ends_all(folder: Path, program: Sequence[str]) -> None:
    in_workers = "if len(sys.argv) > 1 and sys.argv[0] != '-c' or __import__('multiprocessing').parent_process():"
    repo = install(folder, broken("count", WAITING if program is RUN else f"{in_workers} {WAITING}"))
    with running(repo, program) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        process.kill()
        process.communicate()
        await_that(lambda: not members(process.pid), "all processes have ended")
    assert process.returncode == -signal.SIGKILL


def test_a_kill_of_the_child_is_a_sentence(folder: Path) -> None:
    repo = install(folder, broken("count", WAITING))
    with running(repo, RUN) as process:
        await_that(lambda: process.poll() is not None or is_waiting(repo), "the task counts")
        os.kill(members(process.pid)[1], signal.SIGKILL)
        _, error = process.communicate()
    assert process.returncode == 2
    assert re.fullmatch(r"nlpeval: .* \(signal 9, Killed\); nothing of it counts\. .*: numbers\. .*\n", error)


def test_nobody_waits_for_what_the_task_leaves_behind(folder: Path) -> None:
    """It has all pipes of the process that it was forked from."""
    left = "import os, time\n    if not os.fork(): os.close(1); os.close(2); time.sleep(3600)\n    __import__('ctypes').CDLL(None)._exit(0)"
    repo = install(folder, broken("count", left))
    with running(repo, RUN) as process:
        assert process.wait(HANG) == 2
        assert len(members(process.pid)) == 1


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("run --baseline ours:x", "ours"),
        ("compare dev ours:x", "ours"),
        ("run --executor my_ends:run_of", "my_ends:run_of"),
        ("validate --executor my_ends:run_of", "my_ends:run_of"),
        ("doctor", "ours"),
    ],
)
def test_sources_of_baselines_and_executors_are_code_of_others_too(folder: Path, words: str, name: str) -> None:
    repo = make_suite(folder / "other", "accuracy: 0.5")
    end = "__import__('ctypes').CDLL(None)._exit(0)\n"
    write(folder, {"site/my_ends.py": end if words == "doctor" else f"def run_of(*_):\n    {end}", "site/my_numbers.py": whole()})
    ended = apart(repo, [*COMMAND, *words.split()])
    assert (ended.code, ended.out) == (2, "")
    assert re.fullmatch(rf"nlpeval: .* \(exit code 0\); nothing of it counts\. .*\b{name}\. Upgrade .*\n", ended.err)


LOOKING = """
import sys
from threading import active_count
from pytest_nlpeval import cli, foreign_process
from pytest_nlpeval.cli import pool
from pytest_nlpeval.tasks import load_task
pool.TRIAL = pool.LEAST_GAIN = -1
pool._start_up = lambda: -1
for words in sys.argv[1:]:
    seen = {}  # when it was announced first: then the command's process is forked
    foreign_process.BEFORE[:] = [lambda name: seen.setdefault(name, active_count())]
    load_task.cache_clear()
    code = cli.main(words.split())
    print("SEEN", code, *sorted(seen.items()))
"""


def test_code_of_others_is_announced_while_no_thread_runs(folder: Path) -> None:
    """A process with threads cannot be forked."""
    repo = install(folder, whole())
    write(
        folder,
        {
            "site/my_ends.py": "from concurrent.futures import ThreadPoolExecutor\ndef run_of(*_):\n    return ThreadPoolExecutor(1)\n"
        },
    )
    commands = {
        "run --no-cache --jobs 2": "0 ('numbers', 1)",
        "run --no-cache --baseline ours:x --jobs 2": "0 ('numbers', 1) ('ours', 1)",
        "run --no-cache --executor my_ends:run_of": "0 ('my_ends:run_of', 1) ('numbers', 1)",
        "validate --jobs 2": "0 ('numbers', 1)",
        "compare dev dev ours:x --no-cache --jobs 2": "2 ('numbers', 1) ('ours', 1)",
        "history --jobs 2": "2 ('numbers', 1)",
        "score gold/1.txt system/1.txt --jobs 2": "0 ('numbers', 1)",
        "tasks numbers": "0 ('numbers', 1)",
    }
    seen = apart(repo, [sys.executable, "-c", LOOKING, *commands]).out
    assert [line.removeprefix("SEEN ") for line in seen.splitlines() if line.startswith("SEEN ")] == [*commands.values()], seen


@pytest.mark.parametrize(("gate", "code"), [("accuracy: 0.5", 0), ("accuracy: {max: 0.5}", 1)])
def test_the_exit_code_is_that_of_the_verdicts_whatever_ends_python(folder: Path, gate: str, code: int) -> None:
    repo = install(folder, whole())
    text = (repo / "nlpeval.yaml").read_text()
    write(repo, {"nlpeval.yaml": text.replace("accuracy: 0.5", gate)})
    plain = apart(repo, RUN)
    assert (plain.code, plain.err, plain.out.count("dev (numbers)")) == (code, "", 1)
    install(folder, broken("import", "__import__('atexit').register(__import__('ctypes').CDLL(None)._exit, 0)"))
    assert apart(repo, RUN) == plain


@pytest.mark.parametrize(
    ("redirection", "code"), [("", 0), (">&-", 2), (">/dev/full", 2), ("2>&-", 0), ("<&- 2>&-", 0), ("| true", 0)]
)
def test_standard_streams_are_those_of_any_run(folder: Path, redirection: str, code: int) -> None:
    repo = install(folder, whole())
    write(repo, {"nlpeval.py": COMMAND[2]})
    line = f"set -o pipefail; {sys.executable} nlpeval.py run --no-cache {redirection}"
    done = subprocess.run(["bash", "-c", line], cwd=repo, capture_output=True, text=True, timeout=HANG, check=False)
    assert_clean(done.stdout + done.stderr)
    assert (done.returncode, len(done.stderr.splitlines())) == (code, code // 2)


def test_names_do_not_fill_a_pipe_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each suite of a configuration announces the source of its baseline."""
    hearing, telling = os.pipe()
    try:
        os.set_blocking(telling, False)
        monkeypatch.setattr(of_command, "_telling", {os.getpid(): telling})
        monkeypatch.setattr(of_command, "_noted", set())
        for _ in range(100_000):
            of_command.note("one")
        of_command.note("\udcff" * 1_000_000)
        assert os.read(hearing, 1 << 20) == b"one\n" + b"?" * 100 + b"\n"
    finally:
        os.close(hearing)
        os.close(telling)
