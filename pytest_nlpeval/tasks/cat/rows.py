"""The rows of the evaluation, and the columns of evidence that each consists of."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.options import Options

Strictness = Literal["strict", "relaxed"]
STRICTNESS: tuple[Strictness, Strictness] = ("strict", "relaxed")
TLINK = "TLINK"
TEMPEVAL = f"{TLINK}.tempeval"


class Counts(NamedTuple):
    """The numbers of a row; they add up over documents.

    `gold` and `system` are what each side has. `gold_matched` of gold's are matched by the system (recall), `system_matched` of the
    system's by gold (precision). `tp` is what is printed as true positives.
    """

    tp: int
    gold: int
    system: int
    gold_matched: int
    system_matched: int

    @classmethod
    def of(cls, tp: int, gold: int, system: int) -> Counts:
        """Return the numbers of a row in which what is matched is the same from either side."""
        return cls(tp, gold, system, tp, tp)

    def columns(self, row: str) -> dict[str, int]:
        """Return the columns of the row of that name."""
        return {f"{row}.{field}": number for field, number in self._asdict().items()}


Part = Literal["markable", "relation"]


class Row(NamedTuple):
    """A row: whether it is about markables or relations, its name, `NAME.strict`, and the attributes that are scored in it."""

    part: Part
    name: str
    attributes: tuple[str, ...] = ()

    @property
    def column(self) -> str:
        """The beginning of the names of its columns in the evidence."""
        return f"{self.part}:{self.name}"

    def columns(self) -> Iterator[tuple[str, str]]:
        """Yield its columns in the evidence, each with its name among the counts."""
        for field in Counts._fields:
            yield f"{self.column}.{field}", f"{self.name}.{field}"
        for attribute in self.attributes:
            yield self.attribute_column(attribute), attribute_name(self.name, attribute)

    def attribute_column(self, attribute: str) -> str:
        """Return the column that counts the pairs that agree on an attribute; no NAME and no attribute has the sign in it."""
        return f"{self.column}@{attribute}"


def attribute_name(row: str, attribute: str) -> str:
    """Return what the pairs of a row that agree on an attribute are called among the counts, and the measure of the attribute."""
    return f"{row}.attribute.{attribute}"


def is_tlink(line: AnnotationType) -> bool:
    """Whether the relations of a line make temporal graphs."""
    return line.name == TLINK and line.kind == "one2one"


def rows_of(configuration: Configuration, options: Options) -> Iterator[Row]:
    """Yield the rows that a configuration asks for: markables, then relations, each in the order of its lines."""
    strictness = STRICTNESS if options.relaxed else STRICTNESS[:1]
    for line in configuration.markables:
        yield from (Row("markable", f"{line.name}.{row}", line.attributes) for row in strictness)
    relations = configuration.one2one if options.profile == "nwr2014" else configuration.relations
    for line in relations:
        if is_tlink(line):
            yield Row("relation", TEMPEVAL)
        yield from (Row("relation", f"{line.name}.{row}") for row in strictness)


def rows_in(columns: Collection[str]) -> Iterator[Row]:
    """Yield the rows that these columns of evidence belong to, in their order."""
    attributes: dict[str, list[str]] = {}
    for column in columns:
        row, sign, attribute = column.partition("@")
        attributes_of_row = attributes.setdefault(row.rpartition(".")[0] if not sign else row, [])
        attributes_of_row += [attribute] if sign else ()
    for row, names in attributes.items():
        part, _, name = row.partition(":")
        if f"{row}.tp" in columns:
            yield Row("markable" if part == "markable" else "relation", name, tuple(names))


CONFIG = "config:"


def config_column(configuration: Configuration) -> str:
    """Return the name of a configuration's column: the same for the same lines in any order."""
    return CONFIG + configuration.digest
