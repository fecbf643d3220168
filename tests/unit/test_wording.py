from __future__ import annotations

from pytest_nlpeval.wording import LONGEST_NAME, nearest, number, signed


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert (number(-0.00001), signed(-0.00001), signed(-0.0)) == ("0.0000", "+0.0000", "+0.0000")


def test_a_hint_cuts_long_names() -> None:
    """All of a file without line ends is a name of its header."""
    longest, longer = "x" * LONGEST_NAME, "x" * (LONGEST_NAME + 1)
    assert nearest("label", [longest, "id"]) == f"known are id, {longest}"
    assert nearest("label", [longer, "id"]) == f"known are id, {longest}…"
    assert nearest(longer, [longer * 2]) == f'did you mean "{longest}…"?'
