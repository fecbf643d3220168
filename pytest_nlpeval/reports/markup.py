"""Makes HTML pages from templates: each needs nothing else, and works with its script and without.

Jinja escapes whatever comes from a report, after `harmless` has made it so; the Content-Security-Policy of a page allows its own
style sheet and its own script, by hash, and nothing else.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pytest_nlpeval.numbers import change, count, figure
from pytest_nlpeval.reports.compiled_templates import CompiledTemplates
from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, STYLES, TOP, WIDTH
from pytest_nlpeval.reports.items import OPEN_ROWS
from pytest_nlpeval.reports.measure_rows import scale_bar
from pytest_nlpeval.wording import harmless, number, plural

_TEMPLATES = Path(__file__).parent / "templates"


def html(template: str, **values: Any) -> str:
    """Return the page that a template makes of values; equal values give equal bytes."""
    return _environment().get_template(f"{template}.html.jinja").render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        bytecode_cache=CompiledTemplates(__file__),
        finalize=_on_one_line,
        loader=FileSystemLoader(_TEMPLATES),
        optimized=False,  # looking for what is constant takes longer than it saves: a process makes one page, or few
        lstrip_blocks=True,
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    style, script = ((_TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    environment.globals |= {
        "bar": _bar,
        "canvas": {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "top": TOP, "bottom": HEIGHT - BOTTOM},
        "change": change,
        "count": count,
        "figure": figure,
        "number": number,
        "open_rows": OPEN_ROWS,
        "plural": plural,
        "scale_bar": scale_bar,
        "script": Markup(script),  # noqa: S704 - our own file
        "script_hash": _hash(script),
        "style": Markup(style),  # noqa: S704 - our own file
        "style_hash": _hash(style),
        "styles": STYLES,
    }
    return environment


def _hash(text: str) -> str:
    """Return what a Content-Security-Policy calls a text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def _on_one_line(value: Any) -> Any:
    return value if isinstance(value, Markup) or not isinstance(value, str) else harmless(value)


def _bar(value: float | None) -> str:
    """Return the width of the bar of a share in percent; "" for what is no share."""
    return f"{100 * value:.1f}" if isinstance(value, float) and 0 <= value <= 1 else ""
