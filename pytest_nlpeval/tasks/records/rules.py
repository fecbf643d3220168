"""How values and lists compare: the option `compare`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Any, Self

from pytest_nlpeval.light_dataclasses import light_dataclass

VALUES = ("text", "exact", "number", "date", "tokens", "whole")
LISTS = ("multiset", "set", "ordered", "any")
MAP = "map"

ENTRY = "*"
"""The key under which all entries of a map are."""


@light_dataclass(frozen=True, slots=True)
class Rule:
    """How the fields and the list at a path compare.

    `value` is one of `VALUES`; numbers are equal, too, if their difference is at most `tolerance`, as a share of gold's if `is_share`.
    `list` is one of `LISTS`. `key` is the path, inside the objects of the list, of the field that paired objects have in common, or "".
    """

    value: str = "text"
    tolerance: Decimal | None = None
    is_share: bool = False
    list: str = "multiset"
    key: str = ""
    is_map: bool = False

    @property
    def is_soft(self) -> bool:
        """Whether fields that are not identical may have credit."""
        return self.list == "any" or self.value == "tokens" or self.tolerance is not None


@light_dataclass(frozen=True, slots=True)
class Rules:
    """The settings of the option `compare`: pairs of a path and its settings, by path; settings are pairs of a name and a value."""

    settings: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()

    def at(self, path: str) -> Rule:
        """Return the rule of a path: for values that of the longest path that covers it, for lists its own.

        >>> rules = rules_of({"a": "number", "a.b": "set"})
        >>> rules.at("a.b").value, rules.at("a.b").list, rules.at("a").list
        ('number', 'set', 'multiset')
        """
        own = self._said_of(path)
        of_values = next((said for above in upwards(path) if "value" in (said := self._said_of(above))), {})
        tolerance, is_share = _tolerance(of_values.get("tolerance"))
        value, way = of_values.get("value", "text"), own.get("list", "multiset")
        return Rule(value, tolerance, is_share, way, own.get("key", ""), bool(own.get(MAP)))

    def _said_of(self, path: str) -> dict[str, Any]:
        """Return the settings of the path of exactly this name."""
        place = bisect_left(self.settings, path, key=itemgetter(0))
        is_there = place < len(self.settings) and self.settings[place][0] == path
        return dict(self.settings[place][1]) if is_there else {}

    def has_value(self, value: str) -> bool:
        """Whether the fields of some path compare so."""
        return any(dict(settings).get("value") == value for _, settings in self.settings)

    @property
    def has_soft(self) -> bool:
        """Whether fields that are not identical may have full credit."""
        return any(
            settings.get("list") == "any" or "tolerance" in settings
            for settings in map(dict, (said for _, said in self.settings))
        )

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that are named."""
        return tuple(path for path, _ in self.settings)


def upwards(path: str) -> Iterator[str]:
    """Yield a path and those that cover it, the longest first.

    >>> [*upwards("a.b.c")]
    ['a.b.c', 'a.b', 'a']
    """
    while path:
        yield path
        path = path.rpartition(".")[0]


def covers(path: str, name: str) -> bool:
    """Whether a path is the one of that name, or it lies beneath."""
    return name == path or name.startswith(f"{path}.")


def all_upwards(paths: Iterable[str]) -> frozenset[str]:
    """Return some paths and all those that cover any of them."""
    return frozenset(above for path in paths for above in upwards(path))


@light_dataclass(frozen=True, slots=True)
class Chosen:
    """Which paths are chosen: all at and beneath some `fields`, or all if there are none, but for those at and beneath what is `ignored`.

    Paths are looked up, as often as one has steps: fields may be hundreds. `leading` are the fields and the paths that cover any of them.
    """

    fields: frozenset[str]
    ignored: frozenset[str]
    leading: frozenset[str]

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, fields: tuple[str, ...], ignored: tuple[str, ...] = ()) -> Self:
        """Return which paths some fields choose, and what is ignored.

        >>> chosen = Chosen.of(("a.b", "d"), ("a.b.x",))
        >>> [chosen.has(name) for name in ("a.b", "a.b.c", "a.bc", "a", "a.b.x.y")]
        [True, True, False, False, False]
        >>> [chosen.leads_to_any(name) for name in ("a", "d", "a.b.c", "c")]
        [True, True, True, False]
        """
        return cls(frozenset(fields), frozenset(ignored), all_upwards(fields))

    def has(self, name: str) -> bool:
        """Whether the path of that name is chosen."""
        return not _is_beneath(name, self.ignored) and (not self.fields or _is_beneath(name, self.fields))

    def leads_to_any(self, name: str) -> bool:
        """Whether the path of that name is chosen, or leads to one that may be."""
        return self.has(name) or (name in self.leading and not _is_beneath(name, self.ignored))


def _is_beneath(name: str, paths: frozenset[str]) -> bool:
    return bool(paths) and any(above in paths for above in upwards(name))


def rules_of(compare: Mapping[str, Any]) -> Rules:
    """Return the rules of the option `compare`: the same rules in whichever order they stand there."""
    return Rules(tuple((path, tuple(sorted(_settings(said).items()))) for path, said in sorted(compare.items())))


def _settings(said: Any) -> dict[str, Any]:
    if isinstance(said, Mapping):
        return {name: str(value) if name == "tolerance" else value for name, value in said.items()}
    return {MAP: True} if said == MAP else {"list": said} if said in LISTS else {"value": said}


def _tolerance(text: str | None) -> tuple[Decimal | None, bool]:
    """Return a tolerance as a number, and whether it is a share of gold's.

    A share is not divided, which would round it to 28 digits.

    >>> _tolerance("2.5%"), _tolerance("0.01")
    ((Decimal('0.025'), True), (Decimal('0.01'), False))
    """
    if text is None:
        return None, False
    if text.endswith("%"):
        return Decimal(f"{text[:-1]}e-2"), True
    return Decimal(text), False


def mistakes_in(compare: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what is wrong with the option `compare` that its schema cannot tell: keys and places, and a message."""
    for path, said in compare.items():
        settings = _settings(said)
        if "tolerance" in settings and settings.get("value") != "number":
            yield ("compare", path, "tolerance"), f"{path}: a tolerance is for numbers; say `value: number` beside it"
        if settings.get("tolerance") == "inf":
            yield ("compare", path, "tolerance"), f"{path}: within this tolerance all numbers are equal; give a smaller one"
        for name in ("key", MAP):
            if settings.get(name) and settings.get("list") == "any":
                message = f"{path}: `any` says that the list has alternatives for one value, which have no {name}; leave out one of them"
                yield ("compare", path, name), message
