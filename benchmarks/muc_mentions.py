"""Coreference: how long MUC takes for many mentions, and the alignment of overlapping ones.

    python benchmarks/muc_mentions.py [MENTIONS]

Makes chains of that many mentions a side (default 100,000) in 5 and in 500 documents, and prints the medians of three runs: of the function
`muc` alone, and of whole suites of subtasks 2 and 4 of the task `are` from files, without evidence store. Then the same for a
tenth of the mentions: the cost per mention must stay what it is.

Last, the alignment of 2,000 and of 4,000 spans a side that all overlap each other, which no text has: the memory must stay bounded.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path

from timing import median_seconds

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.metrics.alignment import align
from pytest_nlpeval.metrics.muc import muc

Chains = list[list[int]]

CONFIG = """\
version: 1
suites:
  - name: chains-given
    task: are
    options: {subtask: 2}
    gold: 2/gold/{doc}.xml
    system: 2/system/{doc}.xml
    gates: {muc.f1: 0}
  - name: chains
    task: are
    options: {subtask: 4}
    input: 4/input/{doc}.xml
    gold: 4/gold/{doc}.xml
    system: 4/system/{doc}.xml
    gates: {muc_overlap.f1: 0}
"""


def chains(chance: random.Random, mentions: int) -> Chains:
    """Return chains of about ten mentions each; an even number of mentions has no chain of one."""
    ranks = list(range(mentions))
    chance.shuffle(ranks)
    cuts = sorted({0, mentions, *(2 * chance.randrange(1, max(mentions // 2, 2)) for _ in range(mentions // 10))})
    return [ranks[low:high] for low, high in pairwise(cuts)]


def xml(found: Chains, attributes: Callable[[int], str]) -> str:
    """Return a file of chains."""

    def lines(chain: Iterable[int]) -> str:
        return "".join(f"    <node {attributes(mention)}/>\n" for mention in chain)

    return "<chains>\n" + "".join(f"  <chain>\n{lines(chain)}  </chain>\n" for chain in found) + "</chains>\n"


def name(mention: int) -> str:
    """Return the attribute of a mention of subtask 2."""
    return f'id="{mention}"'


def span(longer: int, mention: int) -> str:
    """Return those of one of subtask 4: two or three words of five; every third one of the system is longer than gold's."""
    return f'start="{5 * mention}" end="{5 * mention + 2 + (longer if mention % 3 == 0 else 0)}"'


def words(number: int) -> str:
    """Return the input of subtask 4."""
    return (
        "<input><text>\n"
        + "".join(f'<node id="{rank}"/>w\n' for rank in range(number))
        + f'<node id="{number}"/></text></input>\n'
    )


def make(folder: Path, sides: list[tuple[Chains, Chains]]) -> Path:
    """Write the files of both subtasks, and return the configuration's path."""
    for part in ("2/gold", "2/system", "4/input", "4/gold", "4/system"):
        (folder / part).mkdir(parents=True)
    for rank, pair in enumerate(sides):
        for longer, (role, found) in enumerate(zip(("gold", "system"), pair, strict=True)):
            (folder / f"2/{role}/d{rank}.xml").write_text(xml(found, name))
            (folder / f"4/{role}/d{rank}.xml").write_text(xml(found, partial(span, longer)))
        (folder / f"4/input/d{rank}.xml").write_text(words(5 * sum(map(len, pair[0]))))
    (folder / "nlpeval.yaml").write_text(CONFIG)
    return folder / "nlpeval.yaml"


def all_of(sides: list[tuple[Chains, Chains]]) -> None:
    """Count the links of all documents."""
    for gold, system in sides:
        muc(gold, system)


def main() -> None:
    """Run the benchmark."""
    mentions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as top:
        for number in (mentions, mentions // 10):
            for documents in (5, 500):
                chance, each = random.Random(1), number // documents // 2 * 2
                sides = [(chains(chance, each), chains(chance, each)) for _ in range(documents)]
                alone = median_seconds(partial(all_of, sides))
                suites = load_suites(make(Path(top) / f"{number}-{documents}", sides))
                whole = ", ".join(f"suite {suite.name} {median_seconds(partial(evaluate, suite)):.2f} s" for suite in suites)
                print(f"{number:,} mentions a side in {documents} documents: muc alone {alone:.3f} s, {whole}")
    for number in (2_000, 4_000):
        gold, system = [(0, 20_000 + rank) for rank in range(number)], [(0, 1 + rank) for rank in range(number)]
        took = median_seconds(partial(align, gold, system))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"alignment of {number:,} nested spans a side: {took:.2f} s, peak memory so far {peak:.0f} MiB")


if __name__ == "__main__":
    main()
