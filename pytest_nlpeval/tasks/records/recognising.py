"""Recognises the files of the task: records with objects, lists of objects, or several fields that both files have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import answered_fields, id_fields, is_flag, pairing_options
from pytest_nlpeval.patterns import DOC
from pytest_nlpeval.task import LIKELY, POSSIBLE, Guess

_QUOTED = ("text", "question", "document", "sentence", "utterance", "input", "prompt")
_OF_LABELS = frozenset(("label", "labels", "class", "category", "intent", "sentiment", "score"))
"""Fields with objects that the tasks `labels` and `spans` read."""

_OF_OTHERS = frozenset(("answers", "answer", "spans", "entities", "tags", "tokens", "prediction", "reference", "results"))
"""Fields that other tasks read, whatever stands in them."""

_OF_DATA_SETS = frozenset(("data", "doc_key"))
"""Keys of documents that other tasks read."""


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guesses at files that are a record each, and at records in files.

    Of those both sides have a field with objects, or several fields in which they differ; and no field that another task reads. What
    `labels` reads may be one of several fields: then either task is as likely. Fields that say yes or no are a column for each label.
    """
    gold, system = samples.gold, samples.system
    whole = list(_of_documents(samples))
    yield from whole
    if whole and gold.rows == [gold.document]:
        return
    pairing = pairing_options(samples)
    if pairing is None or not gold.rows or not system.rows:
        return
    quoted = [field for field in _QUOTED if field in gold.fields and field not in system.fields]
    texts = {"text": quoted[0] if len(quoted) == 1 else quoted} if quoted else {}
    not_of_records = {*id_fields(pairing, "gold"), *id_fields(pairing, "system"), *quoted}
    mine, theirs = ([field for field in side.fields if field not in not_of_records] for side in (gold, system))
    records = [field for field in mine if _are_records(gold, field)]
    if len(records) == len(theirs) == 1 and records != theirs:
        way = _way(system, theirs[0])
        if way is not None and (way or _keys_of(gold, records[0]) & _keys_of(system, theirs[0])):
            parse = {"parse": "fenced"} if way else {}
            own = f'records in "{records[0]}" of gold and "{theirs[0]}" of the system'
            fields = {"gold": records[0], "system": theirs[0]}
            yield Guess(LIKELY, {**pairing, **texts, "record": fields, **parse}, own, dict(_schemas(samples)))
        return
    common = [field for field in mine if field in theirs]
    if not common or _OF_OTHERS & set(common):
        return
    answered = [field for field in answered_fields(samples, pairing) if field in common]
    objects = [field for field in common if _are_records(gold, field) and _are_records(system, field)]
    if set(objects) - _OF_LABELS and "doc_key" not in gold.fields:
        options = {**pairing, **texts, **_told_by_values(gold, system, common)}
        yield Guess(LIKELY, options, f"objects in the same fields of both, such as {common[0]}", dict(_schemas(samples)))
    elif (
        len(answered) > 1
        and not objects
        and not _OF_OTHERS & set(mine)
        and not any(all(is_flag(value) for field in answered for value in side.column(field)) for side in (gold, system))
    ):
        yield Guess(LIKELY, {**pairing, **texts}, f"both differ in several fields, such as {answered[0]} and {answered[1]}")


def _of_documents(samples: Samples) -> Iterator[Guess]:
    """Yield the guess that each file is a record: an object with keys that both sides have, `id` not among them, or a list of objects."""
    sides = samples.gold, samples.system
    if not all(DOC in side.path for side in sides):
        return
    documents = [side.document for side in sides]
    if all(isinstance(document, dict) for document in documents):
        common = [key for key in documents[0] if key in documents[1]]
        if common and "id" not in common and not (_OF_OTHERS | _OF_DATA_SETS) & documents[0].keys():
            yield Guess(LIKELY, {"format": "document"}, f"an object in each file, with keys such as {common[0]}")
    elif all(
        isinstance(document, list) and document and all(isinstance(held, dict) for held in document) for document in documents
    ):
        yield Guess(POSSIBLE, {"format": "document"}, "a list of objects in each file")


def _keys_of(sample: Sample, field: str) -> set[str]:
    """Return the keys of the objects in a field."""
    return {path.partition(".")[0] for value in _values(sample, field) for path, _ in _scalars_in(value)}


def _told_by_values(gold: Sample, system: Sample, fields: Sequence[str]) -> dict[str, Any]:
    """Return the options `ignore` and `compare` that the scalars in objects tell, as those of tool calls do.

    An `id` that no object of the other file has was made up when the record was written. Texts that are JSON objects are maps.
    """
    mine, theirs = (_texts_by_path(sample, fields) for sample in (gold, system))
    both = [path for path in mine if path in theirs]
    ids = [path for path in both if path.rpartition(".")[2] == "id" and not set(mine[path]) & set(theirs[path])]
    maps = [path for path in both if all(map(_is_object, mine[path]))]
    return {**({"ignore": ids} if ids else {}), **({"compare": dict.fromkeys(maps, "map")} if maps else {})}


def _texts_by_path(sample: Sample, fields: Sequence[str]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for field in fields:
        for value in _values(sample, field):
            for path, held in _scalars_in(value):
                if path and isinstance(held, str):
                    texts.setdefault(f"{field}.{path}", []).append(held)
    return texts


def _scalars_in(value: Any, path: str = "", levels: int = 4) -> Iterator[tuple[str, Any]]:
    """Yield the scalars in a value, with the keys that lead to them; lists add no key."""
    if isinstance(value, list) and levels:
        for held in value:
            yield from _scalars_in(held, path, levels - 1)
    elif isinstance(value, dict) and levels:
        for key, held in value.items():
            yield from _scalars_in(held, f"{path}.{key}".lstrip("."), levels - 1)
    else:
        yield path, value


def _is_object(text: str) -> bool:
    """Whether a text is a JSON object."""
    try:
        return text.lstrip().startswith("{") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _schemas(samples: Samples) -> Iterator[tuple[str, Sample]]:
    """Yield the JSON Schema near: one whose name begins as gold's does."""
    stem = PurePosixPath(samples.gold.path).stem
    for other in samples.others:
        document = other.document
        if isinstance(document, dict) and "$schema" in document and PurePosixPath(other.path).name.startswith(f"{stem}."):
            yield "schema", other
            return


def _values(sample: Sample, field: str) -> list[Any]:
    return [value for value in sample.column(field) if value is not None]


def _are_records(sample: Sample, field: str) -> bool:
    """Whether the values of a field are objects, or lists of objects."""
    values = _values(sample, field)
    objects = [
        isinstance(value, dict) or (isinstance(value, list) and all(isinstance(held, dict) for held in value)) for value in values
    ]
    return bool(values) and all(objects) and any(values)


def _way(sample: Sample, field: str) -> bool | None:
    """Return whether the values of a system's field are texts that hold objects; False for objects, None for anything else."""
    if _are_records(sample, field):
        return False
    values = _values(sample, field)
    are_texts = bool(values) and all(isinstance(value, str) for value in values)
    likely = [value for value in values if isinstance(value, str) and ("{" in value or "[" in value)]
    return True if are_texts and len(likely) * 2 > len(values) else None
