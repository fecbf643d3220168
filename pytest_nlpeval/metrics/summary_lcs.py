"""The longest common subsequence of a summary: of each reference sentence with all sentences of the hypothesis together.

Source: C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 3.2; of several longest subsequences the one that
rouge-score takes. The rows of the table of lengths are integers with a bit for each reference token (H. Hyyrö, Bit-parallel LCS-length
computation revisited, AWOCA 2004): bit j is 0 where the length grows at token j.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain


def union_matches(reference: Sequence[Sequence[str]], hypothesis: Sequence[Sequence[str]]) -> int:
    """Return how many tokens of the reference's sentences are in a common subsequence with some sentence of the hypothesis.

    A token counts at most as often as the hypothesis has it.

    >>> union_matches([["a", "b", "c", "d", "e"]], [["a", "b", "f"], ["a", "c", "g", "h", "e"]])
    4
    """
    available = Counter(chain.from_iterable(hypothesis))
    taken: Counter[str] = Counter()
    for sentence in reference:
        places = set(chain.from_iterable(common_places(sentence, other) for other in hypothesis))
        taken.update(sentence[place] for place in places)
    return sum(min(number, available[token]) for token, number in taken.items())


def common_places(reference: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """Return the places in the reference of a longest common subsequence, from its end.

    It is read from the ends of both: equal tokens are taken; else one step back in the hypothesis if the subsequence of what is left is
    longer that way, else one in the reference.

    >>> common_places("abcd", "acbd")
    [3, 1, 0]
    """
    rows = _rows(reference, hypothesis)
    places = []
    i, j = len(reference), len(hypothesis)
    length = i - rows[j].bit_count()
    while length:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j, length = i - 1, j - 1, length - 1
            places.append(i)
        elif rows[j] >> (i - 1) & 1:  # the length does not grow at this token of the reference
            i -= 1
        else:
            j -= 1
    return places


def _rows(reference: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """Return for each beginning of the hypothesis where the length of its subsequence with the reference grows: the bits that are 0."""
    places: dict[str, int] = {}
    for place, token in enumerate(reference):
        places[token] = places.get(token, 0) | 1 << place
    every = (1 << len(reference)) - 1
    rows = [every]
    for token in hypothesis:
        row = rows[-1]
        equal = row & places.get(token, 0)
        rows.append((row + equal | row - equal) & every)
    return rows
