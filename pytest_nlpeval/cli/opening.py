"""`nlpeval run --open`: the HTML report in the reader's browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_nlpeval.cli.output import tell
from pytest_nlpeval.reports import ReportTarget

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""The variables of which one is set where a browser can open a window, except on macOS and Windows, where one always can."""


def with_page(targets: Sequence[ReportTarget]) -> list[ReportTarget]:
    """Return the reports with an HTML page among them: the first one that goes to a file, else one in a new folder for temporary files."""
    found = [target for target in targets if target.format == "html" and not target.is_stdout]
    if found:
        return list(targets)
    from tempfile import mkdtemp

    return [*targets, ReportTarget("html", Path(mkdtemp(prefix="nlpeval-")) / "report.html")]


def open_page(targets: Sequence[ReportTarget]) -> None:
    """Open the page of `with_page`, and say where it is; where there is no browser, or no screen for one, say that."""
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
