from __future__ import annotations

import pytest

from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.metrics.temporal import TemporalLink
from pytest_nlpeval.tasks.cat.explaining import RIGHT, Explainer
from pytest_nlpeval.tasks.cat.standard.selection import Link
from pytest_nlpeval.tasks.cat.xml.document import Document
from tests.unit.tasks.cat.judging import judge
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config(
    "EVENT markable 0 class tense",
    "TIMEX3 markable 0 type",
    "TIMEX3 instance comparable type",
    "PLOT one2one directional relType",
)
PROFILES = ("standard", "nwr2014")


def explained(gold: Document, system: Document, profile: str) -> Explanations:
    return judge(CONFIG, gold, system, profile=profile, sentences="all").explanations


def only(found: Explanations, reason: str) -> Explanation:
    (explanation,) = (explanation for explanation in found.first if explanation.reason == reason)
    return explanation


@pytest.mark.parametrize("profile", PROFILES)
def test_what_became_of_markables(profile: str) -> None:
    gold = document(["a EVENT 1 class=X", "b EVENT 2 class=X tense=P", "c EVENT 3,4", "d EVENT 7", "t TIMEX3 - type=D"])
    system = document(["u EVENT 1 class=x", "v EVENT 2 class=Y tense=p", "w EVENT 3", "x EVENT 9", "z TIMEX3 - type=T"])
    found = explained(gold, system, profile)
    assert found.counts == {"matched": 1, "missed": 2, "overlapping": 1, "spurious": 2, "wrong-attribute": 1}
    assert sum(found.counts.values()) == len(found.first)
    wrong = only(found, "wrong-attribute")
    assert wrong.unit == "EVENT"
    assert 'class "Y", in gold "X"' in wrong.message
    assert "tense" not in wrong.message
    overlapping = only(found, "overlapping").message
    assert overlapping.index("EVENT w") < overlapping.index("EVENT c")
    missed, spurious = ([entry for entry in found.first if entry.reason == reason] for reason in ("missed", "spurious"))
    assert [entry.unit for entry in missed] == [entry.unit for entry in spurious] == ["EVENT", "TIMEX3"]
    assert ["EVENT d" in missed[0].message, "TIMEX3 t (empty)" in missed[1].message] == [True, True]
    assert ["EVENT x" in spurious[0].message, "TIMEX3 z (empty)" in spurious[1].message] == [True, True]
    assert found.first[-1].reason == "matched"


@pytest.mark.parametrize("profile", PROFILES)
def test_what_became_of_relations(profile: str) -> None:
    marks = ["a EVENT 1", "b EVENT 2", "c EVENT 3,4", "d EVENT 7"], ["u EVENT 1", "v EVENT 2", "w EVENT 3", "x EVENT 9"]
    gold = document(marks[0], ["PLOT a>b relType=X", "PLOT b>c relType=X", "PLOT c>d relType=X"])
    system = document(marks[1], ["PLOT u>v relType=x", "PLOT v>w relType=X", "PLOT w>x relType=X"])
    found = explained(gold, system, profile)
    relations = {reason: number for reason, number in found.counts.items() if reason.startswith("relation")}
    assert relations == {"relation-matched": 1, "relation-missed": 1, "relation-overlapping": 1, "relation-spurious": 1}
    assert only(found, "relation-overlapping").unit == "PLOT"
    assert "r2" in only(found, "relation-missed").message
    assert "r2" in only(found, "relation-spurious").message


def test_relations_that_differ_in_attributes_are_missed_and_spurious_in_the_standard() -> None:
    marks = ["a EVENT 1", "b EVENT 2"]
    sides = document(marks, ["PLOT a>b relType=X"]), document(marks, ["PLOT a>b relType=Y"])
    assert explained(*sides, "standard").counts == {"matched": 2, "relation-missed": 1, "relation-spurious": 1}
    assert explained(*sides, "nwr2014").counts == {"matched": 2, "relation-matched": 1}


def test_lines_are_the_system_files() -> None:
    plain = document(["a EVENT 1", "b EVENT 2"])
    markables = {name: markable._replace(line=10 + rank) for rank, (name, markable) in enumerate(plain.markables.items())}
    numbered = Document(plain.tokens, markables, ())
    assert [entry.line for entry in explained(plain, numbered, "standard").first] == [10, 11]
    assert [entry.line for entry in explained(numbered, document(), "standard").first] == [None, None]


def test_the_first_are_written_out_and_all_are_counted() -> None:
    number = Explanations.SHOWN + 5
    ids = tuple(str(rank) for rank in range(1, number + 1))
    gold = document([f"{name} EVENT {name}" for name in ids], ids=ids)
    changed = document([f"{name} EVENT {name}{' class=X' if name == ids[-1] else ''}" for name in ids], ids=ids)
    found = explained(gold, changed, "standard")
    assert found.counts == {"matched": number - 1, "wrong-attribute": 1}
    assert len(found.rows) == Explanations.SHOWN
    assert found.first[0].reason == "wrong-attribute"
    assert {entry.reason for entry in found.first[1:]} == {"matched"} <= RIGHT


def test_values_are_quoted_and_cut_short() -> None:
    side = document(["a EVENT 1 class=" + "x" * 100])
    message = explained(side, document(["a EVENT 1"]), "standard").first[0].message
    assert 'class "", in gold "xxx' in message
    assert "x" * 50 not in message


def test_a_long_extent_is_cut_short() -> None:
    side = document(["a EVENT " + ",".join(str(rank) for rank in range(1, 21))])
    message = explained(side, document(), "standard").first[0].message
    assert "tokens 1, 2, 3, 4, 5, 6, …" in message
    assert "7" not in message


def test_the_tlinks_that_decide_are_named_up_to_eight() -> None:
    side = document(["a EVENT 1", "b EVENT 2"], ["TLINK a>b relType=BEFORE"])
    explainer = Explainer(side, side)
    link = Link("a", "b", side.relations[0], ("BEFORE",), "BEFORE")
    others = [link._replace(relation=link.relation._replace(id=f"q{rank}")) for rank in range(10)]
    asked = TemporalLink("a", "b", "BEFORE")
    explainer.add_tlinks("tlink-entailed", "system", [(link, asked)], "follows from gold's ", {asked: others}.__getitem__)
    (entry,) = explainer.explanations().first
    assert entry.message.startswith('TLINK r0 a "w" BEFORE b "w" follows from gold\'s q0, q1')
    assert "q7, …" in entry.message
    assert "q8" not in entry.message
