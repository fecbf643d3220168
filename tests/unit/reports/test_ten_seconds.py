"""The ten-second test: where a tired engineer reads the five facts of a gate that failed.

The facts are what failed; by how much, against limit and baseline; since when; whether it may be chance; and on which kind of items.
Each example is a suite whose output was good at the last commit and is that of the weaker system today. Each fact stands on the first
screen: on a terminal of 24 lines and 80 columns in the last 24 lines, since the last ones are seen, and of a job summary in the first 24.

| fact | terminal | Markdown |
|---|---|---|
| what failed | last paragraph, which begins with the suite's name: measure | alert: `Worst`, suite, measure |
| by how much | the same: value, `was`, drop, the limits that do not hold | alert: `fell from … to …`, `a drop of …`; table: limit |
| since when | the same, at its end: the baseline's commit, subject, author and day | alert, at its end |
| chance | the same: p | alert: `more than chance explains`, or `may be chance`, with p |
| which items | the same: how many are newly wrong, which kinds grew most | alert: newly wrong, `Most` |
"""

from __future__ import annotations

import html
import io
from pathlib import Path
from shutil import copy, copytree
from typing import NamedTuple

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.baselines.checkout import checkout_of
from pytest_nlpeval.cli.terminal import coloured
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.digest import SuiteDigest, digest_of
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import configured_folders, report_of
from pytest_nlpeval.reports.view import Setting
from tests.support import write
from tests.unit.baselines.repositories import commit, start

ROOT = Path(__file__).parents[3]
SCREEN, WIDTH = 24, 80


class Broken(NamedTuple):
    """A suite of an example: its task, gold, the file of the good output and that of the bad one, options, and the gated measures."""

    task: str
    gold: str
    good: str
    bad: str
    gates: tuple[str, ...]
    more: str = ""


EXAMPLES = [
    Broken("rte", "gold/dev.xml", "system/ours.txt", "system/overlap.txt", ("accuracy", "task.QA.accuracy")),
    Broken(
        "labels",
        "gold/reviews.tsv",
        "system/reviews-ours.tsv",
        "system/reviews-keywords.tsv",
        ("accuracy", "macro.f1"),
        "options: {labels: [negative, neutral, positive], group: domain, text: text}",
    ),
    Broken("spans", "gold/news.conll", "system/ours/news.conll", "system/baseline/news.conll", ("micro.f1", "PER.recall")),
    Broken(
        "cat",
        "gold/{doc}.xml",
        "system/ours/{doc}.xml",
        "system/baseline/{doc}.xml",
        ("EVENT_MENTION.strict.f1",),
        "config: config.txt",
    ),
    Broken("ud", "gold/{doc}.conllu", "system/ours/{doc}.conllu", "system/baseline/{doc}.conllu", ("las.f1", "upos.f1")),
]


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda example: example.task)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    example: Broken = request.param
    folder = tmp_path_factory.mktemp(example.task) / "repository"
    copytree(ROOT / "examples" / example.task, folder)
    gates = "".join(f'      "{measure}": {{min: 0.99, max_drop: 0.01}}\n' for measure in example.gates)
    fields = f"name: dev, task: {example.task}, gold: '{example.gold}', system: '{example.good}'"
    more = [example.more] if example.more else []
    text = "version: 1\ndefaults: {baseline: 'git:HEAD'}\nsuites:\n  - " + "\n    ".join([*fields.split(", "), *more])
    write(start(folder), {"nlpeval.yaml": f"{text}\n    gates:\n{gates}"})
    commit(folder, "Good output")
    for path in folder.glob(example.bad.replace("{doc}", "*")):
        copy(path, folder / Path(example.good).parent / (path.name if "{doc}" in example.good else Path(example.good).name))
    results = [evaluate(suite, explain=True) for suite in load_suites(folder / "nlpeval.yaml", root=folder)]
    return report_of(results, checkout=checkout_of(configured_folders(results)))


def facts_of(suite: SuiteDigest) -> dict[str, list[str]]:
    """The texts of each fact, which both screens show."""
    worst = suite.worst
    assert worst is not None
    assert suite.newly_wrong
    return {
        "what failed": [suite.name, worst.measure],
        "by how much": [worst.value, worst.baseline, worst.drop, *(limit.told for limit in worst.broken_limits)],
        "since when": [suite.baseline, "Good output, A, 14 Nov 2023 (git:HEAD)"],
        "chance": [worst.p.removeprefix("< ").removeprefix("> ")],
        "which items": [f"{suite.newly_wrong:,} item", suite.grown_most],
    }


def squeezed(text: str) -> str:
    """Text without the breaks of lines that a narrow screen makes."""
    return " ".join(text.split())


def test_the_last_screen_of_a_terminal_has_the_five_facts(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    lines = coloured(RUN.blocks(report, Setting(brief=True)), io.StringIO()).splitlines()
    assert max(map(len, lines)) <= WIDTH
    screen = squeezed("\n".join(lines[-SCREEN:]))
    (suite,) = digest_of(report).failed
    paragraph = screen[screen.rindex(f"✗ {suite.name}: ") :]
    for fact, texts in facts_of(suite).items():
        assert all(squeezed(text) in paragraph for text in texts), (fact, texts, paragraph)
    assert lines[-1].startswith("✗ ")


def test_the_first_screen_of_markdown_has_the_five_facts(report: Report) -> None:
    shown = render("markdown", report).replace("<!-- -->", "")
    screen = squeezed("\n".join(html.unescape(line) for line in shown.splitlines()[:SCREEN]))
    (suite,) = digest_of(report).failed
    alert, _, table = screen.partition("| verdict |")
    for fact, texts in facts_of(suite).items():
        place = screen if fact == "by how much" else alert
        assert all(squeezed(text) in place for text in texts), (fact, texts, place)
    assert "❌ failed" in table
