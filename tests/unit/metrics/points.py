"""What follows from constraints on a few time points, by brute force."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from pytest_nlpeval.metrics.point_closure import Order, Sign

Said = list[tuple[Sign, int, int]]

POINTS = 9
SIGNS: list[Sign] = ["<", "<", "<", "="]
SAID = st.lists(
    st.tuples(st.sampled_from(SIGNS), st.integers(0, POINTS - 1), st.integers(0, POINTS - 1)), min_size=1, max_size=25
)


def pairs(said: Said, wanted: Sign) -> list[tuple[int, int]]:
    """Return the points of the constraints of a sign."""
    return [(a, b) for sign, a, b in said if sign == wanted]


def least_distances(said: Said) -> dict[tuple[int, int], int]:
    """0 where the first is at most the second, 1 where it is less; by Floyd and Warshall."""
    known = {point for _, a, b in said for point in (a, b)}
    least = dict.fromkeys(((point, point) for point in known), 0)
    for sign, a, b in said:
        least[a, b] = max(least.get((a, b), 0), int(sign == "<"))
        if sign == "=":
            least[b, a] = max(least.get((b, a), 0), 0)
    for middle, a, b in product(known, repeat=3):
        if (a, middle) in least and (middle, b) in least:
            least[a, b] = max(least.get((a, b), 0), min(1, least[a, middle] + least[middle, b]))
    return least


def is_consistent(said: Said) -> bool:
    """Return whether no point is before itself."""
    least = least_distances(said)
    return not any(least[pair] for pair in least if pair[0] == pair[1])


def orders(said: Said) -> dict[tuple[int, int], Order]:
    """Return how each two points follow to lie."""
    least = least_distances(said)
    signs: dict[tuple[int | None, int | None], Order] = {(0, 0): "=", (1, None): "<", (None, 1): ">", (None, None): ""}
    found = {(a, b): signs[least.get((a, b)), least.get((b, a))] for a, b in product(range(POINTS), repeat=2)}
    return found | {(point, point): "=" for point in range(POINTS)}
