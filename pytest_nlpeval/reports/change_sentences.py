"""What changed between two runs, as it is told; whoever shows the text escapes it for the place."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_nlpeval.reports.view import CHANGES, MOST_EXPLAINED, passage_lines
from pytest_nlpeval.run.item_changes import Change, Changes
from pytest_nlpeval.wording import plural

NO_CHANGES = Changes({}, (), 0)
"""Those of a suite without a baseline, or of which nobody asked."""


def changes_sentence(changes: Changes) -> str:
    """Return how many items changed in which way: `3 newly wrong, 1 newly right, 0 wrong in another way`."""
    facts = ", ".join(f"{count:,} {CHANGES[sort]}" for sort, count in changes.counts.items())
    documents = plural(changes.uncertain, "document")
    return f"{facts}; more is wrong in {documents} than is kept" if changes.uncertain else facts


def change_lines(changes: Changes, most: int = MOST_EXPLAINED) -> list[str]:
    """Return the first changes, newly wrong ones before all others; if there are more, the last line says so."""
    order = list(changes.counts)
    first = sorted(changes.first, key=lambda change: order.index(change.sort))[:most]
    lines = [line for change in first for line in _change(change)]
    more = sum(changes.counts.values()) - most
    return [*lines, f"… and {plural(more, 'more change')}: a JSON report has them"] if most > 0 and more > 0 else lines


def _change(change: Change) -> Iterator[str]:
    """Yield what is wrong now, or was before, and the passage it is in."""
    unit = change.explanation.unit
    place = ", ".join(filter(None, (change.case, f"unit {unit}" if unit else "")))
    sides = [f"{side.reason}: {side.message}" for side in (change.now, change.before) if side]
    told = " (baseline: ".join(sides) + (")" if len(sides) > 1 else "")
    yield f"{CHANGES[change.sort]}: {place}: {told}"
    yield from passage_lines(change.explanation)
