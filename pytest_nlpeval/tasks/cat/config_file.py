"""Reads the scorer's tab-separated configuration, and finds the one that applies."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import cast

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.cat.configuration import SPECIFICITIES, AnnotationType, Configuration, LineKind, Specificity
from pytest_nlpeval.tasks.cat.options import Options
from pytest_nlpeval.wording import nearest, quoted

FIELDS = "NAME, type, specificity and attributes, separated by tabs"

_NAME = re.compile(r"[^\W\d][\w.\-\u00b7]*")
_MARKABLE_AND_INSTANCE = {"markable", "instance"}


def read_config(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Configuration | None:
    """Return the lines of a configuration file, or None with all problems in the log.

    A line is `NAME type specificity attribute…`, separated by tabs; lines that begin with `#`, blank lines and
    empty fields after the specificity are ignored.
    """
    text = read_text(source, log)
    if text is None:
        return None
    lines = [(number, line) for number, line in enumerate(lines_of(text), 1) if line.strip() and not line.startswith("#")]
    types = [line_type for number, line in lines if (line_type := _Line(line, number, log).read(options)) is not None]
    _check_names(types, log)
    if not lines:
        log.add("cat.config", f"names no annotation; expected lines of {FIELDS}")
    if options.annotations is not None:
        log.add("cat.config", "is a second configuration besides `options.annotations`; give one of the two")
    _check_instances(types, options, log)
    return None if log.has_errors else Configuration(tuple(types))


def configuration_of(documents: Documents, options: Options) -> Configuration | None:
    """Return the configuration that applies: the file's or the options'; None if there is none."""
    of_file: Configuration | None = documents.get("config")
    return Configuration(options.annotations) if of_file is None and options.annotations is not None else of_file


def check_annotations(options: Options, log: ProblemLog) -> None:
    """Log what is wrong with `options.annotations` that its schema cannot tell."""
    types = options.annotations or ()
    _check_names(types, log)
    for rank, annotation in enumerate(types):
        for attribute in _repeated(annotation.attributes, options):
            message = f"the attribute {quoted(attribute)} appears twice; attributes are unique"
            log.add("cat.config", message, where=f"options.annotations.{rank}")
    _check_instances(types, options, log)


class _Line:
    """A line of a configuration file, by the tab-separated fields."""

    def __init__(self, text: str, number: int, log: ProblemLog) -> None:
        self.fields = text.split("\t")
        self.number = number
        self.log = log

    def field(self, rank: int) -> str:
        """Return a field without the space around it, "" if there is none."""
        return self.fields[rank].strip() if rank < len(self.fields) else ""

    def add(self, rank: int, message: str) -> None:
        """Log what is wrong with a field, at its column."""
        column = sum(len(field) + 1 for field in self.fields[:rank]) + 1 if rank < len(self.fields) else None
        self.log.add("cat.config", message, self.number, column)

    def read(self, options: Options) -> AnnotationType | None:
        """Return what the line says, or None with its problems in the log."""
        if len([field for field in self.fields if field.strip()]) == 1:
            self.log.add("cat.config", f"has one field; expected {FIELDS}: {quoted(self.field(0))}", self.number)
            return None
        before = self.log.count("cat.config")
        self._check_name(0, "a NAME")
        kind, specificity = self.field(1), self.field(2)
        allowed = SPECIFICITIES.get(kind, ())
        if not allowed:
            self.add(1, f"{_shown(kind)} is not a type; {_expected(kind, SPECIFICITIES)}")
        elif specificity not in allowed:
            self.add(2, f"{_shown(specificity)} is not a specificity for {kind}; {_expected(specificity, allowed)}")
        attributes = self._attributes(options)
        if self.log.count("cat.config") > before:
            return None
        return AnnotationType(self.field(0), cast(LineKind, kind), cast(Specificity, specificity), attributes, self.number)

    def _attributes(self, options: Options) -> tuple[str, ...]:
        ranks = [rank for rank in range(3, len(self.fields)) if self.field(rank)]
        for rank in ranks:
            self._check_name(rank, "an attribute")
        names = tuple(self.field(rank) for rank in ranks)
        for name in _repeated(names, options):
            last = max(rank for rank in ranks if self.field(rank) == name)
            self.add(last, f"the attribute {quoted(name)} appears twice; attributes are unique")
        return names

    def _check_name(self, rank: int, what: str) -> None:
        name = self.field(rank)
        if not _NAME.fullmatch(name):
            hint = "; separate fields by tabs, not spaces" if " " in name else ""
            self.add(rank, f"{_shown(name)} is not {what}: not an XML name{hint}")


def _shown(text: str) -> str:
    return quoted(text) if text else "nothing"


def _expected(text: str, known: Collection[str]) -> str:
    """Return what was expected instead of `text`, and which of the expected words may have been meant."""
    hint = nearest(text, known)
    expected = f"expected {' or '.join(known)}"
    return f"{expected}; {hint}" if hint.startswith("did you") else expected


def _repeated(attributes: Sequence[str], options: Options) -> list[str]:
    """Return the names that repeat an earlier one; the profile says whether case makes a difference."""
    seen: set[str] = set()
    repeated = []
    for name in attributes:
        key = name if options.profile == "nwr2014" else name.lower()
        if key in seen:
            repeated.append(name)
        seen.add(key)
    return repeated


def _check_names(types: Sequence[AnnotationType], log: ProblemLog) -> None:
    """Log lines whose NAME an earlier line has; only a markable and an instance may share one."""
    seen: dict[str, list[AnnotationType]] = {}
    for rank, annotation in enumerate(types):
        earlier = seen.setdefault(annotation.name, [])
        clash = next(
            (named_alike for named_alike in earlier if {named_alike.kind, annotation.kind} != _MARKABLE_AND_INSTANCE), None
        )
        if clash:
            where = f"on line {clash.line}" if clash.line else f"as entry {types.index(clash) + 1} of `options.annotations`"
            same = clash.kind == annotation.kind
            advice = "name every annotation once" if same else "only a markable and an instance may share a NAME"
            _log("cat.config", f"{annotation.name} appears {where} already, as {clash.kind}; {advice}", annotation, rank, log)
        earlier.append(annotation)


def _check_instances(types: Sequence[AnnotationType], options: Options, log: ProblemLog) -> None:
    """Log instances whose NAME is no markable: they have no row to count in. A line that is wrong might be the markable's."""
    if log.count("cat.config"):
        return
    markables = {annotation.name for annotation in types if annotation.kind == "markable"}
    for rank, annotation in enumerate(types):
        if annotation.kind == "instance" and annotation.name not in markables:
            is_end = options.profile == "standard" and annotation.specificity == "comparable"
            use = "the line only lets relations end on them" if is_end else "the line changes nothing"
            message = f"no line makes {annotation.name} a markable, so that its empty markables are not scored, and {use}"
            _log(
                "cat.instance-alone",
                f"{message}; add `{annotation.name} markable 0`, with attributes, to score them",
                annotation,
                rank,
                log,
            )


def _log(code: str, message: str, annotation: AnnotationType, rank: int, log: ProblemLog) -> None:
    """Log what is wrong with a line, or with the entry of `options.annotations` of that rank."""
    log.add(
        code, message, annotation.line, 1 if annotation.line else None, "" if annotation.line else f"options.annotations.{rank}"
    )
