"""Files of JSON Lines that are read as one: their records, ids and problems are those of each alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import (
    Conventions,
    File,
    Ids,
    joined,
    layouts,
    may_pair_by_line,
    pair_by_id,
    read_ids,
    read_records,
)
from pytest_nlpeval.problems import JoinedLog, ProblemLog, Rule
from tests.unit.kit.records.files import KINDS, lines

RULES: Mapping[str, Rule] = dict.fromkeys(("t.duplicate-id", "t.unknown-id"), "warning")
ONE, TWO = lines({"id": "a"}, {"id": "b"}), lines({"id": "b"}, {"id": "a"}, {"id": "b"})


def logs_of(texts: Sequence[str]) -> list[ProblemLog]:
    return [ProblemLog(f"{rank}.jsonl", KINDS, RULES) for rank in range(len(texts))]


def whole_of(texts: Sequence[str], logs: Sequence[ProblemLog], **given: Any) -> File | None:
    sources = [Source(log.path, text.encode()) for text, log in zip(texts, logs, strict=True)]
    return joined(sources, layouts(given)[1], Conventions.of("t"), logs)


def ids_of(file: File | None) -> Ids:
    assert file is not None
    records = read_records(file, [])
    assert records is not None
    return read_ids(records, file)


def test_ids_and_problems_are_those_of_each_file_alone() -> None:
    gold, system = [ONE, "", ONE], [TWO, "", lines({"id": "a"}, {"id": "c"}, {"id": "b"})]
    logs = logs_of(system)
    file = whole_of(system, logs)
    ids = ids_of(file)
    assert file is not None
    assert isinstance(file.log, JoinedLog)
    assert pair_by_id(ids_of(whole_of(gold, logs_of(gold))), ids, file).tolist() == [1, 0, -1, 2, -1, 3]
    assert (ids.files, file.own_lines(ids.lines)) == ([0, 0, 0, 2, 2, 2], [1, 2, 3, 1, 2, 3])
    assert file.log.is_empty
    for ours, theirs, log in zip(gold, system, logs, strict=True):
        alone = [
            File(Source(log.path, text.encode()), file.layout, file.conventions, ProblemLog(log.path, KINDS, RULES))
            for text in (ours, theirs)
        ]
        pair_by_id(ids_of(alone[0]), ids_of(alone[1]), alone[1])
        assert log.problems() == alone[1].log.problems()
    assert [len(log.problems()) for log in logs] == [1, 0, 1]


def test_errors_and_what_has_no_line_stay_in_the_log_of_the_whole() -> None:
    for theirs in (["", lines({"id": "a"})], ["{\n", ""]):
        logs = logs_of(theirs)
        file = whole_of(theirs, logs)
        assert file is not None
        pair_by_id(ids_of(whole_of([ONE, ""], logs_of(theirs))), ids_of(file), file)
        assert not file.log.is_empty


@pytest.mark.parametrize("given", [{"items": "."}, {"id": "#0"}, {"where": {"id": "a"}}, {"format": "tsv"}])
def test_files_that_are_read_in_another_way_are_not_joined(given: Mapping[str, Any]) -> None:
    assert whole_of([ONE, TWO], logs_of("12"))
    assert whole_of([ONE, TWO], logs_of("12"), **given) is None


@pytest.mark.parametrize("text", ["[]\n", "\n{}\n", "{}\r\r\n", "\0", "x"])
def test_what_does_not_begin_with_an_object_or_is_no_text_is_not_joined(text: str) -> None:
    assert whole_of([ONE, text], logs_of("12")) is None


@pytest.mark.parametrize(
    ("gold", "system", "may"),
    [
        ([[None], [None, "b"]], [["a"], ["a", "b"]], True),
        ([[None], []], [["a"], []], True),
        ([[None], ["b"]], [["a"], ["b"]], False),
        ([[None], [None, None]], [["a", "b"], ["b"]], False),
    ],
)
def test_files_pair_by_line_if_each_would(gold: Sequence[Sequence[str | None]], system: Any, may: bool) -> None:
    sides = []
    for side in (gold, system):
        flags = ids_of(whole_of([lines(*({"id": "x"} for _ in names)) for names in side], logs_of(side)))  # type: ignore[arg-type]
        sides.append(Ids([name for names in side for name in names], flags.is_first, flags.lines, files=flags.files))
    assert may_pair_by_line(*sides) is may
