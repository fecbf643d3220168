from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.tasks.best.files import KNOWN, ROWS, Row, counts_of, evidence_of, known, rows_of

COLUMNS = ("gold", "system", "matched", "unsupported", "thirds", "credit")


def test_the_columns() -> None:
    assert set(counts_of(evidence_of([], []))) == {
        f"{attitude}.{name}" for attitude in ("belief", "sentiment") for name in COLUMNS
    }
    assert not any(counts_of(evidence_of([], [])).values())


def test_counts_of_both_attitudes() -> None:
    gold = rows_of(
        "belief cb a1 h1", "belief cb a1 h2", "belief rob - k1", "sentiment pos a1 p1", "sentiment neg b1 h1", "belief na a1 r1"
    )
    system = rows_of("belief cb a2 h1", "belief ncb - k1", "belief cb c1 r1", "sentiment pos b1 p1", "sentiment neg b1 h2")
    counts = counts_of(evidence_of(gold, system))
    assert {name: counts[f"belief.{name}"] for name in COLUMNS} == {
        "gold": 2,
        "system": 3,
        "matched": 2,
        "unsupported": 0,
        "thirds": 3 + 2,
        "credit": pytest.approx(1 * 2 / 3 + 2 / 3 * 1),
    }
    assert {name: counts[f"sentiment.{name}"] for name in COLUMNS} == {
        "gold": 2,
        "system": 2,
        "matched": 2,
        "unsupported": 1,
        "thirds": 2,
        "credit": pytest.approx(2 / 3),
    }


@settings(max_examples=50)
@given(ROWS, ROWS)
def test_the_counts_fit_together(gold: list[Row], system: list[Row]) -> None:
    counts = counts_of(evidence_of(gold, system))
    for attitude in ("belief", "sentiment"):
        of = {name: counts[f"{attitude}.{name}"] for name in COLUMNS}
        assert of["matched"] <= min(of["gold"], of["system"])
        assert of["matched"] - of["unsupported"] <= of["thirds"] <= 3 * (of["matched"] - of["unsupported"])
        assert 0 <= of["credit"] <= of["thirds"] / 3 + 1e-12


@settings(max_examples=50)
@given(st.permutations(range(8)), st.permutations(range(8)), st.lists(ROWS, min_size=2, max_size=2))
def test_the_order_of_annotations_changes_nothing(one: list[int], other: list[int], both: list[list[Row]]) -> None:
    gold, system = both[0][:8], both[1][:8]
    shuffled = [rows[place] for rows, order in ((gold, one), (system, other)) for place in order if place < len(rows)]
    again = evidence_of(shuffled[: len(gold)], shuffled[len(gold) :])
    assert counts_of(again) == counts_of(evidence_of(gold, system))


@settings(max_examples=50)
@given(ROWS, ROWS)
def test_renaming_mentions_and_targets_changes_nothing(gold: list[Row], system: list[Row]) -> None:
    """Any names will do for mentions and target objects: ties go by the names of sources only."""
    names = {
        "a1": "x",
        "a2": "é",
        "b1": "m",
        "c1": "A",
        "h1": "h-zz",
        "h2": "h-b",
        "h3": "h-c",
        "k1": "k-a",
        "r1": "r-y",
        "r3": "r-a",
        "p1": "9",
    }
    expected = counts_of(evidence_of(gold, system))
    ere = known()
    mentions = {names.get(name, name): mention for name, mention in ere.mentions.items()}
    renamed = type(ere)(mentions)
    first, second = (
        [row._replace(source=names.get(row.source, ""), target=names[row.target]) for row in side] for side in (gold, system)
    )
    assert counts_of(evidence_of(first, second, ere=renamed)) == expected


def renamed_counts(gold: list[Row], system: list[Row], names: dict[str, str]) -> dict[str, float]:
    """The counts after renaming the entities that are sources."""
    mentions = {name: mention._replace(owner=names.get(mention.owner, mention.owner)) for name, mention in KNOWN.mentions.items()}
    return counts_of(evidence_of(gold, system, ere=type(KNOWN)(mentions)))


@settings(max_examples=50)
@given(ROWS, ROWS)
def test_renaming_sources_in_the_same_order_changes_nothing(gold: list[Row], system: list[Row]) -> None:
    # NONE, the token for no source, stays before them all
    names = {"a": "P1", "b": "Q", "c": "z", "p": "zz"}
    assert renamed_counts(gold, system, names) == counts_of(evidence_of(gold, system))


def test_renaming_sources_in_another_order_may_decide_a_tie_otherwise() -> None:
    """Type d pairs (c, cb) with a or b, the provenance of which agrees equally well; type e then takes the other one."""
    gold = rows_of("belief cb a1 h1", "belief cb a1 h2", "belief cb b1 h1", "belief cb b1 h3")
    system = rows_of("belief cb c1 h1", "belief ncb - h2")
    first, second = renamed_counts(gold, system, {}), renamed_counts(gold, system, {"a": "z"})
    assert (first["belief.thirds"], first["belief.unsupported"]) == (2, 1)
    assert (second["belief.thirds"], second["belief.unsupported"]) == (2 + 1, 0)


@settings(max_examples=50)
@given(ROWS, ROWS, st.permutations("abc"))
def test_renaming_sources_never_changes_the_numbers_of_tuples_and_matches(
    gold: list[Row], system: list[Row], order: list[str]
) -> None:
    counts, again = counts_of(evidence_of(gold, system)), renamed_counts(gold, system, dict(zip("abc", order, strict=True)))
    for attitude in ("belief", "sentiment"):
        for name in ("gold", "system", "matched"):
            assert again[f"{attitude}.{name}"] == counts[f"{attitude}.{name}"]
