from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.tasks.are.chains import Chain, Chains
from pytest_nlpeval.tasks.are.options import Options
from tests.unit.tasks.are.files import candidates, codes, id_chains, read, span_chains, words

ENTITIES = {"input": read("input", candidates("abcd", "ab"), Options(1))[0]}
WORDS = {"input": read("input", words(9).replace('id="3"', 'id="x"'), Options(3))[0]}


def by_id(text: str, **more: Any) -> tuple[Any, tuple[Problem, ...]]:
    return read("gold", text, Options(2), ENTITIES, **more)


def by_span(text: str, **more: Any) -> tuple[Any, tuple[Problem, ...]]:
    return read("gold", text, Options(3), WORDS, **more)


def test_chains_of_ids() -> None:
    found, problems = by_id('<r>\n<chain><node id="a"/><node id="c"/></chain>\n<chain id="z"><node id="b"/></chain></r>')
    assert codes(problems) == [("are.singleton", 3)]
    assert found == Chains((Chain("1", 2, ("a", "c")), Chain("z", 3, ("b",))), ())
    assert [chain.name for chain in found.linked] == ["1"]


def test_chains_of_spans_are_ranks() -> None:
    text = span_chains([[(0, 2), (4, 5)]], [(4, 5)]).replace('end="5"', 'end="5" value="she"').replace('start="0"', 'start="x"')
    found, problems = by_span(text.replace('end="2"', 'end="7"'))
    assert problems == ()
    assert found == Chains((Chain("1", 2, ((3, 7), (4, 5))),), ((4, 5),))


def test_pronouns_that_are_none() -> None:
    found, _ = by_span(span_chains([[(0, 2), (4, 5)]]).replace("/>", ' pronoun="false"/>'))
    assert found.pronouns == ()


@pytest.mark.parametrize(
    ("chains", "where"),
    [
        ([["a", "b", "a"]], 'chain "1"'),
        ([["a", "b"], ["c", "a"]], 'chain "1"'),
        ([["a", "b"], ["c", "d"], ["d", "b"]], 'chain "'),
    ],
)
def test_a_mention_stands_once(chains: list[list[str]], where: str) -> None:
    found, problems = by_id(id_chains(chains))
    assert found is None
    assert {problem.code for problem in problems} == {"are.repeated"}
    assert all(where in problem.message for problem in problems)


def test_spans_are_the_same_if_their_ranks_are() -> None:
    assert codes(by_span(span_chains([[(0, 2), (4, 5)], [(0, 2), (5, 6)]]))[1]) == [("are.repeated", 3)]


@pytest.mark.parametrize(("span", "code"), [((2, 2), "are.span"), ((4, 2), "are.span"), ((2, 99), "are.unknown-id")])
def test_spans_lie_in_the_text(span: tuple[int, int], code: str) -> None:
    found, problems = by_span(span_chains([[(0, 1), span]]))
    assert found is None
    assert codes(problems) == [(code, 2)]


def test_messages_of_spans_say_which_and_what_there_is() -> None:
    messages = [problem.message for problem in by_span(span_chains([[(4, 2), (0, 77)]]))[1]]
    assert 'starts at node "4", which is not before its end "2"' in messages[0]
    assert 'no node "77"; its nodes run from "0" to "9"' in messages[1]
    nothing = {"input": read("input", "<i><text/></i>", Options(3))[0]}
    _, problems = read("gold", span_chains([[(4, 2), (3, 3)]]), Options(3), nothing)
    assert [problem.message for problem in problems] == [
        f'the input has no node "{name}"; it has no nodes at all' for name in (4, 2, 3)
    ]


def test_without_the_input_ids_and_positions_are_not_checked_but_repetitions_are() -> None:
    assert codes(read("gold", id_chains([["x", "y"], ["x", "z"]]), Options(2))[1]) == [("are.repeated", 3)]
    assert codes(read("gold", span_chains([[(5, 2), (9, 1)], [(5, 2), (0, 0)]]), Options(4))[1]) == [("are.repeated", 3)]


def test_a_chain_id_twice_may_be_tolerated() -> None:
    text = id_chains([["a", "b"], ["c", "d"]]).replace("<chain>", '<chain id="k">')
    assert codes(by_id(text)[1]) == [("are.duplicate-id", 3)]
    found, _ = by_id(text, rules={"are.duplicate-id": "off"})
    assert [chain.mentions for chain in found.chains] == [("a", "b"), ("c", "d")]


def test_a_singleton_may_be_an_error_or_nothing() -> None:
    assert by_id(id_chains([["a"]]), rules={"are.singleton": "error"})[0] is None
    assert by_id(id_chains([["a"]]), rules={"are.singleton": "off"})[1] == ()
