"""Why an extraction is wrong or a relation missed, with the sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, Span, explain_in_order
from pytest_nlpeval.formats.text import lines_of
from pytest_nlpeval.tasks.exemplar.gold import Gold
from pytest_nlpeval.tasks.exemplar.matching import MISSING_TRIGGER, NO_RELATION, NOT_ALLOWED, NOT_EXTRACTED, fold_of, reason
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.sentence import read_sentence
from pytest_nlpeval.tasks.exemplar.system import System
from pytest_nlpeval.tasks.exemplar.table import FIRST_ROW, SENTENCE
from pytest_nlpeval.wording import quoted

Fold = Callable[[str], str]

_KINDS: dict[str, Difference] = {
    NOT_EXTRACTED: "missed",
    NO_RELATION: "spurious",
    MISSING_TRIGGER: "wrong-value",
    NOT_ALLOWED: "boundary",
}
_MEASURES = {
    NOT_EXTRACTED: ("recall", "f1", "correct"),
    NO_RELATION: ("precision", "f1"),
    MISSING_TRIGGER: ("precision", "recall", "f1", "correct"),
    NOT_ALLOWED: ("precision", "recall", "f1", "correct"),
}


def explain(gold: Gold, system: System, options: Options) -> Iterator[Explanation | Omitted]:
    """Yield one explanation for each wrong extraction and each missed relation, in the order of lines."""
    fold = fold_of(options)
    lines = lines_of(gold.text)
    rows = enumerate(zip(gold.triggers, gold.windows, system.extractions, strict=True), FIRST_ROW)
    wrong = ((why, "", numbered) for numbered in rows if (why := reason(*map(fold, numbered[1]))))

    def write(why: str, numbered: tuple[int, tuple[str, str, str]]) -> Explanation:
        line, row = numbered
        return _explanation(line, why, row, lines[line - 1].split("\t")[SENTENCE], fold)

    yield from explain_in_order(wrong, write, lambda why, _: _MEASURES[why])


def _explanation(line: int, why: str, row: tuple[str, str, str], sentence: str, fold: Fold) -> Explanation:
    trigger, _, extraction = row
    passage = passage_of(sentence, has_relation=bool(trigger), extraction=extraction, fold=fold)
    message = _message(why, *row, fold)
    name = str(line)
    return Explanation(name, why, message, line, _KINDS[why], name, trigger, extraction, _MEASURES[why], passage)


def passage_of(sentence: str, *, has_relation: bool, extraction: str, fold: Fold = str) -> Passage:
    """Return an annotated sentence without its marks.

    Gold's spans are the trigger and what the windows hold besides, if there is a relation. The system's are the extracted tokens: where
    those are inside gold's trigger or windows, these occurrences, otherwise the first.

    >>> passage_of("[[[A]]] --->'s {{{sale}}} of<--- [[[B]]].", has_relation=True, extraction="sale B")
    Passage(text="A 's sale of B.", gold=((2, 4), (5, 9), (10, 12)), system=((5, 9), (13, 14)))
    """
    annotated = read_sentence(sentence)
    inside = {*annotated.outline.in_triggers, *annotated.outline.in_windows}
    gold: list[Span] = []
    places: dict[str, list[tuple[bool, Span]]] = {fold(token): [] for token in extraction.split()}
    text = ""
    for piece, part in enumerate(annotated.parts[::2]):
        tokens = list(_tokens(part, len(text)))
        if tokens and piece in inside:
            gold.append((tokens[0][1][0], tokens[-1][1][1]))
        for token, span in tokens:
            if fold(token) in places:
                places[fold(token)].append((piece in inside, span))
        text += part
    system = sorted(span for spans in places.values() for span in _best(spans))
    return Passage.cut(text, gold if has_relation else (), system)


def _best(spans: list[tuple[bool, Span]]) -> list[Span]:
    return [span for is_inside, span in spans if is_inside] or [span for _, span in spans[:1]]


def _tokens(text: str, offset: int) -> Iterator[tuple[str, Span]]:
    """Yield the tokens of a text that begins at `offset`, each with its range of code points."""
    end = 0
    for token in text.split():
        start = text.index(token, end)
        end = start + len(token)
        yield token, (offset + start, offset + end)


def _message(why: str, trigger: str, windows: str, extraction: str, fold: Fold) -> str:
    if why == NOT_EXTRACTED:
        return f"the relation {quoted(trigger)} is not extracted"
    if why == NO_RELATION:
        return f"{quoted(extraction)} is extracted where gold has no relation"
    if why == MISSING_TRIGGER:
        return f"{quoted(extraction)} lacks {_without(trigger, extraction, fold)} of the trigger {quoted(trigger)}"
    return f"{quoted(extraction)} has {_without(extraction, f'{trigger} {windows}', fold)}, not among the allowed tokens"


def _without(tokens: str, others: str, fold: Fold) -> str:
    """Return the tokens that `others` lacks, quoted, each once, in their order."""
    allowed = set(fold(others).split())
    return ", ".join(quoted(token) for token in dict.fromkeys(tokens.split()) if fold(token) not in allowed)
