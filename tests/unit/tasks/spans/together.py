"""Small documents, counted at once and one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.suite import Recipe
from pytest_nlpeval.problems import Rule
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.counting import Explaining, count_together
from pytest_nlpeval.run.reading import read_all
from pytest_nlpeval.runs import Part

Texts = dict[str, tuple[str, str]]
"""Gold and system by document."""


def recipe_and_cases(texts: Texts, options: Mapping[str, Any], rules: Mapping[str, Any]) -> tuple[Recipe, Any]:
    files = {side: {name: both[rank].encode() for name, both in texts.items()} for rank, side in enumerate(("gold", "system"))}
    suite = suite_of_paths("spans", files, options, Path("none"))
    return replace(suite.recipe, rules=cast("Mapping[str, Rule]", rules)), suite.cases


def counted(texts: Texts, options: Mapping[str, Any], rules: Mapping[str, Any], *, explain: bool = True) -> tuple[Part, Part]:
    """Return what counting at once gives, and what one by one gives."""
    recipe, cases = recipe_and_cases(texts, options, rules)
    alone = replace(recipe, task=replace(recipe.task, count_together=None))
    return evaluate_cases(recipe, cases, explain=explain), evaluate_cases(alone, cases, explain=explain)


def is_at_once(texts: Texts, options: Mapping[str, Any] = {}, rules: Mapping[str, Any] = {}) -> bool:
    recipe, cases = recipe_and_cases(texts, options, rules)
    return count_together(recipe, cases, read_all(recipe, cases), Explaining(at_once=False)) is not None
