"""Text that must fit into a room of so many bytes: which of its lines are left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Piece:
    """Lines between a `start` and an `end`, without which they are not shown.

    Of several pieces those of a high `rank` are cut first. In a piece the `lines` are cut from the last to the first, those with the
    numbers `urgent`, counted from 0, after all others. A piece that never had lines, such as a heading, stays or goes as a whole.
    """

    rank: int
    start: Sequence[str]
    lines: Sequence[str] = ()
    end: Sequence[str] = ()
    urgent: Collection[int] = ()

    def whole(self) -> Iterator[str]:
        """Yield all lines, from the start to the end."""
        yield from (*self.start, *self.lines, *self.end)

    def cut(self, room: int) -> Piece | None:
        """Return the piece with the lines that fit into so many bytes of UTF-8, None if it cannot be shown."""
        room -= _size(self.start) + _size(self.end)
        kept: list[int] = []
        for rank in sorted(range(len(self.lines)), key=lambda rank: rank not in self.urgent):
            room -= _size([self.lines[rank]])
            if room < 0:
                break
            kept.append(rank)
        fits = bool(kept) if self.lines else room >= 0
        return replace(self, lines=[self.lines[rank] for rank in sorted(kept)]) if fits else None


def fitting(pieces: Sequence[Piece], room: int) -> tuple[list[str], int]:
    """Return the lines of the pieces that fit into so many bytes of UTF-8, in the order of the pieces, and how many lines do not.

    Behind the first piece of which anything is cut nothing is shown, even if it is short: what has lost its heading would be taken for
    something else.

    >>> fitting([Piece(1, ["a:"], ["b", "c"]), Piece(0, ["d"])], room=8)
    (['a:', 'b', 'd'], 1)
    """
    cut: dict[int, Piece] = {}
    for place in sorted(range(len(pieces)), key=lambda place: pieces[place].rank):
        if not (piece := pieces[place].cut(room)):
            break
        cut[place] = piece
        room -= _size(piece.whole())
        if len(piece.lines) < len(pieces[place].lines):
            break
    left_out = sum(len(piece.lines) for piece in pieces) - sum(len(piece.lines) for piece in cut.values())
    return [line for place in sorted(cut) for line in cut[place].whole()], left_out


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)
