"""Which files of gold and of systems belong together, by their names alone."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.patterns import DOC, Pattern

MOST_FILES = 20_000
MOST_LEVELS = 3
MOST_SYSTEMS = 60
_MOST_WAYS = 1_000
_MOST_MARKS = 8
_SEPARATORS = re.compile(r"[._-]")


class Paths(NamedTuple):
    """A pair of paths, files or patterns with `{doc}`, of gold and a system; `docs` are the documents that both have, none of two files.

    `name` is what tells the system from others in the same folders.
    """

    gold: str
    system: str
    docs: tuple[str, ...] = ()
    name: str = ""

    def files(self, side: str) -> frozenset[str]:
        """Return the paths of the files of a side that have a partner."""
        path = self.gold if side == "gold" else self.system
        return frozenset(path.replace(DOC, doc) for doc in self.docs) if self.docs else frozenset([path])


@light_dataclass(frozen=True)
class Side:
    """What a path names: `folders` are names of files by folder, relative to `folder`; of a pattern or a file, `fixed` is its path."""

    folder: Path
    text: str
    folders: Mapping[str, tuple[str, ...]]
    fixed: bool

    @classmethod
    def of(cls, text: str, folder: Path) -> Side:
        """Return the side that a path names. Nothing is read but the names of files; hidden files and backups do not count."""
        if DOC in text:
            return cls(folder, text, {}, fixed=True)
        path = PurePosixPath(text)
        if os.path.isdir(folder / text):  # noqa: PTH112 - never raises
            return cls(folder, text, dict(_folders(folder, str(path))), fixed=False)
        return cls(folder, text, {_parent(path): (path.name,)}, fixed=True)

    @cached_property
    def files(self) -> list[str]:
        """The paths of all files, sorted; of a pattern the pattern."""
        return (
            [self.text]
            if DOC in self.text
            else [joined(folder, name) for folder, names in self.folders.items() for name in names]
        )

    def patterns(self) -> Iterator[tuple[str, str, str]]:
        """Yield the folder, the document and the pattern of each way to take a file's name as a document's with something around it."""
        if DOC in self.text:
            yield from (("", doc, self.text) for doc in sorted(Pattern(self.folder, self.text).documents()))
        for folder, names in self.folders.items():
            for name in names:
                yield from ((folder, doc, joined(folder, before + DOC + after)) for before, doc, after in _parts(name))


def _folders(folder: Path, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a folder and those below it with the names of their files."""
    number = 0
    for top, inner, names in os.walk(folder / text):
        relative = os.path.relpath(top, folder / text)
        inner[:] = sorted(name for name in inner if not name.startswith(".")) if relative.count(os.sep) < MOST_LEVELS - 1 else []
        files = _usual(Path(top), names)
        number += len(files)
        if number > MOST_FILES:
            return
        if files:
            yield (text if relative == "." else joined(text, relative.replace(os.sep, "/"))), files


def files_in(folder: Path, text: str) -> list[str]:
    """Return the paths of the files in a folder, sorted; none if it cannot be read."""
    try:
        names = [entry.name for entry in os.scandir(folder / text) if entry.is_file()]
    except OSError:
        return []
    return [joined(text, name) for name in _usual(folder / text, names)]


def _usual(folder: Path, names: Collection[str]) -> tuple[str, ...]:
    """Return the names of files that may be documents: not hidden, no backups, without what means something in a pattern."""
    documents = Pattern(folder, DOC).documents(lambda _: names)
    return tuple(sorted(name for name in documents if not set(name) & set("{}*")))


def _parent(path: PurePosixPath) -> str:
    return "" if str(path.parent) == "." and not str(path).startswith("./") else str(path.parent)


def joined(folder: str, name: str) -> str:
    """Return the path of a file in a folder, both as text."""
    return name if folder in ("", ".") else f"{folder.rstrip('/')}/{name}"


def _parts(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the ways to part a file's name; its ending belongs to no document.

    >>> list(_parts("a-key.xml"))
    [('', 'a', '-key.xml'), ('', 'a-key', '.xml'), ('a-', 'key', '.xml')]
    """
    ending = PurePosixPath(name).suffix
    stem = name.removesuffix(ending)
    marks = [match.start() for match in _SEPARATORS.finditer(stem)][:_MOST_MARKS]
    for begin in (0, *(mark + 1 for mark in marks)):
        for end in (*marks, len(stem)):
            if begin < end and (begin == 0 or end == len(stem)):
                yield name[:begin], name[begin:end], name[end:]


def pairs_of(gold: str, system: str, folder: Path) -> list[Paths]:
    """Return the pairs of gold and system that two paths name, each a file, a pattern with `{doc}` or a folder; relative to `folder`.

    Two files are a pair. In folders, files pair whose names say the same document: `{doc}-key.xml` and `{doc}.xml`, `gold_{doc}.txt` and
    `pred_{doc}.txt`. Folders inside the system's are systems of their own. Files without any partner by name are each a pair with each: the
    task's readers find out.
    """
    golds, systems = Side.of(gold, folder), Side.of(system, folder)
    if golds.fixed and systems.fixed and DOC not in gold + system:
        return [Paths(gold, system)]
    pairs = _by_name(golds, systems)
    if DOC not in gold + system and golds.text != systems.text:
        pairs += _without_partner(golds, systems, pairs)
    return _named(_in_like_folders(pairs, gold), system)


def _by_name(golds: Side, systems: Side) -> list[Paths]:
    """Return the pairs of patterns with documents in common. Of those that pair no other files than another one, none is kept."""
    ways = [_ways(golds), _ways(systems)]
    docs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for doc in ways[0].keys() & ways[1].keys():
        if len(ways[0][doc]) * len(ways[1][doc]) <= _MOST_WAYS:
            for texts in product(ways[0][doc], ways[1][doc]):
                docs[texts].append(doc)
    pairs = {
        Paths(gold, system, tuple(sorted(names)))
        if len(names) > 1 or golds.text == gold or systems.text == system
        else Paths(gold.replace(DOC, names[0]), system.replace(DOC, names[0]))
        for (gold, system), names in docs.items()
    }
    kept: list[Paths] = []
    files: list[tuple[frozenset[str], frozenset[str]]] = []
    for pair in sorted(pairs, key=_rank):
        mine = pair.files("gold"), pair.files("system")
        if mine[0] != mine[1] and not any(mine[0] <= gold and mine[1] <= system for gold, system in files):
            kept.append(pair)
            files.append(mine)
    return kept


def _rank(pair: Paths) -> tuple[object, ...]:
    """Return what sorts pairs: most documents first, then those whose names have the fewest dots and lack the least."""
    return -len(pair.docs), sum(doc.count(".") for doc in pair.docs), len(pair.gold) + len(pair.system), pair


def _ways(side: Side) -> dict[str, list[str]]:
    """Return the patterns that give each document a file."""
    ways: dict[str, list[str]] = defaultdict(list)
    for _, doc, text in side.patterns():
        ways[doc].append(text)
    return ways


def _without_partner(golds: Side, systems: Side, pairs: Iterable[Paths]) -> Iterator[Paths]:
    """Return each file of gold that no pair has with each of a system that no pair has."""
    paired = frozenset[str]().union(*(pair.files(side) for pair in pairs for side in ("gold", "system")))
    lonely = [[file for file in side.files if file not in paired] for side in (golds, systems)]
    if not 0 < len(lonely[0]) * len(lonely[1]) <= MOST_SYSTEMS:
        return iter(())
    return (Paths(gold, system) for gold, system in product(*lonely) if gold != system)


def _in_like_folders(pairs: list[Paths], gold: str) -> list[Paths]:
    """Return the pairs whose folders have the same names, `gold/dev` and `out/ours/dev`, if gold has several folders and any are alike."""
    inner = {pair: str(PurePosixPath(pair.gold).parent).removeprefix(str(PurePosixPath(gold))).strip("/") for pair in pairs}
    alike = [pair for pair in pairs if inner[pair] and f"{PurePosixPath(pair.system).parent}/".endswith(f"/{inner[pair]}/")]
    return alike if alike and len(set(inner.values())) > 1 else pairs


def _named(pairs: list[Paths], system: str) -> list[Paths]:
    """Return the pairs with the names of their systems: what is different in their paths, of one alone nothing."""
    by_gold: dict[str, list[Paths]] = defaultdict(list)
    for pair in pairs:
        by_gold[pair.gold].append(pair)
    return [named for alike in by_gold.values() for named in _named_apart(alike, system)]


def _named_apart(pairs: list[Paths], system: str) -> Iterator[Paths]:
    inside = [PurePosixPath(pair.system.removeprefix(f"{PurePosixPath(system)}/")) for pair in pairs]
    folders = ["-".join(path.parts[:-1]) for path in inside]
    stems = [_SEPARATORS.sub("-", path.name.removesuffix(path.suffix).replace(DOC, "")).strip("-") for path in inside]
    common = {
        part for part, number in Counter(part for stem in stems for part in set(stem.split("-"))).items() if number == len(stems)
    }
    stems = [*("-".join(part for part in stem.split("-") if part not in common) for stem in stems)]
    whole = (
        folders
        if len(set(folders)) == len(pairs)
        else ["-".join(filter(None, parts)) for parts in zip(folders, stems, strict=True)]
    )
    for pair, name, path in zip(pairs, whole, inside, strict=True):
        yield pair._replace(name=name if whole.count(name) == 1 and name else path.name.replace(DOC, "doc"))
