from __future__ import annotations

import pytest

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat import TASK
from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.standard.selection import Selection
from tests.unit.tasks.cat.judging import judge, selected
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config("EVENT markable 0 class", "PLOT one2one directional")
GOLD = document(["a EVENT 1 class=X", "b EVENT 2"], ["PLOT a>b"])
FIELDS = ("tp", "gold", "system", "gold_matched", "system_matched")


@pytest.mark.parametrize("profile", ["standard", "nwr2014"])
def test_one_row_per_document_with_all_columns(profile: str) -> None:
    found = judge(CONFIG, document(), document(), profile=profile)
    assert found.evidence.units == ("",)
    rows = ("EVENT.strict", "EVENT.relaxed", "PLOT.strict", "PLOT.relaxed")
    attributes = {f"EVENT.{row}.attribute.class" for row in ("strict", "relaxed")}
    assert found.counts.keys() == {f"{row}.{field}" for row in rows for field in FIELDS} | attributes
    assert not any(found.counts.values())


def test_the_configuration_may_be_in_the_options() -> None:
    annotations = [{"name": "EVENT", "type": "markable"}, {"name": "PLOT", "type": "one2one", "specificity": "directional"}]
    side = selected(GOLD, CONFIG)[0]
    log = ProblemLog("file", TASK.problems)
    found = TASK.count({"gold": side, "system": side}, make_options(annotations=annotations), log).evidence
    expected = judge(CONFIG, GOLD, GOLD).counts
    counts = {name.rpartition(":")[2]: column.tolist() for name, column in found.columns.items() if "." in name}
    assert counts == {name: [number] for name, number in expected.items() if ".attribute." not in name}


def test_without_configuration_there_is_nothing_to_count() -> None:
    side = Selection(GOLD)
    with pytest.raises(ValueError, match="config"):
        TASK.count({"gold": side, "system": side}, make_options(), ProblemLog("file", TASK.problems))


def test_the_original_leaves_out_from_the_sixth_sentence_on_unless_told() -> None:
    configuration = config("EVENT_MENTION markable 0")
    side = document(["1 EVENT_MENTION 1", "2 EVENT_MENTION 2"], sentences=(0, 6))
    for options, number in (({}, 1), ({"sentences": "all"}, 2), ({"sentences": 7}, 2), ({"sentences": 6}, 1)):
        found = judge(configuration, side, side, profile="nwr2014", **options)
        assert found.row("EVENT_MENTION.strict") == (number, number, number)
