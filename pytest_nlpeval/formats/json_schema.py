"""Checks a YAML document against a JSON Schema and says what to do, at the place of each mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from pytest_nlpeval.formats.yaml import Marked, Steps
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import nearest

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


def check_schema(document: Marked, schema: Mapping[str, Any], path: Steps, code: str, log: ProblemLog) -> None:
    """Log every way in which the part of `document` at `path` breaks `schema`, with the code `code`."""
    value = document.value
    for step in path:
        value = value[step]
    for error in Draft202012Validator(schema).iter_errors(value):
        for inner, message in _explained(error):
            place = document.place((*path, *inner))
            log.add(code, message, place.line, place.column, ".".join(map(str, (*path, *inner))))


def _explained(error: ValidationError) -> Iterator[tuple[Steps, str]]:
    path = tuple(error.absolute_path)
    instance: Any = error.instance
    expected: Any = error.validator_value
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    match error.validator:
        case "additionalProperties":
            known = set(schema.get("properties", ()))
            yield from (((*path, key), f'unknown key "{key}"; {nearest(key, known)}') for key in instance if key not in known)
        case "required":
            missing = [key for key in expected if key not in instance]
            if error.message.startswith(f"'{missing[0]}'"):  # one error comes per missing key; say all with the first
                yield path, "lacks " + ", ".join(f'"{key}"' for key in missing)
        case "type":
            wanted = " or ".join(_TYPES[name] for name in ([expected] if isinstance(expected, str) else expected))
            yield path, f"expected {wanted}, got {_shown(instance)}"
        case "enum":
            hint = nearest(str(instance), map(str, expected))
            yield path, f"{_shown(instance)} is not allowed here; {hint}"
        case "const":
            yield path, f"expected {expected!r}, got {_shown(instance)}"
        case "pattern":
            yield path, f"{_shown(instance)} {schema.get('patternHint', f'does not match {expected}')}"
        case "minItems" | "minProperties" | "minLength" if not instance:
            yield path, "is empty; expected at least one entry"
        case _:
            yield path, error.message


def _shown(instance: object) -> str:
    if isinstance(instance, (dict, list)):
        return _TYPES["object" if isinstance(instance, dict) else "array"]
    text = "nothing" if instance is None else repr(instance)
    return text if len(text) <= 60 else text[:60] + "…"
