"""Options of the task."""

from __future__ import annotations

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Options:
    """`ignore_case` compares the tokens of extraction, trigger and windows after Unicode case folding.

    It does not change what the files must look like: entity pairs, Relation and Trigger are compared as they are.
    """

    ignore_case: bool = False
