"""Baseline files: what is written is read back, the same results give the same bytes, and whatever else is in a file is told."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Evidence
from pytest_nlpeval.baselines.stored import baseline_text, read_baseline
from pytest_nlpeval.columns import Categorical, Sparse
from pytest_nlpeval.config.suite import File
from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.runs import Circumstances, Run
from tests.support import write
from tests.work import calls_of

HERE = Circumstances("rte", "1", {"edition": 1}, {"rte.ties": "off"}, {"a": "0", "b": "1"})
WRONG = Explanations.of([Explanation("1", "missed", "a message", 3, gold="TRUE")])


def evidence(document: str, units: int = 2, **columns: object) -> Evidence:
    names = [f"{document}{unit}" for unit in range(units)]
    return Evidence.of(names, dict(columns), document)  # type: ignore[arg-type]


def kept(counts: Evidence, wrong: Mapping[str, Explanations] | None = None) -> Run:
    return Run("base.json", evidence=counts, wrong=wrong, circumstances=HERE)


def reread(folder: Path, text: str) -> tuple[dict[str, Run] | None, list[str]]:
    path = write(folder, {"base.json": text}) / "base.json"
    try:
        return read_baseline(File(str(path), "base.json")), []
    except NlpevalError as error:
        return None, [str(problem) for problem in error.problems]


FULL = Evidence.merge(
    [
        evidence(
            document,
            whole=np.array([1, -3], np.int8),
            share=np.array([1 / 3, math.nan]),
            rare=Sparse.of([1], [7], 2),
            label=Categorical.of(["", None]),
        )
        for document in ("a", "b")
    ]
)


def counting(column: str, value: object) -> Callable[[Any], Any]:
    """Return a change of a baseline file: the first unit has this value in a column."""

    def change(data: Any) -> Any:
        data["suites"]["s"]["documents"]["a"]["units"][0][1][column] = value
        return data

    return change


def explaining(field: str, value: object) -> Callable[[Any], Any]:
    """Return a change of a baseline file: the first explanation has this value in a field."""

    def change(data: Any) -> Any:
        data["suites"]["s"]["documents"]["a"]["wrong"][0][field] = value
        return data

    return change


def test_every_kind_of_column_comes_back(tmp_path: Path) -> None:
    found, problems = reread(tmp_path, baseline_text({"s": kept(FULL, {"a": WRONG, "b": Explanations()})}))
    assert found is not None
    run = found["s"]
    assert run.evidence is not None
    assert run.circumstances == HERE
    assert run.wrong == {"a": WRONG, "b": Explanations()}
    assert run.evidence.units == FULL.units
    assert [run.evidence.columns[name].tolist() for name in ("whole", "rare", "label")] == [
        FULL.columns[name].tolist() for name in ("whole", "rare", "label")
    ]
    np.testing.assert_array_equal(run.evidence.column("share"), FULL.column("share"))
    assert not problems


def test_a_document_may_be_called_like_a_file_whose_name_is_not_utf8(tmp_path: Path) -> None:
    found, problems = reread(tmp_path, baseline_text({"s": kept(evidence("a\udcff", x=np.array([0, 1])))}))
    assert not problems
    assert found is not None
    assert found["s"].evidence is not None
    assert found["s"].evidence.documents == ("a\udcff",)


def test_the_same_results_give_the_same_bytes_whatever_their_order(tmp_path: Path) -> None:
    one, two = kept(FULL, {"b": Explanations(), "a": WRONG}), kept(evidence("a", x=np.array([0, 1])))
    text = baseline_text({"s": one, "t": two})
    assert text == baseline_text({"t": two, "s": one})
    found, _ = reread(tmp_path, text)
    assert found is not None
    assert baseline_text(found) == text


def test_a_unit_that_changes_is_one_line_of_the_difference() -> None:
    before, after = (baseline_text({"s": kept(evidence("a", x=np.array([0, right])))}) for right in (0, 1))
    lines = zip(before.splitlines(), after.splitlines(), strict=True)
    assert [pair for pair in lines if pair[0] != pair[1]] == [('    ["a1", {}]],', '    ["a1", {"x": 1}]],')]


@given(st.lists(st.tuples(st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False)), max_size=5))
def test_every_number_survives(rows: list[tuple[int, float]]) -> None:
    import tempfile

    counts, shares = ([row[rank] for row in rows] for rank in (0, 1))
    whole = evidence("a", len(rows), n=np.array(counts, np.int64), x=np.array(shares, np.float64))
    with tempfile.TemporaryDirectory() as folder:
        found, _ = reread(Path(folder), baseline_text({"s": kept(whole)}))
    assert found is not None
    assert found["s"].evidence == whole


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "baseline.invalid: is not JSON"),
        ("[]", "baseline.invalid"),
        ('{"version": 2, "suites": {}}', "baseline.invalid"),
        ('{"version": 1, "suites": {"s": {}}}', "'task' is a required property"),
        (
            baseline_text({"s": kept(evidence("a", x=np.array([0, 1])))}).replace('{"x": 1}', '{"x": "y"}'),
            "was not written by this program",
        ),
        *(
            (json.dumps(change(json.loads(baseline_text({"s": kept(FULL, {"a": WRONG, "b": Explanations()})})))), said)
            for change, said in (
                (counting("whole", 1.0), "the column whole of integers holds something else"),
                (counting("whole", 2**63), "is beyond"),
                (counting("share", "0.5"), "the column share of floats holds something else"),
                (counting("label", 3), "the column label of labels holds something else"),
                (counting("labels", 3), "units have counts of labels, which is no column"),
                (counting("whole", True), "True is not of type"),
                (explaining("unit", 3), "3 is not of type 'string'"),
                (explaining("reason", ["missed"]), "is not of type 'string'"),
                (explaining("line", 0), "0 is less than the minimum of 1"),
                (explaining("pair", ["a"]), "is too short"),
                (explaining("passage", {}), "'text' is a required property"),
                (explaining("kind", "x"), "is not one of"),
            )
        ),
    ],
)
def test_whatever_else_a_file_holds_is_told(tmp_path: Path, text: str, said: str) -> None:
    found, problems = reread(tmp_path, text)
    assert found is None
    assert said in "\n".join(problems)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NlpevalError) as refused:
        read_baseline(File(str(tmp_path / "base.json"), "base.json"))
    assert [problem.code for problem in refused.value.problems] == ["file.missing"]


def test_explanations_are_those_of_evidence_files() -> None:
    stored, counted = (json_schema(f"{name}.schema.json")["$defs"] for name in ("baseline", "evidence"))
    assert {name: stored[name] for name in ("explanation", "spans")} == {name: counted[name] for name in ("explanation", "spans")}


def test_a_file_is_read_once_for_all_its_suites(tmp_path: Path) -> None:
    """Each suite asks for its run: a file of four times as many suites is four times the work, and not sixteen times."""

    def work(suites: int) -> int:
        file = tmp_path / f"{suites}.json"
        text = baseline_text({f"suite{rank}": kept(evidence("a", right=np.array([1, rank % 2]))) for rank in range(suites)})
        file.write_text(text, encoding="utf-8")
        return calls_of(lambda: [read_baseline(File(str(file), file.name)) for _ in range(suites)])

    work(1)  # what is made once in a process
    assert work(40) < 8 * work(10)


def test_a_file_that_is_written_anew_is_read_anew(tmp_path: Path) -> None:
    for right in ([1, 0], [1, 1]):
        runs, problems = reread(tmp_path, baseline_text({"dev": kept(evidence("a", right=np.array(right)))}))
        assert runs is not None
        assert runs["dev"].evidence is not None
        assert runs["dev"].evidence.column("right").tolist() == right
        assert not problems
