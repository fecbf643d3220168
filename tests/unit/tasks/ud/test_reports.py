"""What people see of a comparison: explanations and the original's table."""

from __future__ import annotations

from itertools import permutations

import pytest

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.ud.native import native
from tests.unit.tasks.ud.files import conllu, explained, scored

GOLD = conllu(
    ("1 Rain rain NOUN NN Number=Sing 2 nsubj 2:nsubj", "2 fell fall VERB VBD _ 0 root 0:root"),
    ("1 gonna go VERB _ _ 0 root 0:root",),
    ("1 Go go VERB _ _ 0 root 0:root", "2 on on ADV _ _ 1 advmod 1:advmod"),
)
SYSTEM = conllu(
    ("1 Rain rian X NNP Number=Plur 0 dep 0:dep", "2 fell fall VERB VBD _ 1 root 1:root"),
    (
        "1 gon go VERB _ _ 0 root 0:root",
        "2 na to PART _ _ 1 mark 1:mark",
        "3 Go go VERB _ _ 1 parataxis _",
        "4 on on ADV _ _ 3 advmod 3:advmod",
    ),
)


def test_reasons_come_in_their_order() -> None:
    found = [(entry.unit, entry.reason, entry.line, entry.message) for entry in explained(GOLD, SYSTEM)]
    assert found == [
        ("1", "upos", 1, '"Rain" (1) has the tag "X", expected "NOUN"'),
        ("1", "xpos", 1, '"Rain" (1) has the XPOS "NNP", expected "NN"'),
        ("1", "feats", 1, '"Rain" (1) has the features "Number=Plur", expected "Number=Sing"'),
        ("1", "lemma", 1, '"Rain" (1) has the lemma "rian", expected "rain"'),
        ("1", "head", 1, '"Rain" (1) is on the root (0), expected "fell" (2)'),
        ("1", "relation", 1, '"Rain" (1) has the relation "dep", expected "nsubj"'),
        ("1", "enhanced", 1, '"Rain" (1) has enhanced edges missing 2:nsubj, extra 0:dep'),
        ("1", "head", 2, '"fell" (2) is on "Rain" (1), expected the root (0)'),
        ("1", "enhanced", 2, '"fell" (2) has enhanced edges missing 0:root, extra 1:root'),
        ("2", "sentence", 4, "the sentence is joined with the next"),
        ("2", "token", 4, 'the token "gonna" is "gon" "na"'),
        ("2", "word", 4, 'the word "gonna" of gold has no partner'),
        ("2", "word", 4, 'the word "gon" of the system has no partner in gold'),
        ("2", "word", 5, 'the word "na" of the system has no partner in gold'),
        ("3", "sentence", 4, "the sentence is joined with the one before"),
        ("3", "head", 6, '"Go" (1) is on "gon" (1), expected the root (0)'),
        ("3", "relation", 6, '"Go" (1) has the relation "parataxis", expected "root"'),
        ("3", "enhanced", 6, '"Go" (1) has enhanced edges missing 0:root'),
    ]


@pytest.mark.parametrize("labels", list(permutations(("aux", "case", "det"))))
def test_missing_edges_are_told_in_the_order_of_heads_and_labels(labels: tuple[str, ...]) -> None:
    words = ("1 a a X _ _ 0 root 0:root", "2 b b X _ _ 1 dep 1:dep")
    others = [(words[0], words[1].replace("1:dep", f"1:{label}")) for label in labels]
    many = (words[0], words[1].replace("1:dep", "0:root|1:aux|1:case|1:det"))
    found = explained(conllu(*others, many), conllu(*others, words))
    assert [entry.message for entry in found] == ['"b" (2) has enhanced edges missing 1:aux 1:case 1:det 0:root, extra 1:dep']


def test_a_sentence_that_is_cut() -> None:
    whole = conllu(("1 a a X _ _ 0 root", "2 b b X _ _ 1 dep", "3 c c X _ _ 1 dep"))
    cut = conllu(*([f"1 {form} {form} X _ _ 0 root"] for form in "abc"))
    assert next(iter(explained(whole, cut))).message == "the sentence is cut in 3"


def test_every_explanation_bears_on_a_measure_that_is_not_perfect() -> None:
    values = scored(GOLD, SYSTEM)
    for entry in explained(GOLD, SYSTEM):
        assert any(value is not None and value < 1 for name, value in values.items() if entry.bears_on(name)), entry
    for name, value in values.items():
        if value is not None and value < 1:
            assert any(entry.bears_on(name) for entry in explained(GOLD, SYSTEM)), name


def test_what_is_right_is_not_explained() -> None:
    assert explained(GOLD, GOLD) == []


def test_items_are_told_apart() -> None:
    items = [entry.item for entry in explained(GOLD, SYSTEM)]
    assert len(set(items)) == len(items)


def test_the_table_of_the_original() -> None:
    lines = native(Reported(scored(GOLD, SYSTEM), {}, 1, {})).splitlines()
    assert lines[0] == "Metric     | Precision |    Recall |  F1 Score | AligndAcc"
    assert lines[2] == "Tokens     |     66.67 |     80.00 |     72.73 |"
    assert lines[5] == "UPOS       |     50.00 |     60.00 |     54.55 |     75.00"
    assert [line.split()[0] for line in lines[-2:]] == ["ELAS", "EULAS"]
    without = GOLD.replace("0:root", "_").replace("2:nsubj", "_").replace("1:advmod", "_")
    assert native(Reported(scored(without, without), {}, 1, {})).splitlines()[-1].startswith("BLEX")
