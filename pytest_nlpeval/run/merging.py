"""Merges the evidence of shards: all shards of one run, each once, and of what there is today; anything else is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pytest_nlpeval.baselines.circumstances import digest_now
from pytest_nlpeval.config.sharding import Shard
from pytest_nlpeval.config.suite import Case, File, Suite
from pytest_nlpeval.files import git_folder, is_inside, json_schema
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.counting import united
from pytest_nlpeval.run.evidence_file import ShardFile, evidence_log, part_of, read_evidence
from pytest_nlpeval.run.sharding import Selection, differences, facts_of, settings_of
from pytest_nlpeval.runs import CaseResult, Part
from pytest_nlpeval.wording import plural

MOST_NAMED = 3


def read_shards(paths: Sequence[Path]) -> list[ShardFile]:
    """Return the evidence files of all shards of a run, in the order of the shards.

    Raises:
        NlpevalError: with all that is wrong with them: a file that is none, a shard that is missing or there twice, one of another run.
    """
    problems: list[Problem] = []
    files: list[ShardFile] = []
    for path in paths:
        log = evidence_log(str(path))
        file = read_evidence(path, log)
        files += [file] if file else []
        problems += log.problems()
    if not problems:
        problems += [*_foreign(files), *_twice(files)]
    problems += () if problems else _missing(files)
    if problems:
        raise NlpevalError(tuple(problems))
    return sorted(files, key=lambda file: file.shard)


def _foreign(files: Sequence[ShardFile]) -> Iterator[Problem]:
    first = files[0]
    for file in files[1:]:
        facts = differences(file.facts, first.facts)
        if file.shard.of != first.shard.of:
            facts.insert(0, f"the shard {file.shard} beside {first.shard}")
        if facts:
            message = f"is of another run than {first.label}: {'; '.join(facts)}; merge the shards of one run"
            yield _problem("shard.foreign", file, message)


def _twice(files: Sequence[ShardFile]) -> Iterator[Problem]:
    by_shard: dict[Shard, ShardFile] = {}
    for file in files:
        first = by_shard.setdefault(file.shard, file)
        if first is not file:
            yield _problem("shard.twice", file, f"is the shard {file.shard}, as {first.label} is; give one of the two")


def _missing(files: Sequence[ShardFile]) -> Iterator[Problem]:
    of = files[0].shard.of
    lacking = sorted({*range(1, of + 1)} - {file.shard.number for file in files})
    if lacking:
        names = ", ".join(f"{number}/{of}" for number in lacking[:MOST_NAMED]) + (", …" if len(lacking) > MOST_NAMED else "")
        message = f"{plural(len(lacking), 'shard')} of {of} missing: {names}; give the evidence of all"
        yield Problem("shard.missing", "error", "", None, None, "", message)


def selection_of(files: Sequence[ShardFile]) -> tuple[list[Path], Selection]:
    """Return the configurations of a run, and what the user chose for it.

    Raises:
        NlpevalError: if a configuration is not here, or if the rootdir of pytest lies outside the repository of here.
    """
    facts, here = files[0].facts, Path.cwd()
    root = facts["arguments"]["root"]
    if root is not None and not is_inside(root, git_folder(here) or here.resolve()):
        message = f"pytest's rootdir was {root}, outside the repository of here; merge in the folder in which the shards ran"
        raise NlpevalError((_problem("shard.foreign", files[0], message),))
    if not is_fit(facts["arguments"]["statistics"]):
        raise NlpevalError(
            (_problem("shard.invalid", files[0], "has statistics that no configuration may have; run the shards again"),)
        )
    configs = [Path(path) for path, _ in facts["configurations"]]
    lacking = [path for path in configs if not path.is_file()]
    if lacking:
        message = f"its configuration {lacking[0]} is not here; merge in the folder in which the shards ran, at the same commit"
        raise NlpevalError((_problem("shard.foreign", files[0], message),))
    return configs, Selection.from_json(facts["arguments"])


def is_fit(statistics: Mapping[str, Any]) -> bool:
    """Whether a configuration may have these statistics."""
    from jsonschema import Draft202012Validator

    schema = json_schema("nlpeval.schema.json")["properties"]["defaults"]["properties"]["statistics"]
    return Draft202012Validator(schema).is_valid(statistics)


class Counted(NamedTuple):
    """A suite whose files have the digests that the shards tell, and what the shards have counted of it."""

    suite: Suite
    part: Part


def counted(files: Sequence[ShardFile], suites: Sequence[Suite], selection: Selection) -> list[Counted]:
    """Return each suite with what became of all its documents, from the files of all shards.

    Raises:
        NlpevalError: if anything that the evidence depends on is not what it was for the shards.
    """
    facts = differences(files[0].facts, facts_of(suites, selection))
    if facts:
        message = f"its run was another than here: {'; '.join(facts)}; merge at the commit, and in the environment, of the shards"
        raise NlpevalError((_problem("shard.foreign", files[0], message),))
    configs = list(dict.fromkeys(suite.config for suite in suites))
    problems: list[Problem] = []
    merged: list[Counted] = []
    for suite in suites:
        parts: list[Part] = []
        for file in files:
            result = _part(file, suite, (configs.index(suite.config), suite.name))
            if isinstance(result, Problem):
                problems.append(result)
            else:
                parts.append(result)
        if len(parts) == len(files):
            whole = united(suite.recipe, suite.cases, parts)
            problems += _changed(suite, whole)
            merged.append(Counted(_with_digests(suite, whole), whole))
    if problems:
        raise NlpevalError(tuple(problems))
    return merged


def _part(file: ShardFile, suite: Suite, key: tuple[int, str]) -> Part | Problem:
    """Return what a shard has counted of a suite, or why that cannot be used."""
    share, data = file.shard.share(suite), file.suites.get(key)
    if data is None:
        return _problem("shard.changed", file, f"does not have the suite {suite.name}; run the shard again")
    if data["settings"] != settings_of(suite.recipe):
        return _problem(
            "shard.changed", file, f"has {suite.name} with other options, rules or code of its task; run the shard again"
        )
    names = [case.name for case in share.cases]
    if data["documents"] != names:
        odd = sorted({*data["documents"]} ^ {*names})
        told = f": {', '.join(odd[:MOST_NAMED])}{', …' if len(odd) > MOST_NAMED else ''}" if odd else ""
        message = (
            f"has {plural(len(data['documents']), 'document')} of {suite.name}, and the shard {file.shard} has {len(names)} here; "
            f"they differ{told}; merge where the files are what they were for the shards, or run all shards again"
        )
        return _problem("shard.changed", file, message)
    try:
        return part_of(share, data)
    except ValueError as error:
        return _problem("shard.invalid", file, f"was not written by this program ({error}); run the shard again")


def _problem(code: str, file: ShardFile, message: str) -> Problem:
    return Problem(code, "error", file.label, None, None, "", message)


def _changed(suite: Suite, whole: Part) -> Iterator[Problem]:
    """Yield a problem for each file of a suite that is not what a shard read; beyond a few, how many there are.

    The system's files may be elsewhere, all of them: shards that make them need not bring them.
    """
    side_of = {role.name: role.side for role in suite.recipe.task.roles}
    results = {result.name: result for result in whole.cases}
    today: dict[str, str] = {}
    changed: list[tuple[File, str]] = []
    elsewhere: list[File] = []
    are_here = False
    for case in suite.cases:
        for role, file in case.files.items():
            digest = today.get(file.path)
            if digest is None:
                digest = today[file.path] = digest_now(file, suite.recipe.root)
            before = results[case.name].digests.get(role, "")
            are_here |= side_of[role] == "system" and bool(digest)
            if digest == before:
                continue
            if not digest and side_of[role] == "system":
                elsewhere.append(file)
            else:
                what = "is not there any more" if not digest else "is new" if not before else "changed"
                changed.append((file, f"{what} since a shard counted it"))
    if are_here:
        changed += ((file, "is not here, where other files of the system are") for file in elsewhere)
    for file, what in changed[:MOST_NAMED]:
        yield Problem("shard.changed", "error", file.label, None, None, suite.name, f"{what}; run all shards again")
    if len(changed) > MOST_NAMED:
        message = f"and {plural(len(changed) - MOST_NAMED, 'more file')} of {suite.name} changed"
        yield Problem("shard.changed", "error", suite.label, suite.line or None, None, "", message)


def _with_digests(suite: Suite, whole: Part) -> Suite:
    """Return a suite whose files have the digests of what the shards read, so that nobody need read them once more."""
    results: Mapping[str, CaseResult] = {result.name: result for result in whole.cases}
    cases = (replace(case, files=_digested(case, results[case.name])) for case in suite.cases)
    return replace(suite, cases=tuple(cases))


def _digested(case: Case, result: CaseResult) -> dict[str, File]:
    return {role: replace(file, digest=result.digests.get(role, "")) for role, file in case.files.items()}
