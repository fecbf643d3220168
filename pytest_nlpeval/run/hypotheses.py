"""Which drops a suite's gates test, how many tests these are, and what that asks of the number of resamples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from pytest_nlpeval.conditions import MaxDrop, Standing
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.holm import holm

MOST_RESAMPLES = 200_000
"""No test has more resamples than this, unless the statistics want more."""


class Hypothesis(NamedTuple):
    """The claim that a measure drops by more than what is `allowed`."""

    measure: str
    allowed: float


@light_dataclass(frozen=True, slots=True)
class Hypotheses:
    """The hypotheses of a suite's gates, each once, however many conditions ask for it.

    `of_conditions` goes by measure and name of the condition. `levels` has the lowest `alpha` of each hypothesis' conditions. Those in
    `judging` can fail the run; the `others` are of informational gates alone, and take no power from them.
    """

    of_conditions: Mapping[tuple[str, str], Hypothesis]
    levels: Mapping[Hypothesis, float]
    judging: tuple[Hypothesis, ...]
    others: tuple[Hypothesis, ...]

    @classmethod
    def of(cls, gates: Iterable[Gate], standings: Mapping[str, Standing]) -> Self:
        """Return the hypotheses of gates whose measures have these values, now and in the baseline."""
        of_conditions: dict[tuple[str, str], Hypothesis] = {}
        levels: dict[Hypothesis, float] = {}
        judging: dict[Hypothesis, None] = {}
        for gate in gates:
            if standings[gate.measure].drop is None:
                continue
            for condition in gate.judged_conditions():
                if not isinstance(condition, MaxDrop) or condition.alpha is None:
                    continue
                allowed = condition.allowed(standings[gate.measure])
                if allowed is not None:
                    hypothesis = Hypothesis(gate.measure, round(allowed, 12))
                    of_conditions[gate.measure, condition.name] = hypothesis
                    levels[hypothesis] = min(condition.alpha, levels.get(hypothesis, 1.0))
                    judging |= {} if gate.informational else {hypothesis: None}
        return cls(of_conditions, levels, tuple(judging), tuple(claim for claim in levels if claim not in judging))

    def number(self, hypothesis: Hypothesis) -> int:
        """Return how many hypotheses this one is adjusted for, itself included."""
        return len(self.judging) + (0 if hypothesis in self.judging else len(self.others))

    def level(self, measure: str, alpha: float) -> float:
        """Return the level at which a measure's drop is tested if all p-values are adjusted: `alpha` where no hypothesis is about it."""
        numbers = [self.number(hypothesis) for hypothesis in self.levels if hypothesis.measure == measure]
        return alpha / max(numbers, default=1)

    def adjusted(self, ps: Mapping[Hypothesis, float]) -> dict[Hypothesis, float]:
        """Return the p-values after Holm's adjustment: those that judge for their own number, all others for the number of all."""
        every = (*self.judging, *self.others)
        of_all = dict(zip(every, holm([ps[hypothesis] for hypothesis in every]), strict=True))
        return of_all | dict(zip(self.judging, holm([ps[hypothesis] for hypothesis in self.judging]), strict=True))

    def needed(self, resamples: Mapping[str, int]) -> dict[str, int]:
        """Return the number of resamples of each measure for which those that it has would never make an adjusted p-value small enough.

        The least p-value is `1 / (1 + resamples)`. Twice as many resamples as that asks for leave room for one chance drop.
        """
        numbers: dict[str, int] = {}
        for hypothesis in self.levels:
            least = self._least_resamples(hypothesis)
            own = resamples.get(hypothesis.measure, 0)
            if least > own:
                number = max(own, min(MOST_RESAMPLES, 2 * least))
                numbers[hypothesis.measure] = max(number, numbers.get(hypothesis.measure, 0))
        return numbers

    def hopeless(self, resamples: int) -> list[str]:
        """Return the measures whose gates should fail the run, and never can: `MOST_RESAMPLES` resamples are too few for their level."""
        most = max(resamples, MOST_RESAMPLES)
        return list(dict.fromkeys(claim.measure for claim in self.judging if self._least_resamples(claim) > most))

    def _least_resamples(self, hypothesis: Hypothesis) -> int:
        return math.ceil(round(self.number(hypothesis) / self.levels[hypothesis] - 1, 6))
