"""Says how much of a file the profile `standard` leaves out: nothing is dropped silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.xml.document import Markable, Relation
from pytest_nlpeval.wording import plural


def log_cut(
    markables: Sequence[Markable],
    relations: Sequence[Relation],
    configuration: Configuration,
    sentences: int | None,
    log: ProblemLog,
) -> None:
    """Log once, at the first of them, how many of the markables and relations that `sentences` N has cut would be scored without it."""
    names = {line.name for line in configuration.markables}
    linking = {line.name for line in configuration.relations}
    scored = [markable for markable in markables if markable.name in names]
    linked = [relation for relation in relations if relation.name in linking]
    numbers = [f"{_those_that(len(scored), 'markable', 'begin')} in sentence {sentences} or later"] if scored else []
    numbers += [f"{_those_that(len(linked), 'relation', 'end')} on these"] if linked else []
    if numbers:
        message = f"`sentences: {sentences}` leaves out {' and '.join(numbers)}, here for the first time; not scored"
        log.add("cat.cut", message, (scored or linked)[0].line)


def _those_that(number: int, noun: str, verb: str) -> str:
    """Return `1 markable that begins`, `2 markables that begin`."""
    return f"{plural(number, noun)} that {verb}{'s' if number == 1 else ''}"


def log_incomparable(
    empty: Sequence[Markable], relations: Sequence[Relation], configuration: Configuration, log: ProblemLog
) -> None:
    """Log once, at the first of them, how many empty markables that are no comparable instances have a NAME of the configuration.

    A markable to which a scored many2one relation ties mentions is not among them: it counts by these mentions.
    """
    names = {line.name for line in (*configuration.markables, *configuration.instances)}
    tying = {line.name for line in configuration.relations if line.kind == "many2one"}
    tied = {end for relation in relations if relation.name in tying for end in relation.targets}
    incomparable = [markable for markable in empty if markable.name in names and markable.id not in tied]
    if incomparable:
        parts = ", ".join(f"{number:,} {name}" for name, number in Counter(markable.name for markable in incomparable).items())
        said = f"{plural(len(incomparable), 'markable')} without tokens ({parts}) cannot be compared, here for the first time; not scored"
        name = incomparable[0].name
        has_line = any(line.name == name for line in configuration.instances)
        where = "instead of `non-comparable`" if has_line else "in the configuration"
        advice = f"a line `{name} instance comparable` {where}, with attributes, would compare them by these"
        log.add("cat.incomparable", f"{said}; {advice}", incomparable[0].line)
