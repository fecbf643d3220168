"""CoNLL-U files against the scorer of udtools, on random files; the extra `oracle` installs it."""

from __future__ import annotations

import random
from io import StringIO

import pytest

from tests.unit.tasks.ud.files import conllu, scored
from tests.unit.tasks.ud.test_properties import random_file, random_sentence

udeval = pytest.importorskip("udtools.udeval")

NAMES = {
    name.lower(): name
    for name in (
        "Tokens",
        "Sentences",
        "Words",
        "UPOS",
        "XPOS",
        "UFeats",
        "AllTags",
        "Lemmas",
        "UAS",
        "LAS",
        "CLAS",
        "MLAS",
        "BLEX",
        "ELAS",
    )
}
FIGURES = ("precision", "recall", "f1", "aligned_accuracy")
ROUNDS = 1_000
TREEBANK = dict.fromkeys(("no_gapping", "no_shared_parents_in_coordination", "no_shared_dependents_in_coordination"), 0)


def of_udtools(gold: str, system: str) -> dict[str, float | None]:
    """Return all figures of two files; EULAS is left out, which counts an edge once per partner."""
    sides = [udeval.load_conllu(StringIO(text), "", TREEBANK) for text in (gold, system)]
    found = udeval.evaluate(*sides)
    return {f"{ours}.{figure}": getattr(found[theirs], figure) for ours, theirs in NAMES.items() for figure in FIGURES}


def with_other_words(seed: int, characters: str) -> tuple[str, str]:
    """Two files with the same sentences and tokens, and other words in them: no word sticks out of a multiword token."""
    chance = random.Random(seed)
    pairs = []
    while characters:
        size = chance.randint(3, 10)
        pairs.append(
            [
                random_sentence(characters[:size], random.Random(seed), ranges=True, words=random.Random(side))
                for side in (seed, -seed)
            ]
        )
        characters = characters[size:]
    return conllu(*(pair[0] for pair in pairs)), conllu(*(pair[1] for pair in pairs))


@pytest.mark.parametrize("kind", ["tokens", "words"])
def test_every_figure_is_that_of_udtools(kind: str) -> None:
    compared = 0
    for seed in range(1, ROUNDS + 1):
        chance = random.Random(seed)
        text = "".join(chance.choice("abAB") for _ in range(chance.randint(1, 40)))
        if kind == "tokens":
            pair = tuple(random_file(seed * side, text, ranges=False) for side in (1, 7919))
        else:
            pair = with_other_words(seed, text)
        ours = scored(*pair)
        for name, value in of_udtools(*pair).items():
            if value is not None and ours.get(name) is not None:
                assert ours[name] == pytest.approx(value, abs=1e-12), (seed, name)
                compared += 1
            else:
                assert not value, (seed, name)
    assert compared > 30 * ROUNDS
