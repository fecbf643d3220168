"""The lines of a Perl script that scores the same two files, a sibling of `binary-manual-evaluation.pl`, of which no public copy was found.

It takes gold's second column for a relation of Freebase, and asks of an extraction only that it contains the trigger. Who wrote it is not
known for certain; files, headers, `---` and the check of entity pairs are those of the description.
"""

from __future__ import annotations

from pytest_nlpeval.task import Reported

COUNTS = {"Correct": "correct", "Total System": "extractions", "Total Groun Truth": "relations"}
"""By title, as the script spells it, the measure."""


def native(reported: Reported) -> str:
    """Return the three counts, then precision and recall; a share without value is left empty, where the script ends with an error."""
    scores = reported.values
    counts = [f"{title}: {scores[name] or 0:.0f}" for title, name in COUNTS.items()]
    shares = [f"{name.capitalize()}: {_shown(scores[name])}" for name in ("precision", "recall")]
    return "\n".join([*counts, *shares, ""])


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
