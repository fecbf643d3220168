"""The `nlpeval` command.

Exit codes: 0, all gates hold and all files are valid; 1, a gate failed or a system file is bad; 2, usage, configuration, or a bad
file on the gold side; 130, interrupted.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from pytest_nlpeval.cli.output import prepare, present, show, tell
from pytest_nlpeval.cli.parser import parse
from pytest_nlpeval.cli.progress import BAR
from pytest_nlpeval.cli.usage import USAGE, UsageError
from pytest_nlpeval.wording import problem_line

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    prepare()
    try:
        return _perform(parse(arguments))
    except UsageError as error:
        tell(f"nlpeval: {error}", "bad")
        return USAGE
    except KeyboardInterrupt:
        show("nlpeval: interrupted\n", sys.stderr)
        return INTERRUPTED
    finally:
        BAR.finish()


def _perform(options: Namespace) -> int:
    """Do what was asked for; only now is what that needs imported."""
    from pytest_nlpeval.problems import NlpevalError

    try:
        module = import_module(f"pytest_nlpeval.cli.{options.module}")
        return int(getattr(module, options.command)(options))
    except NlpevalError as error:
        from pytest_nlpeval.reports.blocks import problem_blocks

        present([*problem_blocks(map(problem_line, error.problems))], sys.stderr)
        return USAGE
