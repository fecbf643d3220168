"""Says in which ways a value of YAML breaks a JSON Schema, and what to do about each.

Sentences are made of what an error holds (keyword, expected value, instance, paths). jsonschema's own English, which may change with any
release, is shown only for keywords that no schema of this project uses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from pytest_nlpeval.formats.yaml import Steps
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


def _is_number(_: object, instance: object) -> bool:
    if isinstance(instance, float):
        return not math.isnan(instance)
    return isinstance(instance, int) and not isinstance(instance, bool)


WithoutNaN = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, type_checker=Draft202012Validator.TYPE_CHECKER.redefine("number", _is_number)
)
"""Takes NaN, which YAML has and JSON has not, for no number: neither a minimum nor a maximum would refuse it."""


def mistakes(value: Any, schema: Mapping[str, Any]) -> Iterator[tuple[Steps, str]]:
    """Yield the path and the message of every way in which a value breaks a schema."""
    root = _with_names(schema)
    told: set[tuple[Steps, Steps, int]] = set()
    for error in WithoutNaN(root).iter_errors(value):
        # One error comes per missing key, and the first one says all. A keyword beside a `$ref` has the path of one inside the reference.
        rule = tuple(error.absolute_path), tuple(error.absolute_schema_path), id(error.validator_value)
        if rule not in told:
            told.add(rule)
            yield from _explained(error, root, value)


def _explained(error: ValidationError, root: Mapping[str, Any], value: Any) -> Iterator[tuple[Steps, str]]:
    """Yield the paths and messages of an error; `with format: jsonl` ends those of a rule that holds only under a condition."""
    path = tuple(error.absolute_path)
    reason = _reason(error, root, value)
    if error.validator == "anyOf" and (inside := _alternative(error)):
        for inner in inside:
            yield from _explained(inner, root, value)
        return
    if error.validator in {"additionalProperties", "required", "dependentRequired"}:
        yield from (((*path, *steps), message) for steps, message in _about_keys(error, reason))
        return
    ending = f" with {reason}" if reason else ""
    if error.validator == "not":
        yield path, _forbidden(error, ending)
        return
    name = f'"{path[-1]}": ' if reason and path and isinstance(path[-1], str) else ""
    yield path, name + _about_value(error, ending)


def _alternative(error: ValidationError) -> list[ValidationError]:
    """Return the errors of the first alternative of `anyOf` that takes values of this type; none where no alternative does.

    Of `{"anyOf": [{"type": "number", "exclusiveMaximum": 1}, {"const": "off"}]}`, 5 breaks the first, and "on" is of neither's type.
    """
    by_alternative: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        by_alternative.setdefault(inner.relative_schema_path[0], []).append(inner)
    fitting = (errors for errors in by_alternative.values() if not any(map(_is_of_another_type, errors)))
    return next(fitting, [])


def _is_of_another_type(error: ValidationError) -> bool:
    return error.validator in {"type", "const"} and not error.relative_path


def _about_keys(error: ValidationError, reason: str) -> Iterator[tuple[Steps, str]]:
    """Yield messages about keys that are not known or missing, each with the steps that lead on to its place."""
    instance: Any = error.instance
    expected: Any = error.validator_value
    match error.validator:
        case "additionalProperties":
            names = set(error.schema.get("properties", ())) if isinstance(error.schema, Mapping) else set()
            yield from (((key,), f'unknown key "{key}"; {nearest(key, names)}') for key in instance if key not in names)
        case "required":
            missing = [key for key in expected if key not in instance]
            yield (), (f"{reason} needs " if reason else "lacks ") + _listed(missing)
        case _:
            for key, needed in expected.items():
                missing = [name for name in needed if key in instance and name not in instance]
                if missing:
                    yield (key,), f'"{key}" needs {_listed(missing)}' + (f" with {reason}" if reason else "")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _forbidden(error: ValidationError, ending: str) -> str:
    expected: Any = error.validator_value
    if not expected:
        return f'"{error.absolute_path[-1]}" is not allowed{ending or " here"}'
    if set(expected) == {"required"}:
        return " and ".join(f'"{key}"' for key in expected["required"]) + f" do not go together{ending}"
    return f"{error.message}{ending}"


def _about_value(error: ValidationError, ending: str) -> str:
    expected: Any = error.validator_value
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    shown = _shown(_repeated(error.instance) if error.validator == "uniqueItems" else error.instance)
    match error.validator:
        case "type" | "const" | "anyOf":
            return f"expected {_expected(error)}{ending}, got {shown}"
        case "enum":
            names = list(dict.fromkeys(map(str, expected)))
            hint = (
                f"allowed {'is' if len(names) == 1 else 'are'} {', '.join(names)}"
                if ending
                else nearest(str(error.instance), names)
            )
            return f"{shown} is not allowed{ending or ' here'}; {hint}"
        case "pattern":
            hint = schema.get("patternHint", f"does not match {expected}")
            return f"{shown} {hint}{_named(str(error.instance), schema.get('patternNames', {}))}{ending}"
        case "minItems" | "maxItems" | "minProperties" | "minLength" | "contains":
            return f"{_about_size(error)}{ending}"
        case keyword if keyword in _LIMITS:
            return f"{shown} {_LIMITS[keyword].format(expected)}{ending}"
        case _:
            return f"{error.message}{ending}"


def _expected(error: ValidationError) -> str:
    """Return what a broken `type`, `const` or `anyOf` of them asks for: a number or a string, or 'off'."""
    expected: Any = error.validator_value
    match error.validator:
        case "anyOf":
            return " or ".join(dict.fromkeys(_expected(inner) for inner in error.context or () if _is_of_another_type(inner)))
        case "const":
            return _shown(expected)
        case _:
            return " or ".join(_TYPES[name] for name in ([expected] if isinstance(expected, str) else expected))


def _about_size(error: ValidationError) -> str:
    expected: Any = error.validator_value
    instance: Any = error.instance
    if error.validator == "contains":
        return f"lacks {_shown(expected['const'])}"
    if not instance:
        return "is empty; expected at least one entry"
    return f"expected at {'most' if error.validator == 'maxItems' else 'least'} {expected} in the list, got {len(instance)}"


_NAME_AND_NUMBER = re.compile(r"(?P<name>.*?)(?P<number>[@_.]?[0-9]+)?")


def _named(written: str, forms: Mapping[str, Sequence[str]]) -> str:
    """Return a hint for a name that does not match, and perhaps ends in a number, as mrr_10 does; "" without `forms`.

    `forms` are those of all names, such as `RR` and `RR@k`, each with what others call it, in lower case.
    """
    match = _NAME_AND_NUMBER.fullmatch(written)
    if not forms or match is None:
        return ""
    name, number = match["name"].casefold(), (match["number"] or "").lstrip("@_.")
    here = [form for form, others in forms.items() if name in (form.partition("@")[0].casefold(), *others)]
    here.sort(key=lambda form: ("@" in form) != bool(number))
    if not here:
        return f"; {nearest(written, forms)}"
    form = here[0].replace("@k", f"@{number.lstrip('0') or 'k'}")
    return f'; here it is "{form}"' if form != written else f"; {number} is too great"


def _repeated(entries: Any) -> Any:
    """Return the first entry of a list that equals an earlier one."""
    return next(entry for rank, entry in enumerate(entries) if entry in entries[:rank])


_LIMITS = {
    "minimum": "is less than the minimum of {}",
    "maximum": "is greater than the maximum of {}",
    "exclusiveMinimum": "is not greater than {}",
    "exclusiveMaximum": "is not less than {}",
    "maxLength": "has more than {} characters",
    "uniqueItems": "is in the list twice",
}


# How many steps of a schema's path a keyword takes (itself, and perhaps a name or number), and whether it leads to a part of the value.
_STEPS = {
    **dict.fromkeys(("properties", "patternProperties", "prefixItems"), (2, True)),
    **dict.fromkeys(("items", "additionalProperties", "contains"), (1, True)),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "dependentSchemas"), (2, False)),
    **dict.fromkeys(("then", "else"), (1, False)),
}


def _reason(error: ValidationError, root: Mapping[str, Any], value: Any) -> str:
    """Return what in `value` makes the broken rule hold; "" for a rule that always holds.

    The walk follows the path of the broken rule through the schema, and collects what each condition on the way looks at.
    The rule below `{"if": {"properties": {"format": {"const": "jsonl"}}}, "then": …}` holds because of `format: jsonl`.
    """
    steps, path = list(error.absolute_schema_path), list(error.absolute_path)
    schema: Any = root
    properties: dict[str, Any] = {}  # of the value that the walk has reached
    circumstances: dict[str, None] = {}  # in the order of the walk, each once
    while len(steps) > 1 and steps[0] in _STEPS:
        if steps[0] not in schema:
            schema = _resolved(schema, root)
        properties |= schema.get("properties", {})
        if steps[0] in {"then", "else"}:
            circumstances |= {_circumstance(name, value, properties): None for name in _names_in(schema["if"])}
        elif steps[0] == "dependentSchemas":
            circumstances[_circumstance(str(steps[1]), value, properties)] = None
        width, descends = _STEPS[str(steps[0])]
        for step in steps[:width]:
            schema = schema[step]
        if descends:
            value, properties = value[path.pop(0)], {}
        del steps[:width]
    return " and ".join(circumstances)


def _resolved(schema: Any, root: Mapping[str, Any]) -> Any:
    """Follow a reference inside the schema: jsonschema leaves it out of its paths."""
    while "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        schema = target
    return schema


def _names_in(condition: Mapping[str, Any]) -> list[str]:
    """Return the names of the properties that a condition tests, each once."""
    parts = [*(part for key in ("allOf", "anyOf", "oneOf") for part in condition.get(key, ())), condition.get("not", {})]
    inner = [name for part in parts if part for name in _names_in(part)]
    return list(dict.fromkeys([*condition.get("properties", ()), *condition.get("required", ()), *inner]))


def _circumstance(name: str, value: Mapping[str, Any], properties: Mapping[str, Any]) -> str:
    """Say how an option is set: `format: jsonl`, `format: conll (the default)`, `no "format"`, or `"format"` for a list or mapping."""
    if name in value:
        given = value[name]
        return f'"{name}"' if isinstance(given, dict | list) else f"{name}: {_shown(given).strip(_QUOTES)}"
    default = properties[name].get("default") if isinstance(properties.get(name), dict) else None
    return f'no "{name}"' if default is None else f"{name}: {_shown(default).strip(_QUOTES)} (the default)"


_QUOTES = "'\""


def _with_names(schema: Any) -> Any:
    """Return the schema with `{"not": {}}` for each property that it forbids by `false`: only so does an error name the property."""
    if isinstance(schema, list):
        return [_with_names(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: {name: {"not": {}} if rule is False else _with_names(rule) for name, rule in part.items()}
        if key == "properties"
        else _with_names(part)
        for key, part in schema.items()
    }


def _shown(instance: object) -> str:
    """Return a value as messages show it: as YAML writes it, shortened to 60 characters; only the type of a list or mapping."""
    if isinstance(instance, (dict, list)):
        return _TYPES["object" if isinstance(instance, dict) else "array"]
    text = "nothing" if instance is None else str(instance).lower() if isinstance(instance, bool) else repr(instance)
    return text if len(text) <= 60 else text[:60] + "…"
