"""Baseline files: the evidence of accepted results, for outputs that git does not have (schemas/baseline.schema.json).

A file belongs to one configuration, and tells which, and at which commit and on which day it was written (`origin`). It is sorted and has a
line for each unit, so that the difference of two files shows which units changed. The same results and origin give the same bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from jsonschema import Draft202012Validator

from pytest_nlpeval.baselines.kinds import BASELINE_KINDS
from pytest_nlpeval.baselines.origin import NO_ORIGIN, Origin
from pytest_nlpeval.baselines.shapes import of_each_shape
from pytest_nlpeval.columns import Categorical, Column, Sparse
from pytest_nlpeval.config.suite import File
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import Source, json_schema, read_source
from pytest_nlpeval.formats.json import Dialect, read_json
from pytest_nlpeval.metrics.partners import DIGEST, Items
from pytest_nlpeval.problems import NlpevalError, Problem, ProblemLog
from pytest_nlpeval.runs import Circumstances, Run
from pytest_nlpeval.wording import quoted

DIALECT = replace(Dialect.of("baseline.invalid"), text="")
"""A document is called like its file, whose name need not be UTF-8."""


def baseline_text(suites: Mapping[str, Run], origin: Origin = NO_ORIGIN) -> str:
    """Return the baseline file of runs by suite."""
    entries = ",\n".join(f" {_json(name)}: {{\n{suite_text(suites[name])}\n }}" for name in sorted(suites))
    facts = "".join(f"{_json(name)}: {_json(fact)},\n" for name, fact in asdict(origin).items() if fact)
    return f'{{\n"version": 1,\n{facts}"suites": {{\n{entries}\n}}\n}}\n'


def suite_text(run: Run) -> str:
    """Return what a baseline file holds of a suite's run, below the suite's name.

    Raises:
        ValueError: if the run has no evidence, or does not tell its circumstances.
    """
    if run.evidence is None or run.circumstances is None:
        raise ValueError(f"{run.source} has nothing to keep")
    facts = {**asdict(run.circumstances), "columns": {name: _kind(column) for name, column in _sorted(run.evidence)}}
    gold, wrong = facts.pop("gold"), run.wrong or {}
    parts = sorted(run.evidence.split(), key=lambda part: part.documents)
    digests = {name: {"gold": gold.get(name, ""), "system": run.outputs.get(name, "")} for name in run.evidence.documents}
    documents = ",\n".join(
        _document_text(part, digests[part.documents[0]], wrong.get(part.documents[0], Explanations()), run.items)
        for part in parts
    )
    lines = [f"  {_json(name)}: {_json(value)}" for name, value in facts.items()]
    return ",\n".join([*lines, f'  "documents": {{\n{documents}\n  }}'])


def _document_text(part: Evidence, digests: Mapping[str, str], wrong: Explanations, items: Mapping[str, Items]) -> str:
    own = items.get(part.documents[0])
    first = ({name: value for name, value in item.items() if name != "passage"} for item in wrong.to_json()["first"])
    right = f', "right": [{_lines(wrong.right)}]' if wrong.right else ""
    return (
        f'   {_json(part.documents[0])}: {{"gold": {_json(digests["gold"])}, "system": {_json(digests["system"])},\n'
        f"{_items_text(own) if own and _fit(own, part) else ''}"
        f'    "units": [{_lines(_rows(part))}],\n'
        f'    "counts": {_json(wrong.counts)}, "wrong": [{_lines(first)}]{right}}}'
    )


def _items_text(items: Items) -> str:
    pairs = zip(items.questions, items.answers, strict=True)
    texts = (question.ljust(DIGEST, ".") + answer.ljust(DIGEST, ".") for question, answer in pairs)
    return f'    "by_place": {_json(items.by_place)}, "items": [{_lines(texts)}],\n'


def _fit(items: Items, part: Evidence) -> bool:
    """Whether the names of items need not be written: they say nothing, or are those of the units."""
    return items.by_place or tuple(items.names) == part.units


def _items(document: Mapping[str, Any]) -> Items:
    """Return the items of a document as they were written."""
    units, texts = document["units"], document["items"]
    by_place = document.get("by_place", False)
    if not by_place and len(units) != len(texts):
        raise ValueError(f"{len(texts)} items of {len(units)} units")
    names = tuple(unit for unit, _ in units) if len(units) == len(texts) else tuple(map(str, range(1, len(texts) + 1)))
    questions, answers = ([text[side].rstrip(".") for text in texts] for side in (slice(DIGEST), slice(DIGEST, None)))
    return Items(names, questions, answers, by_place)


def _lines(items: Iterable[Any]) -> str:
    text = ",\n    ".join(map(_json, items))
    return f"\n    {text}" if text else ""


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _sorted(evidence: Evidence) -> list[tuple[str, Column]]:
    return sorted(evidence.columns.items())


def _kind(column: Column) -> str:
    if isinstance(column, Categorical):
        return "labels"
    values = column.values if isinstance(column, Sparse) else column
    return ("sparse " if isinstance(column, Sparse) else "") + ("floats" if values.dtype.kind == "f" else "integers")


def _rows(part: Evidence) -> Iterator[list[Any]]:
    """Yield each unit's name and what is not 0 in its row."""
    columns = [(name, column.dense() if isinstance(column, Sparse) else column) for name, column in _sorted(part)]
    values = [column.tolist() for _, column in columns]
    names = [name for name, _ in columns]
    for unit, row in zip(part.units, zip(*values, strict=True) if values else [()] * len(part.units), strict=True):
        yield [unit, {name: _finite(value) for name, value in zip(names, row, strict=True) if value not in (0, None)}]


def _finite(value: Any) -> Any:
    """Return a value as JSON has it, which knows no NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def read_baseline(file: File, root: Path | None = None) -> dict[str, Run]:
    """Return the runs of a baseline file by suite; `NlpevalError` as for `read_stored`."""
    return read_stored(file, root)[1]


def read_stored(file: File, root: Path | None = None) -> tuple[Origin, dict[str, Run]]:
    """Return what a baseline file, which must lie in the folder `root` if there is one, tells of itself, and its runs by suite.

    Raises:
        NlpevalError: with all problems, if it is not a baseline file.
    """
    log = ProblemLog(file.label, BASELINE_KINDS)
    source = read_source(Path(file.path), log, root=root)
    stored, problems = _stored(file.label, source.data) if source else (None, log.problems())
    if stored is None:
        raise NlpevalError(problems)
    return stored


@lru_cache(maxsize=1)
def _stored(label: str, text: bytes) -> tuple[tuple[Origin, dict[str, Run]] | None, tuple[Problem, ...]]:
    """Return what the text of a baseline file tells, or its problems: all suites of a configuration ask for it."""
    log = ProblemLog(label, BASELINE_KINDS)
    entry = read_json(Source(label, text), log, DIALECT)
    if entry:
        for error in Draft202012Validator(json_schema("baseline.schema.json")).iter_errors(_without_plain_lists(entry.value)):
            log.add("baseline.invalid", quoted(error.message, 200), where=".".join(map(str, error.absolute_path)))
    if entry and not log.has_errors:
        try:
            origin = Origin(**{fact.name: entry.value.get(fact.name, "") for fact in fields(Origin)})
            runs = {name: _run(label, data) for name, data in entry.value["suites"].items()}
        except (TypeError, ValueError, OverflowError) as error:  # a label among numbers, say
            log.add(
                "baseline.invalid", f"was not written by this program ({error}); write it anew with `nlpeval baseline update`"
            )
        else:
            dated = {name: replace(run, commit=origin.commit, written=origin.written) for name, run in runs.items()}
            return (origin, dated), ()
    return None, log.problems()


def _without_plain_lists(content: Any) -> Any:
    """Return the content of a file without those `units` and `items` that are as the schema says, and with one explanation of each shape.

    For 100,000 jsonschema takes seconds.
    """
    if not isinstance(content, dict):
        return content
    return {
        name: _PLAIN_LISTS[name](value) if name in _PLAIN_LISTS else _without_plain_lists(value)
        for name, value in content.items()
    }


def _unless_units(units: Any) -> Any:
    are_units = isinstance(units, list) and all(
        type(unit) is list and len(unit) == 2 and type(unit[0]) is str and type(unit[1]) is dict for unit in units
    )
    return [] if are_units and {type(value) for _, row in units for value in row.values()} <= _NUMBERS else units


def _unless_items(items: Any) -> Any:
    are_items = isinstance(items, list) and all(type(item) is str and len(item) == 2 * DIGEST for item in items)
    return [] if are_items else items


_NUMBERS = {int, float, str, type(None)}
_PLAIN_LISTS: Mapping[str, Callable[[Any], Any]] = {
    "units": _unless_units,
    "items": _unless_items,
    "wrong": of_each_shape,
    "right": of_each_shape,
}


def _run(source: str, data: Mapping[str, Any]) -> Run:
    documents = data["documents"]
    gold = {name: document["gold"] for name, document in documents.items()}
    circumstances = Circumstances(data["task"], data["scorer"], data["options"], data["rules"], gold)
    rows = [(name, *row) for name in sorted(documents) for row in documents[name]["units"]]
    columns = {name: _column(kind, name, [row for _, _, row in rows]) for name, kind in data["columns"].items()}
    if strange := set().union(*(row for _, _, row in rows)) - columns.keys():
        raise ValueError(f"units have counts of {min(strange)}, which is no column")
    sizes = tuple(len(documents[name]["units"]) for name in sorted(documents))
    evidence = Evidence(tuple(sorted(documents)), sizes, tuple(unit for _, unit, _ in rows), columns)
    wrong = {name: Explanations.from_json({**document, "first": document["wrong"]}) for name, document in documents.items()}
    items = {name: _items(document) for name, document in documents.items() if "items" in document}
    outputs = {name: document["system"] for name, document in documents.items() if document.get("system")}
    return Run(source, evidence=evidence, wrong=wrong, circumstances=circumstances, items=items, outputs=outputs)


_TYPES: Mapping[str, frozenset[type]] = {
    "labels": frozenset((str, type(None))),
    "integers": frozenset((int,)),
    "floats": frozenset((int, float, type(None))),
}
"""What columns hold, by the last word of their kind."""


def _column(kind: str, name: str, rows: Sequence[Mapping[str, Any]]) -> Column:
    values = [row.get(name, None if kind == "labels" else 0) for row in rows]
    if not set(map(type, values)) <= _TYPES[kind.rpartition(" ")[2]]:
        raise ValueError(f"the column {name} of {kind} holds something else")
    if kind == "labels":
        return Categorical.of(values)
    numbers = np.array(values, np.float64) if kind.endswith("floats") else np.array(values, np.int64)
    return Sparse.from_dense(numbers) if kind.startswith("sparse") else numbers
