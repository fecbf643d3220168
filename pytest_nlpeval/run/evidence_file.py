"""Evidence files: what a shard of a run has counted, for the merge (schemas/evidence.schema.json).

A file is a JSON document of plain values. Its last line is a digest of all others, so that a file that was cut or damaged is known for it.
The digest is no signature: whoever may write the file may write another one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_nlpeval.baselines.shapes import of_each_shape
from pytest_nlpeval.config.sharding import Shard
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import FILE_KINDS, Source, json_schema, read_source
from pytest_nlpeval.formats.json import Dialect, read_json
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.case import entry_of, results_of
from pytest_nlpeval.run.shard_kinds import SHARD_KINDS
from pytest_nlpeval.run.sharding import Selection, facts_of, settings_of
from pytest_nlpeval.runs import Part, misfit
from pytest_nlpeval.wording import quoted

VERSION = 1

_DIALECT = replace(Dialect.of("shard.invalid"), text="", greatest=2**63)
"""A document may be called like a file whose name is not UTF-8."""

_CURE = "write it anew: a run with `--shard I/N --report evidence:FILE`"


def evidence_pieces(shard: Shard, suites: Sequence[Suite], parts: Sequence[Part], selection: Selection) -> Iterator[str]:
    """Yield the evidence file of a shard in pieces: `parts` are what became of the documents of `suites`, with explanations and digests."""
    facts = facts_of(suites, selection)
    configs = list(dict.fromkeys(suite.config for suite in suites))
    digest = hashlib.sha256()
    head = f'{{"version": {VERSION},\n"shard": {json.dumps(shard)},\n"run": {json.dumps(facts)},\n"suites": ['
    for place, (suite, part) in enumerate(zip(suites, parts, strict=True)):
        entry = {"configuration": configs.index(suite.config), "name": suite.name, **_entry(suite, part)}
        piece = f"{'' if place else head}{',' if place else ''}\n{json.dumps(entry)}"
        digest.update(piece.encode())
        yield piece
    end = f"{'' if suites else head}],\n"
    digest.update(end.encode())
    yield f'{end}"sha256": "{digest.hexdigest()}"}}\n'


def _entry(suite: Suite, part: Part) -> dict[str, Any]:
    """Return what is kept of a suite's documents: they are in the suite's order, which is that of their names."""
    by_name = {case.name: case for case in part.cases}
    cases = tuple(by_name[case.name] for case in suite.cases)
    return {
        "settings": settings_of(suite.recipe),
        "documents": [case.name for case in cases],
        "files": [case.digests for case in cases],
        **entry_of(Part(cases, part.evidence)),
    }


@light_dataclass(frozen=True, slots=True)
class ShardFile:
    """An evidence file that was read: what messages call it, its shard, what it has in common with others of its run, and its suites.

    The suites are as the schema says, by the place of their configuration and their name.
    """

    label: str
    shard: Shard
    facts: Mapping[str, Any]
    suites: Mapping[tuple[int, str], Mapping[str, Any]]


def read_evidence(path: Path, log: ProblemLog) -> ShardFile | None:
    """Return the content of an evidence file; None after logging all that is wrong with it."""
    if path.is_dir():
        log.add("file.not-regular", f"is a folder; name the evidence files of all shards in it, such as {path}/*.json")
        return None
    source = read_source(path, log)
    if source is None or not _is_intact(source, log):
        return None
    entry = read_json(source, log, _DIALECT)
    if entry is None:
        return None
    from jsonschema import Draft202012Validator

    data = entry.value
    for error in Draft202012Validator(json_schema("evidence.schema.json")).iter_errors(_without_repetition(data)):
        log.add("shard.invalid", f"{quoted(error.message, 200)}; {_CURE}", where=".".join(map(str, error.absolute_path)))
    if log.has_errors:
        return None
    shard = Shard(*map(int, data["shard"]))  # to the schema 2.0 is an integer, too
    if shard.number > shard.of:
        log.add("shard.invalid", f"there is no shard {shard}; {_CURE}")
        return None
    suites = {(suite["configuration"], suite["name"]): suite for suite in data["suites"]}
    return ShardFile(log.path, shard, data["run"], suites)


_LONG = ("documents", "files", "problems", "explanations")
"""The lists of a suite that have an entry for each document."""


def _without_repetition(data: Any) -> Any:
    """Return the content of a file whose long lists have one entry of each shape: of 10,000 documents jsonschema would take seconds.

    The schema says nothing that two values of one shape do not share.
    """
    suites = data.get("suites") if isinstance(data, dict) else None
    if not isinstance(suites, list):
        return data
    return {**data, "suites": [_brief_suite(suite) if isinstance(suite, dict) else suite for suite in suites]}


def _brief_suite(suite: Mapping[str, Any]) -> dict[str, Any]:
    evidence = suite.get("evidence")
    brief = {name: of_each_shape(suite[name]) for name in _LONG if name in suite}
    if isinstance(evidence, dict):
        brief["evidence"] = {name: value if name == "columns" else of_each_shape(value) for name, value in evidence.items()}
    return {**suite, **brief}


def evidence_log(label: str) -> ProblemLog:
    """Return a log for what is wrong with an evidence file."""
    return ProblemLog(label, {**FILE_KINDS, **text_kinds("off"), **SHARD_KINDS})


def _is_intact(source: Source, log: ProblemLog) -> bool:
    """Whether the last line of a file is the digest of the others."""
    start = source.data.rstrip(b"\n").rfind(b"\n") + 1
    last = source.data[start:]
    digest = f'"sha256": "{hashlib.sha256(source.data[:start]).hexdigest()}"}}\n'.encode()
    if last == digest:
        return True
    if b'"shard"' in source.data[:200]:
        log.add("shard.invalid", f"was cut or changed: it does not have the digest of its last line; bring it again, or {_CURE}")
    else:
        log.add("shard.invalid", f"is not the evidence of a shard; {_CURE}")
    return False


def part_of(suite: Suite, data: Mapping[str, Any]) -> Part:
    """Return what became of a shard's documents of a suite, whose cases are these documents.

    Raises:
        ValueError: if it is not what this program writes.
    """
    try:
        results = results_of(suite.recipe, suite.cases, {"problems": data["problems"], "explanations": data["explanations"]})
        evidence = Evidence.from_json(data["evidence"]) if data["evidence"] else None
        results = tuple(replace(result, digests=files) for result, files in zip(results, data["files"], strict=True))
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None
    strange = {role for result in results for role in (*result.problems, *result.digests)} - {
        role for case in suite.cases for role in case.files
    }
    if strange:
        raise ValueError(f"there are files of the role {min(strange)}, which the suite does not have")
    may_have_none = suite.judged_by_test or suite.only_validates  # files of some role were not given
    counted, documents = (
        sorted(result.name for result in results if result.outcome == "ok"),
        list(evidence.documents if evidence else ()),
    )
    if documents != counted and (documents or not may_have_none):
        raise ValueError("there is evidence of other documents than those without errors")
    if evidence and (reason := misfit(suite, evidence)):
        raise ValueError(reason)
    return Part(results, evidence)
