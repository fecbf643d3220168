"""What installed packages add: whatever their import raises, and names that several of them use."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_nlpeval.config.checks import require_task
from pytest_nlpeval.config.meaning import SOURCE_GROUP, load_source
from pytest_nlpeval.entry_points import load_point
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.tasks import ENTRY_POINT_GROUP, load_task, task_names
from tests.support import command, gold_xml, write

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_end: type[BaseException]) -> Install:
    """Installs packages of these names, each of which adds what `entries` says, and one module that all of them may name."""
    assert no_end
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "their_points", raising=False)
    load_task.cache_clear()

    def installed(module: str, **entries: str) -> None:
        write(tmp_path, {"their_points.py": f'"""A module."""\n{module}\n'})
        for package, text in entries.items():
            folder = f"{package}-1.dist-info"
            metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n"
            write(tmp_path, {f"{folder}/METADATA": metadata, f"{folder}/entry_points.txt": text})

    return installed


TASK_OF = f"[{ENTRY_POINT_GROUP}]\n{{name}} = their_points:{{what}}\n"
SOURCE_OF = f"[{SOURCE_GROUP}]\nother = their_points:{{what}}\n"
FAILURES = {
    "raise KeyError('name')": "KeyError: 'name'",
    "raise StopIteration": "StopIteration",
    "raise GeneratorExit": "GeneratorExit",
    "import sys; sys.exit(0)": "SystemExit: 0",
    "import os; os._exit(0)": "SystemExit: 0",
    "import pytest; pytest.skip('here', allow_module_level=True)": "Skipped: here",
    "import pytest; pytest.exit('here', returncode=0)": "Exit: here",
    "raise BaseExceptionGroup('all', [SystemExit(0)])": "BaseExceptionGroup: all (1 sub-exception)",
}


@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_the_import_raises_is_told_with_its_place(
    install: Install, tmp_path: Path, capfd: pytest.CaptureFixture[str], failure: str
) -> None:
    install(failure, mine=TASK_OF.format(name="other", what="TASK") + SOURCE_OF.format(what="run_of"))
    with pytest.raises(NlpevalError, match='the task "other" cannot be loaded') as told:
        require_task("other")
    assert FAILURES[failure] in str(told.value)
    with pytest.raises(ImportError) as of_source:
        load_source("other")
    assert FAILURES[failure] in str(of_source.value)
    if "pytest" not in failure:  # which raises in its own code
        assert f"({tmp_path / 'their_points.py'}, line 2)" in str(told.value)
    ended = command(capfd, "doctor")
    told_by_doctor = " ".join(ended.all.split())
    assert told_by_doctor.count("it cannot be loaded (ImportError: importing their_points raises") == 2, ended.all


def test_an_interrupt_stays_one(install: Install) -> None:
    install("raise KeyboardInterrupt", mine=SOURCE_OF.format(what="run_of"))
    with pytest.raises(KeyboardInterrupt):
        load_source("other")


def test_what_no_package_adds_is_a_key_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        load_point(SOURCE_GROUP, "other")


def test_what_two_packages_add_under_one_name_is_neither(install: Install) -> None:
    """The order in which they are installed would choose how suites are judged."""
    install("one, two = list, dict", mine=SOURCE_OF.format(what="one"), yours=SOURCE_OF.format(what="two"))
    with pytest.raises(ImportError, match="as their_points:one and as their_points:two; uninstall all but one"):
        load_source("other")


def test_one_thing_that_two_packages_add_is_that_thing(install: Install) -> None:
    """A package of another name is left behind where one was renamed."""
    install("one = list", mine=SOURCE_OF.format(what="one"), yours=SOURCE_OF.format(what="one"))
    assert load_source("other") is list


def test_a_task_of_this_package_is_not_replaced(install: Install) -> None:
    install("raise AssertionError", mine=TASK_OF.format(name="rte", what="TASK"))
    assert task_names().count("rte") == 1
    assert load_task("rte").name == "rte"


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("TASK = 7", "its entry point leads to int, not to a pytest_nlpeval.Task"),
        (
            "from pytest_nlpeval.tasks.rte import TASK",
            "its entry point leads to a task that calls itself rte; give both one name",
        ),
    ],
)
def test_what_is_no_task_of_that_name_is_told(install: Install, module: str, said: str) -> None:
    install(module, mine=TASK_OF.format(name="other", what="TASK"))
    with pytest.raises(NlpevalError, match=said):
        require_task("other")


def test_a_name_with_control_characters_is_shown_as_text(install: Install, capfd: pytest.CaptureFixture[str]) -> None:
    name = "\x1b]0;title\x07\u202e"
    install("raise ValueError", mine=TASK_OF.format(name=name, what="TASK"))
    for arguments in (["tasks"], ["doctor"], ["tasks", name]):
        told = command(capfd, *arguments).all
        assert "title" in told
        assert not {*name} & {*told} - {*"]0;title"}


def test_a_package_that_cannot_be_imported_is_told_where_files_are_recognised(
    install: Install, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("1 / 0", mine=TASK_OF.format(name="other", what="TASK"))
    write(tmp_path, {"gold.xml": gold_xml(), "run.txt": "1 TRUE 0.9\n"})
    monkeypatch.chdir(tmp_path)
    ended = command(capfd, "score", "gold.xml", "run.txt")
    assert ended.code == 2
    assert "rte: 1 document" in ended.out, "what others recognise is scored"
    assert 'config.task: the task "other" cannot be loaded: ImportError: importing their_points raises Zero' in ended.err
