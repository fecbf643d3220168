from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.are.inputs import Entities, Words
from pytest_nlpeval.tasks.are.options import Options
from tests.unit.tasks.are.files import Rules, candidates, codes, read, words


def entities_of(text: str) -> Entities:
    found, problems = read("input", text, Options(1))
    assert problems == ()
    assert isinstance(found, Entities)
    return found


def words_of(text: str) -> Words:
    found, problems = read("input", text, Options(3))
    assert problems == ()
    assert isinstance(found, Words)
    return found


def test_entities_have_all_the_words_inside_them() -> None:
    nested = '<entity id="1">the\n dog of <entity id="2"><entity id="3"> her </entity>aunt</entity></entity>'
    text = f"<i><text><p>So {nested} slept.</p></text><anaphoric_pronouns/></i>"
    found = entities_of(text)
    assert {name: found.text(name) for name in found.spans} == {"1": "the dog of her aunt", "2": "her aunt", "3": "her"}
    assert found.whole.split() == ["So", "the", "dog", "of", "her", "aunt", "slept."]
    assert found.pronouns == ()
    assert (found.label("2"), found.label("9")) == ('2 "her aunt"', "9")


def test_pronouns_are_in_the_order_of_the_list() -> None:
    assert entities_of(candidates("abc", "cb")).pronouns == ("c", "b")


def test_words_lie_between_nodes_whatever_the_paragraphs() -> None:
    first, second = '<node id="x"/>The <node id="9"/>\n dog', '<node id="3"/>of &amp; <!-- a --> Zair<node id="y"/>'
    text = f"<i>\n<text>\n<p>{first}</p><p>{second}</p>\n</text></i>"
    found, problems = read("input", text, Options(3))
    assert isinstance(found, Words)
    assert codes(problems) == [("are.words", 4)]
    assert found.ids == ("x", "9", "3", "y")
    assert found.ranks == {"x": 0, "9": 1, "3": 2, "y": 3}
    assert found.words == ("The", "dog", "of & Zair", "")
    assert found.text((0, 3)) == "The dog of & Zair"
    assert found.label((1, 2)) == '9-3 "dog"'


def test_long_mentions_are_cut_short() -> None:
    found = words_of(words(20))
    assert found.label((0, 10)) == '0-10 "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9"'
    assert found.label((0, 11)) == '0-11 "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 …"'


def test_texts_of_nothing() -> None:
    assert words_of("<i><text/></i>") == Words((), {}, ())
    assert words_of('<i><text><node id="1"/></text></i>') == Words(("1",), {"1": 0}, ("",))
    assert entities_of("<i><text/><anaphoric_pronouns/></i>") == Entities("", {}, ())


def test_subtask_2_needs_no_pronouns() -> None:
    text = '<i><text><entity id="1">a</entity></text></i>'
    found, problems = read("input", text, Options(2))
    assert (found, problems) == (Entities("a", {"1": (0, 1)}, ()), ())
    assert codes(read("input", text, Options(1))[1]) == [("are.no-pronouns", None)]


RULES: Rules = {"are.duplicate-id": "warning"}


def test_what_is_tolerated_counts_the_first_time() -> None:
    text = candidates("aab", "aa", {"a": "she"}).replace(">she<", ">he<", 1)
    found, problems = read("input", text, Options(1), rules=RULES)
    assert codes(problems) == [("are.duplicate-id", 4), ("are.duplicate-id", 9)]
    assert isinstance(found, Entities)
    assert ({name: found.text(name) for name in found.spans}, found.pronouns) == ({"a": "he", "b": "b"}, ("a",))
    found, _ = read("input", '<i><text><entity id="a">x <entity id="a">y</entity> z</entity></text></i>', Options(2), rules=RULES)
    assert found == Entities("x y z", {"a": (0, 5)}, ())
    found, _ = read("input", words(3).replace('id="2"', 'id="1"'), Options(4), rules={"are.duplicate-id": "off"})
    assert found == Words(("0", "1", "3"), {"0": 0, "1": 1, "3": 2}, ("w0", "w1 w2", ""))


@pytest.mark.parametrize("subtask", [1, 2, 3, 4])
@pytest.mark.parametrize("text", ["", "<i/>", "<i>text</i>", "<i><text/><text/></i>", "<i><text><b/></text></i>", "{}", "<i"])
def test_what_is_no_input_is_a_problem(text: str, subtask: int) -> None:
    found, problems = read("input", text, Options(subtask))
    assert found is None
    assert problems
    assert all(problem.code.startswith("xml.") for problem in problems)


def test_unknown_pronouns_come_with_a_hint() -> None:
    _, (problem,) = read("input", candidates(["dog", "cat"], ["dgo"]), Options(1))
    assert problem.code == "are.unknown-id"
    assert 'no entity "dgo"; did you mean "dog"?' in problem.message
