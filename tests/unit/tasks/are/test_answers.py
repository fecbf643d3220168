from __future__ import annotations

from pytest_nlpeval.tasks.are.answers import Answers
from pytest_nlpeval.tasks.are.chains import Chains
from pytest_nlpeval.tasks.are.options import Options
from tests.unit.tasks.are.files import candidates, codes, id_chains, id_pairs, read, span_pairs, words

ENTITIES = {"input": read("input", candidates("abcd", "ab"), Options(1))[0]}
WORDS = {"input": read("input", words(9), Options(3))[0]}


def test_answers_in_the_order_of_the_file() -> None:
    found, problems = read("system", id_pairs({"b": "a", "a": "d"}), Options(1), ENTITIES)
    assert problems == ()
    assert found == Answers({"b": "a", "a": "d"}, {"b": 2, "a": 3})
    found, problems = read("system", span_pairs({(3, 4): (0, 2)}), Options(3), WORDS)
    assert (found, problems) == (Answers({(3, 4): (0, 2)}, {(3, 4): 2}), ())


def test_subtasks_2_and_4_have_chains() -> None:
    assert isinstance(read("system", id_chains([["a", "b"]]), Options(2), ENTITIES)[0], Chains)
    assert codes(read("system", id_pairs({"a": "b"}), Options(4), WORDS)[1]) == [("xml.root", 1)]


def test_a_second_answer_may_be_tolerated_and_does_not_count() -> None:
    text = id_pairs({"b": "a"}).replace("</r>", id_pairs({"b": "c"}).removeprefix("<r>\n"))
    _, (problem,) = read("system", text, Options(1), ENTITIES)
    assert (problem.code, problem.line) == ("are.answered-twice", 3)
    assert '"b" has an answer on line 2 already' in problem.message
    found, _ = read("system", text, Options(1), ENTITIES, {"are.answered-twice": "warning"})
    assert found.antecedents == {"b": "a"}


def test_no_span_is_its_own_antecedent() -> None:
    _, (problem,) = read("system", span_pairs({(3, 4): (3, 4)}), Options(3), WORDS)
    assert (problem.code, problem.line) == ("are.own-antecedent", 2)
    assert problem.message.startswith("3-4 is its own antecedent")


def test_without_the_input_answers_are_checked_all_the_same() -> None:
    assert codes(read("system", id_pairs({"x": "x"}), Options(1))[1]) == [("are.own-antecedent", 2)]
    assert codes(read("system", span_pairs({(8, 2): (8, 2), (1, 1): (2, 8)}), Options(3))[1]) == [("are.own-antecedent", 2)]
