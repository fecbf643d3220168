"""What one pytest process has worked out: the suites of configurations, parts of their cases, and results; each of them once.

The engine is imported when it is needed: xdist's controller, which collects and scores nothing, starts its workers sooner without it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_nlpeval.config.suite import Case, Choices, Suite
from pytest_nlpeval.pytest_plugin.options import Options
from pytest_nlpeval.pytest_plugin.progress import Progress
from pytest_nlpeval.pytest_plugin.sharing import Shared
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.run.store_folder import NotAStoreError, UnfitStoreError
from pytest_nlpeval.runs import Part
from pytest_nlpeval.shelf import Gathered
from pytest_nlpeval.writing import temporary_folder

if TYPE_CHECKING:
    from pytest_nlpeval.config.checks import ConfigError
    from pytest_nlpeval.gates import Gate

Batch = tuple[Case, ...]


class _Key(NamedTuple):
    """A suite of the run, explained or not."""

    config: Path | None
    suite: str
    explain: bool


class LeftToTests(NamedTuple):
    """A suite that is left to tests: its configuration, its name, what messages call the configuration, and its line there."""

    config: str
    suite: str
    label: str
    line: int


class State:
    """The state of one process of a run, the controller's or a worker's. Files lie below `root`, by default the rootdir.

    Without `stores` it has no evidence store.
    """

    def __init__(self, config: pytest.Config, *, stores: bool = True, root: Path | None = None) -> None:
        self.options = Options.of(config)
        self.root = root or config.rootpath
        self._input: dict[str, str] = getattr(config, "workerinput", {})
        self.store_warning = ""
        self.store = self._store_of(config) if stores else None
        folder = self._input.get("nlpeval_shared")
        self._shared = Shared(Path(folder) if folder else None)
        self._removing = ExitStack()
        self._suites: dict[Path, list[Suite] | ConfigError] = {}
        self._batches: dict[_Key, list[Batch]] = {}
        self._parts: dict[str, Part] = {}
        self._whole: dict[_Key, Part] = {}
        self._results: dict[_Key, SuiteResult] = {}
        self._gathered: dict[_Key, Gathered] = defaultdict(Gathered)
        self._progress = Progress(config)
        self.left_to_tests: set[LeftToTests] = set()

    def _store_of(self, config: pytest.Config) -> EvidenceStore | None:
        """Return the evidence store: under xdist the controller's, else one in pytest's cache; None if that is not to be used."""
        if self._input:
            folder = self._input["nlpeval_store"]
            return EvidenceStore(Path(folder)) if folder else None
        cache = getattr(config, "cache", None)
        if cache is not None and not self.options.no_cache:
            try:
                return EvidenceStore.at(Path(cache.mkdir("nlpeval")))
            except UnfitStoreError as error:
                self.store_warning = f"no evidence store: {error}"
            except NotAStoreError as error:
                self.store_warning = f"no evidence store: pytest's cache holds other files in nlpeval ({error}); remove them"
            except OSError:  # a cache that cannot be written costs speed, never a result; pytest itself warns
                pass
        return None

    def for_worker(self, *, share: bool) -> dict[str, str]:
        """Return a worker's input: who controls it, the store's folder and, with `share`, the folder in which processes share parts."""
        if share and self._shared.folder is None:
            with suppress(OSError):
                self._shared = Shared(self._removing.enter_context(temporary_folder()))
        shared = self._shared.folder if share else None
        store, making = self.store.folder if self.store else None, self.options.produce
        return {
            "nlpeval_controller": str(os.getpid()),
            "nlpeval_store": str(store or ""),
            "nlpeval_shared": str(shared or ""),
            "nlpeval_run": making.run if making else "",
        }

    def suites(self, path: Path) -> list[Suite]:
        """Return the suites of a configuration that the options choose, with the documents of the shard, if one is to be counted.

        Raises:
            ConfigError: with every mistake in it.
        """
        from pytest_nlpeval.config.selection import chosen

        suites, shard = chosen(self.every_suite(path), self.options.suites), self.options.shard
        return [shard.share(suite) for suite in suites] if shard else suites

    def every_suite(self, path: Path) -> list[Suite]:
        """Return the suites of a configuration.

        Raises:
            ConfigError: with every mistake in it.
        """
        from pytest_nlpeval.config.checks import ConfigError

        if path not in self._suites:
            try:
                self._suites[path] = self.load(path)
            except ConfigError as error:
                self._suites[path] = error
        suites = self._suites[path]
        if isinstance(suites, ConfigError):
            raise suites
        return suites

    def load(self, path: Path) -> list[Suite]:
        """Return the suites of a configuration as its files are now.

        Raises:
            ConfigError: with every mistake in it.
        """
        from pytest_nlpeval.config.file import load_suites

        chosen = self.choices
        return load_suites(path, root=self.root, **{choice.name: getattr(chosen, choice.name) for choice in fields(chosen)})

    @property
    def choices(self) -> Choices:
        """What the options choose in place of what configurations say."""
        given = self.options
        return Choices(
            given.profile,
            given.informational,
            given.baseline,
            given.default_baseline,
            given.statistics,
            given.outside,
            given.produce,
        )

    def batches(self, suite: Suite) -> list[Batch]:
        """Return the cases of a suite in batches, the same ones in all processes of a run."""
        from pytest_nlpeval.run.engine import batches

        key = self._key(suite)
        if key not in self._batches:
            self._batches[key] = list(batches(suite.cases))
        return self._batches[key]

    def part(self, suite: Suite, batch: Batch) -> Part:
        """Return what became of a batch of a suite's cases."""
        return self._part(suite, batch, self._key(suite))

    def result(self, suite: Suite, *, explain: bool = False) -> SuiteResult:
        """Return the result of a whole suite, with explanations if `explain`, or if a report will want them."""
        key = self._key(suite, explain=explain)
        if key not in self._results:
            with self._progress.of(suite.name, len(suite.cases)):
                whole = self._counted(suite, key)  # before anybody waits: processes count together, and one of them scores
                work = partial(self._scored, suite, key, whole)
                self._results[key] = self._shared.worked_out(_name(key), SuiteResult, work, _had_by_all(suite, whole))
        return self._results[key]

    def _scored(self, suite: Suite, key: _Key, whole: Part) -> SuiteResult:
        """Return the result of a suite whose cases are counted."""
        from pytest_nlpeval.run.engine import Engine

        engine = Engine(
            None,
            self.store,
            key.explain,
            lambda _: self._progress.tell,
            only_gated=not key.explain,
            only_reported=self.options.only_reports,
        )
        plain = self._results.get(self._key(suite))
        return engine.explained(plain, whole) if plain else engine.evaluate(suite, whole)

    def counted(self, suite: Suite) -> Part:
        """Return what became of all cases of a suite, before their groups are known."""
        from pytest_nlpeval.run.counting import united

        return united(suite.recipe, suite.cases, [self.part(suite, batch) for batch in self.batches(suite)])

    def gates(self, suite: Suite) -> tuple[Gate, ...]:
        """Return the gates of a suite, of a share none; if only its files tell them, these are counted, but not scored."""
        from pytest_nlpeval.run.conclusion import gates_to_judge, known_gates

        if self.options.shard:
            return ()
        if not suite.gates_depend_on_files:
            return known_gates(suite)
        with self._progress.of(suite.name, len(suite.cases)):
            return gates_to_judge(suite, self._counted(suite, self._key(suite)))

    def _counted(self, suite: Suite, key: _Key) -> Part:
        """Return what became of all cases of a suite."""
        from pytest_nlpeval.run.engine import Engine

        if key not in self._whole:
            engine = Engine(progress=lambda _: self._progress.tell, only_reported=self.options.only_reports)
            self._whole[key] = engine.count(suite, self._all_parts(suite, key))
        return self._whole[key]

    def _all_parts(self, suite: Suite, key: _Key) -> Iterator[Part]:
        """Yield what became of all batches, first of those that no other process has begun: so the processes divide the work."""
        others = []
        for batch in self.batches(suite):
            if self._shared.claim(_name(key, batch[0].name, batch[-1].name)):
                yield self._part(suite, batch, key)
            else:
                others.append(batch)
        yield from (self._part(suite, batch, key) for batch in others)

    def _key(self, suite: Suite, *, explain: bool = False) -> _Key:
        from pytest_nlpeval.run.engine import is_produced

        explain |= bool(self.options.targets or self.options.shard) or is_produced(suite)
        return _Key(suite.config, suite.name, explain)

    def _part(self, suite: Suite, batch: Batch, key: _Key) -> Part:
        name = _name(key, batch[0].name, batch[-1].name)
        if name not in self._parts:
            self._shared.claim(name)
            self._parts[name] = self._shared.worked_out(name, Part, partial(self._evaluated, suite, batch, key))
        return self._parts[name]

    def _evaluated(self, suite: Suite, batch: Batch, key: _Key) -> Part:
        """Return what becomes of a batch, without explanations of which this process knows that the report of the suite has no room."""
        from pytest_nlpeval.run.budget import evaluate_in_budget
        from pytest_nlpeval.run.case import evaluate_cases
        from pytest_nlpeval.run.engine import Engine

        digests = self.options.shard is not None
        if key.explain and Engine(only_reported=self.options.only_reports).has_budget(suite):
            return evaluate_in_budget(self._gathered[key], suite.recipe, batch, self.store, digests=digests)
        return evaluate_cases(suite.recipe, batch, self.store, explain=key.explain, digests=digests)

    def close(self) -> None:
        """Close the store, and drop what was counted, which the collector would walk at the end; the controller removes what was shared."""
        for kept in (self._parts, self._whole, self._results):
            kept.clear()
        if self.store is not None:
            self.store.close()
        self._removing.close()


def _had_by_all(suite: Suite, whole: Part) -> dict[str, object]:
    """Return what every process has of a suite whose cases are counted, by names: a result that crosses needs none of it."""
    return {"suite": suite, "evidence": whole.evidence, **{f"case {case.name}": case for case in whole.cases}}


def _name(key: _Key, *cases: str) -> str:
    """Return what processes call the result of a suite, or, with the first and last of some cases, the part that these are."""
    return repr((str(key.config), key.suite, key.explain, *cases))
