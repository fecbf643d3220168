"""The report of `nlpeval compare` as lines and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_nlpeval.numbers import BEYOND_CHANCE
from pytest_nlpeval.reports.blocks import OUTLINE, Block, Said, Table, joined, numbers
from pytest_nlpeval.reports.change_sentences import change_lines, changes_sentence
from pytest_nlpeval.reports.uncertainty import chance_sentence, fewer_words, p_value, shown_ends
from pytest_nlpeval.reports.view import MOST_EXPLAINED
from pytest_nlpeval.run.gold_changes import gold_sentence
from pytest_nlpeval.run.side_by_side import Difference, Pairing, Row, SideBySide
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import number, plural, signed, whole

VALUE, DIFFERENCE, LOW, HIGH, P, ADJUSTED = numbers("value", "difference", "low", "high", "p", "adjusted")
SCORES = ("measure", "system", VALUE, "", LOW, HIGH)
DIFFERENCES = ("measure", "from", "to", DIFFERENCE, LOW, HIGH, P, ADJUSTED, "")


def comparison_blocks(comparison: SideBySide) -> list[Block]:
    """Return scores with the best of each measure, differences of each pair, and what changed."""
    several = len(comparison.outputs) > 2
    statistics = statistics_of(comparison)
    title = f"{comparison.suite.name}: {plural(len(comparison.outputs), 'system')}; {statistics}"
    scores = [row for measure in comparison.rows for row in _score_rows(measure, comparison.outputs, several=several)]
    differences = [row for measure in comparison.rows for row in _difference_rows(measure, comparison.alpha)]
    most = 0 if several else MOST_EXPLAINED
    parts: list[Sequence[Block]] = [
        [Said(title, "title"), *map(Said, system_notes(comparison.outputs))],
        [Table((*SCORES, "groups" if several else ""), scores, (OUTLINE, (LOW, HIGH)))],
        [Table(DIFFERENCES, differences, (OUTLINE, (LOW, HIGH), (P,)))],
        [line for pairing in comparison.pairings for line in _pair_lines(pairing, comparison.resampled, most)],
    ]
    if several:
        parts.append([Said(group_sentence(comparison.alpha))])
    return joined(parts)


def statistics_of(comparison: SideBySide) -> str:
    """Return in short how chance was judged."""
    scores = (placing.interval for row in comparison.rows for placing in row.entries)
    differences = [difference for row in comparison.rows for difference in row.differences]
    intervals = filter(None, (*scores, *(difference.interval for difference in differences)))
    fewer = fewer_words((interval.resamples for interval in intervals), (difference.p_resamples for difference in differences))
    return chance_sentence(comparison.suite.statistics, comparison.resampled, fewer)


def group_sentence(alpha: float) -> str:
    """Return what the letters of groups mean."""
    return f"Systems of a measure that share a group's letter do not differ by {BEYOND_CHANCE} (adjusted p above {alpha:g})."


def system_notes(outputs: Sequence[Run]) -> Iterator[str]:
    """Yield which documents and items of each system could not be compared, and why."""
    for output in outputs:
        if changed := gold_sentence(output):
            yield changed
        for names, why in (
            (output.added, "without a file"),
            (output.broken, "with errors in their files"),
            (output.vanished, "no longer in the suite, left out"),
        ):
            if names:
                shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
                yield f"{output.source}: {plural(len(names), 'document')} {why}: {shown}"


def _score_rows(row: Row, outputs: Sequence[Run], *, several: bool) -> Iterator[tuple[Said | str, ...]]:
    head = row.measure.name
    for output, placing in zip(outputs, row.entries, strict=True):
        value = placing.score.value
        ends = map(number, shown_ends(placing.interval, value))
        best = Said("best", "good") if placing.is_best else ""
        last = placing.score.reason if value is None else " ".join(placing.groups) if several else ""
        yield head, output.source, number(value), best, *ends, last
        head = ""


def _difference_rows(row: Row, alpha: float) -> Iterator[tuple[Said | str, ...]]:
    head = row.measure.name
    for difference in row.differences:
        facts = map(signed, difference_of(row, difference))
        chances = map(p_value, (difference.p, difference.p_adjusted))
        chance = Said("beyond chance", "warning") if is_beyond_chance(difference, alpha) else ""
        yield head, difference.first, difference.second, *facts, *chances, chance
        head = ""


def difference_of(row: Row, difference: Difference) -> tuple[float | None, ...]:
    """Return the difference of two systems and the ends of its interval; of a count, whole numbers."""
    value = next((placing.score.value for placing in row.entries if placing.score.value is not None), None)
    return whole(difference.difference, value), *shown_ends(difference.interval, value)


def is_beyond_chance(difference: Difference, alpha: float) -> bool:
    """Whether two systems differ by more than chance explains."""
    return difference.p_adjusted is not None and difference.p_adjusted <= alpha


def _pair_lines(pairing: Pairing, resampled: str, most: int) -> Iterator[Said]:
    """Yield how many units and items changed between two systems, then the first of them."""
    yield Said(f"from {pairing.first} to {pairing.second}: {pair_sentence(pairing, resampled)}")
    yield from (Said(f"  {line}") for line in change_lines(pairing.changes, most))


def pair_sentence(pairing: Pairing, resampled: str) -> str:
    """Return how many units, and how many items, differ between two systems."""
    units, resampled = pairing.units, pairing.resampled or resampled
    facts = [f"{units['differing']:,} of {plural(units['paired'], resampled[:-1])} differ"]
    facts += [f"{units[name]:,} {name}" for name in ("added", "removed") if units[name]]
    guarded = (f"; {plural(count, 'unit')} newly wrong by {measure}" for measure, count in pairing.newly_wrong.items())
    changed = f"{changes_sentence(pairing.changes)}{''.join(guarded)}"
    return f"{', '.join(facts)}, {changed}{_undecided(pairing.undecided, resampled)}"


def _undecided(measures: Sequence[str], resampled: str) -> str:
    """Return which intervals say more than so few units can; "" if there are none."""
    if not measures:
        return ""
    names = ", ".join(measures[:3]) + (", …" if len(measures) > 3 else "")
    return f"; too few {resampled} differ to show anything in {names}, whatever the intervals say"
