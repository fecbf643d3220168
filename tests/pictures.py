"""Draws the pictures that the docs show: `python -m tests.pictures` writes them anew. Tests check that they are as it would draw them."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from lxml import etree
from rich.console import Console
from rich.text import Text

from tests.cli.terminals import on_terminal
from tests.test_docs import ROOT, of_baseline, unnamed
from tests.unit.baselines.repositories import start

TERMINAL = ROOT / "docs/pictures/terminal.svg"

FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""The frame of a picture, which loads no font."""


def terminal() -> str:
    """Return a picture of `nlpeval run` on a terminal of 80 columns."""
    with tempfile.TemporaryDirectory() as folder:
        of_baseline(start(Path(folder)))
        _, sent = on_terminal(Path(folder), "run", columns=80)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(Text("$ nlpeval run"), Text.from_ansi(sent), sep="\n")
    return console.export_svg(title="nlpeval run", code_format=FRAME, unique_id="nlpeval")


def words(picture: str) -> list[str]:
    """Return what a picture says, without the names of commits, and without the empty texts at its end: rich 14 has one less than 15."""
    texts = etree.fromstring(unnamed(picture).encode()).xpath("//*[local-name() = 'text']/text()")
    found = [text.replace("\xa0", " ").strip() for text in texts]
    while found and not found[-1]:
        found.pop()
    return found


if __name__ == "__main__":
    TERMINAL.write_text(terminal(), encoding="utf-8")
