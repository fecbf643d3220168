"""Explanations as the HTML page shows them: the ones that matter most first, with what changed and the pieces of their passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import escape

from pytest_nlpeval.explanations import Explanation, Link
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports.bearing import bearing_on
from pytest_nlpeval.reports.change_sentences import NO_CHANGES
from pytest_nlpeval.reports.growth import pair_name
from pytest_nlpeval.reports.marks import Word, words_of
from pytest_nlpeval.reports.model import ExplanationReport, SuiteReport
from pytest_nlpeval.reports.view import CHANGES, KNOWN, ranks_by_guards
from pytest_nlpeval.run.item_changes import Change, Changes
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.wording import printable

ENTAILS = " ⊢ "
"""Stands between a text and what is said to follow from it."""

FEW = 10
"""How many explanations are shown, however long they are, and how many of the worst documents have some."""


class Step(NamedTuple):
    """A step along a chain: the relation, whether it points ahead, and what it leads to."""

    relation: str
    is_ahead: bool
    node: str


@light_dataclass(frozen=True, slots=True)
class ExplanationView:
    """An explanation: document, place and unit, what is said, the words of the passage, and what either side has.

    `pair` is that of the labels, `LOC → ORG`, and `group` what the unit belongs to, "" for none; `measures` are those that it bears on.
    `follows` is what follows from the words, or does not: the hypothesis of a pair. `change` is a word of `CHANGES`, "" if nothing was
    compared; `before` says what was wrong in the baseline. `start` and `steps` are the chain.
    """

    case: str
    item: str
    unit: str
    place: str
    reason: str
    message: str
    words: Sequence[Word]
    follows: str
    gold: str
    system: str
    pair: str
    group: str
    measures: tuple[str, ...]
    change: str = ""
    before: str = ""
    start: str = ""
    steps: Sequence[Step] = ()

    @property
    def has_marks(self) -> bool:
        """Whether anything is marked in the passage."""
        return any(word.is_marked for word in self.words)

    @property
    def says_more(self) -> bool:
        """Whether the message says anything that marks and answers do not."""
        sides = ", ".join(f"{name} {side}" for name, side in (("gold", self.gold), ("system", self.system)) if side)
        names_place = bool(sides) and self.message.endswith(f": {sides}")  # `items[2].price: gold 3.25, system 3.52`
        return names_place or (not (sides and self.has_marks) and self.message != sides)

    @property
    def kind(self) -> str:
        """What it is counted under: the labels and the reason."""
        return f"{self.pair} · {self.reason}" if self.pair else self.reason


class Explained(NamedTuple):
    """The explanations that are shown, those of known failures apart; how many further ones, and further newly right items, are not."""

    entries: Sequence[ExplanationView]
    unshown: int
    unshown_right: int
    known: Sequence[ExplanationView] = ()


def explained(suite: SuiteReport, most: int, room: int) -> Explained:
    """Return at most `most` explanations of a suite, then a fourth as many of what is newly right.

    Newly wrong items come first, then explanations that bear on a failing gate; among equals, those of the worst documents come
    first. Some explanations of each reason, and some of the worst documents, are shown in any case. `room` is how many bytes the texts
    may have, beyond the first few explanations. Explanations of known failures are apart, with a fourth of the room.
    """
    changes = suite.changes or NO_CHANGES
    before = {(change.case, change.explanation.item): change.before for change in changes.first}
    rights = [change for change in changes.first if change.sort == "newly_right"][: most // 4]
    rank, chosen = ranks_by_guards(suite), _chosen(suite, most)
    views, known = (
        [
            _view(entry, before.get((entry.case, entry.explanation.item)), is_compared=suite.changes is not None)
            for entry in chosen
            if (rank(entry) == KNOWN) == is_known
        ]
        for is_known in (False, True)
    )
    views, known = list(_fitting(views, room)), list(_fitting(known, room // 4))
    right_views = list(_fitting(map(_of_change, rights), room // 4))
    unshown = sum(suite.explained.counts.values()) - len(views) - len(known)
    unshown_right = changes.counts.get("newly_right", 0) - len(right_views)
    return Explained([*views, *right_views], unshown, unshown_right, tuple(known))


def changed(changes: Changes, most: int, room: int) -> Explained:
    """Return at most `most` changes between two runs, newly wrong ones first, and how many are left out."""
    order = list(CHANGES)
    first = sorted(changes.first, key=lambda change: order.index(change.sort))[:most]
    views = list(_fitting(map(_of_change, first), room))
    return Explained(views, sum(changes.counts.values()) - len(views), 0)


def _of_change(change: Change) -> ExplanationView:
    """Return a change as today's explanation, or else as the earlier one without its line, which was a line of another file."""
    shown = change.now or change.explanation._replace(line=None)
    return _view(ExplanationReport(change.case, shown, change=change.sort), change.before if change.now else None)


def _chosen(suite: SuiteReport, most: int) -> list[ExplanationReport]:
    """Return at most about `most` explanations, what matters most first."""
    worst = {document.name: rank for rank, document in enumerate(suite.cases.listed)}
    order = _order(suite, worst)
    shelf = Shelf(most)
    urgent = sorted(suite.explained.first, key=lambda entry: (worst.get(entry.case, FEW) >= FEW, order(entry)))
    return sorted((entry for entry in urgent if shelf.takes_sort(entry.explanation.sort)), key=order)


def _order(suite: SuiteReport, worst: Mapping[str, int]) -> Callable[[ExplanationReport], tuple[int, int, bool, int]]:
    """Return the key that sorts explanations; `worst` is the rank of each of the worst documents. Units of failing guards are first."""
    rank = ranks_by_guards(suite)
    bears = bearing_on({gate.measure for gate in suite.gates if gate.fails})

    def key(entry: ExplanationReport) -> tuple[int, int, bool, int]:
        return rank(entry), list(CHANGES).index(entry.change), not bears(entry.explanation), worst.get(entry.case, len(worst))

    return key


def _fitting(views: Iterable[ExplanationView], room: int) -> Iterator[ExplanationView]:
    """Yield as many explanations as there is room for, from the first."""
    for rank, view in enumerate(views):
        texts = (
            view.case,
            view.place,
            view.message,
            view.gold,
            view.system,
            view.before,
            *(word.text for word in view.words),
            view.follows,
            *(step.node for step in view.steps),
        )
        room -= len(str(escape(printable("".join(texts)))).encode())
        if rank >= FEW and room < 0:
            return
        yield view


def _view(entry: ExplanationReport, before: Explanation | None, *, is_compared: bool = True) -> ExplanationView:
    explanation = entry.explanation
    words = words_of(explanation)
    text, entails, hypothesis = words[0].text.rpartition(ENTAILS) if len(words) == 1 else ("", "", "")
    return ExplanationView(
        entry.case,
        explanation.item or explanation.unit,
        explanation.unit,
        entry.place,
        explanation.reason,
        explanation.message,
        [Word(text)] if entails else words,
        hypothesis if entails else "",
        explanation.gold,
        explanation.system,
        pair_name(*explanation.pair) if explanation.pair else "",
        explanation.group,
        explanation.measures,
        CHANGES[entry.change] if is_compared else "",
        f"{before.reason}: {before.message}" if before else "",
        *along(explanation.chain),
    )


def along(chain: Sequence[Link]) -> tuple[str, Sequence[Step]]:
    """Return where a chain begins, and the steps to its end.

    >>> from pytest_nlpeval.explanations import Link
    >>> along([Link("a", "BEFORE", "b"), Link("c", "AFTER", "b")])
    ('a', [Step(relation='BEFORE', is_ahead=True, node='b'), Step(relation='AFTER', is_ahead=False, node='c')])
    """
    if not chain:
        return "", []
    first = chain[0]
    turned = len(chain) > 1 and first.source in (chain[1].source, chain[1].target)
    start = node = first.target if turned else first.source
    steps = []
    for link in chain:
        is_ahead = link.source == node
        node = link.target if is_ahead else link.source
        steps.append(Step(link.relation, is_ahead, node))
    return start, steps
