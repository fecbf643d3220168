"""What is wrong in a file: `Problem`, the kinds a task or format knows, the log a reader writes to, and how all that is told."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import index
from pathlib import Path
from typing import Any, Literal, Self

from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.wording import from_here, plural, printable

Severity = Literal["error", "warning"]
Rule = Literal["error", "warning", "off"]

SHOWN_PER_CODE = 20

LONGEST = 2_000
"""How many code points of a message or of its `where` are kept: a field that both name may be all of a large file."""


@frozen_dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file.

    `code` is stable (`rte.duplicate-id`). `path` is "" if no file is to blame. `line` and `column` count lines and code points from 1
    (bytes where the file is not text), and are None where they are not known. `where` names the element or field (`pair 12`). `message`
    says what was expected and what to do. `path`, `where` and `message` may hold text from files: escape them where they are shown
    (`wording.printable`).
    """

    code: str
    severity: Severity
    path: str
    line: int | None
    column: int | None
    where: str
    message: str

    @property
    def place(self) -> str:
        """`path`, `path:line` or `path:line:column`: as much as is known."""
        return ":".join(str(part) for part in (self.path, self.line, self.column if self.line else None) if part)

    @property
    def citation(self) -> str:
        """How a sentence names the problem: `path:line:column: code`."""
        return f"{self.place}: {self.code}"

    def __str__(self) -> str:
        """`path:line:column: code: message`, unescaped."""
        where = f" ({self.where})" if self.where else ""
        start = f"{self.place}: " if self.path else ""
        return f"{start}{self.code}: {self.message}{where}"

    def to_json(self) -> dict[str, Any]:
        """Return the fields that the JSON report always has, and the others that have a value."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in (None, "") or name in _ALWAYS}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str | None = None) -> Self:
        """Read back what `to_json` wrote; `path` is where the file lies now, if it may lie elsewhere."""
        code, where, message = (str(data.get(name, "")) for name in ("code", "where", "message"))
        at = data["path"] if path is None else path
        return cls(code, data["severity"], at, data.get("line"), data.get("column"), where, message)


_ALWAYS = frozenset(("code", "severity", "path", "message"))


class NlpevalError(Exception):
    """Something a user can mend. Its `problems` say how; its text has a line for each."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        """One line per problem, escaped: a test that fails with the exception prints it."""
        return "\n".join(printable(str(problem)) for problem in self.problems)


class NoAnswerError(Exception):
    """Git was asked, and gave no answer: a signal ended it, say. So nobody knows whether it has something; the message says what to do."""


@frozen_dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its severity unless a suite's `rules` say otherwise, and what it means.

    A `fixed` kind leaves nothing to score (a file that is not XML, say): rules cannot change it.
    """

    severity: Rule
    summary: str
    fixed: bool = False


class ProblemLog:
    """Collects the problems of one file, by its suite's rules.

    Of each code the first `room` problems are kept and the others counted, so that a file with a million problems takes a million
    look-ups and no memory. `problems()` ends such a code with "and 999,980 more".
    """

    def __init__(
        self, path: str, kinds: Mapping[str, Kind], rules: Mapping[str, Rule] | None = None, room: int = SHOWN_PER_CODE
    ) -> None:
        self.path = path
        self.kinds = kinds
        self.rules = rules or {}
        self._room = room
        self._counts: Counter[str] = Counter()
        self._kept: dict[str, list[Problem]] = {}
        self._has_fixed = False

    def for_attempt(self) -> ProblemLog:
        """Return another log of the same file by the same rules, for an attempt that is given up if there are problems.

        It counts problems and keeps none, so that no hint is worked out twice: once for the attempt, once for the log itself.
        """
        return ProblemLog(self.path, self.kinds, self.rules, room=0)

    def enabled(self, code: str) -> bool:
        """Whether problems of this code are recorded at all."""
        return self._severity(code) != "off"

    def keeps(self, code: str) -> bool:
        """Whether the next problem of this code is kept, and not only counted: if not, a costly hint is in vain."""
        return self.enabled(code) and self._counts[code] < self._room

    def is_error(self, code: str) -> bool:
        """Whether problems of this code are errors."""
        return self._severity(code) == "error"

    def add(
        self, code: str, message: str, line: int | None = None, column: int | None = None, where: str = "", *, fixed: bool = False
    ) -> None:
        """Record a problem; an unknown code is a `KeyError`, a place that is no number a `TypeError` (mistakes of the caller).

        A `fixed` one is an error whatever the rules say: of a kind that a suite may tolerate in a system's files, and not in gold's.
        """
        severity = "error" if fixed else self._severity(code)
        self._has_fixed |= fixed
        if severity == "off":
            return
        self._counts[code] += 1
        if self._counts[code] <= self._room:
            line, column = (place if place is None else index(place) for place in (line, column))
            problem = Problem(code, severity, self.path, line, column, _cut(where), _cut(message))
            self._kept.setdefault(code, []).append(problem)

    def count(self, *codes: str) -> int:
        """Return how many problems of these codes were recorded."""
        return sum(self._counts[code] for code in codes)

    @property
    def is_empty(self) -> bool:
        """Whether no problem was recorded."""
        return not self._counts

    @property
    def has_errors(self) -> bool:
        """Whether any recorded problem is an error."""
        return self._has_fixed or any(self.is_error(code) for code in self._counts)

    def _severity(self, code: str) -> Rule:
        return self.rules.get(code) or self.kinds[code].severity

    def problems(self) -> tuple[Problem, ...]:
        """All that is kept, in the order of lines; behind the last problem of a code, how many more there are."""
        shown: list[Problem] = []
        for code, kept in self._kept.items():
            shown += kept
            if more := self._counts[code] - len(kept):
                message = f"and {more:,} more problem{'' if more == 1 else 's'} of this kind"
                shown.append(replace(kept[-1], column=None, where="", message=message))
        return tuple(sorted(shown, key=lambda problem: (problem.line or 0, problem.column or 10**9)))


class JoinedLog(ProblemLog):
    """The log of files that are read as one: a problem goes to the log of the file that its line is in, with the line's number there.

    `firsts` has the line of the whole with which each file begins, from 1. Errors and problems without a line stay here: as long as there
    are none (`is_empty`), the logs of the files say what they would of each file alone.
    """

    def __init__(self, logs: Sequence[ProblemLog], firsts: Sequence[int]) -> None:
        super().__init__("", logs[0].kinds, logs[0].rules)
        self._logs = logs
        self._firsts = firsts

    def add(
        self, code: str, message: str, line: int | None = None, column: int | None = None, where: str = "", *, fixed: bool = False
    ) -> None:
        """Record a problem; `line` is one of the whole."""
        if line is None or fixed or self.is_error(code):
            super().add(code, message, line, column, where, fixed=fixed)
        else:
            rank = bisect_right(self._firsts, line) - 1
            self._logs[rank].add(code, message, line - self._firsts[rank] + 1, column, where)


def _cut(text: str) -> str:
    text = str.__str__(text)  # a task of another package may give one of a class of its own (see `plain_values`)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


MOST_ALIKE = 5
"""How many problems with the same message are told one by one; the others are counted."""


def problem_lines(problems: Iterable[Problem], root: Path | None = None) -> list[str]:
    """Return what `problem_texts` returns, each on one escaped line."""
    return list(map(printable, problem_texts(problems, root)))


def problem_texts(problems: Iterable[Problem], root: Path | None = None) -> list[str]:
    """Return a text for each problem, each once. Of many with the same message the first few are told, and how many more there are."""
    groups: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in dict.fromkeys(problems):
        groups.setdefault((problem.code, problem.severity, problem.message), []).append(problem)
    return [
        text
        for alike in groups.values()
        for text in texts_of_alike(alike[:MOST_ALIKE], [problem.path for problem in alike[MOST_ALIKE:]], root)
    ]


def texts_of_alike(told: Sequence[Problem], others: Sequence[str], root: Path | None = None) -> Iterator[str]:
    """Yield a text for each of some problems that say the same, and one that counts the others, of which the paths are given."""
    yield from (problem_text(problem, root) for problem in told)
    if others:
        say = "says" if len(others) == 1 else "say"
        more = f"{plural(len(others), 'more problem')} that {say} the same, in {plural(len({*others}), 'file')}"
        yield f"{told[0].code}: {more}{_mark(told[0].severity)}"


def _mark(severity: str) -> str:
    return " [warning]" if severity == "warning" else ""


def problem_line(problem: Problem, root: Path | None = None) -> str:
    """Return what `problem_text` returns, on one escaped line."""
    return printable(problem_text(problem, root))


def problem_text(problem: Problem, root: Path | None = None) -> str:
    """Return `path:line:column: code: message`, and whether it is a warning.

    If the problem's path is relative to a `root`, the text has it as seen from the current folder.
    """
    shown = replace(problem, path=from_here(problem.path, root)) if root else problem
    return f"{shown}{_mark(problem.severity)}"
