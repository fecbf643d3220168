"""CoNLL-U by the definitions: words aligned one by one, trees as dictionaries, paths through empty nodes step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pytest_nlpeval.tasks.ud.inventory import CONTENT, FEATURES, FUNCTIONAL

Edge = tuple["Word | None", str]


class Word:
    """A word with the characters that it covers; words are compared as objects."""

    def __init__(self, span: tuple[int, int], fields: Sequence[str]) -> None:
        self.span = span
        self.form, self.lemma, self.upos, self.xpos = fields[1:5]
        self.feats = frozenset(item for item in fields[5].split("|") if item.partition("=")[0] in FEATURES)
        self.relation = fields[7].partition(":")[0]
        self.head: Word | None = None
        self.edges: set[Edge] = set()
        self.children: list[Word] = []

    @property
    def is_content(self) -> bool:
        """Whether the relation is one of content words."""
        return self.relation in CONTENT

    @property
    def functional(self) -> list[Word]:
        """The children that are function words."""
        return [child for child in self.children if child.relation in FUNCTIONAL]


class File(NamedTuple):
    """The words of a file, and the spans of its tokens, ranges and sentences."""

    words: list[Word]
    tokens: list[tuple[int, int]]
    ranges: list[tuple[int, int]]
    sentences: list[tuple[int, int]]


def read(text: str) -> File:
    """Return a file that has no problem."""
    file = File([], [], [], [])
    for block in text.strip("\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        start = end = file.tokens[-1][1] if file.tokens else 0
        nodes: dict[str, Word] = {}
        last = 0
        for row in rows:
            name = row[0]
            if "." in name:
                continue
            if "-" in name or int(name) > last:
                file.tokens.append((end, end + len(row[1])))
                end += len(row[1])
            if "-" in name:
                file.ranges.append(file.tokens[-1])
                last = int(name.partition("-")[2])
            else:
                nodes[name] = Word(file.tokens[-1], row)
        file.sentences.append((start, end))
        join(rows, nodes)
        file.words.extend(nodes.values())
    return file


def join(rows: Sequence[Sequence[str]], nodes: dict[str, Word]) -> None:
    """Note heads, children and enhanced edges."""
    incoming = {row[0]: [] if row[8] == "_" else [edge.partition(":") for edge in row[8].split("|")] for row in rows}

    def paths(node: str, passed: tuple[str, ...]) -> Iterator[tuple[Word | None, str]]:
        for head, _, label in incoming[node]:
            if head == "0" or head in nodes:
                yield nodes.get(head), label
            elif head not in passed:
                yield from ((source, f"{before}>{label}") for source, before in paths(head, (*passed, head)))

    for row in rows:
        if word := nodes.get(row[0]):
            word.head = nodes.get(row[6])
            word.edges = set(paths(row[0], ()))
            if word.head:
                word.head.children.append(word)


def aligned(gold: File, system: File) -> dict[Word, Word]:
    """Return the gold word of each system word that has one."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted(gold.ranges + system.ranges):
        if spans and start < spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))

    def inside(word: Word) -> tuple[int, int] | None:
        return next((span for span in spans if span[0] <= word.span[0] and word.span[1] <= span[1]), None)

    pairs = {
        theirs: ours
        for theirs in system.words
        for ours in gold.words
        if ours.span == theirs.span and inside(ours) is None and inside(theirs) is None
    }
    for span in spans:
        mine, others = ([word for word in side.words if inside(word) == span] for side in (gold, system))
        pairs |= common(mine, others)
    return pairs


def common(gold: Sequence[Word], system: Sequence[Word]) -> dict[Word, Word]:
    """Return the longest common subsequence by forms: gold's word is left out before the system's."""

    def is_same(i: int, j: int) -> bool:
        return gold[i].form.lower() == system[j].form.lower()

    @cache
    def length(i: int, j: int) -> int:
        if i == len(gold) or j == len(system):
            return 0
        return max(length(i + 1, j), length(i, j + 1), is_same(i, j) + length(i + 1, j + 1) if is_same(i, j) else 0)

    pairs: dict[Word, Word] = {}
    i = j = 0
    while i < len(gold) and j < len(system):
        if is_same(i, j):
            pairs[system[j]] = gold[i]
            i, j = i + 1, j + 1
        elif length(i + 1, j) == length(i, j):
            i += 1
        else:
            j += 1
    return pairs


def numbers(gold: File, system: File) -> dict[str, tuple[int, int, int]]:
    """Return, for each measure, the numbers of gold, of the system, and of those that are right."""
    partner = aligned(gold, system)

    def uas(s: Word) -> bool:
        g = partner[s]
        return (g.head is None and s.head is None) or (
            s.head is not None and g.head is not None and partner.get(s.head) is g.head
        )

    def las(s: Word) -> bool:
        return uas(s) and partner[s].relation == s.relation

    def is_alike(s: Word) -> bool:
        return las(s) and s.upos == partner[s].upos and s.feats == partner[s].feats

    def mlas(s: Word) -> bool:
        g = partner[s]
        children = [child for child in s.functional if child in partner and partner[child] in g.functional and is_alike(child)]
        return is_alike(s) and len(children) == len(s.functional) == len(g.functional)

    def lemma(s: Word) -> bool:
        return partner[s].lemma in ("_", s.lemma)

    of_words: dict[str, Callable[[Word], bool]] = {
        "words": lambda _: True,
        "upos": lambda s: s.upos == partner[s].upos,
        "xpos": lambda s: s.xpos == partner[s].xpos,
        "ufeats": lambda s: s.feats == partner[s].feats,
        "alltags": lambda s: (s.upos, s.xpos, s.feats) == (partner[s].upos, partner[s].xpos, partner[s].feats),
        "lemmas": lemma,
        "uas": uas,
        "las": las,
    }
    of_content: dict[str, Callable[[Word], bool]] = {"clas": las, "mlas": mlas, "blex": lambda s: las(s) and lemma(s)}
    sizes = len(gold.words), len(system.words)
    found = {name: (*sizes, sum(map(right, partner))) for name, right in of_words.items()}
    sizes = sum(word.is_content for word in gold.words), sum(word.is_content for word in system.words)
    for name, right in of_content.items():
        found[name] = *sizes, sum(right(s) for s, g in partner.items() if g.is_content)
    for name, ours, theirs in (("tokens", gold.tokens, system.tokens), ("sentences", gold.sentences, system.sentences)):
        found[name] = len(ours), len(theirs), len({*ours} & {*theirs})
    sizes = sum(len(word.edges) for word in gold.words), sum(len(word.edges) for word in system.words)
    for name, cut in (("elas", str), ("eulas", without_subtypes)):
        found[name] = *sizes, sum(shared_edges(s, g, partner, cut) for s, g in partner.items())
    return found


def without_subtypes(path: str) -> str:
    """Return a path with each of its labels up to the first colon."""
    return ">".join(label.partition(":")[0] for label in path.split(">"))


def shared_edges(system: Word, gold: Word, partner: dict[Word, Word], cut: Callable[[str], str]) -> int:
    """Return how many edges of two aligned words are equal, each matched once."""
    ours = Counter((head, cut(path)) for head, path in gold.edges)
    theirs = Counter((head and partner[head], cut(path)) for head, path in system.edges if head is None or head in partner)
    return (ours & theirs).total()
