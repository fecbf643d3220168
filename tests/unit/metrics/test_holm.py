from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.holm import holm

ps = st.lists(st.floats(0, 1), max_size=6)


def rejected(values: list[float], alpha: float) -> set[int]:
    """Holm's procedure, word for word: step down until one is not rejected."""
    found: set[int] = set()
    for place, rank in enumerate(sorted(range(len(values)), key=lambda rank: values[rank])):
        if values[rank] * (len(values) - place) > alpha:
            break
        found.add(rank)
    return found


@given(ps, st.floats(0.001, 0.999))
def test_adjusted_ps_reject_what_the_procedure_rejects(values: list[float], alpha: float) -> None:
    assert {rank for rank, p in enumerate(holm(values)) if p <= alpha} == rejected(values, alpha)


@given(ps)
def test_it_is_the_closed_test_of_bonferroni(values: list[float]) -> None:
    """An adjusted p is the greatest Bonferroni p of all sets of tests that the test is in."""
    for rank, p in enumerate(holm(values)):
        others = [other for other in range(len(values)) if other != rank]
        sets = [(rank, *chosen) for size in range(len(values)) for chosen in combinations(others, size)]
        expected = max(min(1.0, len(members) * min(values[member] for member in members)) for members in sets)
        assert math.isclose(p, expected, abs_tol=1e-15)


def test_what_has_no_p_does_not_count() -> None:
    assert np.array_equal(holm([0.02, math.nan, 0.01]), [0.02, math.nan, 0.02], equal_nan=True)
    assert holm([]) == ()
