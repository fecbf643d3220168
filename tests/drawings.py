"""Draws the pictures of the explanations from the code on their pages: `python -m tests.drawings` writes them anew.

`tests/test_drawings.py` compares the files with what would be drawn.
"""

from __future__ import annotations

import contextlib
import doctest
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pytest_nlpeval.metrics.prf import f1

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs/pictures"
EXACT, RESAMPLING = ROOT / "docs/explanation-exact.md", ROOT / "docs/explanation-resampling.md"
WIDTH = 640

STYLE = """\
text { font: 14px system-ui, sans-serif; fill: #333 } .faint { fill: #666 } .end { text-anchor: end } .middle { text-anchor: middle }
.bar { fill: #9aa5b1 } .told { fill: #c2410c } text.told { font-weight: 600 } line { stroke: #999 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .faint { fill: #aaa } .bar { fill: #6b7785 } .told { fill: #fb923c } }
"""
"""Colours of both schemes; a picture loads nothing."""


class Bar(NamedTuple):
    """A bar of a chart: what stands below it, how high it is, and whether the text is about it."""

    label: str
    height: int
    is_told: bool


def values_of(page: Path) -> dict[str, Any]:
    """Run the examples of a page, and return what their names stand for."""
    names: dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(_without_fences(page), names, page.name, str(page), 0)
    with contextlib.redirect_stdout(io.StringIO()):
        for example in test.examples:
            exec(compile(example.source, page.name, "single"), names)
    return names


def _without_fences(page: Path) -> str:
    return "\n".join(line for line in page.read_text(encoding="utf-8").splitlines() if not line.startswith("```"))


def text(x: float, y: float, said: str, look: str = "") -> str:
    """Return a text that begins, or with another `look` ends or has its middle, at x."""
    return f'<text x="{x:g}" y="{y:g}"' + (f' class="{look}"' if look else "") + f">{said}</text>"


def picture(title: str, height: int, parts: Sequence[str]) -> str:
    """Return a picture of parts; the title is for those who do not see it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">'
    return "\n".join([head, f"<style>\n{STYLE}</style>", *parts, "</svg>", ""])


def chart(title: str, bars: Sequence[Bar], told: str, below: str) -> str:
    """Return a chart of bars; `told` says in a line what the coloured ones are, `below` what the labels are."""
    top, room, most = 44, 180, max(bar.height for bar in bars)
    step = (WIDTH - 40) / len(bars)
    parts = [text(20, 22, told, "told")]
    for rank, bar in enumerate(bars):
        height = room * bar.height / most
        x, look = 20 + rank * step, "told" if bar.is_told else "bar"
        parts.append(
            f'<rect x="{x + 2:.1f}" y="{top + room - height:.1f}" width="{step - 4:.1f}" height="{height:.1f}" class="{look}"/>'
        )
        parts.append(text(round(x + step / 2, 1), top + room + 18, bar.label, "middle"))
    axis = f'<line x1="20" y1="{top + room}" x2="{WIDTH - 20}" y2="{top + room}"/>'
    return picture(title, top + room + 48, [*parts, axis, text(WIDTH / 2, top + room + 40, below, "middle faint")])


def drawn_again() -> str:
    """Return the picture of the accuracies of draws, of which the interval leaves out 2.5 % at either end."""
    names = values_of(RESAMPLING)
    low, high = names["values"][250], names["values"][9_749]
    bars = [
        Bar(f"{value:.3f}".removeprefix("0"), height, is_told=not low <= value <= high)
        for value, height in sorted(names["heights"].items())
        if height >= 20
    ]
    told = f"the interval of 95 % is from {low:.3f} to {high:.3f}; coloured draws lie outside"
    return chart("Accuracies of 10,000 draws of 40 messages", bars, told, "accuracy of a draw")


def exchanged() -> str:
    """Return the picture of the drops of all ways to exchange the results of eight messages."""
    drops: Mapping[int, int] = values_of(RESAMPLING)["drops"]
    bars = [Bar(f"{drop:+d}", number, is_told=drop >= 4) for drop, number in sorted(drops.items())]
    great = sum(bar.height for bar in bars if bar.is_told)
    told = f"{great} of {sum(drops.values())} ways give a drop of four or more: p = {great / sum(drops.values()):.2f}"
    return chart("Drops of the 256 ways to exchange the results of eight messages", bars, told, "drop of a way")


def counted() -> str:
    """Return the picture of evidence: a row of counts for each sentence, their sums, and those of a draw, each with its F."""
    evidence = values_of(EXACT)["result"].evidence
    sides = {"gold": "gold", "system": "system", "in common": "correct"}
    rows = [
        [
            sum(int(evidence.column(name)[unit]) for name in evidence.columns if name.startswith(f"{side}."))
            for side in sides.values()
        ]
        for unit in range(len(evidence.units))
    ]
    lines = [(f"sentence {unit}", row, "") for unit, row in zip(evidence.units, rows, strict=True)]
    lines += [
        ("the suite: row 1 + row 2", *_summed(rows, [1, 1])),
        ("a draw: row 2 twice", *_summed(rows, [0, 2])),
    ]
    parts = [text(260 + 90 * place, 26, name, "middle faint") for place, name in enumerate(sides)]
    parts.append(text(WIDTH - 20, 26, "F1", "end faint"))
    for place, (name, row, f) in enumerate(lines):
        y = 58 + 30 * place + (12 if place >= len(rows) else 0)
        look = "told" if f else ""
        parts.append(text(20, y, name, look))
        parts += [text(260 + 90 * column, y, str(number), f"middle {look}".strip()) for column, number in enumerate(row)]
        parts.append(text(WIDTH - 20, y, f, "end told") if f else "")
    bottom = 58 + 30 * len(rows) - 14
    parts.append(f'<line x1="20" y1="{bottom}" x2="{WIDTH - 20}" y2="{bottom}"/>')
    return picture("Counts of two sentences, their sums, and the sums of a draw", 190, list(filter(None, parts)))


def _summed(rows: Sequence[Sequence[int]], weights: Sequence[int]) -> tuple[list[int], str]:
    """Return the sums of rows under weights, and their F as a fraction."""
    gold, system, common = (sum(weight * row[place] for weight, row in zip(weights, rows, strict=True)) for place in range(3))
    return [gold, system, common], f"{2 * common} / {gold + system} = {float(f1(common, system, gold)):.3f}"


DRAWINGS: Mapping[str, Callable[[], str]] = {"evidence.svg": counted, "bootstrap.svg": drawn_again, "exchange.svg": exchanged}

if __name__ == "__main__":
    for name, draw_picture in DRAWINGS.items():
        (FOLDER / name).write_text(draw_picture(), encoding="utf-8")
