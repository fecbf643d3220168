from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.cutting import Piece, fitting

TEXTS = st.lists(st.text("aé\U0001f600", max_size=5), max_size=4)
PIECES = st.lists(
    st.builds(Piece, st.integers(0, 2), TEXTS, TEXTS, TEXTS, urgent=st.sets(st.integers(0, 3))).filter(
        lambda piece: any(piece.whole())
    ),
    max_size=5,
)


def size(lines: list[str]) -> int:
    return sum(len(f"{line}\n".encode()) for line in lines)


@given(PIECES, st.integers(0, 200))
def test_what_is_shown_fits_and_what_is_not_is_counted(pieces: list[Piece], room: int) -> None:
    every = [line for piece in pieces for line in piece.whole()]
    shown, left_out = fitting(pieces, room)
    assert size(shown) <= room
    assert fitting(pieces, size(every)) == (every, 0)
    assert fitting(pieces, -1) == ([], sum(len(piece.lines) for piece in pieces))
    assert 0 <= left_out <= len(every) - len(shown)


def test_a_piece_is_cut_from_its_end_but_urgent_lines_stay() -> None:
    piece = Piece(0, ["("], ["1", "2", "3", "4"], [")"], urgent={2})
    assert [fitting([piece], 2 * lines) for lines in range(3, 7)] == [
        (["(", "3", ")"], 3),
        (["(", "1", "3", ")"], 2),
        (["(", "1", "2", "3", ")"], 1),
        (["(", "1", "2", "3", "4", ")"], 0),
    ]
    assert fitting([piece], 5) == ([], 4), "no start and end without a line"


def test_a_high_rank_is_cut_first_and_the_order_stays() -> None:
    heading, low, high = Piece(1, ["h"]), Piece(0, [], ["a", "b"]), Piece(2, [], ["c"])
    assert [fitting([high, heading, low], 2 * lines)[0] for lines in range(5)] == [
        [],
        ["a"],
        ["a", "b"],
        ["h", "a", "b"],
        ["c", "h", "a", "b"],
    ]


def test_nothing_is_shown_without_its_heading() -> None:
    pieces = [Piece(0, ["a"]), Piece(0, [], ["1"]), Piece(0, ["a long heading"]), Piece(0, [], ["2"])]
    assert fitting(pieces, 10) == (["a", "1"], 1)
