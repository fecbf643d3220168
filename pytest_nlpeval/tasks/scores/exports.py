"""What evaluation tools write: where in their files the records, ids, failures and results stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from pytest_nlpeval.formats.samples import Sample
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.scores.guessed_results import NAMED_SCORES, Cells, GuessedResult, results_in

Record = dict[str, Any]


@light_dataclass(frozen=True)
class Export:
    """A system's records, as far as a tool's form tells: `options` without ids and results, and the fields where ids may stand.

    `records` are those that `where` picks, with their fields by path. `place` is the field that has an item's place in the data set, from
    0. `gold_items` is where gold's list stands if gold is the same export.
    """

    why: str
    records: Sequence[Cells]
    results: Sequence[GuessedResult]
    ids: Sequence[str] = ()
    place: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    items: str | list[str] = ""
    gold_items: str = ""


def exports_in(sample: Sample) -> Iterator[Export]:
    """Yield what a file holds if it is a tool's export; of several prompts or filters, one each."""
    for form in (_inspect, _promptfoo, _lm_eval, _deepeval, _pydantic, _ragas):
        yield from form(sample)


def cells_of(record: Mapping[str, Any], prefix: str = "", levels: int = 4) -> dict[str, Any]:
    """Return the fields of a record by their paths; objects are left, lists are cells.

    >>> cells_of({"id": 1, "scores": {"near": {"value": 0.5}}})
    {'id': 1, 'scores.near.value': 0.5}
    """
    cells: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict) and value and levels:
            cells.update(cells_of(value, f"{prefix}{key}.", levels - 1))
        else:
            cells[f"{prefix}{key}"] = value
    return cells


def fields_in(records: Sequence[Cells]) -> list[str]:
    """Return all fields of records, in their order."""
    return list(dict.fromkeys(path for record in records for path in record))


def _objects(document: Any, *path: str) -> list[Record]:
    """Return the list of objects at a path in a document; none if something else stands there."""
    for step in path:
        document = document.get(step) if isinstance(document, dict) else None
    return document if isinstance(document, list) and all(isinstance(record, dict) for record in document) else []


def _inspect(sample: Sample) -> Iterator[Export]:
    """Yield the samples of a log of inspect_ai."""
    raw = _objects(sample.document, "samples")
    if not raw or "eval" not in sample.document or not all("scores" in record or "error" in record for record in raw):
        return
    records = [cells_of(record) for record in raw]
    failed = sum(bool(record.get("error")) for record in raw)
    paths = [path for path in fields_in(records) if path.startswith("scores.") and path.endswith(".value")]
    yield Export(
        "a log of inspect_ai",
        records,
        results_in([cells for cells, record in zip(records, raw, strict=True) if not record.get("error")], paths, failed),
        ids=("id",),
        options={"error": "error"} if failed else {},
        items="samples",
        gold_items="eval.dataset.sample_ids",
    )


def _promptfoo(sample: Sample) -> Iterator[Export]:
    """Yield the results of each prompt in an export of promptfoo."""
    listed = _objects(sample.document, "results", "results")
    raw = listed or sample.json_lines
    if not raw or not all({"promptIdx", "testIdx", "success"} <= record.keys() for record in raw):
        return
    prompts = sorted({record["promptIdx"] for record in raw if isinstance(record["promptIdx"], int)})
    for prompt in prompts:
        own = [record for record in raw if record["promptIdx"] == prompt]
        answered = [record for record in own if record.get("failureReason") != 2]
        records, failed = [cells_of(record) for record in own], len(own) - len(answered)
        named = [path for path in fields_in(records) if path.startswith(NAMED_SCORES)]
        guesses = results_in([cells_of(record) for record in answered], ["success", *named, "latencyMs", "cost"], failed)
        yield Export(
            f"results of promptfoo's prompt {prompt}" if len(prompts) > 1 else "results of promptfoo",
            records,
            [_higher(guess) if guess.field.startswith(NAMED_SCORES) else guess for guess in guesses],
            ids=[path for path in fields_in(records) if path.startswith("vars.")],
            place="testIdx",
            options={**({"where": {"promptIdx": prompt}} if len(prompts) > 1 else {}), **_failures(failed)},
            items="results.results" if listed else "",
        )


def _failures(failed: int) -> dict[str, Any]:
    return {"error": {"failureReason": 2}} if failed else {}


def _higher(guess: GuessedResult) -> GuessedResult:
    """Return a result of which the tool says that more is better."""
    return guess._replace(better="higher")


def _has_names(record: Record) -> bool:
    return isinstance(record["metrics"], list) and isinstance(record.get("filter"), str | None)


def _lm_eval(sample: Sample) -> Iterator[Export]:
    """Yield the samples of each filter in a file of lm-evaluation-harness."""
    raw = sample.json_lines
    if not raw or not all({"doc_id", "metrics", "resps"} <= record.keys() and _has_names(record) for record in raw):
        return
    filters = list(dict.fromkeys(record.get("filter") for record in raw))
    for name in filters:
        records = [cells_of(record) for record in raw if record.get("filter") == name]
        metrics = [metric for metric in raw[0]["metrics"] if isinstance(metric, str)]
        yield Export(
            f"samples of lm-evaluation-harness with the filter {name}",
            records,
            results_in(records, metrics),
            place="doc_id",
            options={"where": {"filter": name}} if len(filters) > 1 else {},
        )


def _deepeval(sample: Sample) -> Iterator[Export]:
    """Yield the test cases of a test run of deepeval."""
    raw = _objects(sample.document, "testCases")
    if not raw or not any(_objects(record, "metricsData") for record in raw):
        return
    records, metrics = [], dict[str, list[Record]]()
    for record in raw:
        own = {str(metric.get("name")): metric for metric in _objects(record, "metricsData")}
        for name, metric in own.items():
            metrics.setdefault(name, []).append(metric)
        records.append({**cells_of(record), **{_metric(name): metric.get("score") for name, metric in own.items()}})
    guesses = results_in(records, [_metric(name) for name in metrics])
    by_field = {_metric(name): own for name, own in metrics.items()}
    yield Export(
        "a test run of deepeval",
        records,
        [_judged(guess, by_field[guess.field]) for guess in guesses],
        ids=("name", "input"),
        items="testCases",
    )


def _metric(name: str) -> str:
    return f"metricsData[name={name}].score"


def _judged(guess: GuessedResult, metrics: Sequence[Record]) -> GuessedResult:
    """Return a result with the direction and the threshold that its metric's verdicts show."""
    scored = [metric for metric in metrics if all(isinstance(metric.get(key), int | float) for key in ("score", "threshold"))]
    thresholds = {metric["threshold"] for metric in scored}
    if len(thresholds) != 1:
        return guess
    (threshold,) = thresholds
    ways = [
        better
        for better, sign in (("higher", 1), ("lower", -1))
        if all(metric.get("success") == (sign * metric["score"] >= sign * threshold) for metric in scored)
    ]
    better = ways[0] if len(ways) == 1 else guess.better
    return guess._replace(better=better, settings={"pass": threshold})


def _pydantic(sample: Sample) -> Iterator[Export]:
    """Yield the cases of a report of pydantic-evals, those that failed among them."""
    cases, failures = _objects(sample.document, "cases"), _objects(sample.document, "failures")
    if not cases or not all("scores" in record and "assertions" in record for record in cases):
        return
    records = [cells_of(record) for record in (*cases, *failures)]
    paths = [path for path in fields_in(records) if path.startswith(("scores.", "assertions.")) and path.endswith(".value")]
    guesses = results_in([cells_of(record) for record in cases], paths, len(failures))
    ids = "source_case_name" if all(record.get("source_case_name") for record in (*cases, *failures)) else "name"
    yield Export(
        "a report of pydantic-evals",
        records,
        [_higher(guess) if guess.field.startswith("assertions.") else guess for guess in guesses],
        ids=(ids,),
        options={"error": "error_message"} if failures else {},
        items=["cases", "failures"] if failures else "cases",
    )


def _ragas(sample: Sample) -> Iterator[Export]:
    """Yield the rows of a result of ragas: what was asked, what was retrieved, and a column for each metric."""
    for asked, retrieved in (("user_input", "retrieved_contexts"), ("question", "contexts")):
        if {asked, retrieved} <= set(sample.fields):
            metrics = [field for field in sample.fields if field]
            if results := [guess for guess in results_in(sample.rows, metrics) if guess.is_share]:
                yield Export("results of ragas", sample.rows, results, ids=(asked,))
