"""Where the profile `standard` deviates from `nwr2014`: the figures of both for the same files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from pytest_nlpeval.tasks.cat.configuration import Configuration
from tests.unit.tasks.cat.judging import Judged, judge
from tests.unit.tasks.cat.nwr2014_documents import config, document

NUMBERED = [f"{rank} EVENT {rank}" for rank in range(1, 6)]
MARKABLES = ("EVENT markable 0 class", "TIMEX3 markable 0 type")
TLINK = config(*MARKABLES, "TLINK one2one directional relType")
LOOSE_TLINK = config(*MARKABLES, "TLINK one2one undirectional relType")


class Both(NamedTuple):
    standard: Judged
    original: Judged

    def rows(self, name: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """tp, gold and system by either profile."""
        ours, theirs = self.standard.counts, self.original.counts
        fields = [f"{name}.{field}" for field in ("tp", "gold", "system")]
        return (ours[fields[0]], ours[fields[1]], ours[fields[2]]), (theirs[fields[0]], theirs[fields[1]], theirs[fields[2]])


def both(
    gold: Sequence[str],
    system: Sequence[str],
    marks: tuple[Sequence[str], Sequence[str]] = (NUMBERED, NUMBERED),
    configuration: Configuration = TLINK,
) -> Both:
    sides = document(marks[0], gold), document(marks[1], system)
    return Both(*(judge(configuration, *sides, profile=profile, sentences="all") for profile in ("standard", "nwr2014")))


def tlinks(*written: str) -> list[str]:
    return [f"TLINK {one}>{other} relType={kind}" for one, kind, other in (text.split(" ") for text in written)]


def test_matching_is_one_to_one() -> None:
    found = both([], [], (["1 EVENT 1", "2 EVENT 1", "3 EVENT 1"], ["1 EVENT 1"]))
    assert found.rows("EVENT.strict") == ((1, 3, 1), (3, 3, 1))
    assert found.standard.value("EVENT.strict.precision") == 1
    assert found.original.value("EVENT.strict.precision") == 3 / 1
    assert found.original.value("EVENT.strict.fp") == 1 - 3


def test_relaxed_matching_is_one_to_one() -> None:
    found = both([], [], (["1 EVENT 1,2,3"], ["1 EVENT 1", "2 EVENT 2", "3 EVENT 9"]))
    assert found.standard.sides("EVENT.relaxed") == ((1, 1), (1, 3))
    assert found.original.sides("EVENT.relaxed") == ((1, 1), (2, 3))


def test_matching_of_relations_is_one_to_one() -> None:
    marks = ["1 EVENT 1", "2 EVENT 1", "3 EVENT 2"], ["1 EVENT 1", "3 EVENT 2"]
    found = both(tlinks("1 BEFORE 3", "2 BEFORE 3"), tlinks("1 BEFORE 3"), marks)
    assert found.rows("TLINK.strict") == ((1, 2, 1), (2, 2, 1))


def test_relaxed_prefers_what_shares_more() -> None:
    marks = ["1 EVENT 1,2,3 class=X"], ["1 EVENT 1 class=Y", "2 EVENT 1,2 class=X"]
    found = both([], [], marks)
    column = "EVENT.relaxed.attribute.class"
    assert (found.standard.counts[column], found.original.counts[column]) == (1, 0)


def test_all_relations_need_their_attributes() -> None:
    configuration = config("EVENT markable 0", "PLOT one2one directional relType")
    found = both(["PLOT 1>2 relType=CAUSE"], ["PLOT 1>2 relType=ENABLE"], configuration=configuration)
    assert found.rows("PLOT.strict") == ((0, 1, 1), (1, 1, 1))


def test_relations_that_differ_in_attributes_are_several() -> None:
    configuration = config("EVENT markable 0", "PLOT one2one directional relType")
    written = ["PLOT 1>2 relType=CAUSE", "PLOT 1>2 relType=ENABLE"]
    assert both(written, written, configuration=configuration).rows("PLOT.strict") == ((2, 2, 2), (1, 1, 1))


def test_attribute_names_are_matched_ignoring_case() -> None:
    marks = ["1 EVENT 1 class=X", "2 EVENT 2"], ["1 EVENT 1 Class=X", "2 EVENT 2"]
    found = both(tlinks("1 BEFORE 2"), ["TLINK 1>2 reltype=BEFORE"], marks)
    assert [judged.counts["EVENT.strict.attribute.class"] for judged in found] == [2, 1]
    assert found.rows("TLINK.strict") == ((1, 1, 1), (0, 1, 1))


def test_extents_may_be_discontinuous() -> None:
    marks = ["1 EVENT 1,3"]
    assert both([], [], (marks, marks)).rows("EVENT.strict") == ((1, 1, 1), (0, 0, 0))


def test_the_order_of_anchors_does_not_matter() -> None:
    assert both([], [], (["1 EVENT 1,2,4,3"], ["1 EVENT 1,2,3,4"])).rows("EVENT.strict") == ((1, 1, 1), (0, 1, 1))


def test_tlinks_between_times_are_treated_alike_on_both_sides() -> None:
    marks = ["1 TIMEX3 1", "2 TIMEX3 2", "3 EVENT 3"]
    written = tlinks("1 BEFORE 2", "2 BEFORE 3")
    found = both(written, written, (marks, marks))
    assert found.rows("TLINK.strict") == ((2, 2, 2), (1, 2, 1))
    assert found.rows("TLINK.tempeval") == ((2, 2, 2), (2, 2, 2))


def test_precision_of_tempeval_is_the_share_of_the_systems_relations() -> None:
    found = both(tlinks("1 BEFORE 2", "2 BEFORE 3", "3 BEFORE 4"), tlinks("1 BEFORE 3", "3 BEFORE 4"))
    assert found.standard.sides("TLINK.tempeval") == ((1, 3), (2, 2))
    assert found.original.sides("TLINK.tempeval") == ((1, 3), (1, 2))
    assert [judged.value("TLINK.tempeval.precision") for judged in found] == [2 / 2, 1 / 2]


@pytest.mark.parametrize(("gold", "system"), [("1 BEFORE 3", "1 BEFORE-X 3"), ("1 BEFORE 3", "21 BEFORE-X 3")])
def test_literal_matches_are_exact(gold: str, system: str) -> None:
    marks = ["1 EVENT 1", "3 EVENT 3", "21 EVENT 4"]
    found = both(tlinks(gold), tlinks(system), (marks, marks))
    assert found.standard.sides("TLINK.tempeval") == ((0, 1), (0, 1))
    assert found.original.sides("TLINK.tempeval") == ((1, 1), (1, 1))


def test_the_reduction_is_canonical() -> None:
    gold, system = tlinks("1 BEFORE 3", "1 BEFORE 2", "2 BEFORE 3"), tlinks("1 BEFORE 2", "2 BEFORE 3")
    assert both(gold, system).rows("TLINK.tempeval") == ((2, 2, 2), (3, 3, 2))  # P = 2/2 and 3/2
    assert both(gold[::-1], system).rows("TLINK.tempeval") == ((2, 2, 2), (2, 2, 2))


def test_ends_without_partner_stay_apart() -> None:
    marks = NUMBERED[:1], NUMBERED
    found = both([], tlinks("1 BEFORE 2", "1 BEFORE 3", "3 BEFORE 2"), marks)
    # The original reads 1 BEFORE f once, then f BEFORE f.
    assert found.standard.sides("TLINK.tempeval") == ((0, 0), (0, 2))
    assert found.rows("TLINK.tempeval")[1] == (0, 0, 2)
    found = both([], tlinks("1 BEFORE 2", "1 BEFORE 3"), marks)
    assert found.rows("TLINK.tempeval") == ((0, 0, 2), (0, 0, 1))


def test_tlinks_without_type_are_kept() -> None:
    assert both(tlinks("1  2"), tlinks("1  2")).rows("TLINK.tempeval") == ((1, 1, 1), (0, 0, 0))


def test_identity_is_kept() -> None:
    found = both(tlinks("1 IDENTITY 2"), tlinks("1 IDENTITY 2"))
    assert found.rows("TLINK.strict") == found.rows("TLINK.tempeval") == ((1, 1, 1), (0, 0, 0))


def test_unknown_types_have_no_inverse() -> None:
    found = both(tlinks("1 CONTAINS 2"), tlinks("2 CONTAINS 1"), configuration=LOOSE_TLINK)
    assert found.rows("TLINK.strict") == found.rows("TLINK.tempeval") == ((0, 1, 1), (1, 1, 1))


def test_unknown_types_have_no_effect_on_the_graph() -> None:
    written = tlinks("1 CONTAINS 2", "2 SIMULTANEOUS 1")
    found = both(written, written)
    assert found.rows("TLINK.tempeval") == ((2, 2, 2), (1, 1, 1))  # in the original 1 and 2 are one point already


def test_many2one_relations_are_scored() -> None:
    configuration = config("EVENT markable 0", "REFERS many2one directional")
    marks = [*NUMBERED, "9 ENTITY -"]
    found = both(["REFERS 1,2,3>9", "REFERS 1,2>4"], ["REFERS 1,2>9", "REFERS 1>4"], (marks, marks), configuration)
    assert found.standard.row("REFERS.strict") == (1 + 1, 2 + 2, 1 + 1)
    assert not [name for name in found.original.scores if name.startswith("REFERS")]


def test_what_is_undefined_is_0_in_the_original() -> None:
    found = both([], [], ([], NUMBERED))
    shares = ("precision", "recall", "f1")
    assert [found.standard.value(f"EVENT.strict.{share}") for share in shares] == [0, None, 0]
    assert [found.original.value(f"EVENT.strict.{share}") for share in shares] == [0, 0, 0]
    assert [found.standard.value(f"TIMEX3.strict.{share}") for share in shares] == [None, None, None]
    assert [found.original.value(f"TIMEX3.strict.{share}") for share in shares] == [0, 0, 0]
    assert all(judged.value("TIMEX3.strict.attribute.type") is None for judged in found)


def test_of_sentences_all_are_scored_or_6() -> None:
    side = document(["1 EVENT_MENTION 1", "2 EVENT_MENTION 2"], sentences=(5, 6))
    configuration = config("EVENT_MENTION markable 0")
    found = [judge(configuration, side, side, profile=profile).row("EVENT_MENTION.strict") for profile in ("standard", "nwr2014")]
    assert found == [(2, 2, 2), (1, 1, 1)]


def test_the_original_cuts_two_tags_only() -> None:
    side = document(["1 EVENT 2"], sentences=(5, 6))
    found = [judge(TLINK, side, side, profile=profile, sentences=6).row("EVENT.strict") for profile in ("standard", "nwr2014")]
    assert found == [(0, 0, 0), (1, 1, 1)]


def test_comparable_instances_are_compared_on_the_attributes_of_both_lines_in_the_original() -> None:
    configuration = config("TIMEX3 markable 0 type", "TIMEX3 instance comparable type value")
    found = both([], [], (["1 TIMEX3 - type=DATE value=1"], ["1 TIMEX3 - type=DATE value=2"]), configuration)
    assert found.rows("TIMEX3.strict") == ((0, 1, 1), (1, 1, 1))


def test_instances_are_matched_in_all_figures_of_the_relaxed_row() -> None:
    configuration = config("TIMEX3 markable 0 type", "TIMEX3 instance comparable type")
    marks = ["1 TIMEX3 - type=DATE"]
    found = both([], [], (marks, marks), configuration)
    assert [judged.value("TIMEX3.relaxed.recall") for judged in found] == [1, 0]
    assert [judged.value("TIMEX3.relaxed.tp") for judged in found] == [1, 1]
