"""Every attack of `attacks.yaml` is red, or told first: the action runs on each, without GitHub and without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.action.attacks import ATTACKS, assert_inert, assert_red, assert_told, prepared
from tests.action.runner import Runner

KEYS = {"name", "what", "base", "head", "job", "settings", "inputs", "result", "says"}
PULL_REQUEST = {"GITHUB_EVENT_NAME": "pull_request"}


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack["name"].replace(" ", "-") for attack in ATTACKS])
def test_an_attack(attack: dict[str, Any], installed: dict[str, str], tmp_path: Path) -> None:
    workspace, inputs = prepared(attack, tmp_path), attack.get("inputs", {})
    runner = Runner(workspace, tmp_path / "scratch", PULL_REQUEST)
    (tmp_path / "scratch/work").mkdir()
    seed = {"install": {**installed, "work": str(tmp_path / "scratch/work")}}
    job = runner.action(inputs, only=["test", "report", "Judge"], seed=seed)
    assert_inert(job)
    if attack["result"] == "red":
        assert_red(job, attack["says"])
        return
    assert_told(job, attack["says"])
    seed["test"] = job.steps["test"]  # strict-config counts in the last steps only
    assert_red(runner.action({**inputs, "strict-config": "true"}, only=["report", "Judge"], seed=seed), attack["says"])


def test_the_list_of_attacks() -> None:
    names = [attack["name"] for attack in ATTACKS]
    assert len(set(names)) == len(names) >= 100
    assert {attack["result"] for attack in ATTACKS} == {"red", "told"}
    assert all(KEYS - {"base", "head", "job", "settings", "inputs"} <= attack.keys() <= KEYS for attack in ATTACKS)
    assert all(attack["says"] for attack in ATTACKS)
