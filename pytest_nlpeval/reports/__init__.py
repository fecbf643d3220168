"""Reports: of a run, a comparison or a history, in every format, for people and programs.

`kinds` has an entry for each kind of report, `formats` one for each format; a format shows every kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval import __version__
from pytest_nlpeval.reports.formats import FORMATS, formats_of

if TYPE_CHECKING:
    from pytest_nlpeval.reports.kinds import Document, Kind
    from pytest_nlpeval.reports.model import Report
    from pytest_nlpeval.reports.view import Setting

VERSION = 1
"""The version of the JSON report that this program writes and reads. Fields may be added to it."""

EVIDENCE = "evidence"
"""What a shard of a run writes in place of a report: for `nlpeval merge` (`run.evidence_file`), not for people."""

TOOL = f"pytest-nlpeval {__version__}"
"""What reports say of the program that wrote them."""


def render(name: str, report: Report, setting: Setting | None = None) -> str:
    """Return the report of a run in the format of that name; `KeyError` if there is no such format."""
    from pytest_nlpeval.reports.kinds import RUN

    return "".join(pieces(name, RUN, report, setting))


def pieces(name: str, kind: Kind[Document], document: Document, setting: Setting | None = None) -> Iterable[str]:
    """Return a report as text in pieces.

    Raises:
        KeyError: if this kind of report has no format of that name.
    """
    from pytest_nlpeval.reports.view import Setting

    if name not in formats_of(kind.name):
        raise KeyError(name)
    return FORMATS[name](kind, document, setting or Setting())


class ReportTarget(NamedTuple):
    """A report that was asked for: its format and the file it goes to."""

    format: str
    path: Path

    @property
    def is_stdout(self) -> bool:
        """Whether the report goes to the standard output."""
        return str(self.path) == "-"

    def write(self, kind: Kind[Document], document: Document) -> None:
        """Write the report, its folder included; `OSError` if that fails."""
        from pytest_nlpeval.writing import write_atomically

        write_atomically(self.path, pieces(self.format, kind, document))


def report_target(text: str, formats: Sequence[str]) -> ReportTarget:
    """Read `FORMAT:PATH`; `ValueError` with a helpful message if it is something else."""
    name, colon, path = text.partition(":")
    if name not in formats or not colon or not path:
        raise ValueError(f'"{text}" is not a report; expected FORMAT:PATH with FORMAT one of {", ".join(formats)}')
    return ReportTarget(name, Path(path))
