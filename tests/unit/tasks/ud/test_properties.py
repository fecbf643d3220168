"""What must hold of any two files with the same characters."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.measures import Sample
from tests.unit.tasks.ud.files import conllu, counted, document, scored

UPOS = ("NOUN", "VERB", "X")
RELATIONS = ("nsubj", "nsubj:pass", "det", "case", "obj", "punct")
FEATS = ("_", "Number=Sing", "Case=Nom|Number=Sing", "Typo=Yes")


def random_file(seed: int, characters: str, *, ranges: bool = True, cuts: tuple[int, ...] = ()) -> str:
    """Characters cut into tokens, words and sentences at random; every sentence has one tree. All sentences end at `cuts`, too."""
    chance = random.Random(seed)
    sentences: list[list[str]] = []
    place = 0
    while place < len(characters):
        end = min([*(cut for cut in cuts if cut > place), place + chance.randint(3, 12), len(characters)])
        sentences.append(random_sentence(characters[place:end], chance, ranges=ranges))
        place = end
    return conllu(*sentences)


def random_sentence(characters: str, chance: random.Random, *, ranges: bool, words: random.Random | None = None) -> list[str]:
    """Return the rows of a sentence; `words` decides on all but the tokens."""
    inside = words or chance
    tokens: list[list[str]] = []
    while characters:
        size = chance.randint(1, 3)
        token, characters = characters[:size], characters[size:]
        parts = [inside.choice("abAB") for _ in range(inside.randint(1, 4))] if ranges and inside.random() < 0.3 else []
        tokens.append([token, *parts])
    number = sum(max(1, len(parts)) for _, *parts in tokens)
    heads = random_heads(number, inside)
    rows: list[str] = []
    rank = 0
    for token, *parts in tokens:
        if parts:
            rows.append(f"{rank + 1}-{rank + len(parts)} {token}")
        for form in parts or [token]:
            rows.append(random_row(rank + 1, form, heads[rank], number, inside))
            rank += 1
    return rows


def random_heads(number: int, chance: random.Random) -> list[int]:
    order = list(range(1, number + 1))
    chance.shuffle(order)
    heads = [0] * number
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = chance.choice(order[:place])
    return heads


def random_row(rank: int, form: str, head: int, number: int, chance: random.Random) -> str:
    relation = chance.choice(RELATIONS) if head else "root"
    edges = {(head, relation)} | {(chance.randint(1, number), chance.choice(RELATIONS)) for _ in range(chance.randint(0, 2))}
    deps = "|".join(f"{source}:{label}" for source, label in sorted(edges))
    lemma = chance.choice(("_", form, "x"))
    return f"{rank} {form} {lemma} {chance.choice(UPOS)} {chance.choice('pq')} {chance.choice(FEATS)} {head} {relation} {deps}"


characters = st.text("abAB", min_size=1, max_size=30)
seeds = st.integers(0, 10**6)


@given(characters, seeds)
def test_gold_against_itself_is_perfect(text: str, seed: int) -> None:
    gold = random_file(seed, text)
    assert {value for value in scored(gold, gold).values() if value is not None} == {1.0}


@given(characters, seeds, seeds)
def test_exchanging_the_files_exchanges_precision_and_recall(text: str, first: int, second: int) -> None:
    one, two = (random_file(seed, text) for seed in (first, second))
    there, back = scored(one, two), scored(two, one)
    for name in ("tokens", "sentences"):
        assert (there[f"{name}.precision"], there[f"{name}.recall"]) == (back[f"{name}.recall"], back[f"{name}.precision"])
    one, two = (random_file(seed, text, ranges=False) for seed in (first, second))
    there, back = scored(one, two), scored(two, one)
    for name in ("words", "upos", "uas", "las"):
        assert (there[f"{name}.precision"], there[f"{name}.recall"]) == (back[f"{name}.recall"], back[f"{name}.precision"])


@given(characters, seeds, seeds, st.booleans())
def test_counts_of_every_unit(text: str, first: int, second: int, subtypes: bool) -> None:
    evidence = counted(random_file(first, text), random_file(second, text), subtypes=subtypes).evidence
    column = {name: evidence.column(name).astype(np.int64) for name in evidence.columns}
    for name in ("tokens", "sentences", "words"):
        assert (column[f"{name}.correct"] <= np.minimum(column[f"{name}.gold"], column[f"{name}.system"])).all()
    order = ("blex", "clas", "las", "uas", "words.correct")
    assert all((column[low] <= column[high]).all() for low, high in pairwise(order))
    assert (column["mlas"] <= column["clas"]).all()
    assert (column["clas"] <= np.minimum(column["content.gold"], column["content.system"])).all()
    if "elas" in column:
        edges = np.minimum(column["edges.gold"], column["edges.system"])
        assert (column["elas"] <= column["eulas"]).all()
        assert (column["eulas"] <= edges).all()
    of_relations = [numbers for name, numbers in column.items() if name.startswith("deprel.") and name.endswith(".correct")]
    assert (sum(of_relations, np.zeros(len(evidence.units), np.int64)) == column["las"]).all()
    total = Sample(evidence).total("words.system")[0]
    assert total == document(random_file(second, text)).number


@given(characters, characters, seeds, seeds)
def test_cutting_a_pair_where_both_end_a_sentence_changes_nothing(left: str, right: str, first: int, second: int) -> None:
    gold, system = (random_file(seed, left + right, cuts=(len(left),)) for seed in (first, second))
    whole = counted(gold, system).evidence
    sums: dict[str, float] = {}
    parts = [split(text, len(left)) for text in (gold, system)]
    for one, two in zip(*parts, strict=True):
        part = counted(one, two).evidence
        for name in part.columns:
            sums[name] = sums.get(name, 0) + float(Sample(part).total(name)[0])
    for name in whole.columns:
        assert sums.get(name, 0) == Sample(whole).total(name)[0], name


def split(text: str, place: int) -> tuple[str, str]:
    """Return a file's sentences before a place of its characters, and the others."""
    first = document(text)
    number = int(np.searchsorted(first.sentences.start, place))
    sentences = text.split("\n\n")
    return "".join(f"{part}\n\n" for part in sentences[:number]), "\n\n".join(sentences[number:])


@given(characters, seeds, seeds)
def test_the_order_of_features_and_edges_says_nothing(text: str, first: int, second: int) -> None:
    gold, system = (random_file(seed, text) for seed in (first, second))
    turned = "".join(turn(line) + "\n" for line in system.splitlines())
    assert scored(gold, system, features="all") == scored(gold, turned, features="all")


def turn(line: str) -> str:
    fields = line.split("\t")
    for place in (5, 8) if len(fields) == 10 else ():
        fields[place] = "|".join(reversed(fields[place].split("|")))
    return "\t".join(fields)


def test_a_chain_of_20_000_words() -> None:
    """Recursion of Python ends at 1,000; what looks at all words for each word would do so 400 million times."""
    number = 20_000
    text = (
        "".join(
            f"{rank}\tx\tx\tX\t_\t_\t{rank - 1}\t{'dep' if rank > 1 else 'root'}\t{rank - 1}:{'dep' if rank > 1 else 'root'}\t_\n"
            for rank in range(1, number + 1)
        )
        + "\n"
    )
    assert scored(text, text)["las.f1"] == 1
    backwards = conllu(
        [
            f"{rank} x x X _ _ {(rank + 1) % (number + 1)} dep {rank + 1 if rank < number else 0}:dep"
            for rank in range(1, number + 1)
        ]
    )
    assert scored(backwards, backwards)["elas.f1"] == 1


def test_a_multiword_token_over_10_000_words() -> None:
    words = [f"{rank} w{rank % 7} x X _ _ {rank - 1} {'dep' if rank > 1 else 'root'}" for rank in range(1, 10_001)]
    gold = conllu(["1-10000 all", *words])
    assert scored(gold, gold)["words.f1"] == 1
    other = conllu(["1-10000 all", words[0].replace("w1", "other"), *words[1:]])
    assert scored(gold, other)["words.f1"] == pytest.approx(9_999 / 10_000)


def test_a_chain_of_empty_nodes_and_circles_that_lead_nowhere() -> None:
    empty = [f"1.{rank} x _ _ _ _ _ _ {f'1.{rank - 1}' if rank > 1 else '1'}:conj" for rank in range(1, 3_001)]
    text = conllu(["1 a a X _ _ 0 root 0:root", *empty, "2 b b X _ _ 1 dep 1.3000:obj"])
    assert document(text).edges.paths.text(int(document(text).edges.path[-1])) == ">".join(["conj"] * 3_000 + ["obj"])
    all_others = "|".join(f"1.{rank}:dep" for rank in range(1, 31))
    circle = [f"1.{rank} x _ _ _ _ _ _ {all_others}" for rank in range(1, 31)]
    text = conllu(["1 a a X _ _ 0 root 0:root", *circle, "2 b b X _ _ 1 dep 1:dep|1.1:obj"])
    assert len(document(text).edges.word) == 2
