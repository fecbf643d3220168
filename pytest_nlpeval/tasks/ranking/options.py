"""Options of the task, in the form that everything else reads."""

from __future__ import annotations

from typing import Any, Literal

from pytest_nlpeval.kit.records import Field, by_side, fields_of
from pytest_nlpeval.light_dataclasses import light_dataclass

Side = Literal[0, 1]
GOLD: Side = 0
SYSTEM: Side = 1

MEASURES = ("nDCG@10", "RR@10", "AP", "P@10", "R@10", "R@100", "Success@1", "Success@5", "Success@10", "Judged@10")


@light_dataclass(frozen=True, slots=True)
class Options:
    """What a configuration says. Of pairs the first is gold's, the second the system's.

    `formats` are "" where the content tells. `ids`, `documents` and `values` (the options `relevant` and `ranking`) are None where the
    format says which column or key it is.
    """

    measures: tuple[str, ...] = MEASURES
    rel: float = 1
    gains: Literal["linear", "exponential"] = "linear"
    order: Literal["score", "rank"] = "score"
    group: Field | None = None
    profile: Literal["standard", "trec_eval", "pytrec_eval"] = "standard"
    formats: tuple[str, str] = ("", "")
    ids: tuple[Field | None, Field | None] = (None, None)
    documents: tuple[Field | None, Field | None] = (None, None)
    values: tuple[Field | None, Field | None] = (None, None)
    text: Field = "text"

    @property
    def is_standard(self) -> bool:
        """Whether no other scorer is followed."""
        return self.profile == "standard"

    def columns(self, side: Side) -> tuple[Field, Field, Field]:
        """Return the columns of topic, document and grade or score in a table."""
        return self.ids[side] or "query-id", self.documents[side] or "corpus-id", self.values[side] or "score"

    def keys(self, side: Side) -> tuple[Field, Field, Field]:
        """Return the keys of topic, document and judgements or results in JSON."""
        return self.ids[side] or "id", self.documents[side] or "id", self.values[side] or ("relevant", "ranking")[side]

    def has_numbers(self, side: Side) -> bool:
        """Whether a column of a side is given as a number."""
        return any(isinstance(field, int) for field in self.columns(side))


def options(**given: Any) -> Options:
    """Return the options of a configuration that fits the schema.

    >>> options(id={"system": "qid"}, ranking=3).columns(SYSTEM)
    ('qid', 'corpus-id', 3)
    """
    ids, documents = (by_side(given.get(name)) for name in ("id", "document"))
    return Options(
        measures=tuple(given.get("measures", MEASURES)),
        rel=given.get("rel", 1),
        gains=given.get("gains", "linear"),
        order=given.get("order", "score"),
        group=_one(given.get("group")),
        profile=given.get("profile", "standard"),
        formats=by_side(given.get("format"), ""),
        ids=(_one(ids[GOLD]), _one(ids[SYSTEM])),
        documents=(_one(documents[GOLD]), _one(documents[SYSTEM])),
        values=(_one(given.get("relevant")), _one(given.get("ranking"))),
        text=_one(given.get("text")) or "text",
    )


def _one(given: Any) -> Field | None:
    return next(iter(fields_of(given)), None)
