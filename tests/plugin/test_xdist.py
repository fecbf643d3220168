"""pytest-xdist: the same items, verdicts, table and report, however the items are distributed."""

from __future__ import annotations

import json
import os
import re

import pytest

from tests.support import HALF, RIGHT, config_text, make_suite, outcomes, run_pytest, run_pytest_apart, write

pytest.importorskip("xdist")

EXPECTED = {
    "nlpeval.yaml::dev::a": "passed",
    "nlpeval.yaml::dev::b": "passed",
    "nlpeval.yaml::dev::c": "passed",
    "nlpeval.yaml::dev::accuracy": "failed",
    "nlpeval.yaml::dev::coverage": "passed",
}


@pytest.mark.parametrize("mode", ["load", "loadscope", "loadfile", "loadgroup", "worksteal", "each"])
def test_every_way_to_distribute_gives_the_same(pytester: pytest.Pytester, mode: str) -> None:
    make_suite(pytester.path, "accuracy: 0.8", "coverage: 0.5", runs={"a": RIGHT, "b": HALF, "c": HALF})
    here = run_pytest(pytester, "--nlpeval-report=json:here.json")
    ended = run_pytest_apart(pytester, "-v", "-n2", f"--dist={mode}", "--nlpeval-report=json:there.json")
    assert (here.code, ended.code) == (1, 1)
    assert outcomes(ended.out) == EXPECTED
    assert table(ended.out) == table(here.out)
    assert (pytester.path / "there.json").read_bytes() == (pytester.path / "here.json").read_bytes()


def table(text: str) -> list[str]:
    """The table of gates with its title, of which there must be one."""
    assert text.count(" nlpeval =") == 1
    lines = text.partition(" nlpeval =")[2].splitlines()[1:]
    end = next(number for number, line in enumerate(lines) if line.startswith("="))
    assert len(lines[:end]) == 3, text
    return lines[:end]


def test_no_suite_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_own(): pass")
    ended = run_pytest_apart(pytester, "-n2")
    assert ended.code == 4
    assert "no nlpeval.yaml found" in ended.all


def test_a_faulty_configuration_lists_its_mistakes_and_is_no_pass(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "acuracy: 0.8")
    ended = run_pytest_apart(pytester, "-n2", "--nlpeval-report=json:report.json")
    assert ended.code not in (0, 5)
    assert 'nlpeval.yaml:8:7: config.measure: no measure "acuracy"' in ended.out
    report = pytester.path / "report.json"
    assert not report.exists() or not json.loads(report.read_bytes())["passed"]


def test_an_unknown_profile_is_a_usage_error_whatever_else_fails(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): assert False")
    ended = run_pytest_apart(pytester, "-n2", "--nlpeval-profile=release", "--nlpeval-report=json:report.json")
    assert 'no suite has a profile "release"' in ended.all
    assert ended.code == 4
    assert not (pytester.path / "report.json").exists()


def test_the_rootdirs_own_configuration_is_included_without_a_cache_and_with_a_selection(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.8", "coverage: 0.5", runs={"a": RIGHT, "b": HALF, "c": HALF})
    write(pytester.path, {"pytest.ini": "[pytest]\n", "tests/test_own.py": "def test_own(): pass\n"})
    ended = run_pytest_apart(
        pytester, "-v", "-n2", "--nlpeval-no-cache", "-k", "accuracy or own", "--nlpeval-report=json:report.json", "tests"
    )
    assert outcomes(ended.out) == {"tests/test_own.py::test_own": "passed", "nlpeval.yaml::dev::accuracy": "failed"}
    assert ended.code == 1
    suite = json.loads((pytester.path / "report.json").read_bytes())["suites"][0]
    assert suite["scores"]["accuracy"]["value"] == (4 + 2 + 2) / 12
    assert (suite["cases"]["total"], suite["cases"]["failed"]) == (3, 0)


def test_bad_files_informational_gates_and_the_notes_of_suites_with_and_without_gates(pytester: pytest.Pytester) -> None:
    bad = {"a": RIGHT, "b\n::error::x": "1 \x1b[31m\n"}
    make_suite(pytester.path / "bad", "accuracy: {min: 0.8, informational: true}", name="bad", runs=bad)
    part = {"a": "1 TRUE 0.9\n3 TRUE 0.7\n"}
    make_suite(pytester.path, "accuracy: 0.1", runs=part)
    make_suite(pytester.path / "other", config=config_text(name="own"), runs=part)
    ended = run_pytest_apart(pytester, "-v", "-n2", "--junitxml=junit.xml")
    assert ended.code == 1
    of_bad = [outcome for name, outcome in outcomes(ended.out).items() if name.startswith("bad/")]
    assert sorted(of_bad) == ["failed", "passed", "xfail"]
    assert "rte.judgment" in ended.out
    note = "partial submission: 2 of 4 pairs answered (coverage 0.5)"
    assert [line for line in ended.out.splitlines() if "partial" in line] == [f"dev: {note}", f"own: {note}"]


AT_ONCE = """
import os
import time

processes = {}

def pytest_testnodeready(node):
    processes[node] = node.gateway._rinfo().pid

def pytest_testnodedown(node):
    processes.pop(node, None)
    while processes:
        other, process = processes.popitem()
        os.kill(process, 9)
        while not other._down:
            time.sleep(0.01)
        other._down = False  # as if xdist had not heard of it yet
"""


@pytest.mark.skipif(os.name == "nt", reason="processes are ended as on POSIX")
def test_workers_that_end_in_one_moment_are_told_as_crashed(pytester: pytest.Pytester) -> None:
    """xdist fails with an error of its own where it gives what was left of one to the other."""
    make_suite(pytester.path)
    text = "import os\nimport pytest\n@pytest.mark.parametrize('rank', range(20))\ndef test_it(rank):\n    os._exit(3)\n"
    write(pytester.path, {"conftest.py": AT_ONCE, "test_it.py": text})
    ended = run_pytest_apart(pytester, "-n2", "--max-worker-restart=0")
    assert (ended.code, "INTERNALERROR" in ended.all) == (4, False), ended.all
    assert len(set(re.findall("worker 'gw.' crashed while running", ended.out))) == 2
    assert "ERROR: config.none: no worker lived to say which nlpeval.yaml there are; " in ended.out


def test_a_worker_that_crashes_hides_nothing_from_one_that_ends(pytester: pytest.Pytester) -> None:
    """Who lived says that there is no configuration."""
    pytester.makepyfile("import os\ndef test_end():\n    os._exit(3)\ndef test_one(): pass\ndef test_two(): pass\n")
    ended = run_pytest_apart(pytester, "-n2")
    assert (ended.code, "INTERNALERROR" in ended.all) == (4, False), ended.all
    assert ("no nlpeval.yaml found" in ended.all, "no worker lived" in ended.all) == (True, False)
