from __future__ import annotations

from hypothesis import given

from pytest_nlpeval.explanations import Explanation, Explanations, Omitted
from pytest_nlpeval.tasks.qa.measures import scores_of
from pytest_nlpeval.tasks.qa.options import Options
from tests.unit.tasks.qa.files import Answers, Rules, Texts, counted, lines, runs, squad

CONTEXT = "Varga built the Orlin Bridge over the Senn."
TOLERANT: Rules = {"qa.missing-id": "off"}


def explained(
    answers: Answers, predictions: Texts, numbers: dict[str, float] | None = None, threshold: float = 1.0
) -> dict[str, Explanation]:
    found = counted(squad(answers), predictions, numbers, Options(threshold=threshold), TOLERANT).explanations
    return {entry.unit: entry for entry in found if isinstance(entry, Explanation)}


def test_each_reason() -> None:
    answers = {
        "wrong": ["x"],
        "partial": ["x y"],
        "empty": ["x"],
        "article": ["x"],
        "over": ["x"],
        "false": [],
        "missing": ["x"],
        "right": ["x"],
    }
    predictions = {"wrong": "v", "partial": "x", "empty": "", "article": "the", "over": "x", "false": "v", "right": "X."}
    numbers = dict.fromkeys(answers, 0.0) | {"over": 0.7}
    found = explained(answers, predictions, numbers, 0.5)
    assert {name: (entry.reason, entry.kind) for name, entry in found.items()} == {
        "wrong": ("wrong", "wrong-value"),
        "partial": ("partial", "partial"),
        "empty": ("no-answer", "missed"),
        "article": ("no-answer", "missed"),
        "over": ("no-answer", "missed"),
        "false": ("false-answer", "spurious"),
        "missing": ("missing", "missed"),
    }


def test_a_question_without_prediction_has_the_line_of_gold() -> None:
    questions = [{"id": name, "answers": ["x"]} for name in "abc"]
    found = counted(lines(*questions), lines({"id": "b", "prediction": "y"}), rules=TOLERANT).explanations
    facts = [(entry.unit, entry.line, entry.gold_line) for entry in found if isinstance(entry, Explanation)]
    assert facts == [("a", None, 1), ("c", None, 3), ("b", 1, None)]


def test_what_is_said() -> None:
    answers = {"1": ["the Orlin Bridge", "bridge"], "2": [], "3": ["x"]}
    found = explained(answers, {"1": "Senn", "2": "Varga", "3": "x"}, {"1": 0.0, "2": 0.0, "3": 0.75}, 0.5)
    assert found["1"].message == '"Is it 1?": predicted "Senn"; gold has "the Orlin Bridge" or "bridge"'
    assert found["2"].message == '"Is it 2?": predicted "Varga"; gold has no answer'
    assert found["3"].message == '"Is it 3?": predicted "x", which counts as no answer at 0.75, above the threshold; gold has "x"'
    assert (found["1"].gold, found["1"].system) == ("the Orlin Bridge | bridge", "Senn")
    assert explained({"1": ["x"]}, {})["1"].message == '"Is it 1?": has no prediction; gold has "x"'


def test_long_texts_are_cut_to_200_code_points() -> None:
    (found,) = explained({"1": ["😀" * 300]}, {"1": "z" * 300}).values()
    assert found.gold == "😀" * 199 + "…"
    assert found.system == "z" * 199 + "…"
    assert f'"{found.system}"' in found.message
    assert "z" * 200 not in found.message


def test_of_very_many_answers_ten_are_told_and_the_others_counted() -> None:
    """Each once; of eleven the last one is another."""
    for number, others in ((10, ""), (11, " or 1 other"), (5_000, " or 4,990 others")):
        (found,) = explained({"1": [f"x{rank}" for rank in (0, *range(number))]}, {"1": "y"}).values()
        ten = [f"x{rank}" for rank in range(10)]
        assert found.message == '"Is it 1?": predicted "y"; gold has ' + " or ".join(f'"{name}"' for name in ten) + others
        assert found.gold == " | ".join([*ten, *(["…"] if others else [])])


def test_what_it_bears_on() -> None:
    answers = {"1": ["x"], "2": [], "3": ["x"], "4": ["x"]}
    found = explained(answers, {"1": "v", "2": "v", "3": "x"}, {"1": 0, "2": 0, "3": 2, "4": 0}, 1)
    assert set(found["1"].measures) == {"exact", "f1", "HasAns.exact", "HasAns.f1", "best.exact", "best.f1"}
    assert set(found["2"].measures) == {"exact", "f1", "NoAns.exact", "NoAns.f1", "best.exact", "best.f1"}
    assert set(found["3"].measures) == {"exact", "f1", "HasAns.exact", "HasAns.f1"}  # another threshold would do
    assert "coverage" in found["4"].measures
    assert "best.f1" not in explained({"1": ["x"]}, {"1": "v"})["1"].measures


def test_the_passage_is_the_context_with_both_sides() -> None:
    gold = squad({"1": []}, CONTEXT)
    gold["data"][0]["paragraphs"][0]["qas"][0]["answers"] = [
        {"text": "Orlin Bridge", "answer_start": 16},
        {"text": "Orlin Bridge", "answer_start": 16},
        {"text": "Bridge", "answer_start": 3},
    ]
    (found,) = (entry for entry in counted(gold, {"1": "Senn"}).explanations if isinstance(entry, Explanation))
    assert found.passage is not None
    assert found.passage.text == CONTEXT
    marked = [[CONTEXT[start:end] for start, end in side] for side in (found.passage.gold, found.passage.system)]
    assert marked == [["Orlin Bridge"], ["Senn"]]  # what does not stand where it should is not marked


def test_a_line_of_json_lines_is_told() -> None:
    records = lines({"id": "1", "prediction": "x"}, {"id": "2", "prediction": "v"})
    (found,) = (
        entry for entry in counted(squad({"1": ["x"], "2": ["x"]}), records).explanations if isinstance(entry, Explanation)
    )
    assert (found.unit, found.line, found.passage) == ("2", 2, None)


@given(run=runs())
def test_every_question_that_is_not_exact_has_one_reason(run: tuple[Answers, Texts, dict[str, float]]) -> None:
    answers, predictions, numbers = run
    options = Options(threshold=0.5)
    found = counted(squad(answers), predictions, numbers, options)
    wrong = [name for name, exact in zip(found.evidence.units, scores_of(found.evidence, "exact"), strict=True) if not exact]
    units = [entry.unit for entry in found.explanations if isinstance(entry, Explanation)]
    assert sorted(units) == sorted(wrong)


def test_of_very_many_the_first_are_written_out() -> None:
    answers = {str(number): ["x"] for number in range(1_100)}
    found = list(counted(squad(answers), dict.fromkeys(answers, "v")).explanations)
    assert found[-1] == Omitted("wrong", 100)
    assert Explanations.of(found).counts == {"wrong": 1_100}
