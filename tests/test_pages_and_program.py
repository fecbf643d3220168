"""What the program can be told is on its page, and no page names a command, an option, a code or a key that the program does not have."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterator, Mapping

import pytest
import yaml

from pytest_nlpeval import load_suites
from pytest_nlpeval.cli import parser as command_parser
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.guards import CONDITIONS
from pytest_nlpeval.reports import EVIDENCE
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.problem_codes import codes
from pytest_nlpeval.tasks import TASKS, load_task
from tests.transcripts import ROOT

DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *DOCS.rglob("*.md"))
}
COMMAND, PYTEST, CI, CONFIGURATION = (PAGES[f"docs/{name}.md"] for name in ("command", "pytest", "ci", "configuration"))
CODE = re.compile(r"^\| ((?:`[a-z]+\.[a-z][a-z0-9-]+`(?:, )?)+) \| (?:error|warning|off)\b", re.MULTILINE)


def subparsers(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The commands of a parser, such as `run` and `baseline show`."""
    commands: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, each in action.choices.items():
                inner = {f"{name} {action}": of_action for action, of_action in subparsers(each).items()}
                commands |= inner or {name: each}
    return commands


COMMANDS = subparsers(command_parser._parser())


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings if option.startswith("--")} - {"--help"}


def code_in(page: str) -> Iterator[str]:
    """Yield what stands in blocks and in backticks on a page."""
    for block in re.finditer(r"^```\w*\n(.*?)^```$|^ {4}(\S[^\n]*)$|`([^`\n]+)`", page, re.MULTILINE | re.DOTALL):
        yield next(filter(None, block.groups()), "")


@pytest.fixture(scope="module")
def pytest_options(request: pytest.FixtureRequest) -> set[str]:
    every = {name for group in request.config._parser._groups for option in group.options for name in option.names()}
    return {name for name in every if name.startswith("--nlpeval")}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_the_command_names_every_command_and_option(name: str) -> None:
    table = "\n".join(re.findall(r"^\| .*$", COMMAND, re.MULTILINE))
    assert re.search(rf"^\| `nlpeval {name}\b", table, re.MULTILINE), f"nlpeval {name}"
    assert [option for option in sorted(options_of(COMMANDS[name])) if not re.search(rf"{option}(?![\w-])", table)] == []


def test_the_table_of_options_says_which_commands_have_one() -> None:
    """Rows of one option may be several, each for other commands."""
    listed: dict[str, set[str]] = {}
    for options, commands in re.findall(r"^\| (`--[^|]*) \| ([^|]*) \|", COMMAND, re.MULTILINE):
        for option in re.findall(r"--[a-z-]+", options):
            called = re.findall(r"`([a-z]+(?: (?:update|show))?)\b", commands)
            listed.setdefault(option, set()).update(name for name in COMMANDS if {name, name.partition(" ")[0]} & {*called})
    having = {option: {name for name, each in COMMANDS.items() if option in options_of(each)} for option in listed}
    assert listed == having


def test_no_page_names_a_command_that_does_not_exist() -> None:
    named = {
        (page, word)
        for page, text in PAGES.items()
        for code in code_in(text)
        for word in re.findall(r"(?:^|(?:\$|&&|;|\|) )nlpeval ([a-z]+)", code, re.MULTILINE)
    }
    assert len(named) > 50
    assert {(page, word) for page, word in named if word not in {name.partition(" ")[0] for name in COMMANDS}} == set()


def test_no_page_names_an_option_of_a_command_that_does_not_exist() -> None:
    roles = {f"--{role.name}" for task in TASKS for role in load_task(task).roles}
    having = {name: options_of(each) | {"--help"} | (roles if name == "score" else set()) for name, each in COMMANDS.items()}
    wrong = []
    for page, text in PAGES.items():
        lines = (line for code in code_in(text) for line in code.splitlines())
        for line in lines:
            if called := re.match(rf"(?:\$ )?nlpeval ({'|'.join(COMMANDS)})\b(.*)", line):
                given = set(re.findall(r"(?<!\S)--[a-z][\w-]*", called[2].split(" | ")[0].split(" && ")[0]))
                wrong += [(page, line, option) for option in given - having[called[1]]]
    assert wrong == []


def test_the_page_on_pytest_names_every_option(pytest_options: set[str]) -> None:
    assert len(pytest_options) > 10
    assert [option for option in sorted(pytest_options) if not re.search(rf"^\|[^|]*`{option}\b", PYTEST, re.MULTILINE)] == []


def test_help_of_the_report_option_names_every_format(request: pytest.FixtureRequest) -> None:
    (told,) = (
        option.attrs()["help"]
        for group in request.config._parser._groups
        for option in group.options
        if "--nlpeval-report" in option.names()
    )
    listed = told.partition("one of ")[2].partition(";")[0]
    assert listed.split(", ") == [*formats_of("run"), EVIDENCE]


def test_no_page_names_an_option_of_pytest_that_does_not_exist(pytest_options: set[str]) -> None:
    named = {(page, option) for page, text in PAGES.items() for option in re.findall(r"--nlpeval[a-z-]*", text)}
    assert {(page, option) for page, option in named if option.rstrip("-") not in pytest_options} == set()


def test_no_page_lists_a_code_that_does_not_exist() -> None:
    known = {*codes(), *(code for task in TASKS for code in load_task(task).problems)}
    listed = {
        (page, code) for page, text in PAGES.items() for row in CODE.finditer(text) for code in re.findall(r"`([^`]+)`", row[1])
    }
    assert len(listed) > 200
    assert {(page, code) for page, code in listed if code not in known and page != "docs/python.md"} == set()


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_reference_names_every_condition(condition: str) -> None:
    assert re.search(rf"`{condition}\b", CONFIGURATION)


def test_the_reference_names_every_key_of_a_suite_and_no_other() -> None:
    definitions = json_schema("nlpeval.schema.json")["$defs"]
    rows = CONFIGURATION.partition("## Keys of a suite")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE))
    assert named == set(definitions["suite"]["properties"])


@pytest.mark.parametrize("task", TASKS)
def test_the_page_of_a_task_names_every_option(task: str) -> None:
    page = PAGES[f"docs/{task}.md"]
    assert [option for option in load_task(task).options_schema["properties"] if not re.search(rf"`{option}\b", page)] == []


def test_the_page_on_python_names_every_parameter_of_load_suites() -> None:
    table = PAGES["docs/python.md"].partition("`load_suites` has these parameters:")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(inspect.signature(load_suites).parameters)


def test_the_page_on_ci_names_every_input_of_the_action_and_no_other() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    rows = CI.partition("## Inputs")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", rows, re.MULTILINE)) == set(inputs)
