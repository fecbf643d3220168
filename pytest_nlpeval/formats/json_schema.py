"""Checks a YAML document against a JSON Schema and says what to do, at the place of each mistake."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from pytest_nlpeval.formats.yaml import Marked, Path
from pytest_nlpeval.problems import ProblemLog

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint for a misspelt name: the names most like it, or else all that are known (the first dozen)."""
    return _nearest(name[:100], tuple(sorted(known)))


@lru_cache(maxsize=1000)  # a file may have the same mistake in every line
def _nearest(name: str, names: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(f'"{other}"' for other in close) + "?"
    shown = ", ".join(names[:12]) + (f", … ({len(names)} in all)" if len(names) > 12 else "")
    return f"known are {shown}" if names else "there are none"


def check_schema(document: Marked, schema: Mapping[str, Any], path: Path, code: str, log: ProblemLog) -> None:
    """Log every way in which the part of `document` at `path` breaks `schema`, with the code `code`."""
    value = document.value
    for step in path:
        value = value[step]
    for error in Draft202012Validator(schema).iter_errors(value):
        for inner, message in _explained(error):
            place = document.place((*path, *inner))
            log.add(code, message, place.line, place.column, ".".join(map(str, (*path, *inner))))


def _explained(error: ValidationError) -> Iterator[tuple[Path, str]]:
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
