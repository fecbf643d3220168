"""Files that are exchanged while a run works: for links that lead out of the root, for pipes that nobody writes to."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from tests.support import HALF, RIGHT, apart, gold_xml, make_suite, run_pytest, write

SWAP = """
import os, sys
from pathlib import Path
from pytest_nlpeval.cli import commands, main

moment, what = sys.argv[1:]
waits = True
system, outside = Path("system").absolute(), Path("../outside").absolute()

def swap(event, arguments):
    global waits, moment
    name = Path(arguments[0]).name if event == "open" and isinstance(arguments[0], (str, os.PathLike)) else ""
    waits = waits and name != "a.xml"  # gold is read first
    if waits or name != moment:
        return
    moment = None
    print("swapped", file=sys.stderr)
    if what == "folder":
        system.rename("was")
        system.symlink_to(outside)
        return
    (system / "a.txt").unlink()
    if what == "link":
        (system / "a.txt").symlink_to(outside / "a.txt")
    else:
        os.mkfifo(system / "a.txt")

sys.addaudithook(swap)  # is called before anything is opened
sys.exit(main(["run", "--no-cache", "--report", "json:-"]))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a suite: half of what its run says is wrong, in a run outside nothing is."""
    write(tmp_path, {"outside/a.txt": RIGHT, "outside/a.xml": gold_xml()})
    return make_suite(tmp_path / "root", runs={"a": HALF})


@pytest.mark.skipif(sys.platform == "win32", reason="needs folders that are opened, and pipes")
@pytest.mark.parametrize("moment", ["root", "system", "a.txt"])
@pytest.mark.parametrize(
    ("what", "code"), [("link", "file.unreadable"), ("folder", "file.unreadable"), ("pipe", "file.not-regular")]
)
def test_what_is_swapped_between_the_check_and_the_opening_is_not_read(root: Path, moment: str, what: str, code: str) -> None:
    """Moments are the names of what is about to be opened on the way to the file, after its path was resolved and found inside."""
    ended = apart(root, [sys.executable, "-c", SWAP, moment, what])
    assert "swapped" in ended.err
    (suite,) = json.loads(ended.out)["suites"]
    value, found = suite["scores"]["accuracy"]["value"], [problem["code"] for problem in suite["problems"]]
    if (what, moment) == ("folder", "a.txt"):  # its folder was open already: it is the file that was checked
        assert (value, found) == (2 / 4, [])
    else:
        assert (value, found) == (None, [code])


@pytest.mark.parametrize(("role", "name"), [("gold", "a.xml"), ("system", "a.txt")])
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_link_that_is_put_there_after_the_suites_were_loaded_is_seen(root: Path, role: str, name: str, is_folder: bool) -> None:
    (suite,) = load_suites(root / "nlpeval.yaml", root=root)
    (root / role / name).unlink()
    if is_folder:
        (root / role).rmdir()
        (root / role).symlink_to(root.parent / "outside")
    else:
        (root / role / name).symlink_to(root.parent / "outside" / name)
    result = evaluate(suite)
    assert [problem.code for problem in result.all_problems()] == ["file.outside"]
    assert result.outcome == "set-up"


@pytest.mark.parametrize("name", ["base.json", "golden.txt", "groups.tsv"])
def test_nor_is_any_other_file_of_a_suite_read_through_a_link(root: Path, name: str) -> None:
    write(root.parent, {"outside/secret": "SECRET\n"})
    options, gate = "{group: {documents: groups.tsv}}", "accuracy: {max_drop: 0, must_pass: golden.txt}"
    make_suite(root, gate, runs={"a": HALF}, options=options, baseline="base.json")
    write(root, {"base.json": "{}", "golden.txt": "1\n", "groups.tsv": "document\tgroup\na\tx\n"})
    (suite,) = load_suites(root / "nlpeval.yaml", root=root)
    (root / name).unlink()
    (root / name).symlink_to("../outside/secret")
    result = evaluate(suite)
    said = [*map(str, result.all_problems()), *result.notes, *(str(verdict) for verdict in result.verdicts)]
    assert "leads out of the root folder" in " ".join(said)
    assert "SECRET" not in " ".join(said)


def test_a_link_that_is_put_there_after_the_collection_is_seen(pytester: pytest.Pytester) -> None:
    write(pytester.path, {"outside.txt": RIGHT})
    root = make_suite(pytester.path / "root", runs={"a": HALF})
    swap = "Path('system/a.txt').unlink(); Path('system/a.txt').symlink_to('../../outside.txt')"
    write(root, {"conftest.py": f"from pathlib import Path\n\ndef pytest_collection_finish(): {swap}\n"})
    os.chdir(root)
    ended = run_pytest(pytester, "--rootdir=.")
    assert ended.code == 1
    assert "system/a.txt: file.outside" in ended.out


def test_without_folders_that_can_be_opened_links_are_followed_before_the_file_is_opened(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    monkeypatch.setattr(os, "supports_dir_fd", set())
    (suite,) = load_suites(root / "nlpeval.yaml", root=root)
    assert evaluate(suite)["accuracy"] == 2 / 4
    (root / "system/a.txt").unlink()
    (root / "system/a.txt").symlink_to(root.parent / "outside/a.txt")
    assert [problem.code for problem in evaluate(suite).all_problems()] == ["file.outside"]
