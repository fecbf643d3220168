"""How the files of a system come to be: the command of `produce` in a configuration, made ready for each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_nlpeval.patterns import DOC, Pattern

INPUT, OUTPUT = "{input}", "{output}"

NOT_PRODUCED = "; the suite's command writes it with `nlpeval run --produce`, or with pytest's `--nlpeval-produce`"
"""What is said of a system's file that does not exist, and that a command was not asked to make."""

TIMEOUT = 600.0
"""How many seconds a command may take unless the configuration says otherwise."""


@dataclass(frozen=True, slots=True)
class Making:
    """That systems' files are to be made in a `run`, by its name; with `keeps`, but for what an earlier run made and is up to date."""

    run: str
    keeps: bool = True


@dataclass(frozen=True, slots=True)
class Production:
    """A command that writes the file of a document, or those of all documents at once.

    It runs without a shell in `folder`. Each argument has `{output}` where the path of the file to write goes, "" as `output` if the
    command knows its files itself. `inputs` are the files, and `depends` the patterns of files below `folder`, on whose bytes the output
    depends. `making` says of which run it is.
    """

    command: tuple[str, ...]
    folder: Path
    output: str
    inputs: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    timeout: float = TIMEOUT
    making: Making = Making("")


def is_by_document(fields: Mapping[str, Any], system: Pattern) -> bool:
    """Whether a command runs for each document: the system has a file for each, and some argument names the document or its files."""
    return system.has_doc and any(sign in word for word in fields["command"] for sign in (INPUT, OUTPUT, DOC))


def mistakes(fields: Mapping[str, Any], system: Pattern) -> Iterator[tuple[str, str]]:
    """Yield the key and what is wrong with it, of an entry `produce` that follows the schema."""
    words, given = fields["command"], fields.get("input")
    by_document = is_by_document(fields, system)
    if given is None and any(INPUT in word for word in words):
        yield "command", f"has {INPUT}, but there is no `input`; say which file that is"
    if given is not None and DOC in given and not by_document:
        yield (
            "input",
            f"has {DOC}, but the command runs once for all documents; write {INPUT} or {DOC} in the command, or name one file",
        )
    if not by_document and any(DOC in word for word in words):
        yield "command", f"has {DOC}, but the system has one file; leave {DOC} out, or write it in `system`"


def production_of(fields: Mapping[str, Any], system: Pattern, document: str, making: Making) -> Production:
    """Return the command of a document, by an entry `produce` without mistakes; all documents of a command that runs once have the same."""
    by_document = is_by_document(fields, system)
    source = Pattern(system.folder, fields["input"]) if "input" in fields else None
    path = source.path(document if by_document else "") if source else ""
    words = [word.replace(INPUT, path) for word in fields["command"]]
    words = [word.replace(DOC, document) for word in words] if by_document else words
    is_named = any(OUTPUT in word for word in words)
    return Production(
        tuple(words),
        system.folder,
        system.path(document) if by_document or is_named or not system.has_doc else "",
        (path,) if path else (),
        tuple(fields.get("depends", ())),
        float(fields.get("timeout", TIMEOUT)),
        making,
    )
