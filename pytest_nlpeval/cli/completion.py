"""What a shell offers behind `nlpeval`: commands and options, and the names of suites, profiles, tasks and codes.

argcomplete, of the extra `completion`, asks for it: the shell starts the command with the variable `_ARGCOMPLETE` for each TAB. Nothing
but these names is worked out then, and no command is carried out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_nlpeval.config.suite import Suite


def complete(parser: argparse.ArgumentParser) -> None:
    """Tell the shell what may stand where the cursor is, and end the process."""
    try:
        import argcomplete
    except ImportError:  # the shell was told to ask, and this environment lacks the extra
        raise SystemExit(1) from None
    for action in _actions(parser):
        if names := NAMES.get(action.metavar if isinstance(action.metavar, str) else "") or NAMES.get(action.dest):
            action.completer = _Completer(names, with_files=action.dest == "names")  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser, always_complete_options="long")


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser, and of all its commands."""
    for action in parser._actions:  # noqa: SLF001 - argparse tells of its arguments in no other way
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _actions(command)


class _Completer:
    """Gives names, and perhaps files, that begin as the word before the cursor does."""

    def __init__(self, names: Callable[[], Iterable[str]], *, with_files: bool) -> None:
        self._names = names
        self._with_files = with_files

    def __call__(self, prefix: str, **_: Any) -> list[str]:
        from argcomplete.completers import FilesCompleter

        names = [name for name in self._names() if name.startswith(prefix)]
        return [*names, *FilesCompleter()(prefix)] if self._with_files else names


def _suites() -> list[Suite]:
    """Return the suites of all configurations in and below the current folder; of one with mistakes, none."""
    from pytest_nlpeval.config.file import load_suites
    from pytest_nlpeval.config.finding import find_configs
    from pytest_nlpeval.problems import NlpevalError

    suites: list[Suite] = []
    for config in find_configs(Path.cwd()):
        try:
            suites += load_suites(config)
        except NlpevalError:
            continue
    return suites


def _suite_names() -> list[str]:
    suites = _suites()
    return sorted({name for suite in suites for name in (suite.name, suite.name.removesuffix(f"/{suite.system}"))})


def _profiles() -> list[str]:
    return sorted({name for suite in _suites() for name in suite.profiles})


def _tasks() -> Iterable[str]:
    from pytest_nlpeval.tasks import task_names

    return task_names()


def _codes() -> list[str]:
    from pytest_nlpeval.reports.problem_codes import codes

    every = codes()
    return [*every, *sorted({name.partition(".")[0] for name in every})]


def _commands() -> list[str]:
    from pytest_nlpeval.cli.parser import _parser

    return [name for action in _parser()._actions if isinstance(action.choices, dict) for name in action.choices]  # noqa: SLF001


NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "SUITE A": _suite_names,
    "NAME[/SYSTEM]": _suite_names,
    "profile": _profiles,
    "task": _tasks,
    "TASK | GOLD SYSTEM": _tasks,
    "code": _codes,
    "command_told": _commands,
}
"""What may be given for an argument, by what its help calls it, or else by the name under which it is parsed."""
