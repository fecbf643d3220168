"""Others write, delete and exchange the same files while runs work: verdicts stay, files are whole, and nothing outside is touched."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from threading import Event

import pytest

from tests.support import HALF, RIGHT, command_apart, files_below, make_suite, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links take a privilege there, and open files stay")

RUNS = 6
"""How often each of those who take part does what it does."""


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Do something again and again for as long as the block runs."""
    ended = Event()

    def repeat() -> None:
        while not ended.is_set():
            act()

    with ThreadPoolExecutor(1) as thread:
        acting = thread.submit(repeat)
        try:
            yield
        finally:
            ended.set()
        acting.result()


def test_a_store_that_is_deleted_under_two_runs_changes_no_verdict(tmp_path: Path) -> None:
    folder = make_suite(tmp_path, "accuracy: 0.8")
    alone = command_apart(folder, "run", "--no-cache")
    assert alone.code == 1
    with meanwhile(lambda: shutil.rmtree(folder / "cache", ignore_errors=True)), ThreadPoolExecutor(2) as both:
        for ended in both.map(lambda _: command_apart(folder, "run", "--cache-dir", "cache"), range(2 * RUNS)):
            assert (ended.code, ended.out) == (alone.code, alone.out)
            assert len(ended.err.splitlines()) <= 1


def test_a_baseline_and_a_report_that_two_write_are_whole_at_any_time(tmp_path: Path) -> None:
    folders = [make_suite(tmp_path / name, runs={"a": run}) for name, run in (("one", RIGHT), ("other", HALF))]
    shared = [tmp_path / "base.json", tmp_path / "report.json"]
    options = ("--no-cache", "--save-baseline", str(shared[0]), "--report", f"json:{shared[1]}")

    def read() -> None:
        for path in shared:
            with suppress(FileNotFoundError):  # nobody has written it yet
                json.loads(path.read_bytes())

    with meanwhile(read), ThreadPoolExecutor(2) as both:
        for ended in both.map(lambda number: command_apart(folders[number % 2], "run", *options), range(2 * RUNS)):
            assert ended.code == 0, ended.all
    assert files_below(tmp_path).keys() >= {"base.json", "report.json"}
    assert not [name for name in files_below(tmp_path) if "unfinished" in name]
    for folder in folders:
        assert command_apart(folder, "run", "--no-cache", "--baseline", str(shared[0])).code == 0


SECRET = "1 SECRET\n<SECRET/>\n"

SWAPPED = ("nlpeval.yaml", "gold/a.xml", "system/a.txt", "golden.txt", "base.json", "report.json", "saved.json", "system", "gold")
"""What a thread makes a link to a secret outside or a pipe, and a file or folder again, as fast as it can."""


@pytest.mark.parametrize("name", SWAPPED)
def test_nothing_outside_is_told_or_written_over_by_whatever_link_comes_in_between(tmp_path: Path, name: str) -> None:
    outside = write(tmp_path / "outside", {"secret": SECRET, "a.txt": SECRET, "a.xml": SECRET})
    root = make_suite(tmp_path / "root", "accuracy: {min: 0.5, must_pass: golden.txt}", runs={"a": HALF}, baseline="base.json")
    write(root, {"golden.txt": "1\n", "report.json": "{}", "saved.json": "{}"})
    assert command_apart(root, "run", "--no-cache", "--baseline", "none", "--save-baseline", "base.json").code == 0
    place, kept, before = root / name, tmp_path / "kept", files_below(outside)
    shutil.move(place, kept)

    def regular() -> None:
        shutil.copytree(kept, place) if kept.is_dir() else shutil.copy(kept, place)

    makes: Iterator[Callable[[], object]] = cycle(
        [regular, lambda: place.symlink_to(outside if kept.is_dir() else outside / "secret"), lambda: os.mkfifo(place)]
    )

    def swap() -> None:
        shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink(missing_ok=True)
        with suppress(FileExistsError):  # a report was just written
            next(makes)()

    with meanwhile(swap):
        for _ in range(RUNS):
            ended = command_apart(root, "run", "--no-cache", "--report", "json:report.json", "--save-baseline", "saved.json")
            assert ended.code in (0, 1, 2), ended.all
            assert "SECRET" not in ended.all
    assert files_below(outside) == before
    assert not [path for path, data in files_below(root).items() if data and b"SECRET" in data and not (root / path).is_symlink()]
