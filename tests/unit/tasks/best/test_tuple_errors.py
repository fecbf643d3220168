from __future__ import annotations

from collections import Counter
from fnmatch import filter as matching
from itertools import chain
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Explanations, Omitted, Passage
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.shelf import ROOM
from pytest_nlpeval.tasks.best import PROBLEMS, TASK
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.tasks.best.tuple_errors import KINDS, Reason, measures_of
from tests.unit.tasks.best.files import ROWS, Row, counts_of, documents_of, evidence_of, explanations_of, rows_of, values_of


@pytest.mark.parametrize(("system", "reason", "kind", "overlap"), [
    ("belief ncb a1 h1", "wrong-value", "wrong-value", 1),
    ("belief cb b1 h1", "wrong-source", "wrong-value", 1),
    ("belief ncb b1 h1", "target-only", "wrong-value", 1),
    ("belief cb a1 h2", "wrong-provenance", "other", 0),
    ("belief ncb b1 h2", "wrong-provenance", "other", 0),
])  # fmt: skip
def test_matches_that_are_not_right(system: str, reason: str, kind: str, overlap: int) -> None:
    found = explanations_of(rows_of("belief cb a1 h1"), rows_of(system))
    assert found.counts == {reason: 1}
    (entry,) = found.first
    assert (entry.unit, entry.reason, entry.line, entry.kind) == ("h", reason, 2, kind)
    assert entry.item == "belief h a cb"
    assert entry.gold == 'cb of a at h1 "vote" (60)'
    assert entry.message == f"belief towards h: {entry.system} is matched with gold's {entry.gold}; provenance F {overlap}"


def test_a_match_in_part_bears_on_full_provenance_only() -> None:
    (entry,) = explanations_of(rows_of("belief cb a1 h1", "belief cb a1 h2"), rows_of("belief cb a2 h1")).first
    assert (entry.reason, entry.kind, entry.measures) == ("partial-provenance", "partial", ("belief.full.*", "all.full.*"))
    assert (entry.gold, entry.system) == ('cb of a at h1 "vote" (60), h2 "vote" (70)', 'cb of a at h1 "vote" (60)')
    assert entry.message.endswith("; provenance F 0.6667")


def test_what_is_left_on_either_side() -> None:
    found = explanations_of(rows_of("belief cb a1 h1", "sentiment pos - p1"), rows_of("sentiment neg b1 k1"))
    assert [(entry.unit, entry.reason, entry.kind, entry.line, entry.item) for entry in found.first] == [
        ("h", "missed", "missed", None, "belief h a cb"),
        ("p", "missed", "missed", None, "sentiment p NONE pos"),
        ("k", "false-positive", "spurious", 2, "sentiment k b neg"),
    ]
    assert [entry.message for entry in found.first][1:] == [
        'sentiment towards p: gold\'s pos without source at p1 "pool" (50) is missed',
        'sentiment towards k: neg of b at k1 "close" (90) matches nothing of gold\'s',
    ]


def test_nothing_is_said_of_what_is_right_or_makes_no_tuple() -> None:
    rows = rows_of("belief na a1 h1", "belief cb a1 h2", "belief cb a1 h1")
    assert explanations_of(rows, rows[1:], " " * 65 + "<quote>").counts == {}


def test_mentions_of_a_large_provenance_are_cut_short() -> None:
    (entry,) = explanations_of(rows_of(*(f"belief cb a1 {mention}" for mention in ("h1", "h2", "h3"))), []).first
    assert entry.gold == 'cb of a at h1 "vote" (60), h2 "vote" (70), h3 "ballot" (80)'
    (entry,) = explanations_of(rows_of("sentiment pos a1 r1", "sentiment pos a1 r2", "sentiment pos a1 r3"), []).first
    assert entry.gold == "pos of a at r1 (30), r2 (5), r3"


@pytest.mark.parametrize(("confidences", "told"), [
    ((0.8, None), ", confidence 0.8,"), ((None, 0.8), ", confidence 0.8,"), ((0.8, 0.8), ", confidence 0.8,"),
    ((0.8, 0.25), ", confidence 0.25 to 0.8,"), ((0.0, 1.0), ", confidence 0 to 1,"), ((None, None), ""),
    ((1 / 3, None), ", confidence 0.3333,"),
])  # fmt: skip
def test_the_confidences_of_a_tuple_are_told(confidences: tuple[float | None, float | None], told: str) -> None:
    documents = documents_of(rows_of("belief ncb a1 h1"), rows_of("belief cb a1 h1", "belief cb a2 h2"))
    documents["system"] = [(*one[:5], confidence) for one, confidence in zip(documents["system"], confidences, strict=True)]
    counted = TASK.count(documents, Options(), ProblemLog("best.xml", PROBLEMS))
    (entry,) = Explanations.of(counted.explanations).first
    assert entry.system == f'cb of a{told} at h1 "vote" (60), h2 "vote" (70)'
    assert entry.system in entry.message
    assert entry.gold == 'ncb of a at h1 "vote" (60)'


@settings(max_examples=50)
@given(ROWS, st.lists(st.floats(0, 1), min_size=10, max_size=10))
def test_confidences_change_no_evidence(rows: list[Row], confidences: list[float]) -> None:
    without = documents_of(rows, rows[1:])
    told = [(*annotation[:5], confidence) for annotation, confidence in zip(without["system"], confidences, strict=False)]
    one, other = (
        TASK.count(documents, Options(), ProblemLog("best.xml", PROBLEMS)).evidence
        for documents in (without, without | {"system": told})
    )
    assert counts_of(one) == counts_of(other)


def test_passages_show_the_target_mentions_of_both_sides() -> None:
    text = "".join("." * (60 - 0) + "vote" + "." * 6 + "vote" + "." * 6 + "ballot")
    gold, system = rows_of("belief cb a1 h1", "belief cb a1 h2"), rows_of("belief cb a2 h2", "belief cb a2 h3")
    (entry,) = explanations_of(gold, system, text).first
    assert entry.passage == Passage(text, ((60, 64), (70, 74)), ((70, 74), (80, 86)))
    (without,) = explanations_of(gold, system).first
    assert without.passage is None
    assert without == entry._replace(passage=None)


def test_mentions_without_a_place_or_after_the_text_are_in_no_passage() -> None:
    assert [entry.passage for entry in explanations_of(rows_of("sentiment pos a1 r3"), [], "text").first] == [None]
    assert [entry.passage for entry in explanations_of(rows_of("sentiment pos a1 h1"), [], "text").first] == [None]


@pytest.mark.parametrize("reason", get_args(Reason))
def test_a_reason_bears_on_measures_of_its_attitude_and_of_all(reason: Reason) -> None:
    names = [measure.name for measure in TASK.measures(Options(), None) or ()]
    found = set(chain.from_iterable(matching(names, pattern) for pattern in measures_of(reason, "belief")))
    assert {name.partition(".")[0] for name in found} == {"belief", "all"}
    shares = {"missed": {"recall", "f1"}, "false-positive": {"precision", "f1"}}
    assert {name.rpartition(".")[2] for name in found} == shares.get(reason, {"precision", "recall", "f1"})
    assert {name.split(".")[1] for name in found} == ({"full"} if reason == "partial-provenance" else {"full", "single"})


def test_every_reason_has_a_kind() -> None:
    assert set(KINDS) == set(get_args(Reason))


@settings(max_examples=50)
@given(ROWS, ROWS)
def test_every_tuple_that_is_not_right_is_explained_once(gold: list[Row], system: list[Row]) -> None:
    counts, found = counts_of(evidence_of(gold, system)), explanations_of(gold, system)
    of = {name: counts[f"belief.{name}"] + counts[f"sentiment.{name}"] for name in ("gold", "system", "matched", "unsupported")}
    assert found.counts.get("false-positive", 0) == of["system"] - of["matched"]
    assert found.counts.get("missed", 0) == of["gold"] - of["matched"]
    assert found.counts.get("wrong-provenance", 0) == of["unsupported"]
    assert sum(found.counts.values()) <= of["gold"] + of["system"] - of["matched"]
    assert len({entry.item for entry in found.first}) == len(found.first)


@settings(max_examples=50)
@given(ROWS, ROWS)
def test_a_measure_below_1_has_explanations_and_without_any_it_is_1(gold: list[Row], system: list[Row]) -> None:
    first = explanations_of(gold, system).first
    for name, value in values_of(evidence_of(gold, system)).items():
        assert value == 1 or any(entry.bears_on(name) for entry in first), name


def test_nothing_is_written_before_it_is_asked_for_and_of_many_only_the_first() -> None:
    """The target of each of 2,000 missed tuples is read in the ERE file when its explanation is written."""
    documents = documents_of([], [])
    sources = [f"s{rank}" for rank in range(2 * ROOM)]
    mentions = documents["ere"].mentions
    documents["gold"] = [("belief", "cb", source, "h1", None, None) for source in sources]
    documents["ere"] = type(documents["ere"])(mentions | {name: mentions["a1"]._replace(id=name, owner=name) for name in sources})
    counted = TASK.count(documents, Options(), ProblemLog("best.xml", PROBLEMS))
    mentions = documents["ere"].mentions
    mentions["h1"] = mentions["h1"]._replace(text="another")
    found = list(counted.explanations)
    written = [entry for entry in found if isinstance(entry, Explanation)]
    assert Counter(map(type, found))[Explanation] == len(written) == ROOM
    assert all("another" in entry.gold for entry in written)
    assert found[-1] == Omitted("missed", ROOM)
