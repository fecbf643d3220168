from __future__ import annotations

import json

from pytest_nlpeval.explanations import Explanation, Explanations, Omitted, Right
from pytest_nlpeval.shelf import ROOM
from pytest_nlpeval.tasks.ranking.options import options
from tests.unit.tasks.ranking.files import GOLD, RUN, counted, explanations_of, qrels, trec

TOPICS = '{"_id": "1", "text": "Where is it?", "kind": "short"}\n'


def explained(gold: str, run: str, topics: str | None = None, **given: object) -> list[Explanation]:
    return explanations_of(counted(gold, run, options(**given), topics=topics)[0])


def test_the_worked_example() -> None:
    found = explained(qrels(GOLD), trec(RUN), TOPICS)
    assert [(entry.unit, entry.reason, entry.message) for entry in found] == [
        ("1", "not-found", '"Where is it?": c (grade 1) is not among the 4 results'),
        ("1", "before-first", '"Where is it?": d (grade 0) is at place 1, before the first relevant document'),
        ("1", "before-first", '"Where is it?": x (not judged) is at place 2-3, level with the first relevant document'),
        ("2", "missing", "has no results"),
    ]
    assert [entry.line for entry in found] == [None, 1, 3, None]
    judgements = qrels(GOLD).splitlines()
    of_c, of_2 = (next(line for line in judgements if line.startswith(start)) for start in ("1 0 c", "2 "))
    assert [entry.gold_line for entry in found] == [judgements.index(of_c) + 1, None, None, judgements.index(of_2) + 1]
    assert [entry.item for entry in found] == ["1 c", "1 d", "1 x", "2"]


def test_places_of_a_profile_are_those_of_its_order() -> None:
    found = explained(qrels(GOLD), trec(RUN), profile="trec_eval")
    assert [entry.message for entry in found if entry.reason == "before-first"] == [
        "d (grade 0) is at place 1, before the first relevant document",
        "x (not judged) is at place 2, before the first relevant document",
    ]


def test_what_bears_on_which_measures() -> None:
    every = ["nDCG@10", "RR", "AP", "P@10", "R@10", "Rprec", "Bpref", "Success@1", "SetP", "SetR", "SetF", "Judged@10"]
    run = trec({"1": {"d": 9, **{f"x{number}": 8 - number / 20 for number in range(12)}, "b": 1}, "3": {"d": 1}})
    found = {entry.reason: entry for entry in explained(qrels(GOLD), run, TOPICS, measures=every, group="kind")}
    assert set(found) == {"missing", "not-found", "low", "before-first"}
    assert set(found["not-found"].measures) == {
        start + name for start in ("", "group.short.") for name in every if name != "Judged@10"
    }
    assert set(found["missing"].measures) == {"coverage", *every} - {"Judged@10"}
    assert not set(found["low"].measures) & {"SetP", "SetR", "SetF", "Judged@10"}
    assert set(every) - set(found["before-first"].measures) == {"R@10", "Rprec", "SetR", "Judged@10"}
    assert found["low"].message == '"Where is it?": b (grade 1) is at place 14, behind 13 that are not relevant'


def test_a_missing_topic_without_relevant_documents_bears_on_coverage_alone() -> None:
    (entry,) = explained("1 0 a 0\n2 0 a 1\n", "2 Q0 a 1 1 t\n")
    assert (entry.reason, entry.measures) == ("missing", ("coverage",))


def test_five_before_the_first_and_twenty_in_all() -> None:
    gold = {"q": {"z": 1, **{f"n{number:02}": 1 + number % 2 for number in range(18)}}}
    run = {"q": {**{f"x{number}": 50.0 - number for number in range(7)}, "z": 1}}
    entries = list(counted(qrels(gold), trec(run))[0].explanations)
    found = [entry for entry in entries if isinstance(entry, Explanation)]
    assert len(found) == 20
    falling = [*range(1, 18, 2), *range(0, 18, 2)]
    assert [entry.gold for entry in found[:18]] == [f"n{number:02} (grade {1 + number % 2})" for number in falling]
    assert [entry.message.partition(" ")[0] for entry in found[18:]] == ["x0", "x1"]
    assert [entry for entry in entries if isinstance(entry, Omitted)] == [Omitted("before-first", 3)]


def test_a_long_text_is_cut() -> None:
    topics = json.dumps({"id": "1", "text": "é" * 300}) + "\n"
    (entry,) = explained("1 0 a 1\n", "1 Q0 b 1 1 t\n", topics)
    assert entry.message.startswith(f'"{"é" * 200}…": a')


def test_what_is_right_is_not_explained() -> None:
    assert not explained("1 0 a 1\n1 0 b 0\n", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")


def test_very_many_are_counted() -> None:
    number = 3000
    gold = "".join(f"{topic} 0 a 1\n" for topic in range(number))
    run = "".join(f"{topic} Q0 b 1 1 t\n" for topic in range(number))
    found = Explanations.of(counted(gold, run)[0].explanations)
    assert found.counts == {"not-found": number}
    assert found.cut > 0


def right(gold: str, run: str, **given: object) -> list[tuple[str, str]]:
    every = counted(gold, run, options(**given))[0].explanations
    return [(entry.item, entry.message) for entry in every if isinstance(entry, Right)]


def test_where_relevant_documents_stand_well_is_told_to_comparisons() -> None:
    """Those of the worked example; d is not relevant, and c is not found. Level documents share places, but for profiles."""
    assert right(qrels(GOLD), trec(RUN)) == [
        ("1 a", "a (grade 2) is at place 4"),
        ("1 b", "b (grade 1) is at place 2-3"),
    ]
    assert right(qrels(GOLD), trec(RUN), profile="trec_eval")[1] == ("1 b", "b (grade 1) is at place 3")


def test_a_document_is_explained_or_stands_well() -> None:
    places = "".join(f"1 Q0 d{place} {place} {-place} t\n" for place in range(1, 15))
    gold = "".join(f"1 0 d{place} {int(place in (1, 10, 11, 20))}\n" for place in range(1, 21))
    assert [item for item, _ in right(gold, places)] == ["1 d1", "1 d10"]
    assert [entry.item for entry in explained(gold, places)] == ["1 d11", "1 d20"]


def test_of_very_many_documents_that_stand_well_the_first_are_told() -> None:
    gold, run = ("".join(f"{topic} {text}\n" for topic in range(ROOM + 5)) for text in ("0 d 1", "Q0 d 1 1 t"))
    assert len(right(gold, run)) == ROOM
