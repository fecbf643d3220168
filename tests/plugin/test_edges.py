"""The edges of the plugin: what the short summary says, runs that stop early, configurations that vanish."""

from __future__ import annotations

import json
import os
import re

import pytest

from tests.support import GATE, HALF, RIGHT, config_text, make_suite, outcomes, run_pytest, run_pytest_apart

REPORT = "--nlpeval-report=json:report.json"
ALL = "nlpeval.yaml::dev::"


def summary(text: str) -> list[str]:
    """The lines of the short test summary."""
    lines = text.partition("short test summary info")[2].splitlines()[1:]
    return [line for line in lines if line.startswith(("FAILED", "XFAIL", "ERROR"))]


def table(text: str) -> list[list[str]]:
    """The lines of the table as words: for each suite a header that its name opens, then a row for each measure, opened by its mark."""
    rows = text.partition("= nlpeval =")[2].splitlines()[1:]
    return [row.split() for row in rows[: next((n for n, row in enumerate(rows) if row.startswith("=") or not row), None)]]


def test_a_configuration_that_vanishes_during_the_run_is_no_internal_error(pytester: pytest.Pytester) -> None:
    """The process that writes the report is not the one that collected: it reads the configuration last of all."""
    make_suite(pytester.path)
    pytester.makepyfile(test_own="import pathlib\n\ndef test_own(): pathlib.Path('nlpeval.yaml').unlink()")
    ended = run_pytest_apart(pytester, "-n", "2", REPORT)
    assert ended.code == pytest.ExitCode.USAGE_ERROR, ended.all
    assert "4 passed" in ended.out
    assert "no report written: nlpeval.yaml" in ended.out


def test_the_short_summary_says_value_threshold_and_what(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.9", "coverage: {max: 0.5}", "cws: {min: 0.99, informational: true}", runs={"a": HALF})
    *failed, expected = sorted(summary(run_pytest(pytester, "-rfx").out))
    assert failed == [
        f"FAILED {ALL}accuracy - 0.500: ≥ 0.9, short by 0.400",
        f"FAILED {ALL}coverage - 1.000: ≤ 0.5, over by 0.500",
    ]
    told = r"informational: 0\.\d+: ≥ 0\.99, short by 0\.\d+"
    assert re.fullmatch(rf"XFAIL {ALL}cws - (reason: )?{told}", expected)  # pytest 8.2 says `reason`


def test_the_short_summary_names_a_bad_file_and_its_first_problem(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    make_suite(pytester.path, runs={"a": RIGHT, "b": "1 TRUE 1\nx\n2 MAYBE 1\n"})
    (bad, _) = summary(run_pytest(pytester).out)
    assert bad.startswith(f"FAILED {ALL}b - system/b.txt:2: rte.line: ")
    assert bad.endswith("(and 1 more)")


def test_a_row_whose_gates_did_not_run_says_so(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    make_suite(pytester.path / "sub", config=config_text(name="bare", gold="gold/a.xml", system="system/a.txt"))
    ended = run_pytest(pytester, "-k", "not accuracy")
    assert [" ".join(row) for row in table(ended.out)] == [
        "bare (sub/nlpeval.yaml), 1 document: no gates",
        "dev (nlpeval.yaml), 2 documents: no gate ran",
    ]


@pytest.mark.parametrize("stop", ["-x", "--maxfail=1"])
def test_a_run_that_stops_at_a_failure_still_reports_and_is_no_pass(pytester: pytest.Pytester, stop: str) -> None:
    make_suite(pytester.path, "accuracy: 0.9", "coverage: 1", runs={"a": HALF})
    ended = run_pytest(pytester, stop, REPORT)
    assert ended.code == 1
    (suite,) = json.loads((pytester.path / "report.json").read_text())["suites"]
    assert {gate["measure"]: gate["verdict"] for gate in suite["gates"]} == {"accuracy": "failed", "coverage": "passed"}


def test_a_run_that_stops_at_a_hand_written_test_reports_nothing_that_passed(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    pytester.makepyfile(test_own="def test_own(): assert False")
    ended = run_pytest(pytester, "-x", REPORT)
    path = pytester.path / "report.json"
    assert ended.code == 1
    assert not path.exists() or json.loads(path.read_text())["suites"]


def test_with_q_the_table_has_what_does_not_hold(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.9", "coverage: 1", runs={"a": HALF})
    header, *rows = table(run_pytest(pytester, "-q").out)
    assert (header[0], [row[:3] for row in rows]) == ("dev,", [["✗", "accuracy", "0.500"]])
    make_suite(pytester.path, "accuracy: 0.5", "coverage: 1", runs={"a": HALF})
    assert "nlpeval =" not in run_pytest(pytester, "-q").out


def test_colours_are_pytests(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.9", "cws: {min: 0.99, informational: true}", runs={"a": HALF})
    coloured = pytester.runpytest_inprocess("--nlpeval", "--color=yes", "-p", "no:xdist").outlines
    rows = [line for line in coloured if re.search(r"(accuracy|cws) +0\.\d+ .*≥", line)]
    assert [line.split()[:2] for line in rows] == [["\x1b[31m✗", "accuracy"], ["\x1b[33m!", "cws"]]
    assert all(line.endswith("\x1b[0m") for line in rows)
    assert "\x1b" not in "".join(pytester.runpytest_inprocess("--nlpeval", "--color=no", "-p", "no:xdist").outlines)


@pytest.mark.parametrize("arguments", [[], ["-p", "no:randomly"], ["--nlpeval-informational"]])
def test_rows_are_in_the_order_of_all_formats_and_the_json_report_in_that_of_the_file(
    pytester: pytest.Pytester, arguments: list[str]
) -> None:
    """Of measures that passed alike, without a baseline, that is the order of names."""
    gates = ["coverage: 0.5", "accuracy: 0.5", "cws.worst: 0.1", "cws: 0.1", "accuracy.unjudged: 0"][:4]
    make_suite(pytester.path, *gates)
    ended = pytester.runpytest_inprocess("--nlpeval", "-p", "no:xdist", REPORT, *arguments)
    names = [gate.partition(":")[0] for gate in gates]
    _, *rows = table("\n".join(ended.outlines))
    assert [row[:2] for row in rows] == [["✓", name] for name in sorted(names)]
    (suite,) = json.loads((pytester.path / "report.json").read_text())["suites"]
    assert [gate["measure"] for gate in suite["gates"]] == names


def test_a_failed_gate_shows_the_items_of_its_own_measure(pytester: pytest.Pytester) -> None:
    """Pairs 1 and 2 are of setting IR, 3 and 4 of QA; one of each is wrong."""
    make_suite(pytester.path, "task.QA.accuracy: 0.9", runs={"a": HALF})
    out = run_pytest(pytester).out
    shown = "    system/a.txt:4  4 (QA): gold FALSE, system TRUE\n      A text. ⊢ A claim.\n"
    assert shown in out
    assert re.findall(r"^ +system/a\.txt:(\d+)  ", out, re.MULTILINE) == ["4"]


def test_explanations_are_counted_for_the_measure(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "task.QA.accuracy: 0.9", "accuracy: 0.9", runs={"a": HALF})
    counts = re.findall(r"^(\S+) of dev: failed$(?s:.*?)^  wrong +(\d+) wrong-judgment$", run_pytest(pytester).out, re.MULTILINE)
    assert counts == [("task.QA.accuracy", "1"), ("accuracy", "2")]


def test_a_failed_gate_names_files_as_seen_from_the_current_folder(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.9", runs={"a": "x\n"})
    os.chdir(pytester.mkdir("aside"))
    out = run_pytest(pytester, "--rootdir=..", "..").out
    assert "  set at     ../nlpeval.yaml:8\n" in out
    assert "has errors in its files (../system/a.txt:1: rte.line)" in out.partition("short test summary")[0]


def test_one_node_id_is_one_item(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.25", runs={"accuracy": RIGHT})
    found = outcomes(run_pytest(pytester, "-v").out)
    assert found == {f"{ALL}accuracy (document)": "passed", f"{ALL}accuracy": "passed"}
    alone = outcomes(run_pytest(pytester, "-v", f"{ALL}accuracy (document)").out)
    assert list(alone) == [f"{ALL}accuracy (document)"]


def test_the_fixture_names_the_missing_file_and_suggests_the_measure(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=config_text(GATE))
    pytester.makepyfile(
        test_own="""
        def test_missing(nlpeval):
            nlpeval.score("rte", gold="gold/a.xml", system="system/none.txt")["accuracy"]

        def test_typo(nlpeval):
            nlpeval.score("rte", gold="gold/a.xml", system="system/a.txt")["acuracy"]
        """
    )
    out = run_pytest(pytester, "test_own.py").out
    assert re.search(r"E +ValueError: accuracy has no value: .*system/none\.txt.*file\.missing", out)
    assert re.search(r'E +KeyError: .*"?acuracy.*did you mean "accuracy"', out)
