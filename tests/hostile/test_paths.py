"""Paths that lead out of the root, and names of files made to break a terminal, a CI runner or a shell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.hostile.run_both import MOST_OUTPUT, both, shows
from tests.support import (
    GATE,
    HALF,
    RIGHT,
    Ended,
    command,
    config_text,
    files_below,
    gold_xml,
    make_suite,
    outcomes,
    run_pytest,
    write,
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def inner(pytester: pytest.Pytester) -> Path:
    """The root of a suite, with good files beside it."""
    write(pytester.path, {"outside/gold/a.xml": gold_xml(), "outside/system/a.txt": RIGHT})
    return make_suite(pytester.path / "top", runs={"a": RIGHT})


ALLOW = "version: 1\nallow_outside: true\n"


@pytest.mark.parametrize("role", ["gold", "system"])
@pytest.mark.parametrize("way", ["../outside", "{outside}", "system/../../outside", "./../top/../outside"])
def test_paths_of_the_configuration(pytester: pytest.Pytester, capfd: Capture, inner: Path, role: str, way: str) -> None:
    leading = way.format(outside=pytester.path / "outside")
    config = config_text("accuracy: 1").replace(f"{role}: {role}", f"{role}: {leading}/{role}")
    write(inner, {"nlpeval.yaml": config})
    ended = both(pytester, capfd, inner, 2, collects=False)
    shows(ended, f"nlpeval.yaml:{5 if role == 'gold' else 6}:5: config.path: leaves the root folder")
    write(inner, {"nlpeval.yaml": config.replace("version: 1\n", ALLOW)})
    both(pytester, capfd, inner, 0)
    per_suite = config.replace("    gates:", "    allow_outside: true\n    gates:")
    write(inner, {"nlpeval.yaml": per_suite})
    both(pytester, capfd, inner, 0)


def test_a_path_out_and_in_again_is_inside(pytester: pytest.Pytester, capfd: Capture, inner: Path) -> None:
    write(inner, {"nlpeval.yaml": config_text("accuracy: 1").replace("gold: gold", "gold: ../top/gold")})
    both(pytester, capfd, inner, 0)


@pytest.mark.parametrize("role", ["gold/a.xml", "system/a.txt"])
def test_a_link_to_a_file_outside(pytester: pytest.Pytester, capfd: Capture, inner: Path, role: str) -> None:
    (inner / role).unlink()
    (inner / role).symlink_to(pytester.path / "outside" / role)
    ended = both(pytester, capfd, inner, 2)
    shows(ended, f"{role}: file.outside: leads out of the root folder")
    write(inner, {"nlpeval.yaml": config_text(GATE).replace("version: 1\n", ALLOW)})
    both(pytester, capfd, inner, 0)


@pytest.mark.parametrize("role", ["gold", "system"])
def test_a_link_to_a_folder_outside(pytester: pytest.Pytester, capfd: Capture, inner: Path, role: str) -> None:
    for path in (inner / role).iterdir():
        path.unlink()
    (inner / role).rmdir()
    (inner / role).symlink_to(pytester.path / "outside" / role)
    ended = both(pytester, capfd, inner, 2, collects=False)
    shows(ended, "config.path: leaves the root folder")
    write(inner, {"nlpeval.yaml": config_text(GATE).replace("version: 1\n", ALLOW)})
    both(pytester, capfd, inner, 0)


def test_a_link_to_a_folder_outside_that_a_document_names(pytester: pytest.Pytester, capfd: Capture, inner: Path) -> None:
    """The folder is part of the pattern behind {doc}: only reading finds out."""
    config = config_text(GATE).replace("gold/{doc}.xml", "docs/{doc}/gold.xml").replace("system/{doc}.txt", "docs/{doc}/run.txt")
    write(inner, {"nlpeval.yaml": config, "docs/x/gold.xml": gold_xml(), "docs/x/run.txt": RIGHT})
    write(pytester.path, {"outside/y/gold.xml": gold_xml(), "outside/y/run.txt": RIGHT})
    (inner / "docs/y").symlink_to(pytester.path / "outside/y")
    shows(both(pytester, capfd, inner, 2), "docs/y/gold.xml: file.outside", "docs/y/run.txt: file.outside")


def test_links_inside_are_fine(pytester: pytest.Pytester, capfd: Capture, inner: Path) -> None:
    (inner / "gold").rename(inner / "real")
    (inner / "gold").symlink_to("real")
    both(pytester, capfd, inner, 0)


def test_the_configuration_itself_may_be_a_link(pytester: pytest.Pytester, capfd: Capture, inner: Path) -> None:
    (inner / "nlpeval.yaml").rename(pytester.path / "outside" / "shared.yaml")
    (inner / "nlpeval.yaml").symlink_to(pytester.path / "outside" / "shared.yaml")
    os.chdir(inner)
    assert command(capfd, "run").code == run_pytest(pytester, f"--rootdir={inner}").code == 0


SECRET = "[http]\n\textraheader = SECRET\n"


def assert_nothing_quoted(ended: tuple[Ended, Ended]) -> None:
    for each in ended:
        assert "SECRET" not in each.all
        assert "extraheader" not in each.all


@pytest.mark.parametrize("head", ["version: 1\n", ALLOW])
@pytest.mark.parametrize("role", ["gold", "system"])
@pytest.mark.parametrize("way", [".git/config", "system/../.git/config", ".git/{doc}fig", "way/config"])
def test_nothing_below_git_is_quoted(
    pytester: pytest.Pytester, capfd: Capture, inner: Path, role: str, head: str, way: str
) -> None:
    write(inner, {".git/config": SECRET})
    (inner / "way").symlink_to(".git")
    text = config_text("accuracy: 1", **{"gold": "gold/a.xml", "system": "system/a.txt", role: f"'{way}'"})
    write(inner, {"nlpeval.yaml": text.replace("version: 1\n", head)})
    ended = both(pytester, capfd, inner, 2, collects=False)
    assert_nothing_quoted(ended)
    shows(ended, "config.path: leads into .git, which belongs to git; keep files elsewhere")


@pytest.mark.parametrize("head", ["version: 1\n", ALLOW])
@pytest.mark.parametrize("path", ["gold/a.xml", "system/a.txt"])
def test_a_link_into_git_is_not_followed(pytester: pytest.Pytester, capfd: Capture, inner: Path, path: str, head: str) -> None:
    write(inner, {".git/config": SECRET, "nlpeval.yaml": config_text(GATE).replace("version: 1\n", head)})
    (inner / path).unlink()
    (inner / path).symlink_to("../.git/config")
    ended = both(pytester, capfd, inner, 2)
    assert_nothing_quoted(ended)
    shows(ended, f"{path}: file.outside: lies in .git, which belongs to git")


def test_a_configuration_or_list_of_units_in_git_is_not_read(pytester: pytest.Pytester, capfd: Capture, inner: Path) -> None:
    write(inner, {".git/config": SECRET, "nlpeval.yaml": config_text("accuracy: {must_pass: .git/config}")})
    assert_nothing_quoted(both(pytester, capfd, inner, 2))
    (inner / "nlpeval.yaml").unlink()
    (inner / "nlpeval.yaml").symlink_to(".git/config")
    ended = both(pytester, capfd, inner, 2, collects=False)
    assert_nothing_quoted(ended)
    shows(ended, "nlpeval.yaml: file.outside: lies in .git")


def test_a_work_tree_below_git_is_a_work_tree(pytester: pytest.Pytester, capfd: Capture) -> None:
    top = make_suite(pytester.path / ".git/trees/one", runs={"a": RIGHT})
    write(top, {".git": "gitdir: elsewhere\n"})
    both(pytester, capfd, top, 0)
    write(top, {"nlpeval.yaml": config_text(GATE).replace("version: 1\n", ALLOW)})
    both(pytester, capfd, top, 0)


def test_allow_outside_counts_where_the_run_lets_it(pytester: pytest.Pytester, capfd: Capture, inner: Path) -> None:
    (inner / "gold/a.xml").unlink()
    (inner / "gold/a.xml").symlink_to(pytester.path / "outside/gold/a.xml")
    write(inner, {"nlpeval.yaml": config_text(GATE).replace("version: 1\n", ALLOW)})
    for allowed, code in (("none", 1), ("other/nlpeval.yaml", 1), ("nlpeval.yaml", 0)):
        named = allowed if allowed == "none" else inner / allowed
        ended = run_pytest(pytester, f"--rootdir={inner}", "--nlpeval-outside=none", f"--nlpeval-outside={named}")
        assert ended.code == code, ended.all
        assert ("gold/a.xml: file.outside" in ended.all) is (code == 1)
    write(inner, {"nlpeval.yaml": config_text(GATE, gold="../outside/gold/a.xml", system="system/a.txt")})
    ended = run_pytest(pytester, f"--rootdir={inner}", "--nlpeval-outside=none")
    assert "keep files inside it, for `allow_outside` does not count in this run" in ended.all
    (inner / "nlpeval.yaml").rename(pytester.path / "outside/shared.yaml")
    (inner / "nlpeval.yaml").symlink_to(pytester.path / "outside/shared.yaml")
    assert "nlpeval.yaml: file.outside" in run_pytest(pytester, f"--rootdir={inner}", "--nlpeval-outside=none").all


def test_a_missing_file_outside_is_not_told_from_one_that_is_there(
    pytester: pytest.Pytester, capfd: Capture, inner: Path
) -> None:
    for target in ("outside/gold/a.xml", "outside/none"):
        (inner / "gold/a.xml").unlink()
        (inner / "gold/a.xml").symlink_to(pytester.path / target)
        shows(both(pytester, capfd, inner, 2), "gold/a.xml: file.outside")


NAMES = {
    "line break": "a\n::error::b",
    "carriage return": "a\r::error::b",
    "escape": "a\x1b[31mb",
    "bell": "a\x07b",
    "workflow command": "::error file=x::y",
    "old workflow command": "##[error]x",
    "not utf-8": "a\udcffb",
    "c1 control": "a\x9b31m",
    "leading dash": "-rf",
    "leading dashes": "--report=json:owned",
    "brackets": "a[1]",
    "other brackets": "{a}(b)<c>",
    "glob": "*?[!a]",
    "quotes": "a'b\"c`d",
    "shell": "$(touch owned); & | x",
    "percent": "%s%n%(x)s%0A",
    "bidi": "a\u202ecod",
    "isolate": "a\u2066b",
    "zero width": "a\u200bb",
    "line separator": "a\u2028::error::b",
    "tag characters": "a\U000e0041b",
    "blanks": " a b ",
    "dots": "a..b..",
    "long": "n" * 240,
    "unicode": "ß-字-🦔",
    "combining": "e\u0301",
    "placeholder": "{doc}",
    "colons": "a::b",
    "like a measure": "accuracy",
}


def _can_hold(folder: Path, name: str) -> bool:
    try:
        (folder / name).write_text("")
        (folder / name).unlink()
    except (OSError, ValueError):
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_names_of_good_files(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    doc = NAMES[name]
    if not _can_hold(pytester.path, doc):
        pytest.skip("this file system cannot hold the name")
    make_suite(pytester.path, "accuracy: 0.75", runs={doc: HALF, "other": RIGHT})
    ran, tested = both(pytester, capfd, pytester.path, 0)
    assert "accuracy  0.750" in ran.out  # of both documents: that of one is 0.5, of the other 1
    assert "dev, 2 documents" in tested.out
    assert "3 passed" in tested.out
    verbose = run_pytest(
        pytester, "-v", "--junitxml=junit.xml", "--nlpeval-report=json:report.json", "--nlpeval-report=csv:report.csv"
    )
    assert verbose.code == 0
    assert len(outcomes(verbose.out)) >= 2  # an id with blanks is not found by the helper


@pytest.mark.parametrize("name", NAMES)
def test_names_of_bad_files(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    doc = NAMES[name]
    if not _can_hold(pytester.path, doc):
        pytest.skip("this file system cannot hold the name")
    make_suite(pytester.path, runs={doc: "1 MAYBE\n", "other": RIGHT})
    ran, tested = both(pytester, capfd, pytester.path, 1)
    shows((ran, tested), ".txt:1: rte.judgment", "unjudged")
    assert "1 of 2 documents has errors in its files" in tested.out
    assert not (pytester.path / "owned").exists()
    verbose = run_pytest(
        pytester, "-v", "--junitxml=junit.xml", "--nlpeval-report=json:report.json", "--nlpeval-report=csv:report.csv"
    )
    assert verbose.code == 1


def test_hostile_names_as_arguments(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    os.chdir(pytester.path)
    before = files_below(pytester.path)
    for name in ("\x1b[31m", "::error::x", "a\nb", "\udcff", "\u202e", "##[error]x", "x" * 5000, "{doc}{doc}", "[", ""):
        for arguments in (
            ("run", name),
            ("run", "--profile", name),
            ("validate", name),
            ("validate", "--task", "rte", name),
            ("validate", "--task", name, "x"),
            ("validate", "--task", "rte", "--role", name, "x"),
            ("score", name, "--gold", "gold/a.xml", "--system", "system/a.txt"),
            ("score", "rte", "--gold", name, "--system", "system/a.txt", "--no-cache"),
            ("score", "rte", "--gold", "gold/a.xml", "--system", name, "--no-cache"),
            ("score", "rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--no-cache", f"--{name}", "x"),
            ("tasks", name),
            ("init", name),
            (name,),
            ("run", "--jobs", name),
            ("run", "--report", name),
            ("run", f"--{name}"),
        ):
            if name == "" and arguments[0] in ("run", "validate", "init"):
                continue  # the current folder
            ended = command(capfd, *arguments)
            assert ended.code in (1, 2), (arguments, ended)
            assert len(ended.all) < MOST_OUTPUT
    assert files_below(pytester.path) == before


def test_hostile_options_of_pytest(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=config_text(GATE) + "    profiles: {release: {accuracy: 1}}\n")
    for name in ("\x1b[31m", "::error::x", "a\nb", "\u202e", "##[error]x"):
        assert run_pytest(pytester, f"--nlpeval-profile={name}").code == 4
        assert run_pytest(pytester, f"--nlpeval-report={name}").code == 4


def test_a_report_path_with_a_hostile_name(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    os.chdir(pytester.path)
    target = "json:nlpeval.yaml/\x1b[31m\n::error::x"
    assert command(capfd, "run", "--report", target).code == 2
    assert run_pytest(pytester, f"--nlpeval-report={target}").code == 4


def test_a_configuration_with_a_hostile_name(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, "acuracy: 1", runs={"a": RIGHT})
    os.chdir(pytester.path)
    for name in ("a\n::error::x.nlpeval.yaml", "\x1b[31m.nlpeval.yaml", "::error::.nlpeval.yaml", "\u202e.nlpeval.yaml"):
        path = pytester.path / name
        (pytester.path / "nlpeval.yaml").rename(path)
        ended = command(capfd, "run")
        assert ended.code == 2
        assert "config.measure" in ended.err
        path.rename(pytester.path / "nlpeval.yaml")
