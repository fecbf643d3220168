from __future__ import annotations

from pytest_nlpeval.tasks.best.quotes import Quotes, find_quotes
from pytest_nlpeval.tasks.best.tuples import Tuples, tuples_of
from tests.unit.tasks.best.files import KNOWN, annotations_of, best, rows_of

Plain = dict[tuple[str, str], dict[tuple[str, str], set[str]]]


def made(*rows: str, quotes: Quotes | None = None) -> Tuples:
    found, problems = annotations_of(best(rows_of(*rows)))
    assert found is not None, problems
    return tuples_of(found, KNOWN, quotes)


def plain(tuples: Tuples) -> Plain:
    return {
        (attitude, owner): {(source, value): held.mentions for (source, value), held in holdings.items()}
        for (attitude, owner), holdings in tuples.items()
    }


def test_mentions_become_objects() -> None:
    tuples = made("belief cb a1 h1", "belief cb a1 r2", "sentiment neg c1 p1")
    assert plain(tuples) == {
        ("belief", "h"): {("a", "cb"): {"h1"}},
        ("belief", "r"): {("a", "cb"): {"r2"}},
        ("sentiment", "p"): {("c", "neg"): {"p1"}},
    }


def test_without_source_the_source_is_none() -> None:
    assert plain(made("belief rob - h1")) == {("belief", "h"): {("NONE", "rob"): {"h1"}}}


def test_provenance_is_a_set_of_target_mentions() -> None:
    tuples = made(
        "belief cb a1 h1", "belief cb a2 h2", "belief cb a2 h1", "belief cb b1 h1", "belief ncb a1 h1", "belief cb a1 k1"
    )
    assert plain(tuples) == {
        ("belief", "h"): {("a", "cb"): {"h1", "h2"}, ("b", "cb"): {"h1"}, ("a", "ncb"): {"h1"}},
        ("belief", "k"): {("a", "cb"): {"k1"}},
    }
    assert tuples["belief", "h"]["a", "cb"].line == 2


def test_beliefs_and_sentiments_are_apart() -> None:
    assert set(made("belief cb a1 h1", "sentiment pos a1 h1")) == {("belief", "h"), ("sentiment", "h")}


def test_na_and_none_make_no_tuple() -> None:
    assert made("belief na a1 h1", "sentiment none a1 h1", "belief NA - r1") == {}


def test_what_begins_in_a_quote_is_left_out() -> None:
    quotes = find_quotes(" " * 20 + "<quote>...</quote>" + " " * 50)  # from 20 to 38: a2 and b1, and r1 by its argument b1
    assert (quotes.starts, quotes.ends) == ((20,), (38,))
    tuples = made(
        "belief cb a1 h1",
        "belief cb a2 h1",
        "belief cb b1 k1",
        "belief rob c1 r1",
        "belief rob c1 r2",
        "sentiment pos - b1",
        quotes=quotes,
    )
    assert plain(tuples) == {("belief", "h"): {("a", "cb"): {"h1"}}, ("belief", "r"): {("c", "rob"): {"r2"}}}


def test_what_has_no_place_is_never_quoted() -> None:
    quotes = find_quotes("<quote>")
    assert plain(made("belief cb - r3", quotes=find_quotes("<quote>" + " " * 90))) == {("belief", "r"): {("NONE", "cb"): {"r3"}}}
    assert quotes.contain(0)


def test_a_text_without_quotes_leaves_nothing_out() -> None:
    assert made("belief cb a1 h1", quotes=find_quotes("none here")) == made("belief cb a1 h1") != {}
