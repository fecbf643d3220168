"""What is asked of each of many gates looks at its own verdicts, not at those of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.pytest_plugin.judging import failure_lines
from tests.support import write

LOOKS: list[str] = []


class Watched(tuple[Verdict, ...]):
    """Verdicts that note when anybody looks through all of them."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Verdict]:
        LOOKS.append("all verdicts")
        return super().__iter__()


@pytest.mark.parametrize("number", [4, 40])
def test_no_gate_looks_through_the_verdicts_of_all(tmp_path: Path, number: int) -> None:
    labels = [f"l{rank}" for rank in range(number)]
    gold, system = ("".join(f"{label}\n" for label in own) for own in (labels, [*labels[1:], labels[0]]))
    gates = ", ".join(f"{label}.f1: {{min: 0.5, max: 0.9}}" for label in labels)
    suite = f"{{name: s, task: labels, gold: gold.txt, system: system.txt, gates: {{{gates}}}}}"
    write(tmp_path, {"gold.txt": gold, "system.txt": system, "nlpeval.yaml": f"version: 1\nsuites: [{suite}]\n"})
    (loaded,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    result = evaluate(loaded)
    expected = [[verdict for verdict in result.verdicts if verdict.measure == gate.measure] for gate in result.gates]
    assert [len(own) for own in expected] == [2] * number
    watched = replace(result, verdicts=Watched(result.verdicts))
    LOOKS.clear()
    assert [watched.verdicts_on(gate.measure) for gate in result.gates] == expected
    assert watched.verdicts_on("accuracy") == ()
    assert len(LOOKS) == 1
    LOOKS.clear()
    assert failure_lines(replace(result, verdicts=Watched(result.verdicts))) == failure_lines(result)
    assert len(LOOKS) < 10
