"""A plugin of pytest, in xdist's workers too: the action's inputs decide what is judged, and no setting of the repository does.

Reads the plan in the folder NLPEVAL_WORK. Imports nothing of pytest-nlpeval.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

SELECTING = (
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "stepwise",
    "maxfail",
    "collectonly",
    "setuponly",
    "setupplan",
    "nlpeval_suite",
)
"""pytest's options that keep tests from being run. They, and the plugin's own, count in the input `args` only, not in `addopts`."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Take part with what knows the parser."""
    pluginmanager.register(Inputs(parser), "nlpeval-inputs")


class Inputs:
    """What the inputs alone say, by pytest's own parser."""

    def __init__(self, parser: pytest.Parser) -> None:
        self._parser = parser
        self._plan: dict[str, Any] = json.loads(Path(os.environ["NLPEVAL_WORK"], "plan.json").read_text())

    def _own(self) -> dict[str, Any]:
        own = vars(self._parser.parse_known_args([*self._plan["arguments"]]))
        return {name: own[name] for name in own if name in SELECTING or name.startswith("nlpeval")}

    def left_out(self) -> dict[str, Any]:
        """Return whether the inputs select among tests, and which paths they ignore."""
        own = self._own()
        ignored = [*(own["ignore"] or ()), *(own["ignore_glob"] or ())]
        return {"selects": any(own.get(name) for name in SELECTING), "ignored": ignored}

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Undo what `addopts` say of selection and of pytest-nlpeval, and add the configurations that no argument covers."""
        vars(config.option).update(self._own())
        named = [Path(argument.partition("::")[0]).absolute() for argument in config.args]
        usual = () if self._plan["given"] else self._plan["usual"]
        config.args += [path for path in usual if not any(Path(path).absolute().is_relative_to(place) for place in named)]
        config.args += [path for path in self._plan["unusual"] if Path(path).absolute() not in named]
