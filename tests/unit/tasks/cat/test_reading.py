from __future__ import annotations

from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat import TASK
from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.reading import read_gold, read_system
from pytest_nlpeval.tasks.cat.standard.selection import Selection
from tests.unit.tasks.cat.nwr2014_documents import config
from tests.unit.tasks.cat.xml_files import LABELLED, codes

CONFIG = config("EVENT markable 0 class", "TLINK one2one directional relType")
FILE = LABELLED.replace('<TLINK r_id="11"/>', '<TLINK r_id="11"><source m_id="1"/><target m_id="7"/></TLINK>')


def read(
    text: str, role: str = "gold", documents: dict[str, Any] | None = None, **options: Any
) -> tuple[Selection | None, list[Any]]:
    log = ProblemLog(f"{role}.xml", TASK.problems)
    reader = read_gold if role == "gold" else read_system
    found = reader(Source(f"{role}.xml", text.encode()), documents or {}, make_options(**options), log)
    return found, codes(log.problems())


def test_gold_and_system_are_selected_by_the_configuration() -> None:
    for role in ("gold", "system"):
        found, problems = read(FILE, role, {"config": CONFIG})
        assert found is not None
        assert [f"{link.source}>{link.target}" for link in found.tlinks] == ["1>2"]
        assert problems == [("cat.unidentifiable-end", 14)]


def test_the_configuration_may_be_in_the_options() -> None:
    found, problems = read(FILE, annotations=[{"name": "TIMEX3", "type": "instance", "specificity": "comparable"}])
    assert found is not None
    assert list(found.instances) == ["TIMEX3"]
    assert problems == [("cat.instance-alone", None)]


def test_without_configuration_files_are_still_checked() -> None:
    assert read(FILE)[1] == []
    assert read(FILE.replace('m_id="7"/>', 'm_id="8"/>', 1))[1] == [("cat.reference", 13)]
    found, _ = read(FILE)
    assert found is not None
    assert found.links == {}


def test_the_original_selects_for_itself() -> None:
    found, problems = read(FILE, "gold", {"config": CONFIG}, profile="nwr2014")
    assert found is not None
    assert problems == []
    assert found == Selection(found.document)


def test_the_systems_tokens_are_those_of_gold() -> None:
    gold, _ = read(FILE, "gold", {"config": CONFIG})
    assert gold is not None
    found, _ = read(FILE, "system", {"config": CONFIG, "gold": gold})
    assert found is not None
    assert found.document.tokens is gold.document.tokens
    found, problems = read(FILE.replace(">left<", ">goes<"), "system", {"config": CONFIG, "gold": gold})
    assert found is None
    assert problems == [("cat.tokens", 4)]


def test_a_file_that_cannot_be_read_is_no_selection() -> None:
    found, problems = read("<Document>", "gold", {"config": CONFIG})
    assert found is None
    assert [code for code, _ in problems] == ["xml.syntax"]


def test_sentences_are_cut_when_a_file_is_read() -> None:
    found, problems = read(FILE, "gold", {"config": CONFIG}, sentences=1)
    assert found is not None
    assert found.spans == {}
    assert found.tlinks == []
    assert problems == [("cat.cut", 7)]
