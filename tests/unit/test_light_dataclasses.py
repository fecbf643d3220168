"""Light and frozen dataclasses behave as Python's own frozen ones, but that no error stops who changes a light one."""

from __future__ import annotations

import copy
import pickle
import pkgutil
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, is_dataclass, replace
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pytest_nlpeval
from pytest_nlpeval import kit
from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.gates import Gate, Verdict
from pytest_nlpeval.light_dataclasses import frozen_dataclass, light_dataclass
from pytest_nlpeval.runs import CaseResult

OF_RESULTS = (CaseResult, Gate, Sample, Samples, Verdict)


@light_dataclass(frozen=True, slots=True)
class Light:
    """Two fields that are compared, one that is not, and one that is not shown."""

    name: str
    values: tuple[int, ...] = ()
    noted: int = field(default=0, compare=False)
    whole: bytes = field(default=b"", repr=False)


@frozen_dataclass(frozen=True, slots=True)
class Frozen:
    """The same, frozen while a program runs."""

    name: str
    values: tuple[int, ...] = ()
    noted: int = field(default=0, compare=False)
    whole: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Own:
    """The same, of Python's own."""

    name: str
    values: tuple[int, ...] = ()
    noted: int = field(default=0, compare=False)
    whole: bytes = field(default=b"", repr=False)


FIELDS = st.tuples(
    st.sampled_from("ab"), st.lists(st.integers(0, 1), max_size=1).map(tuple), st.integers(0, 1), st.sampled_from([b"", b"x"])
)


CLASSES: Any = (Light, Frozen)
FROZEN: Any = (Frozen, Own)


@given(st.sampled_from(CLASSES), FIELDS, FIELDS)
def test_they_are_equal_and_shown_as_pythons_own_are(cls: Any, one: Any, other: Any) -> None:
    made, owns = (cls(*one), cls(*other)), (Own(*one), Own(*other))
    assert (made[0] == made[1]) == (owns[0] == owns[1])
    assert len(set(made)) == len(set(owns))
    assert [str(each) for each in made] == [str(own).replace("Own", cls.__name__) for own in owns]


@given(st.sampled_from(CLASSES), FIELDS)
def test_they_are_copied_pickled_and_replaced(cls: Any, values: Any) -> None:
    made = cls(*values)
    for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)), replace(made)):
        assert again == made
        assert again.noted == made.noted
    assert replace(made, name="c") == cls("c", *values[1:])


@pytest.mark.parametrize("cls", CLASSES)
def test_none_is_equal_to_one_of_another_class(cls: Any) -> None:
    other: object = Own("a")
    assert other != cls("a")
    assert cls("a") != other


@pytest.mark.parametrize("cls", FROZEN)
def test_a_frozen_one_refuses_changes(cls: Any) -> None:
    made = cls("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        made.name = "b"
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del made.name
    assert made == cls("a")


@light_dataclass(frozen=True, slots=True)
class Empty:
    """No field at all."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Single:
    """Equal to itself alone."""

    name: str


@light_dataclass(frozen=True)
class Shouting:
    """With methods of its own in place of the common ones."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shouting) and self.name.upper() == other.name.upper()

    def __hash__(self) -> int:
        return hash(self.name.upper())

    def __repr__(self) -> str:
        return self.name.upper()


def test_without_fields_all_are_equal() -> None:
    assert Empty() == Empty()
    assert len({Empty(), Empty()}) == 1
    assert repr(Empty()) == "Empty()"


def test_without_equality_each_is_equal_to_itself_alone() -> None:
    single = Single("a")
    assert single == single
    assert single != Single("a")
    assert len({single, Single("a")}) == 2


def test_a_class_keeps_methods_of_its_own() -> None:
    assert Shouting("a") == Shouting("A")
    assert len({Shouting("a"), Shouting("A")}) == 1
    assert repr(Shouting("a")) == "A"


def test_none_is_made_that_is_not_frozen() -> None:
    decorators: tuple[Callable[..., Any], ...] = (light_dataclass, frozen_dataclass)
    for decorate in decorators:
        with pytest.raises(TypeError, match=r"of one that changes, use dataclasses\.dataclass"):
            decorate(frozen=False)


def classes_given_to_others() -> list[Any]:
    """Return the dataclasses of the Python interface, of results, and of what tasks are built from."""
    modules = [module.name for module in pkgutil.walk_packages(kit.__path__, f"{kit.__name__}.")]
    named = [value for name in modules for value in vars(import_module(name)).values() if isinstance(value, type)]
    of_kit = [cls for cls in named if cls.__module__ in modules]
    of_package = [getattr(pytest_nlpeval, name) for name in pytest_nlpeval.__all__]
    return sorted({cls for cls in (*of_kit, *of_package, *OF_RESULTS) if is_dataclass(cls)}, key=str)


@pytest.mark.parametrize("cls", classes_given_to_others(), ids=str)
def test_what_others_are_given_is_frozen_while_programs_run(cls: Any) -> None:
    assert cls.__dataclass_params__.frozen
