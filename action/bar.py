"""What became of the bar between two commits: what is no longer judged, and what else changed in how suites are judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from configurations import LISTS, Configured, Files

from pytest_nlpeval.problems import Problem, Severity
from pytest_nlpeval.reports.model import SuiteReport
from pytest_nlpeval.wording import plural

_SHOWN = 80
_MOST_NAMES = 20

Judged = Mapping[tuple[str, str], SuiteReport]
"""The suites of a report, by the path of the configuration from the top of the repository, and by name."""

Pairs = Iterable[tuple[Configured, Configured | None]]
"""Each entry of the base commit with today's, None if there is none today."""


def paired(before: Sequence[Configured], after: Sequence[Configured]) -> list[tuple[Configured, Configured | None]]:
    """Join each entry of `before` with the one of `after` at the same path, or else with a new one of the same name and task."""
    at_path = {(entry.config, entry.name): entry for entry in after}
    names = {(entry.config, entry.name) for entry in before}
    new = [entry for entry in after if (entry.config, entry.name) not in names]
    pairs: list[tuple[Configured, Configured | None]] = []
    for entry in before:
        partner = at_path.get((entry.config, entry.name))
        if partner is None:
            partner = next((moved for moved in new if (moved.name, moved.task) == (entry.name, entry.task)), None)
            new = [moved for moved in new if moved is not partner]  # an entry moves from one place only
        pairs.append((entry, partner))
    return pairs


def gone(pairs: Pairs, judged: Judged, base: str, profile: str | None) -> Iterator[Problem]:
    """Yield an error for each suite, system and condition of the base commit that is not there any more. `base` names the commit."""
    for before, after in pairs:
        config, line = (before.config, None) if after is None else (after.config, after.line)
        for name in before.names:
            for message in _losses(name, before, after, judged, base, profile):
                yield Problem("action.gone", "error", config, line, None, "", message)


def _losses(
    name: str, before: Configured, after: Configured | None, judged: Judged, base: str, profile: str | None
) -> Iterator[str]:
    if after is None or name not in after.names:
        yield f"the suite {name}, which {before.config} has at {base}, is gone: nothing judges it any more; restore it"
        return
    suite = judged.get((after.config, name))
    if suite is not None:
        for measure, condition, threshold in _missing(before, suite, profile):
            yield f"the gate {measure} ({condition}: {threshold:g}) of {name}, which {base} has, is gone; restore it"
    elif before.config != after.config:
        yield f"the suite {name} was moved from {before.config} to {after.config}, where nothing judges it; move it back"


def _missing(before: Configured, suite: SuiteReport, profile: str | None) -> Iterator[tuple[str, str, float]]:
    judged = {(gate.measure, gate.condition) for gate in suite.gates}
    better = {name: score.better for name, score in suite.scores.items()}
    for (measure, condition), threshold in before.conditions(profile, better).items():
        if (measure, condition) not in judged:
            yield measure, condition, threshold


def changed(pairs: Pairs, base: str, severity: Severity) -> Iterator[Problem]:
    """Yield each setting that is not what it was, and each file that judges and is not what it was, of the suites that are still there."""
    for before, after in pairs:
        if after is None:
            continue
        if before.config != after.config:
            yield _change(after, after.line, f"was in {before.config} at {base}", severity)
        for keys in sorted(before.settings.keys() | after.settings.keys()):
            old, new = before.settings.get(keys), after.settings.get(keys)
            if old != new:
                line = after.lines.get(keys, after.line)
                became = _of_lists(old, new, keys[-1]) if keys[-1] in LISTS else _became(old, new)
                yield _change(after, line, f"{' '.join(keys)} {became} (base: {base})", severity)
        for role in sorted(before.files.keys() | after.files.keys()):
            if sentence := _of_files(role, before.files.get(role, {}), after.files.get(role, {})):
                yield _change(after, after.line, f"{sentence} (base: {base})", severity)


def _change(after: Configured, line: int, message: str, severity: Severity) -> Problem:
    return Problem("action.changed", severity, after.config, line, None, "", f"{after.name}: {message}")


def _of_lists(old: str | None, new: str | None, key: str) -> str:
    """Return how many units came to a list and went, `+2 -0 known failures`, or what else became of it."""
    before, now = (json.loads(text) if text else None for text in (old, new))
    if not (isinstance(before, list) and isinstance(now, list)):
        return _became(old, new)
    word = {"must_pass": "units that must pass"}.get(key, "known failures")
    return f"changed: +{len(set(now) - set(before))} \N{MINUS SIGN}{len(set(before) - set(now))} {word}"


def _became(old: str | None, new: str | None) -> str:
    if old is None:
        return f"is new: {_short(str(new))}"
    return f"was {_short(old)}, and is gone" if new is None else f"was {_short(old)}, is {_short(new)}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _of_files(role: str, old: Files, new: Files) -> str:
    """Return which files of a role changed, came or went; "" if none did."""
    sorts = {
        "changed": [path for path in sorted(old.keys() & new.keys()) if old[path] != new[path]],
        "new": sorted(new.keys() - old.keys()),
        "gone": sorted(old.keys() - new.keys()),
    }
    parts = [f"{plural(len(paths), 'file')} {word} ({_list(paths)})" for word, paths in sorts.items() if paths]
    return f"{role}: {', '.join(parts)}" if parts else ""


def _list(paths: Sequence[str]) -> str:
    return ", ".join(paths[:_MOST_NAMES]) + (f", … {len(paths) - _MOST_NAMES:,} more" if len(paths) > _MOST_NAMES else "")
