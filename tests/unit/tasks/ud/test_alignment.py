"""Which words of two files are the same: by their characters, and inside multiword tokens by their forms."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_nlpeval.tasks.ud.alignment import UNALIGNED, align_words
from pytest_nlpeval.tasks.ud.document import Document
from tests.unit.tasks.ud.files import conllu, document


def sentence(tokens: str) -> Document:
    """One sentence of tokens between blanks; `abc=a+bc` is the token `abc` of the words `a` and `bc`."""
    rows: list[str] = []
    number = 0
    for token in tokens.split():
        form, _, words = token.partition("=")
        parts = words.split("+") if words else [form]
        rows += [f"{number + 1}-{number + len(parts)} {form}"] if words else []
        rows += [f"{number + rank} {part}" for rank, part in enumerate(parts, 1)]
        number += len(parts)
    return document(conllu(rows))


@pytest.mark.parametrize(
    ("gold", "system", "pairs"),
    [
        ("a b", "a b", [(0, 0), (1, 1)]),
        ("ab c", "a b c", [(1, 2)]),
        ("a b c", "ab c", [(2, 1)]),
        ("abc=x+y d", "abc=x+y d", [(0, 0), (1, 1), (2, 2)]),
        ("e abc=x+y d", "e abc=x+y d", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("abc=A+BC", "abc=a+bc", [(0, 0), (1, 1)]),
        ("abc=a+b+c d", "abc=a+c d", [(0, 0), (2, 1), (3, 2)]),
        ("abc=a+bc d", "abc d", [(2, 1)]),
        ("abc d", "abc=a+bc d", [(1, 2)]),
        ("abc=x+bc", "a bc", [(1, 1)]),
        ("abc=a+bc de", "a bcd e", [(0, 0)]),  # of the system's words the first alone lies in the multiword token
        ("abc=a+bcd de", "a bcd e", [(0, 0)]),
        ("ab=p+d d", "ab=p+q d", [(0, 0), (2, 2)]),  # the word behind the multiword token is its like behind the other one
        ("d ab=d+p", "d ab=q+p", [(0, 0), (2, 2)]),
        ("ab=a+b ab=a+b", "ab=a+b ab", [(0, 0), (1, 1)]),
        ("ab=a+b ab", "ab ab=a+b", []),  # a form finds its like in the same multiword token only
        ("ab=p+q cd=r+s", "abcd=p+q+r+s", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("abc=p+q de f", "ab cde=p+q f", [(0, 1), (1, 2), (3, 3)]),  # tokens that share a character are one stretch
    ],
)
def test_words_of_the_same_characters_are_the_same(gold: str, system: str, pairs: Sequence[tuple[int, int]]) -> None:
    found = align_words(sentence(gold), sentence(system))
    assert list(zip(found.gold.tolist(), found.system.tolist(), strict=True)) == pairs
    *nodes, root = found.node_of.tolist()
    partners = {theirs: ours for ours, theirs in pairs}
    assert nodes == [partners.get(word, UNALIGNED) for word in range(sentence(system).number)]
    assert root == sentence(gold).number
