from __future__ import annotations

from collections.abc import Hashable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.shelf import ROOM, Shelf
from pytest_nlpeval.tasks.cat import TASK
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.xml.document import Document
from tests.unit.tasks.cat.judging import EVERYTHING, PAIRS_WITHOUT_EMPTY, judge, selected
from tests.unit.tasks.cat.nwr2014_documents import config, document
from tests.work import calls_of

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
    assert found.counts == {"missed": 2, "overlapping": 1, "spurious": 2, "wrong-attribute": 1}
    missed, spurious = ([entry for entry in found.first if entry.reason == reason] for reason in ("missed", "spurious"))
    assert [entry.unit for entry in missed] == [entry.unit for entry in spurious] == ["EVENT", "TIMEX3"]
    assert [entry.item for entry in missed] == ["EVENT 7", "TIMEX3 d"]
    assert [entry.item for entry in spurious] == ["EVENT 9", "TIMEX3 t"]
    assert ["EVENT d" in missed[0].message, "TIMEX3 t (empty)" in missed[1].message] == [True, True]
    assert [(entry.gold, entry.system) for entry in missed] == [('EVENT "w"', ""), ('TIMEX3 (type "D")', "")]
    assert {entry.measures for entry in missed[:1] + spurious[:1]} == {("EVENT.strict.*", "EVENT.relaxed.*")}
    assert (spurious[1].system, spurious[1].passage) == ('TIMEX3 (type "T")', None)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_wrong_attribute_bears_on_that_attribute(profile: str) -> None:
    gold, system = document(["a EVENT 2 class=X tense=P"]), document(["v EVENT 2 class=Y tense=p"])
    wrong = only(explained(gold, system, profile), "wrong-attribute")
    assert wrong.message.endswith('differs from gold\'s a: class "Y", in gold "X"')
    assert (wrong.unit, wrong.kind, wrong.item) == ("EVENT", "wrong-value", "EVENT 2")
    assert (wrong.gold, wrong.system) == ('EVENT "w" class "X"', 'EVENT "w" class "Y"')
    assert wrong.measures == ("EVENT.strict.attribute.class", "EVENT.relaxed.attribute.class")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("values", "measures"), [("class=x", ()), ("class=Y", ("EVENT.relaxed.attribute.class",))])
def test_a_relaxed_match_bears_on_the_strict_row_and_on_relaxed_attributes(
    profile: str, values: str, measures: tuple[str, ...]
) -> None:
    gold, system = document(["c EVENT 3,4 class=X"]), document([f"w EVENT 3 {values}"])
    found = only(explained(gold, system, profile), "overlapping")
    assert found.message.index("EVENT w") < found.message.index("EVENT c")
    assert (found.kind, found.item) == ("boundary", "EVENT 3,4")
    assert found.measures == ("EVENT.strict.*", *measures)
    assert found.passage is not None
    assert (found.passage.gold, found.passage.system) == (((4, 7),), ((4, 5),))


@pytest.mark.parametrize("profile", PROFILES)
def test_what_became_of_relations(profile: str) -> None:
    marks = ["a EVENT 1", "b EVENT 2", "c EVENT 3,4", "d EVENT 7"], ["u EVENT 1", "v EVENT 2", "w EVENT 3", "x EVENT 9"]
    gold = document(marks[0], ["PLOT a>b relType=X", "PLOT b>c relType=X", "PLOT c>d relType=X"])
    system = document(marks[1], ["PLOT u>v relType=x", "PLOT v>w relType=X", "PLOT w>x relType=X"])
    found = explained(gold, system, profile)
    relations = {reason: number for reason, number in found.counts.items() if reason.startswith("relation")}
    assert relations == {"relation-missed": 1, "relation-overlapping": 1, "relation-spurious": 1}
    overlapping, missed, spurious = (only(found, f"relation-{reason}") for reason in ("overlapping", "missed", "spurious"))
    assert {entry.unit for entry in (overlapping, missed, spurious)} == {"PLOT"}
    assert [entry.kind for entry in (overlapping, missed, spurious)] == ["boundary", "missed", "spurious"]
    assert overlapping.measures == ("PLOT.strict.*",)
    assert missed.measures == spurious.measures == ("PLOT.strict.*", "PLOT.relaxed.*")
    assert [entry.item for entry in (overlapping, missed, spurious)] == [
        "PLOT EVENT 2 > EVENT 3,4",
        "PLOT EVENT 3,4 > EVENT 7",
        "PLOT EVENT 3 > EVENT 9",
    ]
    assert "r2" in missed.message
    assert (missed.gold, spurious.system) == ('PLOT "w w" → "w": "X"', 'PLOT "w" → "w": "X"')


def test_relations_that_differ_in_attributes_are_missed_and_spurious_in_the_standard() -> None:
    marks = ["a EVENT 1", "b EVENT 2"]
    sides = document(marks, ["PLOT a>b relType=X"]), document(marks, ["PLOT a>b relType=Y"])
    assert explained(*sides, "standard").counts == {"relation-missed": 1, "relation-spurious": 1}
    assert explained(*sides, "nwr2014").counts == {}


def test_the_ends_of_an_undirectional_relation_have_no_order() -> None:
    configuration = config("EVENT markable 0", "LOOSE one2one undirectional")
    marks = ["a EVENT 1", "b EVENT 2"]
    items = [judge(configuration, document(marks), document(marks, [f"LOOSE {ends}"])).items for ends in ("a>b", "b>a")]
    assert items == [[("relation-spurious", "LOOSE EVENT 1 > EVENT 2")]] * 2


def test_the_types_of_tlinks_are_their_pair_in_the_original_profile() -> None:
    """Those of gold, and what the system has between the same ends instead: in so many words, by what its TLINKs entail, or nothing."""
    marks = [f"{name} EVENT {place}" for place, name in enumerate("abcdef", 1)]
    gold = document(
        marks, [f"TLINK {ends} relType={kind}" for ends, kind in (("a>b", "BEFORE"), ("b>c", "BEFORE"), ("d>e", "INCLUDES"))]
    )
    system = document(marks, [f"TLINK {ends} relType=AFTER" for ends in ("a>b", "b>f", "f>c")])
    configuration = config("EVENT markable 0", "TLINK one2one directional relType")
    entries = judge(configuration, gold, system, profile="nwr2014", sentences="all").explanations.first
    tlinks = [entry for entry in entries if entry.reason == "tlink-not-entailed"]
    assert [(entry.pair, entry.kind) for entry in tlinks] == [
        (("BEFORE", "AFTER"), "wrong-value"),
        (("BEFORE", "AFTER"), "wrong-value"),
        (("INCLUDES", ""), "missed"),
    ]
    assert [entry.system for entry in tlinks] == ['TLINK "w" AFTER "w"'] * 2 + [""]
    assert tlinks[0].message.endswith('does not follow from the system\'s TLINKs, which have TLINK "w" AFTER "w"')


def test_lines_are_the_system_files() -> None:
    plain = document(["a EVENT 1", "b EVENT 2"])
    markables = {name: markable._replace(line=10 + rank) for rank, (name, markable) in enumerate(plain.markables.items())}
    numbered = Document(plain.tokens, markables, ())
    assert [entry.line for entry in explained(document(), numbered, "standard").first] == [10, 11]
    assert [entry.line for entry in explained(numbered, document(), "standard").first] == [None, None]


def test_nothing_is_done_before_somebody_asks() -> None:
    side = selected(document(["a EVENT 1"]), CONFIG)[0]
    other = selected(document(["b EVENT 1 class=X"]), CONFIG)[0]
    counted = TASK.count({"config": CONFIG, "gold": side, "system": other}, make_options(), ProblemLog("file", TASK.problems))
    explanations = iter(counted.explanations)
    assert iter(explanations) is explanations
    assert [entry.reason for entry in explanations if isinstance(entry, Explanation)] == ["wrong-attribute"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("is_spurious", [False, True])
def test_of_very_many_the_first_are_written_out_and_all_are_counted(profile: str, is_spurious: bool) -> None:
    def explain(number: int) -> int:
        ids = tuple(map(str, range(1, number + 1)))
        full, empty = document([f"{name} EVENT {name}" for name in ids], ids=ids), document(ids=ids)
        sides = {"gold": selected(empty if is_spurious else full, CONFIG, profile=profile)[0]}
        sides["system"] = selected(full if is_spurious else empty, CONFIG, profile=profile)[0]
        options = make_options(profile=profile, sentences="all")
        counted = TASK.count({"config": CONFIG, **sides}, options, ProblemLog("file", TASK.problems))
        found: list[Explanations] = []
        work = calls_of(lambda: found.append(Explanations.of(counted.explanations)))
        assert found[0].counts == {"spurious" if is_spurious else "missed": number}
        assert len(found[0].first) == ROOM
        return work

    assert explain(4 * ROOM) < 1.1 * explain(2 * ROOM)


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=20)
@given(st.sampled_from(EVERYTHING), PAIRS_WITHOUT_EMPTY)
def test_one_shelf_is_asked_for_what_is_then_written(
    profile: str, configuration: Configuration, pair: tuple[Document, Document]
) -> None:
    asked: list[Hashable] = []
    shelves: set[int] = set()

    def takes_sort(shelf: Shelf, sort: Hashable) -> bool:
        shelves.add(id(shelf))
        asked.append(sort)
        return True

    gold, system = (selected(side, configuration, profile=profile, sentences="all")[0] for side in pair)
    documents = {"config": configuration, "gold": gold, "system": system}
    options = make_options(profile=profile, sentences="all")
    entries = TASK.count(documents, options, ProblemLog("file", TASK.problems)).explanations
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Shelf, "takes_sort", takes_sort)
        written = [(entry.reason, entry.measures) for entry in entries if isinstance(entry, Explanation)]
    assert asked == written
    assert len(shelves) == bool(written)


def test_values_are_quoted_and_cut_short() -> None:
    side = document(["a EVENT 1 class=" + "x" * 100])
    message = explained(side, document(["a EVENT 1"]), "standard").first[0].message
    assert 'class "", in gold "xxx' in message
    assert "x" * 50 not in message
