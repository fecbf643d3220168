from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_nlpeval.metrics import draws
from pytest_nlpeval.metrics.draws import Draws, all_swaps, bootstrap_counts, swaps, unseen_counts

GOLDEN_BOOTSTRAP = ["3a32b18db2ffc19d", "51171315c9e4c4de"]
GOLDEN_SWAPS = ["7a4dc915bd3a7cfe", "35879f2df6cc90c6"]


def whole(pieces: Iterator[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(list(pieces))


def test_the_streams_are_the_generators_own_words() -> None:
    """The first words of PCG64 by these seeds; a change of any bit changes every stored verdict."""
    assert [f"{word:016x}" for word in np.random.PCG64(np.random.SeedSequence([12345, 0])).random_raw(2)] == GOLDEN_BOOTSTRAP
    assert [f"{word:016x}" for word in np.random.PCG64(np.random.SeedSequence([12345, 1])).random_raw(2)] == GOLDEN_SWAPS


def test_counts_are_made_of_the_words() -> None:
    halves = [int(word[8:], 16) for word in GOLDEN_BOOTSTRAP] + [int(word[:8], 16) for word in GOLDEN_BOOTSTRAP]
    low_first = [halves[0], halves[2], halves[1]]  # of an odd number the last half is not used
    expected = np.bincount([half * 3 >> 32 for half in low_first], minlength=3)
    assert whole(bootstrap_counts(Draws(1), 3)).tolist() == [expected.tolist()]


def test_each_resample_of_an_even_number_takes_whole_words() -> None:
    words = np.random.PCG64(np.random.SeedSequence([12345, 0])).random_raw(20).tolist()
    halves = [(word % 2**32, word >> 32) for word in words]
    expected = [np.bincount([half * 2 >> 32 for half in each], minlength=2).tolist() for each in halves]
    assert whole(bootstrap_counts(Draws(20), 2)).tolist() == expected


def test_how_often_one_more_unit_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 32-bit number below exp(-1) * 2**32 draws it never, one below (1 + 1/1!) times that once, below (1 + 1/1! + 1/2!) twice."""
    never = math.floor(math.exp(-1) * 2**32)
    once, twice = math.floor(2 * math.exp(-1) * 2**32), math.floor(2.5 * math.exp(-1) * 2**32)
    numbers = [0, never - 1, never, once - 1, once, twice - 1, twice, 2**32 - 1]

    class Words:
        def __init__(self, _seed: object) -> None:
            pass

        def random_raw(self, size: int) -> NDArray[Any]:
            return np.array([(number << 32) + 2**32 - 1 for number in numbers[:size]], np.uint64)

    monkeypatch.setattr(np.random, "PCG64", Words)
    assert unseen_counts(Draws(8)).tolist() == [0, 0, 1, 1, 2, 2, 3, 13]


@pytest.mark.parametrize(("at_once", "units", "size"), [(1, 5, 1), (7, 5, 1), (10, 5, 2), (2, 1, 2), (64, 0, 1)])
def test_no_more_numbers_are_made_at_once(at_once: int, units: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces have as many resamples as there is room for, at least one."""
    monkeypatch.setattr(draws, "_AT_ONCE", at_once)
    assert {len(piece) for piece in all_swaps(units)} == {size}
    made = [len(piece) for piece in bootstrap_counts(Draws(10), max(units, 1))]
    assert made[0] == min(10, max(1, at_once // max(units, 1)))
    assert sum(made) == 10


def test_coins_are_the_bits_of_the_words() -> None:
    word = int(GOLDEN_SWAPS[0], 16)
    assert whole(swaps(Draws(1), 60)).tolist() == [[word >> place & 1 for place in range(60)]]
    words = [int(word, 16) for word in GOLDEN_SWAPS]  # 64 coins are all bits of a word
    assert whole(swaps(Draws(2), 64)).tolist() == [[word >> place & 1 for place in range(64)] for word in words]


@pytest.mark.parametrize("units", [1, 2, 63, 64, 65, 1000])
def test_how_many_are_made_at_once_changes_nothing(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    both: list[Callable[[Draws, int], Iterator[NDArray[Any]]]] = [bootstrap_counts, swaps]
    made = [whole(of(Draws(50, 7), units)) for of in both]
    for at_once in (1, units, 3 * units + 1):
        monkeypatch.setattr(draws, "_AT_ONCE", at_once)
        for of, found in zip(both, made, strict=True):
            assert np.array_equal(whole(of(Draws(50, 7), units)), found)
    assert not np.array_equal(whole(bootstrap_counts(Draws(50, 8), 1000)), whole(bootstrap_counts(Draws(50, 7), 1000)))


def test_a_resample_is_as_large_as_what_it_is_from() -> None:
    counts = whole(bootstrap_counts(Draws(200), 37))
    assert counts.shape == (200, 37)
    assert (counts.sum(axis=1) == 37).all()
    assert whole(bootstrap_counts(Draws(4), 0)).shape == whole(swaps(Draws(4), 0)).shape == (4, 0)


def test_all_units_are_drawn_and_swapped_alike() -> None:
    """20,000 draws of a unit deviate by less than 5 standard errors."""
    counts, coins = whole(bootstrap_counts(Draws(20_000), 10)), whole(swaps(Draws(20_000), 10))
    assert np.abs(counts.mean(axis=0) - 1).max() < 5 * (0.9 / 20_000) ** 0.5
    assert np.abs(coins.mean(axis=0) - 0.5).max() < 5 * 0.5 / 20_000**0.5


@pytest.mark.parametrize("units", [0, 1, 5])
def test_all_ways_to_swap(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "_AT_ONCE", 7)
    ways = whole(all_swaps(units))
    assert ways.shape == (2**units, units)
    assert len({tuple(way) for way in ways.tolist()}) == 2**units
    assert not ways[0].any()
    assert all(map(len, all_swaps(units))), "no piece is empty"
