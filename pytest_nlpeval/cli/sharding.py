"""Runs past one machine: `run --shard I/N` counts a share of the documents, `merge` judges what all shards have counted."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields

from pytest_nlpeval.cli.commands import judged
from pytest_nlpeval.cli.output import present
from pytest_nlpeval.cli.suites import load_all, store_of
from pytest_nlpeval.cli.usage import EXIT_CODES, UsageError
from pytest_nlpeval.cli.workers import engine_of
from pytest_nlpeval.config.sharding import Shard
from pytest_nlpeval.config.suite import Choices, Suite
from pytest_nlpeval.problems import problem_lines
from pytest_nlpeval.reports import EVIDENCE, ReportTarget
from pytest_nlpeval.reports.blocks import Said, problem_blocks
from pytest_nlpeval.run.evidence_file import evidence_pieces
from pytest_nlpeval.run.merging import counted, read_shards, selection_of
from pytest_nlpeval.run.sharding import Selection
from pytest_nlpeval.runs import Part
from pytest_nlpeval.wording import plural
from pytest_nlpeval.writing import write_atomically


def run_shard(suites: Sequence[Suite], choices: Choices, options: argparse.Namespace) -> int:
    """Count the documents of a shard, write its evidence, tell what is wrong with its files, and return the exit code.

    Nothing is scored or judged: a share of the documents says nothing of the suites.
    """
    shard, target = _shard_and_target(options)
    shares = [shard.share(suite) for suite in suites]
    with (
        closing(store_of(options)) as store,
        engine_of(shares, options.jobs, store, explain=True, digests=True, executor=options.executor) as engine,
    ):
        parts = [engine.merged(share) for share in shares]
    selection = Selection(choices, tuple(options.suites))
    try:
        write_atomically(target.path, evidence_pieces(shard, shares, parts, selection))
    except OSError as error:
        raise UsageError(f"the evidence {target.path} cannot be written: {error.strerror}") from None
    return _told(shares, parts, f"{target.path} written", shard, sum(len(suite.cases) for suite in suites))


def _told(shares: Sequence[Suite], parts: Sequence[Part], written: str, shard: Shard, total: int) -> int:
    """Tell what a shard has counted, and return the exit code."""
    for share, part in zip(shares, parts, strict=True):
        problems = dict.fromkeys(problem for case in part.cases for problem in case.all_problems())
        present([*problem_blocks(problem_lines(problems, share.root))])
    cases = [case for part in parts for case in part.cases]
    wrong = sum(case.outcome != "ok" for case in cases)
    said = f"shard {shard}: {len(cases):,} of {plural(total, 'document')} counted, {wrong:,} with errors"
    present(
        [
            Said(said, "bad" if wrong else "good"),
            Said(f"{written}; `nlpeval merge` judges the gates, from that of all {shard.of} shards"),
        ]
    )
    return max((EXIT_CODES[case.outcome] for case in cases), default=0)


def _shard_and_target(options: argparse.Namespace) -> tuple[Shard, ReportTarget]:
    """Return the shard and the file that its evidence goes to; `UsageError` for anything that a shard cannot do."""
    if options.shard is None:
        raise UsageError("--report evidence:FILE is what a shard writes; add --shard I/N")
    if [target.format for target in options.report] != [EVIDENCE] or options.report[0].is_stdout:
        raise UsageError("--shard needs --report evidence:FILE, and no other report: `nlpeval merge` writes the reports")
    for name in ("open", "since", "save_baseline"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is of a whole run; give it to `nlpeval merge`")
    return options.shard, options.report[0]


def merge(options: argparse.Namespace) -> int:
    """Judge the gates of a run whose documents its shards have counted."""
    files = read_shards(options.parts)
    options.paths, selection = selection_of(files)
    options.suites = list(selection.suites)
    choices = {field.name: getattr(selection.choices, field.name) for field in fields(selection.choices)}
    merged = counted(files, load_all(options, options.parts, root=selection.root, **choices), selection)
    return judged([suite for suite, _ in merged], options, [part for _, part in merged])
