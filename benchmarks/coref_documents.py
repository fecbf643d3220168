"""Coreference: how long a run takes to read, validate and score, and how long the greatest pairing of entities takes.

    python benchmarks/coref_documents.py [DOCUMENTS [SCORER]]

Makes, in a temporary folder, CorefUD files of gold and system with as many documents (default 263) of 958 words in sentences of 20:
about 252,000 words and 44,000 mentions a side; and the same in CoNLL columns. A mention has 1 to 4 words; half of the entities have one
mention, the others up to 15. The system's file is gold's with one mention in ten lost, one in ten a word longer, and one in ten in
another entity. Prints the medians of three rounds of a suite of this project (reading, validating, counting, all measures) without
intervals, and of the reference scorer (`scorer.pl all GOLD SYSTEM none`, which reads columns alone) in turn with each if SCORER names
it; the same suite of a document with one chain of 100,000 mentions, and of 200,000; and 3,000 entities a side that share 9,000 mentions
at random, of which CEAF-e pairs the entities.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from timing import seconds

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.metrics.coreference import Entities, Shared, ceaf_e

ROUNDS = 3
CONFIG = """\
version: 1
defaults:
  statistics: {confidence: off}
suites:
  - name: coref
    task: coref
    gold: gold.SUFFIX
    system: system.SUFFIX
    options: {singletons: keep}
"""
WORDS, LENGTH, MENTIONS = 958, 20, 167

Mention = tuple[int, int, int]
"""First word, last word, entity; words are counted in the document."""


def mentions_of(chance: random.Random) -> list[Mention]:
    """Return the mentions of a document, none of which cross."""
    sizes: list[int] = []
    while sum(sizes) < MENTIONS:
        sizes.append(1 if chance.random() < 0.5 else chance.randint(2, 15))
    owners = [rank for rank, size in enumerate(sizes) for _ in range(size)][:MENTIONS]
    chance.shuffle(owners)
    starts = sorted(chance.sample(range(0, WORDS - 5, 5), len(owners)))
    return [(start, start + chance.randint(0, 3), owner) for start, owner in zip(starts, owners, strict=True)]


def changed(mentions: list[Mention], chance: random.Random) -> list[Mention]:
    """Return the mentions with errors."""
    kept: list[Mention] = []
    for first, last, owner in mentions:
        luck = chance.random()
        if luck >= 0.1:
            longer, other = luck < 0.2, luck > 0.9
            kept.append(
                (first, min(last + longer, first // LENGTH * LENGTH + LENGTH - 1), chance.randrange(40) if other else owner)
            )
    return kept


def document(name: int, mentions: list[Mention]) -> str:
    """Return a document of CorefUD."""
    column: list[str] = [""] * WORDS
    for first, last, owner in mentions:
        end = min(last, first // LENGTH * LENGTH + LENGTH - 1, WORDS - 1)
        column[first] += f"(e{owner}-x-1-" + (")" if end == first else "")
        if end > first:
            column[end] = f"e{owner})" + column[end]
    rows = [
        ("\n" if rank and rank % LENGTH == 0 else "")
        + f"{rank % LENGTH + 1}\tword{rank % 97}\tlemma\tNOUN\tNN\tNumber=Sing\t0\troot\t0:root\t{f'Entity={text}' if text else '_'}\n"
        for rank, text in enumerate(column)
    ]
    return f"# newdoc id = d{name}\n# global.Entity = eid-etype-head-other\n{''.join(rows)}\n"


def document_in_columns(name: int, mentions: list[Mention]) -> str:
    """Return a document of CoNLL columns."""
    column: list[list[str]] = [[] for _ in range(WORDS)]
    for first, last, owner in mentions:
        end = min(last, first // LENGTH * LENGTH + LENGTH - 1, WORDS - 1)
        column[first].append(f"({owner}" + (")" if end == first else ""))
        if end > first:
            column[end].insert(0, f"{owner})")
    rows = [
        ("\n" if rank and rank % LENGTH == 0 else "")
        + f"d{name}\t0\t{rank % LENGTH}\tword{rank % 97}\tNN\t{'|'.join(pieces) or '-'}\n"
        for rank, pieces in enumerate(column)
    ]
    return f"#begin document (d{name}); part 000\n{''.join(rows)}\n#end document\n"


def make_documents(
    folder: Path, number: int, *, suffix: str = "conllu", write: Callable[[int, list[Mention]], str] = document
) -> None:
    """Write gold and system, of these documents as they are written."""
    chance = random.Random(1)
    documents = [mentions_of(chance) for _ in range(number)]
    for name, sides in (("gold", documents), ("system", [changed(mentions, chance) for mentions in documents])):
        text = "".join(write(rank, mentions) for rank, mentions in enumerate(sides))
        (folder / f"{name}.{suffix}").write_text(text, encoding="utf-8")
    (folder / "nlpeval.yaml").write_text(CONFIG.replace("SUFFIX", suffix), encoding="utf-8")


def make_chain(folder: Path, mentions: int) -> None:
    """Write a document of one entity, which the system splits in two."""
    chance = random.Random(1)
    for name, entities in (("gold", 1), ("system", 2)):
        rows = (f"word ({chance.randrange(entities)})\n" for _ in range(mentions))
        (folder / f"{name}.conll").write_text(f"#begin document a\n{''.join(rows)}#end document\n", encoding="utf-8")
    (folder / "nlpeval.yaml").write_text(CONFIG.replace("SUFFIX", "conll"), encoding="utf-8")


def timed(what: str, make: Callable[[Path, int], None], number: int, scorer: Path | None = None) -> None:
    """Print how long a suite takes, and the reference scorer, if it is given."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, number)
        (suite,) = load_suites(folder / "nlpeval.yaml")
        result = evaluate(suite)
        assert result.outcome == "ok", [str(problem) for problem in result.all_problems()][:3]
        mentions = int((result.scores["mentions.tp"].value or 0) + (result.scores["mentions.fn"].value or 0))
        files = [str(suite.cases[0].files[side].path) for side in ("gold", "system")]
        rounds = [(seconds(lambda: evaluate(suite)), scored(scorer, files) if scorer else 0.0) for _ in range(ROUNDS)]
        ours, theirs = map(statistics.median, zip(*rounds, strict=True))
        print(
            f"{what}: {mentions:,} gold mentions, {ours:.3f} s"
            + (f"; {theirs:.1f} s, {theirs / ours:.0f} times" if scorer else "")
        )


def scored(scorer: Path, files: list[str]) -> float:
    """Return how many seconds of a processor the reference scorer takes."""
    before = os.times().children_user
    subprocess.run(["perl", scorer.name, "all", *files, "none"], cwd=scorer.parent, check=True, stdout=subprocess.DEVNULL)
    return os.times().children_user - before


def main() -> None:
    """Print all figures."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 263
    timed("documents", make_documents, number)
    scorer = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    timed("in columns", partial(make_documents, suffix="conll", write=document_in_columns), number, scorer)
    for mentions in (100_000, 200_000):
        timed("one chain", make_chain, mentions)
    chance = random.Random(1)
    pairs = [(chance.randrange(3_000), chance.randrange(3_000)) for _ in range(9_000)]
    own, other = np.array(pairs).T
    one, two = (Entities(np.zeros(3_000, np.int64), np.bincount(side, minlength=3_000)) for side in (own, other))
    shared = Shared.of(1, (one, two), own, other)
    median = statistics.median(seconds(lambda: ceaf_e(shared)) for _ in range(ROUNDS))
    print(f"CEAF-e of 3,000 entities a side, 9,000 shared mentions: {median:.2f} s")


if __name__ == "__main__":
    main()
