"""The options of a task as they are given on the command line: `--option K=V`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.problems import ProblemLog


def task_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Return the options by name; their values are YAML.

    Raises:
        UsageError: if one has no value, or is given twice.
        ConfigError: if a value is no YAML.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or name in options:
            raise UsageError(f"--option {pair}: expected K=V, each K once")
        log = ProblemLog(f"--option {pair}", YAML_KINDS)
        document = read_yaml(Source(log.path, value.encode("utf-8", "surrogateescape")), log)
        if document is None:
            raise ConfigError(log.problems())
        options[name] = document.value
    return options
