"""The lists of units that guards have: reads their files, and says what is wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from os.path import join
from typing import NamedTuple

from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.files import FILE_KINDS, Source, label, read_source, with_few_parts
from pytest_nlpeval.formats.text import lines_of, read_text, text_kinds
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.guards import Guard, KnownFailures, Listing, MustPass
from pytest_nlpeval.problems import SHOWN_PER_CODE, Problem, ProblemLog
from pytest_nlpeval.wording import nearest, quoted

LIST_KINDS = {**FILE_KINDS, **text_kinds("warning"), **SUITE_KINDS}


class Listed(NamedTuple):
    """An id, and the line that it is on."""

    name: str
    line: int


class ReadList(NamedTuple):
    """The list of a guard: its ids, where they are, and the problems of its file."""

    gate: Gate
    guard: Guard
    entries: tuple[Listed, ...]
    path: str
    problems: tuple[Problem, ...]

    @property
    def is_usable(self) -> bool:
        """Whether the guard can be judged by the list: a file that cannot be read names nothing, and neither does an empty `must_pass`."""
        return bool(self.entries) or not (
            isinstance(self.guard, MustPass) or any(problem.severity == "error" for problem in self.problems)
        )


def read_lists(suite: Suite, gates: Iterable[Gate]) -> list[ReadList]:
    """Return the lists of all guards of a suite that have one."""
    return [_read(suite, gate, guard, guard.listing) for gate in gates for guard in gate.guards() if guard.listing is not None]


def path_of(listing: Listing, suite: Suite) -> str:
    """Return the path of the file that a list of a suite is in."""
    return join(suite.config.parent if suite.config else suite.root, listing.path)  # noqa: PTH118 - text, as the paths of cases


def _read(suite: Suite, gate: Gate, guard: Guard, listing: Listing) -> ReadList:
    if not listing.path:
        line = gate.lines.get(guard.name, gate.line)
        return ReadList(gate, guard, tuple(Listed(name, line) for name in listing.ids), suite.label, ())
    path = path_of(listing, suite)
    log = ProblemLog(label(path, suite.root), LIST_KINDS, suite.recipe.rules)
    source = read_source(path, log, root=suite.recipe.root)
    source = source and with_few_parts(source, log)
    return ReadList(gate, guard, tuple(entries_in(source, log)) if source else (), log.path, log.problems())


def entries_in(source: Source, log: ProblemLog) -> Iterator[Listed]:
    """Yield the ids of a list's file, none if it is no text: the log, whose kinds are `LIST_KINDS`, then says why."""
    text = read_text(source, log)
    return entries_of(lines_of(text) if text else ())


def entries_of(lines: Iterable[str]) -> Iterator[Listed]:
    """Yield the ids of a file's lines, without what is around them; blank lines and those that begin with `#` have none.

    >>> [entry.name for entry in entries_of(["# from the bug tracker", "q1 ", "", "q2"])]
    ['q1', 'q2']
    """
    for number, line in enumerate(lines, 1):
        name = line.strip(" \t")
        if name and not name.startswith("#"):
            yield Listed(name, number)


def problems_of(suite: Suite, lists: Sequence[ReadList], names: Collection[str], usual: Sequence[str]) -> Iterator[Problem]:
    """Yield all problems of a suite's lists; `names` are the names that units may have in lists, `usual` the names to propose."""
    for read in lists:
        yield from read.problems
        severities = {problem.severity for problem in read.problems}
        if isinstance(read.guard, MustPass) and not read.entries and "error" not in severities:
            yield _problem(suite, read, "guard.empty", "names no unit that must pass; give one, or leave the list out", None)
        yield from _of_entries(suite, read, names, usual)
    yield from _in_both(suite, lists)


def _of_entries(suite: Suite, read: ReadList, names: Collection[str], usual: Sequence[str]) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    hints = 0
    for name, line in read.entries:
        if name in seen:
            again = f"is already on line {seen[name]}" if seen[name] != line else "is there twice"
            yield _problem(suite, read, "guard.duplicate", f"{quoted(name)} {again}", line)
        elif name not in names:
            hint = f"; {nearest(name, usual)}" if hints < SHOWN_PER_CODE else ""  # a hint takes as long as there are units
            hints += 1
            yield _problem(suite, read, "guard.no-such-item", f"no unit of gold is called {quoted(name)}{hint}", line)
        seen.setdefault(name, line)


def _in_both(suite: Suite, lists: Iterable[ReadList]) -> Iterator[Problem]:
    by_gate: dict[str, dict[str, ReadList]] = {}
    for read in lists:
        by_gate.setdefault(read.gate.measure, {})[read.guard.name] = read
    for of_gate in by_gate.values():
        if {MustPass.name, KnownFailures.name} <= of_gate.keys():
            known = {entry.name for entry in of_gate[KnownFailures.name].entries}
            read = of_gate[MustPass.name]
            for entry in (entry for entry in read.entries if entry.name in known):
                message = f"{quoted(entry.name)} must pass and is a known failure; take it out of one of the lists"
                yield _problem(suite, read, "guard.both", message, entry.line)


def _problem(suite: Suite, read: ReadList, code: str, message: str, line: int | None) -> Problem:
    is_warning = code == "guard.duplicate" or isinstance(read.guard, KnownFailures)  # a failure that is gone harms nobody
    where = line if line is not None else read.gate.lines.get(read.guard.name) if read.path == suite.label else None
    return Problem(
        code, "warning" if is_warning else "error", read.path, where, None, f"{read.guard.name} of {read.gate.measure}", message
    )
