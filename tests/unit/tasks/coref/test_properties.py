"""What must hold of coreference: every measure by its definition, and what changes nothing."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.tasks.coref.files import Entities, as_conll, as_json, counted, entities, scores, values
from tests.unit.tasks.coref.naive import blanc, one_side

SIDES = st.tuples(entities(), entities())
PAIRS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "mor")


def same(one: float | None, other: Fraction | float | None) -> bool:
    return one is other if one is None or other is None else one == pytest.approx(float(other), abs=1e-12)


@given(SIDES)
def test_measures_are_what_they_are_defined_as(sides: tuple[Entities, Entities]) -> None:
    gold, system = ([set(entity) for entity in side] for side in sides)
    found = scores(as_json({"a": sides[0]}), as_json({"a": sides[1]}))
    recall, precision = one_side(gold, system), one_side(system, gold)
    for name, value in recall.items():
        assert same(found[f"{name}.recall"], value), name
        assert same(found[f"{name}.precision"], precision[name]), name
    expected = blanc(gold, system)
    for rank, figure in enumerate(("precision", "recall", "f1")):
        assert same(found[f"blanc.{figure}"], expected[rank] if expected else None), figure


@given(SIDES)
def test_the_overlap_is_the_greatest(sides: tuple[Entities, Entities]) -> None:
    gold, system = ([frozenset(range(first, last + 1)) for entity in side for first, last in entity][:5] for side in sides)
    cut = [[[(min(places), max(places)) for places in side]] if side else [] for side in (gold, system)]
    row = counted(as_json({"a": cut[0]}), as_json({"a": cut[1]})).evidence
    few, many = sorted((gold, system), key=len)
    pairings = permutations(many, len(few))
    assert row.column("overlap").item() == max(sum(len(a & b) for a, b in zip(few, chosen, strict=True)) for chosen in pairings)


@given(st.dictionaries(st.sampled_from("abc"), SIDES, min_size=1), st.randoms(use_true_random=False))
def test_order_changes_nothing(documents: dict[str, tuple[Entities, Entities]], chance: random.Random) -> None:
    def shuffled(side: int) -> bytes:
        names = list(documents)
        chance.shuffle(names)
        return as_json(
            {
                name: chance.sample(
                    [chance.sample(e, len(e)) for e in map(list, documents[name][side])], len(documents[name][side])
                )
                for name in names
            }
        )

    gold, system = (as_json({name: sides[side] for name, sides in documents.items()}) for side in range(2))
    assert scores(shuffled(0), shuffled(1)) == scores(gold, system)


@given(st.lists(SIDES, min_size=1, max_size=3))
def test_a_file_s_figures_are_those_of_its_documents(documents: list[tuple[Entities, Entities]]) -> None:
    gold, system = (as_json({str(rank): sides[side] for rank, sides in enumerate(documents)}) for side in range(2))
    together = counted(gold, system).evidence
    alone = [
        counted(as_json({str(rank): gold_side}), as_json({str(rank): system_side})).evidence.named(str(rank))
        for rank, (gold_side, system_side) in enumerate(documents)
    ]
    apart = values(type(together).merge(alone))
    for name, value in values(together).items():
        assert same(apart[name], value), name


@given(SIDES)
def test_exchanging_the_files_exchanges_precision_and_recall(sides: tuple[Entities, Entities]) -> None:
    gold, system = (as_json({"a": side}) for side in sides)
    one, other = scores(gold, system), scores(system, gold)
    for name in PAIRS:
        assert one[f"{name}.precision"] == other[f"{name}.recall"]
        assert same(one[f"{name}.f1"], other[f"{name}.f1"])


@given(entities(), st.sampled_from(["keep", "remove"]))
def test_gold_against_itself_is_right(gold: Entities, singletons: str) -> None:
    data = as_json({"a": gold})
    found = counted(data, data, singletons=singletons)
    for name, value in values(found.evidence).items():
        if name.endswith((".precision", ".recall", ".f1")):
            assert value in (None, 1), name
    assert list(found.explanations) == []


@given(entities())
def test_formats_say_the_same(gold: Entities) -> None:
    """Mentions of one entity that cross cannot be written in columns."""
    crosses = any(one[0] < other[0] <= one[1] < other[1] for entity in gold for one in entity for other in entity)
    if not crosses:
        assert scores(as_conll({"a": gold}), as_json({"a": gold}))["mentions.fp"] == 0
        assert scores(as_json({"a": gold}), as_conll({"a": gold}))["mentions.fn"] == 0
