"""Looks for files of gold and of systems in a folder, by their usual names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pytest_nlpeval.config.finding import is_left_out

MOST_LEVELS = 4

GOLD_NAMES = frozenset(
    (
        "gold",
        "golds",
        "golden",
        "key",
        "keys",
        "reference",
        "references",
        "ref",
        "refs",
        "truth",
        "true",
        "groundtruth",
        "targets",
        "annotated",
        "annotations",
        "expected",
    )
)
"""How files of gold, and their folders, are usually called."""

_SYSTEM = frozenset(
    (
        "system",
        "systems",
        "output",
        "outputs",
        "out",
        "pred",
        "preds",
        "prediction",
        "predictions",
        "predicted",
        "generated",
        "run",
        "runs",
        "hyp",
        "hyps",
        "hypothesis",
        "hypotheses",
        "result",
        "results",
        "submission",
        "submissions",
    )
)


def likely_pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the paths, relative to `folder`, of what is called like gold and what is called like a system's output in the same folder.

    Each is a folder, or both are files whose names are alike besides, numbers included: `{doc}.gold.tsv` and `{doc}.pred.tsv`. Folders that
    are found are not searched.
    """
    for top, folders, files in os.walk(folder):
        inside = PurePosixPath(os.path.relpath(top, folder).replace(os.sep, "/"))
        folders[:] = sorted(name for name in folders if not is_left_out(top, name)) if len(inside.parts) < MOST_LEVELS else []
        golds, systems = ([name for name in folders if _words(name) & words] for words in (GOLD_NAMES, _SYSTEM))
        if golds and systems:
            yield from ((str(inside / gold), str(inside / system)) for gold in golds for system in systems if gold != system)
            folders[:] = [name for name in folders if name not in golds and name not in systems]
        yield from ((str(inside / gold), str(inside / system)) for gold, system in _files(sorted(files)))


def are_exchanged(gold: str, system: str) -> bool:
    """Whether the path of gold is called like a system's, and the system's like gold.

    >>> are_exchanged("predictions/dev.tsv", "gold/dev.tsv"), are_exchanged("gold/dev.tsv", "predictions/dev.tsv")
    (True, False)
    """
    mine, theirs = (frozenset[str]().union(*map(_words, PurePosixPath(path).parts)) for path in (gold, system))
    return bool(mine & _SYSTEM and theirs & GOLD_NAMES) and not (mine & GOLD_NAMES or theirs & _SYSTEM)


def _files(names: list[str]) -> Iterator[tuple[str, str]]:
    by_words: dict[frozenset[str], list[str]] = {}
    for name in names:
        if _words(name) & GOLD_NAMES:
            by_words.setdefault(_words(name) - GOLD_NAMES, []).append(name)
    for words, golds in by_words.items():
        systems = [name for name in names if _words(name) & _SYSTEM and words <= _words(name)]
        yield from ((gold, system) for gold, alike in _by_number(golds, systems) for system in alike if system != gold)


def _by_number(golds: list[str], systems: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each gold file with its systems, whose names are alike but for numbers.

    Numbers tell only several gold files apart, and only if a system has those of one: `2.gold.tsv` does not go with `1.pred.tsv`, and
    `gold-2024.tsv` goes with `run-1.tsv` and `run-2.tsv`. A system without numbers goes with the gold files that no other one has the
    numbers of.
    """
    of_each = [[name for name in systems if name != gold and _numbers(gold) <= _numbers(name)] for gold in golds]
    do_numbers_tell = len(golds) > 1 and any(of_each)
    without = [name for name in systems if not _numbers(name)]
    for gold, same in zip(golds, of_each, strict=True):
        yield gold, (same or without) if do_numbers_tell else systems


def _numbers(name: str) -> frozenset[str]:
    """Return the numbers in a name, its ending left out."""
    return frozenset(re.findall(r"\d+", PurePosixPath(name).stem))


def _words(name: str) -> frozenset[str]:
    """Return the words of a name, its ending left out, in lower case."""
    return frozenset(re.split(r"[^a-z]+", PurePosixPath(name).stem.lower())) - {""}
