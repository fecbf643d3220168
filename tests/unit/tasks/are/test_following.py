from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.are.following import Ways


def ends(pronouns: str, **targets: str | None) -> dict[str, str]:
    return dict(Ways(set(pronouns), targets).ends())


def test_ends_by_hand() -> None:
    assert ends("p", p="N") == {"p": "resolved"}
    assert ends("p") == {"p": "unanswered"}
    assert ends("p", p=None) == {"p": "wrong"}
    assert ends("pqr", p="q", q="r", r="N") == dict.fromkeys("pqr", "resolved")
    assert ends("pqr", p="q", q="r") == dict.fromkeys("pqr", "unanswered")
    assert ends("pqr", p="q", q="r", r=None) == dict.fromkeys("pqr", "wrong")
    assert ends("pqr", p="q", q="r", r="q") == dict.fromkeys("pqr", "cycle")
    assert ends("pqr", p="N", q="p", r="p") == dict.fromkeys("pqr", "resolved")


def test_an_empty_id_is_an_id() -> None:
    assert Ways({"", "p"}, {"p": "", "": "N"}).ends() == {"p": "resolved", "": "resolved"}
    assert list(Ways({"", "p"}, {"p": "", "": "N"}).path("p")) == ["p", "", "N"]


def by_walking(pronoun: str, pronouns: set[str], targets: dict[str, str | None]) -> str:
    """The rule, word for word: one step after the other."""
    seen = [pronoun]
    while True:
        if seen[-1] not in targets:
            return "unanswered"
        target = targets[seen[-1]]
        if target is None:
            return "wrong"
        if target not in pronouns:
            return "resolved"
        if target in seen:
            return "cycle"
        seen.append(target)


@given(st.dictionaries(st.sampled_from("pqrstu"), st.none() | st.sampled_from("pqrstuMN"), max_size=6))
def test_every_way_is_what_walking_it_gives(targets: dict[str, str | None]) -> None:
    pronouns = set("pqrstu")
    found = Ways(pronouns, targets).ends()
    assert found == {pronoun: by_walking(pronoun, pronouns, targets) for pronoun in pronouns}
    for pronoun in pronouns:
        path = list(Ways(pronouns, targets).path(pronoun))
        assert path[0] == pronoun
        assert all(targets[one] == other for one, other in pairwise(path))
        assert len(path) - len(set(path)) == (found[pronoun] == "cycle")
        assert (path[-1] in "MN") == (found[pronoun] == "resolved")


def test_ways_of_any_length_are_followed_once() -> None:
    """200,000 pronouns, each naming the one before: walking each way would take minutes."""
    size = 200_000
    targets: dict[int, int | None] = {rank: rank - 1 for rank in range(1, size)}
    assert set(Ways(range(1, size), targets).ends().values()) == {"resolved"}
    assert set(Ways(range(size), targets).ends().values()) == {"unanswered"}
