"""Regression tests for NLP systems: validate, score and gate gold/system file pairs.

The Python interface: `load_suites` and `evaluate` run what `nlpeval.yaml` asks for, `score` scores files directly; `Task`, `Evidence`,
`Measure` and `Problem` are what a task of your own is made of. Names are imported when first used, so that the plugin costs
nothing in a pytest run that does not use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_nlpeval.configuration import ConfigError, load_suites
    from pytest_nlpeval.engine import SuiteResult, evaluate
    from pytest_nlpeval.evidence import Evidence
    from pytest_nlpeval.measures import Measure, Score
    from pytest_nlpeval.problems import Kind, Problem
    from pytest_nlpeval.scoring import score
    from pytest_nlpeval.suite import Suite
    from pytest_nlpeval.task import Counted, Explanation, Explanations, Role, Task

__version__ = "0.1.0"

__all__ = [
    "ConfigError",
    "Counted",
    "Evidence",
    "Explanation",
    "Explanations",
    "Kind",
    "Measure",
    "Problem",
    "Role",
    "Score",
    "Suite",
    "SuiteResult",
    "Task",
    "__version__",
    "evaluate",
    "load_suites",
    "score",
]

_HOMES = {
    "ConfigError": "configuration",
    "Counted": "task",
    "Evidence": "evidence",
    "Explanation": "task",
    "Explanations": "task",
    "Kind": "problems",
    "Measure": "measures",
    "Problem": "problems",
    "Role": "task",
    "Score": "measures",
    "Suite": "suite",
    "SuiteResult": "engine",
    "Task": "task",
    "evaluate": "engine",
    "load_suites": "configuration",
    "score": "scoring",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module that defines it."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
