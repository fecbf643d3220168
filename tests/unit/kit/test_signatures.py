"""What a signature says of the options of a task."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

from pytest_nlpeval.kit.signatures import signature_of


@dataclass(frozen=True)
class Options:
    language: str | None = "en"
    ignore_case: bool = False
    threshold: float = 0.5
    labels: tuple[str, ...] = ("A", "B")


def percent(options: Options) -> str:
    return f"{options.threshold:.0%}"


def nothing(_: Options) -> None:
    return None


def test_every_option_in_the_order_of_the_fields() -> None:
    assert list(signature_of()(Options(), ()).items()) == [
        ("language", "en"),
        ("ignore_case", "false"),
        ("threshold", "0.5"),
        ("labels", "A,B"),
    ]
    assert signature_of()(Options(language=None), ())["language"] == "none"


def test_an_exception_gives_the_text_or_leaves_the_option_out() -> None:
    found = signature_of(threshold=percent, labels=nothing)(Options(), ())
    assert dict(found) == {"language": "en", "ignore_case": "false", "threshold": "50%"}


def test_no_option_ends_its_place_between_the_bars() -> None:
    assert "|" not in signature_of()(Options(language="a|b", labels=("c|d",)), ()).values()
    assert signature_of()(Options(language="a|b"), ())["language"] == "a\\u007cb"


def test_it_crosses_to_a_worker() -> None:
    crossed = pickle.loads(pickle.dumps(signature_of(threshold=percent)))
    assert crossed(Options(), ()) == signature_of(threshold=percent)(Options(), ())
