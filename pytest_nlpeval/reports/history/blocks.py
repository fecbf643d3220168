"""The report of `nlpeval history` as lines and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_nlpeval.measures import Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.numbers import p_equation, short_commit
from pytest_nlpeval.problems import problem_lines
from pytest_nlpeval.reports.blocks import Block, Said, Table, joined, numbers, problem_blocks
from pytest_nlpeval.reports.uncertainty import chance_sentence, fewer_words, shown_ends
from pytest_nlpeval.run.gold_changes import gold_sentence
from pytest_nlpeval.run.history import History, Point, Reading
from pytest_nlpeval.wording import number, plural

NO_READING = Reading(Score(None), None, None)
"""That of a point where nothing could be scored."""

WIDTH = 40
"""Characters of a chart, whatever the terminal: what is piped into a file looks the same."""

_MOST_SUBJECT = 50


def history_blocks(histories: Iterable[History]) -> list[Block]:
    """Return a table with a chart for each measure of each suite, the oldest commit first, and which commits let a score fall."""
    return joined([part for history in histories for part in _suite(history)])


def _suite(history: History) -> Iterator[Sequence[Block]]:
    name, points = history.suite.name, history.points
    if not points:
        yield [Said(f"{name}: no commit has the suite; commit its configuration and the system's files")]
        return
    head = [Said(f"{name}: {plural(len(points), 'commit')}; {statistics_of(history)}", "title")]
    if history.cut:
        head.append(Said(cut_sentence(history.cut), "warning"))
    yield head
    yield [*problem_blocks(problem_lines(history.problems, history.suite.root))]
    measures = [measure.name for measure in history.measures]
    for measure in measures or [""]:
        yield [*([Said(measure, "title")] if measure else []), _table(measure, points)]
    yield [Said(line) for line in gold_sentences(points)]
    yield [Said(line, "bad") for measure in measures for line in falls(measure, points)]


def statistics_of(history: History) -> str:
    """Return in short how chance was judged."""
    readings = [reading for point in history.points for reading in point.readings.values()]
    fewer = fewer_words(
        (reading.interval.resamples for reading in readings if reading.interval),
        (reading.fall.p_resamples for reading in readings if reading.fall),
    )
    return chance_sentence(history.suite.statistics, history.resampled, fewer)


def gold_sentences(points: Iterable[Point]) -> Iterator[str]:
    """Yield how the gold of commits differs from today's, the oldest first: their scores are over what both golds ask."""
    for point in points:
        if point.documents and (changed := gold_sentence(replace(point.run, source=short_commit(point.commit.name)))):
            yield changed


def cut_sentence(commit: str) -> str:
    """Return that the history of a shallow clone ends at a commit, and what to do."""
    return (
        f"The history of this shallow clone ends at {short_commit(commit)}; fetch more of it (`git fetch --unshallow`; with "
        "actions/checkout set `fetch-depth: 0`)."
    )


def _table(measure: str, points: Sequence[Point]) -> Table:
    """Return the table of a measure, with a chart on a scale from the least to the greatest end of an interval."""
    readings = [point.readings.get(measure, NO_READING) for point in points]
    marks = [mark for reading in readings for mark in (reading.score.value, *_ends(reading)) if mark is not None]
    scale = (min(marks), max(marks)) if marks else (0, 0)
    least, greatest = map(number, scale)
    axis = Said(f"{least}{greatest.rjust(WIDTH - len(least))}" if marks else "", "chart")
    documents, value, low, high = numbers("documents", "value", "low", "high")
    header = ("commit", "day", documents, value, low, high, axis, "", "subject")
    rows = [_row(point, reading, scale) for point, reading in zip(points, readings, strict=True)]
    return Table(header, rows, ((documents,), ("day",), (low, high), ("subject",), (axis,)))


def _ends(reading: Reading) -> tuple[float | None, float | None]:
    return shown_ends(reading.interval, reading.score.value)


def _row(point: Point, reading: Reading, scale: tuple[float, float]) -> tuple[Said | str, ...]:
    commit, value, reason = point.commit, reading.score.value, reason_of(point, reading)
    subject = commit.subject if len(commit.subject) <= _MOST_SUBJECT else f"{commit.subject[:_MOST_SUBJECT]}…"
    return (
        short_commit(commit.name),
        commit.day,
        f"{point.documents:,}",
        *map(number, (value, *_ends(reading))),
        Said("" if value is None else chart_line(value, reading.interval, scale), "chart"),
        Said("fell", "bad") if reading.fell else "",
        f"{subject} ({reason})" if reason else subject,
    )


def reason_of(point: Point, reading: Reading) -> str:
    """Return why a point has no value of a measure, "" if it has one."""
    return reading.score.reason or point.run.reason


def chart_line(value: float, interval: Interval | None, scale: tuple[float, float]) -> str:
    """Return a value as `o` between the ends of its interval, `|`, on a line of `WIDTH` characters from one end of the scale to the other.

    >>> chart_line(0.5, Interval(0.25, 0.75), (0.25, 1.0)).rstrip()
    '|------------o------------|'
    """
    least, greatest = scale
    span = greatest - least or 1
    low, middle, high = (
        round((mark - least) / span * (WIDTH - 1))
        for mark in ((interval.low, value, interval.high) if interval else (value, value, value))
    )
    line = [" "] * WIDTH
    line[low : high + 1] = "-" * (high + 1 - low)
    line[low] = line[high] = "|"
    line[middle] = "o"
    return "".join(line)


def falls(measure: str, points: Iterable[Point]) -> Iterator[str]:
    """Yield which commits let a measure fall beyond chance, the oldest first."""
    before: float | None = None
    for point in points:
        reading = point.readings.get(measure, NO_READING)
        value, fall = reading.score.value, reading.fall
        if fall and fall.is_significant:
            where = f"{short_commit(point.commit.name)} ({point.commit.day}, {point.commit.subject})"
            change = f"{number(before)} → {number(value)}, adjusted {p_equation(fall.p_adjusted or 0.0)}"
            yield f"{measure} fell with {where}: {change}"
        before = before if value is None else value
