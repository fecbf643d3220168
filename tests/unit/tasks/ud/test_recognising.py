"""Which files are recognised: CoNLL-U on both sides, and nothing that merely has ten columns."""

from __future__ import annotations

import pytest

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.task import POSSIBLE, SURE
from pytest_nlpeval.tasks.ud.recognising import recognise

WORD = "1\tMira\t_\t_\t_\t_\t0\troot\t_\t_\n"
REST = WORD.partition("\t")[2]


@pytest.mark.parametrize(
    ("text", "is_conllu"),
    [
        (f"# text = Mira\n{WORD}\n", True),
        (f"1-1\t{REST}{WORD}1.1\t{REST}\n", True),
        (f"one\t{REST}\n", False),
        (f"{WORD}2\tleft\n", False),
        ("# text = Mira\n", False),
        ("", False),
    ],
    ids=["a word", "a range and an empty node", "no ID", "two columns", "no row", "nothing"],
)
def test_what_is_conllu(text: str, is_conllu: bool) -> None:
    right = Sample("a.conllu", WORD.encode())
    for samples in (Samples(Sample("b", text.encode()), right), Samples(right, Sample("b", text.encode()))):
        guesses = list(recognise(samples))
        assert [guess.confidence for guess in guesses] == [SURE] * is_conllu


@pytest.mark.parametrize("broken", [f"{WORD}2\tleft\n", WORD.replace("\t", "  "), ""])
def test_files_that_are_called_conllu_are_read_for_what_is_wrong_with_them(broken: str) -> None:
    right, wrong = Sample("a.conllu", WORD.encode()), Sample("b.conllu", broken.encode())
    for samples in (Samples(right, wrong), Samples(wrong, right), Samples(wrong, wrong)):
        assert [guess.confidence for guess in recognise(samples)] == [POSSIBLE]
