"""Long lists of JSON as a schema sees them: one entry of each shape stands for all, since jsonschema would take seconds for thousands."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, get_args

from pytest_nlpeval.explanations import Difference
from pytest_nlpeval.problems import Severity


def of_each_shape(value: Any) -> Any:
    """Return a list with one entry of each shape: a schema says nothing that two entries of one shape do not share. Others stay.

    >>> of_each_shape([{"line": 3, "unit": "a"}, {"line": 12, "unit": "b"}, {"line": 0, "unit": "b"}])
    [{'line': 12, 'unit': 'b'}, {'line': 0, 'unit': 'b'}]
    """
    return list({_shape(entry): entry for entry in value}.values()) if isinstance(value, list) else value


def _shape(value: Any) -> Hashable:
    """Return what a schema may say of a value: types, keys, words of an enumeration, whole numbers, and the bounds 0 and 1.

    Of a list it is how long it is, up to four (no list has a bound above three), and the shapes of its entries.

    >>> _shape([1, 2]) == _shape([1, 2, 2])
    False
    """
    if isinstance(value, str):
        return value if value in _WORDS else _IS_DIGEST(value) is not None
    if isinstance(value, dict):
        return dict, *((key, _shape(entry)) for key, entry in value.items())
    if isinstance(value, list):
        return list, min(len(value), 4), frozenset(map(_shape, value))
    if type(value) in (int, float):
        return type(value), value >= 0, value >= 1, float(value).is_integer()
    return type(value).__name__


_WORDS = frozenset((*get_args(Severity), *get_args(Difference)))
_IS_DIGEST = re.compile("[0-9a-f]{64}").fullmatch
