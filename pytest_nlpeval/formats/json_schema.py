"""Checks a YAML document against a JSON Schema; what tells of mistakes is imported where there is one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pytest_nlpeval.formats.sight import Sight
from pytest_nlpeval.formats.yaml import Marked, Steps
from pytest_nlpeval.problems import ProblemLog


def check_schema(
    document: Marked,
    schema: Mapping[str, Any],
    path: Steps,
    code: str,
    log: ProblemLog,
    *,
    without: Collection[str] = (),
) -> None:
    """Log every way in which the part of `document` at `path` breaks `schema`, with the code `code`.

    Keys in `without` are left out, as if the part did not have them.
    The message for a rule that holds only under a condition (`if`, `dependentRequired`, `dependentSchemas`) names the option and the
    condition: `"columns" is not allowed with format: jsonl`. A `default` in the schema counts where the option is not given.
    """
    value = document.value
    for step in path:
        value = value[step]
    if without:
        value = {key: inner for key, inner in value.items() if key not in without}
    if Sight(schema).is_right(value, schema):
        return
    from pytest_nlpeval.formats.schema_mistakes import mistakes

    for inner, message in mistakes(value, schema):
        place = document.place((*path, *inner))
        log.add(code, message, place.line, place.column, ".".join(map(str, (*path, *inner))))


def is_valid(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value follows a schema, by which NaN is no number."""
    if Sight(schema).is_right(value, schema):
        return True
    from pytest_nlpeval.formats.schema_mistakes import WithoutNaN

    return bool(WithoutNaN(schema).is_valid(value))
