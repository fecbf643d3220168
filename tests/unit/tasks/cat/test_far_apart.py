"""Wrong TLINKs far apart, from the files to the explanations: the work grows as the document does."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pytest_nlpeval import score
from pytest_nlpeval.metrics import point_additions, point_closure, temporal_chains
from tests.budget.counting import Calls, count_calls

CONFIG = "EVENT\tmarkable\t0\tclass\nTLINK\tone2one\tdirectional\trelType\n"

GROWTH = 2.1
"""Twice the document makes at most so many times the calls: 4 would be a search for each relation, 2 is linear."""


def side(size: int, *, is_system: bool) -> str:
    """A document of so many events, each before the next; the system has each as well after the one half of the document behind."""

    def lines() -> Iterable[str]:
        yield '<Document doc_name="d">'
        for rank in range(1, size + 1):
            yield f'<token t_id="{rank}" sentence="0" number="{rank - 1}">went</token>'
        yield "<Markables>"
        for rank in range(1, size + 1):
            yield f'<EVENT m_id="{rank}" class="MOTION"><token_anchor t_id="{rank}"/></EVENT>'
        yield "</Markables>\n<Relations>"
        far = [(rank, rank + size // 2, "AFTER") for rank in range(1, size // 2 + 1)] if is_system else []
        for number, (source, target, kind) in enumerate([*((rank, rank + 1, "BEFORE") for rank in range(1, size)), *far]):
            ends = f'<source m_id="{source}"/><target m_id="{target}"/>'
            yield f'<TLINK r_id="{size + 1 + number}" relType="{kind}">{ends}</TLINK>'
        yield "</Relations>\n</Document>"

    return "\n".join(lines()) + "\n"


def calls_of(size: int) -> Calls:
    """Count the calls of scoring and explaining a document, whose wrong relations must all be explained."""
    gold, system = (side(size, is_system=is_system).encode() for is_system in (False, True))
    results = []
    calls = count_calls(lambda: results.append(score("cat", config=CONFIG, gold=gold, system=system, explain=True)))
    (result,) = results
    assert result.outcome == "ok", result.all_problems()
    told = sum(sum(case.explanations.counts.values()) for case in result.cases if case.explanations)
    assert told >= size // 2
    return calls


@pytest.mark.parametrize("widest", [point_closure.WIDEST, 30], ids=["all in one closure", "in more points than that"])
def test_wrong_relations_far_apart_take_work_that_grows_as_the_document(monkeypatch: pytest.MonkeyPatch, widest: int) -> None:
    """The search for what contradicts a relation gives up after so many points; documents of so few events must be longer than that.

    The system contradicts itself, so that its relations are added one after the other, or by halves.
    """
    monkeypatch.setattr(temporal_chains, "FARTHEST", 20)
    monkeypatch.setattr(point_closure, "WIDEST", widest)
    monkeypatch.setattr(point_additions, "FEW", min(point_additions.FEW, widest))
    calls_of(20)  # imports what it needs
    few, many = (calls_of(size) for size in (90, 180))
    assert many["metrics.temporal_chains.shortest_chain"] > 0
    assert many["metrics.point_closure.PointClosure.order"] > 0
    assert many.total() < GROWTH * few.total()
