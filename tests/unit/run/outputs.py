"""Runs on a gold file of many pairs that are wrong where a test says so, so that p-values can be worked out by hand."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from tests.support import Pair, gold_xml, make_suite

PAIRS: tuple[Pair, ...] = tuple((str(number), "IR" if number % 2 else "QA", "TRUE") for number in range(1, 17))
"""Sixteen pairs, all entailed."""

GOLD = gold_xml(PAIRS)


def run_wrong_on(numbers: Collection[int] = ()) -> str:
    """A run that is wrong on the pairs of these numbers, and right on all others."""
    return "".join(f"{name} {'FALSE' if int(name) in numbers else 'TRUE'}\n" for name, _, _ in PAIRS)


def make_systems(folder: Path, **wrong: Collection[int]) -> Path:
    """Write the suite `dev` with one document and several systems, each wrong on some pairs."""
    paths = ", ".join(f'{name}: "{name}/{{doc}}.txt"' for name in wrong)
    make_suite(folder, golds={"a": GOLD}, runs={}, system=f"{{{paths}}}")
    for name, numbers in wrong.items():
        path = folder / name / "a.txt"
        path.parent.mkdir(parents=True)
        path.write_text(run_wrong_on(numbers))
    return folder
