"""What topics are called and grouped by, and how this task reads JSON and tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.kit.records import Conventions, text_of

DIALECT = replace(
    Dialect.of("ranking.json", greatest=10**308, objects=True, blank_start=True, overflows=True),
    duplicate="",  # which of two equal keys counts, and what that is, depends on the object
)

CONVENTIONS = Conventions("ranking", DIALECT, item="topic", answer="topic", codes={"header": "column"}, has_comments=True)


@dataclass(slots=True, eq=False)
class Described:
    """What a file says of topics: the `texts` and `groups` of those that have one, and the line of each topic that it has.

    A group that is no text is as JSON has it. `has_groups` says that the file has the key or column of groups at all.
    """

    texts: dict[str, str] = field(default_factory=dict)
    groups: dict[str, object] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    has_groups: bool = False

    def take(self, topic: str, text: object, group: object, line: int) -> None:
        """Take what is said of one more topic; None is nothing."""
        self.lines[topic] = line
        if text is not None:
            self.texts[topic] = text_of(text)
        if group is not None:
            self.groups[topic] = group
            self.has_groups = True
