"""Options of the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.cat.configuration import AnnotationType

Profile = Literal["standard", "nwr2014"]

NWR2014_SENTENCES = 6


@light_dataclass(frozen=True, slots=True)
class Options:
    """What the user chose; None where nothing was given.

    `relaxed` asks for the relaxed rows besides the strict ones. `annotations` are the lines of a configuration.
    """

    profile: Profile = "standard"
    relaxed: bool = True
    sentences: int | Literal["all"] | None = None
    annotations: tuple[AnnotationType, ...] | None = None

    @property
    def limit(self) -> int | None:
        """The number of sentences that are scored, None for all: sentence numbers from 0 to below it stay."""
        if self.sentences is None:
            return NWR2014_SENTENCES if self.profile == "nwr2014" else None
        return None if self.sentences == "all" else self.sentences


def make_options(*, annotations: Sequence[Mapping[str, Any]] | None = None, **others: Any) -> Options:
    """Return the options that satisfy the task's schema; a markable's specificity, which is always 0, may be left out."""
    types = None if annotations is None else tuple(map(_annotation_type, annotations))
    return Options(annotations=types, **others)


def _annotation_type(fields: Mapping[str, Any]) -> AnnotationType:
    specificity: Any = str(fields.get("specificity", 0))
    return AnnotationType(fields["name"], fields["type"], specificity, tuple(fields.get("attributes", ())))


def lacks_annotations(options: Options) -> bool:
    """Whether only a configuration file can tell what is scored."""
    return options.annotations is None
