"""The task `text` in profile `published` against jiwer, sacrebleu and rouge-score, on random texts; the extra `oracle` installs them.

The texts have punctuation, entities, white space of all sorts, digits, Chinese, combining marks, line breaks and words that repeat; some
are empty; hypotheses are references with words deleted, moved, changed and inserted, or have nothing to do with them. Each seed compares
the figures of a whole file, and those of each of its segments.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import SuiteResult, score
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.metrics.own_values import own_values

jiwer = pytest.importorskip("jiwer")
sacrebleu_metrics = pytest.importorskip("sacrebleu.metrics")
rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")

SEEDS = range(12)
SEGMENTS = 60

WORDS = (
    *(
        "the",
        "The",
        "mill",
        "mills",
        "old",
        "Orlin",
        "in",
        "Hale",
        "dog's",
        "don't",
        "3.5",
        "1,000",
        "7-8",
        "U.S.",
        "e.g.",
        "(see",
    ),
    *(
        "it)",
        '"well"',
        "&amp;",
        "&lt;b&gt;",
        "&quot;",
        "x-y",
        "-",
        "--",
        "..",
        ".",
        ",",
        "?!",
        "naïve",
        "Straße",
        "n\u0303o",
        "東京",
        "中文。",
    ),
    *("١٢", "½", "€5", "a+b", "«oui»", "…", "“so”", "Ⅷ", "<skipped>", "a\u2009b", "İx", "ΟΔΟΣ", "'s", "s'", "'", "%", "5%", "№"),
)


def text(chance: random.Random, most: int = 14, breaks: Sequence[str] = (" ",)) -> str:
    words = chance.choices(WORDS[: chance.choice((6, 20, len(WORDS)))], k=chance.choice((0, 1, 2, 3, 4, most, most, most)))
    return "".join(word + chance.choice(breaks) for word in words).rstrip(" ") if words else ""


def changed(chance: random.Random, given: str, breaks: Sequence[str] = (" ",)) -> str:
    if chance.random() < 0.15:
        return text(chance, breaks=breaks)
    words = given.split(" ")
    for _ in range(chance.randint(0, 4)):
        place = chance.randrange(len(words) + 1)
        match chance.randrange(4):
            case 0:
                words[place:] = words[place + 1 :]
            case 1:
                words.insert(place, chance.choice(WORDS))
            case 2:
                words[place : place + 1] = [chance.choice(WORDS)]
            case _:
                stretch = words[place : place + chance.randint(1, 4)]
                del words[place : place + len(stretch)]
                target = chance.randrange(len(words) + 1)
                words[target:target] = stretch
    return " ".join(words)


def drawn(seed: int, *, most_references: int = 1, breaks: Sequence[str] = (" ",)) -> tuple[list[list[str]], list[str]]:
    """Return references, equally many of each segment, and hypotheses."""
    chance = random.Random(seed)
    number = chance.randint(1, most_references)
    references = []
    for _ in range(SEGMENTS):
        first = text(chance, breaks=breaks)
        references.append([first, *(changed(chance, first, breaks) for _ in range(number - 1))])
    return references, [changed(chance, chance.choice(own), breaks) for own in references]


def result_of(folder: Path, references: Sequence[Sequence[str]], hypotheses: Sequence[str], **options: Any) -> SuiteResult:
    for name, texts in (("gold", references), ("system", hypotheses)):
        lines = [json.dumps({"id": number, "text": own}) for number, own in enumerate(texts)]
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    settings = {"profile": "published", **options}
    result = score("text", options=settings, gold=folder / "gold.jsonl", system=folder / "system.jsonl")
    assert result.evidence is not None, [str(problem) for problem in result.all_problems()]
    return result


def of_segments(result: SuiteResult, name: str) -> list[float]:
    evidence = result.evidence
    assert isinstance(evidence, Evidence)
    (measure,) = (measure for measure in result.suite.measures(list(evidence.columns)) if measure.name == name)
    values = own_values(measure, evidence)
    assert values is not None
    found: list[float] = values.tolist()
    return found


def agree(result: SuiteResult, expected: Mapping[str, float]) -> None:
    for name, value in expected.items():
        assert result[name] == pytest.approx(value, abs=1e-12), name


def agree_in_segments(result: SuiteResult, name: str, expected: Sequence[float]) -> None:
    assert of_segments(result, name) == pytest.approx(list(expected), abs=1e-12), name
    assert result[name] == pytest.approx(sum(expected) / len(expected), abs=1e-12), name


BLANKS = (" ", " ", " ", "  ", "\t", " \t ", "\u00a0", "\u2003 ")


def counted(output: Any, family: str) -> Iterator[tuple[str, float]]:
    for kind in ("hits", "substitutions", "deletions", "insertions"):
        yield f"{family}.{kind}", getattr(output, kind)


@pytest.mark.parametrize("seed", SEEDS)
def test_error_rates_are_jiwers(tmp_path: Path, seed: int) -> None:
    references, hypotheses = drawn(seed, breaks=BLANKS)
    golden = [own[0] for own in references]
    result = result_of(tmp_path, references, hypotheses)
    words, characters = jiwer.process_words(golden, hypotheses), jiwer.process_characters(golden, hypotheses)
    agree(result, {"wer": words.wer, "mer": words.mer, "wil": words.wil, **dict(counted(words, "wer"))})
    agree(result, {"cer": characters.cer, **dict(counted(characters, "cer"))})
    each = [(jiwer.process_words(*pair), jiwer.process_characters(*pair)) for pair in zip(golden, hypotheses, strict=True)]
    for measure in ("wer", "mer", "wil"):
        assert of_segments(result, measure) == pytest.approx([getattr(own, measure) for own, _ in each], abs=1e-12), measure
    agree_in_segments(result, "wer.mean", [own.wer for own, _ in each])
    agree_in_segments(result, "cer.mean", [own.cer for _, own in each])


def columns_of(references: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(column) for column in zip(*references, strict=True)]


@pytest.mark.parametrize("tokenize", ["13a", "intl", "zh", "char", "none"])
@pytest.mark.parametrize("seed", SEEDS)
def test_bleu_is_sacrebleus(tmp_path: Path, seed: int, tokenize: str) -> None:
    references, hypotheses = drawn(seed, most_references=3, breaks=(" ", " ", "\n", "-\n"))
    result = result_of(tmp_path, references, hypotheses, measures="bleu", tokenize=tokenize)
    corpus = sacrebleu_metrics.BLEU(tokenize=tokenize).corpus_score(hypotheses, columns_of(references))
    agree(result, {"bleu": corpus.score / 100})
    if corpus.sys_len:
        agree(result, {"bleu.bp": corpus.bp})
    sentence = sacrebleu_metrics.BLEU(tokenize=tokenize, effective_order=True).sentence_score
    agree_in_segments(
        result, "bleu.mean", [sentence(text, own).score / 100 for text, own in zip(hypotheses, references, strict=True)]
    )


@pytest.mark.parametrize(("family", "order"), [("chrf", 0), ("chrf++", 2)])
@pytest.mark.parametrize("seed", SEEDS)
def test_chrf_is_sacrebleus(tmp_path: Path, seed: int, family: str, order: int) -> None:
    references, hypotheses = drawn(seed, most_references=4, breaks=BLANKS)
    result = result_of(tmp_path, references, hypotheses, measures=["chrf", "chrf++"])
    scorer = sacrebleu_metrics.CHRF(word_order=order)
    agree(result, {family: scorer.corpus_score(hypotheses, columns_of(references)).score / 100})
    scores = [scorer.sentence_score(text, own).score / 100 for text, own in zip(hypotheses, references, strict=True)]
    agree_in_segments(result, f"{family}.mean", scores)


@pytest.mark.parametrize("switches", [[], ["normalized"], ["no_punct", "case_sensitive"], ["normalized", "no_punct"]])
@pytest.mark.parametrize("seed", SEEDS)
def test_ter_is_sacrebleus(tmp_path: Path, seed: int, switches: list[str]) -> None:
    references, hypotheses = drawn(seed, most_references=3, breaks=(" ", " ", "\n", "\n-"))
    result = result_of(tmp_path, references, hypotheses, measures="ter", ter=switches)
    scorer = sacrebleu_metrics.TER(**dict.fromkeys(switches, True))
    agree(result, {"ter": scorer.corpus_score(hypotheses, columns_of(references)).score / 100})
    scores = [scorer.sentence_score(text, own).score / 100 for text, own in zip(hypotheses, references, strict=True)]
    agree_in_segments(result, "ter.mean", scores)


@pytest.mark.parametrize("seed", range(3))
def test_ter_of_long_texts_is_sacrebleus(tmp_path: Path, seed: int) -> None:
    """Beyond the beam, the beam distance is not the edit distance; and more shifts are found than are tried."""
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(chance.choice((12, 60, 400)))]
    references = [[" ".join(chance.choices(words, k=chance.randint(60, 110)))] for _ in range(6)]
    hypotheses = []
    for (reference,) in references:
        own = reference.split()
        place = chance.randrange(len(own) - 40)
        hypotheses.append(" ".join([*own[place + 35 :], *own[: place : 1 + seed % 2], *chance.choices(words, k=10)]))
    result = result_of(tmp_path, references, hypotheses, measures="ter")
    agree(result, {"ter": sacrebleu_metrics.TER().corpus_score(hypotheses, columns_of(references)).score / 100})


@pytest.mark.parametrize("seed", range(30))
def test_rouge_is_rouge_scores(tmp_path: Path, seed: int) -> None:
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    references, hypotheses = drawn(seed, most_references=3, breaks=(" ", " ", " ", "\n", "\n\n", ". "))
    result = result_of(tmp_path, references, hypotheses, measures=kinds)
    scorer = rouge_scorer.RougeScorer(kinds)
    scores = [scorer.score_multi(own, text) for text, own in zip(hypotheses, references, strict=True)]
    figures: dict[str, Callable[[Any], float]] = {
        "": lambda own: float(own.fmeasure),
        ".precision": lambda own: float(own.precision),
        ".recall": lambda own: float(own.recall),
    }
    for kind in kinds:
        for ending, figure in figures.items():
            agree_in_segments(result, f"{kind}{ending}", [figure(own[kind]) for own in scores])


@pytest.mark.parametrize("length", [50, 700])
@pytest.mark.parametrize("seed", SEEDS)
def test_alignments_are_those_that_the_page_defines(tmp_path: Path, seed: int, length: int) -> None:
    """The table of distances, read back from its end, gives the same numbers in `standard`, too."""
    chance = random.Random(seed)
    references = [["".join(chance.choices("abcde ", k=chance.randint(0, length)))] for _ in range(8 if length > 100 else 60)]
    hypotheses = ["".join(chance.choices("abcde ", k=chance.randint(0, length))) for _ in references]
    result = result_of(tmp_path, references, hypotheses, profile="standard")
    assert result.evidence is not None
    for segment, ((reference,), hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        for family, sides in (
            ("wer", (reference.split(), hypothesis.split())),
            ("cer", tuple(map(joined, (reference, hypothesis)))),
        ):
            found = [result.evidence.column(f"{family}.{kind}")[segment] for kind in ("substitutions", "deletions", "insertions")]
            assert found == defined(*sides), (reference, hypothesis)


def joined(text: str) -> list[str]:
    return list(" ".join(text.split()))


def defined(reference: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """Return substitutions, deletions and insertions as the page defines them, token by token."""
    first, second = list(reference), list(hypothesis)
    while first and second and first[0] == second[0]:
        del first[0], second[0]
    while first and second and first[-1] == second[-1]:
        del first[-1], second[-1]
    table = [list(range(len(second) + 1))]
    for i, token in enumerate(first, 1):
        row = [i]
        for j, other in enumerate(second, 1):
            row.append(min(table[-1][j] + 1, row[-1] + 1, table[-1][j - 1] + (token != other)))
        table.append(row)
    i, j = len(first), len(second)
    numbers = [0, 0, 0]
    while i and j:
        if table[i][j] == table[i - 1][j] + 1:
            i, numbers[1] = i - 1, numbers[1] + 1
        elif table[i][j - 1] == table[i - 1][j - 1] - 1:
            j, numbers[2] = j - 1, numbers[2] + 1
        else:
            numbers[0] += first[i - 1] != second[j - 1]
            i, j = i - 1, j - 1
    return [numbers[0], numbers[1] + i, numbers[2] + j]
