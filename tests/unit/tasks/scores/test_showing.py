"""What people see: explanations in their order, notes, messages, graphs."""

from __future__ import annotations

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.graphs import Bars, Graph
from pytest_nlpeval.tasks.scores.graphs import graphs
from pytest_nlpeval.tasks.scores.options import options
from pytest_nlpeval.tasks.scores.remarks import remarks
from tests.unit.tasks.scores.files import Scored, items, objects, scored


def explained(found: Scored) -> list[Explanation]:
    return [entry for entry in found.explanations if isinstance(entry, Explanation)]


RUN: list[dict[str, object]] = [
    {"id": "a", "r": 1, "answer": "yes"},
    {"id": "a", "r": 1},
    {"id": "b", "r": 1},
    {"id": "b", "r": 0, "answer": "no\nnever"},
    {"id": "c", "r": 0},
    {"id": "c", "error": {"message": "boom"}},
    {"id": "d", "r": 0},
    {"id": "d", "r": 0},
    {"id": "e", "r": 1},
]
GOLD = objects({"id": name, "g": "x", "q": f"What is {name}?"} for name in "abcde")


def run() -> Scored:
    text = {"gold": "q", "system": ["answer"]}
    return scored(GOLD, objects(RUN), repeats=2, error="error", group="g", text=text, results={"r": {"pass": 1, "missing": 0}})


def test_the_worst_come_first() -> None:
    assert [(entry.item, entry.reason, entry.kind) for entry in explained(run())] == [
        ("c:r", "error", "missed"),
        ("e:r", "missing", "missed"),
        ("d:r", "failed", "wrong-value"),
        ("b:r", "flaky", "partial"),
    ]


def test_messages_passages_and_lines() -> None:
    error, missing, failed, flaky = explained(run())
    assert (
        error.message == 'r: no value in 1 of 2 repeats; each counts as 0; the record says {"message": "boom"}; 0 of 2 pass: 0, -'
    )
    assert missing.message == "r: no value in 1 of 2 repeats; each counts as 0; 1 of 2 pass: 1, -"
    assert failed.message == "r: 0 of 2 pass: 0, 0, mean 0; a value passes if it is at least 1"
    assert (error.line, failed.line, flaky.line) == (6, 7, 4)
    assert flaky.passage is not None
    assert flaky.passage.text == "What is b? | no never"


def test_explanations_bear_on_their_measures() -> None:
    error, *_, flaky = explained(run())
    for name in ("r.mean", "r.pass_rate", "all.pass_rate", "group.x.r.mean", "macro.r.mean"):
        assert error.bears_on(name)
        assert flaky.bears_on(name)
    assert error.bears_on("errors")
    assert not flaky.bears_on("coverage")


def test_twenty_low_values_are_told_and_the_best_is_not() -> None:
    records = objects({"id": f"{item:02}", "ms": item // 2} for item in range(60))
    found = scored(items(f"{item:02}" for item in range(60)), records, results={"ms": {"better": "lower"}})
    assert [entry.unit for entry in explained(found)] == [f"{item}" for high in range(58, 38, -2) for item in (high, high + 1)]
    same = objects({"id": "a", "ms": 3} for _ in range(1))
    assert explained(scored(items("a"), same, results={"ms": {"better": "lower"}})) == []


def test_problems_quote_the_error_and_say_the_cure() -> None:
    found = scored(items("ab"), objects([{"id": "a", "score": 1}, {"id": "b", "error": "boom"}]), error="error")
    (problem,) = found.problems
    assert problem.message.startswith('item "b", score: no value (the record says "boom"); complete the run')
    assert problem.line == 2


def test_of_a_record_of_no_item_it_is_said() -> None:
    found = scored(items("a"), objects([{"id": "a", "r": 1}, {"id": "b", "r": "x"}]), results=["r"])
    assert [problem.message.partition(" is not")[0] for problem in found.problems if problem.code == "scores.number"] == [
        'a record of no item, r: "x"'
    ]


def test_of_a_field_that_is_null_in_all_records_no_other_name_is_proposed() -> None:
    found = scored(items("a"), objects([{"id": "a", "r": None}]), results={"r": {"missing": 0}})
    assert [problem.message for problem in found.problems] == [
        'no record has the field "r"; it is null in all of them; one at least must have a value'
    ]


def test_a_number_better_than_the_median_is_told() -> None:
    records = objects([{"id": "a", "ms": 100}, {"id": "b", "ms": 200}])
    for missing, is_told in ((30, True), (1000, False)):
        found = scored(items("abc"), records, results={"ms": {"better": "lower", "missing": missing}})
        (problem,) = found.problems
        assert ("better than 150, the median" in problem.message) == is_told


def test_graphs_are_finite_and_by_group() -> None:
    found = run()
    assert found.evidence is not None
    drawn = list(graphs(found.evidence, options(**found.given)))
    assert [type(drawing) for drawing in drawn] == [Graph, Bars]
    spread, groups = drawn
    assert isinstance(spread, Graph)
    assert spread.series[0].points == ((0.0, 0.0), (0.0, 2 / 5), (0.5, 4 / 5), (1.0, 1.0))
    assert isinstance(groups, Bars)
    assert groups.bars == (("x", (1 + 1 / 2 + 0 + 0 + 1 / 2) / 5),)


def test_few_clusters_are_told() -> None:
    gold = objects({"id": str(item), "c": str(item % 19)} for item in range(40))
    records = objects({"id": str(item), "score": 1} for item in range(40))
    found = scored(gold, records, cluster="c")
    assert found.evidence is not None
    assert [note.split(":")[0] for note in remarks(found.evidence, options(**found.given))] == ["there are only 19 clusters"]


def test_an_item_without_record_has_the_line_of_gold() -> None:
    found = scored(items("ab"), objects([{"id": "a", "r": 1}]), results={"r": {"missing": 0}})
    (entry,) = (entry for entry in explained(found) if entry.reason == "missing")
    assert (entry.unit, entry.line, entry.gold_line) == ("b", None, 2)
