"""What the pages show works: their Python runs, their configurations are read, their task is built and installed as a package."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from shutil import copytree
from types import ModuleType
from typing import Any

import pytest
import yaml
from sybil import Document, Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

import pytest_nlpeval
from pytest_nlpeval import evaluate, formats, load_suites
from pytest_nlpeval.pytest_plugin.fixture import Scorer
from pytest_nlpeval.pytest_plugin.judging import Judging
from pytest_nlpeval.pytest_plugin.state import State
from pytest_nlpeval.reports.run.document import report_of
from tests.support import COMMAND, EAGER_COMMAND, Ended, apart, make_suite, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.run.outputs import GOLD, make_systems, run_wrong_on

ROOT = Path(__file__).parent.parent
TRANSCRIPTS = {"first-gate.md", "troubleshooting.md", *(path.name for path in (ROOT / "docs").glob("tutorial-*.md"))}
"""The pages whose blocks build on each other; `tests/test_transcripts.py` runs them."""

ELSEWHERE = {*TRANSCRIPTS, "howto-migrate.md"}
"""The pages that other tests run: the blocks of the last one need other libraries (`tests/oracle/test_migration.py`)."""

PAGES = (ROOT / "README.md", *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in ELSEWHERE))
MODULES = [path for path in sorted((ROOT / "pytest_nlpeval").rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


def read_configuration(example: Example) -> None:
    """Read a block that is a whole configuration, among files that its patterns match."""
    document = yaml.safe_load(example.parsed)
    if not isinstance(document, dict) or "version" not in document:
        return
    folder = Path.cwd() / f"line-{example.line}"
    write(folder, {"nlpeval.yaml": example.parsed, **dict.fromkeys(patterns(document["suites"]), "")})
    profiles = {profile for suite in document["suites"] for profile in suite.get("profiles", {})}
    for profile in (None, *sorted(profiles)):
        assert load_suites(folder / "nlpeval.yaml", profile=profile)


def patterns(value: Any) -> Iterator[str]:
    """Yield the path of a document `a` for each pattern in a configuration."""
    if isinstance(value, str) and "{doc}" in value:
        yield value.replace("{doc}", "a")
    elif isinstance(value, dict | list):
        yield from chain.from_iterable(map(patterns, value.values() if isinstance(value, dict) else value))


def find_explanation(example: Example) -> None:
    """Find the explanation that a block shows in the report of the example of exemplar."""
    results = [
        evaluate(suite, explain=True)
        for suite in load_suites(ROOT / "examples/exemplar/nlpeval.yaml", root=ROOT / "examples/exemplar")
    ]
    report = json.loads(json.dumps(report_of(results).to_json()))
    assert json.loads(example.parsed) in [entry for suite in report["suites"] for entry in suite["explanations"]["first"]]


def run_command(example: Example) -> None:
    """Run the command in an example, or in a repository whose outputs are known, and find the output that a block shows."""
    place = Path.cwd() / f"line-{example.line}"
    line, _, rest = example.parsed.partition("\n")
    if line.startswith("$ cd examples/"):
        copytree(ROOT / line.removeprefix("$ cd "), place)
        line, _, shown = rest.partition("\n")
        _, *words = shlex.split(line.removeprefix("$ "))
        assert apart(place, [*COMMAND, *words]).out == shown
        return
    command, *words = shlex.split(line.removeprefix("$ "))
    if command == "nlpeval" and words[0] in REPOSITORIES:
        REPOSITORIES[words[0]](start(place))
        assert unnamed(apart(place, [*COMMAND, *words]).out) == unnamed(rest)


def find_summary(example: Example) -> None:
    """Make the job summary of a run of the example of exemplar with a gate that was raised and a line that was spoilt."""
    folder = copytree(ROOT / "examples/exemplar", Path.cwd() / "spoilt")
    for name, before, after in (
        ("nlpeval.yaml", "f1: 0.55 ", "f1: 0.90 "),
        ("system/baseline.tsv", "Works\tacquired", "Works acquired"),
    ):
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(before) == 1
        write(folder, {name: text.replace(before, after)})
    assert apart(folder, [*COMMAND, "run", "--report", "markdown:-"]).out == example.parsed


def unnamed(text: str) -> str:
    """The text without the names of commits, which change with whatever is in them."""
    return re.sub(r"\b(?:[0-9a-f]{7}|[0-9a-f]{12})\b", lambda name: "0" * len(name.group()), text)


def of_systems(folder: Path) -> None:
    """Three systems, of which `ours` was better in the commit before."""
    make_systems(folder, ours={3}, rules=range(1, 5), first=range(1, 10))
    commit(folder)
    write(folder, {"ours/a.txt": run_wrong_on({5, 7})})
    commit(folder)


def of_commits(folder: Path) -> None:
    """Four commits, with the third of which nearly half of the output became wrong."""
    make_suite(folder, golds={"a": GOLD}, runs={"a": run_wrong_on({1, 2})})
    commit(folder, "First model")
    steps = {"More training data": {1}, "Prune the model": range(1, 9), "Prune less": range(1, 6)}
    for message, wrong in steps.items():
        write(folder, {"system/a.txt": run_wrong_on(wrong)})
        commit(folder, message)


def of_baseline(folder: Path) -> None:
    """A suite whose output became worse since the last commit."""
    gates = ("accuracy: {min: 0.75, max_drop: 0.01}", "coverage: 0.9")
    make_suite(folder, *gates, golds={"a": GOLD}, runs={"a": run_wrong_on({1})}, baseline="git:HEAD")
    commit(folder)
    write(folder, {"system/a.txt": run_wrong_on({1, 3, 4, 5, 6})})


REPOSITORIES = {"compare": of_systems, "history": of_commits, "run": of_baseline}

IN_PAGES = Sybil(
    [
        PythonCodeBlockParser(),
        CodeBlockParser("yaml", read_configuration),
        CodeBlockParser("json", find_explanation),
        CodeBlockParser("console", run_command),
        CodeBlockParser("markdown", find_summary),
    ]
)
IN_MODULES = Sybil([DocTestParser()])
DOCUMENTS = [document for document in map(IN_PAGES.parse, PAGES) if list(document.examples())]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example of rte, as the current folder."""
    monkeypatch.chdir(copytree(ROOT / "examples/rte", tmp_path / "rte"))
    return Path.cwd()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: Path(document.path).name)
def test_the_blocks_of_a_page_work(document: Document, example: Path, request: pytest.FixtureRequest) -> None:
    for block in document.examples():
        block.evaluate()
    for name, value in document.namespace.items():
        if name.startswith("test_"):  # as pytest would run it, with the fixture
            value(Scorer(request.session, State(request.config, stores=False, root=example), Judging()))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_in_docstrings_work(path: Path) -> None:
    for block in IN_MODULES.parse(path).examples():
        block.evaluate()


@pytest.mark.parametrize("module", [pytest_nlpeval, formats], ids=lambda module: module.__name__)
def test_the_page_on_python_has_every_public_name(module: ModuleType) -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    assert [
        name for name in module.__all__ if name != "__version__" and not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", page)
    ] == []


def shown(language: str, sign: str) -> str:
    """Return the block of the page on Python that has a sign in it."""
    blocks = Sybil([CodeBlockParser(language, lambda _: None)]).parse(ROOT / "docs/python.md").examples()
    (found,) = (str(block.parsed) for block in blocks if sign in block.parsed)
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package that the page shows is installed."""
    folder = tmp_path_factory.mktemp("keywords")
    package = {"my_keywords.py": shown("python", "TASK = Task("), "pyproject.toml": shown("toml", "nlpeval.tasks")}
    write(folder / "package", package)
    install = ("install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", "site", "./package")
    done = apart(folder, [sys.executable, "-W", "default", "-m", "pip", *install])  # pip warns itself
    assert done.code == 0, done.all
    return folder / "site"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two documents: of the first one keyword is missed and one is spurious, of the second nothing is wrong."""
    return make_suite(
        tmp_path,
        *("f1: 0.9", "precision: 0.8", "spurious: {max: 0}"),
        golds={"a": "Storm\tflood\n-\n", "b": "vote\n"},
        runs={"a": "storm\train\n-\n", "b": "Vote\n"},
        task="keywords",
        gold="gold/{doc}.tsv",
        system="system/{doc}.tsv",
        options="{ignore_case: true}",
    )


def run(site: Path, folder: Path, program: tuple[str, ...], *arguments: str) -> Ended:
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    return apart(folder, [*program, *arguments], {"PYTHONPATH": path})


def test_the_task_of_the_page_can_be_installed(site: Path, repository: Path) -> None:
    alone = run(site, repository, COMMAND, "run", "--no-cache", "--report", "json:-")
    workers = run(site, repository, EAGER_COMMAND, "run", "--no-cache", "--report", "json:-", "--jobs", "2")
    assert alone.code == workers.code == 1
    assert alone.out == workers.out
    (suite,) = json.loads(alone.out)["suites"]
    scores = {name: score["value"] for name, score in suite["scores"].items()}
    assert scores == {"f1": 2 / 3, "precision": 2 / 3, "recall": 2 / 3, "macro_f1": (1 / 2 + 1 + 1) / 3, "spurious": 1}
    explained = suite["explanations"]
    assert explained["counts"] == {"missed": 1, "spurious": 1}
    assert [(entry["path"], entry["line"], entry["item"]) for entry in explained["first"]] == [
        ("system/a.tsv", 1, "1 flood"),
        ("system/a.tsv", 1, "1 rain"),
    ]


def test_a_failed_gate_tells_what_its_measure_would_be_better_without(site: Path, repository: Path) -> None:
    ended = run(site, repository, (sys.executable, "-m", "pytest"), "--nlpeval", "-p", "no:randomly", "-k", "precision")
    assert ended.code == 1
    assert re.search(r"system/a\.tsv:1  .*rain", ended.out)
    assert re.search(r"(?m)^  wrong +1 spurious$", ended.out)  # what is missed bears on recall and F alone


@pytest.mark.parametrize(
    ("system", "code"),
    [
        ("Storm\t\tflood\n-\n", "system/a.tsv:1: keywords.empty"),
        ("storm\tStorm\n-\n", "system/a.tsv:1: keywords.twice"),
        ("storm\n", "system/a.tsv: keywords.lines"),
        (b"\xff\n-\n", "system/a.tsv:1:1: text.encoding"),
    ],
)
def test_every_problem_of_the_page_has_a_place(site: Path, repository: Path, system: str | bytes, code: str) -> None:
    write(repository, {"system/a.tsv": system})
    assert code in run(site, repository, COMMAND, "validate").all


def test_the_commands_know_the_task_of_the_page(site: Path, repository: Path) -> None:
    told = run(site, repository, COMMAND, "tasks", "keywords").out
    assert all(word in told for word in ("ignore_case", "macro_f1", "keywords.lines"))
    (repository / "new").mkdir()
    assert run(site, repository, COMMAND, "init", "new", "--task", "keywords").code == 0
    assert "gold/{doc}.tsv" in (repository / "new/nlpeval.yaml").read_text()
    write(repository, {"gold.tsv": "storm\n", "system.tsv": "Storm\n"})
    command, *words = shown("console", "nlpeval score").splitlines()[1].removeprefix("$ ").split()
    assert command == "nlpeval"
    ended = run(site, repository, COMMAND, *words)
    assert ended.code == 0
    assert re.search(r"^ *f1 +1\.0000", ended.out, re.MULTILINE), ended.out
