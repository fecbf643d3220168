"""The table for LaTeX: nothing of a name or a value is a command, whatever it holds."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.compare.latex import comparison_latex, escaped
from pytest_nlpeval.run.side_by_side import SideBySide
from pytest_nlpeval.runs import Run
from tests.unit.reports.compare.comparisons import placing, row, suite


def of(name: str, *placings: object, sources: tuple[str, ...] = ("a", "b")) -> list[str]:
    outputs = tuple(Run(source) for source in sources)
    whole = SideBySide(suite(), outputs, (row(name, *placings),), (), "units", 0.05)  # type: ignore[arg-type]
    return comparison_latex(whole).splitlines()


def test_best_values_are_bold_and_what_is_missing_is_a_dash() -> None:
    lines = of("f1", placing(0.5, ends=(0.25, 0.75), is_best=True), placing(None))
    assert lines[5] == r"f1 & \textbf{0.5000} {[0.2500, 0.7500]} & -- \\"
    assert of("f1", placing(0.5, is_best=True), placing(0.5, is_best=True))[5].count("textbf") == 2


def test_a_value_below_0_has_a_minus() -> None:
    assert of("r", placing(-0.5, ends=(-0.75, 0.0)), placing(1))[5] == r"r & $-$0.5000 {[$-$0.7500, 0.0000]} & 1 \\"


@pytest.mark.parametrize("text", ["\\input{/etc/passwd}", "a & b \\\\", "50 %", "$x$", "line\nbreak", "#1", "~^_{}", "[x]"])
def test_names_are_shown_and_never_obeyed(text: str) -> None:
    lines = of(text, placing(1.0), placing(1.0), sources=(text, "b"))
    assert len(lines) == 8, "a row for each line"
    assert lines[3].count(" & ") == lines[5].count(" & ") == 2
    assert "\\input" not in "".join(lines)


@given(st.text(max_size=30))
def test_what_is_escaped_holds_no_command_of_its_own(text: str) -> None:
    shown = escaped(text)
    without = re.sub(
        r"\\text(backslash|asciitilde|asciicircum|less|greater|bar|quotedbl)\{\}|\\[&%$#_{}]|\{[\[\]`'-]\}", "", shown
    )
    assert not re.search(r"[\\~^<>|\"&%$#_{}\n\[\]`'-]", without)


def test_a_suite_whose_name_breaks_a_line_stays_in_its_comment() -> None:
    whole = SideBySide(replace(suite(), name="x\n\\input{y}"), (Run("a"),), (), (), "units", 0.05)
    assert comparison_latex(whole).splitlines()[0].startswith("% ")
    assert len(comparison_latex(whole).splitlines()) == 7
