"""What hints for references to nothing cost."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence

import pytest

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import SHOWN_PER_CODE, ProblemLog
from pytest_nlpeval.tasks.cat.problems import PROBLEMS
from pytest_nlpeval.tasks.cat.xml.reader import read_document
from pytest_nlpeval.wording import MOST_COMPARED

TOKENS, BAD = 60_000, 30


@pytest.mark.parametrize("wrong", ["99999{}", "x{}"])
def test_a_wrong_reference_is_compared_with_few_of_many_ids(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    compared: list[int] = []
    close_matches: Callable[..., list[str]] = difflib.get_close_matches

    def counting(name: str, names: Sequence[str], n: int, cutoff: float) -> list[str]:
        compared.append(len(names))
        return close_matches(name, names, n, cutoff)

    monkeypatch.setattr(difflib, "get_close_matches", counting)
    tokens = "".join(f'<token t_id="{rank}" sentence="0">a</token>' for rank in range(TOKENS))
    anchors = "".join(f'<EVENT m_id="{rank}"><token_anchor t_id="{wrong.format(rank)}"/></EVENT>' for rank in range(BAD))
    text = f"<Document>{tokens}<Markables>{anchors}</Markables></Document>"
    log = ProblemLog("system.xml", PROBLEMS)
    assert read_document(Source("system.xml", text.encode()), log) is None
    assert log.count("cat.reference") == BAD
    assert 0 < sum(compared) <= SHOWN_PER_CODE * MOST_COMPARED < TOKENS
