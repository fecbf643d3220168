"""Texts: how long files take to read and score, against jiwer, sacrebleu and rouge-score.

    python benchmarks/text_segments.py [SEGMENTS [TER_AND_ROUGE_SEGMENTS]]

Makes gold and system files of lines (default 100,000 segments of 20 words, of a vocabulary of 20,000 words as frequent as Zipf's law says;
the system has 5 % of the words deleted, 5 % substituted, 5 % inserted, and in every tenth segment a stretch of words moved), in a temporary
folder. Prints the medians of three rounds, each with all sides in turn: an evaluation of a suite of this project (reading, validating,
counting, all measures, without intervals, which the scorers have not), and the scorer with the reading of both files as lines. The scorers'
TER and ROUGE take so long that both sides are measured on the first segments alone (default 2,000). Needs the extra `oracle`.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import jiwer
import sacrebleu
from rouge_score import rouge_scorer
from timing import seconds

from pytest_nlpeval import evaluate, load_suites

ROUNDS = 3
CONFIG = """\
version: 1
defaults:
  statistics: {confidence: off}
suites:
  - name: text
    task: text
    gold: GOLD
    system: SYSTEM
    options: {measures: [MEASURES], profile: published}
"""
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


def make(folder: Path, segments: int, few: int) -> None:
    """Write `gold.txt` and `system.txt`, and of both the first segments alone."""
    chance = random.Random(1)
    words = sorted({"".join(chance.choices(LETTERS, k=chance.randint(2, 9))) for _ in range(25_000)})[:20_000]
    chance.shuffle(words)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))
    gold = [chance.choices(words, cum_weights=weights, k=20) for _ in range(segments)]
    system = [_noisy(segment, words, weights, chance) for segment in gold]
    for name, texts in (("gold", gold), ("system", system)):
        lines = [" ".join(text).capitalize() + "." for text in texts]
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (folder / f"{name}-few.txt").write_text("".join(f"{line}\n" for line in lines[:few]), encoding="utf-8")


def _noisy(segment: list[str], words: list[str], weights: list[float], chance: random.Random) -> list[str]:
    noisy = []
    for word in segment:
        draw = chance.random()
        if draw < 0.05:
            continue
        noisy.append(chance.choices(words, cum_weights=weights)[0] if draw < 0.1 else word)
        if draw > 0.95:
            noisy.append(chance.choices(words, cum_weights=weights)[0])
    if chance.random() < 0.1 and len(noisy) > 8:
        start = chance.randrange(len(noisy) - 4)
        stretch = [noisy.pop(start) for _ in range(3)]
        target = chance.randrange(len(noisy))
        noisy[target:target] = stretch
    return noisy


Scorer = Callable[[list[str], list[str]], object]


def with_jiwer(gold: list[str], system: list[str]) -> object:
    """Score words and characters."""
    return jiwer.process_words(gold, system), jiwer.process_characters(gold, system)


def with_bleu_and_chrf(gold: list[str], system: list[str]) -> object:
    """Score BLEU and chrF."""
    return sacrebleu.corpus_bleu(system, [gold]), sacrebleu.corpus_chrf(system, [gold])


def with_ter(gold: list[str], system: list[str]) -> object:
    """Score TER."""
    return sacrebleu.corpus_ter(system, [gold])


def with_rouge(gold: list[str], system: list[str]) -> object:
    """Score all kinds of ROUGE."""
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    return [scorer.score(*pair) for pair in zip(gold, system, strict=True)]


SCORERS: dict[str, tuple[str, Scorer]] = {
    "wer, cer": ("jiwer", with_jiwer),
    "bleu, chrf": ("sacrebleu", with_bleu_and_chrf),
    "ter": ("sacrebleu", with_ter),
    "rouge1, rouge2, rougeL, rougeLsum": ("rouge-score", with_rouge),
}


def read_and_score(scorer: Scorer, gold: Path, system: Path) -> object:
    """Score two files of lines."""
    return scorer(*(path.read_text(encoding="utf-8").splitlines() for path in (gold, system)))


def main() -> None:
    """Run the benchmark."""
    segments = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    few = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, segments, few)
        for measures, (scorer, score) in SCORERS.items():
            ending = ".txt" if measures in ("wer, cer", "bleu, chrf") else "-few.txt"
            config = folder / f"{measures[:3]}.nlpeval.yaml"
            files = {"GOLD": f"gold{ending}", "SYSTEM": f"system{ending}", "MEASURES": measures}
            text = CONFIG
            for key, value in files.items():
                text = text.replace(key, value)
            config.write_text(text)
            (suite,) = load_suites(config)
            sides: dict[str, Callable[[], object]] = {
                "this project": partial(evaluate, suite),
                scorer: partial(read_and_score, score, folder / files["GOLD"], folder / files["SYSTEM"]),
            }
            times: dict[str, list[float]] = {side: [] for side in sides}
            for _ in range(ROUNDS):
                for side, function in sides.items():
                    times[side].append(seconds(function))
            ours, theirs = (statistics.median(own) for own in times.values())
            number = segments if ending == ".txt" else few
            print(f"{measures:<34} {number:>8,} segments: {ours:7.2f} s, {scorer} {theirs:7.2f} s: {ours / theirs:.3f}")


if __name__ == "__main__":
    main()
