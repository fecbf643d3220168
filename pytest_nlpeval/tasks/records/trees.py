"""Records as trees: objects whose keys have lists of fields and objects each, without what is nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.records.forms import NOTHING, Codes, Form, Forms
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.parsing import parsed
from pytest_nlpeval.tasks.records.rules import ENTRY, Chosen, Rule


@dataclass(eq=False)
class Path:
    """The keys that lead to values, with dots between them as `name`; "" is the record itself.

    Fields at the path count if `counts`; values at it are looked at if `is_open`, since what is beneath may count.
    """

    name: str
    rule: Rule
    counts: bool
    is_open: bool
    options: Options = field(repr=False)
    chosen: Chosen = field(repr=False)
    _children: dict[str, Path] = field(default_factory=dict, repr=False)

    @classmethod
    def root(cls, options: Options) -> Path:
        """Return the path of records."""
        return cls("", Rule(), counts=False, is_open=True, options=options, chosen=Chosen.of(options.fields, options.ignore))

    def child(self, key: str) -> Path:
        """Return the path of a key of the objects at this path."""
        child = self._children.get(key)
        if child is None:
            child = self._made(f"{self.name}.{key}" if self.name else key)
            if len(self._children) < _MOST_KEPT:
                self._children[key] = child
        return child

    def _made(self, name: str) -> Path:
        chosen = self.chosen
        return Path(name, self.options.rules.at(name), chosen.has(name), chosen.leads_to_any(name), self.options, chosen)

    @cached_property
    def of_key(self) -> Path | None:
        """The path of the same objects where the rule's `key` alone counts; None if there is none, or it counts among the others."""
        key = f"{self.name}.{self.rule.key}"
        if not self.rule.key or self.rule.is_map or self.chosen.has(key):
            return None
        return Path(self.name, self.rule, counts=False, is_open=True, options=self.options, chosen=Chosen.of((key,)))


_MOST_KEPT = 10_000


@dataclass(slots=True, eq=False)
class Field:
    """A value that is compared as one: its `form` by the rule of its path, None if it is no scalar, and its form as a whole.

    `value` is as it stands in the file, `rank` its place in its list there, -1 for a lone one. Gold's may have alternatives: their pairs of
    both forms; with `is_optional` no value is one of them.
    """

    form: Form | None
    whole: Form
    value: Any
    rank: int = -1
    alternatives: tuple[tuple[Form | None, Form], ...] = ()
    is_optional: bool = False

    @property
    def has_alternatives(self) -> bool:
        """Whether gold has alternatives for the value, so that it is identical to nothing."""
        return bool(self.alternatives) or self.is_optional

    @property
    def identity(self) -> Form:
        """What identical fields have in common."""
        return self.whole if self.form is None else self.form


@dataclass(slots=True, eq=False)
class Node:
    """An object: for each of its keys the path and the list of what it holds; `rank` as in `Field`, `value` as it stands in the file.

    `of_key` has the branches that lead to the key by which the objects of a list are paired, None if they are among the others. `code` is
    the number of the object's identity, None if nothing is identical to it, and -1 as long as it is not worked out.
    """

    branches: dict[str, tuple[Path, list[Element]]]
    value: Any = None
    rank: int = -1
    code: int | None = -1
    of_key: Node | None = None


Element: TypeAlias = Field | Node
AnElement = TypeVar("AnElement", bound=Element)


@light_dataclass(frozen=True, slots=True)
class Trees:
    """Makes trees of the records of one side; `is_gold` says that lists of the rule `any` have alternatives."""

    forms: Forms
    is_gold: bool

    def tree(self, record: Mapping[str, Any], path: Path) -> Node:
        """Return the tree of a record, without branches if all of it is nothing."""
        return Node(dict(self._branches(record, path)), record)

    def _branches(self, held: Mapping[str, Any], path: Path) -> Iterator[tuple[str, tuple[Path, list[Element]]]]:
        for key, value in held.items():
            child = path.child(key)
            if child.is_open and (elements := self._elements(value, child)):
                yield key, (child, elements)

    def _elements(self, value: Any, path: Path) -> list[Element]:
        """Return what a key holds: a list of one for a value that is no list."""
        if self.forms.is_nothing(value):
            return []
        rule = path.rule
        if rule.list == "any":
            return self._chosen(value, path)
        if rule.value == "whole":
            return self._as_whole(value, path)
        if type(value) is not list:
            return self._of_one(value, path, -1)
        if not value:
            return self._as_whole(value, path)
        elements = [element for rank, held in enumerate(value) for element in self._of_one(held, path, rank)]
        return list(distinct(elements, self.forms.codes)) if rule.list == "set" else elements

    def _of_one(self, value: Any, path: Path, rank: int) -> list[Element]:
        """Return an element of a list, none if it is nothing."""
        if self.forms.is_nothing(value):
            return []
        if path.rule.is_map and isinstance(value, str):
            value = _object_in(value)
        if isinstance(value, dict) and value:
            branches = self._entries(value, path) if path.rule.is_map else self._branches(value, path)
            node = Node(dict(branches), value, rank)
            if (of_key := path.of_key) is not None:
                node.of_key = Node(dict(self._branches(value, of_key)))
            return [node] if node.branches else []
        if isinstance(value, dict | list):
            return self._as_whole(value, path, rank)
        form = self.forms.of_scalar(value, path.rule)
        return [Field(form, form, value, rank)] if path.counts else []

    def _entries(self, held: Mapping[str, Any], path: Path) -> Iterator[tuple[str, tuple[Path, list[Element]]]]:
        """Yield the entries of a map, each of which is one field."""
        child = path.child(ENTRY)
        for key, value in held.items():
            if child.counts and not self.forms.is_nothing(value):
                is_any = child.rule.list == "any"
                if elements := self._chosen(value, child) if is_any else self._as_whole(value, child):
                    yield key, (child, elements)

    def _as_whole(self, value: Any, path: Path, rank: int = -1) -> list[Element]:
        if not path.counts:
            return []
        form, whole = self._both_forms(value, path.rule)
        return [] if whole == NOTHING else [Field(form, whole, value, rank)]

    def _both_forms(self, value: Any, rule: Rule) -> tuple[Form | None, Form]:
        """Return the form of a value by its rule, None if it is no scalar, and its form as a whole."""
        whole = self.forms.whole(value)
        lone = value
        while isinstance(lone, list) and len(lone) == 1:
            lone = lone[0]
        return None if isinstance(lone, dict | list) else self.forms.of_scalar(lone, rule), whole

    def _chosen(self, value: Any, path: Path) -> list[Element]:
        """Return the one field of a list with alternatives, or of the system's value there."""
        if not path.counts or not self.is_gold:
            return self._as_whole(value, path)
        given = value if isinstance(value, list) else [value]
        some = [each for each in given if not self._is_empty(each)]
        alternatives = tuple(self._both_forms(each, path.rule) for each in some)
        return [Field(None, None, value, alternatives=alternatives, is_optional=len(some) < len(given))]

    def _is_empty(self, value: Any) -> bool:
        return self.forms.is_nothing(value) or self.forms.whole(value) == NOTHING


def _object_in(text: str) -> Any:
    """Return the object that a text is in JSON; the text itself if it is anything else."""
    value = parsed(text) if text.lstrip().startswith("{") else None
    return value if isinstance(value, dict) else text


def distinct(elements: Iterable[AnElement], codes: Codes) -> Iterator[AnElement]:
    """Yield elements without those that are identical to an earlier one."""
    seen: set[int] = set()
    for element in elements:
        code = code_of(element, codes)
        if code is None or code not in seen:
            yield element
        if code is not None:
            seen.add(code)


def code_of(element: Element, codes: Codes) -> int | None:
    """Return the number that identical elements have in common, None for one with alternatives; `codes` keeps the numbers given so far."""
    if isinstance(element, Field):
        return None if element.has_alternatives else codes.setdefault(element.identity, len(codes))
    if element.code == -1:
        element.code = _code_of_node(element, codes)
    return element.code


def _code_of_node(node: Node, codes: Codes) -> int | None:
    branches: list[tuple[str, tuple[int, ...]]] = []
    if node.of_key is not None:
        code = code_of(node.of_key, codes)
        if code is None:
            return None
        branches.append(("", (code,)))  # no key is empty
    for key, (path, elements) in node.branches.items():
        inner: list[int] = []
        for element in elements:
            code = code_of(element, codes)
            if code is None:
                return None
            inner.append(code)
        branches.append((key, tuple(inner) if path.rule.list == "ordered" else tuple(sorted(inner))))
    return codes.setdefault(tuple(sorted(branches)), len(codes))
