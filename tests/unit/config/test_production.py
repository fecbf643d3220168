"""`produce`: what is wrong with an entry, and which commands an entry comes to."""

from __future__ import annotations

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


def test_one_system_and_no_document_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="but the system has one file"):
        productions(tmp_path, '{command: [make, "{doc}"]}', "out.txt", "d1.gold")
    write(
        tmp_path, {"nlpeval.yaml": config_text(task="labels", gold="d1.gold", system="{a: a, b: b}", produce="{command: [make]}")}
    )
    with pytest.raises(ConfigError, match="give `system` as one path"):
        load_suites(tmp_path / "nlpeval.yaml")
