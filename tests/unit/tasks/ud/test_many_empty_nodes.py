"""Many empty nodes in a row take work that grows as their number."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from tests.unit.tasks.ud.files import conllu, document


def lines_run(number: int) -> int:
    """How many lines of Python run while a sentence with so many empty nodes behind one word is read: calls would not show a loop."""
    text = conllu(["1 a a X _ _ 0 root 0:root", *(f"1.{rank} e e X _ _ _ _ 1:dep" for rank in range(1, number + 1))])
    lines = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        document(text)
    finally:
        sys.settrace(before)
    return lines


def test_many_empty_nodes_in_a_row_take_no_more_work_each() -> None:
    few, many = lines_run(100), lines_run(800)
    assert many < 9 * few
