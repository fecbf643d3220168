"""Questions and predictions in tables, JSON documents and records with other keys: as objects with the task's own keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import FAULT, Field, File, Ids, listed_in, read_ids, read_records
from pytest_nlpeval.kit.records.layout import CSV, JSON, LINES, TSV
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.qa.options import Shape
from pytest_nlpeval.tasks.qa.records import CONVENTIONS, Node

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Mapped(NamedTuple):
    """The ids of a file's records, the records as objects, and how many records `where` left out."""

    ids: Ids
    nodes: list[Node]
    left_out: int


def is_mapped(source: Source, shape: Shape) -> bool:
    """Whether a file is a table or an array, or an option says how its records are read."""
    is_table = shape.layout.format_of(source) in {TSV, CSV}
    return shape.is_given or is_table or source.data.removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(b"[")


def mapped_records(
    source: Source, shape: Shape, names: tuple[str, ...], log: ProblemLog, keys: tuple[str | None, ...] = ()
) -> Mapped | None:
    """Return a file's records, each with the id and what it has of some names; None with problems in the log.

    `keys` are further fields that options name. The first name is needed; a table has a column for it, and for whatever option names one.
    A text under `answers` is an answer, or a list of answers as Python or JSON writes it: tables have no other lists, and exports of
    lm-evaluation-harness write gold's `target` so. In a table an empty cell says that there is none.
    """
    layout = replace(shape.layout, format=JSON) if shape.layout.format_of(source) == LINES else shape.layout
    file = File(source, layout, CONVENTIONS, log)
    fields: dict[str, Field] = {key: key for key in keys if key is not None}
    fields |= {name: shape.field(name) for name in names if name == names[0] or name in dict(shape.named)}
    records = read_records(file, list(fields.values()), lists=[shape.field("answers")], needed=[fields[names[0]]])
    if records is None:
        return None
    ids = read_ids(records, file)
    columns = [_cells(name, records.cells(field), is_json=records.is_json) for name, field in fields.items()]
    nodes = []
    for row, cells in enumerate(zip(*columns, strict=True)):
        value = {"id": ids.names[row], **{name: cell for name, cell in zip(fields, cells, strict=True) if cell is not None}}
        nodes.append(Node(value, log, records.lines[row], records.place(row)))
    return Mapped(ids, nodes, records.left_out)


def counting_rows(mapped: Mapped) -> Iterator[tuple[str, Node]]:
    """Yield the id and the record of each row that counts: it has an id that no earlier one has."""
    for name, is_first, node in zip(mapped.ids.names, mapped.ids.is_first.tolist(), mapped.nodes, strict=True):
        if is_first and name is not None and FAULT not in node.value.values():
            yield name, node


def _cells(name: str, cells: list[Any], *, is_json: bool) -> list[Any]:
    """Return the cells of a field in the form that JSON Lines with the task's own keys would have."""
    if name != "answers":
        return cells
    return [_answers(cell, is_json=is_json) if isinstance(cell, str) and cell != FAULT else cell for cell in cells]


def _answers(text: str, *, is_json: bool) -> list[str]:
    answers = listed_in(text.strip())
    return answers if answers is not None else [text] if is_json or text.strip() else []
