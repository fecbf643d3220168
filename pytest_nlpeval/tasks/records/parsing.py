"""Records that are texts: JSON that a model has written, perhaps between two lines of backquotes."""

from __future__ import annotations

from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect, read_json
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import Kind, ProblemLog

_CODE = "json"
_KINDS = text_kinds("off") | {_CODE: Kind("error", "no JSON", fixed=True)}

RECORDS = Dialect.of("records.json", objects=True, greatest=10**400, decimals=True)
"""What files may hold; numbers are exact."""

SCHEMAS = Dialect.of("records.schema", greatest=10**400, decimals=True)
"""What a schema may hold."""

_TEXTS = Dialect.of(_CODE, greatest=10**400, decimals=True)

FENCED = "fenced"
_FENCE = "```"


@light_dataclass(frozen=True, slots=True)
class Fault:
    """Why a text is no JSON, with the place in it: line and column from 1, None where there is none."""

    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """Return the message and the place."""
        return f"{self.message} (at {self.line}:{self.column})" if self.line else self.message


def parsed(text: str) -> Any:
    """Return the value that a text is in JSON, or the first `Fault`.

    >>> parsed('{"a": 1.50}'), str(parsed("[1,]"))
    ({'a': Decimal('1.50')}, 'is not JSON: expected a value; the comma before it is one too many (at 1:4)')
    """
    log = ProblemLog("", _KINDS)
    entry = read_json(Source("", text.encode()), log, _TEXTS)
    if entry is not None:
        return entry.value
    problem = next(problem for problem in log.problems() if problem.severity == "error")
    return Fault(problem.message, problem.line, problem.column)


def parsed_answer(text: str, way: str) -> Any:
    r"""Return the value that a model has written, or a `Fault`; with the way `fenced` it may stand in a block of code.

    Then exactly two lines begin with three backquotes, white space aside, and the second one has nothing else.

    >>> parsed_answer("Here it is:\n```json\n[1]\n```", FENCED)
    [1]
    """
    value = parsed(text)
    if way != FENCED or not isinstance(value, Fault):
        return value
    lines = text.split("\n")
    fences = [rank for rank, line in enumerate(lines) if line.lstrip().startswith(_FENCE)]
    if len(fences) != 2 or lines[fences[1]].strip() != _FENCE:
        return value
    inner = parsed("\n".join(lines[fences[0] + 1 : fences[1]]))
    if isinstance(inner, Fault):
        return Fault(inner.message, inner.line and inner.line + fences[0] + 1, inner.column)
    return inner
