"""The option `group` by document, which every task has: a mapping, or a file of one, from the names of documents to groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from pytest_nlpeval.config.suite import File
from pytest_nlpeval.files import json_schema, label
from pytest_nlpeval.light_dataclasses import light_dataclass

OPTION, KEY = "group", "documents"
"""The option, and the key of its mapping that makes it one by document: `group: {documents: groups.tsv}`."""


@light_dataclass(frozen=True, slots=True)
class DocumentGroups:
    """The group of each document: a `file` that tells it, or what is `given` by document."""

    file: File | None = None
    given: Mapping[str, Any] = field(default_factory=dict)


def by_document(options: Mapping[str, Any]) -> str | Mapping[str, Any] | None:
    """Return the path or the mapping that options give for groups of documents; None if they give none."""
    group = options.get(OPTION)
    told = group.get(KEY) if isinstance(group, Mapping) else None
    return told if isinstance(told, (str, Mapping)) else None


def document_groups(options: Mapping[str, Any], folder: Path, root: Path) -> DocumentGroups | None:
    """Return the groups of documents that options give, None if they give none; a path is relative to `folder`."""
    told = by_document(options)
    if isinstance(told, str):
        return DocumentGroups(File(str(folder / told), label(folder / told, root)))
    return None if told is None else DocumentGroups(given=told)


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the task itself reads: all but groups of documents.

    >>> own_options({"group": {"documents": "groups.tsv"}, "profile": "standard"}), own_options({"group": "genre"})
    ({'profile': 'standard'}, {'group': 'genre'})
    """
    return {name: value for name, value in options.items() if name != OPTION or by_document(options) is None}


def schema_with_groups(schema: Mapping[str, Any], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a task's options with the option `group` by document: beside the task's own `group`, if it has one."""
    own = schema.get("properties", {})
    if OPTION in own and not isinstance(options.get(OPTION), Mapping):
        return schema
    definitions = json_schema("nlpeval.schema.json")["$defs"]
    return {**schema, "properties": {**own, OPTION: definitions["documentGroups"]}}
