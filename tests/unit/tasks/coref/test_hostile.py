"""Files that try the readers: columns that could be read in many ways, heads beyond all numbers, white space that parts no columns."""

from __future__ import annotations

import json

import pytest

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref import TASK
from pytest_nlpeval.tasks.coref.mentions import MOST_WORDS, STEP
from tests.unit.tasks.coref.files import counted, scores


def problems(data: str) -> list[str]:
    log = ProblemLog("gold", TASK.problems)
    TASK.role("gold").read(Source("gold", data.encode()), {}, TASK.options(), log)
    return [problem.code for problem in log.problems()]


def conll(*columns: str) -> str:
    return "#begin document a\n" + "".join(f"w {column}\n" for column in columns) + "#end document\n"


def corefud(*entities: str) -> str:
    rows = (f"{rank}\tw\t_\t_\t_\t_\t_\t_\t_\tEntity={entity}\n" for rank, entity in enumerate(entities, 1))
    return f"# newdoc id = a\n# global.Entity = eid-etype-head-other\n{''.join(rows)}\n"


def test_a_column_that_could_be_read_in_many_ways_is_read_in_one() -> None:
    """Each `(111)` is one piece, or two in two ways: 3 to the power of 60 in all."""
    assert problems(conll("(111)" * 60 + "x")) == ["coref.brackets"]
    assert problems(conll("(1)(3", "3)")) == []


@pytest.mark.parametrize("text", ["e" * 100_000, "(" * 100_000, "(e1-x-1" * 2 + "(" * 20_000])
def test_an_attribute_that_is_no_sequence_of_chunks_is_told(text: str) -> None:
    assert problems(corefud(text)) == ["coref.brackets"]


@pytest.mark.parametrize("head", ["0000000000012", "000000000001" + "0" * 5_000, "1" + "0" * 5_000, "²", "0"])
def test_a_head_beyond_the_mention_is_told(head: str) -> None:
    assert problems(corefud(f"(e1-x-{head}-", "e1)")) == ["coref.head"]


def test_a_head_with_zeros_before_it_is_that_number() -> None:
    assert problems(corefud("(e1-x-0002-", "e1)")) == []


def test_only_blanks_and_tabs_part_columns() -> None:
    gold, system = (
        f"#begin document a\nx 0 1 {word} (1)\nx\t0  2\tb (1)\n#end document\n" for word in ("1\u00a0000", "1\u00a0001")
    )
    assert scores(gold.encode(), gold.encode())["mentions.f1"] == 1
    log = ProblemLog("system", TASK.problems)
    documents = {"gold": TASK.role("gold").read(Source("gold", gold.encode()), {}, TASK.options(), ProblemLog("", TASK.problems))}
    TASK.role("system").read(Source("system", system.encode()), documents, TASK.options(), log)
    assert [problem.code for problem in log.problems()] == ["coref.words"]


def places(data: str) -> dict[str, list[list[int]]]:
    """Return the ranks of the words of each mention in each document; each sentence has a rank before its first word."""
    log = ProblemLog("gold", TASK.problems)
    found = TASK.role("gold").read(Source("gold", data.encode()), {}, TASK.options(), log)
    assert found is not None, log.problems()
    return {
        name: [[place // STEP for place in mention.places] for entity in found.side(name).entities for mention in entity]
        for name in found.by_name
    }


def test_of_mentions_in_parts_that_begin_at_one_word_the_first_goes_on_first() -> None:
    """The one that began last ends its first part first."""
    data = corefud("(e1[1/2]-x-1-(e1[1/2]-x-1-", "e1[1/2])", "e1[1/2])", "(e1[2/2]-x-1-)", "(e1[2/2]-x-1-)")
    assert places(data) == {"a": [[1, 2, 3, 4], [1, 2, 5]]}


@pytest.mark.parametrize("comment", ["# newdoc", "# newdoc ", "# newdoc\t", "#newdoc id = b ", "# newdoc id ="])
def test_white_space_behind_the_beginning_of_a_document_says_nothing(comment: str) -> None:
    data = corefud("(e1-x-1-)")
    name = "b" if "b" in comment else "2"
    assert places(f"{data}{comment}\n{data.partition('= a')[2].lstrip()}") == {"a": [[1]], name: [[1]]}


def codes_of_system(gold: str, system: str) -> list[str]:
    """Return the codes of a system file beside gold."""
    files = {"gold": TASK.role("gold").read(Source("gold", gold.encode()), {}, TASK.options(), ProblemLog("", TASK.problems))}
    log = ProblemLog("system", TASK.problems)
    TASK.role("system").read(Source("system", system.encode()), files, TASK.options(), log)
    return [problem.code for problem in log.problems()]


@pytest.mark.parametrize(
    ("row", "is_compared"),
    [("a 0 1 {} (1)", True), ("a 0 1 {} NN x (1)", True), ("0 {} (1)", True),
     ("{} (1)", False), ("0 1 {} (1)", False), ("a 0 {} N (1)", False)],
)  # fmt: skip
def test_the_word_is_in_column_4_of_5_or_2_of_3(row: str, is_compared: bool) -> None:
    gold, system = (f"#begin document a\n{row.format(word)}\n#end document\n" for word in ("rain", "snow"))
    assert codes_of_system(gold, system) == (["coref.words"] if is_compared else [])


@pytest.mark.parametrize("begin", ["#begin document a", "# begin document a", "#\t begin document   a  "])
@pytest.mark.parametrize("nothing", "-_*")
def test_columns_without_mentions_and_lines_that_begin_documents(begin: str, nothing: str) -> None:
    data = f"\n# of a corpus\n{begin}\nw (1\n\nw {nothing}\nw 1)\n#end document\n\n"
    assert problems(data) == []
    assert places(data) == {"a": [[0, 1, 2]]}


@pytest.mark.parametrize(
    ("tokens", "codes"),
    [
        ({}, ["coref.offset"]),
        ({"subtoken_map": [0, MOST_WORDS]}, ["coref.json"]),
        ({"subtoken_map": [0, 1]}, ["coref.offset"]),
    ],
)
def test_a_mention_has_no_place_that_64_bits_cannot_hold(tokens: dict[str, list[int]], codes: list[str]) -> None:
    """Only a system's file can say so without having the words."""
    for last, found in ((MOST_WORDS, codes), (MOST_WORDS - 1, [] if not tokens else codes)):
        record = {"doc_key": "d", **tokens, "clusters": [[[0, last], [1, 1]]]}
        log = ProblemLog("system", TASK.problems)
        TASK.role("system").read(Source("system", json.dumps(record).encode()), {}, TASK.options(), log)
        assert [problem.code for problem in log.problems()] == found


@pytest.mark.parametrize("last", [MOST_WORDS - 1, 2**31])
def test_a_mention_takes_no_room_for_each_of_its_words(last: int) -> None:
    """Neither where words are named by numbers of any size, nor where an entity has the mention twice, or it is explained."""
    gold, system = (
        json.dumps(
            {"doc_key": "a", "tokens": list("abcd"), "subtoken_map": [0, 1, 2, last], "clusters": [[[0, 0], *spans], [[1, 1]]]}
        ).encode()
        for spans in ([[1, 3], [1, 3]], [[2, 3], [2, 3]])
    )
    assert scores(gold, gold)["mor.f1"] == 1
    found = [entry for entry in counted(gold, system).explanations if isinstance(entry, Explanation)]
    assert [entry.message for entry in found] == [
        f"tokens 1 to {last} of the entity of token 0 is missed",
        f"tokens 2 to {last} is no mention in gold",
    ]


def test_a_document_on_a_line_that_cannot_be_read_is_not_told_as_missing() -> None:
    gold = "".join(f'{{"doc_key": "{name}", "tokens": ["w"], "clusters": []}}\n' for name in "abc")
    assert codes_of_system(gold, gold.replace('"a"', "a").partition("\n")[0]) == ["coref.json"]
    assert codes_of_system(gold, gold.partition("\n")[0]) == ["coref.missing", "coref.missing"]


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        (("clusters", "clusters"), []),
        (("predicted_clusters", "predicted_clusters"), []),
        (("predicted_clusters", "clusters"), ["coref.json"]),
        (("clusters", "predicted_clusters"), ["coref.json"]),
    ],
)
def test_gold_s_clusters_are_not_taken_for_predictions_that_are_missing(keys: tuple[str, str], codes: list[str]) -> None:
    """One file may be gold and system; where a line of it lacks what was predicted, gold would be scored against itself."""
    gold = [{"doc_key": name, "tokens": ["w"], "clusters": [[[0, 0]]]} for name in "ab"]
    system = [record | {key: [[[0, 0]]]} for record, key in zip(gold, keys, strict=True)]
    assert codes_of_system(*("".join(json.dumps(record) + "\n" for record in side) for side in (gold, system))) == codes
