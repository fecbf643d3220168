"""Matching of small records as the task's page defines it, by trying all ways to pair two lists.

Values are texts of letters and blanks, or integers. The options are the mapping `compare`, each entry of which is a mapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

MILLION = 10**6

Compare = Mapping[str, Mapping[str, Any]]
Credit = tuple[Counter[str], Counter[str]]
"""By path: the credit, and how many optional fields have some."""


class Choice(NamedTuple):
    """Gold's alternatives for a field, which is optional if nothing is among them."""

    values: tuple[Any, ...]
    is_optional: bool


class Naive:
    """Matches two records by the rules of `compare`."""

    def __init__(self, compare: Compare) -> None:
        self.compare = compare
        self.unit = MILLION if any(rule.get("value") == "tokens" for rule in compare.values()) else 1
        self.paths: list[str] = []

    def numbers(self, gold: Mapping[str, Any], system: Mapping[str, Any]) -> dict[str, tuple[int, int, int]]:
        """Return g, s and c of each path."""
        mine, theirs = self.tree(gold, "", is_gold=True), self.tree(system, "", is_gold=False)
        of_gold, of_system = Counter(self.fields(mine)), Counter(self.fields(theirs))
        self.paths = sorted({name for name, _ in (*of_gold, *of_system)})
        credit, optional = self.of_objects(mine, theirs)
        return {
            name: (of_gold[name, False] + optional[name], of_system[name, False], credit[name])
            for name in self.paths
            if of_gold[name, False] + optional[name] + of_system[name, False]
        }

    def list_rule(self, path: str) -> str:
        return str(self.compare.get(path, {}).get("list", "multiset"))

    def value_rule(self, path: str) -> Mapping[str, Any]:
        covering = [name for name, rule in self.compare.items() if "value" in rule and f"{path}.".startswith(f"{name}.")]
        return self.compare[max(covering, key=len)] if covering else {"value": "text"}

    def tree(self, record: Mapping[str, Any], path: str, *, is_gold: bool) -> dict[str, tuple[str, list[Any]]]:
        """Return, for each key, the path and the elements: forms, choices and trees."""
        branches: dict[str, tuple[str, list[Any]]] = {}
        for key, value in record.items():
            name = f"{path}.{key}" if path else key
            held = [each for each in (value if isinstance(value, list) else [value]) if each not in (None, "", [], {})]
            if self.list_rule(name) == "any" and is_gold and value not in (None, "", []):
                length = len(value) if isinstance(value, list) else 1
                branches[key] = name, [Choice(tuple(self.form(each, name) for each in held), len(held) < length)]
                continue
            elements: list[Any] = []
            for each in held:
                element = self.tree(each, name, is_gold=is_gold) if isinstance(each, dict) else self.form(each, name)
                is_again = self.list_rule(name) == "set" and self.identity(element) in map(self.identity, elements)
                if element and not (is_again and self.identity(element) is not None):
                    elements.append(element)
            if elements:
                branches[key] = name, elements
        return branches

    def form(self, value: Any, path: str) -> tuple[str, Any]:
        rule = self.value_rule(path)["value"]
        text = " ".join(str(value).split())
        if rule == "tokens":
            return "tokens", tuple(sorted(text.split()))
        return ("number", int(text)) if rule == "number" and text.isdecimal() else ("text", text)

    def identity(self, element: Any) -> str | None:
        """Return what identical elements have in common, None if nothing is identical to one."""
        if not isinstance(element, dict):
            return None if isinstance(element, Choice) else repr(element)
        branches = []
        for key, (name, elements) in sorted(element.items()):
            inner = [self.identity(each) for each in elements]
            if None in inner:
                return None
            branches.append((key, inner if self.list_rule(name) == "ordered" else sorted(map(str, inner))))
        return repr(branches)

    def fields(self, tree: Mapping[str, tuple[str, list[Any]]]) -> Iterator[tuple[str, bool]]:
        for name, elements in tree.values():
            for each in elements:
                if isinstance(each, dict):
                    yield from self.fields(each)
                else:
                    yield name, isinstance(each, Choice) and each.is_optional

    def of_values(self, gold: tuple[str, Any], system: tuple[str, Any], path: str) -> int:
        if gold == system:
            return self.unit
        if gold[0] == system[0] == "number":
            is_near = abs(gold[1] - system[1]) <= self.value_rule(path).get("tolerance", 0)
            return self.unit if is_near else 0
        if gold[0] == system[0] == "tokens":
            common = (Counter(gold[1]) & Counter(system[1])).total()
            return 2 * common * MILLION // (len(gold[1]) + len(system[1]))
        return 0

    def of_objects(self, gold: Mapping[str, Any], system: Mapping[str, Any]) -> Credit:
        parts = [self.of_lists(elements, system[key][1], name) for key, (name, elements) in gold.items() if key in system]
        return _sum(parts)

    def of_pair(self, gold: Any, system: Any, path: str) -> Credit:
        if isinstance(gold, dict) != isinstance(system, dict):
            return _sum([])
        if isinstance(gold, dict):
            key = self.compare.get(path, {}).get("key")
            may_meet = not key or self.key_of(gold, path, key) == self.key_of(system, path, key)
            return self.of_objects(gold, system) if may_meet else _sum([])
        values = gold.values if isinstance(gold, Choice) else (gold,)
        credit = max((self.of_values(value, system, path) for value in values), default=0)
        is_optional = credit and isinstance(gold, Choice) and gold.is_optional
        return Counter({path: credit} if credit else {}), Counter({path: 1} if is_optional else {})

    def key_of(self, tree: Mapping[str, Any], path: str, key: str) -> list[str]:
        return sorted(str(self.identity(each)) for name, held in tree.values() if name == f"{path}.{key}" for each in held)

    def of_lists(self, gold: Sequence[Any], system: Sequence[Any], path: str) -> Credit:
        """Return the credit of two lists: identical elements first, then the best of all ways to pair the others."""
        mine, theirs, parts = list(gold), list(system), []
        in_order = self.list_rule(path) == "ordered"
        for place in (0, -1):
            while in_order and mine and theirs and self.are_identical(mine[place], theirs[place]):
                parts.append(self.of_pair(mine.pop(place), theirs.pop(place), path))
        for each in list(mine) if not in_order else ():
            partner = next((rank for rank, other in enumerate(theirs) if self.are_identical(each, other)), None)
            if partner is not None:
                parts.append(self.of_pair(mine.pop(next(r for r, m in enumerate(mine) if m is each)), theirs.pop(partner), path))
        table = {(row, column): self.of_pair(one, two, path) for row, one in enumerate(mine) for column, two in enumerate(theirs)}
        pairings = combinations if in_order else permutations
        ways = (
            zip(rows, columns, strict=True)
            for size in range(min(len(mine), len(theirs)) + 1)
            for rows in combinations(range(len(mine)), size)
            for columns in pairings(range(len(theirs)), size)
        )
        return _sum([*parts, max((_sum([table[pair] for pair in way]) for way in ways), key=self.rank)])

    def are_identical(self, one: Any, two: Any) -> bool:
        return self.identity(one) is not None and self.identity(one) == self.identity(two)

    def are_equal(self, gold: Any, system: Any) -> bool:
        """Whether all fields of two objects find partners with full credit; an optional field of gold needs none."""
        mine, theirs = Counter(self.fields(gold)), Counter(self.fields(system))
        self.paths = sorted({name for name, _ in (*mine, *theirs)})
        credit, optional = self.of_objects(gold, system)
        return all(
            mine[name, False] + optional[name] == theirs[name, False] and theirs[name, False] * self.unit == credit[name]
            for name in self.paths
        )

    def rank(self, credit: Credit) -> tuple[int, ...]:
        """Return what is greatest of the best way: all credit, then by path credit and the fewest optional fields."""
        by_path = (number for path in self.paths for number in (credit[0][path], -credit[1][path]))
        return credit[0].total(), *by_path


def _sum(parts: Sequence[Credit]) -> Credit:
    credit: Counter[str] = Counter()
    optional: Counter[str] = Counter()
    for of_credit, of_optional in parts:
        credit += of_credit
        optional += of_optional
    return credit, optional
