"""Why items are not right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pytest_nlpeval.explanations import Explanation, Explanations, Omitted
from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog, Rule
from pytest_nlpeval.shelf import ROOM, SURE
from pytest_nlpeval.tasks.labels import TASK
from pytest_nlpeval.tasks.labels.options import options
from tests.unit.tasks.labels.files import objects, scored, table

GOLD = "id\tlabel\ttext\tsource\n1\ta\tOne  text.\tX\n2\tb\tTwo.\tY\n3\ta\tThree.\tZ\n"


def explained(*arguments: Any, **given: Any) -> list[Explanation]:
    return [found for found in scored(*arguments, **given).explanations if isinstance(found, Explanation)]


def test_a_wrong_label_with_its_text_and_line() -> None:
    (found,) = explained(GOLD, table([(2, "b"), (3, "a"), (1, "b")]), text=["text", "source"])
    assert found[:5] == ("1", "wrong-label", "gold a, system b", 4, "wrong-value")
    assert (found.gold, found.system) == ("a", "b")
    assert found.passage is not None
    assert found.passage.text == "One text. | X"
    assert all(map(found.bears_on, ("accuracy", "a.recall", "b.precision", "macro.f1", "kappa")))
    assert not any(map(found.bears_on, ("a.precision", "b.recall", "coverage", "group.x.accuracy")))


def test_probabilities_of_both_labels() -> None:
    system = table([(1, "b", 0.25), (2, "b", 0.5), (3, "a", 1)], "id label p")
    (found,) = explained(GOLD, system, probability="p", positive="a")
    assert found.message == "gold a (p 0.25), system b (p 0.75)"
    assert found.bears_on("log_loss")


def test_measures_of_the_items_group() -> None:
    gold = table([(1, "a", "x"), (2, "b", "y")], "id label group")
    (found,) = explained(gold, table([(1, "b"), (2, "b")]), group="group")
    assert found.bears_on("group.x.accuracy")
    assert not found.bears_on("group.y.accuracy")


def test_sets() -> None:
    gold = objects(
        [{"id": 1, "labels": ["a", "b"]}, {"id": 2, "labels": []}, {"id": 3, "labels": ["a"]}, {"id": 4, "labels": ["c"]}]
    )
    system = objects(
        [{"id": 1, "labels": ["b"]}, {"id": 2, "labels": ["a"]}, {"id": 3, "labels": ["c"]}, {"id": 4, "labels": ["c"]}]
    )
    found = explained(gold, system, None, ("g.jsonl", "s.jsonl"), kind="labels")
    assert [(one.unit, one.reason, one.kind, one.message) for one in found] == [
        ("1", "missed-labels", "missed", "gold {a, b}, system {b}"),
        ("2", "spurious-labels", "spurious", "gold {}, system {a}"),
        ("3", "wrong-labels", "wrong-value", "gold {a}, system {c}"),
    ]
    assert found[0].bears_on("micro.recall")
    assert not found[0].bears_on("micro.precision")


def test_the_greatest_difference_comes_first_then_the_id() -> None:
    gold, system = (table(rows, "id score") for rows in ([("b", 1), ("a", 2), ("c", 0)], [("b", 2), ("a", 1), ("c", 3)]))
    found = explained(gold, system, kind="score")
    assert [one.unit for one in found] == ["c", "a", "b"]
    assert found[0].message == "gold 0.0, system 3.0: they differ by 3"


def test_unjudged() -> None:
    rules: dict[str, Rule] = {"labels.missing-id": "off"}
    (label,) = explained(GOLD, table([(1, "a"), (2, "b")]), rules)
    assert label[:4] == ("3", "unjudged", "has no answer; gold a", None)
    assert label.bears_on("coverage")
    (score,) = explained(table([(1, 2.5), (2, 1)], "id score"), table([(2, 1)], "id score"), rules, kind="score")
    assert score.message == "has no answer; gold 2.5"


def test_of_very_many_the_first_and_some_of_each_label_are_written() -> None:
    rows = [(row, "a") for row in range(ROOM + 100)] + [(f"b{row}", "b") for row in range(100)]
    found = scored(table(rows), table([(row, "c") for row, _ in rows])).explanations
    written = [one for one in found if isinstance(one, Explanation)]
    assert len(written) == ROOM + SURE
    assert sum(one.gold == "b" for one in written) == SURE
    assert [one for one in found if isinstance(one, Omitted)] == [Omitted("wrong-label", 200 - SURE)]
    assert Explanations.of(found).counts == {"wrong-label": ROOM + 200}


def test_texts_are_cut_and_json_that_has_none_is_quoted_as_nothing() -> None:
    gold = objects([{"id": 1, "label": "a", "text": "x" * 500}, {"id": 2, "label": "a"}])
    first, second = explained(gold, table([(1, "b"), (2, "b")]), None, ("g.jsonl", "s.tsv"), text="text")
    assert first.passage is not None
    assert second.passage is not None
    assert (len(first.passage.text), second.passage.text) == (200, "")


def test_texts_of_a_file_that_has_changed_are_not_quoted(tmp_path: Path) -> None:
    path = tmp_path / "g.tsv"
    path.write_text(GOLD)
    log = ProblemLog("g.tsv", TASK.problems)
    gold = TASK.role("gold").read(Source("g.tsv", path.read_bytes(), path), {}, options(text="text"), log)
    assert gold.texts([2], options(text="text")) == {2: "Three."}
    path.write_text("id\tlabel\ttext\n")
    assert gold.texts([2], options(text="text")) == {}
    path.unlink()
    assert gold.texts([2], options(text="text")) == {}
