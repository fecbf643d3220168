"""What the records of a JSON file say: an id, a text, and its spans, or tokens with their tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pytest_nlpeval.kit.records import File, Ids, Layout, distinct_ids, read_ids
from pytest_nlpeval.kit.records import Records as Table
from pytest_nlpeval.kit.records import read_records as read_table
from pytest_nlpeval.kit.records.layout import JSON
from pytest_nlpeval.tasks.spans.items import Item, ItemReader
from pytest_nlpeval.tasks.spans.options import Shape
from pytest_nlpeval.tasks.spans.schemes import lenient
from pytest_nlpeval.tasks.spans.tags import Meanings, say_no_tag
from pytest_nlpeval.tasks.spans.tokens import TOKEN_SPANS, TOKENS, Place, fault_of_triple, places_of


class Record(NamedTuple):
    """What a record says: its id and text, None where it has none, its spans, and the value of its group, if an option asks."""

    line: int
    name: str | None
    text: str | None
    items: list[Item]
    group: object = None


def read_json_records(
    file: File, shape: Shape, *, is_gold: bool, group: str | None = None
) -> tuple[list[Record], Ids, int] | None:
    """Return the records of a file, their ids, and how many records `where` left out; None if they cannot be read.

    What is wrong with a record by itself is in the log then. Without the option `id` records may have ids or none. The text of a record
    with tokens and tags are the tokens with blanks between.
    """
    lists = [*(path for part in ("spans", "tokens", "tags") for path in shape.paths(part)), TOKENS, TOKEN_SPANS]
    fields = [*shape.paths("text"), *lists, "answer", "id"]
    needed = [] if group is None else [group]
    table = read_table(file, [*fields, *needed], lists=lists, needed=needed)
    if table is None:
        return None
    has_id_option = shape.layout != Layout(JSON, items=shape.layout.items, where=shape.layout.where)
    ids = read_ids(table, file) if has_id_option or any(table.names) else distinct_ids(_names(table, file), table.lines, file)
    reader = _RecordReader(table, fields, shape, file)
    tagged = reader.tagged_rows() | reader.rows_with_spans_by_tokens()
    records = [reader.record(row, ids.names[row], tagged.get(row), is_gold=is_gold) for row in range(len(table))]
    if group is not None:
        records = [record._replace(group=cell) for record, cell in zip(records, table.cells(group), strict=True)]
    return records, ids, table.left_out


def _names(table: Table, file: File) -> list[str | None]:
    """Return the ids of records, of which none needs one."""
    names: list[str | None] = []
    for row, cell in enumerate(table.cells("id")):
        is_id = isinstance(cell, str | int) and not isinstance(cell, bool)
        if not is_id and cell is not None:
            file.add("record", "the id is neither a string nor a whole number", table.lines[row], _where(table, row, "id"))
        names.append(str(cell) if is_id else None)
    return names


def _where(table: Table, row: int, name: str) -> str:
    return f"{table.place(row)}.{name}" if table.place(row) else name


class _RecordReader:
    """Reads the records of a table one by one."""

    def __init__(self, table: Table, fields: Sequence[str], shape: Shape, file: File) -> None:
        self._table, self._shape, self._file = table, shape, file
        self._columns = {field: table.cells(field) for field in fields}
        self._items = ItemReader(shape, file.log)
        self._faulty_rows: set[int] = set()  # their tags are told to be wrong

    def record(self, row: int, name: str | None, tagged: tuple[str, list[Item]] | None, *, is_gold: bool) -> Record:
        """Return what a record says, given its id, and its text and spans if it has tokens with tags."""
        line = self._table.lines[row]
        answer = self._columns["answer"][row]
        if answer in ("reject", "ignore"):
            self._add("answer", f'has "answer": "{answer}"; leave the record out, or accept it', row)
        if row in self._faulty_rows:
            tagged = "", []
        text = self._text(row, is_needed=is_gold and tagged is None)
        if tagged is None:
            return Record(line, name, text, list(self._spans(row)))
        return Record(line, name, tagged[0] if text is None else text, tagged[1])

    def tagged_rows(self) -> dict[int, tuple[str, list[Item]]]:
        """Return the text and the spans of each record that has no list of spans, but tokens and as many tags."""
        rows = [row for row in range(len(self._table)) if not self._lists("spans", row) and self._has_tags(row)]
        if not rows:
            return {}
        tokens, tags = ({row: self._lists(part, row)[0][1] for row in rows} for part in ("tokens", "tags"))
        codes: dict[str, int] = {}
        of_tokens = [codes.setdefault(tag, len(codes)) for row in rows for tag in tags[row]]
        sizes = np.array([len(tags[row]) for row in rows], np.int64)
        first = np.cumsum(sizes) - sizes
        meanings = Meanings.of(list(codes))
        self._log_bad_tags(rows, tags, {tag for tag, is_bad in zip(codes, meanings.bad.tolist(), strict=True) if is_bad})
        marks = meanings.marks(np.array(of_tokens, np.int64), first[sizes > 0])
        starts, ends, labels = (part.tolist() for part in lenient(marks).spans(marks))
        of_rows = (np.searchsorted(first, starts, side="right") - 1).tolist()
        tagged: dict[int, tuple[str, list[Item]]] = {row: (" ".join(tokens[row]), []) for row in rows}
        places = {row: self._places(tokens[row], row) for row in rows}
        for start, end, label, rank in zip(starts, ends, labels, of_rows, strict=True):
            row, offset = rows[rank], int(first[rank])
            place = places[row][start - offset][0], places[row][end - offset - 1][1]
            tagged[row][1].append(Item(*place, meanings.labels[label], None, _where(self._table, row, f"tags[{start - offset}]")))
        return tagged

    def rows_with_spans_by_tokens(self) -> dict[int, tuple[str, list[Item]]]:
        """Return the text and the spans of each record that has no list of spans, but GLiNER's tokens and spans by these."""
        columns = self._columns[TOKENS], self._columns[TOKEN_SPANS]
        rows: dict[int, tuple[str, list[Item]]] = {}
        for row, (tokens, triples) in enumerate(zip(*columns, strict=True)):
            if _are_texts(tokens) and isinstance(triples, list) and not self._lists("spans", row):
                rows[row] = " ".join(tokens), list(self._items_of_triples(triples, self._places(tokens, row), row))
        return rows

    def _items_of_triples(self, triples: Sequence[Any], places: Sequence[Place], row: int) -> Iterator[Item]:
        for rank, triple in enumerate(triples):
            name = f"{TOKEN_SPANS}[{rank}]"
            if fault := fault_of_triple(triple, len(places)):
                self._add("record", fault, row, name)
            else:
                first, last, label = triple
                yield Item(places[first][0], places[last][1], label, None, _where(self._table, row, name))

    def _places(self, tokens: Sequence[str], row: int) -> list[Place]:
        """Return where the tokens of a record begin and end in its text; if that has others, this is a problem."""
        text = self._written_text(row)
        places = places_of(tokens, text if isinstance(text, str) else None)
        if places is None:
            self._add(
                "record", "the tokens do not make up the text; leave the text out, or write that of the tokens", row, "text"
            )
        return places_of(tokens, None) or [] if places is None else places

    def _has_tags(self, row: int) -> bool:
        """Whether a record has tokens and as many tags; what is wrong with them is in the log."""
        tokens, tags = self._lists("tokens", row), self._lists("tags", row)
        if not tokens or not tags or not _are_texts(tokens[0][1]):
            return False
        fault = _fault_of_tags(tokens[0][1], *tags[0])
        if fault:
            self._add("record", fault, row)
            self._faulty_rows.add(row)
        return not fault

    def _log_bad_tags(self, rows: Sequence[int], tags: dict[int, list[str]], bad: set[str]) -> None:
        for row in rows if bad else ():
            for place, tag in enumerate(tags[row]):
                if tag in bad:
                    self._add("tag", say_no_tag(tag), row, f"tags[{place}]")

    def _text(self, row: int, *, is_needed: bool) -> str | None:
        text = self._written_text(row)
        if isinstance(text, str):
            return text
        if text is not None:
            self._add("record", "the text is no string", row, "text")
        elif is_needed:
            self._add("record", f'has no "{self._shape.paths("text")[0]}"; gold has the text of each record', row)
        return None

    def _written_text(self, row: int) -> Any:
        paths = self._shape.paths("text")
        return next((cell for path in paths if (cell := self._columns[path][row]) is not None), None)

    def _spans(self, row: int) -> Iterator[Item]:
        lists = self._lists("spans", row)
        if not lists:
            names = ", ".join(self._shape.paths("spans"))
            self._add("no-list", f'has no list of spans; write "spans": [] for none (known are {names})', row)
        elif len(lists) > 1:
            self._add("record", f"has several lists of spans: {' and '.join(path for path, _ in lists)}; keep one", row)
        else:
            path, items = lists[0]
            yield from self._items.read(items, _where(self._table, row, path), self._table.lines[row])

    def _lists(self, part: str, row: int) -> list[tuple[str, list[Any]]]:
        """Return the lists that stand at the paths of a part."""
        cells = ((path, self._columns[path][row]) for path in self._shape.paths(part))
        return [(path, cell) for path, cell in cells if isinstance(cell, list)]

    def _add(self, code: str, message: str, row: int, name: str = "") -> None:
        where = _where(self._table, row, name) if name else self._table.place(row)
        self._file.add(code, message, self._table.lines[row], where)


def _are_texts(tokens: Any) -> bool:
    return isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)


def _fault_of_tags(tokens: Sequence[str], name: str, tags: Sequence[Any]) -> str:
    """Say what is wrong with the tags of tokens, and what to do; "" if nothing is."""
    if any(isinstance(tag, int) for tag in tags):
        return f'"{name}" has codes; write tags such as B-PER: features["{name}"].feature.int2str gives them'
    if len(tokens) != len(tags) or not all(isinstance(tag, str) for tag in tags):
        return f"has {len(tokens):,} tokens and {len(tags):,} tags; expected a tag for each token"
    return ""
