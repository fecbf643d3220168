"""What a task of another package is made of, and what its functions give: whatever else it is would fail far from there, or count as right.

Every function raises `TypeError` or `ValueError`, with what was expected, for what does not fit. What the functions return is plain
(`plain_values`): no code of the other package runs when it is used.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, get_args

from pytest_nlpeval.explanations import Difference, Explanation, Link, Omitted, Passage, Right
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.graphs import Drawing, drawing_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, OfGroup, Range
from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.plain_values import plain
from pytest_nlpeval.problems import LONGEST, Kind
from pytest_nlpeval.samples import ByDocument, Sample
from pytest_nlpeval.task import Counted, Guess, Role, Starter, StarterGate, Task, Together
from pytest_nlpeval.wording import encodable

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_Fits = Callable[[Any], bool]


def _is_tuple_of(kind: type) -> _Fits:
    return lambda value: isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


def _is_optional(fits: _Fits) -> _Fits:
    return lambda value: value is None or fits(value)


def _is(*kinds: type) -> _Fits:
    return lambda value: isinstance(value, kinds)


def _is_mapping_to(kind: type) -> _Fits:
    return lambda value: (
        isinstance(value, Mapping) and all(isinstance(name, str) and isinstance(each, kind) for name, each in value.items())
    )


def _is_line(value: Any) -> bool:
    return value is None or (isinstance(value, int) and value > 0)


def _is_pair(kind: type) -> _Fits:
    return lambda value: isinstance(value, tuple) and len(value) == 2 and all(isinstance(each, kind) for each in value)


def _is_passage(value: Any) -> bool:
    if not isinstance(value, Passage):
        return False
    text, *sides = value
    return _is(str)(text) and all(_is_pair(int)(span) for side in sides for span in side)


def _is_chain(value: Any) -> bool:
    return _is_tuple_of(Link)(value) and all(isinstance(name, str) for link in value for name in link)


def _is_range(value: Any) -> bool:
    return isinstance(value, Range) and all(isinstance(end, int | float) for end in value[:2]) and value.low <= value.high


def _is_group(value: Any) -> bool:
    return isinstance(value, OfGroup) and all(isinstance(name, str) for name in value)


_TASK: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(("name", "summary", "version"), (_is(str), "text")),
    "roles": (lambda value: bool(value) and _is_tuple_of(Role)(value), "a tuple of Role, with one at least"),
    "options_schema": (_is(Mapping), "a mapping"),
    "problems": (_is_mapping_to(Kind), "a mapping of codes to Kind"),
    **dict.fromkeys(("options", "count", "measures", "signature"), (callable, "a function")),
    **dict.fromkeys(
        ("count_together", "native", "notes", "graphs", "remedy", "of_then", "asks", "restate", "recognise"),
        (_is_optional(callable), "a function or None"),
    ),
    **dict.fromkeys(("reading", "falls"), (_is_tuple_of(str), "a tuple of names")),
    "starter": (_is(Starter), "a Starter"),
}
_ROLE: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(("name", "summary"), (_is(str), "text")),
    "side": (lambda value: value in ("gold", "system"), '"gold" or "system"'),
    "read": (callable, "a function"),
    "required": (lambda value: isinstance(value, bool) or callable(value), "True, False or a function"),
    "suffixes": (lambda value: bool(value) and _is_tuple_of(str)(value), "a tuple of endings, with one at least"),
    "ending": (_is_optional(callable), "a function or None"),
}
_STARTER: Mapping[str, tuple[_Fits, str]] = {
    "options": (_is_mapping_to(object), "a mapping of names"),
    "gates": (_is_tuple_of(StarterGate), "a tuple of StarterGate"),
}
_STARTER_GATE: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(("measure", "meaning", "only"), (_is(str), "text")),
    "worst": (_is(int, float), "a number"),
}
_MEASURE: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(
        ("name", "group", "definition", "formula", "since", "asked"),
        (lambda value: isinstance(value, str) and len(value) <= LONGEST, f"text of at most {LONGEST:,} characters"),
    ),
    "values": (callable, "a function"),
    "missing": (lambda value: isinstance(value, str) or callable(value), "text or a function"),
    "range": (_is_range, "a Range of two numbers, the lower one first"),
    "better": (lambda value: value in ("higher", "lower"), '"higher" or "lower"'),
    "was": (_is_tuple_of(str), "a tuple of names"),
    "right": (_is_optional(_is(int, float)), "a number or None"),
    "of_group": (_is_optional(_is_group), "an OfGroup of three texts, or None"),
}
_TEXT = _is(str), "text"
_MEASURES = _is_tuple_of(str), "a tuple of names"
_LINE = _is_line, "a line's number or None"
_EXPLAINED: Mapping[type, Mapping[str, tuple[_Fits, str]]] = {
    Explanation: {
        **dict.fromkeys(("unit", "reason", "message", "item", "gold", "system", "group"), _TEXT),
        "kind": (lambda value: value in ("", *get_args(Difference)), f'"" or one of {", ".join(get_args(Difference))}'),
        "line": _LINE,
        "gold_line": _LINE,
        "measures": _MEASURES,
        "passage": (_is_optional(_is_passage), "a Passage or None"),
        "chain": (_is_chain, "a tuple of Link"),
        "pair": (_is_optional(_is_pair(str)), "two labels or None"),
    },
    Omitted: {
        "reason": _TEXT,
        "number": (lambda value: isinstance(value, int) and value >= 0, "a number"),
        "measures": (_is_optional(_MEASURES[0]), "a tuple of names or None"),
    },
    Right: dict.fromkeys(("unit", "item", "message"), _TEXT),
}
_GUESS: Mapping[str, tuple[_Fits, str]] = {
    "confidence": (lambda value: isinstance(value, int | float) and 0 <= value <= 1, "a number from 0 to 1"),
    "options": (_is_mapping_to(object), "a mapping of names"),
    "why": _TEXT,
}


def checked_task(value: Task) -> Task:
    """Return a task, after a look at each field of it and of its roles."""
    task = plain(value)
    _check(task, _TASK, "the task")
    for role in task.roles:
        _check(role, _ROLE, f"the role {role.name} of the task")
    names = [role.name for role in task.roles]
    _require_distinct(names, "roles")
    if not {"gold", "system"} <= set(names):
        raise ValueError("the task has no role gold or no role system; a suite needs both")
    keys = json_schema("nlpeval.schema.json")["$defs"]["suite"]["properties"].keys() - {"gold", "system"}
    if taken := sorted(keys & set(names)):
        raise ValueError(f"the role {taken[0]} of the task is called like a key of every suite; give it another name")
    _check(task.starter, _STARTER, "the starter of the task")
    for gate in task.starter.gates:
        _check(gate, _STARTER_GATE, "a StarterGate of the task")
    return task


def checked_measures(values: Iterable[Any]) -> tuple[Measure, ...]:
    """Return measures, after a look at each field; a gate names one of them."""
    measures = tuple(map(check_measure, values))
    _require_distinct([measure.name for measure in measures], "measures")
    return measures


def check_measure(value: Any) -> Measure:
    """Return a measure, after a look at each field."""
    measure: Measure = _of(plain(value), Measure)
    _check(measure, _MEASURE, "the measure")
    return measure


def checked_explained(entry: Any) -> Any:
    """Return what a task yields of a document's units; what an explanation says is cut where it is long, and what it is told by is not."""
    entry = plain(entry)
    kind = type(entry)
    if kind not in _EXPLAINED:
        raise TypeError(f"it gives {kind.__name__}, expected Explanation, Omitted or Right")
    _check(entry, _EXPLAINED[kind], f"the {kind.__name__}")
    if kind is Explanation and max(map(len, said := (entry.message, entry.gold, entry.system))) > LONGEST:
        message, gold, system = map(checked_sentence, said)
        return entry._replace(message=message, gold=gold, system=system)
    return entry


def checked_counted(value: Any) -> Counted:
    """Return what counting a case gives; its evidence is of one document."""
    counted: Counted = _of(value, Counted)
    evidence = _checked_evidence(counted.evidence)
    if len(evidence.documents) != 1:
        raise ValueError(f"it gives evidence of {len(evidence.documents)} documents, expected that of one (Evidence.of)")
    return Counted(evidence, counted.explanations)


def checked_together(value: Any, documents: Sequence[str]) -> Together:
    """Return what counting several cases gives; evidence and explanations are those of these documents."""
    together: Together = _of(value, Together)
    evidence = _checked_evidence(together.evidence)
    if evidence.documents != tuple(documents):
        raise ValueError("it gives evidence of other documents, or in another order, than it was given")
    explanations: Any = together.explanations
    if not isinstance(explanations, Mapping) or explanations.keys() != set(documents):
        raise ValueError("it gives no mapping of explanations that has each document it was given, and no other")
    return Together(evidence, {name: explanations[name] for name in documents})


def _checked_evidence(value: Any) -> Evidence:
    from pytest_nlpeval.evidence import Categorical, Evidence, Sparse

    evidence: Evidence = _of(plain(value), Evidence)
    if not all(isinstance(name, str) for name in (*evidence.units, *evidence.columns)):
        raise TypeError("it gives evidence whose units or columns have names that are no text")
    for name, column in evidence.columns.items():
        if isinstance(column, Categorical):
            if not all(isinstance(category, str) for category in column.categories):
                raise TypeError(f"it gives evidence whose column {name} has categories that are no text")
        elif not np.isfinite(column.values if isinstance(column, Sparse) else column).all():
            raise ValueError(f"it gives evidence whose column {name} has a number that is not finite; a sum of it would be none")
    return evidence


def checked_guesses(values: Iterable[Any]) -> list[Guess]:
    """Return the guesses at what two files are."""
    from pytest_nlpeval.formats.samples import Sample as File

    guesses = [_of(plain(value), Guess) for value in values]
    for guess in guesses:
        _check(guess, {**_GUESS, "files": (_is_mapping_to(File), "a mapping of roles to samples")}, "the Guess")
        json.dumps(guess.options)  # as a configuration has them
    return [guess._replace(why=checked_sentence(guess.why)) for guess in guesses]


def checked_options(value: Any) -> Any:
    """Return a task's options, which are a dataclass."""
    if not is_dataclass(value):
        raise TypeError(f"it gives {type(value).__name__}, expected a dataclass")
    return value


def checked_mistakes(given: Any) -> tuple[tuple[tuple[str | int, ...], str], ...]:
    """Return what is wrong with options, of which nothing would be told if there were no mistake."""
    mistakes = plain(given)
    if not mistakes:
        raise ValueError("it raises OptionsError without any mistake")
    for steps, message in mistakes:
        if not (isinstance(steps, tuple) and all(isinstance(step, str | int) for step in steps) and isinstance(message, str)):
            raise TypeError("it raises OptionsError with something else than pairs of a tuple of keys and a text")
    return tuple(mistakes)


def checked_text(value: Any) -> str:
    """Return a text; half a surrogate pair could be written to no report."""
    text: str = _of(plain(value), str, "text")
    text.encode()
    return text


def checked_facts(value: Any) -> dict[str, str]:
    """Return what changes a score, by name."""
    return {checked_text(name): checked_text(fact) for name, fact in dict(value).items()}


def checked_options_of_then(value: Any) -> dict[str, Any]:
    """Return options as they are written."""
    return plain(dict(value))


def checked_items(value: Any) -> Items:
    """Return the items of a document."""
    items: Items = _of(plain(value), Items)
    sides = items.names, items.questions, items.answers
    if not all(isinstance(text, str) for texts in (*sides, items.unasked) for text in texts):
        raise TypeError("it gives Items with something else than texts")
    if len({len(texts) for texts in sides}) > 1:
        raise ValueError(f"it gives Items of {', '.join(str(len(texts)) for texts in sides)} names, questions and answers")
    return items


def checked_sentence(value: Any) -> str:
    """Return a text that is one of many in what is printed, cut where it is long; half a surrogate pair is written as its number."""
    text: str = _of(plain(value), str, "text")
    return encodable(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


MOST_NOTES = 100
"""How many notes of a task are kept."""


def checked_notes(values: Iterable[Any]) -> tuple[str, ...]:
    """Return notes, each cut where it is long; the last one tells how many are left out, if any."""
    left_out = 0
    notes: list[str] = []
    for value in values:
        if len(notes) < MOST_NOTES:
            notes.append(checked_sentence(value))
        else:
            left_out += 1
    return (*notes, *([f"the task gives {left_out:,} more notes, which are left out"] if left_out else []))


def checked_drawings(values: Iterable[Any]) -> tuple[Drawing, ...]:
    """Return drawings, which reports can write."""
    drawings = json.dumps([drawing.to_json() for drawing in values], allow_nan=False)
    return tuple(map(drawing_of, json.loads(drawings)))


def finite_values(values: Callable[[Sample], Any], sample: Sample) -> Any:
    """Return the values of a measure: one for each resample, NaN for none. Infinity would pass every minimum."""
    is_by_document = isinstance(sample, ByDocument)
    given = np.asarray(values(sample))
    if given.dtype.kind not in "biuf":
        raise TypeError(f"it gives an array of {given.dtype}, expected numbers")
    numbers = given.astype(np.float64)
    if numbers.ndim != 1 or (not is_by_document and len(numbers) != sample.size):
        raise TypeError(f"it gives numbers of shape {numbers.shape}, expected (R,)")
    if np.isinf(numbers).any():
        raise ValueError("it gives an infinite number; give NaN where there is no value")
    return numbers


def _require_distinct(names: Sequence[str], what: str) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise ValueError(f"two {what} are called {twice}; give each a name of its own")


def _of(value: Any, kind: type, expected: str = "") -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"it gives {type(value).__name__}, expected {expected or kind.__name__}")
    return value


def _check(thing: object, fields: Mapping[str, tuple[_Fits, str]], what: str) -> None:
    for name, (fits, expected) in fields.items():
        if not fits(value := getattr(thing, name)):
            raise TypeError(f"`{name}` of {what} is {type(value).__name__}, expected {expected}")
