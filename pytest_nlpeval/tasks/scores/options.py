"""Options of the task, in the form that everything else reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from pytest_nlpeval.kit.records import BLANKS, Field, Layout, by_side, fields_of, layouts, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.task import OptionsError
from pytest_nlpeval.tasks.scores.mistakes import mistakes_in

MOST_REPEATS = 1_000


@light_dataclass(frozen=True, slots=True)
class Result:
    """A result: its name, where it stands, what its texts mean, and what is made of it.

    `values` are pairs of a text and a number, None for no value. A value passes if it is at least (with `better` lower: at most) `passes`,
    None if nothing is right or wrong. Of `missing`, the number that a missing value counts as, and `skip`, the share of items that may
    lack values, one at most is given.
    """

    name: str
    field: Field
    values: tuple[tuple[str, float | None], ...] = ()
    better: Literal["higher", "lower"] = "higher"
    low: float | None = None
    high: float | None = None
    passes: float | None = None
    measures: tuple[str, ...] = ("mean",)
    missing: float | None = None
    skip: float = 0.0

    @property
    def percentiles(self) -> tuple[int, ...]:
        """The percentiles that are asked for."""
        return tuple(int(name[1:]) for name in self.measures if name[0] == "p" and name[1:].isdecimal())

    @property
    def least_repeats(self) -> int:
        """How many values of an item its measures need: the greatest k of `pass@k` and `pass^k`, at least 1."""
        return max((int(name[5:]) for name in self.measures if name.startswith(("pass@", "pass^"))), default=1)


@light_dataclass(frozen=True, slots=True)
class Options:
    """What a configuration says, completed. Of pairs the first is gold's, the second the system's.

    `repeats` is None for any number. A record has failed if all fields of `error` say so: one that has no texts does by anything but
    nothing, another one by these texts. `signature` has whatever changes a score, as text.
    """

    layouts: tuple[Layout, Layout]
    results: tuple[Result, ...]
    repeats: int | None = 1
    error: tuple[tuple[Field, tuple[str, ...] | None], ...] = ()
    group: Field | None = None
    cluster: Field | None = None
    text: tuple[tuple[Field, ...], tuple[Field, ...]] = ((), ())
    signature: tuple[tuple[str, str], ...] = ()

    @property
    def may_repeat(self) -> bool:
        """Whether an item may have several records."""
        return self.repeats != 1

    @property
    def most(self) -> int:
        """How many values of a result an item may have."""
        return self.repeats or MOST_REPEATS

    @property
    def passing(self) -> tuple[Result, ...]:
        """The results whose values pass or not."""
        return tuple(result for result in self.results if result.passes is not None)


def options(**given: Any) -> Options:
    """Return the options of a configuration that fits the schema; `OptionsError` for what the schema cannot tell.

    >>> (result,) = options(results={"right": {"pass": True}}).results
    >>> result.field, result.passes, result.measures
    ('right', 1.0, ('mean', 'pass_rate'))
    """
    repeats = given.get("repeats", 1)
    named = _named(given.get("results", ["score"]))
    if mistakes := [*mistakes_in(named, repeats, is_list=isinstance(given.get("results"), list)), *_long_paths(given)]:
        raise OptionsError(mistakes)
    text = given.get("text")
    return Options(
        layouts=layouts(given),
        results=tuple(_result(name, settings) for name, settings in named.items()),
        repeats=None if repeats == "any" else repeats,
        error=_error(given.get("error")),
        group=_one(given.get("group")),
        cluster=_one(given.get("cluster")),
        text=(fields_of(by_side(text)[0]), fields_of(text.get("system"))) if isinstance(text, Mapping) else (fields_of(text), ()),
        signature=tuple((name, _written(value)) for name, value in sorted(given.items()) if name not in _FREE),
    )


def of_then(today: Mapping[str, Any], earlier: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options for an old output: the results are those of today that the suite had by name, which are all if it had none.

    >>> of_then({"results": ["right", "style"]}, {"results": {"right": "judge.right"}})
    {'results': ['right']}
    """
    results, names = today.get("results", ["score"]), set(map(text_of, earlier.get("results", ["score"])))
    kept = [name for name in results if text_of(name) in names]
    if not kept or len(kept) == len(results):
        return today
    return {**today, "results": {name: results[name] for name in kept} if isinstance(results, Mapping) else kept}


_FREE = ("text", "format", "items", "id", "pair")


def signature(options: Options, _columns: object) -> Mapping[str, str]:
    """Return all options that change a score."""
    return {"results": "score", "repeats": "1", **dict(options.signature)}


def _named(results: Any) -> dict[str, Mapping[str, Any]]:
    """Return the settings of each result by its name."""
    if isinstance(results, list):
        return {name: {} for name in results}
    return {
        text_of(name): settings if isinstance(settings, Mapping) else {"field": settings} for name, settings in results.items()
    }


def _result(name: str, settings: Mapping[str, Any]) -> Result:
    low, high = settings.get("range", (None, None))
    passes = _number(settings.get("pass"))
    (field,) = fields_of(settings.get("field", name))
    return Result(
        name,
        field,
        tuple((text_of(text), _number(value)) for text, value in settings.get("values", {}).items()),
        settings.get("better", "higher"),
        _number(low),
        _number(high),
        passes,
        tuple(settings.get("measures", ("mean",) if passes is None else ("mean", "pass_rate"))),
        _number(settings.get("missing")),
        float(settings.get("skip", 0)),
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _error(given: Any) -> tuple[tuple[Field, tuple[str, ...] | None], ...]:
    if isinstance(given, Mapping):
        return tuple(
            (
                field.strip(BLANKS) if isinstance(field, str) else field,
                tuple(map(text_of, said if isinstance(said, list) else [said])),
            )
            for field, said in given.items()
        )
    return tuple((field, None) for field in fields_of(given))


def _one(given: Any) -> Field | None:
    return next(iter(fields_of(given)), None)


def _long_paths(given: Mapping[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
    """Return the paths that have too many steps, each with the option that it stands in."""
    from pytest_nlpeval.kit.records import Path

    mistakes: list[tuple[tuple[str | int, ...], str]] = []
    for name in ("items", "where", "id", "results", "error", "group", "cluster", "text"):
        for text in _texts(given.get(name)):
            try:
                Path.of(text)
            except ValueError as error:
                mistakes.append(((name,), str(error)))
    return mistakes


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [text for key, inner in value.items() for text in (*_texts(key), *_texts(inner))]
    return [text for inner in value for text in _texts(inner)] if isinstance(value, list) else [value] * isinstance(value, str)


def _written(value: object) -> str:
    """Return an option as text that can stand between the bars of a signature."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text.replace("|", "\\u007c")


def layout_signature(layout: Layout) -> tuple[object, ...]:
    """Return what tells which records of a file are read."""
    return layout.items, layout.where, layout.format, layout.id, layout.first_place


prefixed = partial("{}.{}".format)
"""Gives the name of a result's column or measure: `right.mean`."""
