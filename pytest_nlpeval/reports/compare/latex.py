r"""The report of `nlpeval compare` as a table for LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_nlpeval.reports.compare.blocks import statistics_of
from pytest_nlpeval.reports.uncertainty import shown_ends
from pytest_nlpeval.run.side_by_side import Placing, SideBySide
from pytest_nlpeval.wording import number, printable

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"{{{character}}}" for character in "[]-`'"},  # an optional argument, and ligatures
}


def comparison_latex(comparison: SideBySide) -> str:
    r"""Return a `tabular` with a row for each measure and a column for each output: the value, and its interval in brackets.

    The best value of a measure is bold. A comment says what the intervals are, and that `\usepackage{booktabs}` is needed.
    """
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: SideBySide) -> Iterator[str]:
    suite = comparison.suite
    yield rf"% {printable(suite.name)}: {statistics_of(comparison)}; needs \usepackage{{booktabs}}"
    yield rf"\begin{{tabular}}{{l{'r' * len(comparison.outputs)}}}"
    yield r"\toprule"
    yield _row("measure", *(escaped(output.source) for output in comparison.outputs))
    yield r"\midrule"
    for row in comparison.rows:
        yield _row(escaped(row.measure.name), *map(_cell, row.entries))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _row(*cells: str) -> str:
    return rf"{' & '.join(cells)} \\"


def _cell(placing: Placing) -> str:
    value = placing.score.value
    if value is None:
        return "--"
    shown = _numeral(value)
    if placing.is_best:
        shown = rf"\textbf{{{shown}}}"
    low, high = shown_ends(placing.interval, value)
    return shown if low is None or high is None else f"{shown} {{[{_numeral(low)}, {_numeral(high)}]}}"


def _numeral(value: float) -> str:
    text = number(value)
    return f"$-${text.removeprefix('-')}" if text.startswith("-") else text


def escaped(text: str) -> str:
    r"""Return a text as LaTeX shows it, on one line.

    >>> escaped("50%_of \\input{x}")
    '50\\%\\_of \\textbackslash{}input\\{x\\}'
    """
    return re.sub(r"[\\~^<>|\"&%$#_{}\[\]`'-]", lambda found: _SPECIAL[found[0]], printable(text))
