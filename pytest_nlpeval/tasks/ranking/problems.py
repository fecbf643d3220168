"""What can be wrong with the files, and how a warning about many topics is told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pytest_nlpeval.formats.json import MAX_DEPTH
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.wording import plural, quoted

PROBLEMS = {
    **text_kinds("off"),
    "ranking.fields": Kind(
        "error", "a trec line has too few or too many fields, or a row not as many as the first line", fixed=True
    ),
    "ranking.quotes": Kind("error", "a quotation mark where CSV has none, or one without its partner", fixed=True),
    "ranking.column": Kind("error", "a needed column or key is not there, or twice, or numbers and names are mixed", fixed=True),
    "ranking.json": Kind(
        "error",
        f"no JSON, NaN, Infinity, half a surrogate pair, more than {MAX_DEPTH} levels, or a blank line amid JSON Lines",
        fixed=True,
    ),
    "ranking.shape": Kind("error", "JSON of another shape or type, a key twice, or an id that is empty or too long", fixed=True),
    "ranking.grade": Kind("error", "a grade is no number, too great, or in a profile not whole", fixed=True),
    "ranking.score": Kind("error", "a score is no finite number", fixed=True),
    "ranking.rank": Kind("error", "by `order: rank`, a rank is not whole, or twice in a topic", fixed=True),
    "ranking.group": Kind("error", "a group has a name that measures cannot have, or there are more than 200", fixed=True),
    "ranking.no-topics": Kind("error", "a file has no topic", fixed=True),
    "ranking.other-topics": Kind("error", "no topic of the system is one of gold's", fixed=True),
    "ranking.duplicate-topic": Kind("error", "a topic stands twice in JSON or in `topics`; if tolerated, the first counts"),
    "ranking.duplicate-document": Kind(
        "error", "a document twice for a topic; if tolerated, gold's first grade and the system's best place count"
    ),
    "ranking.missing-topic": Kind("warning", "a topic of gold is not in the system's file; it has no results"),
    "ranking.unknown-topic": Kind("warning", "a topic of the system is not in gold; it is left out"),
    "ranking.no-relevant": Kind("warning", "a topic of gold has no relevant document"),
    "ranking.ties": Kind("warning", "documents of unlike gain or relevance have equal scores"),
    "ranking.rank-order": Kind("warning", "higher scores have higher ranks in the file; are the scores distances?"),
    "ranking.other-documents": Kind("warning", "no result is a document that gold grades"),
    "ranking.no-group": Kind("warning", "a topic of gold has no group; it is in none"),
}

_TOLD = 5


def warn(log: ProblemLog, name: str, topics: Sequence[str], message: str) -> None:
    """Log once what is to be said of some topics, with their number and the first ids; nothing if there are none."""
    if topics:
        told = ", ".join(map(quoted, islice(topics, _TOLD))) + (", …" if len(topics) > _TOLD else "")
        log.add(f"ranking.{name}", f"{plural(len(topics), 'topic')} ({told}) {message}")
