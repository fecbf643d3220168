"""What chance says of evidence that does not change: worked out once, and then taken from the evidence store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np

from pytest_nlpeval.config.suite import Recipe
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.resampling import Significance
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.run.digest import scoring_settings
from pytest_nlpeval.run.store import EvidenceStore

T = TypeVar("T")


@light_dataclass(frozen=True, slots=True)
class RememberedChance:
    """The intervals and tests of `chance`, for evidence that was counted by `recipe`; kept in `store`, if there is one.

    What is kept is found by a digest of all that it depends on: the evidence, the measures, how they are scored, the statistics, and the
    version of NumPy, which may draw other random numbers.
    """

    chance: Chance
    recipe: Recipe
    store: EvidenceStore | None
    _digests: dict[int, tuple[Evidence, str]] = field(default_factory=dict)
    """The digests of evidence by its identity, with the evidence, so that no other table takes its identity."""

    def intervals(self, evidence: Evidence, measures: Sequence[Measure]) -> dict[str, Interval]:
        """Return the confidence interval of each measure's score that has one."""

        def work_out() -> dict[str, Interval]:
            return self.chance.intervals(evidence, measures)

        if not self.chance.draws(evidence, measures):
            return work_out()
        return self._remembered("intervals", [evidence], measures, work_out, Interval._make, list)

    def scored(self, evidence: Evidence, measures: Sequence[Measure]) -> dict[str, tuple[Score, Interval | None]]:
        """Return each measure's score, and its interval if it has one."""
        return self.chance.scored(evidence, measures, self.intervals(evidence, measures))

    def tests(self, now: Evidence, before: Evidence, measures: Sequence[Measure]) -> dict[str, Significance]:
        """Return the randomisation test of the drop in each measure."""

        def work_out() -> dict[str, Significance]:
            return self.chance.tests(self.chance.pairs(now, before), measures)

        return self._remembered("tests", [now, before], measures, work_out, lambda facts: Significance(**facts), asdict)

    def _remembered(
        self,
        kind: str,
        tables: Sequence[Evidence],
        measures: Sequence[Measure],
        work_out: Callable[[], dict[str, T]],
        decoded: Callable[[Any], T],
        encoded: Callable[[T], Any],
    ) -> dict[str, T]:
        """Return a value for each measure, from the store if it has them; put them there otherwise."""
        key = self._key(kind, tables, measures) if self.store is not None else None
        if self.store is None or key is None:
            return work_out()
        try:
            return {name: decoded(value) for name, value in self.store.get([key])[key][kind].items()}
        except (KeyError, TypeError, ValueError, AttributeError):  # not there, or another program's
            values = work_out()
        self.store.put({key: {kind: {name: encoded(value) for name, value in values.items()}}})
        return values

    def _key(self, kind: str, tables: Sequence[Evidence], measures: Sequence[Measure]) -> bytes | None:
        settings = scoring_settings(self.recipe)
        if settings is None:
            return None
        gated = self.chance.gated
        facts: Mapping[str, Any] = {
            **settings,
            "kind": kind,
            "numpy": np.__version__,
            "statistics": asdict(self.chance.statistics),
            "by": self.chance.by,
            "gated": None if gated is None else sorted(gated),
            "only gated": self.chance.only_gated,
            "measures": [measure.name for measure in measures],
            "evidence": list(map(self._digest, tables)),
        }
        return sha256(json.dumps(facts, sort_keys=True, default=str).encode()).digest()

    def _digest(self, evidence: Evidence) -> str:
        if id(evidence) not in self._digests:
            text = json.dumps(evidence.to_json(), separators=(",", ":"))
            self._digests[id(evidence)] = evidence, sha256(text.encode()).hexdigest()
        return self._digests[id(evidence)][1]
