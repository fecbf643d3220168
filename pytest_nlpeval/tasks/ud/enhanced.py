"""Enhanced dependencies: DEPS as edges between words, and what is wrong with them."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud.inventory import RELATIONS
from pytest_nlpeval.tasks.ud.numbering import Numbering, parse_id
from pytest_nlpeval.tasks.ud.options import first_part
from pytest_nlpeval.tasks.ud.paths import MOST_PATHS, NO_PATH, Incoming, Paths, paths_to
from pytest_nlpeval.tasks.ud.table import Coder, Codes, Flags, Integers, Table
from pytest_nlpeval.tasks.ud.trees import reaching
from pytest_nlpeval.wording import nearest, quoted

_HEAD = re.compile(r"0|[1-9][0-9]*|(?:0|[1-9][0-9]*)\.[1-9][0-9]*")
_KNOWN = RELATIONS | {"ref"}

UNKNOWN_NODE = -1


@light_dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The edges of the words of a file, no two alike, in the order of words: word, head and path of each.

    `head` is a word's rank, the number of words for 0. `path` is a number in `paths`.
    """

    word: Integers
    head: Integers
    path: Integers
    paths: Paths


class _Written(NamedTuple):
    """An edge as it is written: head (a word or 0, or both numbers of an empty node), and its labels, none if it cannot be read."""

    low: int
    place: int
    labels: tuple[str, ...]


@light_dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """The edges of all rows: the row, the written edge, child and head as nodes.

    Nodes are words, then 0, then empty nodes. `is_unsorted` says of each distinct DEPS whether its edges are out of order or repeated.
    """

    row: Integers
    code: Integers
    child: Integers
    head: Integers
    written: list[_Written]
    is_unsorted: Flags


def read_edges(table: Table, numbering: Numbering, log: ProblemLog) -> Edges:
    """Return the edges of all words with all problems of DEPS in the log; sentences whose IDs are wrong are left out."""
    read = _read(table, numbering)
    bad_edge = (read.head == UNKNOWN_NODE) | np.array([not edge.labels for edge in read.written], np.bool_)[read.code]
    is_bad = np.bincount(read.row[bad_edge], minlength=len(table.sentence)) > 0
    deps = table.columns["DEPS"]
    table.log_each(
        log,
        "ud.deps",
        np.flatnonzero(is_bad).tolist(),
        lambda row: _fault(deps[row], int(numbering.sizes[table.sentence[row]])),
        "DEPS",
    )
    kept = ~is_bad[read.row]
    read = _Read(read.row[kept], read.code[kept], read.child[kept], read.head[kept], read.written, read.is_unsorted)
    _check_form(table, read, log)
    _check_graphs(table, numbering, read, log)
    edges = _collapsed(table, numbering, read)
    crowded = np.flatnonzero(np.bincount(edges.word) > MOST_PATHS)
    message = f"the word has more than {MOST_PATHS:,} edges, paths through empty nodes counted; expected a few"
    table.log_each(log, "ud.paths", numbering.words[crowded].tolist(), lambda _: message, "DEPS")
    return edges


def _read(table: Table, numbering: Numbering) -> _Read:
    deps = table.columns["DEPS"]
    coder = Coder()
    edges = [[] if name == "_" else name.split("|") for name in deps.names]
    sizes = np.array([len(part) for part in edges], np.int64)
    flat = coder.codes([edge for part in edges for edge in part])
    written = [_parsed(edge) for edge in coder]
    starts = np.cumsum(sizes) - sizes
    number = len(numbering.words)
    rows = np.concatenate((numbering.words, numbering.empty))
    nodes = np.append(np.arange(number), number + 1 + np.arange(len(numbering.empty)))
    is_sound = numbering.is_sound[table.sentence[rows]]
    rows, nodes = rows[is_sound], nodes[is_sound]
    counts = sizes[deps.codes[rows]]
    places = np.repeat(starts[deps.codes[rows]] - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
    row, code = np.repeat(rows, counts), flat[places].astype(np.int64)
    head = _heads(table, numbering, row, code, written)
    return _Read(row, code, np.repeat(nodes, counts), head, written, _unsorted(flat, sizes, written, coder))


def _parsed(edge: str) -> _Written:
    head, _, label = edge.partition(":")
    labels = tuple(label.split(">"))
    if not _HEAD.fullmatch(head) or not all(labels):
        return _Written(0, 0, ())
    _, low, place = parse_id(head)
    return _Written(low, place, labels)


def _heads(table: Table, numbering: Numbering, row: Integers, code: Integers, written: list[_Written]) -> Integers:
    """Return the node of the head of each edge, `UNKNOWN_NODE` if there is none."""
    numbers = np.array([edge[:2] for edge in written], np.int64).reshape(-1, 2)[code]
    low, place = numbers[:, 0], numbers[:, 1]
    sentence = table.sentence[row]
    number = len(numbering.words)
    first = (np.cumsum(numbering.sizes) - numbering.sizes)[sentence]
    head = np.where(low == 0, number, np.where(low <= numbering.sizes[sentence], first + low - 1, UNKNOWN_NODE))
    through = np.flatnonzero(place)
    if through.size:
        sentences, lows, highs = (part[numbering.empty].tolist() for part in (table.sentence, numbering.low, numbering.high))
        rank_of = {key: number + 1 + rank for rank, key in enumerate(zip(sentences, lows, highs, strict=True))}
        keys = zip(sentence[through].tolist(), low[through].tolist(), place[through].tolist(), strict=True)
        head[through] = [rank_of.get(key, UNKNOWN_NODE) for key in keys]
    return head


def _unsorted(flat: Codes, sizes: Integers, written: list[_Written], names: dict[str, int]) -> Flags:
    """Return which distinct DEPS have edges out of the order of heads, then labels, or twice; `flat` has their edges, `sizes` how many."""
    labels = [name.partition(":")[2] for name in names]
    order = sorted(range(len(written)), key=lambda code: (written[code].low, written[code].place, labels[code]))
    rank = np.empty(len(written), np.int64)
    rank[order] = np.arange(len(written))
    owner = np.repeat(np.arange(len(sizes)), sizes)
    falls = (np.diff(rank[flat]) <= 0) & (np.diff(owner) == 0)
    flags: Flags = np.bincount(owner[1:][falls], minlength=len(sizes)) > 0
    return flags


def _fault(deps: str, size: int) -> str:
    for edge in deps.split("|"):
        head, _, label = edge.partition(":")
        if not _HEAD.fullmatch(head) or not label:
            return f"{quoted(edge)} is no edge; expected head:label, or `_` for no edges"
        if not all(label.split(">")):
            return f"{quoted(edge)} has an empty label; expected one in each place"
    return f"{quoted(deps)} has a head that is not in the sentence, which has words 1 to {size}"


def _check_form(table: Table, read: _Read, log: ProblemLog) -> None:
    deps = table.columns["DEPS"]
    unknown = np.array([not all(first_part(label) in _KNOWN for label in edge.labels) for edge in read.written], np.bool_)
    misnamed = np.array([_is_misnamed(edge) for edge in read.written], np.bool_)
    own = set(read.row[read.head == read.child].tolist())
    strange = set(read.row[unknown[read.code]].tolist())
    disordered = set(read.row[read.is_unsorted[deps.codes[read.row]]].tolist())

    def say(row: int) -> str:
        if row in own:
            return f"an edge of {quoted(deps[row])} comes from the row itself; expected another head"
        if row in disordered:
            return f"{quoted(deps[row])} is out of order, or has an edge twice; expected edges by head, then label, each once"
        labels = [first_part(label) for edge in deps[row].split("|") for label in edge.partition(":")[2].split(">")]
        label = next(label for label in labels if label not in _KNOWN)
        return f"{quoted(label)} is no universal relation; {nearest(label, _KNOWN)}"

    table.log_each(log, "ud.deps-form", sorted(own | strange | disordered), say, "DEPS")
    wrong = np.flatnonzero(np.bincount(read.row[misnamed[read.code]]))
    message = "root and an edge from 0 go together; expected 0:root and no other label from 0, nor root from another head"
    table.log_each(log, "ud.root-label", wrong.tolist(), lambda _: message, "DEPS")


def _is_misnamed(edge: _Written) -> bool:
    """Whether the label is root and the head is not 0, or the other way round; behind the first label of a path no label is root."""
    is_root = [first_part(label) == "root" for label in edge.labels]
    return bool(is_root) and (is_root[0] != ((edge.low, edge.place) == (0, 0)) or any(is_root[1:]))


def _check_graphs(table: Table, numbering: Numbering, read: _Read, log: ProblemLog) -> None:
    """Log a first sentence without DEPS among others, and words and empty nodes that no path from 0 reaches."""
    number = len(numbering.words)
    has_deps = np.zeros(len(numbering.sizes), np.bool_)
    has_deps[table.sentence[numbering.empty]] = True
    has_deps[table.sentence[numbering.words[~table.columns["DEPS"].is_in("_")[numbering.words]]]] = True
    if not has_deps.any():
        return
    lacking = np.flatnonzero(table.is_sound & ~has_deps)
    if lacking.size:
        message = "the sentence has neither DEPS nor empty nodes, and others have; expected them in all or none"
        table.log(log, "ud.deps-missing", int(np.searchsorted(table.sentence, lacking[0])), message)
    rows = np.concatenate((numbering.words, [-1], numbering.empty))
    lost = np.flatnonzero(~_reached(read, number, len(rows)))
    lost = rows[lost[lost != number]]
    lost = np.sort(lost[(has_deps & numbering.is_sound)[table.sentence[lost]]])
    _, places = np.unique(table.sentence[lost], return_index=True)
    ids = table.columns["ID"]
    table.log_each(
        log, "ud.deps-graph", lost[places].tolist(), lambda row: f"no path of enhanced edges leads from 0 to {ids[row]}", "DEPS"
    )


def _reached(read: _Read, root: int, nodes: int) -> Flags:
    """Return which nodes a path from 0 reaches: nearly all by their first edges alone, the others edge by edge."""
    ahead = np.arange(nodes)
    ahead[read.child[::-1]] = read.head[::-1]  # of several edges of a node the first is assigned last
    renumbered = np.where(ahead > root, ahead - 1, np.where(ahead == root, nodes - 1, ahead))  # the end is the last number
    reached = np.insert(reaching(np.delete(renumbered, root), nodes), root, values=True)
    if reached.all():
        return reached
    left = ~reached[read.child]
    below: dict[int, list[int]] = {}
    for head, child in zip(read.head[left].tolist(), read.child[left].tolist(), strict=True):
        below.setdefault(head, []).append(child)
    ready = [head for head in below if reached[head]]
    while ready:
        for child in below.get(ready.pop(), ()):
            if not reached[child]:
                reached[child] = True
                ready.append(child)
    return reached


def _collapsed(table: Table, numbering: Numbering, read: _Read) -> Edges:
    """Return the edges of words, with paths in place of empty nodes."""
    number, paths = len(numbering.words), Paths()
    path_of = np.array([paths.extended(NO_PATH, edge.labels) for edge in read.written], np.int64)
    is_plain = (read.child < number) & (read.head <= number)
    parts = [(read.child[is_plain], read.head[is_plain], path_of[read.code[is_plain]])]
    if not is_plain.all():
        through = np.array(_through_empty_nodes(table, numbering, read, paths), np.int64).reshape(-1, 3)
        parts.append((through[:, 0], through[:, 1], through[:, 2]))
    word, head, path = (np.concatenate(part) for part in zip(*parts, strict=True))
    keys = np.sort((word * (number + 1) + head) * len(paths.steps) + path)
    keys = keys[np.diff(keys, prepend=-1) > 0]
    rest, path = np.divmod(keys, len(paths.steps))
    word, head = np.divmod(rest, number + 1)
    return Edges(word, head, path, paths)


def _through_empty_nodes(table: Table, numbering: Numbering, read: _Read, paths: Paths) -> list[tuple[int, int, int]]:
    """Return word, head and path of each edge that leads through empty nodes, sentence by sentence."""
    number = len(numbering.words)
    sentences = table.sentence[numbering.empty].tolist()
    incoming: dict[int, Incoming] = {}
    for rank, sentence in enumerate(sentences):
        incoming.setdefault(sentence, {})[number + 1 + rank] = []
    chosen = np.flatnonzero((read.child > number) | (read.head > number))
    entries = zip(*(part[chosen].tolist() for part in (table.sentence[read.row], read.child, read.head, read.code)), strict=True)
    to_words: list[tuple[int, int, int, int]] = []
    for sentence, child, head, code in entries:
        if child > number:
            incoming[sentence][child].append((head, read.written[code].labels))
        else:
            to_words.append((sentence, child, head, code))
    reached = {sentence: paths_to(edges, paths) for sentence, edges in incoming.items()}
    return [
        (word, source, paths.extended(way, read.written[code].labels))
        for sentence, word, head, code in to_words
        for source, way in reached[sentence][head]
    ]
