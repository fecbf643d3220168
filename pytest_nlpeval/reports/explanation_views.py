"""Explanations as the HTML page shows them: the ones that matter most first, with what changed and the pieces of their passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from markupsafe import escape

from pytest_nlpeval.explanations import Explanation, Shelf
from pytest_nlpeval.reports.view import fails, place_of
from pytest_nlpeval.wording import printable

Json = Mapping[str, Any]

Side = Literal["", "gold", "system", "both"]

CHANGES = {
    "newly_wrong": "newly wrong",
    "otherwise_wrong": "wrong in another way",
    "": "as before",
    "newly_right": "newly right",
}
"""What a change is called, in the order in which explanations are shown."""


FEW = 10
"""How many explanations are shown, however long they are, and how many of the worst documents have some."""


class Piece(NamedTuple):
    """A part of a passage, and the sides that mark it."""

    text: str
    side: Side


class Step(NamedTuple):
    """A step along a chain: the relation, whether it points ahead, and what it leads to."""

    relation: str
    is_ahead: bool
    node: str


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """An explanation: document and place, what is said, the pieces of the passage, and what either side has.

    `change` is a word of `CHANGES`, "" if nothing was compared; `before` says what was wrong in the baseline. `start` and `steps` are the
    chain.
    """

    case: str
    place: str
    kind: str
    reason: str
    message: str
    pieces: Sequence[Piece]
    gold: str
    system: str
    change: str = ""
    before: str = ""
    start: str = ""
    steps: Sequence[Step] = ()


class Explained(NamedTuple):
    """The explanations that are shown, and how many of those there are, and of what is newly right, are not."""

    entries: Sequence[ExplanationView]
    unshown: int
    unshown_right: int


def explained(suite: Json, most: int, room: int) -> Explained:
    """Return at most `most` explanations of a suite, then a fourth as many of what is newly right.

    What is newly wrong comes first; of the rest, what bears on a gate that fails; of equals, what is in the worst documents. Of each
    reason, and of the worst documents, some are shown in any case. `room` is how many bytes their texts may have, beyond the first few.
    """
    found = suite.get("explanations", {"counts": {}, "first": ()})
    changes = suite.get("changes", {"counts": {}, "first": ()})
    before = {(change["case"], change["item"]): change["before"] for change in changes["first"]}
    first = _chosen(found["first"], suite, most)
    right = [change for change in changes["first"] if change["change"] == "newly_right"][: most // 4]
    is_compared = "changes" in suite
    views = [_view(entry, is_compared, before.get((entry["case"], entry.get("item")))) for entry in first]
    rights = [_of_change(change) for change in right]
    views, rights = list(_fitting(views, room)), list(_fitting(rights, room // 4))
    unshown_right = changes["counts"].get("newly_right", 0) - len(rights)
    return Explained([*views, *rights], sum(found["counts"].values()) - len(views), unshown_right)


def changed(changes: Json, most: int, room: int) -> Explained:
    """Return at most `most` changes between two runs, newly wrong ones first, and how many are left out."""
    order = list(CHANGES)
    first = sorted(changes["first"], key=lambda change: order.index(change["change"]))[:most]
    views = list(_fitting(map(_of_change, first), room))
    return Explained(views, sum(changes["counts"].values()) - len(views), 0)


def _of_change(change: Json) -> ExplanationView:
    """Return a change as the explanation of now, or else as that of before, whose line was one of another file."""
    now, before = change["now"], change["before"]
    shown = now or {**before, "line": None}
    return _view({**shown, "case": change["case"], "change": change["change"]}, True, before if now else None)


def _chosen(entries: Sequence[Json], suite: Json, most: int) -> list[Json]:
    """Return at most about `most` explanations, what matters most first."""
    worst = {entry["name"]: rank for rank, entry in enumerate(suite["cases"].get("documents", ()))}
    order = _order(suite, worst)
    shelf = Shelf(most)
    urgent = sorted(entries, key=lambda entry: (worst.get(entry["case"], FEW) >= FEW, order(entry)))
    return sorted((entry for entry in urgent if shelf.takes(_bare(entry))), key=order)


def _order(suite: Json, worst: Mapping[str, int]) -> Callable[[Json], tuple[int, bool, int]]:
    """Return the key that sorts explanations; `worst` is the rank of each of the worst documents."""
    failing = {gate["measure"] for gate in suite["gates"] if fails(gate)}
    bears: dict[tuple[str, ...], bool] = {}

    def key(entry: Json) -> tuple[int, bool, int]:
        measures = tuple(entry.get("measures", ()))
        if measures not in bears:
            bears[measures] = any(_bare(entry).bears_on(measure) for measure in failing)
        return list(CHANGES).index(entry.get("change", "")), not bears[measures], worst.get(entry["case"], len(worst))

    return key


def _bare(entry: Json) -> Explanation:
    """Return of an explanation what tells its sort."""
    return Explanation("", entry["reason"], "", measures=tuple(entry.get("measures", ())))


def _fitting(views: Iterable[ExplanationView], room: int) -> Iterator[ExplanationView]:
    """Yield the first explanations, as many as there is room for."""
    for rank, view in enumerate(views):
        texts = (
            view.case,
            view.place,
            view.message,
            view.gold,
            view.system,
            view.before,
            *(piece.text for piece in view.pieces),
            *(step.node for step in view.steps),
        )
        room -= len(str(escape(printable("".join(texts)))).encode())
        if rank >= FEW and room < 0:
            return
        yield view


def _view(entry: Json, is_compared: bool, before: Json | None = None) -> ExplanationView:  # noqa: FBT001 - whether there is a baseline
    passage = entry.get("passage")
    return ExplanationView(
        entry["case"],
        place_of(entry),
        entry.get("kind", "other").replace("-", " "),
        entry["reason"],
        entry["message"],
        list(pieces(passage)) if passage else [],
        entry.get("gold", ""),
        entry.get("system", ""),
        CHANGES[entry.get("change", "")] if is_compared else "",
        f"{before['reason']}: {before['message']}" if before else "",
        *along(entry.get("chain", ())),
    )


def along(chain: Sequence[Json]) -> tuple[str, Sequence[Step]]:
    """Return where a chain begins, and the steps to its end.

    >>> along([{"source": "a", "relation": "BEFORE", "target": "b"}, {"source": "c", "relation": "AFTER", "target": "b"}])
    ('a', [Step(relation='BEFORE', is_ahead=True, node='b'), Step(relation='AFTER', is_ahead=False, node='c')])
    """
    if not chain:
        return "", []
    first = chain[0]
    turned = len(chain) > 1 and first["source"] in (chain[1]["source"], chain[1]["target"])
    start = place = first["target" if turned else "source"]
    steps = []
    for link in chain:
        is_ahead = link["source"] == place
        place = link["target" if is_ahead else "source"]
        steps.append(Step(link["relation"], is_ahead, place))
    return start, steps


def pieces(passage: Json) -> Iterator[Piece]:
    """Yield the parts of a passage between which what the sides mark changes.

    >>> list(pieces({"text": "abcd", "gold": [[0, 2]], "system": [[1, 3]]}))
    [Piece(text='a', side='gold'), Piece(text='b', side='both'), Piece(text='c', side='system'), Piece(text='d', side='')]
    """
    text = passage["text"]
    spans = {side: [(start, min(end, len(text))) for start, end in passage[side]] for side in ("gold", "system")}
    ends = sorted({0, len(text), *(end for side in spans.values() for span in side for end in span if end < len(text))})
    for start, end in pairwise(ends):
        yield Piece(text[start:end], _side(*(any(low <= start < high for low, high in spans[side]) for side in spans)))


def _side(gold: bool, system: bool) -> Side:  # noqa: FBT001 - whether either side marks it
    if gold and system:
        return "both"
    return "gold" if gold else "system" if system else ""
