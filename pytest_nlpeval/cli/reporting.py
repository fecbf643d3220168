"""The command `report`."""

from __future__ import annotations

import argparse

from pytest_nlpeval.cli.output import present, show_report
from pytest_nlpeval.reports import pieces
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.view import Setting


def report(options: argparse.Namespace) -> int:
    """Print a JSON report in another format."""
    document, setting = stored_report(options.report), Setting(limit=options.limit)
    if options.format == "text":
        present(RUN.blocks(document, setting))
    else:
        show_report(pieces(options.format, RUN, document, setting))
    return 0
