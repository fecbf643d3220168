"""The past of a suite: the commits that changed its system's files, with today's gold; remembered, or scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_nlpeval.baselines.git import Commit, Repository
from pytest_nlpeval.baselines.git_revision import places_of, repository_of
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.run.history import History
from pytest_nlpeval.run.remembered_history import memory_of
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Evaluate


def history_of(
    suite: Suite, evaluate: Evaluate, store: EvidenceStore | None, wanted: Sequence[str] = (), *, last: int, since: str = ""
) -> History:
    """Return the scores of a suite over the last commits on the first parent's line that changed its system's files.

    With `since`, the first point is the state at that commit. No document is evaluated twice with the same files, and nothing is if the
    store has the whole history.

    Raises:
        GitError: if there is no repository, no commit, or not the one of `since`; with what to do.
    """
    repository = repository_of(suite)
    commits = _commits(suite, repository, since)
    memory = memory_of(suite, commits, wanted, last, store)
    history = memory.recalled() if memory else None
    if history is None:
        from pytest_nlpeval.run.scored_commits import scored, states_of  # which need NumPy

        states = states_of(suite, repository, commits, last)
        history = scored(suite, memory.watched(states) if memory else states, evaluate, store, wanted)
        if memory and memory.lasts(history):
            is_of_same_gold = memory == memory_of(suite, commits, wanted, last, store)  # somebody may have written meanwhile
            if is_of_same_gold:
                memory.keep(history)
    first = history.points[0].commit.name if history.points else ""
    return replace(history, cut=first) if first and repository.is_cut_at(first) else history


def _commits(suite: Suite, repository: Repository, since: str) -> list[Commit]:
    """Return the commits that may have changed the suite, the newest first, and that of `since` at the end."""
    base = repository.commit(since) if since else ""
    changed = repository.commits(places_of(suite, repository), since=base)
    return [*changed, *(repository.commits(head=base, last=1) if base else ())]
