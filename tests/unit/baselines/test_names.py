"""How suites were called: as the definition says, and found without looking through all suites for each."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Collection, Iterator, Mapping

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.baselines.names import FormerNames, Patterns

NAMES = st.sampled_from("abcde")
SUITES = st.dictionaries(NAMES, st.dictionaries(st.sampled_from(["gold", "system"]), st.sampled_from("xyz")))


def _defined(name: str, today: Mapping[str, Patterns], earlier: Mapping[str, Patterns], names: Collection[str]) -> str:
    own = today.get(name, {})
    gone = {former: patterns for former, patterns in earlier.items() if former not in names}
    taken = [patterns.get("system") for patterns in today.values()]
    for former, patterns in gone.items():
        if "system" in own and patterns.get("system") == own["system"]:
            return former
    for former, patterns in gone.items():
        if "gold" in own and patterns.get("gold") == own["gold"] and patterns.get("system") not in taken:
            return former
    return ""


@given(SUITES, SUITES, st.sets(NAMES))
def test_a_suite_had_the_name_that_had_its_files(
    today: Mapping[str, Patterns], earlier: Mapping[str, Patterns], more: set[str]
) -> None:
    names = {*today, *more}
    former = FormerNames(today, earlier, names)
    assert [former.of(name) for name in "abcde"] == [_defined(name, today, earlier, names) for name in "abcde"]


def test_the_earlier_suites_are_looked_through_once_for_all_new_ones() -> None:
    looks: list[str] = []

    class Watched(UserDict[str, Patterns]):
        def __iter__(self) -> Iterator[str]:
            looks.append("all suites")
            return super().__iter__()

    names = [f"old{rank}" for rank in range(50)]
    earlier = Watched({name: {"system": name} for name in names})
    today = {f"new of {name}": {"system": name} for name in names}
    looks.clear()
    former = FormerNames(today, earlier, set(today))
    assert [former.of(f"new of {name}") for name in names] == names
    assert len(looks) == 1
