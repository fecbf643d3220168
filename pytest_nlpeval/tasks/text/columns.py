"""The names of the columns of evidence."""

from __future__ import annotations

from collections.abc import Collection

KINDS = ("hits", "substitutions", "deletions", "insertions")
"""Of tokens in an alignment."""

ANSWERED, EXACT, REFERENCES = "answered", "exact", "references"
CONFUSED = "confused"
GROUP = "group."

BLEU_ORDER = 4
CHRF_ORDERS = {"chrf": (6, 0), "chrf++": (6, 2)}
"""How long the n-grams of characters and of words get."""

NUMBER_OF_REFERENCES = "nrefs."
MANY = "var"


def references_of(columns: Collection[str]) -> str:
    """Return how many references the segments have, `var` if not all have equally many."""
    numbers = {column.removeprefix(NUMBER_OF_REFERENCES) for column in columns if column.startswith(NUMBER_OF_REFERENCES)}
    return numbers.pop() if len(numbers) == 1 else MANY
