"""The `nlpeval` command.

Exit codes: 0, all gates hold and all files are valid; 1, a gate failed or a system file is bad; 2, usage, configuration, or a bad
file on the gold side; 130, interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool

from pytest_nlpeval.cli.commands import USAGE, UsageError
from pytest_nlpeval.cli.parser import parse
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.wording import printable, problem_line

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        options = parse(arguments)
        return int(options.command(options))
    except NlpevalError as error:
        for problem in error.problems:
            print(problem_line(problem), file=sys.stderr)
        return USAGE
    except UsageError as error:
        print(f"nlpeval: {printable(str(error))}", file=sys.stderr)
        return USAGE
    except BrokenProcessPool:
        print("nlpeval: a worker process died (out of memory?); try fewer --jobs", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("nlpeval: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
