from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from pytest_nlpeval.explanations import LONGEST_PASSAGE, Entry, Explanation, Explanations, Omitted
from pytest_nlpeval.files import FILE_KINDS, read_source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.shelf import ROOM, SURE
from pytest_nlpeval.tasks.rte import PROBLEMS, TASK, judgment_errors
from pytest_nlpeval.tasks.rte.gold import read_gold
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Options
from tests.unit.tasks.rte.files import (
    FIVE,
    ROWS,
    RUN,
    Row,
    corpus,
    documents_of,
    evidence_of,
    gold_of,
    gold_text,
    pair,
    run_lines,
    run_of,
    values_of,
)


def found_of(gold: str, run: str) -> list[Entry]:
    return list(TASK.count(documents_of(gold, run), Options(), ProblemLog("run.txt", PROBLEMS)).explanations)


def written(gold: str, run: str) -> list[Explanation]:
    return [found for found in found_of(gold, run) if isinstance(found, Explanation)]


def test_the_worked_example() -> None:
    (found,) = written(gold_text(FIVE), RUN)
    assert found[:8] == (
        "2",
        "wrong-judgment",
        "pair 2 is TRUE in gold, judged FALSE with confidence 0.221",
        2,
        "wrong-value",
        "2",
        "TRUE",
        "FALSE",
    )
    assert found.passage is not None
    assert found.passage.text == "A ferry left at dawn. ⊢ A ferry left."


def test_pairs_that_are_not_judged() -> None:
    wrong, missed = written(gold_text(FIVE[:2]), "2 FALSE\n")
    assert wrong.message == "pair 2 is TRUE in gold, judged FALSE"
    assert not wrong.bears_on("cws")
    assert (missed.unit, missed.kind, missed.gold, missed.system, missed.line) == ("1", "missed", "TRUE", "", None)
    assert (wrong.gold_line, missed.gold_line) == (None, 1 + gold_text(FIVE[:2]).partition('<pair id="1"')[0].count("\n"))
    assert missed.message == "pair 1, TRUE in gold, is not judged"
    assert missed.measures == ("coverage", "task.IR.coverage")


@given(ROWS)
def test_a_correction_raises_the_measures_that_an_explanation_names(rows: list[Row]) -> None:
    rows = [row for row in rows if row.said is not None]
    gold = gold_text(row.gold(name) for name, row in enumerate(rows)) if rows else gold_text(FIVE)
    before = values_of(evidence_of(gold, "".join(run_lines(rows))))
    for found in written(gold, "".join(run_lines(rows))) if rows else ():
        rank = int(found.unit)
        right = [
            *rows[:rank],
            Row(rows[rank].setting, rows[rank].holds, rows[rank].holds, rows[rank].confidence),
            *rows[rank + 1 :],
        ]
        after = values_of(evidence_of(gold, "".join(run_lines(right))))
        for name in filter(found.bears_on, before):
            old, new = before[name], after[name]
            assert new is None or old is None or new >= old, (
                name
            )  # precision stays 0 where all other judgments of the word are wrong
            assert name.endswith((".precision", ".f1")) or new != old, name
        assert {"accuracy", "cws", f"task.{rows[rank].setting}.cws"} <= set(filter(found.bears_on, before))


@pytest.mark.parametrize(
    ("judgments", "misplaced"),
    [
        ("1 YES\n2 YES\n3 NO\n4 NO\n", {"2", "3"}),
        ("1 YES\n3 YES\n2 YES\n4 NO\n", set()),
        ("2 YES\n1 YES\n3 YES\n4 NO\n", {"2"}),
    ],
)
def test_average_precision_suffers_from_pairs_at_a_wrong_place(judgments: str, misplaced: set[str]) -> None:
    gold = gold_text((("1", "IE", True), ("2", "IE", False), ("3", "IE", True), ("4", "IE", False)), LATER)
    found = written(gold, "ranked: yes\n" + judgments)
    assert {one.unit for one in found if one.bears_on("average_precision")} == misplaced
    assert not any(one.bears_on("average_precision") for one in written(gold, "ranked: no\n" + judgments))


def test_a_passage_has_the_whole_hypothesis_and_as_much_of_the_text_as_fits() -> None:
    (found,) = written(corpus(pair("1", "IR", 'value="TRUE"', text="word\n " * 500)), "1 FALSE\n")
    assert found.passage is not None
    text, hypothesis = found.passage.text.split(" ⊢ ")
    assert text.startswith("word word ")
    assert text.endswith("…")
    assert hypothesis == "A ferry left."
    assert len(found.passage.text) == LONGEST_PASSAGE


def test_texts_are_those_of_the_pair_that_counts() -> None:
    text = corpus(
        pair("1", "IR", 'value="TRUE"', text="First."),
        pair("2", "IR", 'value="TRUE"', text="Second."),
        pair("1", "IR", 'value="TRUE"', text="Third."),
    )
    gold, _ = gold_of(text, rules={"rte.duplicate-id": "warning"})
    assert gold is not None
    assert gold.texts(["2", "1"]) == {"1": ("First.", "A ferry left.", 2), "2": ("Second.", "A ferry left.", 3)}
    assert gold.texts([]) == {}


def test_nothing_is_read_again_before_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(judgment_errors, "explain_together")
    counted = TASK.count(documents_of(gold_text(FIVE), RUN), Options(), ProblemLog("run.txt", PROBLEMS))
    with pytest.raises(NameError):
        next(iter(counted.explanations))


def test_of_very_many_the_first_are_written_and_some_of_each_sort() -> None:
    settings = ["IR"] * (ROOM + 50) + ["QA"] * (SURE + 5)
    gold = gold_text((str(name), setting, True) for name, setting in enumerate(settings))
    found = found_of(gold, "".join(f"{name} FALSE\n" for name in range(len(settings))))
    assert len(found) == ROOM + SURE + 1
    assert found[-1] == Omitted("wrong-judgment", 50 + 5)
    kept = Explanations.of(found)
    assert sum(one.bears_on("task.QA.accuracy") for one in kept.first) == SURE
    assert kept.counts == {"wrong-judgment": len(settings)}


@given(ROWS)
def test_every_pair_is_right_or_explained(rows: list[Row]) -> None:
    gold = gold_text((row.gold(name) for name, row in enumerate(rows)), FIRST)
    explained = {found.unit for found in written(gold, "".join(run_lines(rows)))}
    assert explained == {str(name) for name, row in enumerate(rows) if row.said is not row.holds}


@pytest.mark.parametrize("change", ["remove", "cut", "folder"])
def test_texts_are_left_out_if_the_file_is_not_any_more_what_it_was(tmp_path: Path, change: str) -> None:
    path = tmp_path / "gold.xml"
    path.write_text(gold_text(FIVE))
    log = ProblemLog("gold.xml", {**PROBLEMS, **FILE_KINDS})
    source = read_source(path, log, root=tmp_path)
    assert source is not None
    gold = read_gold(source, {}, Options(), log)
    assert gold is not None
    assert gold.texts(["5"]) == {"5": ("A ferry left at dawn.", "A ferry left.", 6)}
    if change == "cut":
        path.write_text(gold_text(FIVE)[:40])
    else:
        path.unlink()
    if change == "folder":
        path.mkdir()
    assert gold.texts(["5"]) == {}
    run, _ = run_of("5 TRUE\n", gold)
    found = TASK.count({"gold": gold, "system": run}, Options(), log).explanations
    assert {one.passage for one in found if isinstance(one, Explanation)} == {None}
