"""Groups of documents: read from a file or given, checked, and known to measures, gates and explanations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval import ConfigError, SuiteResult, evaluate, load_suites
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run.baseline_update import updates
from tests.support import FOUR, HALF, RIGHT, gold_xml, make_suite, write

RUNS = {"a": RIGHT, "b": HALF, "c": HALF}
OPTIONS = "{group: {documents: groups.tsv}}"
TSV = "document\tgroup\na\tnews\nb\tweb\nc\tweb\n"


def result(folder: Path, *gates: str, groups: str | None = TSV, options: str = OPTIONS, **entries: Any) -> SuiteResult:
    make_suite(folder, *gates, runs=RUNS, options=options, **entries)
    if groups is not None:
        write(folder, {"groups.tsv": groups})
    (suite,) = load_suites(folder / "nlpeval.yaml", root=folder)
    return evaluate(suite, explain=True)


def codes(found: SuiteResult) -> list[str]:
    return [f"{problem.path}:{problem.line or ''}: {problem.code} {problem.severity}" for problem in found.problems]


def test_documents_are_in_the_groups_of_a_table(tmp_path: Path) -> None:
    found = result(tmp_path, "accuracy: 0.6", '"group.*.accuracy": 0.7')
    assert (found["accuracy"], found["group.news.accuracy"], found["group.web.accuracy"]) == (8 / 12, 1, 1 / 2)
    assert {verdict.measure: verdict.verdict for verdict in found.verdicts} == {
        "accuracy": "passed",
        "group.news.accuracy": "passed",
        "group.web.accuracy": "failed",
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("groups.csv", "group,document,note\nnews,a,x\nweb,b,y\nweb,c,z\n"),
        (
            "groups.jsonl",
            '{"document": "a", "group": "news"}\n{"document": "b", "group": "web"}\n{"document": "c", "group": "web"}\n',
        ),
        (
            "groups.json",
            '[{"document": "a", "group": "news"}, {"document": "b", "group": "web"}, {"document": "c", "group": "web"}]',
        ),
        ("groups.json", '{"a": "news", "b": "web", "c": "web"}'),
        ("groups.json", '{\n "a": "news",\n "b": "web",\n "c": {"group": "web"}}'),
    ],
)
def test_every_format_tells_the_same(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, {name: text})
    found = result(tmp_path, options=f"{{group: {{documents: {name}}}}}")
    assert not found.problems
    assert (found["group.news.accuracy"], found["group.web.accuracy"]) == (1, 1 / 2)


def test_a_mapping_in_the_configuration_tells_them(tmp_path: Path) -> None:
    found = result(tmp_path, options="{group: {documents: {a: 1, b: true, c: true}}}", groups=None)
    assert (found["group.1.accuracy"], found["group.true.accuracy"]) == (1, 1 / 2)


def test_names_with_blanks_slashes_and_stars_are_names(tmp_path: Path) -> None:
    groups = "document\tgroup\na\tnews / *\nb\tweb\nc\tweb\n"
    found = result(tmp_path, '"group.news / *.accuracy": 1', groups=groups)
    assert found["group.news / *.accuracy"] == 1
    assert [verdict.verdict for verdict in found.verdicts] == ["passed"]


def test_documents_on_one_side_are_warned_of_and_in_no_group(tmp_path: Path) -> None:
    found = result(tmp_path, groups="document\tgroup\na\tnews\nd\tweb\nb\t\n")
    assert sorted(codes(found)) == [
        "groups.tsv:4: group.no-group warning",
        "groups.tsv:: group.no-group warning",
        "groups.tsv:: group.unknown-document warning",
    ]
    assert not [name for name in found.scores if name.startswith("group.web.")]
    assert found["accuracy"] == 8 / 12


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        (None, "groups.tsv:: file.missing error"),
        ("", "groups.tsv:: group.header error"),
        ("document\tgenre\na\tnews\n", "groups.tsv:1: group.column error"),
        ("document\tgroup\na\n", "groups.tsv:2: group.fields error"),
        ("document\tgroup\na\tx\na\ty\n", "groups.tsv:3: group.duplicate-id error"),
        ("document\tgroup\n\tx\n", "groups.tsv:2: group.no-id error"),
        ("document\tgroup\na\tv1.0\n", "groups.tsv:2: group.reserved error"),
        ("document\tgroup\na\t" + "x" * 201 + "\n", "groups.tsv:2: group.reserved error"),
        ("document\tgroup\n" + "".join(f"{rank}\tg{rank}\n" for rank in range(201)), "groups.tsv:: group.too-many error"),
    ],
)
def test_a_faulty_file_leaves_nothing_judged(tmp_path: Path, groups: str | None, code: str) -> None:
    found = result(tmp_path, "accuracy: 0.1", '"group.*.accuracy": 0.1', groups=groups)
    assert code in codes(found)
    assert found.outcome == "set-up"
    assert {verdict.verdict for verdict in found.verdicts} == {"unjudged"}
    assert all("groups.tsv" in verdict.reason for verdict in found.verdicts)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("groups.txt", "a\tnews\n", "group.format"),
        ("groups.csv", 'document,group\na,"news\n', "group.quotes"),
        ("groups.json", "{", "group.json"),
        ("groups.jsonl", '{"document": "a", "group": "news"', "group.json"),
        ("groups.json", "5", "group.items"),
    ],
)
def test_a_file_of_another_kind_is_told_as_such(tmp_path: Path, name: str, text: str, code: str) -> None:
    write(tmp_path, {name: text})
    found = result(tmp_path, "accuracy: 0.1", options=f"{{group: {{documents: {name}}}}}")
    assert [problem.code for problem in found.problems] == [code]
    assert [verdict.verdict for verdict in found.verdicts] == ["unjudged"]


def test_a_file_outside_the_root_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="leaves the root folder"):
        result(tmp_path, options="{group: {documents: ../groups.tsv}}")
    (tmp_path / "link.tsv").symlink_to("/etc/hostname")
    with pytest.raises(ConfigError, match="leaves the root folder"):
        result(tmp_path, options="{group: {documents: link.tsv}}")


@pytest.mark.parametrize("group", ["5", "[a]", "{document: x}", "{documents: 5}", "{documents: ''}", "{documents: {}}", "domain"])
def test_another_option_is_refused(tmp_path: Path, group: str) -> None:
    with pytest.raises(ConfigError, match=r"config\.option"):
        result(tmp_path, options=f"{{group: {group}}}")


def test_explanations_bear_on_the_measures_of_their_group_alone(tmp_path: Path) -> None:
    found = result(tmp_path, "accuracy: 0.1")
    for case, group, other in (("b", "web", "news"), ("c", "web", "news")):
        (explanations,) = (each.explanations for each in found.cases if each.name == case)
        assert explanations is not None
        assert explanations.first
        for explanation in explanations.first:
            assert explanation.bears_on("accuracy")
            assert explanation.bears_on(f"group.{group}.accuracy")
            assert not explanation.bears_on(f"group.{other}.accuracy")


def test_an_item_belongs_to_its_group_where_the_task_says_nothing_else(tmp_path: Path) -> None:
    entry = "{name: s, task: qa, gold: gold.jsonl, system: run.jsonl, options: {group: kind}, gates: {f1: 0.5}}"
    gold = [{"id": place, "question": "?", "answers": ["a"], "kind": kind} for place, kind in enumerate(("who", "when", "who"))]
    write(
        tmp_path,
        {
            "nlpeval.yaml": f"version: 1\nsuites: [{entry}]\n",
            "gold.jsonl": "".join(f"{json.dumps(entry)}\n" for entry in gold),
            "run.jsonl": "".join(f"{json.dumps({'id': place, 'prediction': 'b'})}\n" for place in range(3)),
        },
    )
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    (case,) = evaluate(suite, explain=True).cases
    assert case.explanations is not None
    assert [explanation.group for explanation in case.explanations.first] == ["who", "when", "who"]


def test_explanations_tell_the_group_of_their_document(tmp_path: Path) -> None:
    found = result(tmp_path, "accuracy: 0.1")
    told = {case.name: {entry.group for entry in case.explanations.first} for case in found.cases if case.explanations}
    assert told == {"a": set(), "b": {"web"}, "c": {"web"}}  # rte's own groups, its settings, give way to what the option says


def test_units_of_a_single_file_may_have_groups(tmp_path: Path) -> None:
    make_suite(
        tmp_path,
        config="version: 1\nsuites:\n  - {name: dev, task: rte, gold: gold.xml, system: run.txt, "
        'options: {group: {documents: {"0": x, "1": x, "2": y, "3": y}}}}\n',
    )
    write(tmp_path, {"gold.xml": gold_xml(FOUR), "run.txt": HALF})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    found = evaluate(suite)
    assert found.evidence is not None
    names = dict.fromkeys(found.evidence.units, "x")
    text = str(names).replace("'", '"')
    write(tmp_path, {"groups.json": text})
    config = (tmp_path / "nlpeval.yaml").read_text()
    start = config.index("{documents: ") + len("{documents: ")
    (tmp_path / "nlpeval.yaml").write_text(config[:start] + "groups.json}}}\n")
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    found = evaluate(suite)
    assert not found.problems
    assert found["group.x.accuracy"] == found["accuracy"]


def test_no_group_falls_against_a_file_and_groups_of_now(tmp_path: Path) -> None:
    """The file was written before there were groups; the group web is worse since, the whole is not."""
    make_suite(tmp_path, "accuracy: 0.1", runs=RUNS, baseline="base.json")
    suites = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    for update in updates([evaluate(suite, explain=True) for suite in suites]):
        update.write()
    found = result(tmp_path, "accuracy: {no_group_falls: 0.1}", baseline="base.json")
    assert [verdict.verdict for verdict in found.verdicts] == ["passed"]
    wrong = HALF.replace("TRUE", "FALSE")
    write(tmp_path, {"system/a.txt": RIGHT, "system/b.txt": RIGHT, "system/c.txt": wrong})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    write(tmp_path, {"groups.tsv": TSV.replace("c\tweb", "c\tmail")})
    (verdict,) = evaluate(suite).verdicts
    assert verdict.verdict == "passed", "c is as wrong as it was, only otherwise"
    write(tmp_path, {"system/a.txt": HALF})
    (verdict,) = evaluate(suite).verdicts
    assert verdict.verdict == "failed"
    assert verdict.reason.startswith("group news: 0.500, was 1.000: the drop of 0.500 [")


def test_a_report_tells_all_groups_and_the_worst_in_the_text(tmp_path: Path) -> None:
    make_suite(tmp_path, "accuracy: {no_group_falls: 0.1}", runs=RUNS, options=OPTIONS, baseline="base.json")
    write(tmp_path, {"groups.tsv": TSV})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    for update in updates([evaluate(suite, explain=True)]):
        update.write()
    write(tmp_path, {"system/a.txt": HALF, "system/b.txt": RIGHT})
    found = evaluate(suite)
    written = report_of([found]).to_json()
    Draft202012Validator(json_schema("report.schema.json")).validate(written)
    assert Report.from_json(written).to_json() == written
    (gate,) = written["suites"][0]["gates"]
    assert [(fall["group"], fall["drop"]) for fall in gate["groups"]["groups"]] == [("news", 0.5), ("web", -0.25)]
    assert not gate.keys() & {"p", "detectable"}, "those are of the whole suite"
    assert "group news" in repr(found)
    assert "drop of each group" in repr(found)


def test_the_level_may_be_of_the_condition_or_of_the_gate(tmp_path: Path) -> None:
    gates = ("accuracy: {no_group_falls: {max_drop: 0.1, alpha: 0.01}}", "coverage: {no_group_falls: 0.1, alpha: 0.02}")
    make_suite(tmp_path, *gates, runs=RUNS, options=OPTIONS)
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    resolved, _ = suite.gates(["accuracy", "coverage"])
    assert [[(each.threshold, each.alpha) for each in gate.judged_conditions()] for gate in resolved] == [
        [(0.1, 0.01)],
        [(0.1, 0.02)],
    ]


@pytest.mark.parametrize(
    "value", ["-0.1", "{}", "{alpha: 0.05}", "{max_drop: .inf}", "{max_drop: 0.1, alpha: 1}", "true", "{max_drop: 0, x: 1}"]
)
def test_another_value_of_the_condition_is_refused(tmp_path: Path, value: str) -> None:
    make_suite(tmp_path, f"accuracy: {{no_group_falls: {value}}}", runs=RUNS, options=OPTIONS)
    with pytest.raises(ConfigError):
        load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)


def test_without_groups_the_condition_is_a_mistake_with_its_cure(tmp_path: Path) -> None:
    found = result(tmp_path, "TRUE.f1: {no_group_falls: 0.1}", "coverage: {no_group_falls: 0.1}", options="{}", groups=None)
    assert [problem.code for problem in found.problems] == ["config.gate"], "coverage has those of the application settings"
    assert "TRUE.f1 has no groups, which no_group_falls needs; give the option `group`" in found.problems[0].message
