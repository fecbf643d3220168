"""Content that is given in memory instead of a file: text and bytes as they are, Python objects as JSON or as lines."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, TypeAlias, TypeGuard

from pytest_nlpeval.light_dataclasses import light_dataclass

Given: TypeAlias = Any
"""What a role may be given as: a path (text without a line break, or a path object), or content as `content_of` takes it."""

ABSENT = "is not given"


class ContentError(ValueError):
    """Content of a kind that no file could hold; the message says what was expected."""


@light_dataclass(frozen=True, slots=True)
class Content:
    """What a file would hold: its bytes, and the `format` that Python objects were written in, "" for text and bytes as they came.

    `jsonl` has an object per line, and line k + 1 is element k of the list that was given; so it is in `lines`. Without `data` there is
    nothing: a document lacks this role.
    """

    data: bytes | None
    format: Literal["", "lines", "jsonl", "json"] = ""

    @property
    def is_list(self) -> bool:
        """Whether each line is an element of a list."""
        return self.format in ("lines", "jsonl")


def is_path(given: Given) -> TypeGuard[str | os.PathLike[str]]:
    r"""Whether a value names files: a path object, or text without a line break; empty text is the content of an empty file.

    >>> is_path("gold/{doc}.tsv"), is_path("1 TRUE\n"), is_path(b"1 TRUE"), is_path("")
    (True, False, False, False)
    """
    return isinstance(given, os.PathLike) or (isinstance(given, str) and given != "" and "\n" not in given)


def has_documents(given: object) -> bool:
    r"""Whether gold that is given is one content for each document, by name: a mapping to bytes, or to text with line breaks.

    Any other mapping is one JSON document.

    >>> has_documents({"d1": "1 TRUE\n"}), has_documents({"version": "2.0", "data": []}), has_documents({})
    (True, False, False)
    """
    return isinstance(given, Mapping) and bool(given) and all(_is_text(value) for value in given.values())


def _is_text(value: object) -> bool:
    return isinstance(value, (bytes, bytearray)) or (isinstance(value, str) and "\n" in value)


def content_of(given: Given) -> Content:
    r"""Return content: text, bytes, a list of dicts (records), a list of texts or numbers (lines), a dict (a JSON document).

    What has `to_dict("records")`, such as a data frame, is a list of dicts, in which NaN counts as absent; what has `tolist()`, such as an
    array, is a list.

    >>> content_of([{"id": 1, "label": "a"}, {"id": 2, "label": "b"}])
    Content(data=b'{"id": 1, "label": "a"}\n{"id": 2, "label": "b"}\n', format='jsonl')
    >>> content_of(["a", True, 0.5]).data
    b'a\ntrue\n0.5\n'

    Raises:
        ContentError: if it is anything else, or holds what neither JSON nor a line can say.
    """
    if isinstance(given, str):
        return Content(given.encode("utf-8", "surrogatepass"))
    if isinstance(given, (bytes, bytearray, memoryview)):
        return Content(bytes(given))
    if isinstance(given, Mapping):
        return Content(_json(given, "").encode(), "json")
    if hasattr(given, "tolist"):
        given = given.tolist()
    elif hasattr(given, "to_dict"):
        given = _records_of(given)
    if isinstance(given, (AbstractSet, str)) or not isinstance(given, Iterable):
        raise ContentError(
            f"expected a path, text, bytes, a list of dicts, texts or numbers, a dict, or a data frame, got {_kind(given)}"
        )
    return _of_list(list(given))


def _of_list(elements: Sequence[Any]) -> Content:
    if all(isinstance(element, Mapping) for element in elements):
        return Content("".join(f"{_json(element, f'[{rank}]')}\n" for rank, element in enumerate(elements)).encode(), "jsonl")
    lines = [_line(element, rank) for rank, element in enumerate(elements)]
    return Content("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"), "lines")


def _line(element: object, rank: int) -> str:
    value = _plain(element)
    if isinstance(value, str) and not set(value) & {"\n", "\r"}:
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    what = "text with a line break" if isinstance(value, str) else _kind(value)
    raise ContentError(f"[{rank}]: expected dicts alone, or texts of one line and numbers alone, got {what}")


def _records_of(frame: Any) -> list[Any]:
    """Return the rows of what has `to_dict("records")`; what is missing in a row is None."""
    try:
        rows = list(frame.to_dict("records"))
        return [{key: None if _is_missing(value) else value for key, value in row.items()} for row in rows]
    except (TypeError, ValueError, AttributeError):
        raise ContentError(
            f'expected that to_dict("records") gives a list of dicts, but that of {_kind(frame)} does not'
        ) from None


def _is_missing(value: object) -> bool:
    return (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in ("NAType", "NaTType")


def _json(value: object, place: str) -> str:
    try:
        return json.dumps(value, default=_plain_for_json)
    except (TypeError, ValueError, RecursionError) as error:
        raise ContentError(
            f"{place}: cannot be written as JSON: {error}" if place else f"cannot be written as JSON: {error}"
        ) from None


def _plain_for_json(value: object) -> object:
    plain = _plain(value)
    if plain is value:
        raise TypeError(f"{_kind(value)} is none of its types")
    return plain


def _plain(value: Any) -> Any:
    """Return a number or list for one of an array library, and a list for a set or a tuple; anything else as it is."""
    if isinstance(value, AbstractSet):
        return sorted(value, key=str)
    if isinstance(value, Mapping) and not isinstance(value, dict):
        return dict(value)
    return value.tolist() if hasattr(value, "tolist") else value


def _kind(value: object) -> str:
    return "nothing" if value is None else f"an object of the type {type(value).__name__}"
