"""The command that tells what a problem means, and how it is mended."""

from __future__ import annotations

import argparse

from pytest_nlpeval.cli.output import present
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.reports.problem_codes import code_blocks, codes, list_blocks, unread_tasks
from pytest_nlpeval.wording import nearest, printable


def explain(options: argparse.Namespace) -> int:
    """Tell all about a code; or list the codes that begin with a word, or all."""
    every, asked = codes(), options.code
    if asked in every:
        present(code_blocks(every[asked]))
        return 0
    listed = {name: code for name, code in every.items() if asked in (None, name.partition(".")[0])}
    if not listed:
        hints = [
            f"of the task {name} no code is known: it cannot be loaded (`nlpeval doctor` says why)" for name in unread_tasks()
        ]
        raise UsageError(printable(f'no problem has the code "{asked}"; {nearest(asked, every)}'), hints)
    present(list_blocks(listed))
    return 0
