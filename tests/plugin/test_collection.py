"""What `pytest --nlpeval` collects, under which ids, and what it refuses."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from pytest_nlpeval import Measure
from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.run import case
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.runs import Part
from tests.support import (
    GATE,
    HALF,
    RIGHT,
    apart,
    config_text,
    gold_xml,
    make_suite,
    outcomes,
    run_pytest,
    run_pytest_with,
    write,
)

TWO_SYSTEMS = config_text(GATE, system='{ours: "system/{doc}.txt", old: "old/{doc}.txt"}')


def collected(text: str) -> list[str]:
    return [line for line in text.splitlines() if "::" in line and " " not in line]


def test_without_the_flag_the_plugin_does_nothing(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): pass")
    ended = run_pytest(pytester, "-v", flag="-v")
    assert (ended.code, outcomes(ended.out)) == (0, {"test_without_the_flag_the_plugin_does_nothing.py::test_own": "passed"})
    named = run_pytest(pytester, "nlpeval.yaml", flag="-v")
    assert named.code != 0
    assert outcomes(named.out) == {}


def test_ids(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.25", "task.*.accuracy: 0.25")
    ended = run_pytest(pytester, "--collect-only", "-q")
    assert collected(ended.out) == [
        "nlpeval.yaml::dev::a",
        "nlpeval.yaml::dev::b",
        "nlpeval.yaml::dev::accuracy",
        "nlpeval.yaml::dev::task.IR.accuracy",
        "nlpeval.yaml::dev::task.QA.accuracy",
    ]


def test_chosen_suites_alone_are_collected_and_say_so(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT}, config=TWO_SYSTEMS)
    write(pytester.path, {"old/a.txt": HALF, "more/nlpeval.yaml": config_text(GATE, name="web", gold="g.xml", system="a.txt")})
    write(pytester.path, {"more/g.xml": gold_xml(), "more/a.txt": RIGHT})
    ended = run_pytest(pytester, "-v", "--nlpeval-suite=dev/ours", "--nlpeval-suite=w*", "--nlpeval-report=json:r.json")
    assert list(outcomes(ended.out)) == [
        "more/nlpeval.yaml::web::g",
        "nlpeval.yaml::dev/ours::a",
        "more/nlpeval.yaml::web::accuracy",
        "nlpeval.yaml::dev/ours::accuracy",
    ]
    assert "the run is of chosen suites alone (dev/ours, w*)" in ended.out
    report = json.loads((pytester.path / "r.json").read_bytes())
    assert [suite["name"] for suite in report["suites"]] == ["web", "dev/ours"]
    assert all("the run is of chosen suites alone" in suite["notes"][0] for suite in report["suites"])


@pytest.mark.parametrize("more", [(), ("-n2",)])
def test_a_suite_that_nobody_has_is_a_usage_error(pytester: pytest.Pytester, more: tuple[str, ...]) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): pass")
    ended = run_pytest_with(pytester, more, "--nlpeval-suite=deb")
    assert ended.code == 4
    assert 'there is no suite "deb"; did you mean "dev"?' in ended.all


@pytest.mark.parametrize("arguments", [("--collect-only", "-q"), ("-k", "no_such_item")])
def test_collecting_counts_files_and_scores_nothing(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    make_suite(pytester.path, "task.*.accuracy: 0.25")
    scored: list[object] = []
    monkeypatch.setattr(Measure, "score", lambda measure, _: scored.append(measure))
    monkeypatch.setattr(Chance, "intervals", lambda *given: scored.append(given))
    ended = run_pytest(pytester, *arguments)
    assert "4 tests collected" in ended.out or "4 deselected" in ended.out
    assert scored == []


def test_a_suite_is_counted_once_for_collection_and_judgement(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite(pytester.path, "task.*.accuracy: 0.25")
    counted: list[str] = []
    evaluated = case.evaluate_cases

    def noting(recipe: Recipe, cases: Sequence[Case], *given: Any, **keywords: Any) -> Part:
        counted.extend(each.name for each in cases)
        return evaluated(recipe, cases, *given, **keywords)

    monkeypatch.setattr(case, "evaluate_cases", noting)
    assert run_pytest(pytester).code == 0
    assert sorted(counted) == ["a", "b"]


def test_ids_with_several_systems(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT}, config=TWO_SYSTEMS)
    write(pytester.path, {"old/a.txt": HALF})
    ended = run_pytest(pytester, "--collect-only", "-q")
    assert collected(ended.out) == [
        "nlpeval.yaml::dev/ours::a",
        "nlpeval.yaml::dev/old::a",
        "nlpeval.yaml::dev/ours::accuracy",
        "nlpeval.yaml::dev/old::accuracy",
    ]


@pytest.mark.parametrize(
    "chosen",
    ["nlpeval.yaml::dev::a", "nlpeval.yaml::dev::accuracy", "nlpeval.yaml::dev::task.QA.accuracy", "nlpeval.yaml::dev::x[1]"],
)
def test_every_id_selects_its_item(pytester: pytest.Pytester, chosen: str) -> None:
    make_suite(pytester.path, "accuracy: 0.25", "task.*.accuracy: 0.25", runs={"a": RIGHT, "x[1]": RIGHT})
    ended = run_pytest(pytester, "-v", chosen)
    assert (ended.code, outcomes(ended.out)) == (0, {chosen: "passed"})


def test_id_of_a_suite_with_several_systems_selects_it(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT}, config=TWO_SYSTEMS)
    write(pytester.path, {"old/a.txt": HALF})
    ended = run_pytest(pytester, "-v", "nlpeval.yaml::dev/old")
    assert list(outcomes(ended.out)) == ["nlpeval.yaml::dev/old::a", "nlpeval.yaml::dev/old::accuracy"]


def test_marker(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): pass")
    ours = run_pytest(pytester, "--strict-markers", "-m", "nlpeval", "--collect-only", "-q")
    assert collected(ours.out) == ["nlpeval.yaml::dev::a", "nlpeval.yaml::dev::b", "nlpeval.yaml::dev::accuracy"]
    others = run_pytest(pytester, "-m", "not nlpeval", "--collect-only", "-q")
    assert collected(others.out) == ["test_marker.py::test_own"]


@pytest.mark.parametrize("arguments", [[], ["test_own.py"], ["-k", "own"]])
def test_no_suite_is_an_error(pytester: pytest.Pytester, arguments: list[str]) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    ended = run_pytest(pytester, *arguments)
    assert ended.code == 4
    assert "no nlpeval.yaml found" in ended.all


def test_no_suite_and_no_test_is_an_error(pytester: pytest.Pytester) -> None:
    ended = run_pytest(pytester)
    assert ended.code == 4
    assert "no nlpeval.yaml found" in ended.all


def test_a_configuration_that_lies_near_the_arguments_but_is_not_collected_does_not_count(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path / "sub")
    write(pytester.path, {"pytest.ini": "[pytest]\n", "sub/tests/test_own.py": "def test_own(): pass\n"})
    ended = run_pytest(pytester, "-v", "sub/tests")
    assert "nlpeval.yaml::dev::accuracy" not in ended.out
    assert ended.code == 4
    assert "no nlpeval.yaml found" in ended.all


@pytest.mark.parametrize("arguments", [["tests/test_own.py"], ["tests/test_own.py::test_own"], ["tests", "tests/test_own.py"]])
def test_a_file_or_node_that_is_named_runs_alone(pytester: pytest.Pytester, arguments: list[str]) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"pytest.ini": "[pytest]\n", "tests/test_own.py": "def test_own(): pass\n"})
    ended = run_pytest(pytester, "-v", "tests/test_own.py")
    assert (ended.code, list(outcomes(ended.out))) == (0, ["tests/test_own.py::test_own"])
    (pytester.path / "nlpeval.yaml").unlink()
    assert run_pytest(pytester, "-v", *arguments).code == 4


@pytest.mark.parametrize(
    "argument", ["nowhere", "tests/test_nowhere.py", "tests/test_own.py::test_nothing", "nowhere/nlpeval.yaml"]
)
def test_a_mistyped_argument_gets_pytests_own_error(pytester: pytest.Pytester, argument: str) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"pytest.ini": "[pytest]\n", "tests/test_own.py": "def test_own(): pass\n"})
    ended = run_pytest(pytester, argument)
    assert ended.code == 4
    assert "not found: " in ended.all
    assert "no nlpeval.yaml found" not in ended.all


@pytest.mark.parametrize("argument", ["nlpeval.yaml", "nlpeval.yaml::dev::accuracy"])
def test_without_the_flag_a_named_configuration_hints_at_it(pytester: pytest.Pytester, argument: str) -> None:
    make_suite(pytester.path)
    ended = run_pytest(pytester, argument, flag="-v")
    assert ended.code != 0
    assert "hint: add --nlpeval" in ended.out
    assert "hint: add" not in run_pytest(pytester, flag="-v").out  # nothing is collected
    pytester.makepyfile("def test_own(): pass")
    assert "hint: add" not in run_pytest(pytester, flag="-v").out


@pytest.mark.parametrize(
    "option",
    ["--nlpeval-profile=x", "--nlpeval-suite=x", "--nlpeval-report=json:r.json", "--nlpeval-informational", "--nlpeval-no-cache"],
)
def test_options_without_the_flag_are_a_usage_error(pytester: pytest.Pytester, option: str) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): pass")
    ended = run_pytest(pytester, option, flag="-v")
    assert ended.code == 4
    assert f"{option.partition('=')[0]} needs --nlpeval" in ended.all


@pytest.mark.parametrize("arguments", [["tests"]])
def test_the_rootdirs_own_configuration_joins_folders(pytester: pytest.Pytester, arguments: list[str]) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"pytest.ini": "[pytest]\n", "tests/test_own.py": "def test_own(): pass\n"})
    ended = run_pytest(pytester, "-v", *arguments)
    assert list(outcomes(ended.out)) == [
        "tests/test_own.py::test_own",
        "nlpeval.yaml::dev::a",
        "nlpeval.yaml::dev::b",
        "nlpeval.yaml::dev::accuracy",
    ]


def test_the_rootdirs_own_configuration_is_included_beside_testpaths(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"pytest.ini": "[pytest]\ntestpaths = tests\n", "tests/test_own.py": "def test_own(): pass\n"})
    ended = run_pytest(pytester, "-v")
    assert next(iter(outcomes(ended.out))) == "tests/test_own.py::test_own"
    assert len(outcomes(ended.out)) == 4


def test_a_configuration_is_collected_once(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    for arguments in (["."], ["nlpeval.yaml"], [".", "nlpeval.yaml"], [str(pytester.path)]):
        ended = run_pytest(pytester, "--collect-only", "-q", *arguments)
        assert len(collected(ended.out)) == 3, arguments


def test_a_named_configuration_runs_alone(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    make_suite(pytester.path / "other")
    ended = run_pytest(pytester, "-v", "other/nlpeval.yaml")
    assert list(outcomes(ended.out)) == [
        "other/nlpeval.yaml::dev::a",
        "other/nlpeval.yaml::dev::b",
        "other/nlpeval.yaml::dev::accuracy",
    ]


@pytest.mark.parametrize("name", ["nlpeval.yml", "rte.nlpeval.yaml", "rte.nlpeval.yml"])
def test_names_of_configurations(pytester: pytest.Pytester, name: str) -> None:
    make_suite(pytester.path)
    (pytester.path / "nlpeval.yaml").rename(pytester.path / name)
    assert f"{name}::dev::accuracy" in collected(run_pytest(pytester, "--collect-only", "-q").out)


def test_ini_names_other_files(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"pytest.ini": "[pytest]\nnlpeval_files = gates*.yaml\n", "gates-1.yaml": config_text(GATE)})
    assert collected(run_pytest(pytester, "--collect-only", "-q").out)[-1] == "gates-1.yaml::dev::accuracy"
    write(pytester.path, {"pytest.ini": "[pytest]\nnlpeval_files = nothing.yaml\n"})
    assert run_pytest(pytester).code == 4


FAULTY = config_text("acuracy: 0.5", "coverage: {min: 2, max: 1}").replace("system:", "sytem:")
FAULTY += config_text(task="ret", gold="../gold/{doc}.xml").partition("suites:\n")[2]


def test_a_faulty_configuration_is_a_collection_error_that_lists_all(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=FAULTY)
    ended = run_pytest(pytester)
    assert ended.code == 2
    for mistake in (
        'nlpeval.yaml:6:5: config.key: unknown key "sytem"',
        'did you mean "system"?',
        'nlpeval.yaml:3:5: config.invalid: lacks "system"',
        'nlpeval.yaml:8:7: config.measure: no measure "acuracy"',
        'did you mean "accuracy"',
        "nlpeval.yaml:9:7: config.gate: min 2 is above max 1",
        'nlpeval.yaml:10:5: config.name: the name "dev" is already used on line 3',
        'nlpeval.yaml:11:5: config.task: no task "ret"',
    ):
        assert mistake in ended.out


def test_a_path_out_of_the_rootdir_is_a_collection_error(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=config_text(GATE).replace("gold/{doc}", "../{doc}"))
    ended = run_pytest(pytester)
    assert ended.code == 2
    assert "nlpeval.yaml:5:5: config.path: leaves the root folder" in ended.out


def test_a_faulty_configuration_does_not_hide_a_good_one(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    make_suite(pytester.path / "bad", config="version: 2\n")
    ended = run_pytest(pytester, "-v", "--continue-on-collection-errors")
    assert ended.code == 1
    assert set(outcomes(ended.out).values()) == {"passed"}
    assert "bad/nlpeval.yaml:1:1: config.invalid: expected 1, got 2" in ended.out


def test_reportinfo_points_at_the_line(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.25", "coverage: {min: 0.5}")
    items, _ = pytester.inline_genitems("--nlpeval", "-p", "no:randomly", "-p", "no:hypothesispytest")
    places = {item.name: (item.location[0], (item.location[1] or 0) + 1) for item in items}
    yaml = "nlpeval.yaml"
    assert places == {"a": (yaml, 3), "b": (yaml, 3), "accuracy": (yaml, 8), "coverage": (yaml, 9)}


BATCH_PAIR = gold_xml([("1", "IR", "TRUE")])


def test_very_many_documents_form_batches(pytester: pytest.Pytester) -> None:
    names = [f"d{number:04}" for number in range(2500)]
    write(pytester.path, {"nlpeval.yaml": config_text("accuracy: 0.25")})
    write(pytester.path, {f"gold/{name}.xml": BATCH_PAIR for name in names})
    write(pytester.path, {f"system/{name}.txt": "1 TRUE 1\n" for name in names})
    write(pytester.path, {"system/d0003.txt": "1 PERHAPS 1\n", "system/d0005.txt": "7 TRUE 1\n"})
    ended = run_pytest(pytester, "-v", "-k", "d0003 or d0004 or d2499")
    assert ended.code == 1
    ran = outcomes(ended.out)
    assert ran == {
        "nlpeval.yaml::dev::d0000..d0038": "failed",
        "nlpeval.yaml::dev::d2496..d2499": "passed",
    }
    assert "2 documents of dev with errors in the system's files: d0003, d0005" in ended.out
    assert "system/d0003.txt:1: rte.judgment" in ended.out
    assert "system/d0005.txt:1: rte.unknown-id" in ended.out
    items = int(ended.out.partition("collected ")[2].split()[0])
    assert items - 1 == math.ceil(2500 / (2500 // 64))


IMPORTS = """
import json, sys, pytest
class After:
    def pytest_unconfigure(self, config):
        print("HEAVY", json.dumps(sorted({"lxml", "numpy", "yaml", "jsonschema"} & set(sys.modules))), "plugin" if
              config.pluginmanager.hasplugin("nlpeval") else "none")
sys.exit(pytest.main(["-q", "-p", "no:randomly", "-p", "no:hypothesispytest", *sys.argv[1:]], plugins=[After()]))
"""


@pytest.mark.parametrize(("flag", "heavy"), [([], []), (["--nlpeval"], ["lxml", "numpy", "yaml"])])
def test_an_unused_plugin_imports_nothing_heavy(pytester: pytest.Pytester, flag: list[str], heavy: list[str]) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): pass")
    ended = apart(pytester.path, [sys.executable, "-c", IMPORTS, *flag])
    line = next(line for line in ended.out.splitlines() if line.startswith("HEAVY"))
    assert line == f"HEAVY {json.dumps(heavy)} plugin"
