"""Delivers a report of any kind to the files and streams that were asked for."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_nlpeval.cli.output import present, show_report
from pytest_nlpeval.cli.streams import err, out
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.reports import ReportTarget, pieces
from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.view import Setting


def deliver(kind: Kind[Document], document: Document, targets: Sequence[ReportTarget], setting: Setting) -> None:
    """Write the reports, then print what a person reads, made for `setting`: on standard error where a report takes the standard output.

    Raises:
        UsageError: if a file cannot be written; nothing is printed then.
        TaskError: if a task fails in making its own report; everything else has been delivered then.
    """
    printed = [target for target in targets if target.is_stdout]
    failures: list[TaskError] = []
    for target in targets:
        try:
            if not target.is_stdout:
                target.write(kind, document)
        except OSError as error:
            raise UsageError(f"the report {target.path} cannot be written: {error.strerror}") from None
        except TaskError as error:
            failures.append(error)
    present(kind.blocks(document, setting), err() if printed else out())
    for target in printed:
        try:
            show_report(pieces(target.format, kind, document))
        except TaskError as error:
            failures.append(error)
    if failures:
        raise failures[0]
