from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.xml.document import Document
from tests.unit.tasks.cat.judging import EVERYTHING, PAIRS, judge
from tests.unit.tasks.cat.nwr2014_documents import config, document

EVENTS = [f"{name} EVENT {rank}" for rank, name in enumerate("abcdef", 1)]
CONFIG = config("TLINK one2one directional relType", "REFERS many2one directional type")


def tlinks(gold: list[str], system: list[str]) -> Explanations:
    """Explain TLINKs written as `X TYPE Y`; without those of the strict and relaxed rows."""
    sides = [
        document(EVENTS, [f"TLINK {one}>{other} relType={kind}" for one, kind, other in map(str.split, side)])
        for side in (gold, system)
    ]
    found = judge(CONFIG, *sides).explanations
    first = tuple(row for row in found.rows if row[1].startswith("tlink"))
    return Explanations({reason: number for reason, number in found.counts.items() if reason.startswith("tlink")}, first)


def messages(found: Explanations, reason: str) -> list[str]:
    return [entry.message for entry in found.first if entry.reason == reason]


def test_a_tlink_follows_from_a_chain() -> None:
    found = tlinks(["a BEFORE c"], ["b BEFORE c", "a BEFORE b", "c BEFORE d"])
    assert found.counts == {"tlink-entailed": 1, "tlink-not-entailed": 3}
    (message,) = messages(found, "tlink-entailed")
    assert message == 'gold\'s TLINK r0 a "w" BEFORE c "w" follows from the system\'s r0, r1'
    assert all("does not follow from gold's TLINKs" in said for said in messages(found, "tlink-not-entailed"))


def test_a_tlink_contradicts_the_other_side() -> None:
    found = tlinks(["a BEFORE b", "b BEFORE c"], ["c BEFORE a"])
    assert found.counts == {"tlink-contradicted": 1, "tlink-not-entailed": 2}
    assert messages(found, "tlink-contradicted") == ['TLINK r0 c "w" BEFORE a "w" contradicts gold\'s r0, r1']


def test_a_tlink_contradicts_its_own_file() -> None:
    gold = ["a BEFORE b", "b BEFORE c", "c BEFORE a"]
    found = tlinks(gold, gold)
    assert found.counts["tlink-inconsistent"] == 2
    assert sum(found.counts.values()) - 2 == 2 * 3
    assert [said.startswith("gold's") for said in messages(found, "tlink-inconsistent")] == [True, False]
    assert all("contradicts its own file's r0, r1" in said for said in messages(found, "tlink-inconsistent"))


@pytest.mark.parametrize("kind", ["CONTAINS", "X"])
def test_a_tlink_of_unknown_type_is_no_contradiction(kind: str) -> None:
    found = tlinks([f"a {kind} b"], ["a BEFORE b"])
    assert found.counts == {"tlink-not-entailed": 2}
    assert kind in "".join(messages(found, "tlink-not-entailed"))


def test_each_reduced_tlink_has_one_reason() -> None:
    found = tlinks(["a BEFORE b", "b BEFORE c", "a BEFORE c"], ["a BEFORE c"])
    assert sum(found.counts.values()) == 2 + 1


def groups(gold: list[str], system: list[str]) -> list[Explanation]:
    marks = [*EVENTS, "p PLACE -", "q PLACE -"]
    sides = [document(marks, [f"REFERS {text}" for text in side]) for side in (gold, system)]
    return [entry for entry in judge(CONFIG, *sides).explanations.first if entry.reason.startswith("mentions")]


def test_a_group_that_is_whole_on_the_other_side() -> None:
    found = groups(["a,b>p"], ["a,b>q"])
    assert [entry.reason for entry in found] == ["mentions-matched"] * 2
    assert found[0].message == 'gold\'s group of p (a "w", b "w"): it is whole in the system\'s'
    assert found[1].message == 'group of q (a "w", b "w"): it is whole in gold\'s'


def test_a_group_that_the_other_side_parts() -> None:
    found = groups(["a,b,c,d>p"], ["a,b>p", "c>q"])
    assert [(entry.reason, entry.unit) for entry in found] == [("mentions-missed", "REFERS"), ("mentions-matched", "REFERS")]
    assert '(a "w", b "w" | c "w" | d "w"): 1 of 3 links' in found[0].message
    found = groups(["a,b>p"], ["a,b,c>q"])
    assert [entry.reason for entry in found] == ["mentions-spurious", "mentions-matched"]


def test_a_group_of_one_has_no_links() -> None:
    assert groups(["a>p"], ["a>p"]) == []


@given(PAIRS, st.sampled_from(EVERYTHING))
def test_the_numbers_of_reasons_are_the_counts(pair: tuple[Document, Document], configuration: Configuration) -> None:
    found = judge(configuration, *pair)
    reasons = found.explanations.counts
    assert list(reasons) == sorted(reasons)
    strict, relaxed = ([found.row(f"{name}.{row}") for name in ("EVENT", "TIMEX3")] for row in ("strict", "relaxed"))
    assert reasons.get("matched", 0) + reasons.get("wrong-attribute", 0) == sum(row[0] for row in strict)
    assert reasons.get("overlapping", 0) == sum(row[0] for row in relaxed) - sum(row[0] for row in strict)
    assert reasons.get("missed", 0) == sum(row[1] - row[0] for row in relaxed)
    assert reasons.get("spurious", 0) == sum(row[2] - row[0] for row in relaxed)
    (_, gold), (_, system) = found.sides("TLINK.tempeval")
    said = sum(number for reason, number in reasons.items() if reason.startswith("tlink") and reason != "tlink-inconsistent")
    assert said == gold + system
    unmatched = sum(reasons.get(reason, 0) for reason in ("tlink-contradicted", "tlink-not-entailed"))
    assert unmatched == sum(total - matched for matched, total in found.sides("TLINK.tempeval"))
