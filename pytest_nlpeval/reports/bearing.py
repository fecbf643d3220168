"""Which explanations bear on which measures: patterns are compared with names that begin as they do; there may be thousands of both."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import takewhile

from pytest_nlpeval.explanations import Explanation

_WILDCARD = re.compile(r"[*?[]")


def bearing_on(measures: Collection[str]) -> Callable[[Explanation], bool]:
    """Return what tells whether an explanation bears on any of these measures; a pattern that many have is compared once.

    >>> bears = bearing_on(["per.f1", "loc.f1"])
    >>> [bears(Explanation("1", "missing", "", 1, measures=measures)) for measures in [("per.*",), ("org.*",), ()]]
    [True, False, True]
    """
    in_order = sorted(measures)

    @cache
    def is_about_any(pattern: str) -> bool:
        start = _beginning(pattern)
        places = range(bisect_left(in_order, start), len(in_order))
        near = takewhile(lambda measure: measure.startswith(start), map(in_order.__getitem__, places))
        return any(fnmatchcase(measure, pattern) for measure in near)

    return lambda explanation: any(map(is_about_any, explanation.measures)) if explanation.measures else bool(measures)


class NamePatterns:
    """Patterns of names, by what all names begin with that they match."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._by_beginning: dict[str, list[str]] = {}
        for pattern in patterns:
            self._by_beginning.setdefault(_beginning(pattern), []).append(pattern)

    def matching(self, name: str) -> Iterator[str]:
        """Yield the patterns that match a name.

        >>> [*NamePatterns(["label.*.f1", "*", "macro.f1", "label.?.f1"]).matching("label.ab.f1")]
        ['*', 'label.*.f1']
        """
        near = (pattern for end in range(len(name) + 1) for pattern in self._by_beginning.get(name[:end], ()))
        return (pattern for pattern in near if fnmatchcase(name, pattern))


def _beginning(pattern: str) -> str:
    return _WILDCARD.split(pattern, maxsplit=1)[0]
