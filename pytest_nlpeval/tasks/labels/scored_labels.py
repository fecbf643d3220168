"""Scores of labels as classifiers of Hugging Face's pipelines write them: a list of objects with `label` and `score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def scores_of(cell: object) -> Mapping[str, Any] | None:
    """Return the score of each label, in the order of the list; None if a cell is no such list, or has a label twice.

    An object alone is a list of one.

    >>> scores_of([{"label": "joy", "score": 0.75}, {"label": "anger", "score": 0.25}])
    {'joy': 0.75, 'anger': 0.25}
    """
    pairs = [cell] if isinstance(cell, dict) else cell
    if not isinstance(pairs, list) or not pairs or not all(map(_is_scored, pairs)):
        return None
    scores = {pair["label"]: pair["score"] for pair in pairs}
    return scores if len(scores) == len(pairs) else None


def best_label(cell: object) -> object:
    """Return the label with the highest score, of equal ones the first; of a cell that has no such scores, the cell."""
    scores = scores_of(cell)
    return cell if scores is None else max(scores, key=scores.__getitem__)


def are_scores(cells: Sequence[object]) -> bool:
    """Whether there are cells, and each has scores of labels."""
    return bool(cells) and all(scores_of(cell) is not None for cell in cells)


def _is_scored(pair: object) -> bool:
    if not isinstance(pair, dict) or pair.keys() != {"label", "score"} or not isinstance(pair["label"], str):
        return False
    return isinstance(pair["score"], int | float) and not isinstance(pair["score"], bool)
