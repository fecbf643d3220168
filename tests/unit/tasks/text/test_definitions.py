"""Rates and scores of random texts against their definitions, reference by reference and segment by segment.

What single texts have in common is counted by `metrics`, whose own tests derive it. Here stands which reference counts, and what is added.
"""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.levenshtein import common_lengths, edits, spelt
from pytest_nlpeval.metrics.ngram_scores import bleu, chrf
from pytest_nlpeval.metrics.ngrams import Tokens, matches, totals
from pytest_nlpeval.metrics.translation_edits import translation_edits
from pytest_nlpeval.metrics.translation_tokens import edit_tokens, tokens_of
from pytest_nlpeval.tasks.text import rouge_tokens
from pytest_nlpeval.tasks.text.measures import measures
from pytest_nlpeval.tasks.text.options import options as made
from tests.unit.tasks.text.files import of_texts, same

WORDS = st.sampled_from(["the", "The", "old", "mill", "in", "Hale,", "3.5", "-", "東京", "x", "(x", "."])
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


class Segment(NamedTuple):
    references: list[str]
    hypothesis: str | None

    @property
    def answer(self) -> str:
        return self.hypothesis or ""


SEGMENTS = st.lists(st.builds(Segment, st.lists(TEXTS, min_size=1, max_size=3), TEXTS | st.none()), min_size=1, max_size=4)


def share(numerator: float, denominator: float, otherwise: float = math.nan) -> float:
    return numerator / denominator if denominator else otherwise


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def error_counts(references: Sequence[Sequence[str]], answer: Sequence[str]) -> list[int]:
    """The hits, substitutions, deletions and insertions with the best reference: fewest errors, then most items, then most hits."""
    found = []
    for reference in references:
        (one,), (other,) = spelt([reference], [answer])
        found.append([int(numbers[0]) for numbers in edits([one], [other])])
    return min(found, key=lambda counts: (sum(counts[1:]), -sum(counts[:3]), -counts[0]))


def rates(family: str, segments: Sequence[Segment], *, is_published: bool) -> dict[str, float]:
    def items(text: str) -> list[str]:
        return text.split() if family == "wer" else list(text)

    each = [error_counts(list(map(items, own.references)), items(own.answer)) for own in segments]
    hits, substitutions, deletions, insertions = map(sum, zip(*each, strict=True))
    errors, golden = substitutions + deletions + insertions, hits + substitutions + deletions
    single = []
    for (h, s, d, i), own in zip(each, segments, strict=True):
        otherwise = 0 if not i and own.hypothesis is not None else max(i, 1) if is_published else 1
        single.append(share(s + d + i, h + s + d, otherwise))
    found = {
        family: share(errors, golden, insertions if is_published else math.nan),
        f"{family}.mean": mean(single),
        f"{family}.hits": hits,
        f"{family}.substitutions": substitutions,
        f"{family}.deletions": deletions,
        f"{family}.insertions": insertions,
    }
    if family == "wer":
        found["ser"] = mean([any(counts[1:]) or own.hypothesis is None for counts, own in zip(each, segments, strict=True)])
        found["mer"] = share(errors, golden + insertions, 0 if is_published else math.nan)
        answered = hits + substitutions + insertions
        nothing = float(answered > 0) if is_published else math.nan
        found["wil"] = 1 - share(hits, golden) * share(hits, answered, 0) if golden else nothing
    return found


def common(texts: Sequence[Sequence[str]], order: int) -> list[int]:
    """How many n-grams of each size the first text has in common with the others."""
    ranks = np.arange(len(texts))
    found: list[int] = matches(Tokens.of_words(texts), 0 * ranks, ranks, order)[0].tolist()
    return found


def ngrams(text: Sequence[str], order: int) -> list[int]:
    found: list[int] = totals(np.array([len(text)]), order)[0].tolist()
    return found


def bleu_values(segments: Sequence[Segment], *, is_published: bool) -> dict[str, float]:
    rows, single, has_four = [], [], False
    for own in segments:
        answer, *references = tokens_of([own.answer, *own.references], "13a")
        nearest = min(map(len, references), key=lambda length: (abs(length - len(answer)), length))
        rows.append((common([answer, *references], 4), ngrams(answer, 4), len(answer), nearest))
        has_four |= max(map(len, references)) >= 4
        value = float(bleu(*map(np.array, rows[-1]), is_effective=True))
        is_nothing = not answer and not nearest and not is_published
        single.append(float(own.hypothesis is not None) if is_nothing else value)
    m, t, h, r = (np.sum([row[place] for row in rows], axis=0) for place in range(4))
    penalty = 1.0 if h >= r else math.exp(1 - r / h) if h else 0.0
    value = float(bleu(m, t, h, r)) if is_published or has_four else math.nan
    return {"bleu": value, "bleu.bp": penalty, "bleu.mean": mean(single)}


def chrf_words(text: str) -> list[str]:
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def chrf_values(family: str, segments: Sequence[Segment], *, is_published: bool) -> dict[str, float]:
    rows, single, has_any = [], [], False
    for own in segments:
        candidates = []
        for reference in own.references:
            counts: list[list[int]] = [[], [], []]
            sides = [([*"".join(reference.split())], [*"".join(own.answer.split())], 6)]
            sides += [(chrf_words(reference), chrf_words(own.answer), 2)] if family == "chrf++" else []
            for golden, answer, order in sides:
                of_golden = ngrams(golden, order)
                counts[0] += [number if other else 0 for number, other in zip(ngrams(answer, order), of_golden, strict=True)]
                counts[1] += of_golden
                counts[2] += common([answer, golden], order)
            candidates.append(counts)
        best = max(candidates, key=lambda counts: float(chrf(*map(np.array, counts))))
        rows.append(best)
        is_nothing = not "".join([own.answer, *own.references])
        has_any |= not is_nothing
        value = float(chrf(*map(np.array, best)))
        single.append(float(own.hypothesis is not None) if is_nothing and not is_published else value)
    value = float(chrf(*np.sum(rows, axis=0))) if has_any or is_published else math.nan
    return {family: value, f"{family}.mean": mean(single)}


def ter_values(segments: Sequence[Segment], *, is_published: bool) -> dict[str, float]:
    edits_of, lengths, single = [], [], []
    for own in segments:
        answer, *references = edit_tokens([own.answer, *own.references], normalized=False, no_punct=False, case_sensitive=False)
        sides = spelt([answer] * len(references), references)
        edits_of.append(min(translation_edits(*pair) for pair in zip(*sides, strict=True)))
        lengths.append(mean([len(reference) for reference in references]))
        is_right = not edits_of[-1] and own.hypothesis is not None
        single.append(share(edits_of[-1], lengths[-1], 0 if is_right else 1))
    nothing = float(sum(edits_of) > 0) if is_published else math.nan
    return {"ter": share(sum(edits_of), sum(lengths), nothing), "ter.mean": mean(single)}


def rouge_values(family: str, segments: Sequence[Segment], *, is_published: bool) -> dict[str, float]:
    single = []
    for own in segments:
        answer, *references = rouge_tokens.tokens_of([own.answer, *own.references], is_published=is_published)
        candidates = []
        for reference in references:
            if family in ("rouge1", "rouge2"):
                place = int(family[-1]) - 1
                m, h, r = common([answer, reference], 2)[place], ngrams(answer, 2)[place], ngrams(reference, 2)[place]
            else:
                m, h, r = int(common_lengths(*spelt([reference], [answer]))[0]), len(answer), len(reference)
            precision, recall = share(m, h, 0), share(m, r, 0)
            f = share(2 * precision * recall, precision + recall, 0)
            if not h and not r and answer == reference and not is_published:
                candidates.append((1.0, 1.0, 1.0, 1.0))
            else:
                candidates.append((f if is_published else share(2 * m, h + r, 0), f, precision, recall))
        best = max(candidates, key=lambda values: values[0])
        single.append(best[1:] if own.hypothesis is not None else (0.0, 0.0, 0.0))
    names = family, f"{family}.precision", f"{family}.recall"
    return {name: mean(values) for name, values in zip(names, zip(*single, strict=True), strict=True)}


FAMILIES = ("wer", "cer", "bleu", "chrf", "chrf++", "ter", "rouge1", "rouge2", "rougeL", "rougeLsum")


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
@settings(deadline=None, max_examples=20)
def test_no_output_is_better_than_the_reference_itself(pairs: list[tuple[str, str]]) -> None:
    references = [[reference] for reference, _ in pairs]
    own, other = (of_texts(references, [pair[side] for pair in pairs], measures=FAMILIES) for side in range(2))
    assert own.evidence is not None
    found = measures(made(measures=FAMILIES), own.evidence.columns)
    assert found is not None
    values, greatest = other.values(), own.values()
    for measure in found:
        value, most = values[measure.name], greatest[measure.name]
        loss = most - value if measure.better == "higher" else value - most
        assert math.isnan(loss) or loss >= -1e-12, measure.name


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_measures_of_its_own(family: str) -> None:
    found = measures(made(measures=family), of_texts([["a"]], ["a"], measures=family).values())
    assert found is not None
    names = [measure.name for measure in found if measure.name not in ("exact", "coverage")]
    own = [name for name in names if name.partition(".")[0] == family]
    assert names == list(dict.fromkeys(names))
    assert [name for name in names if name not in own] == (["ser", "mer", "wil"] if family == "wer" else [])


@pytest.mark.parametrize("profile", ["standard", "published"])
def test_without_segments_there_are_sums_alone(profile: str) -> None:
    case = of_texts([["the old mill in Hale"], ["x"]], ["the old mill", "x"], measures=FAMILIES, profile=profile)
    has_value = {name for name, value in case.values(np.zeros((1, 2), np.int64)).items() if not math.isnan(value)}
    kinds = "hits", "substitutions", "deletions", "insertions"
    of_words = {"mer", "wer", "cer", "wil"} if profile == "published" else set()
    assert has_value == {f"{family}.{kind}" for family in ("wer", "cer") for kind in kinds} | of_words


@given(SEGMENTS, st.booleans())
@example([Segment(["old"], "the mill in")], True)
@example([Segment([""], "the mill")], True)
@settings(deadline=None, max_examples=60)
def test_values_are_those_of_the_definitions(segments: list[Segment], is_published: bool) -> None:
    if all(own.hypothesis is None for own in segments):
        segments[0] = segments[0]._replace(hypothesis="")  # of nothing but nulls the key is missing
    profile = "published" if is_published else "standard"
    case = of_texts(
        [own.references for own in segments], [own.hypothesis for own in segments], measures=FAMILIES, profile=profile
    )
    expected = bleu_values(segments, is_published=is_published) | ter_values(segments, is_published=is_published)
    for family in FAMILIES:
        if family in ("wer", "cer"):
            expected |= rates(family, segments, is_published=is_published)
        elif family.startswith("chrf"):
            expected |= chrf_values(family, segments, is_published=is_published)
        elif family.startswith("rouge"):
            expected |= rouge_values(family, segments, is_published=is_published)
    same(expected, {name: value for name, value in case.values().items() if name in expected})
