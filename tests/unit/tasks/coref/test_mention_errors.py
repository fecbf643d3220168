"""What explanations say: the texts of mentions, the words around them, and gold's words where the system's file has none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref import TASK
from pytest_nlpeval.tasks.coref.context import AROUND, LONGEST
from tests.unit.tasks.coref.files import counted, scores

STORY = "Mara Lind bought the ferry . She painted it . Then she sold the boat .".split()  # noqa: SIM905


def document(clusters: Any, words: Sequence[str] | None = STORY) -> bytes:
    """Return JSON Lines of one document; `words` is None where a system's file has none."""
    tokens = {} if words is None else {"tokens": words}
    return (json.dumps({"doc_key": "d", **tokens, "clusters": clusters}) + "\n").encode()


def columns(clusters: Sequence[Sequence[int]], *, with_words: bool) -> bytes:
    """Return CoNLL columns of mentions of one word."""
    owner = {word: rank for rank, cluster in enumerate(clusters) for word in cluster}
    rows = [
        f"d 0 {rank} {word if with_words else ''}{' x' if with_words else ''} {f'({owner[rank]})' if rank in owner else '-'}"
        for rank, word in enumerate(STORY)
    ]
    return ("#begin document d\n" + "\n".join(rows) + "\n#end document\n").encode()


def explained(gold: bytes, system: bytes, **options: Any) -> list[Explanation]:
    return [entry for entry in counted(gold, system, **options).explanations or () if isinstance(entry, Explanation)]


def marked(explanation: Explanation) -> str:
    """Return the passage, with the marks of either side in brackets."""
    assert explanation.passage is not None
    text, gold, system = explanation.passage
    for start, end in reversed((*gold, *system)):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


GOLD = [[[0, 1], [6, 6], [11, 11]], [[3, 4], [8, 8], [13, 14]]]


def test_a_missed_mention_is_told_with_its_entity_and_the_words_around_it() -> None:
    found = explained(document(GOLD), document([[[0, 1], [11, 11]], [[8, 8], [13, 14]]]))
    assert [(entry.message, entry.gold, entry.system, marked(entry)) for entry in found] == [
        (
            '"the ferry" is missed; it begins an entity',
            '"the ferry"',
            "",
            "Mara Lind bought [the ferry] . She painted it . Then she sold the boat .",
        ),
        (
            '"She" of the entity of "Mara Lind" is missed',
            '"She" of the entity of "Mara Lind"',
            "",
            "Mara Lind bought the ferry . [She] painted it . Then she sold the boat .",
        ),
    ]
    assert [(entry.line, entry.gold_line) for entry in found] == [(None, 1), (None, 1)]


@pytest.mark.parametrize("words", [STORY, None])
def test_a_spurious_mention_is_told_in_gold_s_words_where_the_system_has_none(words: Sequence[str] | None) -> None:
    (found,) = explained(document(GOLD), document([*GOLD, [[1, 2]]], words))
    assert (found.message, found.gold, found.system, found.line) == (
        '"Lind bought" is no mention in gold',
        "",
        '"Lind bought"',
        1,
    )
    assert marked(found) == "Mara [Lind bought] the ferry . She painted it . Then she sold the boat"


@pytest.mark.parametrize("with_words", [True, False])
def test_entities_that_are_split_and_merged_are_told_by_their_parts(with_words: bool) -> None:
    gold, system = columns([[0, 6, 11], [4, 8]], with_words=True), columns([[0, 6], [11, 4, 8]], with_words=with_words)
    assert [(entry.reason, entry.message, entry.line) for entry in explained(gold, system)] == [
        ("split-entity", 'the entity of "Mara" is split into 2 parts, which begin with "Mara", "ferry"', 2),
        ("merged-entities", 'the entity of "ferry" merges 2 of gold, which begin with "ferry", "Mara"', 6),
    ]


def test_places_are_told_where_nobody_knows_the_words() -> None:
    (found,) = explained(columns([[0, 6]], with_words=False), columns([[0, 6], [2]], with_words=False))
    assert (found.message, found.passage) == ("token 2 is no mention in gold", None)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("{word}", "token 1"),
        ("x {word}", '"Lind"'),
        ("x x {word}", "token 1"),
        ("d 0 1 {word}", '"Lind"'),
        ("d 0 1 {word} x x", '"Lind"'),
    ],
)
def test_words_are_column_4_of_5_or_more_and_column_2_of_3(row: str, text: str) -> None:
    """The column of entities is the last one, and counts."""
    gold, system = (
        "\n".join(
            ["#begin document d", *(f"{row.format(word=word)} {mark}" for word, mark in rows), "#end document", ""]
        ).encode()
        for rows in ((("Mara", "-"), ("Lind", "-")), (("Mara", "-"), ("Lind", "(1)")))
    )
    (found,) = explained(gold, system)
    assert found.message == f"{text} is no mention in gold"


def test_of_a_long_document_some_words_are_quoted() -> None:
    words = [f"w{rank}" for rank in range(500)]
    ((missed), (long)) = explained(document([[[200, 201]], [[300, 499]]], words), document([], words))
    expected = [*words[200 - AROUND : 200], "[w200 w201]", *words[202 : 202 + AROUND]]
    assert marked(missed) == " ".join(expected)
    assert long.passage is not None
    assert long.passage.gold[0][0] == len(" ".join(words[300 - AROUND : 300])) + 1
    assert long.passage.text.startswith(words[300 - AROUND])
    assert f"w{300 + LONGEST}" not in marked(missed)


GAPS = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAna\t_\t_\t_\t_\t0\troot\t_\tEntity=(a[1/2]-x-1)a[1/2])
2\tand\t_\t_\t_\t_\t1\tcc\t_\t_
2.1\t_\t_\t_\t_\t_\t_\t_\t3:nsubj\t{zero}
3\tcame\t_\t_\t_\t_\t1\tconj\t_\tEntity=(a[2/2]-x-1)a[2/2])

"""


def test_a_mention_with_gaps_has_a_mark_for_each_part_and_an_empty_node_is_told() -> None:
    gold = GAPS.replace("(a[1/2]-x-1)a[1/2])", "(a[1/2]-x-1)").replace("(a[2/2]-x-1)a[2/2])", "(a[2/2]-x-1)")
    system = gold.replace("Entity=(a[1/2]-x-1)", "_").replace("Entity=(a[2/2]-x-1)", "_")
    zero = "Entity=(a-x-1)"
    found = explained(gold.replace("{zero}", zero).encode(), system.replace("{zero}", "_").encode(), singletons="keep")
    assert [(entry.reason, marked(entry)) for entry in found] == [
        ("missing-mention", "[Ana] and [came]"),
        ("missing-mention", "Ana and [∅] came"),
    ]


def test_the_native_report_has_no_0_where_there_is_no_value() -> None:
    assert TASK.native is not None
    reported: Any = type("Reported", (), {"values": scores(document(GOLD), document(GOLD))})()
    lines = TASK.native(reported).splitlines()
    assert lines[1] == "muc        Recall: 100.00  Precision: 100.00  F1: 100.00"
    assert lines[-2:] == ["zeros      Recall: -  Precision: -  F1: -", "CoNLL score: 100.00"]


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        (("(e1", "e1)(e2", "e2)"), "2 mentions of several words have no head; the first word of each is taken"),
        (("(e1", "e1)", "(e2)"), "1 mention of several words has no head; the first word of each is taken"),
    ],
)
def test_mentions_without_heads_are_counted_in_one_problem_of_the_file(entities: Sequence[str], message: str) -> None:
    rows = "".join(f"{rank}\tw\t_\t_\t_\t_\t_\t_\t_\tEntity={entity}\n" for rank, entity in enumerate(entities, 1))
    log = ProblemLog("", TASK.problems)
    TASK.role("gold").read(Source("", f"# global.Entity = eid\n{rows}\n".encode()), {}, TASK.options(), log)
    assert [(problem.line, problem.code, problem.message) for problem in log.problems()] == [(2, "coref.no-heads", message)]
