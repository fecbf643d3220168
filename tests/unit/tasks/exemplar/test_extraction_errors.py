from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Entry, Explanation, Explanations, Omitted, Passage
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.shelf import ROOM, SURE
from pytest_nlpeval.tasks.exemplar import PROBLEMS
from pytest_nlpeval.tasks.exemplar.counting import count
from pytest_nlpeval.tasks.exemplar.extraction_errors import passage_of
from pytest_nlpeval.tasks.exemplar.options import Options
from tests.unit.tasks.exemplar.files import gold_row, pairs_of, scores_of
from tests.unit.tasks.exemplar.test_counting import NOTHING, OUTSIDE, evidence_of, rows


def found_of(both: list[tuple[str, str]], options: Options | None = None) -> list[Entry]:
    return list(count(pairs_of(both), options or Options(), ProblemLog("", PROBLEMS)).explanations)


def written(both: list[tuple[str, str]], options: Options | None = None) -> list[Explanation]:
    return [found for found in found_of(both, options) if isinstance(found, Explanation)]


def test_explanations_name_the_tokens() -> None:
    both = [(OUTSIDE, "taken"), (gold_row(), "Sale"), (gold_row(), "sale by A by"), (NOTHING, "sees"), (OUTSIDE, "---")]
    assert [(found.unit, found.line, found.kind, found.reason, found.message) for found in written(both)] == [
        ("2", 2, "wrong-value", "missing-trigger", '"taken" lacks "over" of the trigger "taken over"'),
        ("3", 3, "wrong-value", "missing-trigger", '"Sale" lacks "sale" of the trigger "sale"'),
        ("4", 4, "boundary", "token-not-allowed", '"sale by A by" has "by", "A", not among the allowed tokens'),
        ("5", 5, "spurious", "no-relation-in-gold", '"sees" is extracted where gold has no relation'),
        ("6", 6, "missed", "not-extracted", 'the relation "taken over" is not extracted'),
    ]


def test_explanations_quote_what_the_files_have() -> None:
    found = written([(gold_row(), "SALE Of By"), (gold_row(), "TODAY")], Options(ignore_case=True))
    assert [(one.gold, one.system, one.message) for one in found] == [
        ("sale", "SALE Of By", '"SALE Of By" has "By", not among the allowed tokens'),
        ("sale", "TODAY", '"TODAY" lacks "sale" of the trigger "sale"'),
    ]


def test_explanations_show_the_sentence_of_their_own_line() -> None:
    both = [(gold_row("[[[New York]]] {{{sale}}} in [[[B]]]"), "SALE In B"), (NOTHING, "Sees")]
    options = Options(ignore_case=True)
    first, second = written(both, options)
    assert (first.item, second.item) == ("2", "3")
    assert first.passage == Passage("New York sale in B", gold=((9, 13),), system=((9, 13), (14, 16), (17, 18)))
    assert second.passage == passage_of(NOTHING.split("\t")[4], has_relation=False, extraction="sees")


def shown(sentence: str, extraction: str, *, has_relation: bool = True) -> tuple[list[str], list[str]]:
    """What gold and the system mark in the passage."""
    passage = passage_of(sentence, has_relation=has_relation, extraction=extraction)
    gold, system = ([passage.text[slice(*span)] for span in side] for side in (passage.gold, passage.system))
    return gold, system


def test_the_passage_marks_trigger_windows_and_extracted_tokens() -> None:
    sentence = "[[[A]]] ---> has <--- {{{ taken over }}} [[[B]]]"
    assert shown(sentence, "has B wrongly") == (["has", "taken over"], ["has", "B"])
    assert shown(sentence, "has", has_relation=False) == ([], ["has"])
    assert shown(sentence, "") == (["has", "taken over"], [])


def test_of_several_occurrences_those_that_gold_allows_are_marked() -> None:
    passage = passage_of("of [[[A]]] {{{sale}}} --->of<--- [[[B]]] of", has_relation=True, extraction="of sale")
    assert passage.text == "of A sale of B of"
    assert passage.system == ((5, 9), (10, 12))
    assert passage_of("B of [[[A]]] of", has_relation=False, extraction="of").system == ((2, 4),)


def test_a_token_that_is_repeated_has_a_place_each_time() -> None:
    passage = passage_of("[[[A]]] --->offer of it of<--- [[[B]]]", has_relation=True, extraction="of")
    assert passage.system == ((8, 10), (14, 16))


def test_a_passage_of_a_long_sentence_shows_the_trigger() -> None:
    assert shown(f"[[[A]]] {'x ' * 5000} {{{{{{sale}}}}}} of [[[B]]]", "of") == (["sale"], ["of"])


@given(st.lists(rows), st.booleans())
def test_every_row_is_right_or_explained(both: list[tuple[str, str]], ignore_case: bool) -> None:
    options = Options(ignore_case=ignore_case)
    evidence = evidence_of(both, options)
    wrong = np.maximum(evidence.column("extractions"), evidence.column("relations")) - evidence.column("correct")
    explained = [explanation.unit for explanation in written(both, options)]
    assert explained == [unit for unit, flag in zip(evidence.units, wrong.tolist(), strict=True) if flag]


@pytest.mark.parametrize(
    ("row", "extraction", "right"), [(gold_row(), "---", "sale"), (gold_row(), "by", "sale"), (NOTHING, "a", "---")]
)
def test_the_measures_are_those_that_a_correction_raises(row: str, extraction: str, right: str) -> None:
    others = [(gold_row(), "sale"), (gold_row(), "---"), (NOTHING, "sees")]
    (wrong, *_) = written([(row, extraction), *others])
    before, after = (scores_of(pairs_of([(row, text), *others])) for text in (extraction, right))
    raised = {name for name, score in after.items() if (score.value or 0) > (before[name].value or 0)}
    assert {name for name in before if wrong.bears_on(name)} == raised - {"extractions"} - (
        {"precision"} if extraction == "---" else set()
    )


def test_of_very_many_the_first_are_written_and_the_others_counted() -> None:
    found = found_of([(gold_row(), "---")] * (ROOM + 30) + [(NOTHING, "sees")] * (SURE + 5))
    assert len(found) == ROOM + SURE + 2
    assert found[-2:] == [Omitted("not-extracted", 30), Omitted("no-relation-in-gold", 5)]
    assert Explanations.of(found).counts == {"not-extracted": ROOM + 30, "no-relation-in-gold": SURE + 5}
