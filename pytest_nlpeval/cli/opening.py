"""`nlpeval run --open`: the HTML report in the reader's browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_nlpeval.cli.output import tell
from pytest_nlpeval.reports import ReportTarget

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""One of these variables is set where a browser can open a window; on macOS and Windows it always can."""


def with_page(targets: Sequence[ReportTarget]) -> list[ReportTarget]:
    """Return the reports, and an HTML page in a new temporary folder if none of them is a page in a file."""
    if any(target.format == "html" and not target.is_stdout for target in targets):
        return list(targets)
    from tempfile import mkdtemp

    return [*targets, ReportTarget("html", Path(mkdtemp(prefix="nlpeval-")) / "report.html")]


def open_page(targets: Sequence[ReportTarget]) -> None:
    """Open the first HTML page that is a file, and say where it is, also where no browser can open it."""
    path = next(target.path for target in targets if target.format == "html" and not target.is_stdout).resolve()
    if not _opens(path.as_uri()):
        tell(f"nlpeval: there is no browser here that could open a window; the report is in {path}", "warning")
        return
    tell(f"nlpeval: the report {path} opens in the browser")


def _opens(address: str) -> bool:
    """Whether a browser takes the page; one that would take over the terminal is not asked."""
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in _SCREENS)
    try:
        return has_screen and webbrowser.open(address)
    except webbrowser.Error:
        return False
