from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
import yaml
from jsonschema import Draft202012Validator
from lxml import etree

from pytest_nlpeval import evaluate, load_suites, score
from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.tasks.best import PROBLEMS, TASK
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.tasks.best.tuple_errors import Reason

ROOT = Path(__file__).parents[4]
TABLE_ROW = re.compile(r"^\| `((?:best|text|xml)\.[a-z0-9-]+)` \| (\w+) \| (\w+) \|", re.MULTILINE)
REASONS = set(get_args(Reason))


@pytest.fixture(scope="module")
def documentation() -> str:
    return (ROOT / "docs" / "best.md").read_text(encoding="utf-8")


def test_the_table_of_tasks_has_it() -> None:
    assert load_task("best") is TASK
    assert [(role.name, role.side, role.required) for role in TASK.roles] == [
        ("ere", "gold", True),
        ("source", "gold", False),
        ("gold", "gold", True),
        ("system", "system", True),
    ]


def test_there_are_no_options() -> None:
    assert set(TASK.options_schema["properties"]) == {field.name for field in fields(Options)} == set()
    Draft202012Validator.check_schema(TASK.options_schema)
    assert Draft202012Validator(TASK.options_schema).is_valid({})
    assert not Draft202012Validator(TASK.options_schema).is_valid({"provenance": "full"})
    assert TASK.options() == Options()


def test_the_documentation_has_every_problem_as_it_is(documentation: str) -> None:
    table = {code: (severity, fixed) for code, severity, fixed in TABLE_ROW.findall(documentation)}
    assert table == {code: (kind.severity, "yes" if kind.fixed else "no") for code, kind in PROBLEMS.items()}


def test_the_documentation_has_every_measure(documentation: str) -> None:
    for measure in TASK.measures(Options(), None) or ():
        assert f"`{measure.name}`" in documentation, measure.name


def test_the_documentation_has_every_reason_and_the_cases_show_them(documentation: str) -> None:
    shown = set()
    for path in (ROOT / "tests/tasks/best/valid").glob("*/expected.yaml"):
        shown |= set((yaml.safe_load(path.read_text()) or {}).get("explanations") or {})
    assert shown == REASONS
    section = documentation.partition("## Explanations")[2]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == REASONS


def test_the_files_of_the_example_fit_each_other() -> None:
    """Mentions lie where the ERE files say, and no file has as much as a warning."""
    folder = ROOT / "examples" / "best"
    for path in (*folder.glob("ere/*.xml"), *folder.glob("ere-predicted/*.xml")):
        text = (folder / "source" / path.name.replace(".rich_ere.xml", ".txt")).read_text(encoding="utf-8")
        places = 0
        for element in etree.parse(path).iter("entity_mention", "trigger", "filler"):
            start, length = (int(element.get(name, "")) for name in ("offset", "length"))
            assert text[start : start + length] == "".join(str(part) for part in element.itertext()), (path.name, start)
            places += 1
        assert places > 10
    results = [evaluate(suite) for suite in load_suites(folder / "nlpeval.yaml")]
    assert [result.all_problems() for result in results] == [()] * 3
    values = {result.suite.name: (result["all.single.micro.f1"], result["all.full.micro.f1"]) for result in results}
    page = (folder / "README.md").read_text(encoding="utf-8")
    for name, (single, full) in values.items():
        assert f"| `{name}` | {single:.3f} | {full:.3f} |" in page


def test_a_suite_without_source_texts_has_one_note() -> None:
    folder = ROOT / "examples" / "best"
    ere, gold, system = (folder / f"{name}.xml" for name in ("ere/{doc}.rich_ere", "gold/{doc}.best", "system/ours/{doc}.best"))
    without = score("best", ere=ere, gold=gold, system=system)
    told = score("best", ere=ere, gold=gold, system=system, source=folder / "source/{doc}.txt")
    assert len(without.cases) == len(told.cases) == 3
    assert [note.partition(":")[0] for note in without.notes] == ["without role source, quotes count"]
    assert told.notes == ()
    assert without["all.full.micro.f1"] != told["all.full.micro.f1"]


def test_the_worked_example_of_the_documentation(documentation: str, tmp_path: Path) -> None:
    """The page's three files give the page's figures."""
    blocks = re.findall(r"^```(?:text|xml)\n(.*?)^```$", documentation, re.MULTILINE | re.DOTALL)
    source, ere, gold, system = (tmp_path / name for name in ("source.txt", "ere.xml", "gold.xml", "system.xml"))
    for path, block in zip((source, ere, gold, system), blocks, strict=True):
        path.write_text(block, encoding="utf-8")
    result = score("best", explain=True, source=source, ere=ere, gold=gold, system=system)
    assert result.all_problems() == ()
    (case,) = result.cases
    assert case.explanations is not None
    assert case.explanations.counts == dict.fromkeys(
        ("partial-provenance", "wrong-value", "target-only", "false-positive", "missed"), 1
    )
    assert result["all.single.micro.precision"] == pytest.approx(2 / (2 + 1), abs=1e-12)
    assert result["all.single.micro.recall"] == pytest.approx(2 / (2 + 1), abs=1e-12)
    full = 2 / 3 + 2 / 3 + 1 / 3
    assert result["all.full.micro.precision"] == pytest.approx(full / (full + 1), abs=1e-12)
    assert result["all.full.micro.recall"] == pytest.approx(full / (full + 1), abs=1e-12)
