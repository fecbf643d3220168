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
from tests.words import prose_of

DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *DOCS.rglob("*.md"))
}
COMMAND, PYTEST, CI, CONFIGURATION = (PAGES[f"docs/{name}.md"] for name in ("command", "pytest", "ci", "configuration"))
OF_USERS = {path: text for path, text in PAGES.items() if not path.startswith("docs/developers/")}

OF_OTHERS = {
    "--benchmark-compare-fail",
    "--cov",
    "--dist",
    "--enhancements",
    "--lf",
    "--multiple-roots-okay",
    "--shell",
    "--to_json",
}
"""Options of other programs that the pages name: of pytest's plugins, which a run may leave out, of scorers, of argcomplete."""

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
def options_of_pytest(request: pytest.FixtureRequest) -> set[str]:
    """The options of pytest itself and of all its plugins."""
    parser = request.config._parser
    return {name for group in (*parser._groups, parser._anonymous) for option in group.options for name in option.names()}


@pytest.fixture(scope="module")
def pytest_options(options_of_pytest: set[str]) -> set[str]:
    return {name for name in options_of_pytest if name.startswith("--nlpeval")}


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


def test_no_page_names_an_option_that_no_program_has(options_of_pytest: set[str]) -> None:
    """Options that stand without a command in front, such as `--since`."""
    having = set().union(*map(options_of, COMMANDS.values())) | {"--help"} | options_of_pytest | OF_OTHERS
    roles = {f"--{role.name}" for task in TASKS for role in load_task(task).roles}
    named = {
        (page, option)
        for page, text in OF_USERS.items()
        for code in re.findall(r"`([^`\n]+)`", text)
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", code)
    }
    assert len(named) > 100
    assert {(page, option) for page, option in named if option not in having | roles} == set()
    assert {option for _, option in named} >= OF_OTHERS


def known_codes() -> set[str]:
    return {*codes(), *(code for task in TASKS for code in load_task(task).problems)}


def test_no_page_lists_a_code_that_does_not_exist() -> None:
    known = known_codes()
    listed = {
        (page, code) for page, text in PAGES.items() for row in CODE.finditer(text) for code in re.findall(r"`([^`]+)`", row[1])
    }
    assert len(listed) > 200
    assert {(page, code) for page, code in listed if code not in known and page != "docs/python.md"} == set()


def test_no_page_names_a_code_that_does_not_exist() -> None:
    """Codes in sentences and tables, which begin as one that exists, and codes of messages in blocks; files and measures look alike."""
    known, families = known_codes(), {code.partition(".")[0] for code in known_codes()}
    measures = {"best.exact", "best.f1"}
    named = {(page, code) for page, text in OF_USERS.items() for code in re.findall(r"`([a-z]+\.[a-z][a-z0-9-]*)`", text)}
    told = {(page, code) for page, text in OF_USERS.items() for code in re.findall(r": ([a-z]+\.[a-z][a-z0-9-]*): ", text)}
    codes_named = {
        (page, code)
        for page, code in named
        if code.partition(".")[0] in families and not code.endswith((".json", ".md", ".txt")) and code not in measures
    }
    codes_told = {(page, code) for page, code in told if page != "docs/python.md"}  # a task of another package
    assert min(len(codes_named), len(codes_told)) > 50
    assert {(page, code) for page, code in codes_named | codes_told if code not in known} == set()


def test_no_page_names_a_condition_that_does_not_exist() -> None:
    others = {"if_no_value", "no_answer_probability", "no_punct"}
    pattern = r"`((?:max|min|no|non|must|known|if)_[a-z_]+)\b"
    named = {(page, name) for page, text in OF_USERS.items() for name in re.findall(pattern, text)}
    assert {(page, name) for page, name in named if name not in {*CONDITIONS, *others}} == set()
    assert {name for _, name in named} >= others


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


@pytest.mark.parametrize("task", TASKS)
def test_the_page_of_a_task_names_no_other_option(task: str) -> None:
    """Of an option that is a mapping, its keys may have rows, too."""
    rows = PAGES[f"docs/{task}.md"].partition("## Options")[2].partition("\n## ")[0]
    named = {name for row in re.findall(r"^\| (`[^|]+) \|", rows, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert named - set(properties_of(load_task(task).options_schema)) == set()


def properties_of(schema: object) -> Iterator[str]:
    """Yield the names of all properties of a schema, however deep."""
    if isinstance(schema, Mapping):
        yield from schema.get("properties", {})
    for inner in schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ():
        yield from properties_of(inner)


@pytest.mark.parametrize("page", sorted(page for page in PAGES if page.startswith("docs/howto-")))
def test_a_page_that_says_how_is_short(page: str) -> None:
    assert len(prose_of(PAGES[page]).split()) <= 600


def test_the_page_on_python_names_every_parameter_of_load_suites() -> None:
    table = PAGES["docs/python.md"].partition("`load_suites` has these parameters:")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(inspect.signature(load_suites).parameters)


def test_the_page_on_ci_names_every_input_of_the_action_and_no_other() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    rows = CI.partition("## Inputs")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", rows, re.MULTILINE)) == set(inputs)


def test_no_page_names_an_input_that_no_action_has() -> None:
    actions = (yaml.safe_load((ROOT / path).read_text(encoding="utf-8")) for path in ("action.yml", "action/comment/action.yml"))
    inputs = {name for action in actions for name in action["inputs"]}
    named = {(page, name) for page, text in PAGES.items() for name in re.findall(r"\binput\s+`([a-z-]+)", text)}
    assert {name for _, name in named} >= {"allow-outside", "args", "paths", "produce"}
    assert {(page, name) for page, name in named if name not in inputs} == set()
