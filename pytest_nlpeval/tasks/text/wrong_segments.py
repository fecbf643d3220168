"""Why segments are not right: no hypothesis, an empty one, one where gold has silence, or other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, explain_in_order
from pytest_nlpeval.kit.normal_forms import normal_form
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics.levenshtein import edits, operations, spelt
from pytest_nlpeval.metrics.own_values import own_values
from pytest_nlpeval.tasks.text.columns import ANSWERED, EXACT, GROUP
from pytest_nlpeval.tasks.text.gold import Gold, References
from pytest_nlpeval.tasks.text.measures import measures
from pytest_nlpeval.tasks.text.normalising import characters_of, normalised, words_of
from pytest_nlpeval.tasks.text.options import RATES, Options
from pytest_nlpeval.tasks.text.system import System
from pytest_nlpeval.wording import plural, quoted

MISSING, EMPTY, SPURIOUS, DIFFERS = "missing", "empty", "spurious", "differs"

_KINDS: dict[str, Difference] = {MISSING: "missed", EMPTY: "missed", SPURIOUS: "spurious", DIFFERS: "wrong-value"}

_LONGEST = 200


def explain(
    gold: Gold, system: System, references: References, evidence: Evidence, options: Options
) -> Iterator[Explanation | Omitted]:
    """Yield why segments are not right, the worst first: those with the most errors of words or characters, or with the lowest value."""
    badness = _badness(evidence, options)
    is_wrong = (evidence.column(EXACT) == 0) | (evidence.column(ANSWERED) == 0)
    if options.has(*RATES):
        is_wrong |= badness > 0
    writer = _Writer(gold, system, references, options, _values(evidence, options))
    order = np.lexsort((np.arange(len(badness)), -badness))
    wrong = order[is_wrong[order]].tolist()
    yield from explain_in_order(
        ((writer.reason(segment), "", segment) for segment in wrong), writer.explanation, writer.measures_of
    )


def _badness(evidence: Evidence, options: Options) -> Values:
    """Return what orders segments: the number of errors of words, else of characters, else how far the first value is from the best one."""
    for family in RATES:
        if options.has(family):
            kinds = ("substitutions", "deletions", "insertions")
            errors: Values = sum(
                (evidence.column(f"{family}.{kind}").astype(np.float64) for kind in kinds), np.zeros(len(evidence.units))
            )
            return errors
    family = options.measures[0]
    (measure,) = (measure for measure in measures(options, ()) or () if measure.name == _of_segment(family))
    values = own_values(measure, evidence)
    if values is None:
        raise TypeError(f"{measure.name} is no mean of segments")
    return np.nan_to_num(values if measure.better == "lower" else -values)


def _of_segment(family: str) -> str:
    """Return the measure that tells a family's value of a single segment."""
    return family if family.startswith("rouge") else f"{family}.mean"


def _values(evidence: Evidence, options: Options) -> dict[str, Values]:
    """Return the values of each segment in the families that have no alignment to show."""
    wanted = {_of_segment(family): family for family in options.measures if family not in RATES}
    values_of = {}
    for measure in measures(options, ()) or ():
        if measure.name in wanted and (values := own_values(measure, evidence)) is not None:
            values_of[wanted[measure.name]] = values
    return values_of


@light_dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the explanation of a segment."""

    gold: Gold
    system: System
    references: References
    options: Options
    values: dict[str, Values]

    def reason(self, segment: int) -> str:
        """Return why a segment is not right."""
        text = self.system.texts[segment]
        if text is None:
            return MISSING
        *references, hypothesis = map(str.strip, normalised([*self.references[segment], text], self.options))
        if not any(references):
            return SPURIOUS
        return DIFFERS if hypothesis else EMPTY

    def explanation(self, reason: str, segment: int) -> Explanation:
        """Say why a segment is not right, and show what differs in it."""
        unit, line = self.gold.units[segment], self.system.lines[segment] or None
        hypothesis = self.system.texts[segment]
        references = normalised(self.references[segment], self.options)
        (compared,) = normalised([hypothesis or ""], self.options)
        reference, message, passage = self._compared(references, compared, segment)
        if reason in (MISSING, EMPTY):
            message = (
                f"has {'no' if reason == MISSING else 'an empty'} hypothesis; the reference is {quoted(normal_form(reference))}"
            )
        if self.gold.quotes and self.gold.quotes[segment]:
            message += f"; of {quoted(self.gold.quotes[segment], _LONGEST)}"
        gold, system = normal_form(reference)[:_LONGEST], normal_form(hypothesis or "")[:_LONGEST]
        explanation = Explanation(
            unit, reason, message, line, _KINDS[reason], unit, gold, system, self.measures_of(reason, segment), passage
        )
        gold_line = self.gold.ids.first_lines.get(unit) if self.gold.ids and reason == MISSING else None
        return explanation._replace(gold_line=gold_line)

    def _compared(self, references: Sequence[str], hypothesis: str, segment: int) -> tuple[str, str, Passage]:
        """Return the reference that a hypothesis is compared with, what differs, and the text that shows it."""
        is_published = self.options.is_published
        for family, unit in zip(RATES, ("word", "character"), strict=True):
            if not self.options.has(family):
                continue
            if family == "wer":
                sides = [words_of(text, is_published=is_published) for text in (*references, hypothesis)]
            else:
                sides = [list(characters_of(text, is_published=is_published)) for text in (*references, hypothesis)]
            place = _nearest(sides[:-1], sides[-1])
            counts, passage = _aligned(sides[place], sides[-1], " " if family == "wer" else "")
            return references[place], _told(counts, unit), passage
        values = ", ".join(f"{family} {numbers[segment]:.4g}" for family, numbers in self.values.items())
        reference = references[0]
        return reference, values, _one_above_the_other(normal_form(reference), normal_form(hypothesis))

    def measures_of(self, reason: str, segment: int) -> tuple[str, ...]:
        """Return the measures that would be better with the right text."""
        names = ["exact", *chain.from_iterable((family, f"{family}.*") for family in self.options.measures)]
        names += ["ser", "mer", "wil"] if self.options.has("wer") else []
        names += ["coverage"] if reason == MISSING else []
        place = int(self.gold.group[segment])
        prefixes = [""] if place < 0 else ["", f"{GROUP}{self.gold.groups[place]}."]
        return tuple(f"{prefix}{name}" for prefix in prefixes for name in names)


def _nearest(references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> int:
    """Return which reference has the fewest errors, of these the longest, then the one with the most hits."""
    counts = edits(*spelt(references, [hypothesis] * len(references)))
    return int(np.lexsort((-counts.hits, -counts.reference_length, counts.errors))[0])


def _aligned(reference: Sequence[str], hypothesis: Sequence[str], between: str) -> tuple[dict[str, int], Passage]:
    """Return the numbers of hits and errors of an alignment, and the passage that shows it: `the [-old-] mill in {+in+}`."""
    ((first,), (second,)) = spelt([reference], [hypothesis])
    numbers = dict.fromkeys(("equal", "replace", "delete", "insert"), 0)
    pieces = []
    for kind, start, end, low, high in operations(first, second):
        numbers[kind] += max(end - start, high - low)
        old, new = between.join(reference[start:end]), between.join(hypothesis[low:high])
        pieces.append(old if kind == "equal" else f"[-{old}-]" * (kind != "insert") + f"{{+{new}+}}" * (kind != "delete"))
    text = between.join(pieces)
    is_first = bool(pieces) and numbers["equal"] != len(reference) and pieces[0][:2] in ("[-", "{+")
    start = 0 if is_first or not pieces else len(pieces[0])
    return numbers, _unmarked(text, start)


def _unmarked(text: str, first: int) -> Passage:
    """Return the passage of a text that differs from some place on, of a long one what is around that place."""
    return Passage.cut(text, [(first, first + 1)])._replace(gold=())


def _told(numbers: dict[str, int], unit: str) -> str:
    """Say how many errors of which kind there are."""
    errors = numbers["replace"] + numbers["delete"] + numbers["insert"]
    length = numbers["equal"] + numbers["replace"] + numbers["delete"]
    if not errors:
        return f"differs from the reference, but in no {unit}"
    kinds = {"replace": "substituted", "delete": "deleted", "insert": "inserted"}
    told = ", ".join(f"{numbers[kind]:,} {name}" for kind, name in kinds.items() if numbers[kind])
    return f"{plural(errors, 'error')} in {plural(length, unit)}: {told}"


def _one_above_the_other(reference: str, hypothesis: str) -> Passage:
    """Return a passage of both texts, each cut around the first difference."""
    pairs = enumerate(zip(reference, hypothesis, strict=False))
    first = next((place for place, (old, new) in pairs if old != new), min(len(reference), len(hypothesis)))
    start = max(0, first - _LONGEST // 4) if max(len(reference), len(hypothesis)) > _LONGEST else 0
    shown = [text[start : start + _LONGEST] for text in (reference, hypothesis)]
    return Passage(f"reference  {shown[0]}\nhypothesis {shown[1]}")
