"""Options of the task."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Options:
    """`subtask` is 1 to 4; `pronouns` are words that count as pronouns in addition to those that the files mark (subtasks 1 and 3)."""

    subtask: int
    pronouns: Sequence[str] = ()

    @property
    def has_spans(self) -> bool:
        """Whether mentions are spans of words (subtasks 3 and 4), not given entities (1 and 2)."""
        return self.subtask > 2

    @property
    def words(self) -> frozenset[str]:
        """The words of `pronouns`, as `folded` gives them."""
        return frozenset(map(folded, self.pronouns))


def needs_input(options: Options) -> bool:
    """Whether files cannot be scored without the input: true of all subtasks but 2, which compares ids as they are."""
    return options.subtask != 2


def folded(text: str) -> str:
    """Return text in one line, case-folded."""
    return " ".join(text.split()).casefold()
