from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import ConfigError, score
from pytest_nlpeval.pytest_plugin.fixture import Scorer
from pytest_nlpeval.pytest_plugin.judging import Judging
from pytest_nlpeval.pytest_plugin.state import State
from pytest_nlpeval.tasks import load_task
from tests.unit.run.test_engine import RIGHT, gold, system


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for role, text in (("gold", gold(1)), ("system", system(RIGHT))):
        (tmp_path / role).mkdir()
        (tmp_path / role / "a.tsv").write_text(text)
    return tmp_path


def mistakes(*arguments: object, **files: str) -> str:
    with pytest.raises(ConfigError) as caught:
        score(
            str(arguments[0]),
            options=dict(arguments[1]) if len(arguments) > 1 and isinstance(arguments[1], dict) else None,
            explain=False,
            **files,
        )
    return str(caught.value)


def test_every_mistake_of_a_call_is_told() -> None:
    assert 'no task "exemplr"; did you mean "exemplar"?' in mistakes("exemplr", gold="g", system="s")
    found = mistakes("exemplar", {"ignorecase": 1}, gld="g")
    assert 'no role "gld"; did you mean "gold"?' in found
    assert 'needs "gold": ' in found
    assert 'needs "system": ' in found
    assert 'unknown key "ignorecase"; did you mean "ignore_case"?' in found


def test_files_and_folders_do_not_mix(folder: Path) -> None:
    for pair in (("gold", "system/a.tsv"), ("gold/{doc}.tsv", "system/a.tsv"), ("gold/a.tsv", "system/{doc}.tsv")):
        assert "both" in mistakes("exemplar", gold=str(folder / pair[0]), system=str(folder / pair[1]))
    result = score("exemplar", gold=folder / "gold/a.tsv", system=folder / "system")
    assert result.outcome == "failed"
    assert [problem.code for problem in result.all_problems()] == ["file.not-regular"]
    assert "no file matches" in mistakes("exemplar", gold=str(folder / "none/{doc}"), system=str(folder / "system"))


def test_a_task_may_be_given_itself(folder: Path) -> None:
    result = score(load_task("exemplar"), gold=folder / "gold", system=folder / "system")
    assert result["f1"] == 1


def test_the_fixture_scores_relative_to_its_folder(folder: Path, request: pytest.FixtureRequest) -> None:
    scorer = Scorer(request.session, State(request.config, root=folder, stores=False), Judging())
    assert scorer.score("exemplar", gold="gold/a.tsv", system="system/a.tsv")["recall"] == 1
    assert scorer.score("exemplar", gold="gold", system="system", options={"ignore_case": True})["recall"] == 1


def test_an_unknown_measure_is_a_key_error(folder: Path) -> None:
    with pytest.raises(KeyError):
        assert score("exemplar", gold=folder / "gold", system=folder / "system")["f2"]
