"""What a CAT XML file holds: tokens, markables over them, relations between markables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a document, in the order of the file, as columns of equal length; `ranks` are their ranks, from 0, by id.

    `written` is the part of the file that holds them if every file with that part has the same tokens, otherwise empty.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    sentences: tuple[int, ...]
    written: bytes = field(default=b"", compare=False, repr=False)
    ranks: Mapping[str, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Look up once for all files with these tokens."""
        object.__setattr__(self, "ranks", dict(zip(self.ids, range(len(self.ids)), strict=True)))


_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


def sentence_numbers(written: Iterable[str]) -> dict[str, int]:
    """Return the numbers of sentences by how they are written, of those that are integers."""
    return {text: int(text) for text in set(written) if _INTEGER.fullmatch(text)}


class Markable(NamedTuple):
    """One annotated span of tokens, or an empty markable: a document creation time, an instance.

    `name` is the annotation tag. `tokens` are ranks into `Tokens`, from 0, in the order of the file's anchors. `attributes` are
    as the file writes them, the id left out; none where the configuration scores no attributes of that name. `line` is the
    file's, from 1; None where libxml2 does not know it.
    """

    id: str
    name: str
    tokens: tuple[int, ...]
    attributes: Mapping[str, str]
    line: int | None


class Relation(NamedTuple):
    """One relation between markables; `sources` and `targets` are their ids, in the order of the file."""

    id: str
    name: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    attributes: Mapping[str, str]
    line: int | None


@light_dataclass(frozen=True, slots=True)
class Document:
    """One file; markables by id and relations, both in document order, which is the order of elements in the file."""

    tokens: Tokens
    markables: Mapping[str, Markable]
    relations: tuple[Relation, ...]


def value_of(attributes: Mapping[str, str], name: str) -> str:
    """Return an attribute's value, ignoring the case of names; "" if there is none.

    Of several names that differ only in case, the one that is written like `name` counts, otherwise the first.

    >>> value_of({"Class": "X", "class": "Y"}, "class"), value_of({"Class": "X"}, "class")
    ('Y', 'X')
    """
    exact = attributes.get(name)
    if exact is not None:
        return exact
    lower = name.lower()
    return next((value for written, value in attributes.items() if written.lower() == lower), "")


def agree(ours: Markable, theirs: Markable, attribute: str) -> bool:
    """Whether two markables have the same value of an attribute, ignoring case."""
    if ours.attributes == theirs.attributes:  # as those of most pairs are
        return True
    return value_of(ours.attributes, attribute).casefold() == value_of(theirs.attributes, attribute).casefold()
