"""One word for each notion (`tests.words`) in every format, page and message, and the same digits for the same number."""

from __future__ import annotations

import ast
import html
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, evaluate, load_suites
from pytest_nlpeval.cli.terminal import coloured
from pytest_nlpeval.numbers import count
from pytest_nlpeval.pytest_plugin.records import record_of
from pytest_nlpeval.pytest_plugin.summary import SuiteView, summary_lines
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.digest import digest_of
from pytest_nlpeval.reports.github import workflow_commands
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.run.suite_blocks import MOST_KINDS
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import plural
from tests.browser.failing import FEW, repository
from tests.support import write
from tests.unit.baselines.repositories import commit, start
from tests.words import NOTIONS, long_sentences, other_words, pronouns_in_front, vague_words

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*/README.md")]
PROSE = [*PAGES, ROOT / "SECURITY.md", *(ROOT / "docs/developers").glob("*.md")]
MODULES = [*(ROOT / "pytest_nlpeval").rglob("*.py"), *(ROOT / "action").rglob("*.py")]

PROGRAMS = ("benchmark", "html")
"""Formats with numbers for programs: all digits, and the places of what is drawn."""

ROWS = [(f"i{number}", "ab"[number % 2], "xyz"[number % 3]) for number in range(60)]
GOLD = "id\tlabel\tdomain\n" + "".join(f"{name}\t{label}\t{domain}\n" for name, label, domain in ROWS)
RIGHT = "id\tlabel\n" + "".join(f"{name}\t{label}\n" for name, label, _ in ROWS)
WRONG_IN_X = "id\tlabel\n" + "".join(f"{name}\t{'b' if domain == 'x' else label}\n" for name, label, domain in ROWS)
MIXED = """version: 1
defaults: {baseline: "git:HEAD"}
suites:
  - {name: groups, task: labels, gold: gold.tsv, system: groups.tsv, options: {labels: [a, b], group: domain},
     gates: {accuracy: {no_group_falls: {max_drop: 0.05, alpha: 0.05}, max_newly_wrong: 3, min: 0.83334}}}
  - {name: chance, task: labels, gold: gold.tsv, system: chance.tsv, options: {labels: [a, b]},
     gates: {accuracy: {max_drop: 0.01, alpha: 0.05, non_inferior: 0.001}, macro.f1: {min: 0.9, informational: true, max: 0.95}}}
  - {name: broken, task: labels, gold: gold.tsv, system: broken.tsv, options: {labels: [a, b]}, gates: {accuracy: {min: 0.5}}}
  - {name: unjudged, task: labels, gold: gold.tsv, system: fine.tsv, options: {labels: [a, b]}, baseline: lost.json,
     gates: {accuracy: {min: 0.5, max_drop: 0.1}, macro.f1: {max_drop: 0.1}}}
  - {name: fine, task: labels, gold: gold.tsv, system: fine.tsv, options: {labels: [a, b]}, gates: {accuracy: 0.5}}
"""


def mixed(folder: Path) -> Path:
    """Make a repository whose gates fail, pass, are unjudged and informational, for whatever reason there is."""
    start(folder)
    good = {f"{name}.tsv": RIGHT for name in ("groups", "chance", "broken", "fine")}
    write(folder, {"nlpeval.yaml": MIXED, "gold.tsv": GOLD, **good})
    commit(folder, "Good outputs")
    one_wrong = RIGHT.replace("i0\ta", "i0\tb")
    return write(folder, {"groups.tsv": WRONG_IN_X, "chance.tsv": one_wrong, "broken.tsv": "id\tlabel\ni0\n"})


@pytest.fixture(scope="module", params=["failing", "mixed"])
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[SuiteResult]:
    folder = tmp_path_factory.mktemp(request.param)
    repository(folder, FEW) if request.param == "failing" else mixed(folder)
    suites = load_suites(folder / "nlpeval.yaml", root=folder)
    few = [replace(suite, statistics=replace(suite.statistics, resamples=1_000)) for suite in suites]
    return [evaluate(suite, explain=True) for suite in few]


@pytest.fixture(scope="module")
def formats(results: list[SuiteResult]) -> Mapping[str, str]:
    """What every format says of the results."""
    report = report_of(results)
    texts = {name: render(name, report) for name in ("text", "markdown", "html", "codequality", "benchmark")}
    texts["html"] = re.sub(r"<(script|style)\b.*?</\1>", "", texts["html"], flags=re.DOTALL)
    assert RUN.blocks is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "160")  # no column is left out
        texts["terminal"] = coloured(RUN.blocks(report, Setting(brief=True)), io.StringIO())
    texts["annotations"] = "\n".join(workflow_commands(report))
    return {**texts, "pytest": "\n".join(pytest_lines(results)), "reasons": "\n".join(reasons(report))}


def pytest_lines(results: list[SuiteResult]) -> Iterator[str]:
    """Yield what pytest says of the gates that do not hold, and the tables at the end."""
    records = []
    for result in results:
        view = SuiteView.of(result)
        for rank, gate in enumerate(result.gates):
            brief, lines = view.failed_gate(gate, is_first=not rank)
            yield from (brief, *lines)
        record = record_of("GateItem", result.suite, result=result, measures=list(result.scores))
        records.append({**record, "ranks": view.ranks})
    yield from (line for line, _ in summary_lines(records))


def reasons(report: Report) -> Iterator[str]:
    """Yield the sentences of a JSON report."""
    for suite in report.suites:
        yield from (gate.reason for gate in suite.gates)
        yield from suite.notes


def test_every_format_says_one_word_for_each_notion(formats: Mapping[str, str]) -> None:
    assert {name: words for name, text in formats.items() if (words := other_words(text, name))} == {}


SHOWN = ("text", "terminal", "markdown", "html", "pytest")
"""The formats that people read."""


def read(formats: Mapping[str, str]) -> Mapping[str, str]:
    """What a reader sees in each format: no markup, and one blank where there is any white space."""
    texts = {name: formats[name] for name in SHOWN}
    for name in ("html", "markdown"):
        texts[name] = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"</t[dh]>", " ", texts[name])))
    return {name: " ".join(text.split()) for name, text in texts.items()}


def test_every_format_has_the_digits_of_the_digest(formats: Mapping[str, str], results: list[SuiteResult]) -> None:
    """Value, baseline, drop and p of each measure that fails, and the distance from each limit that it breaks."""
    texts = read(formats)
    for suite in digest_of(report_of(results)).failed:
        for row in suite.failing:
            told = [row.value, row.p, *(limit.distance for limit in row.broken_limits)]
            told += [row.baseline, row.drop] if row.score.drop is not None else []
            told_in_full = [*told, row.interval]
            for name, text in texts.items():
                facts = told if name in ("markdown", "pytest") else told_in_full  # which have no room for all columns
                assert [fact for fact in facts if fact not in text] == [], (name, suite.name, row.measure)


def test_every_format_counts_alike(formats: Mapping[str, str], results: list[SuiteResult]) -> None:
    """The verdict, how many items are newly wrong, and of each sort of kinds those that grew most, with their counts."""
    digest = digest_of(report_of(results))
    texts = read(formats)
    for name in ("text", "terminal", "markdown"):
        assert digest.verdict.text in texts[name]
    page = texts["html"].replace("; ", " ")
    assert all(part in page for part in digest.verdict.text.split("; "))
    for suite in digest.failed:
        for kind in (kind for growth in suite.growth for kind in growth.grown[:MOST_KINDS]):
            assert [name for name in SHOWN if name != "html" and kind.text not in texts[name]] == [], (suite.name, kind)
            counts = (re.escape(count(number)) for number in (kind.then, kind.today) if number is not None)
            row = re.escape(kind.name) + r"\b.{,80}?\b" + r"\b.{,20}?\b".join(counts)
            assert re.search(row, texts["html"]), (suite.name, kind)
        if suite.newly_wrong:
            newly = f"{plural(suite.newly_wrong, 'item')} {'is' if suite.newly_wrong == 1 else 'are'} newly wrong"
            assert [name for name in ("text", "terminal", "html") if newly not in texts[name]] == []


def test_every_format_has_the_rows_of_a_suite_in_the_same_order(formats: Mapping[str, str], results: list[SuiteResult]) -> None:
    """The measures that fail, the worst first, whatever their order in the configuration."""
    for suite in digest_of(report_of(results)).failed:
        rows = [(row.measure, row.value) for row in suite.failing]
        patterns = {
            "text": "{} +{}",
            "terminal": "{} +{}",
            "pytest": "{} +{}",
            "markdown": rf"<code>{suite.name}</code> \| <code>{{}}</code> \| (?:\*\*)?{{}}",
        }
        for name, pattern in patterns.items():
            marks = "" if name == "markdown" else "[✗!] "
            places = [
                re.search(marks + pattern.format(re.escape(measure), re.escape(value)), formats[name]) for measure, value in rows
            ]
            starts = [place.start() for place in places if place]
            assert len(starts) == len(rows), (name, suite.name)
            assert starts == sorted(starts), (name, suite.name)


def test_every_format_has_the_suites_in_the_same_order(formats: Mapping[str, str], results: list[SuiteResult]) -> None:
    """The worst first; on a terminal, and in text for one, last, where it is seen. The order of the configuration decides nothing."""
    names = [suite.name for suite in digest_of(report_of(results)).failed]
    assert len(names) > 2
    on_terminals = {"text": "^✗ {} \\(", "terminal": "^✗ {} \\(", "pytest": "^{}, [0-9]+ document"}
    for name, pattern in {**on_terminals, "markdown": "<code>{}</code>", "html": '<section id="{}"'}.items():
        places = [re.search(pattern.format(re.escape(suite)), formats[name], re.MULTILINE) for suite in names]
        starts = [place.start() for place in places if place]
        assert len(starts) == len(names), name
        assert starts == sorted(starts, reverse=name in on_terminals), name


def test_no_number_has_more_digits_than_a_reader_needs(formats: Mapping[str, str]) -> None:
    """Four decimals are the most, but for limits, which are as the configuration has them, and values that would look like one."""
    long = {name: re.findall(r"(?<![\w./])\d+\.\d{5,}(?![\w.])", text) for name, text in formats.items() if name not in PROGRAMS}
    allowed = {"0.83334", "0.83333", "0.00001"}
    assert {name: set(numbers) - allowed for name, numbers in long.items() if set(numbers) - allowed} == {}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_page_says_one_word_for_each_notion(path: Path) -> None:
    prose = re.sub(r"`[^`\n]*`", "", path.read_text("utf-8"))
    assert other_words(prose, str(path.relative_to(ROOT))) == []


@pytest.mark.parametrize("path", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_page_has_short_sentences_that_name_the_thing(path: Path) -> None:
    page = path.read_text("utf-8")
    assert (long_sentences(page), vague_words(page), pronouns_in_front(page)) == ([], [], [])


def test_every_message_says_one_word_for_each_notion() -> None:
    said = {}
    for path in MODULES:
        for line, text in texts_of(path):
            if " " in text and (words := other_words(text, str(path.relative_to(ROOT)))):
                said[f"{path.relative_to(ROOT)}:{line}"] = words
    assert said == {}


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are no docstrings, with their lines."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


@pytest.mark.parametrize("path", sorted((ROOT / "schemas").glob("*.json")), ids=lambda path: path.name)
def test_every_description_of_a_schema_says_one_word_for_each_notion(path: Path) -> None:
    assert other_words("\n".join(descriptions(json.loads(path.read_text("utf-8")))), f"schemas/{path.name}") == []


def descriptions(schema: object) -> Iterator[str]:
    """Yield all descriptions of a schema, quoted names left out."""
    if isinstance(schema, dict):
        if isinstance(schema.get("description"), str):
            yield re.sub(r"`[^`]*`", "", schema["description"])
        for value in schema.values():
            yield from descriptions(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from descriptions(value)


@pytest.mark.parametrize("notion", NOTIONS, ids=lambda notion: notion.word)
def test_no_word_is_another_word_for_its_own_notion(notion: object) -> None:
    assert all(other_words(f"{each.word}: {each.meaning}", "") == [] for each in NOTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "the threshold 0.5",
        "0.4 is 0.1 below the minimum",
        "gates that hold",
        "the gate does not hold",
        "is not significant",
        "(before: missed",
    ],
)
def test_another_word_is_found(text: str) -> None:
    assert len(other_words(text, "docs/command.md")) == 1
