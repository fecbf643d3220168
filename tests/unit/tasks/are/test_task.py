from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
import yaml
from jsonschema import Draft202012Validator
from lxml import etree

from pytest_nlpeval import ConfigError, SuiteResult, evaluate, load_suites, score
from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.tasks.are import PROBLEMS, TASK
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.tasks.are.resolving import Reason
from tests.support import config_text, write
from tests.unit.tasks.are.files import candidates, id_chains, id_pairs, span_chains, span_pairs, words

ROOT = Path(__file__).parents[4]
TABLE_ROW = re.compile(r"^\| `((?:are|xml)\.[a-z0-9-]+)` \| (\w+) \| (\w+) \|", re.MULTILINE)
REASONS = {*get_args(Reason), "missing-links", "wrong-links", "inexact-mentions"} - {"resolved"}


@pytest.fixture(scope="module")
def documentation() -> str:
    return (ROOT / "docs" / "are.md").read_text(encoding="utf-8")


def test_the_table_of_tasks_has_it() -> None:
    assert load_task("are") is TASK
    assert [(role.name, role.side) for role in TASK.roles] == [("input", "gold"), ("gold", "gold"), ("system", "system")]


def test_the_schema_knows_exactly_the_options() -> None:
    assert set(TASK.options_schema["properties"]) == {field.name for field in fields(Options)}
    schema = Draft202012Validator(TASK.options_schema)
    assert schema.is_valid({"subtask": 3, "pronouns": ["it"]})
    for wrong in ({}, {"subtask": 5}, {"subtask": "1"}, {"subtask": 1, "pronouns": "it"}, {"subtask": 1, "words": []}):
        assert not schema.is_valid(wrong), wrong


def test_the_input_is_needed_unless_ids_stand_for_themselves() -> None:
    assert {subtask: TASK.needed(Options(subtask)) for subtask in (1, 2, 3, 4)} == {
        2: ("gold", "system"),
        **dict.fromkeys((1, 3, 4), ("input", "gold", "system")),
    }
    assert TASK.needed(None) == ("gold", "system")


@pytest.mark.parametrize("subtask", [1, 3, 4])
def test_without_input_nothing_is_read(subtask: int, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match='the task are needs "input"'):
        score("are", gold="nowhere", system="nowhere", options={"subtask": subtask})
    write(tmp_path, {"nlpeval.yaml": config_text(task="are", options=f"{{subtask: {subtask}}}")})
    with pytest.raises(ConfigError, match=r'3:5: config.key: the task are needs "input"'):
        load_suites(tmp_path / "nlpeval.yaml")


def test_without_options_they_are_what_is_missing(tmp_path: Path) -> None:
    write(tmp_path, {"nlpeval.yaml": config_text(task="are", gold="gold.xml", system="system.xml")})
    with pytest.raises(ConfigError, match="needs the options subtask") as caught:
        load_suites(tmp_path / "nlpeval.yaml")
    assert len(caught.value.problems) == 1


def test_the_documentation_has_every_problem_as_it_is(documentation: str) -> None:
    table = {code: (severity, fixed) for code, severity, fixed in TABLE_ROW.findall(documentation)}
    assert table == {code: (kind.severity, "yes" if kind.fixed else "no") for code, kind in PROBLEMS.items()}


def test_the_documentation_has_every_measure(documentation: str) -> None:
    for subtask in (1, 2, 3, 4):
        for measure in TASK.measures(Options(subtask), None) or ():
            assert f"| `{measure.name}` |" in documentation, measure.name


def test_the_documentation_has_every_reason_and_the_cases_show_them(documentation: str) -> None:
    shown = set()
    for path in (ROOT / "tests/tasks/are/valid").glob("*/expected.yaml"):
        shown |= set((yaml.safe_load(path.read_text()) or {}).get("explanations") or {})
    assert shown == REASONS
    section = documentation.partition("## Explanations")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == REASONS


def test_the_schemas_say_where_they_come_from() -> None:
    page = (ROOT / "schemas" / "SOURCES.md").read_text(encoding="utf-8")
    for path in ROOT.glob("schemas/are*"):
        assert f"`{path.name}`" in page, path.name


def scored(folder: Path, subtask: int, **texts: str) -> SuiteResult:
    write(folder, {f"{role}.xml": text for role, text in texts.items()})
    files = {role: folder / f"{role}.xml" for role in texts}
    result = score("are", options={"subtask": subtask}, explain=True, **files)
    assert result.all_problems() == ()
    return result


def counts_of(result: SuiteResult) -> Mapping[str, int]:
    (case,) = result.cases
    assert case.explanations is not None
    return case.explanations.counts


def test_the_worked_examples_of_the_documentation(documentation: str, tmp_path: Path) -> None:
    """The page's files give the page's figures."""
    blocks = re.findall(r"^```xml\n(.*?)^```$", documentation, re.MULTILINE | re.DOTALL)
    source, gold, system, text, key, output = blocks
    result = scored(tmp_path, 1, input=source, gold=gold, system=system)
    assert result["success_rate"] == (0.5 + 0 + 1) / 3
    assert counts_of(result) == {"half-wrong": 1, "wrong": 1}
    result = scored(tmp_path, 3, input=text, gold=key, system=output)
    assert result["precision"] == (2 / 4) / 2
    assert result["recall"] == (2 / 4) / 1
    assert result["f1"] == 2 * 0.5 / (2 + 1)
    assert (result["identification.precision"], result["identification.recall"]) == (1 / 2, 1)
    result = scored(tmp_path, 2, gold=id_chains(["abc", "defg"]), system=id_chains(["ab", "cd", "fghi"]))
    assert (result["muc.recall"], result["muc.precision"]) == (2 / 5, 2 / 5)
    result = scored(
        tmp_path,
        4,
        input=words(12),
        gold=span_chains([[(0, 4), (5, 6), (7, 10)]]),
        system=span_chains([[(0, 2), (5, 6), (7, 9)]]),
    )
    assert result["muc_overlap.f1"] == pytest.approx(19 / 24, abs=1e-12)


@pytest.mark.parametrize(
    ("answers", "halves", "reason"),
    [
        ({"s1": "Mira"}, 2, "resolved"),
        ({"s1": "s2", "s2": "her", "her": "Mira"}, 2, "resolved"),
        ({"s1": "s2"}, 1, "half-unanswered"),
        ({"s1": "s2", "s2": "Olaf"}, 1, "half-wrong"),
        ({"s1": "s2", "s2": "s1"}, 1, "half-cycle"),
        ({"s1": "s2", "s2": "her", "her": "s2"}, 1, "half-cycle"),
        ({"s1": "Olaf"}, 0, "wrong"),
    ],
)
def test_the_table_of_half_credits(answers: dict[str, str], halves: int, reason: str, tmp_path: Path) -> None:
    names = ("Mira", "s1", "s2", "her", "Olaf")
    source = candidates(names, names[1:4])
    result = scored(tmp_path, 1, input=source, gold=id_chains([names[:4]]), system=id_pairs(answers))
    evidence = result.evidence
    assert evidence is not None
    assert 2 * evidence.column("resolved")[0] + evidence.column("half")[0] == halves
    assert (reason in counts_of(result)) == (reason != "resolved")


@pytest.mark.parametrize(
    ("pairs", "credit"),
    [
        ({(5, 6): (9, 10), (9, 10): (0, 4)}, 1 + 1),
        ({(5, 6): (9, 10), (9, 10): (0, 2)}, 1 + 2 / 4),
        ({(5, 6): (9, 10)}, 1 / 2),
        ({(5, 6): (9, 10), (9, 10): (7, 8)}, 1 / 2 + 0),
        ({(5, 6): (9, 10), (9, 10): (5, 6)}, 1 / 2 + 1 / 2),
        ({(5, 6): (9, 11)}, 1 / 2 * 1 / 2),
    ],
)
def test_the_table_of_half_credits_of_spans(pairs: dict[tuple[int, int], tuple[int, int]], credit: float, tmp_path: Path) -> None:
    gold = span_chains([[(0, 4), (5, 6), (9, 10)]], [(5, 6), (9, 10)])
    result = scored(tmp_path, 3, input=words(11), gold=gold, system=span_pairs(pairs))
    assert result["recall"] == credit / 2


def test_the_files_of_the_example_fit_each_other() -> None:
    """Values are the words they stand for, the figures those of the page, and no file has as much as a warning."""
    folder = ROOT / "examples" / "are"
    texts = etree.parse(folder / "words/tug-input.xml")
    words_of = [" ".join((node.tail or "").split()) for node in texts.iter("node")]
    places = 0
    for path in (*folder.glob("words/*-key.xml"), *folder.glob("system/3/*/*.xml"), *folder.glob("system/4/*/*.xml")):
        for element in etree.parse(path).iter("node", "pronoun", "antecedent"):
            start, end = (int(element.get(name, "")) for name in ("start", "end"))
            assert element.get("value") == " ".join(words_of[start - 1 : end - 1]), (path, start)
            places += 1
    assert places > 80
    results = [evaluate(suite) for suite in load_suites(folder / "nlpeval.yaml")]
    assert all(result.all_problems() == () for result in results)
    page = (folder / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `([a-z-]+/[a-z]+)` \| ([a-z0-9._]+) \| ([0-9.]+) \|$", page, re.MULTILINE)
    assert [name for name, _, _ in shown] == [result.suite.name for result in results]
    for result, (_, measure, value) in zip(results, shown, strict=True):
        assert f"{result[measure]:.3f}" == value
