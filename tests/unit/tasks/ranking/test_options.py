from __future__ import annotations

import math

import pytest

from pytest_nlpeval import ConfigError, score
from pytest_nlpeval.tasks.ranking import TASK
from pytest_nlpeval.tasks.ranking.options import GOLD, SYSTEM, options
from tests.unit.tasks.ranking.files import GOLD as JUDGEMENTS
from tests.unit.tasks.ranking.files import RUN, qrels, scores, trec


def message(**given: object) -> str:
    """Return what is said of options that are wrong."""
    with pytest.raises(ConfigError) as caught:
        score("ranking", gold="gold.qrels", system="run.trec", options=given)
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "here"),
    [
        *(("MRR", "RR"), ("MRR@10", "RR@10"), ("MAP", "AP"), ("map_cut_5", "AP@5"), ("NDCG", "nDCG"), ("ndcg_cut_10", "nDCG@10")),
        *(("Recall@100", "R@100"), ("Precision", "P@k"), ("HitRate@5", "Success@5"), ("recip_rank", "RR"), ("Rprec@5", "Rprec")),
        *(("P_10", "P@10"), ("P", "P@k"), ("success_1", "Success@1"), ("set_F", "SetF")),
    ],
)
def test_names_of_others_are_told_the_name_here(written: str, here: str) -> None:
    assert f"'{written}' is no measure; here it is \"{here}\"" in message(measures=[written])


def test_other_names_are_told_the_nearest() -> None:
    assert 'did you mean "Bpref"?' in message(measures=["Bprefs"])
    assert "is no measure; known are" in message(measures=["rbp"]) or "did you mean" in message(measures=["rbp"])


@pytest.mark.parametrize(
    ("written", "told"),
    [("nDCG@0", 'here it is "nDCG@k"'), ("AP@05", 'here it is "AP@5"'), ("RR@1000000", "1000000 is too great")],
)
def test_of_a_cut_off_that_there_is_not_is_told_what_is_wrong_with_it(written: str, told: str) -> None:
    assert told in message(measures=[written])


@pytest.mark.parametrize("measures", [[], ["AP", "AP"], ["P@0"], ["P@01"], ["P@1000000"], ["AP@"], ["AP\n"], "AP"])
def test_measures_are_different_names_with_cut_offs(measures: object) -> None:
    assert message(measures=measures)


@pytest.mark.parametrize("rel", [0, -1, 2e6, "1", math.inf, math.nan])
def test_the_least_relevant_grade_is_above_0(rel: object) -> None:
    """With NaN no document would be relevant, and of a profile every value 0."""
    assert message(rel=rel)


def test_columns_and_keys_are_by_side() -> None:
    chosen = options(id={"gold": "qid"}, document={"system": "doc"}, relevant="grade", ranking=3)
    assert chosen.columns(GOLD) == ("qid", "corpus-id", "grade")
    assert chosen.columns(SYSTEM) == ("query-id", "doc", 3)
    assert chosen.keys(GOLD) == ("qid", "id", "grade")
    assert options().keys(SYSTEM) == ("id", "id", "ranking")


def test_how_files_are_read_is_not_in_the_signature() -> None:
    signature = TASK.signature(options(format="trec", id="q", document="d", relevant="r", ranking="s", text="t", rel=2), ())
    assert list(signature) == ["measures", "rel", "gains", "order", "group", "profile"]
    assert signature["rel"] == "2"


def test_measures_are_known_before_files_are_read_unless_there_are_groups() -> None:
    measures = TASK.measures(options(measures=["AP", "P@5"]), None)
    assert measures is not None
    assert [measure.name for measure in measures] == ["AP", "P@5", "coverage"]
    assert TASK.measures(options(group="kind"), None) is None


def test_a_measure_does_not_depend_on_the_others() -> None:
    alone = {name: scores(JUDGEMENTS, RUN, measures=(name,))[name] for name in ("AP", "nDCG@3")}
    both = scores(JUDGEMENTS, RUN, measures=("nDCG@3", "AP"))
    assert {name: both[name] for name in alone} == alone
    assert qrels(JUDGEMENTS)
    assert trec(RUN)
