"""Matching of two trees: which fields and objects of the system stand for which ones of gold, and the credit for it.

Two lists are matched one to one: identical elements first, then the others so that the credit is greatest. Of several such ways that one is
taken which has most credit at the first path, then the fewest optional fields there, then most credit at the second path, and so on. All
that is one sum of integers: credit at a path weighs more than all that can be had at later paths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_nlpeval.metrics.assignment import any_greatest_assignment
from pytest_nlpeval.tasks.records.crossing import greatest_in_order
from pytest_nlpeval.tasks.records.forms import Codes, Forms
from pytest_nlpeval.tasks.records.trees import Element, Field, Node, Path, code_of

Pair = tuple[Element, Element]
PairsOf = Callable[[list[Element], list[Element], Path], Iterable[Pair]]


@dataclass(slots=True)
class Scale:
    """What credit at each path weighs, by the paths' names in code point order; all credit of a record at one path is below `base`.

    With `optional` 1 there is room for what optional fields cost.
    """

    names: tuple[str, ...]
    base: int
    optional: int
    _weights: dict[str, tuple[int, int]] = field(default_factory=dict)

    def of(self, name: str) -> tuple[int, int]:
        """Return the weight of one of credit at a path, and what an optional field there costs."""
        if not self._weights:
            power = 1
            for later in reversed(self.names):
                of_credit = power * self.base**self.optional
                self._weights[later] = of_credit, power
                power = of_credit * self.base
            for known, (credit, optional) in self._weights.items():
                self._weights[known] = credit + power, optional  # all that can be had at the paths is below `power`
        return self._weights[name]


MOST_PAIRS = 1_000_000
"""How many pairs of elements that are not identical are compared in two records, and how many of whole objects and tuples."""


class TooManyPairs(Exception):  # noqa: N818 - no fault of the program
    """Two records have more pairs to be compared than `MOST_PAIRS`."""


@dataclass(slots=True)
class Matching:
    """Matches the trees of two records. `pairs` yields the pairs of a list, `weight` gives what a pair of elements weighs.

    `is_counting` says whether the pairs that are compared count among those that are allowed: each counts once.
    """

    gold: Node
    system: Node
    forms: Forms
    is_counting: bool = False
    _scale: Scale | None = None
    _left: int = MOST_PAIRS
    _left_of_wholes: int = MOST_PAIRS
    _kept: dict[tuple[int, int], list[Pair]] = field(default_factory=dict)
    _weighed: set[tuple[int, int]] = field(default_factory=set)

    @property
    def codes(self) -> Codes:
        """The codes of elements."""
        return self.forms.codes

    @property
    def scale(self) -> Scale:
        """What credit weighs in the two records."""
        if self._scale is None:
            numbers: dict[str, int] = defaultdict(int)
            _count(self.system, numbers)  # what the system does not have has no credit
            optional = 1 if self.forms.options.rules.has_soft else 0
            self._scale = Scale(tuple(sorted(numbers)), sum(numbers.values()) * self.forms.unit + 1, optional)
        return self._scale

    def _take(self, pairs: int) -> None:
        """Note that so many pairs are compared."""
        if self.is_counting:
            self._left -= pairs
            if self._left < 0:
                raise TooManyPairs

    def take_whole(self, pairs: int) -> None:
        """Note that so many pairs are compared to find equal objects."""
        self._left_of_wholes -= pairs
        if self._left_of_wholes < 0:
            raise TooManyPairs

    def pairs_of_tree(self, gold: list[Element], system: list[Element], path: Path) -> list[Pair]:
        """Return the pairs of two lists of the two trees whose objects are paired; they are worked out once."""
        key = id(gold), id(system)
        if key not in self._kept:
            self._kept[key] = list(self.pairs(gold, system, path))
        return self._kept[key]

    def pairs(self, gold: Sequence[Element], system: Sequence[Element], path: Path) -> Iterator[Pair]:
        """Yield the pairs of two lists at a path: those that are identical, or have any credit, or are lone objects."""
        if len(gold) == 1 and len(system) == 1:
            if self._may_meet(gold[0], system[0], path):
                yield gold[0], system[0]
            return
        if path.rule.list == "ordered":
            yield from self._pairs_in_order(gold, system, path)
            return
        places: defaultdict[int | None, list[int]] = defaultdict(list)
        for place in range(len(system) - 1, -1, -1):
            places[code_of(system[place], self.codes)].append(place)  # never None: gold alone has alternatives
        rest: list[Element] = []
        taken: set[int] = set()
        for element in gold:
            if same := places.get(code_of(element, self.codes)):
                place = same.pop()
                taken.add(place)
                yield element, system[place]
            else:
                rest.append(element)
        left = [element for place, element in enumerate(system) if place not in taken]
        if rest and left:
            yield from self._greatest(rest, left, path)

    def _may_meet(self, gold: Element, system: Element, path: Path) -> bool:
        if isinstance(gold, Node) and isinstance(system, Node):
            return bool(self._key(gold, path) == self._key(system, path))
        return isinstance(gold, Field) and isinstance(system, Field) and self.credit(gold, system, path) > 0

    def _pairs_in_order(self, gold: Sequence[Element], system: Sequence[Element], path: Path) -> Iterator[Pair]:
        """Yield pairs that do not cross: the common beginning, the common end, and the greatest of what is left."""
        mine, theirs = ([code_of(element, self.codes) for element in side] for side in (gold, system))
        start, ends = 0, (len(gold), len(system))
        while start < min(ends) and mine[start] == theirs[start]:
            yield gold[start], system[start]
            start += 1
        while start < min(ends) and mine[ends[0] - 1] == theirs[ends[1] - 1]:
            ends = ends[0] - 1, ends[1] - 1
            yield gold[ends[0]], system[ends[1]]
        rest, left = gold[start : ends[0]], system[start : ends[1]]
        self._take(len(rest) * len(left))
        weights = [[self._weight_of(one, two, path) for two in left] for one in rest]
        for row, column in greatest_in_order(weights):
            yield self._as_weighed(rest[row], left[column])

    def _greatest(self, gold: Sequence[Element], system: Sequence[Element], path: Path) -> Iterator[Pair]:
        """Yield the pairs of the greatest weight; without soft fields only objects have any."""
        weights: dict[tuple[int, int], int] = {}
        for rows, columns in self._groups(gold, system, path):
            if len(rows) == 1 and len(columns) == 1 and isinstance(gold[rows[0]], Node):
                yield gold[rows[0]], system[columns[0]]
                continue
            self._take(len(rows) * len(columns))
            for row, partners in _possible_partners(gold, rows, system, columns):
                for column in partners:
                    if weight := self.weight(gold[row], system[column], path):
                        weights[row, column] = weight
        for row, column in any_greatest_assignment(weights).items():
            yield self._as_weighed(gold[row], system[column])

    def _as_weighed(self, gold: Element, system: Element) -> Pair:
        """Return a pair after noting that what is in it was compared, to weigh it."""
        self._weighed.add((id(gold), id(system)))
        return gold, system

    def is_weighed(self, gold: Element, system: Element) -> bool:
        """Whether the elements in a pair were compared before it was a pair."""
        return (id(gold), id(system)) in self._weighed

    def _groups(self, gold: Sequence[Element], system: Sequence[Element], path: Path) -> Collection[tuple[list[int], list[int]]]:
        """Return the places of elements on both sides that may be paired with each other."""
        groups: defaultdict[Any, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for side, elements in enumerate((gold, system)):
            for rank, element in enumerate(elements):
                if isinstance(element, Node):
                    groups[self._key(element, path)][side].append(rank)
                elif path.rule.is_soft:
                    groups[None][side].append(rank)
        return groups.values()

    def _key(self, node: Element, path: Path) -> Any:
        """Return what objects have in common that may be paired, by the rule of their list; fields are in a group of their own."""
        if not isinstance(node, Node):
            return None
        name = f"{path.name}.{path.rule.key}"
        return ("", *sorted(self._codes_at(node.of_key or node, name))) if path.rule.key else ("",)

    def _codes_at(self, node: Node, name: str) -> Iterator[int]:
        """Yield the codes of the fields at the path of that name in an object, -1 for one with alternatives."""
        for child, elements in node.branches.values():
            if child.name == name:
                yield from (-1 if (code := code_of(element, self.codes)) is None else code for element in elements)
            elif name.startswith(f"{child.name}."):
                for element in elements:
                    if isinstance(element, Node):
                        yield from self._codes_at(element, name)

    def _weight_of(self, gold: Element, system: Element, path: Path) -> int:
        return self.weight(gold, system, path) if self._key(gold, path) == self._key(system, path) else 0

    def weight(self, gold: Element, system: Element, path: Path) -> int:
        """Return what the greatest credit of a pair of elements weighs, 0 for none."""
        if isinstance(gold, Node) and isinstance(system, Node):
            return sum(self._weight_of_key(gold, system, key) for key in gold.branches if key in system.branches)
        if isinstance(gold, Field) and isinstance(system, Field) and (credit := self.credit(gold, system, path)):
            of_credit, of_optional = self.scale.of(path.name)
            return credit * of_credit - gold.is_optional * of_optional
        return 0

    def _weight_of_key(self, gold: Node, system: Node, key: str) -> int:
        path, elements = gold.branches[key]
        others = system.branches[key][1]
        if len(elements) == len(others) == 1 and isinstance(elements[0], Field):
            return self.weight(elements[0], others[0], path)  # a pair without credit has no weight
        return sum(self.weight(one, two, path) for one, two in self.pairs(elements, others, path))

    def credit(self, gold: Field, system: Field, path: Path) -> int:
        """Return the credit of two fields, in the unit."""
        rule = path.rule
        if not gold.has_alternatives:
            if gold.form is None or system.form is None:
                return self.forms.unit if gold.identity == system.identity else 0
            return self.forms.credit(gold.form, system.form, rule)
        return max((self._credit_of_one(form, whole, system, path) for form, whole in gold.alternatives), default=0)

    def _credit_of_one(self, form: Any, whole: Any, system: Field, path: Path) -> int:
        if form is None or system.form is None:
            return self.forms.unit if whole == system.whole else 0
        return self.forms.credit(form, system.form, path.rule)


def _possible_partners(
    gold: Sequence[Element], rows: Iterable[int], system: Sequence[Element], columns: Sequence[int]
) -> Iterator[tuple[int, Iterable[int]]]:
    """Yield each row with the columns, in their order, that may have credit with it: of objects of fields alone, those that share one."""
    of_field: defaultdict[Any, list[int]] = defaultdict(list)
    others: list[int] = []
    for column in columns:
        fields = _fields_of(system[column])
        if fields is None:
            others.append(column)
        for held in fields or ():
            of_field[held].append(column)
    for row in rows:
        fields = _fields_of(gold[row])
        if fields is None:
            yield row, columns
        else:
            yield row, sorted({*others, *(column for held in fields for column in of_field.get(held, ()))})


def _fields_of(element: Element) -> set[tuple[str, Any]] | None:
    """Return key and identity of each field of an object; None if it has credit for more, or if pairs within it count."""
    if not isinstance(element, Node):
        return None
    fields: set[tuple[str, Any]] = set()
    for key, (path, held) in element.branches.items():
        if path.rule.is_soft or path.rule.list == "ordered":
            return None
        for each in held:
            if not isinstance(each, Field):
                return None
            fields.add((key, each.identity))
    return fields


@dataclass(slots=True)
class Tally:
    """The numbers of two objects by path: g, s, and c in the `unit`."""

    unit: int
    gold: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    system: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    credit: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def is_right_at(self, name: str) -> bool:
        """Whether gold and system agree at a path."""
        gold = self.gold.get(name, 0)
        return gold == self.system.get(name, 0) and gold * self.unit == self.credit.get(name, 0)

    @property
    def is_right(self) -> bool:
        """Whether gold and system agree at each path."""
        return all(map(self.is_right_at, {**self.gold, **self.system}))


def tally_of(gold: Node, system: Node, matching: Matching) -> Tally:
    """Return the numbers of two objects that are paired; of gold's optional fields those that have credit count.

    The pairs of the two trees as wholes, which explanations ask for again, are kept, and their comparisons alone are counted.
    """
    tally = Tally(matching.forms.unit)
    _count(gold, tally.gold)
    _count(system, tally.system)
    is_whole = gold is matching.gold and system is matching.system
    counting = is_whole and matching.is_counting
    _match(gold, system, matching, tally, pairs_of=matching.pairs_of_tree if is_whole else matching.pairs, is_counting=counting)
    matching.is_counting = False
    return tally


def _count(node: Node, numbers: dict[str, int]) -> None:
    for path, elements in node.branches.values():
        for element in elements:
            if isinstance(element, Node):
                _count(element, numbers)
            else:
                numbers[path.name] += not element.is_optional


def _match(gold: Node, system: Node, matching: Matching, tally: Tally, *, pairs_of: PairsOf, is_counting: bool) -> None:
    for key, (path, elements) in gold.branches.items():
        if key not in system.branches:
            continue
        matching.is_counting = is_counting
        others = system.branches[key][1]
        for one, two in list(pairs_of(elements, others, path)):
            if isinstance(one, Node) and isinstance(two, Node):
                is_first = is_counting and not matching.is_weighed(one, two)  # else the pairs in them are counted already
                _match(one, two, matching, tally, pairs_of=pairs_of, is_counting=is_first)
            elif isinstance(one, Field) and isinstance(two, Field):
                tally.gold[path.name] += one.is_optional
                tally.credit[path.name] += matching.credit(one, two, path)
