"""Options: what the schema cannot tell is an error of the configuration at its place; what is left is completed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import OptionsError, load_suites
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.tasks.scores import TASK
from pytest_nlpeval.tasks.scores.options import options, signature


@pytest.mark.parametrize(
    ("given", "steps", "words"),
    [
        ({"results": ["a b"]}, ("results", 0), "cannot be a result's name"),
        ({"results": ["x" * 51]}, ("results", 0), "cannot be a result's name"),
        ({"results": {"all": "x"}}, ("results", "all"), "part of the names of measures"),
        ({"results": [f"r{rank}" for rank in range(51)]}, ("results",), "at most 50"),
        ({"results": {"r": {"range": [1, 1]}}}, ("results", "r", "range"), "not above"),
        ({"results": {"r": {"range": [0, 1], "pass": 2}}}, ("results", "r", "pass"), "outside the range"),
        ({"results": {"r": {"range": [0, None], "missing": -1}}}, ("results", "r", "missing"), "outside the range"),
        ({"results": {"r": {"range": [0, 1], "values": {"A": 2}}}}, ("results", "r", "values", "A"), "outside the range"),
        ({"results": {"r": {"values": {"": 2}}}}, ("results", "r", "values"), "leave it out"),
        ({"results": {"r": {"missing": float("nan")}}}, ("results", "r", "missing"), "finite"),
        ({"results": {"r": {"missing": 0, "skip": 0.5}}}, ("results", "r", "skip"), "do not go together"),
        ({"results": {"r": {"measures": ["flaky"]}}}, ("results", "r", "measures", 0), "needs `pass`"),
        ({"results": {"r": {"measures": ["p0"]}}}, ("results", "r", "measures", 0), "no measure"),
        ({"results": {"r": {"pass": 1, "measures": ["mean", "pass@2"]}}}, ("results", "r", "measures", 1), "at most 1"),
        (
            {"repeats": "any", "results": {"r": {"pass": 1, "measures": ["pass^101"]}}},
            ("results", "r", "measures", 0),
            "at most 100",
        ),
        ({"id": ".".join("a" * 21)}, ("id",), "21 steps"),
    ],
)
def test_mistakes_have_places(given: dict[str, Any], steps: tuple[str | int, ...], words: str) -> None:
    with pytest.raises(OptionsError) as caught:
        options(**given)
    ((place, message),) = caught.value.mistakes
    assert place == steps
    assert words in message


def test_all_mistakes_are_told_at_once_at_their_lines(tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("id\na\n")
    (tmp_path / "nlpeval.yaml").write_text(
        "version: 1\nsuites:\n- name: s\n  task: scores\n  gold: gold.tsv\n  system: gold.tsv\n  options:\n    results:\n"
        "      macro: x\n      r:\n        missing: 1\n        skip: 0.5\n"
    )
    with pytest.raises(ConfigError) as caught:
        load_suites(tmp_path / "nlpeval.yaml")
    assert [(problem.line, problem.code) for problem in caught.value.problems] == [(9, "config.option"), (12, "config.option")]


def test_what_is_left_out_is_completed() -> None:
    (score,) = options().results
    assert (score.name, score.field, score.measures, score.better) == ("score", "score", ("mean",), "higher")
    first, second = options(results={"a": 3, "b": {"pass": 1, "field": "x.y"}}).results
    assert (first.field, second.field, second.measures) == (3, "x.y", ("mean", "pass_rate"))


def test_the_signature_has_what_changes_a_score() -> None:
    given = {
        "repeats": 2,
        "text": "q",
        "id": "n",
        "pair": "line",
        "items": "x",
        "format": "json",
        "where": {"a": 1},
        "error": "e",
    }
    assert set(signature(options(**given), ())) == {"results", "repeats", "where", "error"}


def test_measures_are_known_before_files_are_read_but_for_groups() -> None:
    known = TASK.measures(options(results={"r": {"pass": 1}}, error="e"), None)
    assert known is not None
    assert [measure.name for measure in known] == ["r.mean", "r.pass_rate", "r.coverage", "coverage", "errors"]
    assert TASK.measures(options(group="g"), None) is None
