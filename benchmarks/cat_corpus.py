"""A CAT corpus: how long it takes to validate and score, against lxml's bare parse of the same files.

    python benchmarks/cat_corpus.py [DOCUMENTS] [CORPUS]

Makes gold and system files of invented documents (default 200 of 600 tokens) in a temporary folder, then measures, five times in turn in
one process, the bare parse of all files and the whole suite without evidence store, and prints the medians and their ratio. The ratio
depends on the annotations, so several corpora are measured: an annotation costs more than a token beyond the parse. CORPUS is a folder of
your own, with `gold/`, `system/` and `config.txt`; it comes first. The bound is 5. The second of the invented corpora is the densest,
with a markable for every 3.5 tokens, and comes close to it.

Then single documents: ten times the tokens and markables must take at most thirteen times as long; 5,000 consistent TLINKs, 2,000 dense
and 2,000 contradictory ones.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from lxml import etree
from timing import median_seconds, seconds

from pytest_nlpeval import evaluate, load_suites

WORDS = ("the", "ferry", "left", "Hollin", "at", "dawn", "on", "Friday", "before", "storm", ",", ".")
TYPES = ("BEFORE", "AFTER", "INCLUDES", "IS_INCLUDED", "SIMULTANEOUS", "BEGINS", "ENDS")
CONFIG = "EVENT_MENTION\tmarkable\t0\tpred\ttense\nTIMEX3\tmarkable\t0\ttype\tvalue\nTLINK\tone2one\tdirectional\trelType\n"
CONFIG += "CLINK\tone2one\tdirectional\nREFERS_TO\tmany2one\tdirectional\n"
SUITE = """\
version: 1
suites:
  - name: corpus
    task: cat
    config: config.txt
    gold: gold/{doc}.xml
    system: system/{doc}.xml
    gates: {"*.strict.f1": 0}
"""
Link = tuple[int, int, str]
CORPORA: tuple[tuple[str, tuple[int, int, int], tuple[int, int], str], ...] = (
    ("80 markables, 100 TLINKs", (600, 80, 100), (0, 0), ""),
    ("80 markables, 45 TLINKs", (280, 80, 45), (0, 0), "  "),
    ("40 markables, 35 TLINKs", (600, 40, 35), (0, 0), ""),
    ("40 markables, 20 TLINKs, 5 CLINKs, 10 groups", (600, 40, 20), (5, 10), ""),
    ("40 markables, 20 TLINKs, 5 CLINKs, 10 groups, tokens indented otherwise", (600, 40, 20), (5, 10), "  "),
)
"""What is annotated; tokens, markables and TLINKs; CLINKs and groups; how the system's file indents its tokens."""


def tokens(number: int, indent: str) -> str:
    """Return the tokens of a labelled file."""
    return "".join(
        f'{indent}<token t_id="{rank + 1}" sentence="{rank // 25}" number="{rank % 25}">{WORDS[rank % 12]}</token>\n'
        for rank in range(number)
    )


def markables(chance: random.Random, number: int, length: int, noise: float) -> str:
    """Return events and times of one or two tokens; with noise, some a token off and some with another attribute."""
    parts = ["<Markables>\n"]
    for rank in range(number):
        first = 1 + rank * (length - 3) // number + (chance.random() < noise)
        anchors = "".join(f'<token_anchor t_id="{name}"/>\n' for name in range(first, first + 1 + rank % 2))
        value = "2014" if chance.random() > noise else "2015"
        name, attributes = (
            ("TIMEX3", f'type="DATE" value="{value}"') if rank % 4 == 0 else ("EVENT_MENTION", 'pred="go" tense="PAST"')
        )
        parts.append(f'<{name} m_id="{rank + 1}" {attributes} comment="">\n{anchors}</{name}>\n')
    parts += [f'<EVENT m_id="{number + rank + 1}" comment=""/>\n' for rank in range(number // 4)]
    return "".join([*parts, "</Markables>\n"])


def timeline(chance: random.Random, number: int, intervals: int, noise: float) -> list[Link]:
    """Return TLINKs that hold on a hidden timeline, but for the noise."""
    starts = random.Random(intervals)
    places = [starts.randrange(4 * intervals) for _ in range(intervals)]
    links: list[Link] = []
    for _ in range(number):
        one, other = chance.sample(range(intervals), 2)
        true = "BEFORE" if places[one] < places[other] else "SIMULTANEOUS" if places[one] == places[other] else "AFTER"
        links.append((one + 1, other + 1, true if chance.random() >= noise else chance.choice(TYPES)))
    return links


def other_relations(chance: random.Random, clinks: int, groups: int, number: int, noise: float) -> str:
    """Return causal links, and mentions of the same event; with noise, some with another end."""
    parts = []
    for rank in range(clinks + groups):
        first = 1 + rank % (number - 2)
        last = first + 1 + (chance.random() < noise)
        ends = f'<source m_id="{first}"/>\n<target m_id="{last}"/>\n'
        if rank >= clinks:
            ends = f'<source m_id="{first}"/>\n<source m_id="{last}"/>\n<target m_id="{number + 1 + rank % (number // 4)}"/>\n'
        name = "CLINK" if rank < clinks else "REFERS_TO"
        parts.append(f'<{name} r_id="{rank + 200_000}" comment="">\n{ends}</{name}>\n')
    return "".join(parts)


def relations(links: list[Link], others: str = "") -> str:
    """Return the relations of a labelled file: TLINKs and what else there is."""
    parts = ["<Relations>\n"]
    for rank, (source, target, link_type) in enumerate(links):
        head = f'<TLINK r_id="{rank + 100_000}" relType="{link_type}" comment="">'
        parts.append(f'{head}\n<source m_id="{source}"/>\n<target m_id="{target}"/>\n</TLINK>\n')
    return "".join([*parts, others, "</Relations>\n"])


def write(path: Path, *parts: str) -> None:
    """Write a document, its folder included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="d.xml">\n' + "".join(parts) + "</Document>\n")


def make(
    folder: Path,
    documents: int,
    sizes: tuple[int, int, int],
    indent: str = "",
    noise: float = 0.15,
    others: tuple[int, int] = (0, 0),
) -> None:
    """Write a corpus and its configuration; `others` are the numbers of CLINKs and of groups."""
    chance = random.Random(1)
    length, number, links = sizes
    for rank in range(documents):
        for side, its_indent, its_noise in (("gold", "", 0.0), ("system", indent, noise)):
            write(
                folder / f"{side}/d{rank}.xml",
                tokens(length, its_indent),
                markables(chance, number, length, its_noise),
                relations(
                    timeline(chance, links, number, its_noise), other_relations(chance, *others, number=number, noise=its_noise)
                ),
            )
    (folder / "config.txt").write_text(CONFIG)
    (folder / "nlpeval.yaml").write_text(SUITE)


def bare_parse(folder: Path) -> None:
    """Parse every file and do nothing else."""
    for path in folder.glob("*/*.xml"):
        etree.fromstring(path.read_bytes())


def whole(folder: Path) -> None:
    """Validate and score the suite."""
    (suite,) = load_suites(folder / "nlpeval.yaml")
    result = evaluate(suite)
    if result.failed_cases:
        raise ValueError(result.failed_cases[0].all_problems()[:5])


def median_of(folder: Path) -> float:
    """Return how long the suite takes."""
    return median_seconds(partial(whole, folder))


def compare(folder: Path, what: str) -> None:
    """Print how long the bare parse of a corpus takes, and the whole suite."""
    times = [(seconds(partial(bare_parse, folder)), seconds(partial(whole, folder))) for _ in range(5)]
    ratio = statistics.median(suite / parse for parse, suite in times)
    parse, suite = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"{what}: parse {parse:.2f} s, suite {suite:.2f} s, ratio {ratio:.2f}")


def main() -> None:
    """Run the benchmark."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        if len(sys.argv) > 2:
            folder = Path(shutil.copytree(sys.argv[2], root / "own"))
            (folder / "nlpeval.yaml").write_text(SUITE)
            compare(folder, f"{len(list(folder.glob('gold/*')))} pairs of {sys.argv[2]}")
        for what, sizes, others, indent in CORPORA:
            folder = root / what.replace(" ", "-")
            make(folder, documents, sizes, indent, others=others)
            compare(folder, f"{documents} pairs of {sizes[0]} tokens, {what}")
        for size in (5_000, 50_000):
            make(root / str(size), 1, (size, size // 10, 0))
        small, large = (median_of(root / str(size)) for size in (5_000, 50_000))
        print(f"5,000 tokens {small:.3f} s, 50,000 tokens {large:.3f} s: ratio {large / small:.1f}")
        for what, count, intervals, noise in (
            ("consistent", 5_000, 2_500, 0.0),
            ("dense, consistent", 2_000, 64, 0.0),
            ("dense, contradictory", 2_000, 64, 0.9),
            ("contradictory", 2_000, 1_000, 0.9),
        ):
            folder = root / what.replace(" ", "-")
            make(folder, 1, (3 * intervals + 10, intervals, count), noise=noise)
            print(f"{count:,} TLINKs over {intervals:,} markables, {what}: {median_of(folder):.2f} s")


if __name__ == "__main__":
    main()
