"""The Markdown report: what a person reads in a job summary or a comment. A pure function of the JSON report.

Text that comes from files stands in `<pre>` or `<code>` elements, escaped for them: it makes no link, no mention, no element and no
second line. The verdict comes first, and no size cap cuts it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_nlpeval.gates import SYMBOLS
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.wording import number, plural, printable, problem_line

SUMMARY_LIMIT = 900_000
"""For a job summary, which may have 1 MiB."""

COMMENT_LIMIT = 65_536
"""For a comment on a pull request."""

MAX_LINE = 1_000
OPEN_LINES = 10


class _Detail(NamedTuple):
    """How much of each suite is told: rows of its table, problems, explanations, and whether all scores."""

    rows: int
    problems: int
    explanations: int
    scores: bool


_DETAILS = (
    _Detail(2_000, 1_000, 200, True),
    _Detail(1_000, 100, 20, False),
    _Detail(200, 10, 5, False),
    _Detail(50, 3, 0, False),
)


def markdown_report(document: Mapping[str, Any], limit: int = SUMMARY_LIMIT) -> str:
    """Return a JSON report as Markdown of at most `limit` bytes of UTF-8, with as much detail as that leaves room for."""
    verdict = f"## {_verdict(document)}\n"
    for detail in _DETAILS:
        text = "\n".join([verdict, *_blocks(document, document["suites"], detail)])
        if _size(text) <= limit:
            return text
    return _cut(verdict, _blocks(document, _worst_first(document["suites"]), _DETAILS[-1]), limit)


def _blocks(document: Mapping[str, Any], suites: Iterable[Mapping[str, Any]], detail: _Detail) -> list[str]:
    problems = "\n".join(_problems(document.get("problems", ()), detail.problems))
    return [*([problems] if problems else []), *(_suite(suite, detail) for suite in suites)]


def _size(text: str) -> int:
    return len(text.encode())


def _worst_first(suites: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(suites, key=lambda suite: bool(suite["outcome"] == "ok"))


def _cut(verdict: str, blocks: Sequence[str], limit: int) -> str:
    """Return the verdict and as many blocks as fit, and say how many do not."""
    text, left_out = verdict, 0
    room = limit - 200
    for block in blocks:
        if _size(text) + _size(block) + 1 <= room:
            text += f"\n{block}"
        else:
            left_out += 1
    return f"{text}\n{plural(left_out, 'section')} left out for want of room; the JSON report has everything.\n"


def _verdict(document: Mapping[str, Any]) -> str:
    suites = document["suites"]
    gates = [gate for suite in suites for gate in suite["gates"]]
    bad = sum(_fails(gate) for gate in gates)
    documents = sum(suite["cases"]["total"] for suite in suites)
    broken = sum(suite["cases"]["failed"] for suite in suites)
    word = "✅ passed" if document["passed"] else "❌ FAILED"
    problems = len(document.get("problems", ()))
    if problems and not suites:
        return f"{word}: no suite was run, {plural(problems, 'problem')}"
    return (
        f"{word}: {len(gates) - bad:,} of {plural(len(gates), 'gate')} hold or are informational, "
        f"{documents - broken:,} of {plural(documents, 'document')} valid, {plural(len(suites), 'suite')}"
    )


def _fails(gate: Mapping[str, Any]) -> bool:
    return gate["verdict"] != "passed" and not gate["informational"]


def _suite(suite: Mapping[str, Any], detail: _Detail) -> str:
    cases = suite["cases"]
    mark = "✅" if suite["outcome"] == "ok" else "❌"
    broken = f", {cases['failed']:,} with errors" if cases["failed"] else ""
    place = f" · {_code(_place(suite['config'], suite['line']))}" if suite["config"] else ""
    lines = [
        f"### {mark} {_code(suite['name'])}",
        "",
        f"{_code(suite['task'])} · {plural(cases['total'], 'document')}{broken}{place}",
        "",
    ]
    lines += _gates(suite, detail.rows)
    lines += _problems(suite["problems"], detail.problems)
    lines += _explanations(suite["explanations"], detail.explanations)
    lines += _scores(suite["scores"]) if detail.scores else ()
    return "\n".join(lines)


def _gates(suite: Mapping[str, Any], most: int) -> Iterator[str]:
    gates = sorted(suite["gates"], key=lambda gate: (gate["line"], gate["measure"]))
    if not gates:
        yield from ("No gates: the files are checked, nothing is judged.", "")
        return
    yield "| measure | value | threshold | distance | verdict |"
    yield "|---|--:|--:|--:|---|"
    shown = gates if len(gates) <= most else sorted(gates, key=_fails, reverse=True)[:most]
    yield from map(_row, shown)
    if len(shown) < len(gates):
        yield from ("", f"… and {plural(len(gates) - len(shown), 'more condition')}.")
    yield ""
    reasons = [
        f"{_place(suite['config'], gate['line'])}: {gate['measure']}: {gate['verdict']}: {gate['reason']}"
        for gate in shown
        if gate["verdict"] != "passed"
    ]
    yield from _lines("reason", [printable(reason) for reason in reasons])


def _row(gate: Mapping[str, Any]) -> str:
    value, threshold = gate["value"], gate["threshold"]
    distance = "-" if value is None else f"{value - threshold if gate['condition'] == 'min' else threshold - value:+.4f}"
    mark = "✅" if gate["verdict"] == "passed" else "⚠️" if gate["informational"] else "❌"
    note = " (informational)" if gate["informational"] else ""
    bound = f"{SYMBOLS[gate['condition']]} {threshold:g}"
    return f"| {_code(gate['measure'])} | {number(value)} | {bound} | {distance} | {mark} {gate['verdict']}{note} |"


def _problems(problems: Sequence[Mapping[str, Any]], most: int) -> list[str]:
    """Return the problems, errors first: the first few open, the rest folded."""
    ordered = sorted(problems, key=lambda problem: bool(problem["severity"] != "error"))
    lines = [problem_line(Problem.from_json(problem, problem["path"])) for problem in ordered[:most]]
    return _lines("problem", lines, len(ordered) - len(lines))


def _lines(noun: str, lines: Sequence[str], more: int = 0) -> list[str]:
    """Return lines as they are, the first `OPEN_LINES` open and the others folded."""
    head, tail = lines[:OPEN_LINES], lines[OPEN_LINES:]
    blocks = [*_pre(head)] if head else []
    if tail:
        blocks += _folded(plural(len(tail), f"more {noun}"), _pre(tail))
    if more:
        blocks += [f"… and {plural(more, f'more {noun}')} in the JSON report.", ""]
    return blocks


def _explanations(explanations: Mapping[str, Any], most: int) -> list[str]:
    counts = explanations["counts"]
    if not counts:
        return []
    summary = ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items()))
    shown = [_explanation(entry) for entry in explanations["first"][:most]]
    return _folded(f"explanations: {_code(summary)}", _pre(shown)) if shown else []


def _explanation(entry: Mapping[str, Any]) -> str:
    place = f"line {entry['line']}" if entry["line"] else f"unit {entry['unit']}"
    return printable(f"{entry['case']}, {place}: {entry['reason']}: {entry['message']}")


def _scores(scores: Mapping[str, Mapping[str, Any]]) -> list[str]:
    if all(score["value"] is None for score in scores.values()):
        return []
    rows = [f"| {_code(name)} | {number(score['value'])} |" for name, score in scores.items()]
    return _folded("all scores", ["| measure | value |", "|---|--:|", *rows, ""])


def _folded(summary: str, inner: Iterable[str]) -> list[str]:
    return [f"<details><summary>{summary}</summary>", "", *inner, "</details>", ""]


def _pre(lines: Iterable[str]) -> list[str]:
    """Return printable lines as one element that shows them as they are; in it nothing is Markdown."""
    return ["<pre>", *(html.escape(_short(line), quote=False) for line in lines), "</pre>", ""]


def _short(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"


def _place(config: str, line: int) -> str:
    return f"{config}:{line}"


_MARKUP = re.compile(r"[^\w\s.,:;/=%()'+-]|(?<![^\W_])_|_(?![^\W_])|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)


def _code(text: str) -> str:
    """Return text from a file as an element of one line, in which no character means anything to Markdown or HTML."""
    return f"<code>{_MARKUP.sub(_entity, _short(printable(text)))}</code>"


def _entity(match: re.Match[str]) -> str:
    entity = f"&#{ord(match.group())};"
    return f"{entity}<!-- -->" if match.group() in "@.:" else entity  # links and mentions are also looked for in finished text
