"""What became of groups against a baseline: which fall, which are too small to tell, which are new or gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.numbers import BEYOND_CHANCE, MAY_BE_CHANCE, TOLERANCE, difference, figure, interval, p_equation
from pytest_nlpeval.wording import plural

_NAMES = ("lost", "unvalued", "added", "gone")


class GroupFall(NamedTuple):
    """A group that both runs have: its values, its drop with the interval, and what the test of the drop says, None for no test.

    `limit` says what differs, in so few units that any drop may be chance: `3 units differ`.
    """

    group: str
    value: float
    baseline: float
    drop: float
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    limit: str = ""

    def exceeds(self, allowed: float) -> bool:
        """Whether the drop is greater than allowed."""
        return self.drop > allowed + TOLERANCE

    @property
    def chance(self) -> str:
        """` [0.085, 0.198] (p = 0.003)` of the drop, as far as it is known."""
        ends = interval(self.low, self.high)
        return f" {ends}" * bool(ends) + ("" if self.p_adjusted is None else f" ({p_equation(self.p_adjusted)})")


@light_dataclass(frozen=True, slots=True)
class GroupFalls:
    """What became of the groups of a measure.

    `groups` are those that both runs have, with a value each. `lost` had a value and have none now, `unvalued` had none. `small` are the
    groups of so few units that any drop of theirs may be chance, with the number of units. `added` are in today's run alone, `gone` in
    the baseline alone.
    """

    groups: tuple[GroupFall, ...]
    lost: tuple[str, ...] = ()
    unvalued: tuple[str, ...] = ()
    small: tuple[tuple[str, int], ...] = ()
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def falling(self, allowed: float, alpha: float | None) -> list[GroupFall]:
        """Return the groups that drop by more than allowed and, with `alpha`, are shown to, the greatest drop first."""
        small = {name for name, _ in self.small}
        falling = (
            fall
            for fall in self.groups
            if fall.exceeds(allowed)
            and (alpha is None or (fall.group not in small and (fall.p_adjusted is None or fall.p_adjusted <= alpha)))
        )
        return sorted(falling, key=lambda fall: -fall.drop)

    def worst(self, allowed: float, alpha: float | None) -> GroupFall | None:
        """Return the group with the greatest drop among those that fall, or else among all; None if there is none."""
        falling = self.falling(allowed, alpha)
        return falling[0] if falling else max(self.groups, key=lambda fall: fall.drop, default=None)

    def reason(self, allowed: float, alpha: float | None) -> str:
        """Say which groups fall, the worst by how much; what may be chance; and whatever else was not compared."""
        return "; ".join((*self._verdict(allowed, alpha), *self._uncompared(alpha)))

    def _verdict(self, allowed: float, alpha: float | None) -> Iterator[str]:
        worst, falling = self.worst(allowed, alpha), self.falling(allowed, alpha)
        if worst is None:
            yield "no group is in both runs with a value"
        elif falling:
            yield (
                f"group {worst.group}: {figure(worst.value)}, was {figure(worst.baseline)}: the drop of {difference(worst.drop)}"
                f"{worst.chance} is over by {difference(worst.drop - allowed)}"
            )
            if len(falling) > 1:
                yield f"so fall {_listed(fall.group for fall in falling[1:])}"
        elif worst.exceeds(allowed):
            few = f"; only {worst.limit}: no drop could have been {BEYOND_CHANCE}" if worst.limit else ""
            yield f"the greatest drop, {difference(worst.drop)} of group {worst.group}, {MAY_BE_CHANCE}{worst.chance}{few}"
        if self.lost:
            yield f"no value any more in {_listed(self.lost)}"

    def _uncompared(self, alpha: float | None) -> Iterator[str]:
        if self.small and alpha is not None:
            sizes = (f"{name} ({plural(number, 'unit')})" for name, number in self.small)
            yield f"too small for any drop to be {BEYOND_CHANCE} (alpha {alpha:g}): {_listed(sizes)}"
        for word, names in (
            ("without a value in the baseline", self.unvalued),
            ("not in the baseline", self.added),
            ("gone since the baseline", self.gone),
        ):
            if names:
                yield f"{word}: {_listed(names)}"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form: what there is nothing of is left out."""
        groups = [{key: fact for key, fact in fall._asdict().items() if fact not in (None, "")} for fall in self.groups]
        small = {"small": dict(self.small)} if self.small else {}
        names = {key: list(getattr(self, key)) for key in _NAMES if getattr(self, key)}
        return {"groups": groups, **small, **names}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote."""
        names = {key: tuple(data.get(key, ())) for key in _NAMES}
        return cls(tuple(GroupFall(**fall) for fall in data["groups"]), small=tuple(data.get("small", {}).items()), **names)


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:5]) + (f", … ({len(every) - 5:,} more)" if len(every) > 5 else "")
