"""Errors that a suite's rules turn into warnings: what is scored then."""

from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.ud.document import Document
from tests.unit.tasks.ud.files import conllu, read

TREE = ("1 Rain rain NOUN _ _ 2 nsubj", "2 fell fall VERB _ _ 0 root")


def tolerated(text: str, *codes: str) -> Document:
    found, problems = read("gold", text, rules=dict.fromkeys(codes, "warning"))
    assert {problem.partition(": ")[2] for problem in problems} >= set(codes)
    assert found is not None
    return found


def test_all_words_with_head_0_are_roots() -> None:
    found = tolerated(conllu(("1 a a X _ _ 0 root", "2 b b X _ _ 0 root")), "ud.roots")
    assert found.heads.tolist() == [2, 2]


def test_heads_in_circles_count_as_they_stand() -> None:
    found = tolerated(conllu(("1 a a X _ _ 2 dep", "2 b b X _ _ 1 dep")), "ud.cycle")
    assert found.heads.tolist() == [1, 0]


def test_unreadable_deps_are_none() -> None:
    found = tolerated(conllu(("1 a a X _ _ 0 root 0:root", "2 b b X _ _ 1 dep 7:dep|1:dep")), "ud.deps")
    assert found.edges.word.tolist() == [0]


def test_of_two_empty_nodes_with_one_id_the_later_counts() -> None:
    rows = ("1 a a X _ _ 0 root 0:root", "1.1 x _ _ _ _ _ _ 1:conj", "1.1 y _ _ _ _ _ _ 1:obj", "2 b b X _ _ 1 dep 1.1:dep")
    found = tolerated(conllu(rows), "ud.empty-node")
    assert [found.edges.paths.text(path) for path in found.edges.path.tolist()] == ["root", "obj>dep"]


def test_an_empty_field_is_no_value() -> None:
    found = tolerated(conllu(TREE).replace("rain", ""), "ud.empty-field")
    assert found.fields["LEMMA"][0] == "_"


def test_white_space_is_kept() -> None:
    found = tolerated(conllu(TREE).replace("rain", "ra  in"), "ud.white-space")
    assert found.fields["LEMMA"][0] == "ra  in"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (conllu(TREE).replace("2\tfell", "# x\n2\tfell"), "ud.comment"),
        ("\n" + conllu(TREE), "ud.blank-line"),
        (conllu(TREE)[:-1], "ud.end"),
        (conllu(TREE)[:-2], "ud.end"),
    ],
)
def test_arrangement(text: str, code: str) -> None:
    found = tolerated(text, code)
    assert (found.characters, len(found.units)) == ("Rainfell", 1)


def test_a_blank_line_of_white_space_ends_rows() -> None:
    found = tolerated(conllu(TREE, ("1 Go go VERB _ _ 0 root",)).replace("\n\n1", "\n \t\n1"), "ud.blank-line")
    assert found.first.tolist() == [0, 2, 3]


def test_names_and_texts_that_are_missing_are_told_if_asked() -> None:
    rules = {"ud.no-sent-id": "warning", "ud.no-text": "error"}
    named = "# sent_id = a\n# text = Rain fell\n" + conllu(TREE)
    assert read("gold", named + conllu(TREE), rules=rules)[1] == ["6: ud.no-sent-id", "6: ud.no-text"]
    assert read("gold", conllu(TREE))[1] == []
    assert read("gold", "# sent_id = \n# text =\n" + conllu(TREE), rules=rules)[1] == ["2: ud.text-comment", "3: ud.no-sent-id"]


def test_a_last_sentence_without_rows_has_no_line_to_tell_what_is_missing_at() -> None:
    rules = {"ud.no-sent-id": "warning", "ud.no-text": "warning"}
    named = "# sent_id = a\n# text = Rain fell\n" + conllu(TREE)
    assert read("gold", f"{named}1\tx\n\n", rules=rules)[1] == ["6: ud.columns"]


def test_units_are_named_or_numbered() -> None:
    named = "# sent_id = a\n" + conllu(TREE) + "# sent_id = b\n" + conllu(TREE)
    assert read("gold", named)[0].units == ("a", "b")  # type: ignore[union-attr]
    for text in (
        named.replace("= b", "= a"),
        named.replace("= a", "="),
        named.replace("# sent_id = b\n", ""),
        named.replace("= b", "= b c"),
    ):
        assert read("gold", text)[0].units == ("1", "2")  # type: ignore[union-attr]
