"""A table of settings in `pyproject.toml` is refused by name, wherever it would be expected to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import ConfigError, load_suites
from pytest_nlpeval.config.pyproject import TABLES, misplaced_tables
from tests.support import command, make_suite, run_pytest, write

TABLE = '[project]\nname = "x"\n\n[tool.nlpeval]\nversion = 1\n'
SAID = "pyproject.toml:4: config.pyproject: nothing reads [tool.nlpeval]; write the suites into nlpeval.yaml beside it"


def found(folder: Path, text: str | bytes) -> list[str]:
    write(folder, {"pyproject.toml": text})
    return [f"{problem.place} {problem.message.split(';')[0]}" for problem in misplaced_tables(folder)]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, f"# of {name}\n[ tool . {name} ]\n") == [f"pyproject.toml:2 nothing reads [tool.{name}]"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[tool.nlpeval.suites]]\nname = 's'\n", "pyproject.toml:1"),
        ("[tool.'nlpeval']\n", "pyproject.toml:1"),
        ("\ntool.nlpeval.version = 1\n", "pyproject.toml"),
        ("[tool]\nnlpeval = {version = 1}\n", "pyproject.toml"),
    ],
)
def test_however_it_is_written(tmp_path: Path, text: str, place: str) -> None:
    assert [line.partition(" ")[0] for line in found(tmp_path, text)] == [place]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[project]\ndependencies = ['pytest-nlpeval']\n[tool.pytest.ini_options]\nnlpeval_order = 'first'\n",
        "[tool.nlpeval-like]\n",
        "tool = 'nlpeval'\n",
        "[tool.nlpeval\n",
        b"\xff[tool.nlpeval]\n\xff",
        "a = " + "[" * 100_000 + " # nlpeval",
        f"a = {'9' * 4400} # nlpeval",
    ],
)
def test_what_is_no_such_table_is_not_told(tmp_path: Path, text: str | bytes) -> None:
    assert found(tmp_path, text) == []


def test_a_folder_of_that_name_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").mkdir()
    assert list(misplaced_tables(tmp_path)) == []


def test_it_counts_up_to_the_root_and_no_further(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": TABLE, "repo/.git/HEAD": "", "repo/pyproject.toml": TABLE, "repo/a/pyproject.toml": ""})
    suite = make_suite(tmp_path / "repo/a/b")
    with pytest.raises(ConfigError) as caught:
        load_suites(suite / "nlpeval.yaml")
    assert [problem.place for problem in caught.value.problems] == ["pyproject.toml:4"]
    assert load_suites(suite / "nlpeval.yaml", root=tmp_path / "repo/a")


@pytest.mark.parametrize("arguments", [["run"], ["validate"], ["baseline", "show"]])
@pytest.mark.parametrize("has_configuration", [True, False])
def test_the_command_refuses_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    has_configuration: bool,
) -> None:
    write(tmp_path, {"pyproject.toml": TABLE})
    if has_configuration:
        make_suite(tmp_path)
    monkeypatch.chdir(tmp_path)
    ended = command(capfd, *arguments)
    assert ended.code == 2
    assert ended.err.count("config.pyproject") == 1
    assert SAID in ended.err


def test_it_is_told_below_the_folder_that_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {".git/HEAD": "", "pyproject.toml": TABLE, "inner/x": ""})
    monkeypatch.chdir(tmp_path / "inner")
    assert "../pyproject.toml:4: config.pyproject" in command(capfd, "run").err


@pytest.mark.parametrize("has_configuration", [True, False])
def test_pytest_refuses_it(pytester: pytest.Pytester, has_configuration: bool) -> None:
    write(pytester.path, {"pyproject.toml": TABLE})
    if has_configuration:
        make_suite(pytester.path)
    ended = run_pytest(pytester)
    assert ended.code == (2 if has_configuration else 4)
    assert SAID in ended.all


def test_pytest_refuses_it_where_tests_judge_alone(pytester: pytest.Pytester) -> None:
    write(pytester.path, {"pyproject.toml": TABLE, "test_own.py": "def test_it(nlpeval): pass\n"})
    assert run_pytest(pytester).code == 4
    assert run_pytest(pytester, "test_own.py").code == 4
