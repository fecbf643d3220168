"""docs/howto-migrate.md: what a script printed with another library and what three lines give here are the same figures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.pytest_plugin.fixture import Scorer
from pytest_nlpeval.pytest_plugin.judging import Judging
from pytest_nlpeval.pytest_plugin.state import State
from tests.transcripts import ROOT, sections

PAGE = (ROOT / "docs/howto-migrate.md").read_text(encoding="utf-8")
MODULES = {"seqeval": "seqeval", "scikit-learn": "sklearn", "sacrebleu": "sacrebleu", "jiwer": "jiwer"}
"""What is imported for the library of a section."""

MIGRATIONS = {section.split()[2]: section for section in sections(PAGE) if section.startswith("## From ")}


def namespace_after(*blocks: str) -> dict[str, Any]:
    """Run blocks of Python one after the other; return the names that they define."""
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    return names


def blocks_of(section: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def test_every_library_has_a_section() -> None:
    assert MIGRATIONS.keys() == MODULES.keys()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("library", MODULES)
def test_the_figures_before_and_after_are_the_same(library: str) -> None:
    pytest.importorskip(MODULES[library])
    data, before, after = blocks_of(MIGRATIONS[library])
    names = namespace_after(data, before, after)
    assert names["after"] == pytest.approx(names["before"], abs=1e-12)
    assert 0 < names["after"] < 1
    assert [len([line for line in block.splitlines() if line]) <= 3 for block in (before, after)] == [True, True]


def test_the_gate_at_the_end_judges_the_same_data(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    (gate,) = blocks_of(sections(PAGE)[-1])
    data, *_ = blocks_of(MIGRATIONS["jiwer"])
    judged = namespace_after(data, gate)["test_transcripts"]
    judged(Scorer(request.session, State(request.config, stores=False, root=tmp_path), Judging()))
    wrong = namespace_after(data, "system = gold[::-1]", gate)["test_transcripts"]
    with pytest.raises(pytest.fail.Exception, match=r"wer .*: ≤ 0\.25, over by"):
        wrong(Scorer(request.session, State(request.config, stores=False, root=tmp_path), Judging()))
