"""What is right of aligned words where one side has no trees, or heads and edges have no partner."""

from __future__ import annotations

import pytest

from pytest_nlpeval.measures import Sample
from tests.unit.tasks.ud.files import conllu, counted, explained

PARSED = conllu(("1 The the DET _ _ 2 det", "2 dog dog NOUN _ _ 0 root"))
UNPARSED = conllu(("1 The the DET _ _ _ det", "2 dog dog NOUN _ _ _ root"))


@pytest.mark.parametrize(("gold", "system"), [(PARSED, UNPARSED), (UNPARSED, PARSED), (UNPARSED, UNPARSED)])
def test_nothing_of_trees_is_right_or_wrong_where_a_side_has_none(gold: str, system: str) -> None:
    sample = Sample(counted(gold, system).evidence)
    names = ("uas", "las", "clas", "mlas", "blex", "content.aligned", "deprel.det.correct", "deprel.root.correct")
    assert [int(sample.total(name)[0]) for name in names] == [0] * len(names)
    assert int(sample.total("upos")[0]) == 2
    assert explained(gold, system) == []
