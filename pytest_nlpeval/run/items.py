"""The items of a case: what each asks, and the right answer, from the files on gold's side."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.explanations import Explanation, Explanations, Right
from pytest_nlpeval.metrics.partners import DIGEST, Items
from pytest_nlpeval.run.counting import read_documents
from pytest_nlpeval.run.reading import Read, read_all
from pytest_nlpeval.runs import CaseResult
from pytest_nlpeval.task import Documents, Task

Told = TypeVar("Told", Explanation, Right)


def gold_of(recipe: Recipe, case: Case) -> tuple[Documents, Items] | None:
    """Return what the files on gold's side of a case hold, and its items; None if a file cannot be read."""
    of_gold = Case(case.name, {role: file for role, file in case.files.items() if role in gold_side(recipe.task)})
    task = replace(recipe.task, roles=tuple(role for role in recipe.task.roles if role.name in of_gold.files))
    (files,) = read_all(recipe, [of_gold])
    question = bytes_asked(recipe.task, files)
    reading = read_documents(replace(recipe, task=task), of_gold, files)
    return None if isinstance(reading, CaseResult) else (reading.documents, items_of(recipe, reading.documents, question))


def gold_side(task: Task) -> Collection[str]:
    """Return the roles on gold's side."""
    return [role.name for role in task.roles if role.side == "gold"]


def bytes_asked(task: Task, files: Read) -> str:
    """Return the digest of a case's files that are shown to the system, of all on gold's side if the task does not know which are."""
    sources, _ = files
    roles = [role.name for role in task.roles if role.is_question and role.name in sources] or gold_side(task)
    digests = [hashlib.sha256(sources[role].data).hexdigest() for role in roles if role in sources]
    return " ".join(digests)


def items_of(recipe: Recipe, documents: Documents, question: str) -> Items:
    """Return the items of documents; without a task that tells them, one that asks the `question`."""
    return recipe.task.asks(documents, recipe.options) if recipe.task.asks else Items([""], [question], [""])


def items_to_keep(recipe: Recipe, case: Case) -> Items | None:
    """Return the items of a case with digests of 64 bits for what they ask and answer; None if its gold side cannot be read.

    Two of 100,000 different texts have the same digest with a probability of 3e-10.
    """
    gold = gold_of(recipe, case)
    if gold is None:
        return None
    _, items = gold
    whole = recipe.task.restate is None  # all of the document is compared, or nothing: its items need no names
    return Items(items.names, _digests(items.questions), _digests(items.answers), items.by_place or whole)


def _digests(texts: Collection[str]) -> list[str]:
    """Return `DIGEST` characters for each text; nothing for nothing, because what asks nothing is no question."""
    return [_digest(text) if text else "" for text in texts]


def _digest(text: str) -> str:
    return b64encode(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())[:DIGEST].decode()


def of_units(wrong: Explanations, names: Mapping[str, str]) -> Explanations:
    """Return the explanations of some units, by name, under the names that these have now."""
    kept = tuple(_renamed(entry, names[entry.unit]) for entry in wrong.first if entry.unit in names)
    right = tuple(_renamed(entry, names[entry.unit]) for entry in wrong.right if entry.unit in names)
    return Explanations(wrong.counts if wrong.cut else Counter(entry.reason for entry in kept), kept, right)


def _renamed(entry: Told, unit: str) -> Told:
    """Return an explanation under another name of its unit, with which the key of its item may begin."""
    end = entry.item.removeprefix(entry.unit)
    return entry._replace(unit=unit, item=entry.item if end == entry.item else unit + end)
