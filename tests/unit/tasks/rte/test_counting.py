from __future__ import annotations

import pytest

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.rte import PROBLEMS, TASK
from pytest_nlpeval.tasks.rte.confidence import NONE, confidence_key
from pytest_nlpeval.tasks.rte.options import LATER, Options
from tests.unit.tasks.rte.files import FIVE, RUN, Rules, documents_of, evidence_of, gold_text

GOLD = gold_text(FIVE)


def columns_of(gold: str, run: str) -> dict[str, list[float]]:
    evidence = evidence_of(gold, run)
    return {name: evidence.column(name).tolist() for name in evidence.columns}


def test_the_worked_example() -> None:
    assert columns_of(GOLD, RUN) == {
        "judged": [1, 1, 1, 1, 1],
        "correct": [1, 0, 1, 1, 1],
        "gold.TRUE": [1, 1, 0, 1, 0],
        "gold.FALSE": [0, 0, 1, 0, 1],
        "system.TRUE": [1, 0, 0, 1, 0],
        "system.FALSE": [0, 1, 1, 0, 1],
        "ranked": [0, 0, 0, 0, 0],
        "line": [1, 2, 3, 4, 5],
        "confidence": [confidence_key(text) for text in ("0.348", "0.221", "0.873", "1", "0.003")],
        "task.IR": [1, 1, 0, 0, 0],
        "task.PP": [0, 0, 1, 0, 0],
        "task.QA": [0, 0, 0, 1, 0],
        "task.IE": [0, 0, 0, 0, 1],
    }


def test_rows_are_the_gold_pairs_judged_or_not() -> None:
    evidence = evidence_of(GOLD, "3 TRUE\n5 FALSE\n")
    assert evidence.units == ("1", "2", "3", "4", "5")
    columns = {name: column.tolist() for name, column in evidence.columns.items()}
    assert columns["judged"] == [0, 0, 1, 0, 1]
    assert columns["correct"] == [0, 0, 0, 0, 1]
    assert columns["system.TRUE"] == [0, 0, 1, 0, 0]
    assert columns["system.FALSE"] == [0, 0, 0, 0, 1]
    assert columns["confidence"] == [NONE] * 5
    assert columns["gold.FALSE"] == [0, 0, 1, 0, 1]


def test_an_unjudged_pair_that_does_not_entail_is_not_correct() -> None:
    assert columns_of(GOLD, "")["correct"] == [0] * 5


def test_a_ranked_run() -> None:
    gold = gold_text((("1", "IE", True), ("2", "SUM", False)), LATER)
    columns = columns_of(gold, "ranked: yes\n2 YES\n1 NO\n")
    assert columns["line"] == [3, 2]
    assert columns["ranked"] == [1, 1]
    assert columns["system.YES"] == [0, 1]
    assert {name for name in columns if name.startswith("task.")} == {"task.IE", "task.SUM"}


def ties(confidences: list[str], wrong: set[int], rules: Rules | None = None) -> list[str]:
    """The messages of `rte.ties` for a run on as many TRUE pairs."""
    gold = gold_text((str(name), "IR", True) for name in range(len(confidences)))
    run = "".join(f"{name} {'FALSE' if name in wrong else 'TRUE'} {text}\n" for name, text in enumerate(confidences))
    log = ProblemLog("run.txt", PROBLEMS, rules)
    TASK.count(documents_of(gold, run), Options(), log)
    return [problem.message for problem in log.problems() if problem.code == "rte.ties"]


def test_ties_warn_with_both_figures() -> None:
    (message,) = ties(["0.5"] * 4, wrong={0, 3})
    low, high = (0 + 0 + 1 / 3 + 2 / 4) / 4, (1 + 1 + 2 / 3 + 2 / 4) / 4
    assert message.startswith("4 of 4 pairs are tied")
    assert f"from {low:.4f} to {high:.4f}" in message


@pytest.mark.parametrize(("pairs", "warned"), [(20, False), (19, True)])
def test_ties_warn_above_a_tenth_of_the_judged_pairs(pairs: int, warned: bool) -> None:
    assert bool(ties(["1", "1", *(f"0.{90 - rank}" for rank in range(pairs - 2))], wrong={0})) is warned


def test_ties_do_not_warn_if_their_order_changes_little() -> None:
    confidences = [f"0.{999 - rank}" for rank in range(40)] + ["0"] * 20
    assert ties(confidences, wrong={40}) == []
    assert ties(confidences, wrong=set(range(40, 50))) != []


def test_without_ties_or_without_confidences_there_is_no_warning() -> None:
    assert ties(["0.5", "0.4", "0.3"], wrong={1}) == []
    assert ties(["", "", ""], wrong={1}, rules={"rte.blanks": "off"}) == []


def test_a_suite_may_switch_the_warning_off() -> None:
    assert ties(["1", "1"], wrong={0}, rules={"rte.ties": "off"}) == []
