"""Recognises the files of the task: CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.task import POSSIBLE, SURE, Guess
from pytest_nlpeval.tasks.ud.numbering import NONE, parse_id

_FIELDS = 10
_ENTITIES = "# global.Entity"
"""How a line begins that says that a file is there for its coreference."""


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess: both files are CoNLL-U. Files with entities on both sides hardly mean their trees.

    Files that are merely called so are read, too, if nobody else reads them: the reader tells what is wrong with their rows.
    """
    sides = samples.gold, samples.system
    if all(map(_is_conllu, sides)):
        has_entities = all(any(line.startswith(_ENTITIES) for line in sample.lines) for sample in sides)
        yield Guess(POSSIBLE if has_entities else SURE, {}, "rows of ten columns in CoNLL-U")
    elif all(side.suffix == ".conllu" for side in sides):
        yield Guess(POSSIBLE, {}, "both names end in .conllu")


def _is_conllu(sample: Sample) -> bool:
    """Whether all lines but comments and blank ones are rows of ten fields that begin with an ID."""
    rows = [line.split("\t") for line in sample.lines if line.strip() and not line.startswith("#")]
    return bool(rows) and all(len(row) == _FIELDS and parse_id(row[0])[0] != NONE for row in rows)
