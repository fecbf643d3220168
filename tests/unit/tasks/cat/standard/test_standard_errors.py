from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Explanations, Link
from pytest_nlpeval.metrics.temporal import TemporalGraph, TemporalLink
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.xml.document import Document
from tests.unit.tasks.cat.judging import EVERYTHING, PAIRS, judge
from tests.unit.tasks.cat.nwr2014_documents import config, document
from tests.work import calls_of

EVENTS = [f"{name} EVENT {rank}" for rank, name in enumerate("abcdef", 1)]
CONFIG = config("TLINK one2one directional relType", "REFERS many2one directional type")


def tlinks(gold: list[str], system: list[str]) -> Explanations:
    """Explain TLINKs written as `X TYPE Y`; without those of the strict and relaxed rows."""
    sides = [
        document(EVENTS, [f"TLINK {one}>{other} relType={kind}" for one, kind, other in map(str.split, side)])
        for side in (gold, system)
    ]
    found = judge(CONFIG, *sides).explanations
    first = tuple(entry for entry in found.first if entry.reason.startswith("tlink"))
    return Explanations({reason: number for reason, number in found.counts.items() if reason.startswith("tlink")}, first)


def test_a_tlink_that_follows_is_right() -> None:
    found = tlinks(["a BEFORE c"], ["b BEFORE c", "a BEFORE b", "c BEFORE d"])
    assert found.counts == {"tlink-not-entailed": 3}
    assert all("does not follow from gold's TLINKs" in entry.message for entry in found.first)
    assert {(entry.unit, entry.kind, entry.measures) for entry in found.first} == {("TLINK", "spurious", ("TLINK.tempeval.*",))}


def test_a_tlink_contradicts_the_other_side() -> None:
    found = tlinks(["a BEFORE b", "b BEFORE c"], ["c BEFORE a"])
    assert found.counts == {"tlink-contradicted": 1, "tlink-not-entailed": 2}
    (entry,) = (entry for entry in found.first if entry.reason == "tlink-contradicted")
    assert entry.message == 'TLINK r0 c "w" BEFORE a "w" contradicts gold\'s r0, r1, which entail TLINK "w" AFTER "w"'
    assert (entry.kind, entry.system) == ("wrong-value", 'TLINK "w" BEFORE "w"')
    assert entry.gold == 'TLINK "w" AFTER "w" (TLINK "w" BEFORE "w"; TLINK "w" BEFORE "w")'
    assert entry.chain == (Link('b "w"', "BEFORE", 'c "w"'), Link('a "w"', "BEFORE", 'b "w"'))  # from c to a
    assert [entry.kind for entry in found.first if entry.reason == "tlink-not-entailed"] == ["missed"] * 2


@pytest.mark.parametrize(
    ("gold", "system", "pairs"),
    [
        (["a BEFORE b"], ["a AFTER b"], [("BEFORE", "AFTER"), None]),  # once, though either side's TLINK is explained
        (["a BEFORE b"], ["b before a"], [("BEFORE", "AFTER"), None]),  # b BEFORE a is a AFTER b
        (["a BEFORE b"], [], [("BEFORE", "")]),
        ([], ["a before b"], [("", "BEFORE")]),
        (["a BEFORE c"], ["a BEFORE b", "b BEFORE c", "c BEFORE d"], [("", "BEFORE")] * 3),  # c BEFORE d, and both that entail
        (["a BEFORE b"], ["c BEFORE b", "b BEFORE a"], [("BEFORE", "AFTER"), None, ("", "BEFORE")]),
        (["a BEFORE b", "b BEFORE c"], ["c BEFORE a"], [("BEFORE", ""), ("BEFORE", ""), ("AFTER", "BEFORE")]),
        (  # no single relation of d and b follows from gold
            ["a BEFORE b", "b INCLUDES c", "c ENDS d"],
            ["d BEFORE b"],
            [("BEFORE", ""), ("INCLUDES", ""), ("ENDS", ""), ("not BEFORE", "BEFORE")],
        ),
        (["a X b"], ["a BEFORE b"], [("X", "BEFORE"), None]),
        (["a BEFORE b", "b BEFORE c", "c BEFORE a"], ["a BEFORE b", "b BEFORE c"], [None, ("BEFORE", "AFTER")]),
    ],
)
def test_the_types_of_both_sides_are_a_pair_that_counts_once_what_both_relate(
    gold: list[str], system: list[str], pairs: list[tuple[str, str] | None]
) -> None:
    found = [entry.pair for entry in tlinks(gold, system).first]
    assert sorted(found, key=str) == sorted(pairs, key=str)


def test_the_key_of_a_tlink_does_not_depend_on_how_it_is_said() -> None:
    items = [tlinks(["a BEFORE b"], said).first[-1].item for said in (["b BEFORE c"], ["c AFTER b"], ["b SIMULTANEOUS c"])]
    assert items == ["TLINK.tempeval EVENT 2 > EVENT 3"] * 3


def test_a_tlink_contradicts_its_own_file() -> None:
    gold = ["a BEFORE b", "b BEFORE c", "c BEFORE a"]
    found = tlinks(gold, gold)
    assert found.counts == {"tlink-inconsistent": 2}
    assert [entry.message.startswith("gold's") for entry in found.first] == [True, False]
    assert all("contradicts its own file's r0, r1" in entry.message for entry in found.first)
    assert {entry.kind for entry in found.first} == {"other"}


def test_the_tlinks_that_decide_are_named_up_to_eight() -> None:
    marks = [f"e{rank} EVENT {rank}" for rank in range(1, 12)]
    chain = [f"TLINK e{rank}>e{rank + 1} relType=BEFORE" for rank in range(1, 11)]
    found = judge(CONFIG, document(marks, chain), document(marks, ["TLINK e11>e1 relType=BEFORE"])).explanations
    (entry,) = (entry for entry in found.first if entry.reason == "tlink-contradicted")
    assert entry.message.endswith('contradicts gold\'s r0, r1, r2, r3, r4, r5, r6, r7, …, which entail TLINK "w" AFTER "w"')
    assert entry.gold.count("TLINK") == 1 + 5
    assert entry.gold.endswith("; …)")
    assert [link.source for link in entry.chain] == [f'e{rank} "w"' for rank in range(10, 0, -1)]


@pytest.mark.parametrize("kind", ["CONTAINS", "X"])
def test_a_tlink_of_unknown_type_is_no_contradiction(kind: str) -> None:
    found = tlinks([f"a {kind} b"], ["a BEFORE b"])
    assert found.counts == {"tlink-not-entailed": 2}
    assert kind in found.first[0].message


STORY = ["a BEFORE b", "b INCLUDES c", "c SIMULTANEOUS d", "e BEGINS a"]


@pytest.mark.parametrize(
    ("said", "instead", "chain"),
    [
        ("a AFTER b", "BEFORE", ["a BEFORE b"]),
        ("d BEFORE a", "AFTER", ["c SIMULTANEOUS d", "b INCLUDES c", "a BEFORE b"]),  # a2 < b1 < c1 = d1
        ("e SIMULTANEOUS d", "BEFORE", ["e BEGINS a", "a BEFORE b", "b INCLUDES c", "c SIMULTANEOUS d"]),
        ("b BEGINS d", "INCLUDES", ["b INCLUDES c", "c SIMULTANEOUS d"]),
        ("d CONTAINS b", "IS_INCLUDED", ["c SIMULTANEOUS d", "b INCLUDES c"]),  # a type that says nothing
    ],
)
def test_what_the_other_side_entails_instead_is_told_with_its_chain(said: str, instead: str, chain: list[str]) -> None:
    for side in ("gold", "system"):
        found = tlinks(*([STORY, [said]] if side == "gold" else [[said], STORY]))
        (entry,) = (entry for entry in found.first if entry.chain and entry.message.startswith("gold's") == (side == "system"))
        ids = ", ".join(sorted(f"r{STORY.index(link)}" for link in chain))
        assert f'{ids}, which {"entails" if len(chain) == 1 else "entail"} TLINK "w" {instead} "w"' in entry.message
        assert [f"{link.source[0]} {link.relation} {link.target[0]}" for link in entry.chain] == chain
        assert (entry.gold if side == "gold" else entry.system).startswith(f'TLINK "w" {instead} "w"')
        assert entry.kind == "wrong-value"


def test_where_no_relation_is_entailed_the_tlinks_that_are_contradicted_are_told() -> None:
    found = tlinks(["a BEFORE b", "b INCLUDES c", "c ENDS d"], ["d BEFORE b"])  # b1 < c2 = d2; d1 may be before b1
    (entry,) = (entry for entry in found.first if entry.reason == "tlink-contradicted")
    assert entry.message.endswith("contradicts gold's r1, r2")
    assert entry.gold == 'TLINK "w" ENDS "w"; TLINK "w" INCLUDES "w"'
    assert len(entry.chain) == 2


TYPES = ("BEFORE", "AFTER", "IBEFORE", "BEGINS", "ENDED_BY", "INCLUDES", "SIMULTANEOUS", "CONTAINS")
TLINKS = st.lists(st.tuples(st.permutations("abcde").map(lambda ends: ends[:2]), st.sampled_from(TYPES)), max_size=8)


@given(TLINKS, TLINKS)
def test_from_a_chain_alone_follows_what_is_told(gold: list[tuple[list[str], str]], system: list[tuple[list[str], str]]) -> None:
    sides = ([f"{one} {kind} {other}" for (one, other), kind in side] for side in (gold, system))
    for entry in tlinks(*sides).first:
        told = re.fullmatch(
            r"(?:gold's )?TLINK \w+ (\w).* (\w+) (\w) \"w\" .*, which entails? TLINK .* (\w+) \"w\"", entry.message
        )
        if told:
            graph = TemporalGraph(TemporalLink(link.source[0], link.target[0], link.relation) for link in entry.chain)
            assert not graph.violated
            assert graph.entails(TemporalLink(told[1], told[3], told[4]))
            assert not graph.entails(TemporalLink(told[1], told[3], told[2]))


def test_very_many_wrong_tlinks_take_no_more_work_each() -> None:
    def work(number: int) -> int:
        ids = range(1, number + 2)
        marks, chance = [f"{rank} EVENT {rank}" for rank in ids], Random(7)
        gold = [f"TLINK {rank}>{rank + 1} relType=BEFORE" for rank in ids[:-1]]
        ends = [sorted(chance.sample(ids, 2)) for _ in ids[:-1]]
        system = [f"TLINK {one}>{other} relType=AFTER" for one, other in ends]
        sides = [document(marks, links, ids=tuple(map(str, ids))) for links in (gold, system)]
        return calls_of(lambda: judge(CONFIG, *sides))

    assert work(4000) < 2.2 * work(2000)


def test_a_redundant_tlink_is_not_explained() -> None:
    found = tlinks(["a BEFORE b", "b BEFORE c", "a BEFORE c"], ["a BEFORE c"])
    assert [entry.item for entry in found.first] == ["TLINK.tempeval EVENT 1 > EVENT 2", "TLINK.tempeval EVENT 2 > EVENT 3"]


def groups(gold: list[str], system: list[str]) -> list[Explanation]:
    marks = [*EVENTS, "p PLACE -", "q PLACE -"]
    sides = [document(marks, [f"REFERS {text}" for text in side]) for side in (gold, system)]
    return [entry for entry in judge(CONFIG, *sides).explanations.first if entry.reason.startswith("mentions")]


def test_a_group_that_is_whole_on_the_other_side_is_right() -> None:
    assert groups(["a,b>p"], ["a,b>q"]) == []
    assert [entry.reason for entry in groups(["a,b>p"], ["a,b,c>q"])] == ["mentions-spurious"]


def test_a_group_that_the_other_side_parts() -> None:
    (found,) = groups(["d,a,b,c>p"], ["a,b>p", "c>q"])
    assert (found.reason, found.unit, found.kind) == ("mentions-missed", "REFERS", "partial")
    assert '(d "w" | a "w", b "w" | c "w"): the system\'s groups part it at |, and have 1 of its 3 links' in found.message
    assert (found.gold, found.system) == ('"w", "w", "w", "w"', '"w" | "w", "w" | "w"')
    assert found.item == "REFERS gold's group of EVENT 1"
    assert found.measures == ("REFERS.strict.*", "REFERS.relaxed.*")
    assert found.passage is not None
    assert (len(found.passage.gold), found.passage.system) == (4, ())


def test_a_group_that_is_parted_only_strictly_bears_on_the_strict_row() -> None:
    sides = [document([f"a EVENT {one}", "b EVENT 5", "p PLACE -"], ["REFERS a,b>p"]) for one in ("1,2", "1")]
    found = judge(CONFIG, *sides).explanations.first
    assert [(entry.reason, entry.measures) for entry in found] == [
        ("mentions-missed", ("REFERS.strict.*",)),
        ("mentions-spurious", ("REFERS.strict.*",)),
    ]


def test_a_group_of_one_has_no_links() -> None:
    assert groups(["a>p"], ["a>p"]) == []


@given(PAIRS, st.sampled_from(EVERYTHING))
def test_the_numbers_of_reasons_are_the_counts(pair: tuple[Document, Document], configuration: Configuration) -> None:
    found = judge(configuration, *pair)
    reasons = found.explanations.counts
    assert list(reasons) == sorted(reasons)
    strict, relaxed = ([found.row(f"{name}.{row}") for name in ("EVENT", "TIMEX3")] for row in ("strict", "relaxed"))
    assert reasons.get("wrong-attribute", 0) <= sum(row[0] for row in strict)
    assert reasons.get("overlapping", 0) == sum(row[0] for row in relaxed) - sum(row[0] for row in strict)
    assert reasons.get("missed", 0) == sum(row[1] - row[0] for row in relaxed)
    assert reasons.get("spurious", 0) == sum(row[2] - row[0] for row in relaxed)
    unmatched = sum(reasons.get(reason, 0) for reason in ("tlink-contradicted", "tlink-not-entailed"))
    assert unmatched == sum(total - matched for matched, total in found.sides("TLINK.tempeval"))


def test_a_chain_goes_from_one_end_of_the_tlink_to_the_other_whatever_the_order_and_the_directions() -> None:
    found = tlinks(["c AFTER b", "d AFTER c", "a BEFORE b"], ["d BEFORE a"])
    (entry,) = (entry for entry in found.first if entry.reason == "tlink-contradicted")
    assert [(link.source, link.relation, link.target) for link in entry.chain] == [
        ('d "w"', "AFTER", 'c "w"'),
        ('c "w"', "AFTER", 'b "w"'),
        ('a "w"', "BEFORE", 'b "w"'),
    ]
    (again,) = (Explanation.from_json(one.to_json()) for one in [entry])
    assert again == entry


def test_a_long_chain_is_cut() -> None:
    marks = [f"e{rank} EVENT {rank}" for rank in range(1, 20)]
    chain = [f"TLINK e{rank}>e{rank + 1} relType=BEFORE" for rank in range(1, 19)]
    found = judge(CONFIG, document(marks, chain), document(marks, ["TLINK e19>e1 relType=BEFORE"])).explanations
    (entry,) = (entry for entry in found.first if entry.reason == "tlink-contradicted")
    assert [link.source for link in entry.chain] == [f'e{rank} "w"' for rank in range(18, 18 - 12, -1)]
