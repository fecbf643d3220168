"""What a verdict does not depend on: the order of rows and of keys, documents that one side alone has, and which side is called which."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.budget.corpora import CORPORA
from tests.budget.workloads import OPTIONS
from tests.support import command, write

UNITS = 35
SUFFIXES: Mapping[str, str] = {"labels": ".tsv", "scores": ".jsonl", "records": ".jsonl", "ranking": ".txt"}
"""The tasks whose files have lines in any order, and how the files end."""

GATED: Mapping[str, str] = {"labels": "macro.f1", "scores": "right.pass_rate", "records": "micro.f1", "ranking": "nDCG@10"}
JUDGED = {"max_drop": 0, "alpha": 0.05}

Texts = Mapping[str, str]


def texts(task: str) -> tuple[Texts, Texts]:
    """Return gold with today's output, and with the baseline's: each has lines of its own that say something else."""
    made = CORPORA[task](UNITS)
    now, then = ({**made, "system": _changed(made["system"], seed)} for seed in (1, 2))
    return now, then


_EXCHANGED = (("\tnorth", "\tsouth"), ('"right": true', '"right": false'), ('"count": 1', '"count": 7'), (" 9 run", " 0 run"))
"""What a line says in one of the tasks, and something else in its place."""


def _changed(text: str, seed: int) -> str:
    """Return an output of which about every third line says something else."""
    chance = random.Random(seed)
    lines = []
    for line in text.splitlines(keepends=True):
        is_changed = chance.random() < 1 / 3
        one, other = next(((one, other) for one, other in _EXCHANGED if one in line), ("", ""))
        lines.append(line.replace(one, other) if one and is_changed else line)
    return "".join(lines)


def shuffled(text: str, seed: int) -> str:
    """Return a file with its lines in another order; a header stays."""
    lines = text.splitlines(keepends=True)
    first = 1 if text.startswith("id\t") else 0
    return "".join([*lines[:first], *random.Random(seed).sample(lines[first:], len(lines) - first)])


def suite(folder: Path, task: str, documents: Mapping[str, Texts], **entries: Any) -> Path:
    """Write a suite with a file of each role for each document."""
    suffix = SUFFIXES[task]
    files = {f"{role}/{name}{suffix}": text for name, by_role in documents.items() for role, text in by_role.items()}
    paths = {role: f"{role}/{{doc}}{suffix}" for role in ("gold", "system")}
    whole = {"name": "suite", "task": task, **paths, "options": OPTIONS.get(task, {}), "gates": {GATED[task]: JUDGED}, **entries}
    statistics = {"resamples": 200}
    config = {"version": 1, "defaults": {"baseline": "base.json", "statistics": statistics}, "suites": [whole]}
    return write(folder, {**files, "nlpeval.yaml": json.dumps(config)})


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[[], None]:
    """Keep the output of the suite that stands here as the baseline."""
    monkeypatch.chdir(tmp_path)

    def keep() -> None:
        ended = command(capfd, "baseline", "update", "--no-cache")
        assert ended.code == 0, ended.all

    return keep


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[[], dict[str, Any]]:
    """Return what the JSON report of the suite that stands here says of its scores, gates and changes."""
    monkeypatch.chdir(tmp_path)

    def judged() -> dict[str, Any]:
        ended = command(capfd, "run", "--no-cache", "--jobs=1", "--report=json:report.json")
        assert ended.code < 2, ended.all
        (told,) = json.loads((tmp_path / "report.json").read_text())["suites"]
        changes = [told["changes"]["counts"][name] for name in ("newly_wrong", "newly_right")]
        return {"scores": told["scores"], "gates": told["gates"], "changes": changes, "code": ended.code}

    return judged


def against(
    task: str, now: Texts, then: Texts, folder: Path, kept: Callable[[], None], report: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return what the report of today's output says, compared with the output of then."""
    suite(folder, task, {"one": then})
    kept()
    suite(folder, task, {"one": now})
    return report()


def near(value: Any) -> Any:
    """Return what a report must say, its numbers up to the last bits of sums in another order."""
    if isinstance(value, Mapping):
        return {name: near(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [near(inner) for inner in value]
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@pytest.mark.parametrize("task", SUFFIXES)
def test_lines_in_another_order_are_judged_the_same(
    task: str, tmp_path: Path, kept: Callable[[], None], report: Callable[[], dict[str, Any]]
) -> None:
    """Values, intervals, p-values and verdicts, whichever side is in another order, then or now."""
    now, then = texts(task)
    expected = against(task, now, then, tmp_path, kept, report)
    assert min(expected["changes"]) > 0, "each output has what the other lacks"
    assert any(0 < score.get("p", 1) < 1 for score in expected["scores"].values()), "some p-value could be another"
    for seed, roles in enumerate((("gold",), ("system",), ("gold", "system"))):
        write(tmp_path, {f"{role}/one{SUFFIXES[task]}": shuffled(now[role], seed) for role in roles})
        assert report() == near(expected)
        write(tmp_path, {f"{role}/one{SUFFIXES[task]}": now[role] for role in roles})
    shuffled_then = {role: shuffled(text, 7) for role, text in then.items()}
    assert against(task, now, shuffled_then, tmp_path, kept, report) == near(expected)


@pytest.mark.parametrize("task", SUFFIXES)
def test_a_document_that_is_added_changes_no_drop(
    task: str, tmp_path: Path, kept: Callable[[], None], report: Callable[[], dict[str, Any]]
) -> None:
    now, then = texts(task)
    expected = drops(against(task, now, then, tmp_path, kept, report))
    for name in ("added", "two"):
        suite(tmp_path, task, {"one": now, name: then})
        found = drops(report())
        assert {measure: found[measure] for measure in expected} == expected
        for role in now:
            (tmp_path / f"{role}/{name}{SUFFIXES[task]}").unlink()


def drops(told: Mapping[str, Any]) -> dict[str, list[float | None]]:
    """Return what a report says of the drop in each measure that both runs have."""
    names = ("baseline", "drop", "drop_low", "drop_high", "p")
    return {measure: [score.get(name) for name in names] for measure, score in told["scores"].items() if "drop" in score}


@pytest.mark.parametrize("task", SUFFIXES)
def test_exchanged_outputs_have_the_opposite_drop_and_equal_ones_none(
    task: str, tmp_path: Path, kept: Callable[[], None], report: Callable[[], dict[str, Any]]
) -> None:
    sides = texts(task)
    found = []
    for one, other in (sides, sides[::-1]):
        suite(tmp_path, task, {"one": other})
        kept()
        assert report()["code"] == 0, "an output is not worse than itself"
        suite(tmp_path, task, {"one": one})
        found.append({measure: values[1] for measure, values in drops(report()).items()})
    assert found[0] == {measure: pytest.approx(-(drop or 0), abs=1e-12) for measure, drop in found[1].items()}


MAPPINGS: Mapping[str, Mapping[str, Any]] = {
    "labels": {"where": {"gold": {"kind": ["g0", "g1", "g2"], "label": ["north", "south", "east", "west"]}}},
    "records": {
        "compare": {"total": "number", "items": {"list": "ordered", "value": "number", "tolerance": "1"}, "city": "tokens"}
    },
    "scores": OPTIONS["scores"],
}
"""Options of tasks with mappings in them."""


def reversed_keys(value: Any) -> Any:
    """Return options with the keys of all mappings in reverse."""
    return {name: reversed_keys(value[name]) for name in reversed(value)} if isinstance(value, Mapping) else value


@pytest.mark.parametrize("task", MAPPINGS)
def test_options_in_another_order_are_the_same_circumstances(
    task: str, tmp_path: Path, kept: Callable[[], None], report: Callable[[], dict[str, Any]]
) -> None:
    """A baseline file is compared, whichever key stands first in a mapping."""
    now, then = texts(task)
    options = MAPPINGS[task]
    suite(tmp_path, task, {"one": then}, options=options)
    kept()
    suite(tmp_path, task, {"one": now}, options=options)
    expected = report()
    suite(tmp_path, task, {"one": now}, options=reversed_keys(options))
    assert report()["gates"] == expected["gates"]
    assert all(gate["verdict"] != "unjudged" for gate in expected["gates"])
