"""Where the search for a chain of temporal relations ends."""

from __future__ import annotations

import pytest

from pytest_nlpeval.metrics import temporal_chains
from pytest_nlpeval.metrics.temporal_chains import Constraints, shortest_chain, steps_of

FARTHEST = 10


@pytest.fixture(autouse=True)
def _near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporal_chains, "FARTHEST", FARTHEST)


def test_as_many_points_may_be_nearer_as_the_limit_says() -> None:
    steps = steps_of([(("=", 2 * rank, 2 * rank + 2),) for rank in range(FARTHEST + 1)])
    assert shortest_chain(("=", 0, 2 * FARTHEST), steps) == tuple(range(FARTHEST))
    assert shortest_chain(("=", 0, 2 * FARTHEST + 2), steps) == ()


def test_points_that_are_later_are_not_on_the_way_to_an_equal_one() -> None:
    later: list[Constraints] = [(("<", 0, 4 + 2 * rank),) for rank in range(1, FARTHEST + 1)]
    steps = steps_of([*later, (("=", 0, 2),), (("=", 2, 4),)])
    assert shortest_chain(("=", 0, 4), steps) == (FARTHEST, FARTHEST + 1)
