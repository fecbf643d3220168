"""What is told of a task: required files, options with defaults, measures by options and groups; and what a plain task starts with."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import pytest
import yaml

from pytest_nlpeval import Counted, Evidence, Measure, Role, Task
from pytest_nlpeval.measures import SHARE, Range, Values
from pytest_nlpeval.problems import LONGEST, Kind
from pytest_nlpeval.reports.blocks import PROSE, plain
from pytest_nlpeval.reports.starter import template
from pytest_nlpeval.reports.tasks import MOST, task_blocks, tasks_blocks
from pytest_nlpeval.task import Starter, StarterGate
from pytest_nlpeval.tasks import TASKS, load_task
from tests.test_contract import measures_of


def told(name: str) -> str:
    return plain(task_blocks(load_task(name)))


def section(text: str, title: str) -> list[str]:
    """The lines of a section, up to the next empty one."""
    lines = text.splitlines()
    start = lines.index(title) + 1
    return lines[start : lines.index("", start) if "" in lines[start:] else None]


def names(lines: list[str]) -> list[str]:
    """The measures among the lines of the section: four blanks, then the name."""
    return [line.split(":")[0].strip() for line in lines if line.startswith("    ") and line[4] != " "]


@pytest.mark.parametrize("name", TASKS)
def test_no_line_is_wider_than_a_terminal(name: str) -> None:
    assert all(len(line) <= PROSE for line in told(name).splitlines())
    assert all(len(line) <= PROSE for line in template(load_task(name)).splitlines())
    assert any(line.startswith(f"{name} ") for line in plain(tasks_blocks()).splitlines())


def test_measures_of_each_setting_and_class_are_told_once() -> None:
    lines = section(told("rte"), "Measures")
    assert "  For each * of TRUE, FALSE, YES, NO:" in lines
    assert "  For each * of CD, IE, IR, MT, PP, QA, RC, SUM:" in lines
    of_settings = lines[lines.index("  For each * of CD, IE, IR, MT, PP, QA, RC, SUM:") :]
    assert names(of_settings) == ["task.*.accuracy", "task.*.cws", "task.*.coverage"]
    assert not any("task.IE" in line for line in lines)
    assert names(lines)[:3] == ["accuracy", "coverage", "cws"]


def test_measures_of_both_attitudes_together_and_of_each_are_told_once() -> None:
    lines = section(told("best"), "Measures")
    assert lines[0] == "  For each * of all, belief, sentiment:"
    assert len(names(lines)) == 2 * 2 * 3
    assert not [line for line in lines if "*s" in line]
    assert any("Precision of * tuples, full provenance" in line for line in lines)


@pytest.mark.parametrize("name", TASKS)
def test_every_measure_is_told_by_its_name_or_its_pattern(name: str) -> None:
    task = load_task(name)
    shown = names(section(told(name), "Measures"))
    measures = task.measures(task.options(**task.starter.options), None)
    if measures is None:  # only files tell which there are
        assert "(they depend on options and files" in told(name)
        return
    assert measures
    for measure in measures:
        group = measure.group.rpartition(".")[2]
        assert measure.name in shown or (group and re.sub(rf"\b{group}\b", "*", measure.name) in shown), measure.name


def test_measures_by_the_values_of_a_required_option() -> None:
    lines = section(told("are"), "Measures")
    heads = [lines.index(f"  With subtask {number}:") for number in (1, 2, 3, 4)]
    parts = [names(lines[start:end]) for start, end in zip(heads, [*heads[1:], None], strict=True)]
    assert parts[0] == ["success_rate", "resolved", "half_resolved", "answered"]
    assert parts[1] == ["muc.precision", "muc.recall", "muc.f1"]
    assert parts[2][:3] == ["precision", "recall", "f1"]
    assert parts[3] == ["muc_overlap.precision", "muc_overlap.recall", "muc_overlap.f1"]


def test_measures_with_the_options_that_init_writes() -> None:
    lines = section(told("cat"), "Measures")
    assert lines[0] == "  With the options of `nlpeval init --task cat`:"
    assert "TLINK.tempeval.f1" in names(lines)
    assert "EVENT_MENTION.strict.attribute.polarity" in names(lines)
    assert "*.strict.f1" in names(lines)
    assert "        Number of gold's other *. [whole number from 0, lower is better]" in lines


@pytest.mark.parametrize(
    ("name", "role", "required"),
    [
        ("are", "input", "with subtask 1, 3, 4 "),
        ("are", "gold", "yes "),
        ("cat", "config", "without annotations "),
        ("best", "source", "no "),
        ("best", "ere", "yes "),
    ],
)
def test_which_files_are_required(name: str, role: str, required: str) -> None:
    (line,) = (line for line in section(told(name), "Files") if line.startswith(f"  {role} "))
    assert line.split(maxsplit=1)[1].startswith(required)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("are", "  subtask: 1 | 2 | 3 | 4 (required)"),
        ("are", "  pronouns: list of text (default: [])"),
        ("cat", "  profile: standard | nwr2014 (default: standard)"),
        ("cat", "  relaxed: true | false (default: true)"),
        ("cat", "  sentences: whole number from 1 | text, such as all"),
        ("exemplar", "  ignore_case: true | false (default: false)"),
        ("rte", "  edition: 1 | 2 | 3"),
        ("best", "  (none)"),
    ],
)
def test_options_with_type_values_and_default(name: str, line: str) -> None:
    assert line in section(told(name), "Options")


@pytest.mark.parametrize("name", TASKS)
def test_a_starter_fits_its_task(name: str) -> None:
    task = load_task(name)
    measures = task.measures(task.options(**task.starter.options), None)
    known = measures_of(task).keys() if measures is None else {measure.name for measure in measures}
    assert {gate.measure for gate in task.starter.gates if not gate.only} <= known
    assert all(0 < gate.worst < 1 for gate in task.starter.gates)


@dataclass(frozen=True)
class Options:
    depth: int = 1
    mode: str = "a"


def none(*_: object) -> Values:
    raise NotImplementedError


def measures(options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    loss = Measure("loss", "Loss.", "Σ", none, range=Range(-math.inf, 2.5), better="lower")
    return (loss, Measure("share", "Share.", "a / b", none, range=SHARE), *([loss] if options.mode == "b" else []))


def foreign(schema: dict[str, Any], starter: Starter | None = None) -> Task:
    return Task(
        name="own",
        summary="Own.",
        version="1",
        roles=(
            Role("gold", "gold", "g", none),
            Role("lexicon", "gold", "l", none, required=lambda options: options.depth > 1, suffixes=(".tsv",), once=True),
            Role("system", "system", "s", none, suffixes=(".out",)),
        ),
        options=Options,
        options_schema=schema,
        problems={},
        count=lambda *_: Counted(Evidence.of([], {})),
        measures=measures,
        signature=lambda *_: {},
        starter=starter or Starter(),
    )


def suite(task: Task) -> dict[str, Any]:
    found = yaml.safe_load(template(task))["suites"][0]
    assert isinstance(found, dict)
    return found


def test_a_plain_task_starts_with_its_roles_and_the_first_share() -> None:
    task = foreign({"type": "object"})
    assert suite(task) == {
        "name": "own",
        "task": "own",
        "gold": "gold/{doc}.xml",
        "system": "system/{doc}.out",
        "gates": {"share": 0.5},
    }
    assert "    # lexicon: lexicon.tsv  # l\n" in template(task)
    lines = plain(task_blocks(task)).splitlines()
    assert "        Loss. [number to 2.5, lower is better]" in lines
    assert "  (none)" in lines


def test_a_required_option_takes_a_value_that_its_schema_names() -> None:
    task = foreign({"required": ["mode"], "properties": {"mode": {"enum": ["a", "b"]}, "depth": {"type": "integer"}}})
    assert suite(task)["options"] == {"mode": "a"}
    assert suite(task)["gates"] == {"share": 0.5}
    assert "  With mode b:" in plain(task_blocks(task)).splitlines()


def test_a_required_option_without_known_values_is_left_to_the_user() -> None:
    task = foreign(
        {"required": ["depth"], "properties": {"depth": {"type": "integer", "minimum": 1, "description": "How deep."}}}
    )
    assert suite(task)["options"] == {"depth": None}
    assert "gates" not in suite(task)
    lines = plain(task_blocks(task)).splitlines()
    assert "  depth: whole number from 1 (required)" in lines
    assert "  (they depend on options and files; `nlpeval score` shows them)" in lines
    assert any(line.split()[:4] == ["lexicon", "depends", "on", "options"] for line in lines)


def test_a_task_of_another_package_may_bring_a_starter() -> None:
    schema = {"required": ["depth"], "properties": {"depth": {"type": "integer"}}}
    task = foreign(schema, Starter({"depth": 2}, (StarterGate("share", 0.7, "what matters", only="depth 3"),)))
    assert suite(task)["options"] == {"depth": 2}
    assert suite(task)["lexicon"] == "lexicon.tsv"
    assert "      # share: 0.7  # depth 3: what matters\n" in template(task)


def test_long_texts_and_lists_of_a_task_are_cut_and_the_rest_is_counted() -> None:
    long = "z" * 1_000_000
    (own, *_) = load_task("rte").measures(load_task("rte").options(), None) or ()
    measures = tuple(replace(own, name=f"m{rank}", group="") for rank in range(MOST + 500))
    problems = {f"rte.p{rank}": Kind("warning", long) for rank in range(MOST + 70)}
    text = plain(task_blocks(replace(load_task("rte"), summary=long, problems=problems, measures=lambda *_: measures)))
    assert f"m{MOST - 1}: " in text
    assert f"m{MOST}: " not in text
    assert "… and 500 more measures" in text
    assert "… and 70 more rows" in text
    assert long[: LONGEST + 1] not in re.sub(r"\s", "", text)
