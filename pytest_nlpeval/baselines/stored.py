"""Baseline files: the evidence of accepted results, for outputs that git does not have (schemas/baseline.schema.json).

A file belongs to one configuration. It is sorted and has a line for each unit, so that the difference of two shows what changed; the same
results always give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from jsonschema import Draft202012Validator

from pytest_nlpeval.columns import Categorical, Column, Sparse
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import FILE_KINDS, json_schema, read_source
from pytest_nlpeval.formats.json import Dialect, read_json
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.wording import plural, quoted

BASELINE_KINDS = {
    **FILE_KINDS,
    **text_kinds("off"),
    "baseline.invalid": Kind("error", "the file is not a baseline file of this program", fixed=True),
}

DIALECT = replace(Dialect.of("baseline.invalid"), text="")
"""Documents may be called like files whose names are not UTF-8."""

Wrong = Mapping[str, Explanations]
"""Why units are not right, by document."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What evidence depends on besides the system's files: two sets of evidence under the same circumstances can be compared.

    `gold` has a digest of each document's gold-side files.
    """

    task: str
    scorer: str
    options: Mapping[str, Any]
    rules: Mapping[str, str]
    gold: Mapping[str, str] = field(default_factory=dict)

    def differences(self, now: Circumstances) -> list[str]:
        """Return what is another thing now, in words; nothing if results can be compared. A document on one side only is no difference."""
        facts = [
            f"the {name} was {_json(before)[:60]} and is {_json(after)[:60]}"
            for name, before, after in (
                ("task", self.task, now.task),
                ("scorer's version", self.scorer, now.scorer),
                *(
                    (f"{kind} {name}", before.get(name), after.get(name))
                    for kind, before, after in (("option", self.options, now.options), ("rule", self.rules, now.rules))
                    for name in sorted({*before, *after})
                ),
            )
            if before != after
        ]
        changed = [name for name in self.gold if now.gold.get(name, self.gold[name]) != self.gold[name]]
        if changed:
            more = ", …" if len(changed) > 3 else ""
            facts.append(f"the gold files of {plural(len(changed), 'document')} changed ({', '.join(changed[:3])}{more})")
        return facts


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a baseline file has of a suite."""

    circumstances: Circumstances
    evidence: Evidence
    wrong: Wrong = field(default_factory=dict)


def circumstances_of(suite: Suite) -> Circumstances:
    """Return the circumstances of a suite as its files are now; a gold file that cannot be read has the digest of nothing."""
    recipe = suite.recipe
    roles = [role.name for role in recipe.task.roles if role.side == "gold"]
    gold = {case.name: _digest([Path(case.files[role].path) for role in roles if role in case.files]) for case in suite.cases}
    options = json.loads(json.dumps(asdict(recipe.options), sort_keys=True, default=str))
    return Circumstances(recipe.task.name, recipe.task.version, options, dict(sorted(recipe.rules.items())), gold)


def _digest(paths: Sequence[Path]) -> str:
    found = hashlib.sha256()
    for path in paths:
        source = read_source(path, ProblemLog("", FILE_KINDS))
        found.update(hashlib.sha256(source.data if source else b"").digest())
    return found.hexdigest()


def baseline_text(suites: Mapping[str, Accepted]) -> str:
    """Return the baseline file of suites by name."""
    entries = ",\n".join(f" {_json(name)}: {{\n{suite_text(suites[name])}\n }}" for name in sorted(suites))
    return f'{{\n"version": 1,\n"suites": {{\n{entries}\n}}\n}}\n'


def suite_text(accepted: Accepted) -> str:
    """Return what a baseline file holds of a suite, below its name."""
    facts = {**asdict(accepted.circumstances), "columns": {name: _kind(column) for name, column in _sorted(accepted.evidence)}}
    gold = facts.pop("gold")
    parts = sorted(accepted.evidence.split(), key=lambda part: part.documents)
    documents = ",\n".join(
        _document_text(part, gold.get(part.documents[0], ""), accepted.wrong.get(part.documents[0], Explanations()))
        for part in parts
    )
    lines = [f"  {_json(name)}: {_json(value)}" for name, value in facts.items()]
    return ",\n".join([*lines, f'  "documents": {{\n{documents}\n  }}'])


def _document_text(part: Evidence, gold: str, wrong: Explanations) -> str:
    found = ({name: value for name, value in item.items() if name != "passage"} for item in wrong.to_json()["first"])
    return (
        f'   {_json(part.documents[0])}: {{"gold": {_json(gold)}, "units": [{_lines(_rows(part))}],\n'
        f'    "counts": {_json(wrong.counts)}, "wrong": [{_lines(found)}]}}'
    )


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


def read_baseline(path: Path, log: ProblemLog) -> dict[str, Accepted] | None:
    """Return the suites of a baseline file by name; None with all problems in the log, which knows `BASELINE_KINDS`."""
    source = read_source(path, log)
    entry = read_json(source, log, DIALECT) if source else None
    if entry:
        for error in Draft202012Validator(json_schema("baseline.schema.json")).iter_errors(entry.value):
            log.add("baseline.invalid", quoted(error.message, 200), where=".".join(map(str, error.absolute_path)))
    if log.has_errors or not entry:
        return None
    try:
        return {name: _accepted(data) for name, data in entry.value["suites"].items()}
    except (TypeError, ValueError, OverflowError) as error:  # a label among numbers, say
        log.add("baseline.invalid", f"was not written by this program ({error}); write it anew with `nlpeval baseline update`")
        return None


def _accepted(data: Mapping[str, Any]) -> Accepted:
    documents = data["documents"]
    gold = {name: document["gold"] for name, document in documents.items()}
    circumstances = Circumstances(data["task"], data["scorer"], data["options"], data["rules"], gold)
    rows = [(name, *row) for name in sorted(documents) for row in documents[name]["units"]]
    columns = {name: _column(kind, name, [row for _, _, row in rows]) for name, kind in data["columns"].items()}
    sizes = tuple(len(documents[name]["units"]) for name in sorted(documents))
    evidence = Evidence(tuple(sorted(documents)), sizes, tuple(unit for _, unit, _ in rows), columns)
    wrong = {
        name: Explanations.from_json({"counts": document["counts"], "first": document["wrong"]})
        for name, document in documents.items()
    }
    return Accepted(circumstances, evidence, wrong)


def _column(kind: str, name: str, rows: Sequence[Mapping[str, Any]]) -> Column:
    if kind == "labels":
        return Categorical.of(row.get(name) for row in rows)
    values = [row.get(name, 0) for row in rows]
    numbers = np.array(values, np.float64) if kind.endswith("floats") else np.array(values, np.int64)
    return Sparse.from_dense(numbers) if kind.startswith("sparse") else numbers
