"""The measures of the task: which there are, its signature and its notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.text.columns import ANSWERED, EXACT, GROUP, references_of
from pytest_nlpeval.tasks.text.error_rates import rate_figures
from pytest_nlpeval.tasks.text.figures import TextFigure
from pytest_nlpeval.tasks.text.options import CHRF, FAMILIES, RATES, Options
from pytest_nlpeval.tasks.text.summary_scores import rouge_figures
from pytest_nlpeval.tasks.text.translation_scores import bleu_figures, chrf_figures, ter_figures
from pytest_nlpeval.tasks.text.view import View
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures for evidence with these columns; with None all that can exist, which files tell if there are groups."""
    if columns is None and options.group is not None:
        return None
    groups = sorted(column.removeprefix(GROUP) for column in columns or () if column.startswith(GROUP))
    figures = [*_ALWAYS, *(figure for family in options.measures for figure in _figures_of(family))]
    return tuple(figure.measure(options, group) for group in (None, *groups) for figure in figures)


def remedy(options: Options, name: str) -> str:
    """Return which family to add to the option `measures` so that there is a measure of that name, "" if none has it.

    >>> remedy(Options(), "bleu.bp")
    'add bleu to the option measures'
    """
    own = {figure.name: family for family in FAMILIES for figure in _figures_of(family)}
    family = next((family for figure, family in own.items() if name == figure or name.endswith(f".{figure}")), None)
    return f"add {family} to the option measures" if family and family not in options.measures else ""


def _figures_of(family: str) -> Iterator[TextFigure]:
    if family in RATES:
        return rate_figures(family)
    if family in CHRF:
        return chrf_figures(family)
    return bleu_figures() if family == "bleu" else ter_figures() if family == "ter" else rouge_figures(family)


def _share(column: str, view: View) -> Values:
    return ratio(view.total(column), view.segments())


def _exact(view: View, _options: Options) -> Values:
    return _share(EXACT, view)


def _coverage(view: View, _options: Options) -> Values:
    return _share(ANSWERED, view)


_ALWAYS = (
    TextFigure(
        "exact", "Share of the segments whose hypothesis is a reference, but for white space.", "exact / segments", _exact
    ),
    TextFigure("coverage", "Share of the segments that have a hypothesis.", "answered / segments", _coverage, empty=1.0),
)


def signature(options: Options, columns: Collection[str]) -> Mapping[str, str]:
    """Return all options that change a score, and how many references the segments have."""
    return {**dict(options.signature), "nrefs": references_of(columns)}


def notes(evidence: Evidence, options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield how many segments have no hypothesis, and the signatures that sacrebleu has for the same figures."""
    answered, segments = int(evidence.column(ANSWERED).sum(dtype=np.int64)), len(evidence.units)
    if answered < segments:
        yield f"{segments - answered:,} of {plural(segments, 'segment')} have no hypothesis, and count as wrong"
    for name, text in scorer_signatures(options, references_of(evidence.columns)).items():
        yield f"sacrebleu's signature of {name}: {text}"
    if options.has("rougeLsum") and not evidence.column("rougeLsum.lines").any():
        yield "rougeLsum equals rougeL, as no text has a line break between sentences"


def scorer_signatures(options: Options, references: str) -> dict[str, str]:
    """Return sacrebleu's signatures of the families that it has, with the number of references.

    >>> scorer_signatures(Options(("ter",)), "1")
    {'ter': 'nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no'}
    """
    is_lower = options.normalise == {"lower"} and not options.ignore
    case = "lc" if is_lower else "mixed"
    beside = "" if is_lower or not (options.normalise or options.ignore) else " of normalised texts"
    ter_case = "lc" if is_lower or "case_sensitive" not in options.ter else "mixed"
    norm, punct = ("yes" if "normalized" in options.ter else "no"), ("no" if "no_punct" in options.ter else "yes")
    every = {
        "bleu": f"case:{case}|eff:no|tok:{options.tokenize}|smooth:exp",
        "chrf": f"case:{case}|eff:yes|nc:6|nw:0|space:no",
        "chrf++": f"case:{case}|eff:yes|nc:6|nw:2|space:no",
        "ter": f"case:{ter_case}|tok:tercom|norm:{norm}|punct:{punct}|asian:no",
    }
    return {name: f"nrefs:{references}|{text}{beside}" for name, text in every.items() if name in options.measures}
