"""Options that say how files of items are read: paths of too many steps are mistakes of the configuration in every task."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval import ConfigError, score

LONG = ".".join("a" * 21)


@pytest.mark.parametrize(
    ("task", "given"),
    [
        ("labels", {"label": {"system": LONG}}),
        ("labels", {"text": ["b", LONG]}),
        ("labels", {"where": {LONG: "x"}}),
        ("labels", {"where": {"gold": {LONG: ["x"]}}}),
        ("records", {"record": LONG}),
        ("records", {"items": {"gold": ["b", LONG]}}),
        ("records", {"group": LONG}),
        ("text", {"id": ["b", LONG]}),
        ("text", {"text": LONG}),
        ("qa", {"format": "jsonl", "answers": LONG}),
        ("qa", {"group": LONG}),
        ("qa", {"cluster": LONG}),
        ("spans", {"format": "jsonl", "spans": LONG}),
        ("spans", {"format": "jsonl", "group": LONG}),
        ("ranking", {"group": LONG}),
        ("scores", {"results": [LONG]}),
    ],
)
def test_a_path_of_too_many_steps_is_told_before_a_file_is_read(task: str, given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"config.option: the path .* has 21 steps, at most 20 are allowed"):
        score(task, gold="none.jsonl", system="none.jsonl", options=given)
