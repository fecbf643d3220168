"""How files are read: formats, places of problems, what can be checked without gold."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.tasks.labels import TASK
from pytest_nlpeval.tasks.labels.options import options
from tests.unit.tasks.labels.files import objects, scored, table

ROWS = [("1", "ä b"), ("2", "c"), ("3", "ä b")]


def written(form: str, rows: list[tuple[str, str]]) -> str:
    if form == "jsonl":
        return objects({"id": name, "label": label} for name, label in rows)
    mark = "\t" if form == "tsv" else ","
    return "".join(f"{name}{mark}{label}\n" for name, label in [("id", "label"), *rows])


@pytest.mark.parametrize(("gold", "system"), list(product(["tsv", "csv", "jsonl"], repeat=2)))
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_formats_are_alike(gold: str, system: str, end: str) -> None:
    """With CR LF, a byte order mark, blank lines at the end, and without the last line's end."""
    texts = [written(form, rows).replace("\n", end) for form, rows in ((gold, ROWS), (system, ROWS[::-1]))]
    for first, last in (("", ""), ("\ufeff", end * 3)):
        found = scored(first + texts[0] + last, first + texts[1].removesuffix(end) + last, None, (f"g.{gold}", f"s.{system}"))
        assert found.problems == []
        assert found.values()["accuracy"] == 1
        assert "ä b.f1" in found.values()


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.TSV", "tsv"), ("a.tab", "tsv"), ("a.csv", "csv"), ("a.ndjson", "jsonl"), ("a.json", "jsonl"), ("a.JsonL", "jsonl")],
)
def test_the_suffix_tells_the_format(name: str, form: str) -> None:
    assert scored(written(form, ROWS), written("tsv", ROWS), None, (name, "s.tsv")).values()["accuracy"] == 1


@pytest.mark.parametrize("name", ["gold", "a.txt", "a.labels", ".tsv.gold"])
def test_others_are_lines(name: str) -> None:
    found = scored("a\nb\n", "a\nb\n", None, (name, "s.pred"))
    assert found.evidence is not None
    assert found.evidence.units == ("1", "2")


def test_in_lines_a_quotation_mark_and_a_comma_are_characters() -> None:
    assert '"a", b.f1' in scored('"a", b\nc\n', '"a", b\nc\n', None, ("g", "s")).values()


def problems_of(content: str, name: str = "s.tsv", role: str = "system", **given: Any) -> tuple[Problem, ...]:
    log = ProblemLog(name, TASK.problems)
    TASK.role(role).read(Source(name, content.encode()), {}, options(**given), log)
    return log.problems()


def test_without_gold_what_needs_it_is_not_checked() -> None:
    assert problems_of(table([(7, "a"), (8, "b")])) == ()
    assert problems_of("a\nb\n", "s.txt") == ()
    found = problems_of(table([(7, "a"), (7, "b")]), labels=["a"])
    assert [(problem.code, problem.line) for problem in found] == [("labels.unknown-label", 3), ("labels.duplicate-id", 3)]
    many = problems_of(table((row, f"text {row}") for row in range(1_001)).replace(" ", ""))
    assert [problem.code for problem in many] == ["labels.too-many"]


def test_a_line_is_where_a_row_begins() -> None:
    text = 'id,text,label\n1,"two\nlines",a\n2,"and\n\nthree",\n'
    (found,) = problems_of(text, "g.csv", "gold")
    assert (found.code, found.line) == ("labels.empty", 4)


def test_all_problems_at_once() -> None:
    text = "id\tlabel\n1\tmicro\n1\ta\n\tb\n3\n4\t\n"
    assert [(problem.line, problem.code.removeprefix("labels.")) for problem in problems_of(text, "g.tsv", "gold")] == [
        (2, "reserved"),
        (3, "duplicate-id"),
        (4, "no-id"),
        (5, "fields"),
        (6, "empty"),
    ]


def test_messages_name_the_nearest() -> None:
    (column,) = problems_of("id\tlable\n1\ta\n")
    assert 'did you mean "lable"?' in column.message
    (label,) = problems_of(table([(1, "postive")]), labels=["positive", "negative"])
    assert 'did you mean "positive"?' in label.message


def test_columns_by_number_and_text_columns_that_are_not_there() -> None:
    (found,) = problems_of("1\ta\n", "g.tsv", "gold", id=1, label=2, text=3)
    assert (found.code, found.line) == ("labels.column", 1)
    assert problems_of("1\ta\n2\tb\tc\n", "g.tsv", "gold", id=1, label=2)[0].line == 2


def test_a_file_that_is_swapped_for_the_other_reads_the_same() -> None:
    assert scored(table([(1, "a")]), table([(1, "b")])).values()["accuracy"] == 0


def test_numbers_with_blanks_around_them() -> None:
    found = scored("id\tscore\n1\t 1.5 \n2\t.5\n", "id\tscore\n1\t1.50\n2\t5e-1\n", kind="score")
    assert (found.values()["mae"], found.values()["pearson"]) == (0, 1)


def test_a_number_with_a_line_break_is_none() -> None:
    found = scored("id,score\n1,1\n", 'id,score\n1,"1\n"\n', None, ("g.csv", "s.csv"), kind="score")
    assert found.problems == ["s:2: number"]


def test_many_objects_that_name_ever_other_labels() -> None:
    system = objects({"id": row, "label": "a", "p": {f"label {row}": 1}} for row in range(1_002))
    found = scored(table((row, "a") for row in range(1_002)), system, None, ("g.tsv", "s.jsonl"), probability="p")
    assert found.problems == ["s:: too-many"]


def test_sets_and_indicators_that_are_not_there() -> None:
    missing = problems_of('{"id": 1, "labels": null}\n{"id": 2}\n{"id": 3, "labels": []}\n', "g.jsonl", "gold", kind="labels")
    assert [(found.code, found.line) for found in missing] == [("labels.empty", 1), ("labels.empty", 2)]
    text = '{"id": 1, "a": true, "b": 0}\n{"id": 2, "a": 1}\n{"id": 3, "a": 0.5, "b": 0}\n'
    found = problems_of(text, "g.jsonl", "gold", kind="labels", label=["a", "b"])
    assert [(problem.code, problem.line) for problem in found] == [("labels.empty", 2), ("labels.value", 3)]


def test_rows_with_too_few_fields_say_nothing_of_their_columns() -> None:
    found = problems_of("id\tscore\tp\n1\n2\tx\t\n", kind="score")
    assert [(problem.code, problem.line) for problem in found] == [("labels.fields", 2), ("labels.number", 3)]
    others = problems_of("id\tlabel\ta\n1\n2\tx\t\n", probability={"a": "a"})
    assert [(problem.code, problem.line) for problem in others] == [("labels.fields", 2), ("labels.probability", 3)]


def test_a_row_with_too_few_fields_has_no_id_that_gold_could_lack() -> None:
    found = scored(table([(1, "a")]), "id\tlabel\n1\ta\n2\n")
    assert found.problems == ["s:3: fields"]


def test_groups_are_values_like_labels() -> None:
    text = f"id\tlabel\tgroup\n1\ta\t{'x' * 201}\n2\ta\ty\n"
    (found,) = problems_of(text, "g.tsv", "gold", group="group")
    assert (found.code, found.line) == ("labels.value", 2)
