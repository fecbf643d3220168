"""The HTML report: one page that needs nothing else, no network and no script. A pure function of the JSON report.

Jinja escapes whatever comes from the report, after `printable` has made it harmless; the page's Content-Security-Policy allows its own
style sheet, by hash, and nothing else.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, STYLES, TOP, WIDTH
from pytest_nlpeval.reports.page import OPEN_ROWS, counted, page_of
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import number, plural, printable

_TEMPLATES = Path(__file__).parent.parent / "templates"


def render(report: Mapping[str, Any], _setting: Setting | None = None) -> str:
    """Return a JSON report as one HTML page; equal reports give equal bytes."""
    style = (_TEMPLATES / "page.css").read_text(encoding="utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    return _template().render(page=page_of(report), style=Markup(style), digest=digest)  # noqa: S704 - our own file


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True,
        finalize=_harmless,
        loader=FileSystemLoader(_TEMPLATES),
        lstrip_blocks=True,
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.globals |= {
        "bar": _bar,
        "canvas": {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "top": TOP, "bottom": HEIGHT - BOTTOM},
        "counted": counted,
        "number": number,
        "open_rows": OPEN_ROWS,
        "plural": plural,
        "styles": STYLES,
    }
    return environment.get_template("page.html.jinja")


def _harmless(value: Any) -> Any:
    return value if isinstance(value, Markup) or not isinstance(value, str) else printable(value)


def _bar(value: float | None) -> str:
    """Return the width of the bar of a share in percent; "" for what is no share."""
    return f"{100 * value:.1f}" if isinstance(value, float) and 0 <= value <= 1 else ""
