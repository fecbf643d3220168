"""What users may bring hundreds of costs as much again where there is as much again: paths of options, gates, labels, new suites.

The workloads of the budget have few of these, so that a loop over all of them for each of them would be too little of all calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.budget.budget import SIZES, growth
from tests.budget.counting import count_calls
from tests.budget.workloads import Work, configure, run, write


def _records(records: Mapping[str, Any], options: Mapping[str, Any]) -> Work:
    """Score four records, all of them right."""
    lines = "".join(json.dumps({"id": f"r{rank}", **records}) + "\n" for rank in range(4))
    write({"gold": lines, "system": lines}, ".jsonl")
    configure("records", {role: f"{role}.jsonl" for role in ("gold", "system")}, options=options)
    return run


def ignored_paths(size: int) -> Work:
    """Of `records`, half of which are in the records."""
    names = [f"key{rank}" for rank in range(40 * size)]
    return _records({name: {"a": 1} for name in names}, {"ignore": [*names[::2], *(f"other{rank}" for rank in range(20 * size))]})


def counted_paths(size: int) -> Work:
    """Of `records`."""
    names = [f"key{rank}" for rank in range(25 * size)]
    return _records({name: {"a": 1, "b": [1, 2]} for name in names}, {"fields": names})


def fields_of_a_view(size: int) -> Work:
    """Of `records`."""
    names = [f"key{rank}" for rank in range(25 * size)]
    items = [dict.fromkeys(names, rank) for rank in range(2)]
    return _records({"items": items}, {"views": {"view": [f"items.{name}" for name in names]}})


def unlike_objects(size: int) -> Work:
    """Of a list of `records`: objects of gold and the system of which none has a value that another one has."""
    sides = {
        role: json.dumps(
            {
                "id": "r",
                "items": [{"a": f"{role}{rank}", "b": [rank, f"{role}!{rank}"]} for rank in range(start, start + 20 * size)],
            }
        )
        for role, start in (("gold", 0), ("system", 1000))
    }
    write(sides, ".jsonl")
    configure("records", {role: f"{role}.jsonl" for role in sides}, options={})
    return run


def guards_of_labels(size: int) -> Work:
    """A guard of each label; `labels` counts those of more than a hundred in another way, of which `test_guarding.py` tells."""
    labels = 24 * size
    write(
        {role: "\n".join(["id\tlabel", *(f"{rank}\tl{rank}" for rank in range(labels))]) for role in ("gold", "system")}, ".tsv"
    )
    gates = {f"l{rank}.f1": {"must_pass": [str(rank)]} for rank in range(labels)}
    configure("labels", {role: f"{role}.tsv" for role in ("gold", "system")}, options={}, gates=gates)
    return run


@pytest.mark.parametrize("workload", [ignored_paths, counted_paths, fields_of_a_view, unlike_objects, guards_of_labels])
def test_twice_as_much_costs_twice_as_much(workload: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    for size in SIZES:
        (folder := tmp_path / str(size)).mkdir()
        monkeypatch.chdir(folder)
        counted.append(count_calls(workload(size)))
    said = growth(workload.__name__, counted)
    assert not said, "\n".join(said)
