"""What became of the bar between two commits: what is no longer judged, and what else changed in how suites are judged."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from configurations import LISTS, Configured, Files
from loosening import BOUND, FILES, MEANING, NONE, Keys, Weight, loosened_gates, weight_of

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


class Comparison(NamedTuple):
    """What the bar of a run is compared with, and how: `base` names the commit, `severity` is that of a change.

    `expected` are the configurations of whose suites it is told anyway if they are not judged.
    """

    judged: Judged
    base: str
    profile: str | None = None
    severity: Severity = "warning"
    expected: Collection[str] | None = None


def gone(pairs: Pairs, comparison: Comparison) -> Iterator[Problem]:
    """Yield an error for each suite, system and condition of the base commit that is not there any more."""
    for before, after in pairs:
        config, line = (before.config, None) if after is None else (after.config, after.line)
        for name in before.names:
            for message in _losses(name, before, after, comparison):
                yield Problem("action.gone", "error", config, line, None, "", message)


def _losses(name: str, before: Configured, after: Configured | None, comparison: Comparison) -> Iterator[str]:
    judged, base, profile, _, expected = comparison
    if after is None or name not in after.names:
        yield f"the suite {name}, which {before.config} has at {base}, is gone: nothing judges it any more; restore it"
        return
    suite = judged.get((after.config, name))
    if suite is not None:
        for measure, condition, threshold in _missing(before, suite, profile):
            yield f"the gate {measure} ({condition}: {threshold:g}) of {name}, which {base} has, is gone; restore it"
    elif expected is not None and after.config not in expected:
        yield f"the suite {name} of {after.config} is not judged any more: no path that pytest is given leads there now; restore it"
    elif before.config != after.config:
        yield f"the suite {name} was moved from {before.config} to {after.config}, where nothing judges it; move it back"


def _missing(before: Configured, suite: SuiteReport, profile: str | None) -> Iterator[tuple[str, str, float]]:
    judged = {(gate.measure, gate.condition) for gate in suite.gates}
    better = {name: score.better for name, score in suite.scores.items()}
    for (measure, condition), threshold in before.conditions(profile, better).items():
        if (measure, condition) not in judged:
            yield measure, condition, threshold


def changed(pairs: Pairs, comparison: Comparison) -> list[Problem]:
    """Return what is not what it was of the suites that are still there, what loosens most first: settings, and files that judge.

    Profiles that this run does not have come last: many of them must not hide what loosens this run.
    A change that loosens has the code `action.loosened`, any other `action.changed`.
    """
    changes = [change for before, after in pairs if after is not None for change in _changes(before, after, comparison)]
    ordered = sorted(changes, key=lambda change: (change.is_of_another_profile, change.weight.rank, -change.weight.amount))
    return [_problem(change, comparison) for change in ordered]


def behind(of_tip: Pairs, of_base: Pairs, comparison: Comparison) -> list[Problem]:
    """Return what today's entries lack of what the tip of the base branch demands, but not of what the base does.

    The branch of the pull request left the base branch before it demanded that.
    """

    def lacking(pairs: Pairs) -> list[Problem]:
        found = *gone(pairs, comparison), *changed(pairs, comparison)
        return [problem for problem in found if problem.code in ("action.gone", "action.loosened")]

    own = {problem.message for problem in lacking(of_base)}
    return [problem for problem in lacking(of_tip) if problem.message not in own]


class _Change(NamedTuple):
    """What became of an entry: a sentence, the line of the setting, how it weighs, and whether it does not count in this run."""

    after: Configured
    line: int
    sentence: str
    weight: Weight
    is_of_another_profile: bool = False


def _problem(change: _Change, comparison: Comparison) -> Problem:
    code = "action.loosened" if change.weight.loosens else "action.changed"
    message = f"{change.after.name}: {change.sentence}"
    return Problem(code, comparison.severity, change.after.config, change.line, None, "", message)


def _changes(before: Configured, after: Configured, comparison: Comparison) -> Iterator[_Change]:
    base = f"(base: {comparison.base})"
    if before.config != after.config:
        yield _Change(after, after.line, f"was in {before.config} at {comparison.base}", NONE)
    looser: list[Keys] = []
    gates = {_gate_at(keys) for keys in before.settings}
    for keys in (keys for keys in sorted(before.settings.keys() | after.settings.keys()) if _differ(before, after, keys)):
        old, new = before.settings.get(keys), after.settings.get(keys)
        became = _of_lists(old, new, keys[-1]) if keys[-1] in LISTS else _became(old, new)
        line, sentence = after.lines.get(keys, after.line), f"{' '.join(keys)} {became} {base}"
        is_of_new_gate, weight = old is None and _gate_at(keys) not in gates, weight_of(keys, old, new)
        if is_of_new_gate and weight.loosens:
            weight = MEANING  # what it takes from gates that were there is told below, however many are new
        elif weight.loosens and not _is_of_another_profile(keys, comparison):
            looser.append(keys)
        yield _Change(after, line, sentence, weight, _is_of_another_profile(keys, comparison))
    for keys in sorted(before.orders.keys() & after.orders.keys()):
        if sentence := _of_order(before.orders[keys], after.orders[keys]):
            yield _Change(
                after, after.line, f"{' '.join(keys)}: {sentence} {base}", BOUND, _is_of_another_profile(keys, comparison)
            )
    yield from _by_other_entries(before, after, looser, comparison)
    for role in sorted(before.files.keys() | after.files.keys()):
        if sentence := _of_files(role, before.files.get(role, {}), after.files.get(role, {})):
            yield _Change(after, after.line, f"{sentence} {base}", FILES)


def _is_of_another_profile(keys: Keys, comparison: Comparison) -> bool:
    return keys[0] == "profiles" and keys[1:2] != (comparison.profile,)


def _gate_at(keys: Keys) -> Keys:
    """Return the keys that lead to the gate that a setting is of, none if it is of no gate."""
    return keys[: {"gates": 2, "profiles": 3}.get(keys[0], 0)]


def _differ(before: Configured, after: Configured, keys: Keys) -> bool:
    return before.settings.get(keys) != after.settings.get(keys)


def _of_order(old: Sequence[str], new: Sequence[str]) -> str:
    """Return how the order of the patterns that both have changed, the last of which counts; "" if it did not."""
    before, now = ([pattern for pattern in patterns if pattern in old and pattern in new] for patterns in (old, new))
    return "" if before == now else f"the order of patterns was {_list(before)}, is {_list(now)}; the last that matches counts"


def _by_other_entries(before: Configured, after: Configured, looser: Sequence[Keys], comparison: Comparison) -> Iterator[_Change]:
    """Yield the settings of gates that are looser although no setting of that very measure is: by an entry that is new, say.

    `looser` are the settings that were told to be.
    """
    told: set[tuple[str, str]] = set()
    for name in before.names:
        suite = comparison.judged.get((after.config, name))
        better = {measure: score.better for measure, score in suite.scores.items()} if suite else {}
        gates = before.gates(comparison.profile, better), after.gates(comparison.profile, better)
        for measure, condition, became, weight in loosened_gates(*gates):
            is_told = any({measure, condition} <= {*keys} for keys in looser) or (measure, condition) in told
            if not is_told:
                told.add((measure, condition))
                sentence = (
                    f"the gate {measure} {condition} {became}, by another entry that applies to it (base: {comparison.base})"
                )
                yield _Change(after, after.line, sentence, weight)


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
    if new is None:
        return f"was {_short(old)}, and is gone"
    equal = next((rank for rank, (was, now) in enumerate(zip(old, new, strict=False)) if was != now), min(len(old), len(new)))
    start = max(equal - _SHOWN // 4, 0) if max(len(old), len(new)) > _SHOWN else 0
    return f"was {_short(old, start)}, is {_short(new, start)}"


def _short(text: str, start: int = 0) -> str:
    """Return as much of a value as is shown; `start` is where it begins to be of interest."""
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"


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
