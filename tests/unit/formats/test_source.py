from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_nlpeval.files import FILE_KINDS, Source, nature, read_source
from pytest_nlpeval.problems import ProblemLog


def read(path: Path, limit: int = 100) -> tuple[Source | None, list[str]]:
    log = ProblemLog("label", FILE_KINDS)
    source = read_source(path, log, limit)
    return source, [problem.code for problem in log.problems()]


def test_a_file_gives_its_bytes_under_its_label(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\xff\0")
    assert read(tmp_path / "f") == (Source("label", b"\xff\0", tmp_path / "f"), [])


def test_what_is_no_readable_file_is_a_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * 101)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    expected = {
        "none": "file.missing",
        "pipe": "file.not-regular",
        ".": "file.not-regular",
        "large": "file.too-large",
        "loop": "file.unreadable",
        "nul\0": "file.unreadable",
        "x" * 300: "file.unreadable",
    }
    for name, code in expected.items():
        assert read(tmp_path / name) == (None, [code]), name
    assert read(Path("/dev/zero")) == (None, ["file.not-regular"])


@pytest.mark.parametrize(
    ("data", "name"), [(b"\x1f\x8b\x08", "gzip"), (b"PK\x03\x04", "zip"), (b"\xff\xfea", "UTF-16"), (b"abc", "")]
)
def test_nature(data: bytes, name: str) -> None:
    assert (name in nature(data)) if name else nature(data) == ""
