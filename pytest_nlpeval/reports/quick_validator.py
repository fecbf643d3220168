"""Checks large JSON against a schema: the library's validator, which does not descend into what is right at sight.

A report of 32 MiB has millions of values, and a descent of the library costs some microseconds. What does not look right is the library's
to judge. A test lets both judge the same values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from pytest_nlpeval.formats.sight import Sight


class _Quick(Sight):
    """What the library calls for the keywords that descend."""

    def properties(self, validator: Any, properties: Mapping[str, Any], instance: Any, _schema: Any) -> Iterator[ValidationError]:
        """Yield what is wrong with the properties of an object, as the library does."""
        if not isinstance(instance, dict):
            return
        for name, own in properties.items():
            if name in instance and not self.is_right(instance[name], own):
                yield from validator.descend(instance[name], own, path=name, schema_path=name)

    def items(self, validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        """Yield what is wrong with the items of a list, as the library does."""
        if not isinstance(instance, list):
            return
        if not isinstance(items, dict) or "prefixItems" in schema:
            yield from Draft202012Validator.VALIDATORS["items"](validator, items, instance, schema)
            return
        for rank, value in enumerate(instance):
            if not self.is_right(value, items):
                yield from validator.descend(value, items, path=rank)


def quick_validator(schema: Any) -> Any:
    """Return a validator that finds what `Draft202012Validator` finds by a schema that is one resource: without `$id` below its top."""
    quick = _Quick(schema)
    return extend(Draft202012Validator, {"properties": quick.properties, "items": quick.items})(schema)  # type: ignore[no-untyped-call]
