"""Whole objects: those of lists, and the tuples of views; which of them the system has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod

from pytest_nlpeval.metrics.assignment import any_greatest_assignment
from pytest_nlpeval.tasks.records.forms import Codes, Form, written
from pytest_nlpeval.tasks.records.matching import Matching, tally_of
from pytest_nlpeval.tasks.records.options import View
from pytest_nlpeval.tasks.records.rules import Chosen, covers
from pytest_nlpeval.tasks.records.trees import Field, Node, Path, code_of, distinct


def objects_in(node: Node) -> dict[str, list[Node]]:
    """Return the objects at each path in a tree, but the tree itself."""
    objects: defaultdict[str, list[Node]] = defaultdict(list)
    _collect(node, objects)
    return objects


def _collect(node: Node, objects: dict[str, list[Node]]) -> None:
    for path, elements in node.branches.values():
        for element in elements:
            if isinstance(element, Node):
                objects[path.name].append(element)
                _collect(element, objects)


def tuples_in(node: Node, view: View, path: Path, codes: Codes) -> list[Node]:
    """Return the tuples of a view in the tree of a record: objects at its base, cut down to its fields; in a `set` identical ones once."""
    base = view.base
    if path.name == base:
        own = cut(node, view)
        return [own] if own.branches else []
    found: list[Node] = []
    for child, elements in node.branches.values():
        if not covers(child.name, base):
            continue
        inner = [each for element in elements if isinstance(element, Node) for each in tuples_in(element, view, child, codes)]
        is_set = child.name == base and child.rule.list == "set"
        found += distinct(inner, codes) if is_set else inner
    return found


def cut(node: Node, view: View) -> Node:
    """Return an object with the fields of a view alone."""
    return _cut(node, Chosen.of(view.fields))


def _cut(node: Node, chosen: Chosen) -> Node:
    return Node(dict(_branches_of(node, chosen)), node.value, node.rank)


def _branches_of(node: Node, chosen: Chosen) -> Iterator[tuple[str, tuple[Path, list[Node | Field]]]]:
    for key, (path, elements) in node.branches.items():
        if chosen.has(path.name):
            yield key, (path, elements)
        elif chosen.leads_to_any(path.name):
            inner = (_cut(element, chosen) for element in elements if isinstance(element, Node))
            if kept := [element for element in inner if element.branches]:
                yield key, (path, [*kept])


def equal_pairs(gold: list[Node], system: list[Node], matching: Matching) -> list[tuple[int, int]]:
    """Return the places of objects that are paired with an equal one: identical ones first, then as many others as there can be.

    Objects are equal if all their fields find partners with full credit. Of identical objects that are left one is compared for all.

    Raises:
        TooManyPairs: if more pairs than `MOST_PAIRS` of the two records are to be compared, those of the lists in them included.
    """
    places: defaultdict[int | None, list[int]] = defaultdict(list)
    for place in range(len(system) - 1, -1, -1):
        places[code_of(system[place], matching.codes)].append(place)  # never None: gold alone has alternatives
    pairs: list[tuple[int, int]] = []
    for rank, node in enumerate(gold):
        if same := places.get(code_of(node, matching.codes)):
            pairs.append((rank, same.pop()))
    if not matching.forms.options.rules.has_soft:
        return pairs
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    mine, theirs = (_alike(*side, matching.codes) for side in ((gold, rows), (system, columns)))
    alike: list[tuple[list[int], list[int]]] = []
    for form in (form for form in mine if form in theirs):
        sides = [(nodes, list(side[form].values())) for nodes, side in ((gold, mine), (system, theirs))]
        objects = [sum(map(len, places)) for _, places in sides]
        elements = [sum(_number_in_lists(nodes[own[0]]) for own in places) for nodes, places in sides]
        matching.take_whole(prod(objects) + prod(elements))
        alike += [
            (own, other)
            for own, other in product(mine[form].values(), theirs[form].values())
            if are_equal(gold[own[0]], system[other[0]], matching)
        ]
    return pairs + _paired(alike)


def _paired(alike: list[tuple[list[int], list[int]]]) -> list[tuple[int, int]]:
    """Return as many pairs of places as there can be, given which places of identical objects are equal to which.

    Most often those of gold are equal to no others of the system, and the reverse: then any of them may be paired.
    """
    rows, columns = Counter(own[0] for own, _ in alike), Counter(other[0] for _, other in alike)
    pairs: list[tuple[int, int]] = []
    equal: dict[tuple[int, int], int] = {}
    for own, other in alike:
        if rows[own[0]] == columns[other[0]] == 1:
            pairs += zip(own, other, strict=False)
        else:
            equal |= dict.fromkeys(product(own, other), 1)
    return pairs + list(any_greatest_assignment(equal).items())


def _alike(nodes: list[Node], taken: Collection[int], codes: Codes) -> dict[Form, dict[int, list[int]]]:
    """Return the places of objects that are not taken: those that may be equal together, and of these the identical ones together."""
    alike: defaultdict[Form, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, node in enumerate(nodes):
        if place not in taken:
            code = code_of(node, codes)
            alike[_hard_fields(node, codes)][-1 - place if code is None else code].append(place)
    return {form: dict(places) for form, places in alike.items()}


def _number_in_lists(node: Node) -> int:
    """Return how many elements the lists in an object have, but those of one element."""
    inner = [elements for _, elements in node.branches.values()]
    own = sum(len(elements) for elements in inner if len(elements) > 1)
    return own + sum(_number_in_lists(element) for elements in inner for element in elements if isinstance(element, Node))


def _hard_fields(node: Node, codes: Codes) -> Form:
    """Return the paths and codes of those fields of an object that have credit from identical ones alone: equal objects have the same."""
    return frozenset(Counter(_hard(node, codes)).items())


def _hard(node: Node, codes: Codes) -> Iterator[tuple[str, int | None]]:
    if node.of_key is not None:
        yield "", code_of(node.of_key, codes)
    for path, elements in node.branches.values():
        for element in elements:
            if isinstance(element, Node):
                yield from _hard(element, codes)
            elif not path.rule.is_soft:
                yield path.name, code_of(element, codes)


def are_equal(gold: Node, system: Node, matching: Matching) -> bool:
    """Whether all fields of two objects find partners with full credit.

    Lone fields, which have one partner at most, are looked at first.
    """
    for key, (path, elements) in gold.branches.items():
        others = system.branches[key][1] if key in system.branches else []
        if len(elements) == len(others) == 1:
            one, two = elements[0], others[0]
            if isinstance(one, Field) and isinstance(two, Field) and not _may_be_equal(one, two, path, matching):
                return False
    return tally_of(gold, system, matching).is_right


def _may_be_equal(gold: Field, system: Field, path: Path, matching: Matching) -> bool:
    """Whether two objects with these lone fields at one key may be equal: an optional field needs no partner."""
    return gold.is_optional or matching.credit(gold, system, path) == matching.forms.unit


@dataclass(slots=True)
class Wholes:
    """How many objects gold and the system have under a name, and how many of them are paired with an equal one."""

    gold: int = 0
    system: int = 0
    correct: int = 0


@dataclass(slots=True)
class Counts:
    """The objects of two records by path, and the tuples by view, and by view and value."""

    lists: dict[str, Wholes] = field(default_factory=dict)
    views: dict[str, Wholes] = field(default_factory=dict)
    values: dict[tuple[str, str], Wholes] = field(default_factory=lambda: defaultdict(Wholes))


def counts_of(root: Path, matching: Matching) -> Counts:
    """Return the numbers of whole objects and tuples of two records."""
    counts = Counts()
    matching.is_counting = False
    codes, gold, system = matching.codes, matching.gold, matching.system
    mine, theirs = objects_in(gold), objects_in(system)
    for name in {**mine, **theirs}:
        nodes, others = mine.get(name, []), theirs.get(name, [])
        counts.lists[name] = Wholes(len(nodes), len(others), len(equal_pairs(nodes, others, matching)))
    for view in matching.forms.options.views:
        nodes, others = tuples_in(gold, view, root, codes), tuples_in(system, view, root, codes)
        pairs = equal_pairs(nodes, others, matching)
        counts.views[view.name] = Wholes(len(nodes), len(others), len(pairs))
        if view.by:
            _count_values(view, nodes, others, pairs, counts.values)
    return counts


def _count_values(
    view: View, gold: list[Node], system: list[Node], pairs: list[tuple[int, int]], values: Mapping[tuple[str, str], Wholes]
) -> None:
    own = [sorted(values_at(node, view.by)) for node in gold]  # of sets two processes have the elements in two orders
    for texts in own:
        for text in texts:
            values[view.name, text].gold += 1
    for node in system:
        for text in sorted(values_at(node, view.by)):
            values[view.name, text].system += 1
    for row, _ in pairs:
        for text in own[row]:
            values[view.name, text].correct += 1


def values_at(node: Node, name: str) -> set[str]:
    """Return the texts of the fields at the path of that name in a tuple."""
    found: set[str] = set()
    for path, elements in node.branches.values():
        for element in elements:
            if isinstance(element, Node):
                found |= values_at(element, name) if covers(path.name, name) else set()
            elif path.name == name:
                found.add(text_of_form(element.identity, is_exact=path.rule.value == "exact"))
    return found


def text_of_form(form: Form, *, is_exact: bool = False) -> str:
    """Return the form of a field as text."""
    if is_exact and isinstance(form, tuple):
        return written(form[1])
    if isinstance(form, frozenset):
        return "{" + ", ".join(sorted(f"{key}: {text_of_form(inner)}" for key, inner in form)) + "}"
    if isinstance(form, tuple):
        return "[" + ", ".join(map(text_of_form, form)) + "]"
    return str(form)
