from __future__ import annotations

from pytest_nlpeval.wording import number, signed


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert (number(-0.00001), signed(-0.00001), signed(-0.0)) == ("0.0000", "+0.0000", "+0.0000")
