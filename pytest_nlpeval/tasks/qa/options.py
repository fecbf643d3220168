"""Options of the task: the threshold of no-answer numbers, the language of the answers, and the scorer that is followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Profile = Literal["standard", "squad2", "squad1"]


@dataclass(frozen=True, slots=True)
class Options:
    """A prediction whose no-answer number is greater than `threshold` counts as no answer.

    `language` chooses MLQA's normalisation of that language, None that of SQuAD. `profile` says whose figures are to be reached: this
    project's, those of evaluate-v2.0.py, or those of evaluate-v1.1.py (with a `language`, of mlqa_evaluation_v1.py).
    `cluster` is the key of what questions have in common, None for nothing: of a question, or of what it stands in.
    """

    threshold: float = 1.0
    language: str | None = None
    profile: Profile = "standard"
    cluster: str | None = None
