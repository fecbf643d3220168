"""`produce`: what is wrong with an entry, and which commands an entry comes to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_nlpeval import ConfigError, load_suites
from pytest_nlpeval.config.production import Making, Production
from tests.support import config_text, write

MAKING = Making("run")


def productions(folder: Path, produce: str, system: str = "out/{doc}.txt", gold: str = '"{doc}.gold"') -> list[Production | None]:
    write(folder, {"d1.gold": "a\n", "d2.gold": "a\n"})
    write(folder, {"nlpeval.yaml": config_text(task="labels", gold=gold, system=f'"{system}"', produce=produce)})
    (suite,) = load_suites(folder / "nlpeval.yaml", produce=MAKING)
    assert all(case.production is None for case in load_suites(folder / "nlpeval.yaml")[0].cases)
    return [case.production for case in suite.cases]


def test_a_command_for_each_document(tmp_path: Path) -> None:
    one, two = productions(tmp_path, '{command: [run, "{doc}", "{input}", "-o{output}"], input: "in/{doc}.txt", timeout: 5}')
    path = str(tmp_path / "in/d1.txt")
    assert one == Production(("run", "d1", path, "-o{output}"), tmp_path, str(tmp_path / "out/d1.txt"), (path,), (), 5.0, MAKING)
    assert two is not None
    assert two.output == str(tmp_path / "out/d2.txt")


def test_a_command_for_all_documents(tmp_path: Path) -> None:
    one, two = productions(tmp_path, "{command: [make, all], depends: [src/**]}")
    assert one == two == Production(("make", "all"), tmp_path, "", (), ("src/**",), 600.0, MAKING)
    (alone,) = productions(tmp_path, '{command: [make, "{output}"]}', "out.txt", "d1.gold")
    assert alone is not None
    assert alone.output == str(tmp_path / "out.txt")


@pytest.mark.parametrize(
    ("produce", "message"),
    [
        ("{command: []}", "config.invalid"),
        ("{command: make}", "config.invalid"),
        ("{comand: [make]}", "config.invalid"),
        ("{command: [make], timeout: 0}", "config.invalid"),
        ('{command: [make, "{input}"]}', "has {input}, but there is no `input`"),
        (
            '{command: [make, "{doc}", "{inptu}"]}',
            'unknown placeholder {inptu}; did you mean "input"?; write {{inptu}} if the command is to get {inptu} itself',
        ),
        ('{command: [make, "{gold}"]}', "unknown placeholder {gold}; known are "),
        ('{command: [make, "{input}"], input: "in/{x}.txt"}', "unknown placeholder {x}; the only one is {doc}"),
        ('{command: [make], input: "in/{doc}.txt"}', "the command runs once for all documents"),
        ('{command: [make], input: "../../in.txt"}', "leaves the root folder"),
        ("{command: [make], depends: [../src/*]}", "leaves the folder of the configuration"),
        ("{command: [make], depends: [/src/*]}", "leaves the folder of the configuration"),
        ("{command: [make], depends: [src/**.py]}", "stands for whole folders"),
    ],
)
def test_mistakes(tmp_path: Path, produce: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r"nlpeval\.yaml:7") as caught:
        productions(tmp_path, produce)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("{{gold}}", "{gold}"),
        ("{{doc}}-{{output}}", "{doc}-{output}"),
        ("{{{gold}}}", "{{gold}}"),
        ("{doc}{{doc}}{doc}", "d1{doc}d1"),
        ("${HOME}/${doc}", "${HOME}/$d1"),
        ("{}", "{}"),
        ('{"a": 1}', '{"a": 1}'),
        ("awk '{ print }'", "awk '{ print }'"),
        ("-o{output}", "-oA PATH"),
    ],
)
def test_braces_that_are_no_placeholder_reach_the_program(tmp_path: Path, word: str, given: str) -> None:
    one, _ = productions(tmp_path, f"{{command: [run, '{{doc}}', {json.dumps(word)}]}}")
    assert one is not None
    assert one.words("A PATH") == ["run", "d1", given]


def test_braces_in_the_name_of_a_document_are_its_own(tmp_path: Path) -> None:
    name = "{output}{{doc}}${x}"
    write(tmp_path, {f"{name}.gold": "a\n"})
    every = productions(tmp_path, '{command: [run, "{doc}", "{input}"], input: "in/{doc}.txt"}')
    (production,) = (each for each in every if each and name in each.output)
    assert production.words("A PATH") == ["run", name, str(tmp_path / f"in/{name}.txt")]


def test_a_command_whose_braces_are_all_its_own_runs_once(tmp_path: Path) -> None:
    one, two = productions(tmp_path, '{command: [run, "{{doc}}", "{{output}}"]}')
    assert one == two == Production(("run", "{{doc}}", "{{output}}"), tmp_path, "", making=MAKING)
    assert not one.is_named


def test_one_system_and_no_document_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="but the system has one file"):
        productions(tmp_path, '{command: [make, "{doc}"]}', "out.txt", "d1.gold")
    write(
        tmp_path, {"nlpeval.yaml": config_text(task="labels", gold="d1.gold", system="{a: a, b: b}", produce="{command: [make]}")}
    )
    with pytest.raises(ConfigError, match="give `system` as one path"):
        load_suites(tmp_path / "nlpeval.yaml")
