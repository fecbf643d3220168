"""What changed between two runs, item by item: newly wrong, newly right, wrong in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.run.tallies import Tallies, Tally

if TYPE_CHECKING:  # pairing needs NumPy, and the process that only shares work out among others reads changes
    from pytest_nlpeval.metrics.pairing import Common

RIGHT = "right"
"""The reason of an item that was right, of which the task tells something, such as its place."""

MOST_CHANGES = 1_000
"""How many changes of a suite the JSON report has; all are counted."""

Sort = Literal["newly_wrong", "newly_right", "otherwise_wrong"]

WORDS: Mapping[Sort, str] = {
    "newly_wrong": "newly wrong",
    "newly_right": "newly right",
    "otherwise_wrong": "wrong in another way",
}
"""What a change is called."""


class Change(NamedTuple):
    """An item that changed: why it was not right before, and why it is not right now; None where it is right.

    `before` of an item that is newly wrong has the reason `RIGHT` if the task tells something of items that are right.
    """

    case: str
    sort: Sort
    before: Explanation | None
    now: Explanation | None

    @property
    def explanation(self) -> Explanation:
        """Why the item is not right now; if it is right now, why it was not right before."""
        explanation = self.now or self.before
        if explanation is None:
            raise ValueError("an item that was right and is right did not change")
        return explanation

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return {
            "case": self.case,
            "unit": self.explanation.unit,
            "item": self.explanation.item,
            "change": self.sort,
            "before": self.before.to_json() if self.before else None,
            "now": self.now.to_json() if self.now else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Change:
        """Read back what `to_json` wrote."""
        item = {"item": data["item"]}
        before, now = (data[side] and Explanation.from_json(item | data[side]) for side in ("before", "now"))
        return cls(data["case"], data["change"], before, now)


@light_dataclass(frozen=True, slots=True)
class Changes:
    """How many changes there are of each sort, and the changes themselves; read back from a JSON report, the first of them.

    `uncertain` counts the documents of which not all explanations are kept. If only one run explains an item of such a document, the item
    may be wrong in the other run too: it is left out. `by` counts the wrong items of both runs by reason, pair of labels, group and
    document.
    """

    counts: Mapping[Sort, int]
    first: tuple[Change, ...]
    uncertain: int
    by: Mapping[str, tuple[Tally, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        more: dict[str, Any] = {"uncertain": self.uncertain} if self.uncertain else {}
        if self.by:
            more["by"] = {kind: [tally.to_json() for tally in tallies] for kind, tallies in self.by.items()}
        return {"counts": dict(self.counts), "first": [change.to_json() for change in self.first[:MOST_CHANGES]], **more}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Changes:
        """Read back what `to_json` wrote."""
        by = {kind: tuple(Tally(**tally) for tally in tallies) for kind, tallies in data.get("by", {}).items()}
        return cls(data["counts"], tuple(map(Change.from_json, data["first"])), data.get("uncertain", 0), by)


def changes(
    before: Mapping[str, Explanations],
    now: Mapping[str, Explanations],
    common: Common,
    fall: Callable[[Change], float] | None = None,
) -> Changes:
    """Return what changed in what both runs were asked: in each document the newly wrong items come first, the newly right last.

    With `fall`, which says by how much worse an item is, the changes of each sort come from all documents, those that fell most first.
    """
    cases = sorted(before.keys() & now.keys() & common.documents)
    every = (change for case in cases for change in _of_document(case, before[case], now[case]))
    asked = (change for change in every if common.has(change.case, change.explanation.unit))
    counts: Counter[Sort] = Counter(dict.fromkeys(get_args(Sort), 0))
    first: list[Change] = []
    tallies = Tallies()
    for case in cases:
        tallies.add(case, before[case], now[case], common)
    for change in asked:
        counts[change.sort] += 1
        first.append(change)
    if fall:
        order = {sort: place for place, sort in enumerate(_FIRST)}
        first.sort(key=lambda change: (order[change.sort], -fall(change)))
    uncertain = sum(bool(before[case].cut or now[case].cut) for case in cases)
    return Changes(dict(counts), tuple(first), uncertain, tallies.by())


_FIRST: tuple[Sort, ...] = ("newly_wrong", "otherwise_wrong", "newly_right")
"""The sorts of changes in the order in which they are told."""


def _of_document(case: str, before: Explanations, now: Explanations) -> Iterator[Change]:
    if before is now:  # no file of the document changed
        return
    old, new = ({entry.item: entry for entry in side.first if entry.kind != "value"} for side in (before, now))
    if not before.cut:
        right = {entry.item: Explanation(entry.unit, RIGHT, entry.message, item=entry.item) for entry in before.right}
        yield from (Change(case, "newly_wrong", right.get(item), new[item]) for item in new if item not in old)
    yield from (
        Change(case, "otherwise_wrong", old[item], new[item])
        for item in new
        if item in old and _essence(old[item]) != _essence(new[item])
    )
    if not now.cut:
        yield from (Change(case, "newly_right", old[item], None) for item in old if item not in new)


def _essence(explanation: Explanation) -> tuple[str, str, str]:
    """Return what two explanations of an item have in common if nothing changed; line and words may differ."""
    return explanation.reason, explanation.gold, explanation.system
