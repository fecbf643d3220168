from __future__ import annotations

import itertools
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Evidence
from pytest_nlpeval.columns import Categorical, Column, Sparse

numbers = st.integers(-(2**40), 2**40)
floats = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def dense(draw: st.DrawFn, rows: int) -> Column:
    bits = draw(st.sampled_from([8, 16, 32, 64]))
    values = st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return np.array(draw(st.lists(values, min_size=rows, max_size=rows)), f"int{bits}")


def sparse(rows: int) -> st.SearchStrategy[Column]:
    return dense(rows).map(lambda column: Sparse.from_dense(column if isinstance(column, np.ndarray) else ()))


def categorical(rows: int) -> st.SearchStrategy[Column]:
    return st.lists(st.sampled_from(["", "a", "b", "ä", "\U0001f600", None]), min_size=rows, max_size=rows).map(Categorical.of)


@st.composite
def evidences(draw: st.DrawFn, name: str = "d") -> Evidence:
    rows = draw(st.integers(0, 4))
    columns: dict[str, Column] = {
        "a": np.array(draw(st.lists(numbers, min_size=rows, max_size=rows)), np.int64),
        "b": np.array(draw(st.lists(floats, min_size=rows, max_size=rows)), np.float64),
        "dense": draw(dense(rows)),
        "sparse": draw(sparse(rows)),
        "either": draw(dense(rows) | sparse(rows)),
        "category": draw(categorical(rows)),
    }
    lacking = draw(st.sets(st.sampled_from(["dense", "sparse", "either", "category"])))
    return Evidence.of([f"u{row}" for row in range(rows)], {k: v for k, v in columns.items() if k not in lacking}, name)


parts = st.integers(0, 4).flatmap(lambda count: st.tuples(*(evidences(f"d{rank}") for rank in range(count))))


@given(parts)
def test_merge_does_not_depend_on_order_or_grouping(pieces: tuple[Evidence, ...]) -> None:
    whole = Evidence.merge(pieces)
    for order in itertools.permutations(pieces):
        assert Evidence.merge(order) == whole
    for cut in range(len(pieces) + 1):
        assert Evidence.merge([Evidence.merge(pieces[:cut]), Evidence.merge(pieces[cut:])]) == whole


def entries(evidence: Evidence, names: list[str]) -> dict[tuple[str, str], list[object]]:
    """Return what each unit of each document has in some columns; None where a categorical one has nothing."""
    found: dict[tuple[str, str], list[object]] = {}
    for part in evidence.split():
        rows = zip(
            *(part.columns[name].tolist() if name in part.columns else [None] * len(part.units) for name in names), strict=True
        )
        found |= {(part.documents[0], unit): list(row) for unit, row in zip(part.units, rows, strict=True)}
    return found


@given(parts)
def test_every_row_keeps_its_entries(pieces: tuple[Evidence, ...]) -> None:
    names = ["a", "b", "dense", "sparse", "either", "category"]
    apart = {key: row for piece in pieces for key, row in entries(piece, names).items()}
    lacking = [*[0] * 5, None]  # a number that is not there is 0, a category is none
    expected = {
        key: [lacking[place] if entry is None else entry for place, entry in enumerate(row)] for key, row in apart.items()
    }
    whole = entries(Evidence.merge(pieces), names)
    assert {
        key: [lacking[place] if entry is None else entry for place, entry in enumerate(row)] for key, row in whole.items()
    } == expected


@given(parts)
def test_merge_keeps_the_narrowest_type_that_has_room(pieces: tuple[Evidence, ...]) -> None:
    whole = Evidence.merge(pieces)
    for name in whole.columns:
        kinds = [piece.column(name).dtype for piece in pieces if name in piece.columns]
        if name != "category":
            assert whole.column(name).dtype == max(kinds, key=lambda kind: (kind.kind == "f", kind.itemsize))


@given(parts)
def test_categories_are_those_that_occur(pieces: tuple[Evidence, ...]) -> None:
    for part in [Evidence.merge(pieces), *Evidence.merge(pieces).split()]:
        column: Column = part.columns.get("category", Categorical.of([]))
        assert part.categories("category") == tuple(sorted({entry for entry in column.tolist() if entry is not None}))
        assert part.column("category").dtype == np.int8


@given(parts)
def test_split_undoes_merge(pieces: tuple[Evidence, ...]) -> None:
    whole = Evidence.merge(pieces)
    assert Evidence.merge(whole.split()) == whole
    same = [Evidence.of(p.units, {k: p.columns[k] for k in ("a", "b")}, p.documents[0]) for p in pieces]
    if same:
        assert Evidence.merge(same).split() == same


@given(evidences(), st.data())
def test_columns_give_their_rows(evidence: Evidence, data: st.DataObject) -> None:
    number = len(evidence.units)
    rows = data.draw(st.lists(st.integers(0, number - 1), max_size=6) if number else st.just([]))
    start, stop = data.draw(st.tuples(st.integers(0, 5), st.integers(0, 5)))
    for column in evidence.columns.values():
        values = column.tolist()
        assert column[np.array(rows, np.int64)].tolist() == [values[row] for row in rows]
        assert column[start:stop].tolist() == values[start:stop]
        assert column[start:stop].shape == (len(values[start:stop]),)


@given(evidences())
def test_evidence_crosses_between_processes(evidence: Evidence) -> None:
    assert pickle.loads(pickle.dumps(evidence)) == evidence


@given(parts)
def test_json_gives_back_the_same_evidence(pieces: tuple[Evidence, ...]) -> None:
    whole = Evidence.merge(pieces)
    assert Evidence.from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_a_column_that_a_part_lacks_is_zero_there() -> None:
    first = Evidence.of(["x"], {"a": np.array([3])}, "1")
    second = Evidence.of(["y", "z"], {"b": np.array([4, 5])}, "2")
    whole = Evidence.merge([second, first])
    assert whole.documents == ("1", "2")
    assert whole.units == ("x", "y", "z")
    assert whole.column("a").tolist() == [3, 0, 0]
    assert whole.column("b").tolist() == [0, 4, 5]
    assert whole.column("c").tolist() == [0, 0, 0]
    assert whole.document_ranks().tolist() == [0, 1, 1]


def test_documents_may_interleave() -> None:
    parts = {name: Evidence.of(["u"], {"a": Categorical.of([name])}, name) for name in "abcd"}
    one, other = Evidence.merge([parts["a"], parts["c"]]), Evidence.merge([parts["d"], parts["b"]])
    assert Evidence.merge([other, one]) == Evidence.merge(parts.values())
    assert Evidence.merge([other, one]).columns["a"].tolist() == list("abcd")


def test_a_column_is_of_one_kind() -> None:
    one, other = Evidence.of(["x"], {"a": Categorical.of("x")}, "1"), Evidence.of(["x"], {"a": np.array([1])}, "2")
    with pytest.raises(ValueError, match="categories in another"):
        Evidence.merge([one, other])
    assert one.categories("a") == ("x",)
    assert other.categories("a") == one.categories("b") == ()


def test_what_is_nearly_all_zero_costs_little() -> None:
    """60 labels with 5 counts each over 54,000 sentences, of which one in 60 has the label."""
    rows = 54_000
    columns = {
        f"{k}.{count}": Sparse.of(np.arange(k, rows, 60), np.ones(900, np.int8), rows) for k in range(60) for count in range(5)
    }
    written = json.dumps(Evidence.of([""] * rows, columns).to_json()["columns"])
    values = 60 * 5 * 900
    assert len(written) < values * (4 + 1) * 4 / 3 + 300 * 80  # int32 and int8 in base 64


def test_a_narrow_column_stays_narrow() -> None:
    column = np.ones(1000, np.int8)
    evidence = Evidence.of([""] * 1000, {"a": column, "b": Categorical.of(["x", "y"] * 500)})
    (_, _, a), (_, _, (_, b), _) = evidence.to_json()["columns"]
    assert len(a) == len(b) == math.ceil(1000 / 3) * 4
    bare = Evidence.of([""] * 1000, {})
    assert len(pickle.dumps(evidence)) - len(pickle.dumps(bare)) < 2 * 1000 + 500


def test_a_document_counts_once() -> None:
    part = Evidence.of(["x"], {}, "1")
    with pytest.raises(ValueError, match="twice"):
        Evidence.merge([part, part])


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="shape"):
        Evidence.of(["x"], {"a": np.array([1, 2])})
    with pytest.raises(ValueError, match="sizes"):
        Evidence(("d",), (2,), ("x",), {})
    with pytest.raises(ValueError, match="sizes"):
        Evidence(("c", "d"), (2, -1), ("x",), {})


@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.float32, np.complex128, object])
def test_types_are_known_ones(kind: type) -> None:
    with pytest.raises(ValueError, match="expected int8"):
        Evidence.of(["x"], {"a": np.array([1], kind)})


def test_a_column_has_one_form() -> None:
    for rows, values in (([1, 1], [1, 1]), ([3], [1]), ([-1], [1]), ([0], [1, 2]), ([1], [True]), ([0.5], ["x"])):
        with pytest.raises(ValueError, match=r"rows|values|convert"):
            Sparse.of(rows, values, 3)
    with pytest.raises(ValueError, match="keeps a 0"):
        Sparse(np.array([1]), np.array([0]), 3)
    for codes, categories in (([0, 1], ("b", "a")), ([0, 0], ("a", "a")), ([2], ("a", "b")), ([-2], ()), ([0], ("a", "b"))):
        with pytest.raises(ValueError, match="categor"):
            Categorical(np.array(codes), categories)
    with pytest.raises(ValueError, match="integers"):
        Categorical(np.array([0.0]), ("a",))


def test_a_vocabulary_of_the_size_of_a_type() -> None:
    for size, kind in ((127, "int8"), (128, "int16"), (2**15, "int32")):
        found = Categorical.of([f"{number:05}" for number in range(size)])
        assert found.codes.dtype.name == kind
        assert Categorical(found.codes, found.categories).tolist()[-1] == f"{size - 1:05}"


DAMAGED: list[list[object]] = [
    [],
    [["int8"], "AA=="],
    ["int8", 1],
    ["int8", "ä"],
    ["sparse"],
    ["sparse", ["int8", "AA=="]],
    ["sparse", ["int8", "AA=="], ["int8", "AA=="]],  # a zero
    ["sparse", ["int8", "AQ=="], ["int8", "AQ=="]],  # row 1 of 1
    ["sparse", ["int8", "/w=="], ["int8", "AQ=="]],  # row -1
    ["sparse", ["int8", "AAA="], ["int8", "AQE="]],  # row 0 twice
    ["sparse", ["int8", ""], ["int8", "AQ=="]],
    ["sparse", ["float64", "AAAAAAAAAAA="], ["int8", "AQ=="]],
    ["sparse", 1, 2],
    ["categorical", ["int8", "AA=="]],
    ["categorical", ["int8", "AA=="], []],
    ["categorical", ["int8", "AA=="], ["a", "b"]],
    ["categorical", ["int8", "AQ=="], ["b", "a"]],
    ["categorical", ["int8", "/g=="], []],  # -2
    ["categorical", ["int8", "AAA="], ["a"]],
    ["categorical", ["float64", "AAAAAAAAAAA="], ["a"]],
    ["categorical", ["int8", "AA=="], 1],
]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a"], *["text"]]]},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a"], *["object", ""]]]},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a"], *["int8", "?"]]]},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a"], *["int64", "AA=="]]]},
        {"documents": ["d"], "sizes": [2], "units": ["u"], "columns": [[["a"], *["int8", "AA=="]]]},
        {"documents": ["d"], "sizes": ["x"], "units": ["u"], "columns": []},
        {"documents": ["d"], "sizes": [float("inf")], "units": ["u"], "columns": []},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": {"a": ["int8", "AA=="]}},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [1]},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a", "b"], "int8", "AA=="]]},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a", "b"], "categorical", ["int8", "AA=="], ["x"]]]},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": None},
        *({"documents": ["d"], "sizes": [1], "units": ["u"], "columns": [[["a"], *column]]} for column in DAMAGED),
    ],
)
def test_what_is_no_evidence_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Evidence.from_json(data)


def test_evidence_is_compared_never_hashed() -> None:
    part = Evidence.of(["x"], {"a": np.array([1])})
    assert part != Evidence.of(["x"], {"a": np.array([2])})
    assert part != Evidence.of(["x"], {"a": Sparse.of([0], [1], 1)})
    assert part != "something else"
    assert Sparse.of([0], [1], 1) != "something else"
    assert Categorical.of("a") != "something else"
    for one in (part, Sparse.of([0], [1], 1), Categorical.of("a")):
        with pytest.raises(TypeError):
            hash(one)
