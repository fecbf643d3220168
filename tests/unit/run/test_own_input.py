"""Nothing that a run writes takes the place of what it reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_nlpeval.run.own_input import why_unwritable
from tests.support import RIGHT, command, files_below, make_suite, run_pytest


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """A suite, beside which lies a link to the folder of gold, and a report of before."""
    make_suite(pytester.path, "accuracy: 0.5", runs={"a": RIGHT})
    (pytester.path / "deep").symlink_to("gold")
    (pytester.path / "old.json").write_text("{}")
    return pytester.path


READ = {
    "nlpeval.yaml": "the configuration",
    "gold/a.xml": "a gold file",
    "system/../system/a.txt": "a system file",
    "deep/a.xml": "a gold file",
}


WRITING: tuple[tuple[str, ...], ...] = (
    ("run", "--no-cache", "--report", "json:{}"),
    ("run", "--no-cache", "--save-baseline", "{}"),
    ("run", "--no-cache", "--shard", "1/1", "--report", "evidence:{}"),
    ("compare", "dev", "--no-cache", "--report", "json:{}"),
    ("score", "rte", "--no-cache", "--gold", "gold/a.xml", "--system", "system/a.txt", "--report", "json:{}"),
)
PYTESTS: tuple[tuple[str, ...], ...] = (
    ("--nlpeval-report=json:{}",),
    ("--nlpeval-save-baseline={}",),
    ("--nlpeval-shard=1/1", "--nlpeval-report=evidence:{}"),
)


@pytest.mark.skipif(os.name == "nt", reason="links take a privilege there")
@pytest.mark.parametrize("name", READ)
def test_what_is_read_stays(folder: Path, pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str], name: str) -> None:
    before = files_below(folder)
    says = f"{name} is {READ[name]} of "
    for words in WRITING[: None if READ[name] != "the configuration" else -1]:  # `score` reads no configuration
        ended = command(capfd, *(word.format(name) for word in words))
        assert (ended.code, says in ended.err) == (2, True), ended.all
    for words in PYTESTS:
        ran = run_pytest(pytester, "-p", "no:cacheprovider", *(word.format(name) for word in words))
        assert (ran.code, says in ran.all) == (4, True), ran.all
    assert files_below(folder) == before


def test_two_of_one_path_are_refused_unless_it_is_no_file(tmp_path: Path) -> None:
    assert (
        why_unwritable([tmp_path / "a", tmp_path / "b/../a"], ())
        == f"{tmp_path}/b/../a would be written twice; name another file"
    )
    assert not why_unwritable([tmp_path / "a", tmp_path / "b", Path(os.devnull), Path(os.devnull)], ())


def test_a_report_of_before_is_replaced(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert command(capfd, "run", "--no-cache", "--report", "json:old.json").code == 0
    assert (folder / "old.json").stat().st_size > 2
