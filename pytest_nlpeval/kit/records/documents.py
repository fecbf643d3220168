"""Records of JSON: an object per line, or the elements of lists in a document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import islice
from typing import Any

from pytest_nlpeval.formats.json import Block, Entry, read_json, read_json_blocks, read_json_lines
from pytest_nlpeval.kit.records.conventions import File
from pytest_nlpeval.kit.records.layout import JSON, text_of
from pytest_nlpeval.kit.records.paths import Path
from pytest_nlpeval.light_dataclasses import frozen_dataclass

_BLANKS = " \t\r\n"
_MOST_LISTS, _MOST_LEVELS = 5, 8


@frozen_dataclass(frozen=True, slots=True)
class Spots:
    """Of each record of a document the id, if a key or a bare element says it, and where it stands: `samples[3]`."""

    names: list[str | None] = field(default_factory=list)
    places: list[str] = field(default_factory=list)


def read_items(file: File, spots: Spots) -> Iterator[Block]:
    """Yield the lines and the fields of the records of a file, some at a time; what is none is a problem in the log.

    The records of a document come one at a time, each after its spot is noted.
    """
    data = file.source.data.removeprefix(b"\xef\xbb\xbf")
    is_list = file.format == JSON and data[: 1 << 16].lstrip().startswith(b"[")
    listed = file.conventions.list_field
    if is_list and listed and not file.layout.items and _has_list_per_line(data):
        yield from map(_alone, _of_list_lines(file))
    elif (file.layout.items and file.format == JSON) or is_list:
        if entry := read_json(file.source, file.log, file.conventions.json):
            yield from map(_alone, _of_document(entry.value, data.decode(), file, spots))
    elif file.format == JSON and (lists := _lists_of_one_object(data.strip())):
        message = "is one JSON object, not one on each line; name the list in it: "
        file.add("json", message + " or ".join(f"`items: {path}`" for path in lists), 1)
    else:
        yield from read_json_blocks(file.source, file.log, replace(file.conventions.json, objects=True))  # a record has fields


def _alone(record: Entry) -> Block:
    return Block((record.line,), (record.value,))


def _of_list_lines(file: File) -> Iterator[Entry]:
    """Yield the records of a file that has a list on each line, perhaps an object on some."""
    for line, value in read_json_lines(file.source, file.log, replace(file.conventions.json, objects=False)):
        record = _record(value, file.conventions.list_field)
        if isinstance(record, dict):
            yield Entry(line, record)
        else:
            file.add("json", "expected an object, or a list of objects", line)


def _record(value: Any, list_field: str) -> Any:
    """Return the record that a list is, where the task says what it holds and it has nothing but objects and lists; else the value."""
    is_record = list_field and isinstance(value, list) and all(isinstance(element, dict | list) for element in value)
    return {list_field: value} if is_record else value


def _has_list_per_line(data: bytes) -> bool:
    """Whether a file has several lines, of which the first two are a list each."""
    lines = data.split(b"\n", 2)[:2]
    return len(lines) == 2 and bool(lines[1].strip()) and all(map(_is_list, lines))


def _is_list(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False


def _lists_of_one_object(text: bytes) -> list[str]:
    """Return the paths of the first lists in a text that is one object over several lines, none if it is anything else."""
    first = text.partition(b"\n")[0]
    if first == text or _object(first) or not _object(text):
        return []
    return list(islice(_lists(_object(text)), _MOST_LISTS)) or ["."]


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _lists(document: Any) -> Iterator[str]:
    """Yield the paths of the lists in a document that no other list holds, the shortest first."""
    level: list[tuple[tuple[str, ...], Any]] = [((), document)]
    for _ in range(_MOST_LEVELS):
        yield from (".".join(keys) or "." for keys, value in level if isinstance(value, list))
        level = [((*keys, key), inner) for keys, value in level if isinstance(value, dict) for key, inner in value.items()]


def _of_document(document: Any, text: str, file: File, spots: Spots) -> Iterator[Entry]:
    has_path = False
    for path in file.layout.items or (".",):
        trail: list[str | int] = []
        members = Path.of(path).follow(document, is_list=True, trail=trail)
        if isinstance(members, list | dict):
            has_path = True
            yield from _of_members(members, _lines(text, trail), "" if path == "." else path, file, spots)
    if not has_path:
        lists = ", ".join(f"`{path}`" for path in islice(_lists(document), _MOST_LISTS))
        asked = " or ".join(f"`{path}`" for path in file.layout.items or (".",))
        file.add("items", f"has no list or object at {asked}; the lists in it are: {lists or 'none'}")


def _of_members(
    members: list[Any] | dict[str, Any], lines: Mapping[str | int, int], path: str, file: File, spots: Spots
) -> Iterator[Entry]:
    """Yield the records of a list or object: an object is one, and in a list a text or a whole number is the id of one.

    A list of objects is one, too, where the task says what it holds.
    """
    for key, member in members.items() if isinstance(members, dict) else enumerate(members):
        value = _record(member, file.conventions.list_field)
        if isinstance(members, list) and type(value) not in {dict, str, int}:
            message = "is neither an object nor an id; expected objects, texts or whole numbers"
            file.add("items", message, lines[key], f"{path}[{key}]")
            continue
        has_fields = isinstance(value, dict)
        spots.names.append(str(key) if isinstance(members, dict) else None if has_fields else text_of(value))
        spots.places.append(f"{path}[{key}]")
        yield Entry(lines[key], value if has_fields else {"value": value} if isinstance(members, dict) else {})


def _lines(text: str, trail: list[str | int]) -> dict[str | int, int]:
    """Return the line of each member of the list or object that keys and places lead to; of a key that stands twice, the first."""
    start = len(text) - len(text.lstrip(_BLANKS))
    for step in trail:
        start = next(offset for key, offset in _members(text, start) if key == step)
    lines: dict[str | int, int] = {}
    line, counted = 1, 0
    for key, offset in _members(text, start):
        line, counted = line + text.count("\n", counted, offset), offset
        lines.setdefault(key, line)
    return lines


_end_of = json.JSONDecoder().raw_decode


def _members(text: str, start: int) -> Iterator[tuple[str | int, int]]:
    """Yield the key or place of each member of the list or object that begins at an offset of valid JSON, and the member's offset."""
    at = _past_blanks(text, start + 1)
    place = 0
    while text[at] not in "]}":
        key: str | int = place
        if text[start] == "{":
            key, at = _end_of(text, at)
            at = _past_blanks(text, _past_blanks(text, at) + 1)
        yield key, at
        at = _past_blanks(text, _end_of(text, at)[1])
        at = _past_blanks(text, at + 1) if text[at] == "," else at
        place += 1


def _past_blanks(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at
