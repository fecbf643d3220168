"""What a process has begun ends with it; the faults of whole runs are in tests/faults/test_signals.py."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_nlpeval import left_behind
from tests.support import HANG


def test_what_was_told_last_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, left = tmp_path / "kept", tmp_path / "left"
    for folder in (kept, left):
        (folder / "deep").mkdir(parents=True)
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True) as program:
        told = [[program.pid, str(kept)], [program.pid, str(left)]]
        lines = "".join(f"{json.dumps(begun)}\n" for begun in told).encode()
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines)))
        monkeypatch.setattr(signal, "signal", lambda *_: None)
        left_behind._wait()
        assert program.wait(HANG) != 0
    assert (kept.exists(), left.exists()) == (True, False)


@pytest.mark.parametrize("end", ["os._exit(3)", "os.abort()", "1 / 0"])
def test_a_process_leaves_nothing_however_it_ends(tmp_path: Path, end: str) -> None:
    """But what has ended before stays as it is."""
    code = f"""
import os
from pytest_nlpeval.left_behind import ended_with_us
os.mkdir("done")
os.mkdir("left")
with ended_with_us(os.path.abspath("done")):
    os.rmdir("done")
os.mkdir("done")
with ended_with_us(os.path.abspath("left")):
    {end}
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.DEVNULL, check=False)
    until = time.monotonic() + HANG
    while (tmp_path / "left").exists():
        assert time.monotonic() < until, "it stays"
        time.sleep(0.005)
    assert [path.name for path in tmp_path.iterdir()] == ["done"]


@pytest.mark.skipif(sys.platform != "linux", reason="what a process ignores is read in /proc")
def test_a_signal_to_all_processes_does_not_keep_what_is_left(tmp_path: Path) -> None:
    """As the end of a service does, which finds the process that waits in whatever session it is."""
    code = """
import os, pathlib, signal
from pytest_nlpeval import left_behind
os.mkdir("left")
with left_behind.ended_with_us(os.path.abspath("left")):
    (watcher,) = left_behind._watchers.values()
    ignored = 0
    while not ignored >> signal.SIGHUP - 1 & ignored >> signal.SIGTERM - 1 & 1:
        text = pathlib.Path(f"/proc/{watcher.pid}/status").read_text()
        (ignored,) = (int(line.split()[1], 16) for line in text.splitlines() if line.startswith("SigIgn:"))
    for number in (signal.SIGHUP, signal.SIGTERM):
        os.kill(watcher.pid, number)
    os.abort()
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.DEVNULL, check=False, timeout=HANG)
    until = time.monotonic() + HANG
    while (tmp_path / "left").exists():
        assert time.monotonic() < until, "it stays"
        time.sleep(0.005)


def test_a_process_ends_in_silence_and_waits_for_whoever_waits_for_it(tmp_path: Path) -> None:
    code = "from pytest_nlpeval.left_behind import ended_with_us\nwith ended_with_us('/nowhere/at/all'): pass"
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="no server of multiprocessing listens there")
@pytest.mark.parametrize("end", ["pass", "os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_the_folder_of_a_server_is_removed_once_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """At an orderly end multiprocessing removes it itself, and would complain if it were gone."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    code = f"""
import multiprocessing.util, os, signal
from pytest_nlpeval.left_behind import make_shared_folder
make_shared_folder()
make_shared_folder()
assert len(os.listdir()) == 1
{end}
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False, timeout=HANG)
    assert (ended.stdout, ended.stderr) == (b"", b"")
    until = time.monotonic() + HANG
    while list(tmp_path.iterdir()):
        assert time.monotonic() < until, "it stays"
        time.sleep(0.005)
