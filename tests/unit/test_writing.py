from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, suppress
from pathlib import Path

import pytest

from pytest_nlpeval.writing import remove_unfinished, write_atomically
from tests.support import files_below

posix = pytest.mark.skipif(os.name == "nt", reason="there are no such pipes, devices and locks there")


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_atomically(tmp_path / "other/g", iter(["ü\r", "\n"]))
    assert (tmp_path / "other/g").read_bytes() == "ü\r\n".encode()
    write_atomically(tmp_path / "new/f", "ü\r\n")
    assert (tmp_path / "new/f").read_bytes() == "ü\r\n".encode()
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "new/f", "\udcff")
    assert files_below(tmp_path / "new") == {"f": "ü\r\n".encode()}


def device(folder: Path, name: str, minor: int) -> Path:
    """A device of memory: for root a new one in the folder, so that nothing happens to the machine's own if the test fails."""
    if os.geteuid() != 0:
        return Path("/dev", name)
    try:
        os.mknod(folder / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    except OSError:
        pytest.skip("no device can be made here")
    return folder / name


linux = pytest.mark.skipif(sys.platform != "linux", reason="the numbers of devices are Linux's")


@linux
def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    null = device(tmp_path, "null", 3)
    before = null.stat()
    write_atomically(null, "text")
    after = null.stat()
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_rdev, after.st_ino) == (before.st_rdev, before.st_ino)


@linux
def test_a_device_that_is_full_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        write_atomically(device(tmp_path, "full", 7), "text")


@posix
def test_a_pipe_that_somebody_reads_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text = "a line\n" * 100_000  # more than fits into a pipe
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit((tmp_path / "pipe").read_text)
        while True:
            with suppress(OSError):  # nobody reads it yet
                write_atomically(tmp_path / "pipe", text)
                break
        assert read.result() == text
    assert (tmp_path / "pipe").is_fifo()


def _socket(path: Path) -> None:
    with chdir(path.parent), socket.socket(socket.AF_UNIX) as made:  # whose name may not be long
        made.bind(path.name)


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe that nobody reads": (os.mkfifo, "a pipe that nobody reads"),
    "a link": (lambda path: path.symlink_to(path.with_name("theirs")), "a link, which is not followed"),
    "a link to nothing": (lambda path: path.symlink_to(path.with_name("nothing")), "a link, which is not followed"),
    "a folder": (lambda path: path.mkdir(), "Is a directory"),
    "a socket": (_socket, "it is no regular file"),
}


@posix
@pytest.mark.usefixtures("never_waits")
@pytest.mark.parametrize("name", REFUSED)
def test_nothing_else_is_replaced(tmp_path: Path, name: str) -> None:
    make, said = REFUSED[name]
    (tmp_path / "theirs").write_bytes(b"theirs")
    make(tmp_path / "report")
    before = (tmp_path / "report").lstat()
    with pytest.raises(OSError, match=said):
        write_atomically(tmp_path / "report", "text")
    assert files_below(tmp_path) == {"theirs": b"theirs", "report": None}
    assert (tmp_path / "report").lstat().st_ino == before.st_ino


@posix
@pytest.mark.parametrize("is_link", [False, True])
def test_a_pipe_that_becomes_a_file_while_it_is_opened_is_no_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_link: bool
) -> None:
    report, opened = tmp_path / "report", os.open
    os.mkfifo(report)
    (tmp_path / "theirs").write_bytes(b"theirs")

    def swap(path: Path, flags: int) -> int:
        report.unlink()
        report.symlink_to("theirs") if is_link else report.write_bytes(b"theirs")
        return opened(path, flags)

    monkeypatch.setattr(os, "open", swap)
    with pytest.raises(OSError, match="it was a device or pipe"):
        write_atomically(report, "text")
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"theirs"}


def writes_for_ever(path: Path) -> subprocess.Popen[bytes]:
    """A process that has begun to write a file, and does not end."""
    code = "import sys, time; from pathlib import Path; from pytest_nlpeval.writing import write_atomically as w\n"
    code += "def pieces():\n    yield 'half'\n    print(flush=True)\n    time.sleep(3600)\nw(Path(sys.argv[1]), pieces())"
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with writes_for_ever(tmp_path / "r.json") as process:
        yield process
        process.kill()


@posix
def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path, writing: subprocess.Popen[bytes]) -> None:
    (left,) = files_below(tmp_path)
    assert left.startswith(".r.json.")
    write_atomically(tmp_path / "r.json", "of another")
    assert files_below(tmp_path).keys() == {left, "r.json"}  # while its process lives
    writing.send_signal(signal.SIGKILL)
    writing.wait()
    assert left in files_below(tmp_path)
    write_atomically(tmp_path / "r.json", "whole")
    assert files_below(tmp_path) == {"r.json": b"whole"}


@posix
@pytest.mark.usefixtures("never_waits")
def test_what_is_called_similarly_stays(tmp_path: Path) -> None:
    names = [".r.json.backup12", ".r.json.swp", "r.json.nlpeval-unfinished", ".other.json.abc.nlpeval-unfinished"]
    for name in names:
        (tmp_path / name).write_text("mine")
    os.mkfifo(tmp_path / ".r.json.pipe.nlpeval-unfinished")
    write_atomically(tmp_path / "r.json", "whole")
    assert files_below(tmp_path).keys() == {*names, "r.json", ".r.json.pipe.nlpeval-unfinished"}


def test_a_temporary_folder_whose_removal_is_interrupted_goes_with_the_process(tmp_path: Path) -> None:
    code = """
import contextlib, shutil, signal
from pytest_nlpeval.writing import temporary_folder
with contextlib.suppress(KeyboardInterrupt), temporary_folder() as folder:
    (folder / "secret").touch()
    shutil.rmtree = lambda *_, **__: signal.raise_signal(signal.SIGINT)
print(*folder.iterdir())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, check=True
    )
    assert done.stdout.endswith(b"secret\n")
    assert not files_below(tmp_path)


def test_a_signal_that_comes_while_the_file_is_made_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its handler runs before what makes the file returns."""
    opened, left = os.open, []

    def interrupted(path: Path, flags: int, mode: int) -> int:
        os.close(opened(path, flags, mode))
        remove_unfinished()
        left.append(files_below(tmp_path))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "r.json", "text")
    assert left == [{}]


def test_several_may_write_one_file(tmp_path: Path) -> None:
    """None removes what another is about to write, and the last one wins."""
    texts = [f"{rank}\n" * 1000 for rank in range(8)]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(20):
            list(threads.map(lambda text: write_atomically(tmp_path / "r.json", text), texts))
            assert (tmp_path / "r.json").read_text() in texts
    assert files_below(tmp_path).keys() == {"r.json"}
