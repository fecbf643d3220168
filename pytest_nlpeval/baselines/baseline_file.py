"""The source of all other references: a file of stored evidence, comparable while the circumstances are what they were.

Where gold changed, what both golds ask and answer alike is compared.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from pytest_nlpeval.baselines.checkout import with_facts
from pytest_nlpeval.baselines.circumstances import circumstances_of, difference, with_unchanged
from pytest_nlpeval.baselines.git import GitError, Repository
from pytest_nlpeval.baselines.names import names_of
from pytest_nlpeval.baselines.stored import read_baseline
from pytest_nlpeval.config.suite import Baseline, Case, File, Kept, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import FILE_KINDS, read_source
from pytest_nlpeval.problems import NlpevalError, NoAnswerError, ProblemLog
from pytest_nlpeval.runs import Evaluate, Run, misfit


def run_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    """Return the run of a suite that a baseline file holds; without evidence, and with the reason, if it cannot be compared."""
    source = baseline.text
    try:
        runs = read_baseline(baseline.file, baseline.root) if baseline.file else {}
    except NlpevalError as error:
        return Run(source, reason="; ".join([*map(str, error.problems), _cure(suite)]))
    stored = next((runs[name] for name in suite.names if name in runs), None)
    if stored is None or stored.evidence is None:
        return Run(source, reason=f"the suite is new: {source} does not have it", is_new=True, former=_former_name(suite, runs))
    facts, golds = difference(stored, suite)
    if facts:
        return Run(source, reason=f"{source} is not comparable: {'; '.join(facts)}; to accept it: `{suite.acceptance}`")
    if reason := misfit(suite, stored.evidence):
        return Run(source, reason=f"{source}: baseline.invalid: {reason}; {_cure(suite)}")
    today, documents = {case.name for case in suite.cases}, set(stored.evidence.documents)
    run = replace(
        with_unchanged(_of_today(stored, suite, golds, evaluate), suite),
        source=source,
        added=tuple(sorted(today - documents)),
        vanished=tuple(sorted(documents - today)),
    )
    return _with_facts(replace(run, reason=run.why_none if golds else ""), suite)


def _cure(suite: Suite) -> str:
    """Return how a baseline file that cannot be used is replaced."""
    return f"`{suite.acceptance}` writes it, or a run with `--save-baseline`"


def _with_facts(run: Run, suite: Suite) -> Run:
    """Return a run with what the suite's repository tells of the commit at which the file was written, if it has that."""
    if not run.commit or suite.config is None:
        return run
    try:
        return with_facts(run, Repository.around(suite.config.parent))
    except GitError:
        return run
    except NoAnswerError as error:
        return Run(run.source, reason=f"{run.source}: {error}")


def _of_today(stored: Run, suite: Suite, golds: Collection[str], evaluate: Evaluate) -> Run:
    """Return a stored run over today's documents; of those in `golds`, whose gold changed, over what both golds ask and answer alike."""
    parts = {part.documents[0]: part for part in stored.evidence.split()} if stored.evidence else {}
    cases = [
        Case(case.name, _gold_side(suite, case), _kept(stored, parts[case.name])) for case in suite.cases if case.name in golds
    ]
    again = evaluate(replace(suite, cases=tuple(cases))) if cases else Run("")
    tables = [parts[case.name] for case in suite.cases if case.name in parts.keys() - golds]
    tables += [again.evidence] if again.evidence else []
    return replace(
        stored,
        evidence=Evidence.merge(tables) if tables or not cases else None,
        wrong={**(stored.wrong or {}), **(again.wrong or {})},
        failures=again.failures,
        gold_changes=again.gold_changes,
    )


def _gold_side(suite: Suite, case: Case) -> dict[str, File]:
    return {role: file for role, file in case.files.items() if suite.recipe.task.role(role).side == "gold"}


def _kept(stored: Run, part: Evidence) -> Kept:
    (name,) = part.documents
    return Kept(part, (stored.wrong or {}).get(name, Explanations()), stored.items[name])


def _former_name(suite: Suite, runs: Mapping[str, Run]) -> str:
    """Return the name under which a file has results on the gold of a suite that is new by its name; "" if it has none.

    The name of a suite that there still is does not count.
    """
    source = read_source(suite.config, ProblemLog("", FILE_KINDS)) if suite.config else None
    names = names_of(source.data) if source else frozenset()
    golds = set(circumstances_of(suite).gold.items())
    return next((name for name, run in runs.items() if name not in names and _is_on(run, suite.recipe.task.name, golds)), "")


def _is_on(run: Run, task: str, golds: Collection[tuple[str, str]]) -> bool:
    """Whether a run is of a task, and on one of these documents and digests of gold files."""
    circumstances = run.circumstances
    return circumstances is not None and circumstances.task == task and not circumstances.gold.items().isdisjoint(golds)
