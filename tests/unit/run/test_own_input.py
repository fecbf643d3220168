"""Nothing that a run writes takes the place of what it reads."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pytest_nlpeval.run.own_input import why_unwritable
from pytest_nlpeval.run.producing import KEPT
from tests.support import RIGHT, apart, command, files_below, make_suite, run_pytest, write


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


ALL = """version: 1
suites:
  - name: dev
    task: rte
    gold: gold/{doc}.xml
    system: system/{doc}.txt
    baseline: base.json
    options: {group: {documents: groups.tsv}}
    produce: {command: [cp, right.txt, "{output}"], input: "gold/{doc}.xml", depends: ["*.in"]}
    gates: {accuracy: {min: 0.5, must_pass: golden.txt, known_failures: known.txt}}
    profiles: {release: {coverage: {must_pass: more.txt}}}
"""
"""A suite that reads files of every kind."""


@pytest.fixture
def every(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_suite(tmp_path, config=ALL, runs={"a": RIGHT, "b": RIGHT})
    files = {"groups.tsv": "document\tgroup\na\tx\nb\ty\n", "right.txt": RIGHT, "words.in": "in"}
    write(tmp_path, files | {"golden.txt": "a/1\n", "known.txt": "a/2\n", "more.txt": "a/3\n"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


WATCHED = """
import os, sys
from pytest_nlpeval.cli import main

opened = set()

def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
        opened.add(os.path.basename(arguments[0]))

sys.addaudithook(watch)
main(sys.argv[1:])
print("opened", *opened, sep="\\n")
"""
"""Runs the command, and tells the names of all files that this process has opened for reading."""


def test_whatever_a_run_reads_is_never_written_over(every: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = ("run", "--no-cache", "--produce", "--profile", "release", "--jobs", "1")
    assert command(capfd, *run, "--baseline", "none", "--save-baseline", "base.json").code == 0
    opened = {*apart(every, [sys.executable, "-c", WATCHED, *run]).out.partition("opened\n")[2].splitlines()}
    inputs = {name for name in files_below(every) if Path(name).name in opened and Path(name).is_file() and KEPT not in name}
    assert inputs >= {"nlpeval.yaml", "base.json", "groups.tsv", "golden.txt", "known.txt", "more.txt", "words.in", "gold/b.xml"}
    for name in sorted(inputs):
        ended = command(capfd, *run, "--report", f"json:{name}")
        assert (ended.code, "which would be lost; name another file" in ended.err) == (2, True), (name, ended.all)


def test_nor_are_the_files_that_other_commands_read(every: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert command(capfd, "run", "--no-cache", "--save-baseline", "base.json").code == 0
    assert command(capfd, "run", "--no-cache", "--shard", "1/1", "--report", "evidence:part").code == 0
    (every / "same").hardlink_to(every / "part")
    before = files_below(every)
    for name, words in {
        "part": ("merge", "part", "--report", "json:part"),
        "same": ("merge", "part", "--no-cache", "--save-baseline", "same"),
        "base.json": ("compare", "dev", "base.json", "--no-cache", "--report", "json:base.json"),
        "./base.json": ("compare", "dev", "--baseline", "base.json", "--no-cache", "--report", "json:./base.json"),
    }.items():
        ended = command(capfd, *words)
        said = f"{Path(name)} is an input, which would be lost; name another file"
        assert (ended.code, said in ended.err) == (2, True), ended.all
    assert files_below(every) == before


@pytest.mark.skipif(os.name == "nt", reason="links take a privilege there")
def test_nor_is_what_a_link_of_another_name_leads_to(every: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (every / "gold/a.xml").rename(every / "real.xml")
    (every / "gold/a.xml").symlink_to("../real.xml")
    ended = command(capfd, "run", "--no-cache", "--report", "json:real.xml")
    assert (ended.code, "real.xml is a gold file of dev, which would be lost" in ended.err) == (2, True)


@pytest.mark.parametrize("name", ["gold/a.xml", "nlpeval.yaml", "golden.txt", "groups.tsv", "right/../system/b.txt"])
def test_a_baseline_file_that_a_configuration_names_takes_no_place(
    every: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    write(every, {"nlpeval.yaml": ALL.replace("base.json", name), "right/kept": ""})
    monkeypatch.chdir(every)
    before = files_below(every)
    ended = command(capfd, "baseline", "update", "--no-cache")
    ran = run_pytest(pytester, "-p", "no:cacheprovider", "--nlpeval-update-baseline", str(every))
    for said in (ended, ran):
        assert said.code == (2 if said is ended else 4)
        assert f"{name.removeprefix('right/../')} is " in said.all
        assert " of dev, which would be lost; give each a baseline file of its own" in said.all
    assert files_below(every) == before


def test_two_of_one_path_are_refused_unless_it_is_no_file(tmp_path: Path) -> None:
    assert (
        why_unwritable([tmp_path / "a", tmp_path / "b/../a"], ())
        == f"{tmp_path}/b/../a would be written twice; name another file"
    )
    assert not why_unwritable([tmp_path / "a", tmp_path / "b", Path(os.devnull), Path(os.devnull)], ())


def test_a_link_that_goes_while_it_is_followed_is_no_mistake_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever changes it beside the run has it removed between two questions to the system."""
    for name in ("a", "b"):
        (tmp_path / name).symlink_to(tmp_path / "report.json")

    def gone(path: str) -> str:
        raise FileNotFoundError(path)

    assert "written twice" in why_unwritable([tmp_path / "a", tmp_path / "b"], [])
    monkeypatch.setattr(os, "readlink", gone)
    assert why_unwritable([tmp_path / "a", tmp_path / "b"], []) == ""


def test_a_report_of_before_is_replaced(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert command(capfd, "run", "--no-cache", "--report", "json:old.json").code == 0
    assert (folder / "old.json").stat().st_size > 2
