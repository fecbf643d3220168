"""Why sentences, tokens and words are not right: boundaries, tags, lemmas, heads, relations and enhanced edges, with the words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, explain_in_order
from pytest_nlpeval.tasks.ud.comparing import Comparison
from pytest_nlpeval.tasks.ud.document import Document, Spans, matching
from pytest_nlpeval.tasks.ud.options import Options
from pytest_nlpeval.tasks.ud.table import Integers
from pytest_nlpeval.tasks.ud.wording import Wording

Reason = Literal["sentence", "token", "word", "upos", "xpos", "feats", "lemma", "head", "relation", "enhanced"]

REASONS: tuple[Reason, ...] = get_args(Reason)

NONE = -1


class Event(NamedTuple):
    """Something that is not right: the gold sentence, and the ranks of gold's and the system's sentence, token or word, `NONE` for none."""

    unit: int
    gold: int
    system: int


def explain(comparison: Comparison) -> Iterator[Explanation | Omitted]:
    """Yield one explanation for each thing that is not right, sentence by sentence, in the order of the text and of the reasons."""
    wording = Wording(comparison)
    events = ((REASONS[reason], reason, Event(*rest)) for reason, *rest in _events(comparison).tolist())
    yield from explain_in_order(
        events,
        lambda reason, event: _explanation(reason, event, comparison, wording),
        lambda reason, event: _measures_of(reason, wording.labels(reason, event.gold, event.system), comparison.options),
    )


def _events(comparison: Comparison) -> Integers:
    """Return reason, gold sentence, rank in gold and rank in the system of all that is not right, in order."""
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    length = len(gold.characters)
    tables = []

    def add(reason: Reason, unit: Integers, places: tuple[Integers, Integers], ours: Integers, theirs: Integers) -> None:
        code = np.full(len(ours), REASONS.index(reason))
        tables.append(np.stack((unit, *places, code, ours, theirs), axis=1))

    for reason, first, second, starts in (
        ("sentence", gold.sentences, system.sentences, np.arange(len(gold.units) + 1)),
        ("token", gold.tokens, system.tokens, gold.first_token),
    ):
        left = np.setdiff1d(np.arange(len(first)), matching(first, second, length)[0], assume_unique=True)
        covering = np.searchsorted(second.start, first.start[left], side="right") - 1
        places = np.full(len(left), NONE) if reason == "sentence" else first.start[left]
        unit = np.searchsorted(starts, left, side="right") - 1
        add(reason, unit, (places, np.full(len(left), NONE)), left, np.maximum(covering, 0))  # type: ignore[arg-type]
    missed = np.setdiff1d(np.arange(gold.number), alignment.gold, assume_unique=True)
    add("word", gold.sentence_of(missed), (gold.words.start[missed], missed), missed, np.full(len(missed), NONE))
    spurious = np.setdiff1d(np.arange(system.number), alignment.system, assume_unique=True)
    unit = np.searchsorted(gold.sentences.start, system.words.start[spurious], side="right") - 1
    add("word", unit, (system.words.start[spurious], gold.number + spurious), np.full(len(spurious), NONE), spurious)
    for reason, flags in _wrong(comparison):
        ours, theirs = alignment.gold[flags], alignment.system[flags]
        add(reason, gold.sentence_of(ours), (gold.words.start[ours], ours), ours, theirs)
    table = np.concatenate(tables)
    order = np.lexsort((table[:, 3], table[:, 2], table[:, 1], table[:, 0]))
    events: Integers = table[order][:, [3, 0, 4, 5]]
    return events


def _wrong(comparison: Comparison) -> Iterator[tuple[Reason, Integers]]:
    """Yield the pairs of aligned words that are not right, for each reason."""
    flags = {"upos": comparison.upos, "xpos": comparison.xpos, "feats": comparison.ufeats, "lemma": comparison.lemmas}
    if comparison.is_parsed:
        flags |= {"head": comparison.uas, "relation": comparison.relation}
    yield from ((reason, np.flatnonzero(~right)) for reason, right in flags.items())  # type: ignore[misc]
    gold, system, edges = comparison.gold.edges, comparison.system.edges, comparison.edges
    wrong = np.append(gold.word[edges.missing], comparison.alignment.node_of[system.word[edges.extra]])
    yield "enhanced", np.searchsorted(comparison.alignment.gold, np.flatnonzero(np.bincount(wrong)))


_KINDS: dict[Reason, Difference] = {"sentence": "boundary", "token": "boundary"}


def _explanation(reason: Reason, event: Event, comparison: Comparison, wording: Wording) -> Explanation:
    gold, system = comparison.gold, comparison.system
    unit = gold.units[event.unit]
    message, in_gold, in_system = wording.of(reason, event.gold, event.system)
    labels = wording.labels(reason, event.gold, event.system)
    kind: Difference = _KINDS.get(reason, "wrong-value")
    if reason == "word":
        kind = "spurious" if event.gold == NONE else "missed"
    start = gold.sentences.start[event.unit]
    if reason == "sentence":
        item = f"{unit} sentence"
    elif event.gold == NONE:
        item = f"{unit} {system.words.start[event.system] - start} {system.form(event.system)} spurious"
    else:
        place = gold.tokens.start[event.gold] - start if reason == "token" else gold.id_of(event.gold)
        item = f"{unit} {place} {reason}"
    return Explanation(
        unit,
        reason,
        message,
        _line(reason, event, gold, system),
        kind,
        item,
        in_gold,
        in_system,
        _measures_of(reason, labels, comparison.options),
        _passage(reason, event, gold, system),
        pair=labels,
    )


def _line(reason: Reason, event: Event, gold: Document, system: Document) -> int:
    """Return the system's line: of the sentence or token that covers the beginning of gold's, of the word, or of the token at its place."""
    if reason == "sentence":
        token = min(int(system.first_token[event.system]), len(system.tokens) - 1)
        return int(system.token_lines[token])
    if reason == "token":
        return int(system.token_lines[event.system])
    if event.system == NONE:
        token = int(np.searchsorted(system.tokens.start, gold.words.start[event.gold], side="right")) - 1
        return int(system.token_lines[token])
    return int(system.lines[event.system])


def _passage(reason: Reason, event: Event, gold: Document, system: Document) -> Passage:
    """Return gold's sentence, its tokens with a blank between two of them, and in it the token that the explanation is about."""
    first, end = gold.first_token[event.unit : event.unit + 2].tolist()
    forms = [gold.token_forms[token] for token in range(first, end)]
    if reason == "sentence":
        return Passage.cut(" ".join(forms))
    if reason == "token":
        token = event.gold
    else:
        spans: Spans = system.words if event.gold == NONE else gold.words
        start = spans.start[event.system if event.gold == NONE else event.gold]
        token = int(np.searchsorted(gold.tokens.start, start, side="right")) - 1
    low = sum(len(form) + 1 for form in forms[: token - first])
    return Passage.cut(" ".join(forms), gold=[(low, low + len(gold.token_forms[token]))])


_OWN = "[!A-Z]*"
"""The figures of a name, but not those of the tags below it: these begin with a capital letter."""


def _figures(*names: str) -> tuple[str, ...]:
    return (*(f"{name}.*" for name in names), *(f"macro.{name}.f1" for name in names))


_OF_TREES = _figures("las", "clas", "mlas", "blex")

_BEARING: dict[Reason, tuple[str, ...]] = {
    "sentence": _figures("sentences"),
    "token": _figures("tokens"),
    "word": (
        *_figures("words", "upos", "xpos", "ufeats", "alltags", "lemmas", "uas", "las", "clas", "mlas", "blex", "elas", "eulas"),
        "deprel.*",
    ),
    "xpos": _figures("xpos", "alltags"),
    "feats": _figures("ufeats", "alltags", "mlas"),
    "lemma": _figures("lemmas", "blex"),
    "head": ("uas.*", "macro.uas.f1", *_OF_TREES, "deprel.*"),
    "enhanced": _figures("elas", "eulas"),
}


def _measures_of(reason: Reason, labels: tuple[str, str] | None, options: Options) -> tuple[str, ...]:
    """Return the measures that would be better without something that is not right; `labels` are those of both sides, if it has some."""
    if reason in _BEARING:
        return _BEARING[reason]
    if reason == "upos":
        tags = (f"upos.{tag}.*" for tag in labels or ())
        return (f"upos.{_OWN}", *tags, "alltags.*", "mlas.*", "macro.upos.f1", "macro.alltags.f1", "macro.mlas.f1")
    return (*_OF_TREES, *dict.fromkeys(f"deprel.{options.relation(name)}.*" for name in labels or ()))
