"""Reports: the JSON report, and what is made of it for people and programs.

Each format is a module of `reports.formats` with a function `render(report, setting)`; a further format is a further module. One that may
become large has `pieces(report, setting)` as well, which yields its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pytest_nlpeval.reports.model import Report
    from pytest_nlpeval.reports.view import Setting

VERSION = 1
"""The version of the JSON report that this program writes, and reads. One without what was added since is of it, too."""

FORMATS = tuple(sorted(path.stem for path in (Path(__file__).parent / "formats").glob("[!_]*.py")))
"""The names of the formats."""


def render(name: str, report: Report, setting: Setting | None = None) -> str:
    """Return a report in the format of that name; `KeyError` if there is none. Formats are imported when they are asked for."""
    return "".join(pieces(name, report, setting))


def pieces(name: str, report: Report, setting: Setting | None = None) -> Iterable[str]:
    """Return the text that `render` returns in pieces, which of some formats are made as they are asked for."""
    if name not in FORMATS:
        raise KeyError(name)
    module = import_module(f"{__name__}.formats.{name}")
    found: Iterable[str] = module.pieces(report, setting) if hasattr(module, "pieces") else (module.render(report, setting),)
    return found


class ReportTarget(NamedTuple):
    """A report that was asked for: its format and the file it goes to."""

    format: str
    path: Path

    @property
    def is_stdout(self) -> bool:
        """Whether the report goes to the standard output."""
        return str(self.path) == "-"

    def write(self, report: Report) -> None:
        """Write the report, its folder included; `OSError` if that fails."""
        from pytest_nlpeval.files import write_atomically

        write_atomically(self.path, pieces(self.format, report))


def report_target(text: str, formats: Sequence[str] = FORMATS) -> ReportTarget:
    """Read `FORMAT:PATH`; `ValueError` with a helpful message if it is something else."""
    name, colon, path = text.partition(":")
    if name not in formats or not colon or not path:
        raise ValueError(f'"{text}" is not a report; expected FORMAT:PATH with FORMAT one of {", ".join(formats)}')
    return ReportTarget(name, Path(path))
