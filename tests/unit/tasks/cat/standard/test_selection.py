from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.temporal import INVERSES
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.problems import PROBLEMS
from pytest_nlpeval.tasks.cat.standard.selection import Key, Selection, key_of, select, type_of
from pytest_nlpeval.tasks.cat.xml.document import Document, Relation, value_of
from tests.unit.tasks.cat.judging import DOCUMENTS, EVERYTHING, TYPES, Said, selected
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config(
    "EVENT markable 0 class",
    "TIMEX3 markable 0 type",
    "TIMEX3 instance comparable type",
    "TLINK one2one directional relType",
    "PLOT one2one directional relType",
    "LOOSE one2one undirectional relType",
    "REFERS many2one directional type",
)
MARKS = [
    *(f"{name} EVENT {rank}" for rank, name in enumerate("abcd", 1)),
    "t TIMEX3 - type=DATE",
    "x PLACE -",
    "y PLACE -",
    "z ENTITY -",
]


def select_all(*written: str, sentences: int | str = "all") -> tuple[Selection, Said]:
    """What is scored of relations between MARKS."""
    return selected(document(MARKS, written, sentences=(0, 1, 2, 3)), CONFIG, sentences=sentences)


def ends(found: Selection, name: str) -> list[str]:
    return [f"{link.source}>{link.target}" for link in found.links[name].values()]


def groups(found: Selection) -> list[tuple[str, str]]:
    return [(group.relation.targets[0], "".join(group.mentions)) for group in found.groups["REFERS"]]


# Markables


def test_empty_markables_take_part_as_comparable_instances_only() -> None:
    found, said = select_all()
    assert {name: [markable.id for markable in of_name] for name, of_name in found.spans.items()} == {"EVENT": list("abcd")}
    assert {name: [markable.id for markable in of_name] for name, of_name in found.instances.items()} == {"TIMEX3": ["t"]}
    assert said == []


def test_all_names_are_there_though_the_configuration_has_them_not() -> None:
    found, _ = selected(document(["r ROLE 1"]), CONFIG)
    assert [markable.id for markable in found.spans["ROLE"]] == ["r"]


def test_what_is_scored_of_n_sentences() -> None:
    found, said = select_all("PLOT a>b", "PLOT b>c", "PLOT c>d", "PLOT t>d", "PLOT a>t", "REFERS a,b,c>x", sentences=2)
    assert [markable.id for markable in found.spans["EVENT"]] == ["a", "b"]
    assert [markable.id for markable in found.instances["TIMEX3"]] == ["t"]
    assert ends(found, "PLOT") == ["a>b", "a>t"]
    assert groups(found) == []  # with an end on c the whole relation is gone
    assert said == [("cat.cut", "")]


@pytest.mark.parametrize(("anchors", "sentences", "kept"), [("2,5", 2, 1), ("2,5", 1, 0), ("5,2", 2, 0), ("1,5", 1, 1)])
def test_the_first_token_tells_the_sentence(anchors: str, sentences: int, kept: int) -> None:
    side = document([f"a EVENT {anchors}"], sentences=(0, 1, 2, 3, 4))
    assert len(selected(side, CONFIG, sentences=sentences)[0].spans.get("EVENT", ())) == kept


def test_negative_sentence_numbers_are_below_n() -> None:
    side = document(["a EVENT 1"], sentences=(-1,))
    assert len(selected(side, CONFIG, sentences=1)[0].spans["EVENT"]) == 1


def messages(*written: str, marks: list[str], sentences: int | None = None, configured: Configuration = CONFIG) -> list[str]:
    """What is said about a file, without where."""
    log = ProblemLog("file", PROBLEMS)
    select(document(marks, written, sentences=(0, 1, 2, 3)), configured, sentences, log)
    return [f"{problem.code}: {problem.message}" for problem in log.problems()]


def test_of_what_is_cut_only_the_cut_is_said() -> None:
    said = select_all("PLOT a,d>b", "PLOT d>x", "PLOT a>b", sentences=3)[1]
    assert said == [("cat.cut", "")]  # neither the number of ends of the first nor the end of the second


@pytest.mark.parametrize(("sentences", "said"), [
    (1, "3 markables that begin in sentence 1 or later and 2 relations that end on these"),
    (2, "2 markables that begin in sentence 2 or later and 2 relations that end on these"),
    (3, "1 markable that begins in sentence 3 or later and 1 relation that ends on these"),
])  # fmt: skip
def test_the_cut_says_how_many(sentences: int, said: str) -> None:
    (message,) = messages("PLOT a>c", "OTHER a>d", "REFERS a,b,d>x", marks=[*MARKS, "r ROLE 4"], sentences=sentences)
    assert message == f"cat.cut: `sentences: {sentences}` leaves out {said}, here for the first time; not scored"


def test_relations_may_be_cut_with_markables_that_are_not_scored() -> None:
    (message,) = messages("PLOT r>a", marks=["a EVENT 1", "r ROLE 4"], sentences=3)
    assert message.startswith("cat.cut: `sentences: 3` leaves out 1 relation that ends")


@pytest.mark.parametrize("sentences", [None, 4])
def test_a_cut_that_leaves_nothing_out_says_nothing(sentences: int | None) -> None:
    assert messages("PLOT a>b", marks=[*MARKS, "r ROLE 4"], sentences=sentences) == []
    assert messages(marks=["r ROLE 4"], sentences=1) == []  # no line names it


# Empty markables


def test_empty_markables_that_no_line_compares_are_counted() -> None:
    configured = config("EVENT markable 0", "PLACE instance non-comparable", "TIMEX3 markable 0", "TIMEX3 instance comparable")
    first, second = "e EVENT -", "p PLACE -"
    marks = ["a EVENT 1", "t TIMEX3 -", "f EVENT -", "z ENTITY -"]
    expected = "cat.incomparable: 3 markables without tokens ({}) cannot be compared, here for the first time; not scored; {}"
    assert messages(marks=[first, second, *marks], configured=configured) == [
        expected.format(
            "2 EVENT, 1 PLACE",
            "a line `EVENT instance comparable` in the configuration, with attributes, would compare them by these",
        )
    ]
    assert messages(marks=[second, first, *marks], configured=configured) == [
        expected.format(
            "1 PLACE, 2 EVENT",
            "a line `PLACE instance comparable` instead of `non-comparable`, with attributes, would compare them by these",
        )
    ]


def test_empty_markables_that_hold_a_group_together_are_not_left_out() -> None:
    marks = ["a EVENT 1", "e EVENT -"]
    assert messages("REFERS a>e", marks=marks) == []
    assert [message.partition(":")[0] for message in messages("PLOT a>e", marks=marks)] == [
        "cat.incomparable",
        "cat.unidentifiable-end",
    ]
    assert [message.partition(":")[0] for message in messages("OTHER a>e", marks=marks)] == ["cat.incomparable"]


# The number of ends


@pytest.mark.parametrize(
    "written", ["PLOT a>", "PLOT >b", "PLOT >", "PLOT a,b>c", "PLOT a>b,c", "REFERS a>", "REFERS >x", "REFERS a>b,c"]
)
def test_other_numbers_of_ends_are_not_scored(written: str) -> None:
    found, said = select_all("PLOT a>b", "REFERS c>d", written)
    assert ends(found, "PLOT") + ends(found, "REFERS") == ["a>b", "c>d"]
    assert groups(found) == []
    assert said == [("cat.arity", f"{written.split(maxsplit=1)[0]} r2")]


def test_the_same_source_twice_is_two_sources() -> None:
    assert select_all("PLOT a,a>b")[1] == [("cat.arity", "PLOT r0")]


def test_relations_that_are_not_in_the_configuration_are_nothing() -> None:
    found, said = select_all("OTHER a>", "OTHER a>z")
    assert "OTHER" not in found.links
    assert said == []


# Ends that cannot be identified


def test_relations_that_end_on_an_empty_markable_are_left_out_and_their_number_is_said() -> None:
    found, said = select_all("PLOT a>b", "PLOT a>x", "PLOT z>b", "PLOT x>z", "PLOT a>t", "TLINK a>x")
    assert ends(found, "PLOT") == ["a>b", "a>t"]
    assert found.tlinks == []
    assert said == [("cat.unidentifiable-end", "TLINK r5"), ("cat.unidentifiable-end", "PLOT r1")]


@pytest.mark.parametrize(("number", "said"), [(1, "1 PLOT relation ends on"), (3, "3 PLOT relations end on")])
def test_it_is_said_once_per_name_and_how_many(number: int, said: str) -> None:
    log = ProblemLog("file", PROBLEMS)
    select(document(MARKS, ["PLOT a>x"] * number), CONFIG, None, log)
    (problem,) = log.problems()
    assert (problem.code, problem.where) == ("cat.unidentifiable-end", "PLOT r0")
    assert problem.message.startswith(said)


def test_of_a_relation_with_several_sources_only_the_identifiable_pairs_stay() -> None:
    found, said = select_all("REFERS a,x,t>b", "REFERS x>c", "REFERS z,y>c")
    assert ends(found, "REFERS") == ["a>b", "t>b"]
    assert said == [("cat.unidentifiable-end", "REFERS r0")]


# Duplicates


@pytest.mark.parametrize(("first", "second", "is_duplicate"), [
    ("PLOT a>b relType=X", "PLOT a>b relType=x", True),
    ("PLOT a>b relType=X", "PLOT a>b RELTYPE=X", True),
    ("PLOT a>b relType=X", "PLOT a>b relType=X other=1", True),
    ("PLOT a>b", "PLOT a>b relType=", True),
    ("PLOT a>b relType=X", "PLOT a>b relType=Y", False),
    ("PLOT a>b relType=X", "PLOT b>a relType=X", False),
    ("PLOT a>b", "PLOT a>c", False),
    ("LOOSE a>b relType=X", "LOOSE b>a relType=x", True),
    ("LOOSE a>b relType=BEFORE", "LOOSE b>a relType=AFTER", False),
    ("PLOT a>b", "LOOSE a>b", False),
    ("REFERS a>b type=X", "REFERS a>b type=x", True),
    ("REFERS a>b type=X", "REFERS a>b type=Y", False),
])  # fmt: skip
def test_what_says_the_same_as_an_earlier_one_counts_once(first: str, second: str, is_duplicate: bool) -> None:
    found, said = select_all(first, second)
    name = second.split(maxsplit=1)[0]
    assert said == ([("cat.duplicate", f"{name} r1")] if is_duplicate else [])
    assert [link.relation.id for link in found.links[name].values()][:1] == ["r0" if first.startswith(name) else "r1"]
    assert sum(map(len, found.links.values())) == 2 - is_duplicate


def test_a_pair_that_stood_in_an_earlier_relation_is_left_out_of_a_later_one() -> None:
    found, said = select_all("REFERS a,c>b", "REFERS d,a>b")
    assert ends(found, "REFERS") == ["a>b", "c>b", "d>b"]
    assert said == [("cat.duplicate", "REFERS r1")]


def test_a_source_twice_in_one_relation_is_a_duplicate_pair() -> None:
    found, said = select_all("REFERS a,a>b")
    assert ends(found, "REFERS") == ["a>b"]
    assert said == [("cat.duplicate", "REFERS r0")]


def test_tlinks_are_kept_with_their_repeats() -> None:
    found, said = select_all("TLINK a>b relType=BEFORE", "TLINK a>b relType=before", "TLINK b>x relType=X", "TLINK c>d")
    assert ends(found, "TLINK") == ["a>b", "c>d"]
    assert [f"{link.source}>{link.target}" for link in found.tlinks] == ["a>b", "a>b", "c>d"]
    assert [code for code, _ in said] == ["cat.unidentifiable-end", "cat.duplicate"]


def test_a_many2one_line_named_tlink_has_no_tlinks() -> None:
    found, _ = selected(document(MARKS, ["TLINK a,b>c relType=X"]), config("TLINK many2one directional"))
    assert found.tlinks == []
    assert ends(found, "TLINK") == ["a>c", "b>c"]


# many2one


def test_relations_to_a_span_or_a_comparable_instance_are_pairs() -> None:
    found, said = select_all("REFERS a,b>c", "REFERS c,d>t", "REFERS t>a")
    assert ends(found, "REFERS") == ["a>c", "b>c", "c>t", "d>t", "t>a"]
    assert groups(found) == []
    assert said == []


def test_relations_with_the_same_empty_target_are_one_group() -> None:
    found, said = select_all("REFERS a>x type=1", "REFERS b,t>y", "REFERS c>x type=2", "REFERS d>z")
    assert groups(found) == [("x", "ac"), ("y", "bt"), ("z", "d")]
    assert ends(found, "REFERS") == []
    assert said == []


def test_a_mention_is_in_one_group_only() -> None:
    found, said = select_all("REFERS a,b>x", "REFERS b,c>y", "REFERS a,d>x", "REFERS b,d>z")
    assert groups(found) == [("x", "abd"), ("y", "c"), ("z", "")]
    assert said == [
        ("cat.duplicate", "REFERS r1"),  # b, in the group of x
        ("cat.duplicate", "REFERS r2"),  # a, there already
        ("cat.duplicate", "REFERS r3"),  # b
        ("cat.duplicate", "REFERS r3"),  # d, in the group of x
    ]


def test_it_is_in_the_group_of_the_relation_that_stands_first_in_the_file() -> None:
    found, said = select_all("REFERS a>x", "REFERS b>y", "REFERS b,c>x", "REFERS c>y")
    assert groups(found) == [("x", "ac"), ("y", "b")]
    assert said == [("cat.duplicate", "REFERS r2"), ("cat.duplicate", "REFERS r3")]


def test_who_lost_a_mention_and_to_whom_is_said() -> None:
    side = document(MARKS, ["REFERS a>x", "REFERS b>y", "REFERS b,b>x"])
    side = Document(side.tokens, side.markables, tuple(r._replace(line=line) for line, r in enumerate(side.relations, 7)))
    log = ProblemLog("file", PROBLEMS)
    select(side, CONFIG, None, log)
    told = "b is in the group of y already, put there by r1 on line 8; here it is left out"
    assert [(problem.line, problem.message) for problem in log.problems()] == [(9, told), (9, told)]


def test_empty_sources_are_no_mentions() -> None:
    found, said = select_all("REFERS a,y,t>x", "REFERS z>x")
    assert groups(found) == [("x", "at")]
    assert said == [("cat.unidentifiable-end", "REFERS r0")]


# What has to agree


def line(text: str) -> AnnotationType:
    return config(text).types[0]


def relation(written: str, name: str = "TLINK") -> Relation:
    return document([], [f"{name} {written}"]).relations[0]


def key_of_relation(of_line: AnnotationType, found: Relation) -> Key:
    values = tuple(value_of(found.attributes, name).casefold() for name in of_line.attributes)
    return key_of(of_line, found.sources[0], found.targets[0], values)


def key(configured: str, written: str) -> Key:
    of_line = line(configured)
    return key_of_relation(of_line, relation(written, of_line.name))


@pytest.mark.parametrize(("one", "other"), INVERSES.items())
def test_an_undirectional_tlink_swapped_has_the_inverse_type(one: str, other: str) -> None:
    configured = "TLINK one2one undirectional relType"
    assert key(configured, f"a>b relType={one}") == key(configured, f"b>a relType={other.lower()}")
    is_own_inverse = one == other
    assert (key(configured, f"a>b relType={one}") == key(configured, f"b>a relType={one}")) == is_own_inverse
    assert key("TLINK one2one directional relType", f"a>b relType={one}") != key(
        "TLINK one2one directional relType", f"b>a relType={other}"
    )


@pytest.mark.parametrize("unknown", ["CONTAINS", "OVERLAP", ""])
def test_an_unknown_type_has_no_inverse(unknown: str) -> None:
    configured = "TLINK one2one undirectional relType"
    assert key(configured, f"a>b relType={unknown}") == key(configured, f"a>b relType={unknown.lower()}")
    assert key(configured, f"a>b relType={unknown}") != key(configured, f"b>a relType={unknown}")


def test_without_its_type_in_the_line_an_undirectional_tlink_is_like_others() -> None:
    configured = "TLINK one2one undirectional other"
    assert key(configured, "a>b relType=BEFORE other=1") == key(configured, "b>a relType=X other=1")


def test_only_the_type_of_tlinks_is_inverted() -> None:
    configured = "PLOT one2one undirectional relType"
    assert key(configured, "a>b relType=BEFORE") == key(configured, "b>a relType=before")
    assert key(configured, "a>b relType=BEFORE") != key(configured, "b>a relType=AFTER")


def test_other_attributes_of_a_swapped_tlink_agree_as_they_are() -> None:
    configured = "TLINK one2one undirectional RELTYPE signal"
    assert key(configured, "a>b relType=BEFORE signal=S") == key(configured, "b>a reltype=after SIGNAL=s")
    assert key(configured, "a>b relType=BEFORE signal=S") != key(configured, "b>a relType=AFTER signal=T")


def test_a_tlink_of_a_markable_to_itself_is_its_own_inverse() -> None:
    configured = "TLINK one2one undirectional relType"
    assert key(configured, "a>a relType=BEFORE") == key(configured, "a>a relType=AFTER")


@pytest.mark.parametrize(("written", "found"), [
    ("a>b relType=before", "BEFORE"), ("a>b RELTYPE=Before", "BEFORE"), ("a>b", ""), ("a>b relType=", ""), ("a>b relType=x", "X"),
])  # fmt: skip
def test_the_type_of_a_tlink(written: str, found: str) -> None:
    assert type_of(relation(written)) == found


def _matches(of_line: AnnotationType, one: Relation, other: Relation) -> bool:
    """Whether two relations with one source and target match, as the rule says it."""
    values = [{name.lower(): value.lower() for name, value in side.attributes.items()} for side in (one, other)]
    straight, swapped = (one.sources, one.targets), (one.targets, one.sources)
    places = other.sources, other.targets
    names = [name.lower() for name in of_line.attributes]
    if straight == places and all(values[0].get(name, "") == values[1].get(name, "") for name in names):
        return True
    if of_line.specificity == "directional" or swapped != places:
        return False
    for name in names:
        wanted: str | None = values[0].get(name, "")
        if of_line.name == "TLINK" and name == "reltype":
            wanted = INVERSES.get((wanted or "").upper(), "").lower() or None
        if wanted != values[1].get(name, ""):
            return False
    return True


ENDS = st.sampled_from(("a", "b", "c")).map(lambda end: (end,))
ATTRIBUTES = st.fixed_dictionaries({"relType": st.sampled_from(TYPES)}, optional={"SIGNAL": st.sampled_from(("", "S", "s", "T"))})
RELATIONS = st.builds(Relation, st.just("r"), st.just("any"), ENDS, ENDS, ATTRIBUTES, st.none())


@given(st.sampled_from(("TLINK", "PLOT")), st.sampled_from(("directional", "undirectional")), RELATIONS, RELATIONS)
def test_equal_keys_are_the_rule(name: str, specificity: str, one: Relation, other: Relation) -> None:
    for attributes in ("", " relType", " signal", " relType signal"):
        of_line = line(f"{name} one2one {specificity}{attributes}")
        keys = [key_of_relation(of_line, side) for side in (one, other)]
        assert (keys[0] == keys[1]) == _matches(of_line, one, other) == _matches(of_line, other, one)


# What is always so


@given(DOCUMENTS, st.sampled_from(EVERYTHING), st.sampled_from((1, 2, "all")))
def test_what_is_selected_is_scored_and_stands_once(side: Document, configuration: Configuration, sentences: int | str) -> None:
    found, _ = selected(side, configuration, sentences=sentences)
    scored = {markable.id for part in (found.spans, found.instances) for of_name in part.values() for markable in of_name}
    for of_line in configuration.relations:
        links = found.links[of_line.name]
        for of_link, link in links.items():
            alone = link.relation._replace(sources=(link.source,), targets=(link.target,))
            assert of_link == key_of_relation(of_line, alone)
        mentions = [mention for group in found.groups[of_line.name] for mention in group.mentions]
        assert len(mentions) == len(set(mentions))
        assert scored.issuperset(mentions)
        assert scored.issuperset(end for link in links.values() for end in link[:2])


@given(DOCUMENTS, st.sampled_from(EVERYTHING))
def test_selecting_without_what_was_left_out_leaves_nothing_out(side: Document, configuration: Configuration) -> None:
    found, _ = selected(side, configuration)
    pairs = (link for links in found.links.values() for link in links.values())
    rest = [Relation("", link.relation.name, (link.source,), (link.target,), link.relation.attributes, None) for link in pairs]
    markables = {m.id: m for part in (found.spans, found.instances) for of_name in part.values() for m in of_name}
    again, said = selected(Document(side.tokens, markables, tuple(rest)), configuration)
    assert said == []
    assert {name: list(links) for name, links in again.links.items()} == {
        name: list(links) for name, links in found.links.items()
    }
