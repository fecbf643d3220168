"""`nlpeval run`: gates, reports, exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.metrics.shares import wilson_interval
from tests.support import (
    COMMAND,
    EAGER_COMMAND,
    GATE,
    HALF,
    RIGHT,
    Ended,
    apart,
    command,
    command_apart,
    config_text,
    files_below,
    gold_xml,
    make_suite,
    write,
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def valid(text: str) -> Any:
    document = json.loads(text)
    jsonschema.Draft202012Validator(json_schema("report.schema.json")).validate(document)
    return document


def test_all_gates_pass(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: 0.75", "coverage: 1")
    ended = command(capfd, "run", "--report", "json:r.json")
    assert (ended.code, ended.err) == (0, "")
    score = json.loads((folder / "r.json").read_text())["suites"][0]["scores"]["accuracy"]
    assert score["low"] < 0.75 < score["high"]
    ends = f"[{score['low']:.3f}, {score['high']:.3f}]"
    assert [" ".join(line.split()) for line in ended.out.splitlines()] == [
        "✓ dev (rte): all 2 gates passed, 2 documents nlpeval.yaml:3",
        "measure today interval limit",
        f"✓ accuracy 0.750 {ends} ≥ 0.75, 0 to spare",
        f"✓ coverage 1.000 [{wilson_interval(8, 8).low:.3f}, 1.000] ≥ 1, 0 to spare",
        "",
        "✓ all 2 gates passed",
    ]


def test_a_gate_fails(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: 0.8")
    ended = command(capfd, "run")
    assert ended.code == 1
    assert re.search(r"✗ accuracy +0\.750 +\[\S+ +\S+\] +≥ 0\.8, short by 0\.050", ended.out)
    assert ended.out.splitlines()[-1] == "✗ 1 of 1 gate failed"


@pytest.mark.parametrize("arguments", [["."], ["nlpeval.yaml"], ["../here/nlpeval.yaml"], ["sub/.."]])
def test_paths(folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    make_suite(folder / "here")
    (folder / "here" / "sub").mkdir()
    monkeypatch.chdir(folder / "here")
    assert command(capfd, "run", *arguments).code == 0


def test_several_configurations_are_one_run(folder: Path, capfd: Capture) -> None:
    make_suite(folder / "one", "accuracy: 0.75")
    make_suite(folder / "two", "accuracy: 0.8")
    make_suite(folder / ".hidden", "accuracy: 0.9")
    assert command(capfd, "run", "one").code == 0
    assert "2 suites" in command(capfd, "run").out
    assert command(capfd, "run", "one", "one/nlpeval.yaml").out.count("dev ") == 1
    assert command(capfd, "run", "one", "two").code == 1


def _missing(folder: Path, role: str) -> None:
    (folder / role).unlink()


def _folder(folder: Path, role: str) -> None:
    (folder / role).unlink()
    (folder / role).mkdir()


def _malformed(folder: Path, role: str) -> None:
    write(folder, {role: "<<< no such thing\n"})


def _other(folder: Path, role: str) -> None:
    write(folder, {role: RIGHT + "77 TRUE 0.1\n"})


SINGLE = config_text("accuracy: 0.25").replace("{doc}", "a")


@pytest.mark.parametrize(
    ("break_it", "role", "code", "message"),
    [
        (_missing, "system/a.txt", 1, "system/a.txt: file.missing: does not exist"),
        (_folder, "system/a.txt", 1, "system/a.txt: file.not-regular: is a folder"),
        (_malformed, "system/a.txt", 1, "system/a.txt:1: rte.line: "),
        (_other, "system/a.txt", 1, "system/a.txt:5: rte.unknown-id: pair 77 is not in the gold file"),
        (_missing, "gold/a.xml", 2, "gold/a.xml: file.missing: does not exist"),
        (_folder, "gold/a.xml", 2, "gold/a.xml: file.not-regular: is a folder"),
        (_malformed, "gold/a.xml", 2, "gold/a.xml:1:"),
    ],
)
@pytest.mark.parametrize("subcommand", ["run", "validate"])
def test_exit_codes_of_bad_files(
    folder: Path, capfd: Capture, break_it: Any, role: str, code: int, message: str, subcommand: str
) -> None:
    make_suite(folder, config=SINGLE, runs={"a": RIGHT})
    break_it(folder, role)
    ended = command(capfd, subcommand)
    assert ended.code == code
    assert any(line.startswith(message) for line in ended.all.splitlines()), ended.all


def test_gold_is_worse_than_system_and_both_are_told(folder: Path, capfd: Capture) -> None:
    make_suite(folder, runs={"a": "x\n", "b": RIGHT})
    _malformed(folder, "gold/b.xml")
    ended = command(capfd, "run")
    assert ended.code == 2
    assert "system/a.txt:1: rte.line" in ended.out
    assert "gold/b.xml:1:" in ended.out
    assert "unjudged" in ended.out


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("", "nlpeval.yaml:1: config.empty"),
        ("# nothing\n", "nlpeval.yaml:1: config.empty"),
        ("version: [1\n", "nlpeval.yaml:2:1: yaml.syntax"),
        ("- 1\n", "nlpeval.yaml:1:1: config.invalid: expected a mapping, got a list"),
        ("version: 1\n", 'nlpeval.yaml:1:1: config.invalid: lacks "suites"'),
        ("version: 1\nsuites: []\n", "nlpeval.yaml:2:1: config.invalid: is empty"),
        (config_text("acuracy: 0.5"), 'nlpeval.yaml:8:7: config.measure: no measure "acuracy" in rte; did you mean "accuracy"'),
        (config_text("x*: 0.5"), 'nlpeval.yaml:8:7: config.measure: no measure matches "x*"'),
        (config_text("accuracy: high"), "nlpeval.yaml:8:7: config.invalid: expected a number or a mapping, got 'high'"),
        (config_text("accuracy: {}"), "nlpeval.yaml:8:7: config.gate: has no condition"),
        (config_text("accuracy: {min: .inf}"), "nlpeval.yaml:8:7: config.gate: a limit must be a finite number"),
        (config_text("accuracy: {min: .nan}"), "nlpeval.yaml:8:18: config.invalid: expected a number, got nan"),
        (config_text("accuracy: {max_drop: 0, alpha: .nan}"), "nlpeval.yaml:8:31: config.invalid: expected a number, got nan"),
        (config_text("accuracy: 0.5", "accuracy: 0.6"), 'nlpeval.yaml:9:7: yaml.duplicate-key: the key "accuracy"'),
        (config_text(GATE).replace("gold/{doc}", "../{doc}"), "nlpeval.yaml:5:5: config.path: leaves the root folder"),
        (config_text(GATE).replace("system/{doc}", "/etc/{doc}"), "nlpeval.yaml:6:5: config.path: leaves the root folder"),
        (
            config_text(GATE).replace("gold/{doc}", "nowhere/{doc}"),
            'nlpeval.yaml:5:5: config.path: no file matches "nowhere/{doc}.xml"',
        ),
        (config_text(GATE).replace("system/{doc}", "system/{dok}"), "nlpeval.yaml:6:5: config.path: unknown placeholder {dok}"),
        (config_text(GATE).replace("rte", "rtte"), 'nlpeval.yaml:4:5: config.task: no task "rtte"; did you mean "rte"?'),
        (
            config_text(GATE).replace("    gates", "    options: {edition: 4}\n    gates"),
            "nlpeval.yaml:7:15: config.option: 4 is not",
        ),
        (
            config_text(GATE).replace("    gates", "    rules: {rte.oder: off}\n    gates"),
            'nlpeval.yaml:7:13: config.rule: unknown problem "rte.oder"',
        ),
        (config_text(GATE).replace("    gates", "    rules: {xml.syntax: off}\n    gates"), "nlpeval.yaml:7:13: config.rule: "),
        (config_text(GATE).replace("name: dev", "name: a/b"), "nlpeval.yaml:3:5: config.invalid: 'a/b' is not a name"),
    ],
)
def test_a_faulty_configuration(folder: Path, capfd: Capture, config: str, message: str) -> None:
    make_suite(folder, config=config)
    ended = command(capfd, "run")
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_all_mistakes_of_all_configurations_at_once(folder: Path, capfd: Capture) -> None:
    make_suite(folder / "one", "acuracy: 1", "cvs: 1")
    make_suite(folder / "two", config="version: 3\n")
    ended = command(capfd, "run")
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 4


def test_paths_with_braces_in_braces_say_what_to_do(folder: Path, capfd: Capture) -> None:
    make_suite(folder, config=config_text(GATE).replace("system: system/{doc}.txt", "system: {ours: system/{doc}.txt}"))
    ended = command(capfd, "run")
    assert ended.code == 2
    assert ended.err.startswith("nlpeval.yaml:6:")
    assert "quot" in ended.err, "the design's own example is no YAML: say that paths with {doc} need quotation marks there"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["rum"],
        ["run", "nowhere"],
        ["run", "--no-such-option"],
        ["run", "--jobs", "0"],
        ["run", "--jobs", "many"],
        ["run", "--report", "json"],
        ["run", "--report", "pdf:x"],
        ["run", "--profile", "relase"],
        ["run", "empty"],
        ["run", "--report", "json:nlpeval.yaml/x.json"],
        ["run", "--system", "x"],
        ["run", "gold/a.xml"],
    ],
)
def test_usage_errors(folder: Path, capfd: Capture, arguments: list[str]) -> None:
    make_suite(folder)
    (folder / "empty").mkdir()
    ended = command(capfd, *arguments)
    assert ended.code == 2
    assert ended.err


def test_no_configuration(folder: Path, capfd: Capture) -> None:
    ended = command(capfd, "run")
    assert (ended.code, ended.err) == (2, "nlpeval: no nlpeval.yaml found here; `nlpeval init` writes one\n")


def test_profile(folder: Path, capfd: Capture) -> None:
    make_suite(folder, config=config_text("accuracy: 0.25") + "    profiles: {release: {accuracy: 0.8}}\n")
    assert command(capfd, "run").code == 0
    assert command(capfd, "run", "--profile", "release").code == 1
    assert 'did you mean "release"' in command(capfd, "run", "--profile", "releas").err


def test_informational(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: {min: 0.8, informational: true}")
    ended = command(capfd, "run")
    assert ended.code == 0
    assert ended.out.splitlines()[-1] == "✓ 1 informational gate failed; 2 documents valid"
    assert "! accuracy" in ended.out
    make_suite(folder, "accuracy: 0.8")
    assert command(capfd, "run").code == 1
    assert command(capfd, "run", "--informational").code == 0


def test_reports_to_files(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: 0.8")
    ended = command(capfd, "run", "--report", "json:out/r.json", "--report", "csv:out/r.csv")
    assert ended.code == 1
    document = valid((folder / "out/r.json").read_text())
    scores = document["suites"][0]["scores"]
    assert (document["passed"], scores["accuracy"]["value"]) == (False, 0.75)
    assert ("group" in scores["accuracy"], scores["task.QA.accuracy"]["group"]) == (False, "task.QA")
    header, first, *_ = (folder / "out/r.csv").read_text().splitlines()
    assert header.startswith("suite,system,task,measure,value,reason,document,low,high,")
    assert first.startswith("dev,,rte,accuracy,0.75,,,0.")


def test_report_to_the_standard_output(folder: Path, capfd: Capture) -> None:
    make_suite(folder)
    ended = command(capfd, "run", "--report", "json:-")
    assert ended.code == 0
    assert valid(ended.out)["passed"] is True
    assert ended.err.splitlines()[-1] == "✓ the one gate passed"
    assert files_below(folder).keys() & {"-"} == set()


def test_the_report_of_bad_files_is_valid_too(folder: Path, capfd: Capture) -> None:
    make_suite(folder, runs={"a": "1 MAYBE\n", "b": RIGHT})
    (folder / "gold/b.xml").unlink()
    ended = command(capfd, "run", "--report", "json:-")
    suite = valid(ended.out)["suites"][0]
    assert (ended.code, suite["outcome"], suite["cases"]["total"], suite["cases"]["failed"]) == (2, "set-up", 2, 2)
    assert [entry["problems"] for entry in suite["cases"]["documents"]] == [
        ["system/a.txt:1: rte.judgment"],
        ["gold/b.xml: file.missing"],
    ]
    assert {problem["code"] for problem in suite["problems"]} == {"rte.judgment", "file.missing"}
    assert suite["gates"][0]["verdict"] == "unjudged"


def test_several_systems(folder: Path, capfd: Capture) -> None:
    systems = "system:\n      ours: system/{doc}.txt\n      old: old/{doc}.txt\n"
    make_suite(folder, runs={"a": RIGHT}, config=config_text("accuracy: 0.8").replace("system: system/{doc}.txt\n", systems))
    write(folder, {"old/a.txt": HALF})
    ended = command(capfd, "run", "--report", "json:-")
    suites = valid(ended.out)["suites"]
    assert [(suite["name"], suite["system"]) for suite in suites] == [("dev/ours", "ours"), ("dev/old", "old")]
    assert [suite["gates"][0]["verdict"] for suite in suites] == ["passed", "failed"]
    assert ended.code == 1


def test_jobs(folder: Path) -> None:
    make_suite(folder, "accuracy: 0.8", runs={**dict.fromkeys("abc", RIGHT), "d": HALF, "e": "x\n"})
    arguments = ("run", "--no-cache", "--report", "json:-")
    ways = (COMMAND, ()), (COMMAND, ("--jobs", "2")), (COMMAND, ("--jobs", "auto")), (EAGER_COMMAND, ("--jobs", "2"))
    first, *others = [apart(folder, [*program, *arguments, *more]) for program, more in ways]
    assert first.code == 1
    assert others == [first] * 3


def test_nothing_of_progress_when_piped(folder: Path) -> None:
    make_suite(folder, runs=dict.fromkeys("abcdefgh", RIGHT))
    ended = command_apart(folder, "run")
    assert (ended.code, ended.err) == (0, "")
    assert "\r" not in ended.out


def test_the_store(folder: Path, capfd: Capture) -> None:
    make_suite(folder)
    first = command(capfd, "run", "--report", "json:-")
    assert (folder / ".nlpeval_cache/.gitignore").read_text() == "*\n"
    (stored,) = (folder / ".nlpeval_cache").glob("*.sqlite")
    stored.write_bytes(stored.read_bytes()[:10])
    assert command(capfd, "run", "--report", "json:-") == first
    assert command(capfd, "run", "--report", "json:-") == first


def test_no_cache_and_another_folder(folder: Path, capfd: Capture) -> None:
    make_suite(folder)
    before = files_below(folder)
    command(capfd, "run", "--no-cache")
    assert files_below(folder) == before
    command(capfd, "run", "--cache-dir", "elsewhere")
    assert {name.split("/")[0] for name in files_below(folder).keys() - before.keys()} == {"elsewhere"}


def test_a_store_that_cannot_be_costs_no_result(folder: Path, capfd: Capture) -> None:
    make_suite(folder)
    write(folder, {".nlpeval_cache": "a file"})
    ended = command(capfd, "run")
    assert ended.code == 0
    assert "no evidence store in .nlpeval_cache" in ended.err


def test_documents_added_and_changed_between_runs(folder: Path, capfd: Capture) -> None:
    def accuracy() -> Any:
        return json.loads(command(capfd, "run", "--report", "json:-").out)["suites"][0]["scores"]["accuracy"]["value"]

    make_suite(folder, runs={"a": RIGHT})
    assert accuracy() == 1
    write(folder, {"gold/b.xml": gold_xml(), "system/b.txt": HALF})
    assert accuracy() == 6 / 8
    write(folder, {"system/a.txt": HALF})
    assert accuracy() == 4 / 8


def test_interrupted(folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    make_suite(folder)
    monkeypatch.setattr("pytest_nlpeval.cli.workers._evaluate", interrupt)
    ended: Ended = command(capfd, "run", "--report", "json:r.json")
    assert (ended.code, ended.err) == (130, "nlpeval: interrupted\n")
    assert not (folder / "r.json").exists()
