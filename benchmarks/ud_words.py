r"""Two CoNLL-U files: how long it takes to validate and score them, against splitting their lines in Python.

    python benchmarks/ud_words.py [WORDS]

Makes a gold file and a system's output of that many words (25,000 unless said otherwise) in a temporary folder: sentences of 5 to 35 words
out of 20,000, with comments `sent_id` and `text`, features, one tree each, and enhanced edges; one token in twenty is a multiword token of
two words. The system has other tags, features and relations for a tenth of the words, cuts one sentence in ten, and tears up one token in
fifty. Prints, for each of five rounds, the seconds of this process for `line.split("\t")` over both files, and for reading, validating,
counting and all measures of the task, without intervals, and their ratio; then the peak memory; then the seconds for a multiword token of
10,000 words that the system repeats, and for one that differs in its first word. The task's modules are imported before.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from timing import seconds

from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.run.engine import evaluate

ROUNDS = 5
UPOS = ("NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "PUNCT")
RELATIONS = ("nsubj", "obj", "obl", "nmod", "amod", "det", "case", "punct", "conj", "advmod", "nsubj:pass", "obl:agent")
FEATURES = (
    "_",
    "Number=Sing",
    "Number=Plur",
    "Case=Nom|Number=Sing",
    "Mood=Ind|Tense=Past|VerbForm=Fin",
    "Definite=Def|PronType=Art",
)

Token = tuple[str, int]
"""A form, and of how many words."""


def make(folder: Path, number: int) -> None:
    """Write `gold.conllu` and `system.conllu`."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyzäöü"
    forms = ["".join(chance.choice(letters) for _ in range(chance.randint(2, 10))) for _ in range(20_000)]
    gold, system = (folder / f"{side}.conllu" for side in ("gold", "system"))
    sentences: list[list[Token]] = []
    while number > 0:
        sentences.append(tokens_of(chance.randint(5, 35), forms, chance))
        number -= sum(words for _, words in sentences[-1])
    with gold.open("w", encoding="utf-8") as stream:
        for rank, sentence in enumerate(sentences, 1):
            stream.write(f"# sent_id = s{rank}\n# text = {' '.join(form for form, _ in sentence)}\n")
            stream.write("\n".join(rows_of(sentence, random.Random(rank), random.Random(rank), share=0.0)) + "\n\n")
    with system.open("w", encoding="utf-8") as stream:
        for rank, sentence in enumerate(sentences, 1):
            torn = [part for token in sentence for part in (tear(token) if chance.random() < 0.02 else [token])]
            cut = len(torn) // 2 if chance.random() < 0.1 else len(torn)
            for part in (torn[:cut], torn[cut:]):
                if part:
                    stream.write("\n".join(rows_of(part, random.Random(rank), chance, share=0.1)) + "\n\n")


def tokens_of(size: int, forms: list[str], chance: random.Random) -> list[Token]:
    """Return the tokens of a sentence of so many words."""
    tokens: list[Token] = []
    while size > 0:
        words = 2 if size > 1 and chance.random() < 0.05 else 1
        tokens.append((chance.choice(forms), words))
        size -= words
    return tokens


def tear(token: Token) -> list[Token]:
    """Return the first letter of a token and the rest as two tokens."""
    form, _ = token
    return [(form[0], 1), (form[1:], 1)]


def rows_of(tokens: list[Token], chance: random.Random, changes: random.Random, share: float) -> list[str]:
    """Return the rows of a sentence; a `share` of its words have other values than `chance` alone would give them."""
    number = sum(words for _, words in tokens)
    rows: list[str] = []
    rank = 0
    for form, words in tokens:
        if words > 1:
            rows.append("\t".join([f"{rank + 1}-{rank + words}", form, *["_"] * 8]))
        for part in range(words):
            rank += 1
            values = [chance.choice(choices) for choices in (UPOS, FEATURES, RELATIONS)]
            if changes.random() < share:
                values = [changes.choice(choices) for choices in (UPOS, FEATURES, RELATIONS)]
            upos, feats, relation = values
            head = rank - 1 if rank % 3 or rank < 4 else rank - 3
            relation = relation if head else "root"
            own = form if words == 1 else f"{form}{part}"
            deps = (
                f"{head}:{relation}" if rank % 5 or number < 5 else f"{head}:{relation}|{rank + 1 if rank < number else 1}:conj"
            )
            rows.append("\t".join([str(rank), own, own, upos, upos.lower(), feats, str(head), relation, deps, "_"]))
    return rows


def split(folder: Path) -> None:
    """Read and split the lines of both files, the yardstick."""
    for side in ("gold", "system"):
        with (folder / f"{side}.conllu").open(encoding="utf-8") as lines:
            for line in lines:
                line.split("\t")


def score(folder: Path) -> None:
    """Validate the files and work out all measures, as the command does, without intervals."""
    files = {side: folder / f"{side}.conllu" for side in ("gold", "system")}
    suite = suite_of_paths("ud", files, {}, folder)
    suite = replace(suite, statistics=replace(suite.statistics, confidence=None))
    result = evaluate(suite)
    if result.outcome != "ok":
        raise ValueError(result.all_problems()[:3])


def long_range(folder: Path, *, is_changed: bool) -> None:
    """Write a multiword token of 10,000 words on both sides."""
    for side in ("gold", "system"):
        first = "other" if is_changed and side == "system" else "w"
        rows = ["\t".join(["1-10000", "all", *["_"] * 8])]
        for rank in range(1, 10_001):
            form = f"{first if rank == 1 else 'w'}{rank % 97}"
            rows.append("\t".join([str(rank), form, form, "X", "_", "_", str(rank - 1), "dep" if rank > 1 else "root", "_", "_"]))
        (folder / f"{side}.conllu").write_text("\n".join(rows) + "\n\n", encoding="utf-8")


def main() -> None:
    """Run the benchmark."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 25_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, 100)
        score(folder)
        make(folder, number)
        for _ in range(ROUNDS):
            yardstick, ours = (seconds(lambda: function(folder)) for function in (split, score))  # noqa: B023 - called at once
            print(f"split {yardstick:.3f} s, score {ours:.3f} s: {ours / yardstick:.2f} times")
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
        for is_changed in (False, True):
            long_range(folder, is_changed=is_changed)
            print(
                f"a range of 10,000 words{', the first one changed' if is_changed else ''}: {seconds(lambda: score(folder)):.3f} s"
            )


if __name__ == "__main__":
    main()
