"""What must hold of all measures, on random texts."""

from __future__ import annotations

import math
import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_nlpeval.tasks.text.counts.errors import word_columns
from pytest_nlpeval.tasks.text.counts.pairs import Pairs
from pytest_nlpeval.tasks.text.options import options
from tests.unit.tasks.text.files import EVERY, objects, of_texts, same, scored

WORDS = st.sampled_from(["the", "The", "old", "mill", "in", "Hale", "hail,", "3.5", "-", "東京", "ёлка", "."])
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\t", "\n"])
TEXTS = st.lists(st.tuples(WORDS, BLANKS), max_size=7).map(lambda pairs: "".join(word + blank for word, blank in pairs))
REFERENCES = st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=5)
PROFILES = st.sampled_from(["standard", "published"])

_RATES = ("wer", "wer.mean", "cer", "cer.mean", "ser", "mer", "wil", "ter", "ter.mean")
_ENDINGS = (".substitutions", ".deletions", ".insertions")


@given(REFERENCES, st.data(), PROFILES)
@settings(deadline=None, max_examples=60)
def test_order_changes_nothing(references: list[list[str]], data: st.DataObject, profile: str) -> None:
    """That of references may change precision and recall of ROUGE, and chrF, between equal values."""
    hypotheses = [
        data.draw(TEXTS),
        *(data.draw(TEXTS | st.none()) for _ in references[1:]),
    ]  # of nothing but nulls the key is missing
    chance = data.draw(st.randoms(use_true_random=False))
    expected = of_texts(references, hypotheses, measures=EVERY, profile=profile).values()
    rows = [{"id": number, "text": own} for number, own in enumerate(references)]
    answers = [{"text": own, "id": str(number)} for number, own in enumerate(hypotheses)]
    chance.shuffle(rows)
    chance.shuffle(answers)
    rules = dict.fromkeys(("text.null", "text.empty", "text.empty-reference"), "off")
    files = {"gold": ("g.jsonl", objects(rows)), "system": ("s.jsonl", objects(answers))}
    same(expected, scored(files, rules, measures=EVERY, profile=profile).values())  # type: ignore[arg-type]
    turned = of_texts([own[::-1] for own in references], hypotheses, measures=("wer", "cer", "bleu", "ter"), profile=profile)
    found = turned.values()
    same({name: expected[name] for name in found}, found)


@given(REFERENCES)
@example([["the the the the ", "the the -\nthe "]])
@settings(deadline=None, max_examples=60)
def test_a_reference_is_perfect(references: list[list[str]]) -> None:
    full = [[text for text in own if text.strip()] or [""] for own in references]
    hypotheses = [own[-1] for own in full]
    values = of_texts(full, hypotheses, measures=EVERY).values()
    for name, value in values.items():
        if name in _RATES or name.endswith(_ENDINGS):
            assert math.isnan(value) or value == 0, name
        elif name == "bleu":  # fewer than four tokens have no BLEU; a hyphen at the end of a line joins two words
            assert (
                math.isnan(value)
                or value == pytest.approx(1)
                or all(len(text.replace("-\n", "").split()) < 4 for text in hypotheses)
            )
        elif not name.endswith(".hits"):
            assert math.isnan(value) or value == pytest.approx(1), name


@given(REFERENCES, st.data(), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_more_blanks_change_nothing(references: list[list[str]], data: st.DataObject, number: int) -> None:
    families = tuple(family for family in EVERY if family != "rougeLsum")
    hypotheses = [data.draw(TEXTS) for _ in references]
    wide = [[text.replace(" ", " " * (number + 1)) for text in own] for own in references]
    same(
        of_texts(references, hypotheses, measures=families).values(),
        of_texts(wide, [f" {text}\u2003" for text in hypotheses], measures=families).values(),
    )


@given(REFERENCES, st.data(), PROFILES)
@settings(deadline=None, max_examples=60)
def test_weights_repeat_segments(references: list[list[str]], data: st.DataObject, profile: str) -> None:
    hypotheses = [
        data.draw(TEXTS),
        *(data.draw(TEXTS | st.none()) for _ in references[1:]),
    ]  # of nothing but nulls the key is missing
    weights = [data.draw(st.integers(0, 2)) for _ in references]
    case = of_texts(references, hypotheses, measures=EVERY, profile=profile)
    repeated = [place for place, weight in enumerate(weights) for _ in range(weight)]
    if any(hypotheses[place] is not None for place in repeated):
        other = of_texts(
            [references[place] for place in repeated], [hypotheses[place] for place in repeated], measures=EVERY, profile=profile
        )
        same(case.values(np.array([weights])), other.values())


@given(REFERENCES, st.data(), PROFILES)
@settings(deadline=None, max_examples=40)
def test_a_group_of_all_has_the_values_of_all(references: list[list[str]], data: st.DataObject, profile: str) -> None:
    hypotheses = [data.draw(TEXTS) for _ in references]
    rows = [{"id": number, "text": own, "g": "x"} for number, own in enumerate(references)]
    answers = [{"id": number, "text": own} for number, own in enumerate(hypotheses)]
    rules = dict.fromkeys(("text.empty", "text.empty-reference"), "off")
    files = {"gold": ("g.jsonl", objects(rows)), "system": ("s.jsonl", objects(answers))}
    values = scored(files, rules, measures=EVERY, profile=profile, group="g").values()  # type: ignore[arg-type]
    whole = {name: value for name, value in values.items() if not name.startswith("group.")}
    same(whole, {name.removeprefix("group.x."): value for name, value in values.items() if name.startswith("group.")})


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
@settings(deadline=None, max_examples=40)
def test_without_line_breaks_the_summary_level_is_the_plain_one(texts: list[str], data: st.DataObject) -> None:
    texts = [text.replace("\n", " ") for text in texts]
    hypotheses = [data.draw(TEXTS).replace("\n", " ") for _ in texts]
    values = of_texts([[text] for text in texts], hypotheses, measures=("rougeL", "rougeLsum")).values()
    for ending in ("", ".precision", ".recall"):
        assert values[f"rougeLsum{ending}"] == values[f"rougeL{ending}"]


@given(TEXTS.filter(str.strip), TEXTS)
@settings(deadline=None, max_examples=60)
def test_the_mean_of_one_segment_is_its_rate(reference: str, hypothesis: str) -> None:
    values = of_texts([[reference]], [hypothesis], measures=("wer", "cer", "ter", "chrf")).values()
    for family in ("wer", "cer", "ter", "chrf"):
        assert values[f"{family}.mean"] == values[family]


@pytest.mark.parametrize("seed", range(5))
def test_blocks_do_not_change_counts(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Segments are counted in blocks; of whatever size, they give the same."""
    chance = Random(seed)
    texts = [" ".join(chance.choices(["the", "old", "mill", "in", "Hale"], k=chance.randint(0, 9))) for _ in range(60)]
    references, hypotheses = [texts[place : place + 2] for place in range(0, 40, 2)], texts[40:]
    expected = of_texts(references, hypotheses, measures=EVERY).values()
    for module in ("counts.translations", "counts.summaries"):
        monkeypatch.setattr(f"pytest_nlpeval.tasks.text.{module}._TOKENS_AT_ONCE", 7)
    monkeypatch.setattr("pytest_nlpeval.tasks.text.counts.errors._CHARACTERS_AT_ONCE", 7)
    same(expected, of_texts(references, hypotheses, measures=EVERY).values())


@pytest.mark.parametrize("is_wrong", [False, True])
def test_words_are_held_for_some_segments_at_once(monkeypatch: pytest.MonkeyPatch, is_wrong: bool) -> None:
    """A list of one word takes 72 bytes, beside 8 for its place, and each segment has two."""
    number = 20_000
    texts = ["a"] * number
    pairs = Pairs.of([[text] for text in texts], ["b" if is_wrong else "a"] * number)
    monkeypatch.setattr("pytest_nlpeval.tasks.text.counts.errors._CHARACTERS_AT_ONCE", 1_000)
    word_columns(pairs, options())  # imports what it needs
    tracemalloc.start()
    try:
        word_columns(pairs, options())
        assert tracemalloc.get_traced_memory()[1] < (260 if is_wrong else 150) * number
    finally:
        tracemalloc.stop()
