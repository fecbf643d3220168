from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_nlpeval.config.suite import Recipe
from pytest_nlpeval.files import Source
from pytest_nlpeval.run.digest import digester
from pytest_nlpeval.tasks import load_task

TASK = load_task("exemplar")
RECIPE = Recipe(TASK, TASK.options())


def digest(recipe: Recipe, files: Mapping[str, Source]) -> bytes:
    found = digester(recipe)
    assert found is not None
    return found(files)


def sources(gold: bytes, system: bytes) -> dict[str, Source]:
    return {"gold": Source("g", gold), "system": Source("s", system)}


def test_a_key_depends_on_whatever_changes_a_result() -> None:
    recipes = [
        RECIPE,
        replace(RECIPE, options=TASK.options(ignore_case=True)),
        replace(RECIPE, rules={"exemplar.header": "off"}),
        replace(RECIPE, task=replace(TASK, version="other")),
        replace(RECIPE, task=replace(TASK, name="other")),
    ]
    files = [sources(b"a", b"b"), sources(b"ab", b""), sources(b"", b"ab"), sources(b"b", b"a"), {"gold": Source("g", b"ab")}]
    keys = {digest(recipe, sources(b"a", b"b")) for recipe in recipes} | {digest(RECIPE, file) for file in files}
    assert len(keys) == len(recipes) + len(files) - 1


def test_a_key_depends_on_what_a_name_ends_in() -> None:
    tables = [{"gold": Source(f"g{suffix}", b"a,b")} for suffix in ("", ".csv", ".tsv")]
    assert len({digest(RECIPE, files) for files in tables}) == 3


def test_a_key_does_not_depend_on_names_or_order() -> None:
    renamed = {"system": Source("x", b"b"), "gold": Source("y", b"a")}
    assert digest(RECIPE, renamed) == digest(RECIPE, sources(b"a", b"b"))


def test_a_task_whose_code_is_nowhere_has_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_nlpeval.run.digest.code_digest", lambda _: None)
    assert digester(RECIPE) is None
