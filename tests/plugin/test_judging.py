"""Tests that judge: `judge` and `check` of the fixture, with and without the flag, in the table, reports and baselines, with workers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import GOLD, HALF, RIGHT, SYSTEM, config_text, gold_xml, outcomes, run_pytest, run_pytest_apart, write
from tests.unit.baselines.repositories import commit, start

CONFIG = """\
version: 1
suites:
  - name: dev
    task: rte
    gold: gold/{doc}.xml
    judged_by: test
    gates:
      accuracy: {min: 0.7, max_newly_wrong: 0, informational: false}
      coverage: 1.0
  - name: labels
    task: labels
    gold: gold.txt
    judged_by: test
    gates: {accuracy: 0.7}
"""
TESTS = f"""\
RIGHT, HALF = {RIGHT!r}, {HALF!r}

def test_dev(nlpeval):
    result = nlpeval.judge("dev", system={{"a": RIGHT, "b": HALF}}, **MORE)
    assert result["accuracy"] == 6 / 8

def test_labels(nlpeval):
    nlpeval.judge("labels", system=["a", "b"])

def test_intents(nlpeval):
    gold = [{{"id": 1, "label": "x"}}, {{"id": 2, "label": "y"}}]
    system = [{{"id": 2, "label": "y"}}, {{"id": 1, "label": LABEL}}]
    nlpeval.check("labels", gold=gold, system=system, gates={{"accuracy": 0.9}}, baseline="intents.json")
"""


def make(folder: Path, *, label: str = "x", config: str = CONFIG, tests: str = TESTS) -> Path:
    write(folder, {f"gold/{name}.xml": gold_xml() for name in ("a", "b")})
    text = config.replace(", max_newly_wrong: 0", "")
    return write(
        folder,
        {
            "pytest.ini": "[pytest]\n",
            "nlpeval.yaml": text,
            "gold.txt": "a\nb\n",
            "test_own.py": f"MORE, LABEL = {{}}, {label!r}\n{tests}",
        },
    )


def suites(folder: Path, name: str = "r.json") -> dict[str, Any]:
    return {suite["name"]: suite for suite in json.loads((folder / name).read_text())["suites"]}


def test_tests_judge_without_the_flag(pytester: pytest.Pytester) -> None:
    make(pytester.path)
    ended = run_pytest(pytester, flag="-v")
    assert ended.code == 0, ended.out
    table = ended.out.partition("= nlpeval =")[2]
    assert [line.split()[:3] for line in table.splitlines()[1:8]] == [
        ["dev", "(nlpeval.yaml),", "2"],
        ["✓", "accuracy", "0.750"],
        ["✓", "coverage", "1.000"],
        ["labels", "(nlpeval.yaml),", "1"],
        ["✓", "accuracy", "1.000"],
        ["test_intents", "(test_own.py),", "1"],
        ["✓", "accuracy", "1.000"],
    ]
    assert not (pytester.path / ".pytest_cache/d/nlpeval").exists()


def test_what_tests_judge_stands_in_table_reports_and_baselines(pytester: pytest.Pytester) -> None:
    folder = make(pytester.path)
    ended = run_pytest(pytester, "--nlpeval-report=json:r.json", "--nlpeval-report=html:r.html", "--nlpeval-update-baseline")
    assert ended.code == 0, ended.out
    assert [(suite["config"], suite["outcome"]) for suite in suites(folder).values()] == [
        ("nlpeval.yaml", "ok"),
        ("nlpeval.yaml", "ok"),
        ("test_own.py", "ok"),
    ]
    assert suites(folder)["dev"]["scores"]["accuracy"]["value"] == 6 / 8
    assert suites(folder)["dev"]["explanations"]["counts"], "a report says why units are wrong"
    assert "test_intents: is new, with 1 document" in ended.out
    make(folder, label="z")
    ended = run_pytest(pytester, "-v", "--nlpeval-baseline=intents.json")
    assert (ended.code, "test_intents: accuracy 0.500, was 1.000: ≥ 0.9, short by 0.400" in ended.out) == (1, True)
    assert "  Newly wrong in test_intents, 1 of 1\n    system[1]  1: gold x, system z\n" in ended.out
    assert "  wrong      1 wrong-label\n" in ended.out
    assert "set at     test_own.py:11" in ended.out


def test_workers_give_the_same_report_and_baseline(pytester: pytest.Pytester) -> None:
    folder = make(pytester.path, label="z")
    arguments = ("--nlpeval-update-baseline", "--nlpeval-no-cache")
    alone = run_pytest(pytester, "-v", "--nlpeval-report=json:r.json", *arguments)
    before = (folder / "intents.json").read_bytes()
    (folder / "intents.json").unlink()
    shared = run_pytest_apart(pytester, "-v", "-n2", "--nlpeval-report=json:r2.json", *arguments)
    assert alone.code == shared.code == 1
    assert suites(folder) == suites(folder, "r2.json")
    assert (folder / "intents.json").read_bytes() == before
    tables = [ended.out.partition("= nlpeval =")[2].partition("short test summary")[0] for ended in (alone, shared)]
    assert tables[0] == tables[1] != ""


def test_a_gate_that_fails_is_told_as_a_collected_one_is(pytester: pytest.Pytester) -> None:
    folder = make(pytester.path, tests=TESTS.replace('"b": HALF', '"b": "1 TRUE 0.9\\n2 TRUE 0.8\\n3 FALSE 0.7\\n4 TRUE 0.6\\n"'))
    judged = run_pytest(pytester, "-k", "dev")
    shown = judged.out.partition("accuracy of dev: failed\n")[2].partition("=====")[0]
    write(folder, {"system/a.txt": RIGHT, "system/b.txt": "1 TRUE 0.9\n2 TRUE 0.8\n3 FALSE 0.7\n4 TRUE 0.6\n"})
    collected_config = CONFIG.replace("judged_by: test\n    gates:\n", "system: system/{doc}.txt\n    gates:\n")
    make(folder, config=collected_config)
    collected = run_pytest(pytester, "nlpeval.yaml", "-k", "accuracy")
    of_gate = collected.out.partition("accuracy of dev: failed\n")[2].partition("=====")[0]
    places = {'system["b"]:': "system/b.txt:", 'system["a"]:': "system/a.txt:"}
    for content, file in places.items():
        shown = shown.replace(content, file)
    assert shown == of_gate != ""
    assert "Traceback" not in judged.out
    assert "def test_dev" not in judged.out


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('judge("dve", system={})', 'no suite "dve" in the configurations of'),
        ('judge("dev", system=RIGHT)', "give a mapping from the names of documents to contents"),
        ('judge("labels")', 'labels needs "system": give what the system says'),
        ('judge("labels", sytem=["a"])', 'the task labels has no role "sytem"; did you mean "system"?'),
        ('judge("labels", system=3)', "system: expected a path, text, bytes"),
        ('judge("dev", system={"a": RIGHT})', 'system["b"]: file.missing: is not given (system of b)'),
        ('judge("dev", system={"a": RIGHT, "b": RIGHT, "c": RIGHT})', 'gold["c"]: file.missing: is not given (gold of c)'),
        ('check("lables", gold=["a"], system=["a"])', 'no task "lables"; did you mean "labels"'),
        ('check("labels", gold=["a"], system=["a"], gates={"acuracy": 1})', 'no measure "acuracy"; did you mean "accuracy"?'),
        ('check("labels", gold=["a"], system=["a"], gates={"accuracy": {"mni": 1}})', 'unknown key "mni"'),
        ('check("labels", gold=["a"], system=["a"], options={"knd": 1}, rules={"x": "off"})', "test_own.py:2: config.rule"),
        ('check("labels", gold=["a"], system=["a"], gates={"accuracy": {"min": 2}})', "config.gate"),
        ('check("labels", gold=["a"])', 'needs "system"'),
        ('check("labels", gold=["a"], system=["a", "b"])', "labels.length"),
    ],
)
def test_mistakes_are_told_at_the_call(pytester: pytest.Pytester, call: str, message: str) -> None:
    make(pytester.path, tests=f"def test_it(nlpeval):\n    RIGHT = {RIGHT!r}\n    nlpeval.{call}\n")
    ended = run_pytest(pytester, flag="-v")
    assert (ended.code, message in ended.out) == (1, True), ended.out
    assert "pytest_nlpeval/" not in ended.out.partition("= FAILURES =")[2].partition("= nlpeval =")[0]


def test_a_suite_that_no_test_judges_fails_a_whole_run(pytester: pytest.Pytester) -> None:
    folder = make(pytester.path, tests=TESTS.replace('nlpeval.judge("labels", system=["a", "b"])', "pass"))
    whole = run_pytest(pytester, "--nlpeval-report=json:r.json")
    message = "nlpeval.yaml:10: suite.unjudged: labels has `judged_by: test`, and no test judged it"
    assert (whole.code, message in whole.out) == (1, True), whole.out
    assert json.loads((folder / "r.json").read_text())["passed"] is False
    for arguments in (["-k", "dev"], ["test_own.py::test_dev"], ["--collect-only"], ["nlpeval.yaml", "test_own.py", "-k", "dev"]):
        part = run_pytest(pytester, *arguments)
        assert (part.code, "suite.unjudged" in part.out) == (0, False), part.out
    assert run_pytest(pytester, "nlpeval.yaml").code == 1, "no test ran at all"
    write(folder, {"below/test_more.py": "def test_more(): pass\n"})
    assert run_pytest(pytester, "below").code == 0, "a folder without the configuration"
    assert run_pytest(pytester, ".").code == 1
    make(folder, tests=TESTS.replace('result["accuracy"] == 6 / 8', "0"))
    assert (run_pytest(pytester).code, "suite.unjudged" in run_pytest(pytester).out) == (1, False), (
        "a failing test judged it, too"
    )


def test_the_command_judges_no_such_suite(pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    from tests.support import command

    make(pytester.path)
    ended = command(capfd, "run", "--report", "json:r.json")
    assert ended.code == 1
    assert "dev: left to a test (`judged_by: test`)" in ended.out
    assert {gate["verdict"] for suite in suites(pytester.path).values() for gate in suite["gates"]} == {"unjudged"}
    assert command(capfd, "validate").code == 0, "gold is checked"
    refused = command(capfd, "baseline", "update", "--baseline", "base.json")
    assert (refused.code, "`pytest --nlpeval --nlpeval-update-baseline` accepts it" in refused.err) == (2, True)


def test_no_configuration_is_needed_where_tests_use_the_fixture(pytester: pytest.Pytester) -> None:
    write(
        pytester.path,
        {"pytest.ini": "[pytest]\n", "test_own.py": f"MORE, LABEL = {{}}, 'x'\n{TESTS.partition('def test_intents')[0]}"},
    )
    write(pytester.path, {"test_own.py": f"LABEL = 'x'\ndef test_intents{TESTS.partition('def test_intents')[2]}"})
    ended = run_pytest(pytester, "--nlpeval-update-baseline", "--nlpeval-report=json:r.json")
    assert ended.code == 0, ended.out
    assert list(suites(pytester.path)) == ["test_intents"]
    again = run_pytest(pytester, "--nlpeval-update-baseline", "-k", "intents")
    assert "test_intents: unchanged" in again.out
    write(pytester.path, {"test_own.py": "def test_nothing(): pass\n"})
    assert run_pytest(pytester).code == 4


def test_tests_that_share_a_baseline_or_a_name(pytester: pytest.Pytester) -> None:
    call = 'nlpeval.check("labels", gold=["a"], system=["a"], gates={"accuracy": 1}, baseline="b.json"'
    one = f"def test_one(nlpeval):\n    {call})\n"
    write(pytester.path, {"pytest.ini": "[pytest]\n", "test_a.py": one, "test_b.py": one.replace("_one", "_two")})
    shared = run_pytest(pytester, "--nlpeval-update-baseline")
    assert (shared.code, "baseline.shared" in shared.out) == (4, True)
    (pytester.path / "test_b.py").unlink()
    assert run_pytest(pytester, "--nlpeval-update-baseline").code == 0
    write(pytester.path, {"test_a.py": f"def test_more(nlpeval):\n    {call})\n"})
    assert "baseline.renamed: the suite is new in name only" in run_pytest(pytester, "--nlpeval-update-baseline").out
    assert run_pytest(pytester).code == 0
    kept = json.loads((pytester.path / "b.json").read_text())
    assert (list(kept["suites"]), kept["configuration"]) == (["test_more", "test_one"], "test_a.py")
    call = call.replace("b.json", "c.json")
    write(pytester.path, {"test_a.py": f"def test_twice(nlpeval):\n    {call})\n    {call})\n"})
    twice = run_pytest(pytester, flag="-v")
    assert (twice.code, 'the test has judged "test_twice" already' in twice.out) == (1, True)
    write(pytester.path, {"test_a.py": f"def test_twice(nlpeval):\n    {call}, name='one')\n    {call}, name='two')\n"})
    assert run_pytest(pytester, flag="-v").code == 0


def test_a_test_that_fails_shows_the_results_that_it_has(pytester: pytest.Pytester) -> None:
    call = 'nlpeval.score("labels", gold=["a", "b"], system=["a", "a"])'
    test = f'def test_it(nlpeval):\n    result = {call}\n    assert result["accuracy"] > 0.9, result\n'
    write(pytester.path, {"pytest.ini": "[pytest]\n", "test_own.py": test})
    ended = run_pytest(pytester, flag="-q")
    assert ended.code == 1
    assert "nlpeval: labels" in ended.out
    assert [line for line in ended.out.splitlines() if line.split() == ["accuracy", "0.5000", "0.0945", "0.9055"]]


def test_places_in_memory_are_no_paths(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    call = 'nlpeval.check("labels", gold="gold.txt", system=["a", "", "b"])'
    write(
        pytester.path,
        {"pytest.ini": "[pytest]\n", "gold.txt": "a\n", "below/test_own.py": f"def test_it(nlpeval):\n    {call}\n"},
    )
    monkeypatch.chdir(pytester.path / "below")
    ended = run_pytest(pytester, "--rootdir=..", flag="-v")
    assert "\nsystem: labels.length" in ended.out, ended.out
    assert "/system" not in ended.out


def test_output_that_a_test_gives_is_not_in_git(pytester: pytest.Pytester) -> None:
    folder = make(start(pytester.path), config=CONFIG.replace("coverage: 1.0", "coverage: {max_drop: 0}"))
    commit(folder)
    ended = run_pytest(pytester, "-k", "dev", "--nlpeval-baseline=git:HEAD")
    assert (ended.code, "coverage unjudged: git:HEAD has no output of the system, which a test gives" in ended.out) == (1, True)


def test_items_of_suites_run_behind_the_tests_or_before_them(pytester: pytest.Pytester) -> None:
    lines = ["pathlib.Path('system').mkdir(exist_ok=True)", f"pathlib.Path('system/a.txt').write_text({RIGHT!r})"]
    writer = "\n    ".join(["import pathlib\ndef test_write():", *lines, ""])
    write(pytester.path, {"gold/a.xml": gold_xml(), "nlpeval.yaml": config_text("accuracy: 0.9"), "test_zz.py": writer})
    assert (GOLD, SYSTEM) == ("gold/{doc}.xml", "system/{doc}.txt")
    ended = run_pytest(pytester, "-v")
    assert (ended.code, list(outcomes(ended.out))) == (
        0,
        ["test_zz.py::test_write", "nlpeval.yaml::dev::a", "nlpeval.yaml::dev::accuracy"],
    )
    first = run_pytest(pytester, "-v", "-o", "nlpeval_order=first")
    assert list(outcomes(first.out)) == ["nlpeval.yaml::dev::a", "nlpeval.yaml::dev::accuracy", "test_zz.py::test_write"]
    wrong = run_pytest(pytester, "-o", "nlpeval_order=middle")
    assert (wrong.code, "nlpeval_order: expected last or first, got middle" in wrong.all) == (4, True)
