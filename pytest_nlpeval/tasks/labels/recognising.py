"""Recognises the files of the task: records or lines with a label, a set of labels or a number for each item."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import answered_fields, first_of, id_fields, is_flag, is_fraction, is_number, pairing_options
from pytest_nlpeval.kit.records import listed_in, text_of
from pytest_nlpeval.task import LIKELY, POSSIBLE, Guess
from pytest_nlpeval.tasks.labels.rows import SCORES
from pytest_nlpeval.tasks.labels.scored_labels import are_scores, best_label, scores_of

_LABELS = (
    "label",
    "labels",
    "class",
    "category",
    "intent",
    "sentiment",
    "target",
    "gold_label",
    "true_label",
    "y_true",
    "gold",
    "y",
)
_SCORES = ("score", "similarity", "rating", "gold_score")
_PREDICTED = ("prediction", "predictions", "predicted", "pred", "predicted_label", "pred_label", "predicted_score", "y_pred")
_OUTPUT = ("output", "system", "response", "filtered_resps")
_TEXTS = ("text", "sentence", "sentence1", "sentence2", "premise", "hypothesis", "review")
_FEW = 10
"""Of more different whole numbers a field more likely holds scores than the codes of labels."""

_UNDECIDED = "-"
"""What SNLI and MNLI have in the place of a label on which nobody agreed."""

_MOST_WORDS = 3
_MOST_OFF = 0.001


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guesses: of records by the fields' names and what stands in them, of lines by what stands in them."""
    system = _with_records(samples.system)
    if samples.gold.without_header or system.without_header:
        yield from _of_numbered_columns(replace(samples, system=system))
    elif samples.gold.rows and system.rows:
        yield from _of_records(replace(samples, system=system))
    elif not any(sample.elements or sample.rows or sample.document for sample in (samples.gold, samples.system)):
        yield from _of_lines(samples.gold, samples.system)


def _with_records(sample: Sample) -> Sample:
    """Return a file whose records are lists of labels with scores as one of records that have them in a field; any other as it is."""
    if not are_scores(sample.lists):
        return sample
    return Sample(sample.path, json.dumps([{SCORES: scores} for scores in sample.lists]).encode())


def _of_lines(gold: Sample, system: Sample) -> Iterator[Guess]:
    sides = [[line.strip() for line in sample.lines] for sample in (gold, system)]
    if not all(sides) or not (gold.is_whole and system.is_whole):
        return
    options = {} if {gold.suffix, system.suffix} <= {"", ".txt", ".labels", ".out"} else {"format": "lines"}
    if all(is_number(line) for lines in sides for line in lines):
        yield from _of_numbers([*sides[0], *sides[1]], "a number on each line", options, named="")
    elif _are_labels(*sides):
        yield Guess(LIKELY, options, "one of a few labels on each line")


def _of_numbered_columns(samples: Samples) -> Iterator[Guess]:
    """Yield the guesses at tables of which one or both have no header: their columns are numbers in the options."""
    sides = {"gold": samples.gold, "system": samples.system}
    numbered = {side: sample.without_header for side, sample in sides.items()}
    named = Samples(numbered["gold"] or samples.gold, numbered["system"] or samples.system)
    pairing = pairing_options(named)
    if pairing is None:
        return
    mine, theirs = (
        [field for field in sample.fields if field not in id_fields(pairing, side)]
        for side, sample in (("gold", named.gold), ("system", named.system))
    )
    for answer, said in product(mine, theirs):
        if _are_labels(named.gold.column(answer), named.system.column(said)):
            options = {**pairing, "label": _numbers({"gold": answer, "system": said}, numbered)}
            if "id" in pairing:
                ids = pairing["id"]
                options["id"] = _numbers(ids if isinstance(ids, dict) else dict.fromkeys(sides, ids), numbered)
            yield Guess(
                LIKELY, options, f'labels in "{answer}" of gold and "{said}" of the system, numbers being those of columns'
            )


def _numbers(fields: Mapping[str, str], numbered: Mapping[str, Sample | None]) -> Any:
    """Return the option for fields by side, numbers of columns where a side has no header; one value if both have the same."""
    options = {side: int(field) if numbered[side] else field for side, field in fields.items()}
    return options if options["gold"] != options["system"] else options["gold"]


def _are_labels(gold: Sequence[Any], system: Sequence[Any]) -> bool:
    """Whether values are short, and the system's mostly among gold's, of which there are fewer than half as many as items."""
    known, said = set(map(text_of, gold)), set(map(text_of, system))
    is_short = all(len(value.split()) <= _MOST_WORDS for value in known | said)
    return is_short and len(known) <= max(2, len(gold) / 2) and 2 * len(said & known) >= len(said)


def _of_records(samples: Samples) -> Iterator[Guess]:
    gold, system = samples.gold, samples.system
    pairing = pairing_options(samples)
    if pairing is None or len({text_of(value) for value in system.column("filter") if "resps" in system.fields}) > 1:
        return  # of several filters of lm-evaluation-harness each answers every item
    others = [field for field in gold.fields if field not in id_fields(pairing, "gold")]
    theirs = [field for field in system.fields if field not in id_fields(pairing, "system")]
    answer = first_of((*_LABELS, *_SCORES), others)
    if gold.path == system.path:  # one file with both: gold's own field is not what the system said
        theirs = [field for field in theirs if field != answer]
    scores = next((field for field in theirs if are_scores(system.column(field))), None)
    said = first_of((*_PREDICTED, *((answer.casefold(),) if answer else ()), *_LABELS, *_SCORES, *_OUTPUT), theirs) or scores
    text = [field for field in others if field.casefold() in _TEXTS]
    about = {**pairing, **({"text": text if len(text) > 1 else text[0]} if text else {})}
    if answer and said:
        yield from _of_fields(samples, answer, said, about)
    elif flags := [field for field in others if field in theirs and _are_flags(gold.column(field), system.column(field))]:
        if len(flags) > 1:
            yield Guess(LIKELY, {**about, "kind": "labels", "label": flags}, "a column of yes or no for each label")
    else:
        alike = [(mine, one) for mine in others for one in theirs if _are_labels(gold.column(mine), system.column(one))]
        if any(first_of(_PREDICTED, [mine]) and first_of(_LABELS, [one]) for mine, one in alike):
            return  # gold and the system's file stand in each other's place
        is_alone = len([field for field in answered_fields(samples, pairing) if field not in text]) < 2
        for mine, one in alike:
            yield Guess(
                POSSIBLE if is_alone else POSSIBLE / 2,
                {**about, **_label(mine, one, "label")},
                f'the same few values in "{mine}" of gold and "{one}" of the system',
            )


def _are_flags(gold: Sequence[Any], system: Sequence[Any]) -> bool:
    """Whether gold's values say yes or no, and so do the system's, or are shares, of which the readers say what to do with them."""
    return all(map(is_flag, gold)) and all(is_flag(value) or (is_number(value) and 0 <= float(value) <= 1) for value in system)


def _of_fields(samples: Samples, answer: str, said: str, about: dict[str, Any]) -> Iterator[Guess]:
    """Yield the guesses at what two fields hold: lists or written sets, numbers, or labels."""
    values, outputs = (
        [best_label(value) for value in side.column(field) if value is not None] for side, field in _sides(samples, answer, said)
    )
    why = f'in "{answer}"' if said == answer else f'in "{answer}" of gold and "{said}" of the system'
    if undecided := values.count(_UNDECIDED) if answer == "gold_label" else 0:
        why += f'; "{_UNDECIDED}" is a label like others, and {undecided:,} of gold have it: leave these out of both files'
    if any(isinstance(value, dict) or _is_object_list(value) for value in (*values, *outputs)):
        return
    if not any(isinstance(value, list) for value in values):  # readers take the element of a list of one
        outputs = [value[0] if isinstance(value, list) and len(value) == 1 else value for value in outputs]
    lists = [value for value in values if isinstance(value, list)]
    if lists or (values and all(listed_in(text_of(value)) is not None for value in values)):
        yield Guess(LIKELY, {**about, "kind": "labels", **_label(answer, said, "labels")}, f"sets of labels {why}")
    elif values and all(map(is_number, (*values, *outputs))):
        for guess in _of_numbers([*values, *outputs], f"numbers {why}", about, named=answer.casefold()):
            yield guess._replace(options={**guess.options, **_label(answer, said, guess.options.get("kind", "label"))})
    elif all(isinstance(value, str | int | bool) for value in (*values, *outputs)):
        options = {**about, **_label(answer, said, "label"), **_probability(samples.system, set(map(text_of, values)))}
        yield Guess(LIKELY, options, f"labels {why}")
        separator = next((mark for mark in ",;|" if any(mark in text_of(value) for value in values)), "")
        if separator and _are_parts(list(map(text_of, values)), separator):
            marked = {"separator": separator} if separator != "," else {}
            yield Guess(
                LIKELY,
                {**about, "kind": "labels", **marked, **_label(answer, said, "labels")},
                f'sets of labels {why}, with "{separator}" between them',
            )


def _sides(samples: Samples, answer: str, said: str) -> Iterator[tuple[Sample, str]]:
    yield samples.gold, answer
    yield samples.system, said


def _is_object_list(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def _are_parts(values: Sequence[str], separator: str) -> bool:
    """Whether values seem to be sets: fewer different parts than values, and parts that stand alone elsewhere."""
    parts = {part.strip() for value in values for part in value.split(separator)}
    return len(parts) < len(set(values)) or bool(parts & set(values))


def _of_numbers(values: Sequence[Any], why: str, options: dict[str, Any], *, named: str) -> Iterator[Guess]:
    """Yield what numbers may be: scores, or the codes of labels. The name of their field says it, or how many different ones there are."""
    score = {**options, "kind": "score"}
    if named in _SCORES or any(map(is_fraction, values)):
        yield Guess(LIKELY, score, why)
        return
    number = len(set(map(text_of, values)))
    is_code = number <= 2 or (named in _LABELS and number <= _FEW)
    yield Guess(POSSIBLE if number > _FEW else LIKELY, options, f"{why}, which may be codes of labels")
    yield Guess(POSSIBLE if is_code else LIKELY, score, f"{why}, which may be scores")


def _label(answer: str, said: str, default: str) -> dict[str, Any]:
    if answer == said:
        return {} if answer == default else {"label": answer}
    sides = {"gold": answer, "system": said}
    return {"label": {side: field for side, field in sides.items() if field != default}}


def _probability(system: Sample, labels: set[str]) -> dict[str, Any]:
    """Return the option `probability`, if the system has a column of shares of 1 for each label, or scores of labels that add up to 1."""
    for field in system.fields:
        scores = [scores_of(value) for value in system.column(field)]
        if all(score is not None and abs(sum(score.values()) - 1) <= _MOST_OFF for score in scores):
            return {"probability": field}
    columns = [label for label in sorted(labels) if label in system.fields]
    cells = [value for label in columns for value in system.column(label)]
    if len(columns) < len(labels) or not all(is_number(value) and 0 <= float(value) <= 1 for value in cells):
        return {}
    return {"probability": {label: label for label in columns}}
