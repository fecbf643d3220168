"""The profile `corefud-1.2`: look-ups among entities that share mentions."""

from __future__ import annotations

import pytest

from tests.unit.tasks.coref.files import scores

HEADER = "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"


def corefud(*entities: str) -> bytes:
    """Return a document of one sentence with a word for each `Entity`."""
    rows = (
        f"{rank}\tw{rank}" + "\t_" * 7 + f"\t{f'Entity={entity}' if entity else '_'}\n" for rank, entity in enumerate(entities, 1)
    )
    return (HEADER + "".join(rows) + "\n").encode()


def test_a_shared_mention_is_the_last_entity_s() -> None:
    """Gold {1 2} {2 3}, system {1 2 3}: word 2 belongs to gold's last entity, and counts twice in M(K).

    Recall of B-cubed: both gold entities find both mentions, (2 + 2) / 4. Precision: the system's 1 is of the first entity, 2 and 3 of the
    second, (1 + 4) / 3 / 3.
    """
    gold = corefud("(e1-x-1-)", "(e1-x-1-)(e2-x-1-)", "(e2-x-1-)")
    system = corefud("(e1-x-1-)", "(e1-x-1-)", "(e1-x-1-)")
    found = scores(gold, system, {"coref.shared": "warning"}, profile="corefud-1.2")
    assert found["bcub.recall"] == 1
    assert found["bcub.precision"] == pytest.approx(5 / 9)
    assert found["muc.precision"] == 1 / 2
    assert found["muc.recall"] == 1
    assert found["mentions.recall"] == 3 / 4


def test_in_the_standard_the_first_entity_keeps_it() -> None:
    gold = corefud("(e1-x-1-)", "(e1-x-1-)(e2-x-1-)", "(e2-x-1-)")
    found = scores(gold, gold, {"coref.shared": "off"}, singletons="keep")
    assert found["mentions.tp"] == 3
    assert found["entities.gold"] == 2


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_without_shared_mentions_and_swaps_it_is_the_standard(match: str) -> None:
    gold = corefud("(e1-x-1-", "e1)", "(e2-x-1-)", "(e1-x-1-)", "(e2-x-1-)")
    system = corefud("(e1-x-1-)", "", "(e2-x-1-)", "(e2-x-1-)", "(e2-x-1-)")
    one, other = (scores(gold, system, profile=profile, match=match) for profile in ("standard", "corefud-1.2"))
    assert one == other


def test_a_zero_that_leads_elsewhere_does_not_stand_for_itself() -> None:
    """Gold {1 2.1} {2.2 3}, system the same places in the same entities, with the zeros' dependencies exchanged.

    So each gold zero is paired with the other place, and CEAF finds words 1 and 3 alone: 2 of 4, though both keys are where gold has them.
    """
    gold = zeros("e1", "e2", "2:nsubj", "2:obj")
    system = zeros("e1", "e2", "2:obj", "2:nsubj")
    for profile in ("standard", "corefud-1.2"):
        found = scores(gold, system, profile=profile)
        assert found["mentions.tp"] == 4
        assert found["ceafm.f1"] == 2 / 4


def zeros(first: str, second: str, *dependencies: str) -> bytes:
    """Return a sentence of three words with two empty nodes, of these entities."""
    nodes = [
        ("1", "e1", "_"),
        ("2", "", "_"),
        ("2.1", first, dependencies[0]),
        ("2.2", second, dependencies[1]),
        ("3", "e2", "_"),
    ]
    rows = (
        f"{name}\tw" + "\t_" * 6 + f"\t{parents}\t{f'Entity=({entity}-x-1-)' if entity else '_'}\n"
        for name, entity, parents in nodes
    )
    return (HEADER + "".join(rows) + "\n").encode()
