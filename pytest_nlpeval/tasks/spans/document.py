"""What the readers of all three formats give: labelled spans, the units that they lie in, and where to quote from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.explanations import Passage
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.overlap import Extent

Integers = NDArray[np.int64]


class Span(NamedTuple):
    """A labelled span: where it starts and ends, the end excluded, and, if it has gaps, its parts."""

    start: int
    end: int
    label: str
    parts: Extent = ()


@light_dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Labelled spans by start, end and label, one entry of each array per span, no two alike.

    Places count from 0 through all units of a file: unit k begins where unit k - 1 ends, so that spans of two units never overlap. `label`
    is the place of the label in `names`, which are sorted. `gaps` has the parts of each span that has gaps, by its rank. `origin` is the
    rank of a span among all that were read.
    """

    names: tuple[str, ...]
    start: Integers
    end: Integers
    label: Integers
    origin: Integers
    gaps: Mapping[int, Extent] = field(default_factory=dict)

    @classmethod
    def of(cls, spans: Sequence[Span]) -> Self:
        """Return the spans in their order; the origin is the place in `spans`."""
        order = sorted(range(len(spans)), key=spans.__getitem__)
        names = tuple(sorted({span.label for span in spans}))
        code = {name: rank for rank, name in enumerate(names)}
        start, end, label = (
            np.array([value(spans[place]) for place in order], np.int64)
            for value in (lambda span: span.start, lambda span: span.end, lambda span: code[span.label])
        )
        gaps = {rank: spans[place].parts for rank, place in enumerate(order) if spans[place].parts}
        return cls(names, start, end, label, np.array(order, np.int64), gaps)

    def labelled(self, labels: Collection[str]) -> Self:
        """Return the spans with these labels."""
        kept = np.flatnonzero(np.array([name in labels for name in self.names], np.bool_)[self.label])
        ranks = {rank: place for place, rank in enumerate(kept.tolist())} if self.gaps else {}
        gaps = {ranks[rank]: extent for rank, extent in self.gaps.items() if rank in ranks}
        return replace(
            self, start=self.start[kept], end=self.end[kept], label=self.label[kept], origin=self.origin[kept], gaps=gaps
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.start)

    def name(self, rank: int) -> str:
        """Return the label of a span."""
        return self.names[int(self.label[rank])]

    def extent(self, rank: int, way: int = 0) -> Extent:
        """Return the parts of a span, a single one if it has no gap, moved by a way."""
        parts = self.gaps.get(rank) or ((int(self.start[rank]), int(self.end[rank])),)
        return tuple((start + way, end + way) for start, end in parts)


class Page(Protocol):
    """Where explanations quote from."""

    def text(self, spans: Spans, rank: int) -> str:
        """Return the covered text of a span, as far as it is known."""

    def line(self, spans: Spans, rank: int) -> int | None:
        """Return the line of a span."""

    def line_at(self, unit: int, place: int) -> int | None:
        """Return the line on which a span of a unit that begins at a place should stand."""

    def passage(self, unit: int, gold: Extent, system: Extent) -> Passage | None:
        """Return the text of a unit with what either side marks."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Tags:
    """The tags of all tokens as written: for each the place in `names`; `first` has the rank of the first token of each sentence."""

    names: tuple[str, ...]
    codes: NDArray[np.signedinteger]
    first: Integers


@light_dataclass(frozen=True, slots=True, eq=False)
class Document:
    """What a file says: its spans; of gold the names of the units and where each begins; `page` to quote from, and tags, if it has any.

    `left_out` is how many records of JSON the option `where` left out, `groups` are those of gold's units, if an option asks.
    """

    spans: Spans
    units: tuple[str, ...]
    starts: Integers
    page: Page
    tags: Tags | None = None
    left_out: int = 0
    groups: Sequence[str | None] | None = None

    def unit_of(self, places: Integers) -> Integers:
        """Return the rank of the unit that each place is in."""
        return np.searchsorted(self.starts, places, side="right") - 1


class Read(NamedTuple):
    """What several files say, as one document, and of each how many units and places it has."""

    document: Document
    units: Integers
    places: Integers
