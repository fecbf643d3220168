"""Options of the task."""

from __future__ import annotations

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Options:
    """There are none: gold or predicted EREs are two suites, full or single provenance two groups of measures."""
