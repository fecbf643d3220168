"""Where the trees of two records differ: wrong, missing and spurious fields and objects, each with its place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.records.forms import written
from pytest_nlpeval.tasks.records.matching import Matching
from pytest_nlpeval.tasks.records.trees import Element, Field, Node, Path

Reason = Literal["wrong", "missing", "spurious"]

ORDER: tuple[Reason, ...] = ("wrong", "missing", "spurious")
"""Wrong fields are told first, what the system alone has last."""

LONGEST = 200
"""How many code points of a value are shown."""


class Sort(NamedTuple):
    """What tells which measures would be better without a difference: its reason, the name of its path, and whether it is an object."""

    reason: Reason
    path: str
    is_object: bool = False


@light_dataclass(frozen=True, slots=True)
class Difference:
    """A field or whole object at which two records differ: the name of its path, its place, and what either side has, None for nothing.

    A place is that in the record of its side: gold's, unless the system alone has it.
    """

    reason: Reason
    path: str
    place: str
    gold: Any
    system: Any

    @property
    def sort(self) -> Sort:
        """The sort of the difference."""
        return Sort(self.reason, self.path, isinstance(self.gold or self.system, dict))

    @property
    def shown(self) -> tuple[str, str]:
        """What either side has as text, "" for nothing."""
        return "" if self.reason == "spurious" else shown(self.gold), "" if self.reason == "missing" else shown(self.system)


def shown(value: Any) -> str:
    """Return a value as text, cut to `LONGEST` code points."""
    if isinstance(value, str):
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False, default=written) if isinstance(value, dict | list) else written(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def differences(matching: Matching) -> list[Difference]:
    """Return where two records differ: wrong fields first, else in gold's order, what the system alone has last."""
    return in_order(_of_objects(matching.gold, matching.system, "", matching))


def in_order(differences: Iterable[Difference]) -> list[Difference]:
    """Return differences in the order in which they are told: wrong fields first, what the system alone has last."""
    return sorted(differences, key=lambda difference: ORDER.index(difference.reason))


def _of_objects(gold: Node, system: Node, place: str, matching: Matching) -> Iterator[Difference]:
    for key, (path, elements) in gold.branches.items():
        others = system.branches[key][1] if key in system.branches else []
        pairs = matching.pairs_of_tree(elements, others, path) if others else []
        for one, two in pairs:
            if isinstance(one, Node) and isinstance(two, Node):
                yield from _of_objects(one, two, _place(place, key, one), matching)
            elif isinstance(one, Field) and isinstance(two, Field) and matching.credit(one, two, path) < matching.forms.unit:
                yield Difference("wrong", path.name, _place(place, key, one), one.value, two.value)
        mine, theirs = {id(one) for one, _ in pairs}, {id(two) for _, two in pairs}
        rest = [element for element in elements if id(element) not in mine]
        left = [element for element in others if id(element) not in theirs]
        yield from _of_rest(rest, left, path, place, key)
    for key, (path, others) in system.branches.items():
        if key not in gold.branches:
            yield from _of_rest([], others, path, place, key)


def _of_rest(gold: list[Element], system: list[Element], path: Path, place: str, key: str) -> Iterator[Difference]:
    """Yield what has no partner; a field of either side at one path is together one wrong value."""
    spare = [element for element in system if isinstance(element, Field)]
    for element in gold:
        own = _place(place, key, element)
        if isinstance(element, Field) and spare:
            if element.is_optional:
                continue
            yield Difference("wrong", path.name, own, element.value, spare.pop(0).value)
        elif isinstance(element, Node) or not element.is_optional:
            yield Difference("missing", path.name, own, element.value, None)
    left = {id(element) for element in spare}
    for element in system:
        if isinstance(element, Node) or id(element) in left:
            yield Difference("spurious", path.name, _place(place, key, element), None, element.value)


def _place(place: str, key: str, element: Element) -> str:
    own = f"{place}.{key}" if place else key
    return f"{own}[{element.rank}]" if element.rank >= 0 else own
