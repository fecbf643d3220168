from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.cat.nwr2014.kept import Kept, keep, type_attribute
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config(
    "EVENT markable 0",
    "EVENT_MENTION markable 0",
    "TIMEX3 markable 0 type",
    "EVENT instance comparable",
    "TIMEX3 instance comparable type",
    "TLINK one2one directional relType",
    "CLINK one2one directional",
    "SLINK one2one directional",
    "COREF many2one directional",
)


def names(kept: Kept) -> set[str]:
    return {markable.id for part in (kept.spans, kept.instances) for found in part.values() for markable in found}


def relations(kept: Kept, name: str = "TLINK") -> list[str]:
    return [f"{','.join(relation.sources)}>{','.join(relation.targets)}" for relation in kept.relations[name]]


# Point 1: markables kept


@pytest.mark.parametrize(
    ("anchors", "stays"),
    [
        ("3", True),
        ("3,4", True),
        ("3,4,9", True),  # only the second is looked at
        ("3,5", False),
        ("4,3", False),
        ("3,5,6", False),
    ],
)
def test_the_second_token_follows_the_first(anchors: str, stays: bool) -> None:
    assert names(keep(document([f"e EVENT {anchors}"]), CONFIG, None)) == ({"e"} if stays else set())


def test_following_is_a_matter_of_ids_not_of_the_file() -> None:
    ids = ("5", "7", "6")
    kept = keep(document(["a EVENT 1,3", "b EVENT 1,2", "c EVENT 2,3"], ids=ids), CONFIG, None)
    assert names(kept) == {"a"}  # 5 and 6


@pytest.mark.parametrize("ids", [("t1", "t2", "t9"), ("1", "x", "2"), ("9" * 5000, "²", "1")])
def test_ids_that_are_no_numbers_are_counted_in_file_order(ids: tuple[str, ...]) -> None:
    assert names(keep(document(["a EVENT 1,2", "b EVENT 2,1"], ids=ids), CONFIG, None)) == {"a"}


def test_of_empty_markables_only_comparable_timex3_stay() -> None:
    marks = ["e EVENT -", "t TIMEX3 -", "m EVENT_MENTION -"]
    kept = keep(document(marks), CONFIG, None)
    assert names(kept) == {"t"}
    assert [markable.id for markable in kept.instances["TIMEX3"]] == ["t"]
    for line in ((), ("TIMEX3 instance non-comparable type",)):
        assert names(keep(document(marks), config("EVENT markable 0", "TIMEX3 markable 0", *line), None)) == set()


def test_names_without_markable_line_are_not_kept() -> None:
    kept = keep(document(["t TIMEX3 1", "u TIMEX3 -"]), config("TIMEX3 instance comparable type"), None)
    assert (kept.spans, kept.instances, kept.timexes()) == ({}, {}, set())


def test_timexes_are_the_kept_ones() -> None:
    kept = keep(document(["t TIMEX3 1", "u TIMEX3 -", "v TIMEX3 1,3", "e EVENT 2"]), CONFIG, None)
    assert kept.timexes() == {"t", "u"}


# Point 6: relations read


def test_relations_need_a_source_and_a_target() -> None:
    kept = keep(document(links=["TLINK a>", "TLINK >a", "TLINK a,b>c", "TLINK a>b,c", "TLINK b>a"]), CONFIG, None)
    assert relations(kept) == ["a,b>c", "a>b,c", "b>a"]
    assert [relation.sources for relation in kept.counted("TLINK")] == [("b",)]


def test_identity_is_dropped_before_repeats_are() -> None:
    written = [
        "TLINK a>b relType=IDENTITY",
        "TLINK a>b relType=BEFORE",
        "TLINK a>b relType=AFTER",
        "TLINK b>a relType=AFTER",
        "TLINK c>d relType=identity",
        "SLINK a>b relType=IDENTITY",
        "COREF a>b",
    ]
    kept = keep(document(links=written), CONFIG, None)
    assert relations(kept) == ["a>b", "b>a", "c>d"]
    assert [relation.attributes["relType"] for relation in kept.relations["TLINK"]] == ["BEFORE", "AFTER", "identity"]
    assert relations(kept, "SLINK") == ["a>b"]
    assert set(kept.relations) == {"TLINK", "CLINK", "SLINK"}


def test_repeats_are_those_of_the_whole_lists_of_ends() -> None:
    kept = keep(document(links=["TLINK a,b>c", "TLINK a>c", "TLINK b,a>c", "TLINK a,b>c", "CLINK a>c"]), CONFIG, None)
    assert relations(kept) == ["a,b>c", "a>c", "b,a>c"]
    assert relations(kept, "CLINK") == ["a>c"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("TLINK one2one directional relType", "relType"),
        ("TLINK one2one directional comment reltype", "reltype"),
        ("TLINK one2one directional comment", "relType"),
        ("SLINK one2one directional reltype", "relType"),
    ],
)
def test_the_tlink_line_names_the_attribute_with_the_type(line: str, expected: str) -> None:
    assert type_attribute(config(line)) == expected


# Point 7: the highest id


def test_highest_is_that_of_event_and_timex3_whatever_is_kept() -> None:
    marks = ["7 EVENT -", "30 TIMEX3 1,3", "99 EVENT_MENTION 1", "x1 EVENT 1", "888 ROLE 1"]
    assert keep(document(marks), CONFIG, None).highest == 30
    assert keep(document(marks), config("ROLE markable 0"), None).highest == 30
    assert keep(document(["99 EVENT_MENTION 1"]), CONFIG, None).highest == 0


# Point 8: the first sentences

SENTENCES = (0, 1, 5, 6, 7)
EVERYWHERE = [
    *(f"{name.lower()}{number} {name} {rank}" for name in ("EVENT", "TIMEX3") for rank, number in enumerate(SENTENCES, 1)),
    *(f"m{number} EVENT_MENTION {rank}" for rank, number in enumerate(SENTENCES, 1)),
    "dct TIMEX3 -",
]


def test_the_cut_knows_two_tags_and_spares_empty_timex3() -> None:
    kept = keep(document(EVERYWHERE, sentences=SENTENCES), CONFIG, 6)
    assert names(kept) == {
        "event0",
        "event1",
        "event5",
        "event6",
        "event7",
        "timex30",
        "timex31",
        "timex35",
        "m0",
        "m1",
        "m5",
        "dct",
    }
    assert len(names(keep(document(EVERYWHERE, sentences=SENTENCES), CONFIG, None))) == 16


def test_the_first_token_tells_the_sentence() -> None:
    kept = keep(document(["a EVENT_MENTION 1,2", "b EVENT_MENTION 3,4"], sentences=(5, 6, -1, 0)), CONFIG, 6)
    assert names(kept) == {"a"}


def test_the_highest_id_is_that_after_the_cut() -> None:
    found = document(["7 TIMEX3 1", "30 TIMEX3 2", "20 EVENT 2"], sentences=(0, 6))
    assert keep(found, CONFIG, 6).highest == 20
    assert keep(found, CONFIG, None).highest == 30


@pytest.mark.parametrize(
    ("ends", "stays"),
    [
        ("m1>m5", True),
        ("m0>m5", False),  # in the title
        ("m1>m0", False),
        ("m1>m6", False),
        ("timex30>m1", True),
        ("dct>m1", True),
        ("m1>timex36", False),
        ("event1>m1", False),  # no EVENT_MENTION
        ("m0>m0,m6", False),
        ("m1>m0,m6", True),  # several targets are not looked at
        ("m0,m6>event1", True),  # nor anything with several sources
    ],
)
def test_links_need_ends_in_the_first_sentences(ends: str, stays: bool) -> None:
    found = document(EVERYWHERE, [f"{name} {ends}" for name in ("TLINK", "CLINK", "SLINK")], SENTENCES)
    kept = keep(found, CONFIG, 6)
    assert relations(kept) == relations(kept, "CLINK") == ([ends] if stays else [])
    assert relations(kept, "SLINK") == [ends]
    assert relations(keep(found, CONFIG, None)) == [ends]


def test_another_number_of_sentences() -> None:
    found = document(EVERYWHERE, ["TLINK m1>m5", "TLINK m1>m6"], SENTENCES)
    assert relations(keep(found, CONFIG, 7)) == ["m1>m5", "m1>m6"]
    assert relations(keep(found, CONFIG, 2)) == []
    assert names(keep(found, CONFIG, 1)) >= {"m0", "timex30", "dct"}
