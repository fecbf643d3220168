"""What changed between two runs, as it is told. Pure functions of the JSON report; whoever shows the text escapes it for the place."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_nlpeval.reports.view import MOST_EXPLAINED, Json, passage_lines
from pytest_nlpeval.wording import plural

NO_CHANGES: Json = {"counts": {}, "first": ()}
"""Those of a suite without a baseline, or of which nobody asked."""


def changes_sentence(changes: Json) -> str:
    """Return how many items changed in which way: `3 newly wrong, 1 newly right, 0 otherwise wrong`."""
    facts = [f"{count:,} {sort.replace('_', ' ')}" for sort, count in changes["counts"].items()]
    uncertain = changes.get("uncertain", 0)
    more = f"; more is wrong in {plural(uncertain, 'document')} than is kept" if uncertain else ""
    return ", ".join(facts) + more


def change_lines(changes: Json, most: int = MOST_EXPLAINED) -> list[str]:
    """Return the first changes, newly wrong ones before all others; if there are more, the last line says so."""
    order = list(changes["counts"])
    lines: list[str] = []
    for change in sorted(changes["first"], key=lambda change: order.index(change["change"]))[:most]:
        lines += _change(change)
    more = sum(changes["counts"].values()) - most
    return [*lines, f"… and {plural(more, 'more change')}: a JSON report has them"] if most > 0 and more > 0 else lines


def _change(change: Json) -> Iterator[str]:
    """Yield what is wrong now, or was before, and the passage it is in."""
    sort, now, before = change["change"].replace("_", " "), change["now"], change["before"]
    sides = [side for side in (now, before) if side]
    place = ", ".join(filter(None, (change["case"], f"unit {change['unit']}" if change["unit"] else "")))
    told = " (before: ".join(f"{side['reason']}: {side['message']}" for side in sides) + (")" if len(sides) > 1 else "")
    yield f"{sort}: {place}: {told}"
    yield from passage_lines(sides[0])
