"""ROUGE: which reference counts, and what tokens are."""

from __future__ import annotations

from pytest_nlpeval.tasks.text.rouge_tokens import tokens_of
from tests.unit.tasks.text.files import of_texts


def test_equal_f_ties() -> None:
    """2m/(h + r) is 2/3 of both references, so the first counts; 2PR/(P + R) in doubles differs in the last digit of some such pairs."""
    first, second = "a b c d e", "a b x c y d z e w v u t s r q"
    for references in ([first, second], [second, first]):
        values = of_texts([references], ["a b c d e f g h i j"], measures="rouge1").values()
        sizes = [len(text.split()) for text in references]
        best = max(range(2), key=lambda place: (10 / (10 + sizes[place]), -place))
        assert values["rouge1.recall"] == 5 / sizes[best]


def test_tokens_of_all_scripts() -> None:
    assert tokens_of(["Über 3½ Σίγμα"], is_published=False) == [["über", "3½", "σίγμα"]]
    assert tokens_of(["カタ漢字ab"], is_published=False) == [["カ", "タ", "漢", "字", "ab"]]
    assert tokens_of(["Don't, x_y"], is_published=True) == [["don", "t", "x", "y"]]
