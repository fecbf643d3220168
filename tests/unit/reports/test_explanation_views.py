from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.reports.explanation_views import FEW, Explained, explained
from tests.unit.reports.documents import gate, suite, suite_report

ROOM = 10_000


def entry(message: str, **fields: Any) -> dict[str, Any]:
    return {
        "case": "a",
        "unit": "u",
        "reason": "missed",
        "line": None,
        "kind": "missed",
        "item": message,
        "message": message,
        **fields,
    }


def of(*entries: dict[str, Any], most: int = 100, room: int = ROOM, **fields: Any) -> Explained:
    counts = {"missed": len(entries)} if entries else {}
    return explained(suite_report(suite(explanations={"counts": counts, "first": list(entries)}, **fields)), most, room)


def messages(found: Explained) -> list[str]:
    return [view.message for view in found.entries]


def test_what_is_new_comes_first_then_what_a_failing_gate_wants_then_the_worst_documents() -> None:
    documents: list[dict[str, Any]] = [{"name": name, "values": {}} for name in ("bad", "a")]
    found = of(
        entry("other", measures=["recall"]),
        entry("wanted", measures=["f*"]),
        entry("worst", case="bad", measures=["f*"]),
        entry("changed", change="otherwise_wrong", measures=["recall"]),
        entry("new", change="newly_wrong", measures=["recall"]),
        gates=[gate(measure="f1"), gate(measure="recall", verdict="passed")],
        cases={"total": 2, "failed": 0, "documents": documents},
    )
    assert messages(found) == ["new", "changed", "worst", "wanted", "other"]
    assert {view.change for view in found.entries} == {""}  # the report has no changes: nobody compared


def test_what_is_newly_right_and_what_was_wrong_before_is_shown() -> None:
    before = {"unit": "u", "reason": "spurious", "message": "was there", "line": 7, "kind": "spurious"}
    change = {"case": "a", "unit": "u"}
    changes = {
        "counts": {"newly_wrong": 1, "newly_right": 3, "otherwise_wrong": 1},
        "first": [
            {**change, "item": "right", "change": "newly_right", "before": before, "now": None},
            {**change, "item": "other", "change": "otherwise_wrong", "before": before, "now": entry("other")},
            {**change, "item": "new", "change": "newly_wrong", "before": None, "now": entry("new")},
        ],
    }
    found = of(entry("old"), entry("other", change="otherwise_wrong"), entry("new", change="newly_wrong"), changes=changes)
    assert [(view.message, view.change, view.before) for view in found.entries] == [
        ("new", "newly wrong", ""),
        ("other", "wrong in another way", "spurious: was there"),
        ("old", "as before", ""),
        ("was there", "newly right", ""),
    ]
    assert found.entries[-1].place == "a, unit u"  # the line was one of the file of then
    assert (found.unshown, found.unshown_right) == (0, 3 - 1)


def test_of_many_each_reason_and_the_worst_documents_keep_some() -> None:
    many = [entry(f"m{place}", case=f"d{place}", change="newly_wrong") for place in range(50)]
    rare = entry("rare", reason="spurious", case="d0")
    worst = entry("worst", case="bad")
    documents = [{"name": "bad", "values": {}}]
    found = of(*many, rare, worst, most=30, cases={"total": 2, "failed": 0, "documents": documents})
    assert messages(found)[-2:] == ["worst", "rare"]
    assert len(found.entries) == 30 + 1  # the worst document's, 29 others, and one of the rare reason
    assert found.unshown == 52 - 31


def test_long_ones_take_the_room_of_others() -> None:
    found = of(*(entry("x" * 1000) for _ in range(50)), room=20 * (1000 + len("aa, unit u")))
    assert (len(found.entries), found.unshown) == (20, 30)
    assert len(of(*(entry("x" * 1000) for _ in range(50)), room=0).entries) == FEW


def test_a_chain_is_followed_whichever_way_its_links_point() -> None:
    def steps(*links: str) -> str:
        chain = [dict(zip(("source", "relation", "target"), link.split(), strict=True)) for link in links]
        (view,) = of(entry("m", **({"chain": chain} if chain else {}))).entries
        return view.start + "".join(
            f" -{step.relation}> {step.node}" if step.is_ahead else f" <{step.relation}- {step.node}" for step in view.steps
        )

    assert steps() == ""
    assert steps("a X b") == "a -X> b"
    assert steps("a X b", "b Y c", "d Z c") == "a -X> b -Y> c <Z- d"
    assert steps("b X a", "b Y c") == "a <X- b -Y> c"
    assert steps("a X a") == "a -X> a"


def test_a_report_without_explanations_has_none_to_show() -> None:
    found = suite()
    del found["explanations"]
    assert explained(suite_report(found), 10, ROOM) == Explained([], 0, 0)


@pytest.mark.parametrize(
    ("message", "says_more"),
    [
        ("items[2].price: gold 3.25, system 3.52", True),  # the place is nowhere else on the card
        ("gold 3.25, system 3.52", False),
        ("3.25 is 3.52", False),
    ],
)
def test_a_message_is_shown_beside_marks_if_it_names_a_place(message: str, says_more: bool) -> None:
    sides = {"gold": "3.25", "system": "3.52", "passage": {"text": "for 3.25", "gold": [[4, 8]], "system": []}}
    (view,) = of({**entry("new"), "message": message, **sides}).entries
    assert (view.has_marks, view.says_more) == (True, says_more)
