"""Gold that was copied over the output, or the output over gold, is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.run.copies import COPIED
from tests.support import write

COLUMNS = "Mira B-PER\nleft O\n\nSenn B-LOC\nslept O\n"
TABLE = "id\tlabel\tsaid\n1\ta\ta\n2\tb\t{}\n"


def notes(folder: Path, *entry: str, **files: str) -> tuple[str, ...]:
    write(folder, {name.replace("_", "."): text for name, text in files.items()})
    (folder / "nlpeval.yaml").write_text("\n  ".join(["version: 1\nsuites:\n- name: s", *entry]) + "\n")
    (suite,) = load_suites(folder / "nlpeval.yaml")
    return evaluate(suite).notes


@pytest.mark.parametrize("system", ["gold.txt", "system.txt"])
def test_gold_in_the_place_of_the_output_is_told(tmp_path: Path, system: str) -> None:
    """By its path, or by its bytes."""
    entry = ("task: spans", "gold: gold.txt", f"system: {system}", "gates: {micro.f1: 0.9}")
    assert COPIED in notes(tmp_path, *entry, gold_txt=COLUMNS, system_txt=COLUMNS)


@pytest.mark.parametrize("last", ["a", "c"])
def test_output_of_its_own_is_not_told(tmp_path: Path, last: str) -> None:
    """The bytes differ, be it only in a comment, or something is wrong in one file that has both sides."""
    entry = ("task: labels", "gold: g.tsv", "system: g.tsv", "options: {label: {system: said}}", "gates: {accuracy: 0}")
    assert COPIED not in notes(tmp_path, *entry, g_tsv=TABLE.format(last))
    columns = ("task: spans", "gold: gold.txt", "system: system.txt", "gates: {micro.f1: 0.9}")
    assert COPIED not in notes(tmp_path, *columns, gold_txt=COLUMNS, system_txt="# ours\n" + COLUMNS)


def test_one_copied_document_of_several_is_not_told(tmp_path: Path) -> None:
    """Small documents are now and then right as a whole."""
    write(tmp_path, {"g/a.txt": COLUMNS, "g/b.txt": COLUMNS, "s/a.txt": COLUMNS, "s/b.txt": COLUMNS + "\n"})
    entry = ("task: spans", "gold: g/{doc}.txt", "system: s/{doc}.txt", "gates: {micro.f1: 0.9}")
    assert COPIED not in notes(tmp_path, *entry)
    write(tmp_path, {"s/b.txt": COLUMNS})
    assert COPIED in notes(tmp_path, *entry)
