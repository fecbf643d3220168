"""The key of a case: a digest of everything that its evidence and problems depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.baselines.circumstances import plain_options
from pytest_nlpeval.config.suite import Recipe
from pytest_nlpeval.files import Source
from pytest_nlpeval.tasks import code_digest


def digester(recipe: Recipe) -> Callable[[Mapping[str, Source]], bytes] | None:
    """Return a function from a case's files to its key, 32 bytes; None if the task's code cannot be found: nothing may be stored then.

    The key depends on the files' bytes, the endings of their names, the formats of content in memory, task, options, rules, the scorer's
    version and, if the task is of another package, its code.
    """
    settings = scoring_settings(recipe)
    if settings is None:
        return None
    base = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())

    def digest(sources: Mapping[str, Source]) -> bytes:
        key = base.copy()
        files = [(role, sources[role]) for role in sorted(sources)]
        key.update(repr([(role, len(file.data), file.suffix, file.format) for role, file in files]).encode())
        for _, file in files:
            key.update(file.data)
        return key.digest()

    return digest


def scoring_settings(recipe: Recipe) -> dict[str, Any] | None:
    """Return everything but files that evidence and scores depend on, as JSON has it; None if the task has no code."""
    code = code_digest(recipe.task)
    if code is None:
        return None
    return {
        "package": __version__,
        "task": recipe.task.name,
        "version": recipe.task.version,
        "code": code,
        "options": plain_options(asdict(recipe.options)),
        "rules": dict(recipe.rules),
    }
