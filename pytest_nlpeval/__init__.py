"""Regression tests for NLP systems: validate, score and gate gold/system file pairs.

The Python interface: `load_suites` and `evaluate` run what `nlpeval.yaml` asks for, `score` scores files or output in memory, `report`
writes results; `Task`, `Evidence`, `Measure` and `Problem` are what a task of your own is made of. Names are imported when first used, so
that the plugin costs nothing in a pytest run that does not use it.
"""

from __future__ import annotations

from pytest_nlpeval.lazy_names import imported_when_used

TYPE_CHECKING = False  # `typing` would take longer to import than everything before the command can end on a signal
if TYPE_CHECKING:
    from pytest_nlpeval.columns import Categorical, Sparse
    from pytest_nlpeval.config.checks import ConfigError
    from pytest_nlpeval.config.file import load_suites
    from pytest_nlpeval.config.suite import Suite
    from pytest_nlpeval.evidence import Evidence
    from pytest_nlpeval.explanations import Explanation, Explanations, Omitted, Passage, Right
    from pytest_nlpeval.files import Source
    from pytest_nlpeval.graphs import Axis, Bars, Graph, Matrix, Series
    from pytest_nlpeval.measures import COUNT, SHARE, Blocks, Measure, Range, Sample, Score
    from pytest_nlpeval.metrics.prf import ratio
    from pytest_nlpeval.problems import Kind, NlpevalError, Problem, ProblemLog
    from pytest_nlpeval.run.engine import evaluate
    from pytest_nlpeval.run.results import SuiteResult, report
    from pytest_nlpeval.run.score import score
    from pytest_nlpeval.task import Counted, OptionsError, Reported, Role, Starter, StarterGate, Task, Together

__version__ = "0.1.0"

__all__ = [
    "COUNT",
    "SHARE",
    "Axis",
    "Bars",
    "Blocks",
    "Categorical",
    "ConfigError",
    "Counted",
    "Evidence",
    "Explanation",
    "Explanations",
    "Graph",
    "Kind",
    "Matrix",
    "Measure",
    "NlpevalError",
    "Omitted",
    "OptionsError",
    "Passage",
    "Problem",
    "ProblemLog",
    "Range",
    "Reported",
    "Right",
    "Role",
    "Sample",
    "Score",
    "Series",
    "Source",
    "Sparse",
    "Starter",
    "StarterGate",
    "Suite",
    "SuiteResult",
    "Task",
    "Together",
    "__version__",
    "evaluate",
    "load_suites",
    "ratio",
    "report",
    "score",
]

__getattr__ = imported_when_used(
    __name__,
    {
        "columns": ("Categorical", "Sparse"),
        "config.checks": ("ConfigError",),
        "config.file": ("load_suites",),
        "config.suite": ("Suite",),
        "evidence": ("Evidence",),
        "explanations": ("Explanation", "Explanations", "Omitted", "Passage", "Right"),
        "files": ("Source",),
        "graphs": ("Axis", "Bars", "Graph", "Matrix", "Series"),
        "measures": ("COUNT", "SHARE", "Blocks", "Measure", "Range", "Sample", "Score"),
        "metrics.prf": ("ratio",),
        "problems": ("Kind", "NlpevalError", "Problem", "ProblemLog"),
        "run.engine": ("evaluate",),
        "run.results": ("SuiteResult", "report"),
        "run.score": ("score",),
        "task": ("Counted", "OptionsError", "Reported", "Role", "Starter", "StarterGate", "Task", "Together"),
    },
)
