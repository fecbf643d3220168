"""How the files of a system come to be: the command of `produce` in a configuration, made ready for each document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.wording import nearest

INPUT, OUTPUT = "{input}", "{output}"
_SIGN = re.compile(r"\{\{\w+\}\}|\$?\{\w+\}")
"""What may be a placeholder of a command. `{{name}}` stands for `{name}` itself; `${name}` is a shell's, unless it names one of ours."""

NOT_PRODUCED = "; the suite's command writes it with `nlpeval run --produce`, or with pytest's `--nlpeval-produce`"
"""What is said of a system's file that does not exist, and that a command was not asked to make."""

TIMEOUT = 600.0
"""How many seconds a command may take unless the configuration says otherwise."""


@light_dataclass(frozen=True, slots=True)
class Making:
    """That systems' files are to be made in a `run`, by its name; with `keeps`, but for what an earlier run made and is up to date."""

    run: str
    keeps: bool = True


@light_dataclass(frozen=True, slots=True)
class Production:
    """A command that writes the file of a document, or those of all documents at once.

    It runs without a shell in `folder`. Each argument has `{output}` where the path of the file to write goes, and `{{name}}` for `{name}`;
    `output` is "" if the command knows its files itself. `inputs` are the files, and `depends` the patterns of files below `folder`, on
    whose bytes the output depends. `making` says of which run it is.
    """

    command: tuple[str, ...]
    folder: Path
    output: str
    inputs: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    timeout: float = TIMEOUT
    making: Making = Making("")

    @property
    def is_named(self) -> bool:
        """Whether the command is told where to write."""
        return OUTPUT in _placeholders(self.command)

    def words(self, path: str) -> list[str]:
        """Return the program and its arguments, where the command is to write to a path."""
        return [_SIGN.sub(lambda sign: _literal_or(sign.group(), {OUTPUT: path}), word) for word in self.command]


def _placeholders(words: Iterable[str]) -> list[str]:
    """Return the placeholders in words, one of a name that is not known among them."""
    signs = [sign for word in words for sign in _SIGN.findall(word) if not sign.startswith("{{")]
    return [sign.removeprefix("$") for sign in signs if sign[0] == "{" or sign[1:] in (INPUT, OUTPUT, DOC)]


def _literal_or(sign: str, values: Mapping[str, str]) -> str:
    """Return what stands for a sign in the end."""
    if sign.startswith("{{"):
        return sign[1:-1]
    name = sign.removeprefix("$")
    return sign.replace(name, values.get(name, name))


def _with(word: str, values: Mapping[str, str]) -> str:
    """Return a word with values in place of placeholders; braces in a value are none."""

    def filled(sign: re.Match[str]) -> str:
        name = sign.group().removeprefix("$")
        return sign.group().replace(name, re.sub(r"\{\w+\}", r"{\g<0>}", values[name])) if name in values else sign.group()

    return _SIGN.sub(filled, word)


def is_by_document(fields: Mapping[str, Any], system: Pattern) -> bool:
    """Whether a command runs for each document: the system has a file for each, and some argument names the document or its files."""
    return system.has_doc and not {INPUT, OUTPUT, DOC}.isdisjoint(_placeholders(fields["command"]))


def mistakes(fields: Mapping[str, Any], system: Pattern) -> Iterator[tuple[str, str]]:
    """Yield the key and what is wrong with it, of an entry `produce` that follows the schema."""
    signs, given = _placeholders(fields["command"]), fields.get("input")
    by_document = is_by_document(fields, system)
    for sign in dict.fromkeys(signs):
        if sign not in (INPUT, OUTPUT, DOC):
            hint = nearest(sign[1:-1], [name[1:-1] for name in (INPUT, OUTPUT, DOC)])
            yield "command", f"unknown placeholder {sign}; {hint}; write {{{sign}}} if the command is to get {sign} itself"
    if given is not None and (unknown := Pattern(system.folder, given).unknown_placeholders):
        yield "input", f"unknown placeholder {unknown[0]}; the only one is {DOC}"
    if given is None and INPUT in signs:
        yield "command", f"has {INPUT}, but there is no `input`; say which file that is"
    if given is not None and DOC in given and not by_document:
        yield (
            "input",
            f"has {DOC}, but the command runs once for all documents; write {INPUT} or {DOC} in the command, or name one file",
        )
    if not by_document and DOC in signs:
        yield "command", f"has {DOC}, but the system has one file; leave {DOC} out, or write it in `system`"


def production_of(fields: Mapping[str, Any], system: Pattern, document: str, making: Making) -> Production:
    """Return the command of a document, by an entry `produce` without mistakes; all documents of a command that runs once have the same."""
    by_document = is_by_document(fields, system)
    source = Pattern(system.folder, fields["input"]) if "input" in fields else None
    path = source.path(document if by_document else "") if source else ""
    values = {INPUT: path, DOC: document} if by_document else {INPUT: path}
    is_named = OUTPUT in _placeholders(fields["command"])
    return Production(
        tuple(_with(word, values) for word in fields["command"]),
        system.folder,
        system.path(document) if by_document or is_named or not system.has_doc else "",
        (path,) if path else (),
        tuple(fields.get("depends", ())),
        float(fields.get("timeout", TIMEOUT)),
        making,
    )
