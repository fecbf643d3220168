"""What a task calls its records and their problems, and what it reads in another way than other tasks do."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.kit.records.layout import LINES, Layout
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.problems import Kind, ProblemLog

_FIXED = {
    "format": "the records of one side have ids, those of the other have none",
    "quotes": "a quotation mark where CSV has none, or one without its partner",
    "fields": "a row has not as many fields as the first line",
    "header": "a table is empty, or its header names a needed column twice",
    "column": "a needed column is not there",
    "json": "the file, or a line, is no JSON or no object, or has a key twice or half a surrogate pair",
    "items": "the path of records in a document leads nowhere, or to something else",
    "path": "a path picks two elements of a list",
    "where": "no record is left by the option `where`",
    "no-items": "gold has no record",
    "no-id": "an id is missing or empty, or neither a text nor a whole number",
    "length": "paired by line, the system has fewer or more records than gold",
}

_TOLERABLE = {
    "duplicate-id": "an id stands twice in a file; if tolerated, the first counts",
    "unknown-id": "a system id is not in gold; if tolerated, it is left out",
    "missing-id": "a gold id is not in the system file",
}


def record_kinds(task: str, but: Collection[str] = ()) -> dict[str, Kind]:
    """Return the kinds of problems that reading and pairing records can log, but for those that a task cannot have."""
    kinds = {name: Kind("error", summary, fixed=name in _FIXED) for name, summary in (_FIXED | _TOLERABLE).items()}
    return text_kinds("off") | {f"{task}.{name}": kind for name, kind in kinds.items() if name not in but}


@frozen_dataclass(frozen=True, slots=True)
class Conventions:
    """What a task calls its records and their problems; `Conventions.of(task)` suits one that has the kinds `record_kinds(task)`.

    `json` says what JSON may hold. `item` is the noun for a record of gold, `answer` that for one of the system, and `advice` says what to
    do about an answer that is not there. With `names_ids` a problem's `where` is the noun and the id. `codes` has the names of problems
    that the task calls otherwise: `missing-id`, say, or `wrong-id`, which is that of an id of another type. With `keeps_blank_end` blank
    lines at the end of a file of lines are records. With `has_comments` blank lines, and lines that begin with `#`, are nothing before the
    header of a table. Where `list_field` has a name, a list that stands where a record is expected is one, with that field alone. Without
    `has_options` no option says how a file is read, and no message names one.
    """

    task: str
    json: Dialect
    item: str = "record"
    answer: str = "record"
    advice: str = "give each an answer"
    names_ids: bool = False
    codes: Mapping[str, str] = field(default_factory=lambda: {"wrong-id": "no-id"})
    keeps_blank_end: bool = True
    has_comments: bool = False
    list_field: str = ""
    has_options: bool = True

    @classmethod
    def of(cls, task: str) -> Conventions:
        """Return the conventions of a task that has the codes of `record_kinds`."""
        return cls(task, Dialect.of(f"{task}.json", objects=True, greatest=10**100))

    def where(self, name: str) -> str:
        """Return what problems call the record with an id."""
        return f"{self.item} {name}" if self.names_ids else ""


@frozen_dataclass(frozen=True, slots=True)
class File:
    """A file of records: its bytes, how it is read, what its task calls things, and the log of its problems.

    Where several files are read as one (`joined`), `firsts` has the line with which each begins, from 1.
    """

    source: Source
    layout: Layout
    conventions: Conventions
    log: ProblemLog
    firsts: Sequence[int] = ()

    @property
    def format(self) -> str:
        """The format of the file: what the layout says, else what its name says."""
        return self.layout.format_of(self.source)

    @property
    def has_ids(self) -> bool:
        """Whether its records have ids, as far as the file itself can tell."""
        return not self.layout.by_line and self.format != LINES

    @property
    def is_readable(self) -> bool:
        """Whether no record of the file was left out as it could not be read."""
        return not self.log.count(self.code("json"), self.code("quotes"), "text.encoding", "text.nul")

    def ranks(self, lines: Sequence[int | None]) -> list[int]:
        """Return which of the files that are read as one each line is in, from 0; nothing for a single file."""
        return [bisect_right(self.firsts, line or 0) - 1 for line in lines] if self.firsts else []

    def own_lines(self, lines: Sequence[int | None]) -> Sequence[int | None]:
        """Return the number of each line in its own file, from 1."""
        if not self.firsts:
            return lines
        return [line and line - self.firsts[rank] + 1 for line, rank in zip(lines, self.ranks(lines), strict=True)]

    def code(self, problem: str) -> str:
        """Return the code of a problem."""
        return f"{self.conventions.task}.{self.conventions.codes.get(problem, problem)}"

    def add(self, problem: str, message: str, line: int | None = None, where: str = "") -> None:
        """Log a problem."""
        self.log.add(self.code(problem), message, line, where=where)

    def paired_like(self, *, gold_has_ids: bool) -> File:
        """Return the file of a system, to be paired as gold says; ids in gold alone are a problem."""
        if gold_has_ids and not self.has_ids:
            message = "is read as lines, which have no ids, but gold has ids; name the format in the options, or set pair: line"
            self.add("format", message)
        return replace(self, layout=replace(self.layout, by_line=not gold_has_ids))
