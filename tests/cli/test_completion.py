"""What a shell offers behind `nlpeval`, asked as the shell asks: with the line so far, and a file for the answer."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from pytest_nlpeval.cli.completion import NAMES, _actions
from pytest_nlpeval.cli.parser import _parser
from tests.support import COMMAND, apart, config_text, make_suite, write

pytest.importorskip("argcomplete")

PROFILED = {"system": "{ours: 'system/{doc}.txt', old: 'old/{doc}.txt'}", "profiles": "{release: {accuracy: 0.9}}"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_suite(tmp_path, config=config_text("accuracy: 0.1", **PROFILED))
    return write(tmp_path, {"broken/nlpeval.yaml": "version: 3\n", "other.nlpeval.yaml": config_text(name="dev-2")})


def offered(folder: Path, line: str) -> set[str]:
    """The words that are offered at the end of a line."""
    answer = folder / "answer"
    variables = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SHELL": "bash",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line.encode())),
        "COMP_TYPE": "9",
    }
    ended = apart(folder, [*COMMAND], variables)
    assert (ended.code, ended.all) == (0, "")
    return {word.strip() for word in answer.read_text(encoding="utf-8").splitlines()}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nlpeval ex", {"explain"}),
        ("nlpeval va", {"validate"}),
        ("nlpeval help va", {"validate"}),
        ("nlpeval run --prof", {"--profile"}),
        ("nlpeval run --profile ", {"release"}),
        ("nlpeval compare de", {"dev", "dev/ours", "dev/old", "dev-2"}),
        ("nlpeval run --suite dev/", {"dev/ours", "dev/old"}),
        ("nlpeval tasks exem", {"exemplar"}),
        ("nlpeval validate --task co", {"coref"}),
        ("nlpeval explain rte.ti", {"rte.ties"}),
        ("nlpeval explain gua", {"guard", "guard.both", "guard.duplicate", "guard.empty", "guard.no-such-item"}),
        ("nlpeval report na", {"native"}),
        ("nlpeval baseline ", {"show", "update"}),
        ("nlpeval baseline update --ex", {"--executor"}),
        ("nlpeval baseline show --ex", set()),
        ("nlpeval baseline show --suite dev/o", {"dev/ours", "dev/old"}),
        ("nlpeval score exem", {"exemplar"}),
        ("nlpeval score gol", {"gold/"}),
        ("nlpeval init gol", {"gold/"}),
        ("nlpeval init exem", set()),
        ("nlpeval explain nothing", set()),
    ],
)
def test_what_begins_so_is_offered(folder: Path, line: str, words: set[str]) -> None:
    assert {word for word in offered(folder, line) if not word.startswith("--") or "--" in line} == words


def test_every_kind_of_names_belongs_to_an_argument() -> None:
    """An argument that is renamed must not lose what is offered for it."""
    called = {name for action in _actions(_parser()) for name in (action.metavar, action.dest)}
    assert set(NAMES) - called == set()


def test_every_command_is_offered(folder: Path) -> None:
    every = {"run", "score", "validate", "report", "baseline", "compare", "history", "tasks", "init", "explain", "doctor", "help"}
    assert every <= offered(folder, "nlpeval ")


def test_without_the_extra_nothing_is_carried_out(folder: Path) -> None:
    """The shell asks in an environment that lacks argcomplete: the line so far is no call."""
    program = "import sys; sys.modules['argcomplete'] = None; from pytest_nlpeval.cli import main; sys.exit(main())"
    ended = apart(folder, [sys.executable, "-c", program, "run"], {"_ARGCOMPLETE": "1", "COMP_LINE": "nlpeval run "})
    assert (ended.code, ended.all) == (1, "")


def test_a_shell_completes(folder: Path) -> None:
    """As the page says: bash, told once by `register-python-argcomplete`."""
    programs = Path(sys.executable).parent
    if shutil.which("bash") is None or not (programs / "nlpeval").exists():
        pytest.skip("no bash, or no script of the command")
    script = """
        eval "$(register-python-argcomplete nlpeval)"
        COMP_LINE='nlpeval explain rte.ti' COMP_POINT=22 COMP_TYPE=9 COMP_WORDBREAKS=$' \\t\\n' COMP_CWORD=2
        COMP_WORDS=(nlpeval explain rte.ti)
        _python_argcomplete nlpeval explain rte.ti
        echo "${COMPREPLY[@]}"
    """
    ended = apart(folder, ["bash", "--noprofile", "--norc", "-c", script], {"PATH": f"{programs}:/usr/bin:/bin"})
    assert (ended.code, ended.out.split()) == (0, ["rte.ties"]), ended.all
