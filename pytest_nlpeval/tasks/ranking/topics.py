"""Reads what is known of topics, their texts and groups: JSON Lines, or a table with or without header."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Repeated, read_json_lines
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.kit.records import BLANKS, FAULT, Field, File, Layout, Path, kind_of, read_records, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.tasks.ranking.problems import warn
from pytest_nlpeval.tasks.ranking.records import CONVENTIONS, DIALECT, Described
from pytest_nlpeval.tasks.ranking.trec import first_line
from pytest_nlpeval.wording import plural, quoted

IDS = ("_id", "id", "query-id")
MOST_GROUPS = 200
_LONGEST = 200


def read_topics(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Described | None:
    """Return the texts and groups of topics, or None with all problems in the log."""
    data = read_text(source, log)
    if data is None:
        return None
    described = Described()
    if data[: 1 << 16].lstrip().startswith(b"{"):
        _of_lines(source, options, described, log)
    elif first := first_line(data):
        _of_table(source, first, options, described, log)
    if not described.lines and not log.has_errors:
        log.add("ranking.no-topics", "has no topic; expected at least one")
    return None if log.has_errors else described


def _of_lines(source: Source, options: Options, described: Described, log: ProblemLog) -> None:
    if isinstance(options.group, int) or isinstance(options.text, int):
        log.add("ranking.column", "a column is asked for by its number, but the file is JSON Lines; give the name of a key")
        return
    for line, record in read_json_lines(source, log, DIALECT):
        if isinstance(record, Repeated):
            log.add("ranking.shape", "a key stands twice in the object; keep one of the two", line)
        value = next((record[key] for key in IDS[:2] if key in record), None)
        if value is None or value == "" or type(value) not in {str, int}:
            told = "no key `_id` or `id`" if value is None else f"the id is {kind_of(value) or 'empty'}"
            log.add("ranking.shape", f"{told}; expected a string or a whole number", line)
            continue
        group = None if options.group is None else Path.of(options.group).follow(record)
        _take(described, str(value), Path.of(str(options.text)).follow(record), group, line, log)


def _of_table(source: Source, first: str, options: Options, described: Described, log: ProblemLog) -> None:
    """Take the rows of a table; of one without header the first column is the id, and the second the text, unless a number says else."""
    cells = [cell.strip(BLANKS) for cell in first.split("\t")]
    name: Field | None = next((name for name in IDS if name in cells), None)
    text: Field | None = options.text if name is None or options.text in cells else None
    if name is None:
        name, text = 1, options.text if isinstance(options.text, int) else 2
    is_named = isinstance(name, str)
    group = options.group if options.group is None or isinstance(options.group, int) != is_named else None
    if is_named and group is not None and group not in cells:
        group = None
    if not is_named and len(cells) < 2:
        hint = "expected a header with `_id`, `id` or `query-id`, or two columns, id and text"
        log.add("ranking.column", f"the first line has {plural(len(cells), 'field')} between tabs; {hint}", 1)
        return
    wanted = [field for field in (name, text, group) if field is not None]
    records = read_records(File(source, Layout(format="tsv", id=()), CONVENTIONS, log), wanted)
    if records is None:
        return
    columns = {field: [cell.strip(BLANKS) for cell in records.cells(field)] for field in wanted}
    for row, topic in enumerate(columns[name]):
        if topic and topic != FAULT:
            said, own = (None if field is None else columns[field][row] or None for field in (text, group))
            _take(described, topic, said, own, records.lines[row], log)
        elif not topic:
            log.add("ranking.shape", "the id of the topic is empty", records.lines[row])
    described.has_groups = group is not None


def _take(described: Described, topic: str, text: object, group: object, line: int, log: ProblemLog) -> None:
    if topic in described.lines:
        message = f"the topic {quoted(topic)} stands on line {described.lines[topic]:,} already; keep one of the two"
        log.add("ranking.duplicate-topic", message, line)
        return
    described.take(topic, text, group, line)


@light_dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The names of the groups, sorted, and the place of each topic's there, -1 for none."""

    names: tuple[str, ...]
    of_topics: NDArray[np.int64]


def groups_of(topics: Sequence[str], files: Iterable[Described | None], options: Options, log: ProblemLog) -> Groups:
    """Return the groups of topics, from the first of the files that has some; what is wrong with them goes to the log of gold."""
    nothing = Groups((), np.full(len(topics), -1))
    if options.group is None:
        return nothing
    known = [file for file in files if file is not None]
    described = next((file for file in known if file.has_groups), None)
    if described is None:
        hint = "no topic has it" if known else "gold has no place for it in this format: give a file `topics`"
        log.add("ranking.column", f"groups are asked for by `{options.group}`; {hint}, or leave the option `group` out")
        return nothing
    names = {topic: _name(described.groups[topic], topic, log) for topic in topics if topic in described.groups}
    warn(log, "no-group", [topic for topic in topics if topic not in names], "without a group", "in none")
    groups = tuple(sorted({name for name in names.values() if name is not None}))
    if len(groups) > MOST_GROUPS:
        message = f"there are {len(groups):,} groups, at most {MOST_GROUPS} are allowed; is it a column of texts or ids?"
        log.add("ranking.group", message)
    places: dict[str | None, int] = {name: place for place, name in enumerate(groups)} | {None: -1}
    return Groups(groups, np.array([places[names.get(topic)] for topic in topics], np.int64))


def _name(value: object, topic: str, log: ProblemLog) -> str | None:
    """Return the name of a group; None with a problem in the log if it cannot be one."""
    if isinstance(value, list | dict | float):
        log.add("ranking.shape", f"the group of the topic {quoted(topic)} is {kind_of(value)}; expected a text")
        return None
    name = text_of(value)
    fault = (
        "is empty"
        if not name
        else f"has {len(name):,} characters, at most {_LONGEST} are allowed"
        if len(name) > _LONGEST
        else "has a dot, which names of measures cannot tell from their own"
        if "." in name
        else "has a control character"
        if any(unicodedata.category(character) == "Cc" for character in name)
        else ""
    )
    if fault:
        log.add("ranking.group", f"the group {quoted(name)} of the topic {quoted(topic)} {fault}")
    return None if fault else name
