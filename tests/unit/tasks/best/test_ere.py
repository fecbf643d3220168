from __future__ import annotations

import pytest

from tests.unit.tasks.best.files import ERE, KNOWN, codes, ere_of


def test_mentions_know_their_objects() -> None:
    owners = {name: (mention.kind, mention.owner) for name, mention in KNOWN.mentions.items()}
    assert owners == {
        **dict.fromkeys(("a1", "a2"), ("entity", "a")),
        "b1": ("entity", "b"),
        "c1": ("entity", "c"),
        "p1": ("entity", "p"),
        **dict.fromkeys(("r1", "r2", "r3"), ("relation", "r")),
        **dict.fromkeys(("h1", "h2", "h3"), ("event", "h")),
        "k1": ("event", "k"),
    }


def test_where_mentions_begin() -> None:
    begins = {name: mention.begin for name, mention in KNOWN.mentions.items()}
    # r1 has two entity mentions as arguments, r2 a filler too, r3 nothing; h1 has a trigger behind its argument
    assert begins == {
        "a1": 10,
        "a2": 20,
        "b1": 30,
        "c1": 40,
        "p1": 50,
        "r1": 30,
        "r2": 5,
        "r3": None,
        "h1": 60,
        "h2": 70,
        "h3": 80,
        "k1": 90,
    }


def test_what_mentions_say() -> None:
    ann, vote, member = (KNOWN.mentions[name] for name in ("a1", "h1", "r1"))
    assert (ann.entity_type, ann.offset, ann.length, ann.text) == ("PER", "10", "3", "Ann")
    assert (vote.entity_type, vote.offset, vote.length, vote.text) == ("", "60", "4", "vote")
    assert (member.entity_type, member.offset, member.length, member.text) == ("", "", "", "")


def test_types_in_upper_case_and_text_in_one_line() -> None:
    ere, problems = ere_of(ERE.replace('type="ORG"', 'type="Org"').replace(">co-op<", ">\n  co\n  op <"))
    assert problems == ()
    assert ere is not None
    assert (ere.mentions["c1"].entity_type, ere.mentions["c1"].text) == ("ORG", "co op")


def test_fillers_are_no_mentions() -> None:
    assert "f1" not in KNOWN.mentions


def test_hints_are_mention_ids() -> None:
    assert '"h3"' in KNOWN.hint("h33")


@pytest.mark.parametrize("name", ["a", "a2", "f1", "r", "r1", "h", "k1"])
def test_ids_are_unique(name: str) -> None:
    ere, problems = ere_of(ERE.replace('<entity id="p" type="FAC">', f'<entity id="{name}" type="FAC">'))
    assert ere is None
    assert [problem.code for problem in problems] == ["best.ere-id"]


@pytest.mark.parametrize("text", ["x", "", "-1", "+1", "1.0", "1e3", " 5", "٣", "0x1"])
@pytest.mark.parametrize("place", ['offset="10"', 'length="3"', 'offset="60"', 'offset="5"'])
def test_offsets_are_numbers(place: str, text: str) -> None:
    attribute = place.partition("=")[0]
    ere, problems = ere_of(ERE.replace(place, f'{attribute}="{text}"', 1))
    assert ere is None
    assert [problem.code for problem in problems] == ["best.ere-offset"]


@pytest.mark.parametrize("place", ['length="4">vote', 'length="2">ex'])
def test_lengths_of_triggers_and_fillers_are_numbers(place: str) -> None:
    ere, problems = ere_of(ERE.replace(place, place.replace('"4"', '"four"').replace('"2"', '"two"'), 1))
    assert ere is None
    assert [problem.code for problem in problems] == ["best.ere-offset"]


@pytest.mark.parametrize(
    "argument",
    ['entity_mention_id="z1"', 'entity_mention_id="r3"', 'entity_mention_id="f1"', 'filler_id="a1"', 'filler_id="f9"', 'entity_id="z"',
     'entity_id="a" entity_mention_id="b1"'],
)  # fmt: skip
def test_references_resolve(argument: str) -> None:
    text = ERE.replace('<em_arg entity_mention_id="a1"/>', f"<em_arg {argument}/>")
    ere, problems = ere_of(text)
    assert ere is None
    assert codes(problems) == [("best.ere-reference", 19)]
    ere, problems = ere_of(text, {"best.ere-reference": "off"})
    assert ere is not None
    assert problems == ()


def test_tolerated_references_tell_no_place() -> None:
    text = ERE.replace('<rel_arg1 entity_id="b" entity_mention_id="b1"/>', '<rel_arg1 entity_mention_id="nobody"/>')
    ere, _ = ere_of(text, {"best.ere-reference": "warning"})
    assert ere is not None
    assert {name: ere.mentions[name].begin for name in ("r1", "r2")} == {"r1": 40, "r2": 5}


def test_an_empty_document() -> None:
    ere, problems = ere_of("<deft_ere/>")
    assert ere is not None
    assert (ere.mentions, problems) == ({}, ())


def test_a_trigger_without_offset_leaves_the_place_to_the_arguments() -> None:
    ere, problems = ere_of(ERE.replace('<trigger offset="60" length="4">vote</trigger>', "<trigger>vote</trigger>"))
    assert problems == ()
    assert ere is not None
    assert (ere.mentions["h1"].begin, ere.mentions["h1"].text) == (10, "vote")
