"""Chooses suites by name, as `--suite` does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.wording import nearest, quoted

PART = "the run is of chosen suites alone"
"""How the note begins that each suite of a chosen part has."""


def is_chosen(suite: Suite, wanted: Iterable[str]) -> bool:
    """Whether one of the names is the suite's: `NAME`, which is that of all its systems, or `NAME/SYSTEM`; `*` stands for any text."""
    return any(_matches(name, text) for text in wanted for name in (suite.name, suite.base))


def chosen(suites: Sequence[Suite], wanted: Sequence[str]) -> list[Suite]:
    """Return the suites that are wanted, all of them if none is named; each of those chosen knows that it was."""
    if not wanted:
        return list(suites)
    selection = ", ".join(wanted)
    names = tuple(word for name in wanted for word in ("--suite", name))
    return [
        replace(suite, selection=selection, arguments=(*suite.arguments, *names)) for suite in suites if is_chosen(suite, wanted)
    ]


def require_chosen(suites: Sequence[Suite], wanted: Iterable[str]) -> None:
    """Raise `ConfigError` with a problem for each wanted name that no suite has."""
    if problems := tuple(_unknown(suites, wanted)):
        raise ConfigError(problems)


def _unknown(suites: Sequence[Suite], wanted: Iterable[str]) -> Iterator[Problem]:
    names = list(dict.fromkeys(name for suite in suites for name in (suite.base, suite.name)))
    for text in wanted:
        if not any(_matches(name, text) for name in names):
            yield Problem(
                "config.suite", "error", "", None, None, "", f"there is no suite {quoted(text)}; {nearest(text, names)}"
            )


def _matches(name: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, text.split("*"))), name, re.DOTALL) is not None
