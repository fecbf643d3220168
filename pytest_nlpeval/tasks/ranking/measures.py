"""The measures of ranked retrieval, under ir_measures' names: means over topics."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Self

from pytest_nlpeval.kit.signatures import signature_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, OfGroup, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.columns import Numbers
    from pytest_nlpeval.evidence import Evidence

HAS_RELEVANT, HAS_GAIN, HAS_RESULTS = "has-relevant", "has-gain", "has-results"
GROUP = "group."
COVERAGE = "coverage"

_NAME = re.compile(r"(?P<base>[A-Za-z]+)(?:@(?P<cut>[0-9]+))?")


@light_dataclass(frozen=True, slots=True)
class Name:
    """The name of a measure: what it is, and how many places it looks at, None for all."""

    base: str
    cut: int | None

    @classmethod
    def of(cls, written: str) -> Self:
        """Return the name that is written so.

        >>> Name.of("nDCG@10"), Name.of("AP")
        (Name(base='nDCG', cut=10), Name(base='AP', cut=None))
        """
        match = _NAME.fullmatch(written)
        if match is None:
            raise ValueError(f"{written} is no name of a measure")
        return cls(match["base"], int(match["cut"]) if match["cut"] else None)


_DEFINITIONS = {
    "nDCG": ("Discounted cumulated gain{among}, as a share of the greatest possible one", "DCG{k} / ideal{k}"),
    "AP": ("Mean of the precision at each relevant document{among}", "1/R · Σ over relevant results{among} of precision there"),
    "RR": ("1 / place of the first relevant document{among}", "1 / place, 0 if there is none"),
    "P": ("Share of the{first} results that are relevant", "E(k) / k"),
    "R": ("Share of the relevant documents that are{among}", "E(k) / R"),
    "Success": ("Whether a relevant document is{among} (hit rate)", "1 - Π over blocks of C(m - r, t) / C(m, t)"),
    "Judged": ("Share of the{first} results, as far as there are so many, that gold judges", "E(k) of judged / min(k, n)"),
    "Rprec": ("Precision of the first R results, R being the number of relevant documents", "E(R) / R"),
    "Bpref": (
        "Share of pairs of a relevant and a judged document that is not in which the relevant one is before the other",
        "1/R · Σ over relevant results of 1 - min(others before, R) / min(N, R)",
    ),
    "SetP": ("Share of all results that are relevant, whatever their order", "c / n"),
    "SetR": ("Share of the relevant documents among all results, whatever their order", "c / R"),
    "SetF": ("Harmonic mean of SetP and SetR", "2c / (n + R)"),
}

_COUNTING = {"nDCG": (HAS_GAIN, "with a gain in gold"), "Judged": (HAS_RESULTS, "with results")}


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures; only the files tell which groups there are."""
    if columns is None and options.group is not None:
        return None
    groups = sorted(column.removeprefix(GROUP) for column in columns or () if column.startswith(GROUP))
    return tuple(measure for group in (None, *groups) for measure in _of_group(options, group))


def _of_group(options: Options, group: str | None) -> Iterator[Measure]:
    start = "" if group is None else f"{GROUP}{group}."
    of_which = "" if group is None else f" of the group {group}"
    for written in options.measures:
        name = Name.of(written)
        definition, formula = (text.format(**_words(name)) for text in _DEFINITIONS[name.base])
        flag, which = _COUNTING.get(name.base, (HAS_RELEVANT, "with a relevant document"))
        counts_all = not options.is_standard and flag != HAS_RESULTS
        which = "" if counts_all else f" {which}"
        yield Measure(
            f"{start}{written}",
            f"{definition}; the mean over the topics{of_which}{which}.",
            f"mean of {formula}",
            _Mean(written, "" if counts_all else flag, group),
            f"there is no topic{of_which}{which}",
            group=start.rstrip("."),
            perfect=None if name.base in {"P", "R", "AP"} and name.cut is not None else "end",
            of_group=None if group is None else OfGroup(group, written, f"{GROUP}{group}"),
        )
    yield Measure(
        f"{start}{COVERAGE}",
        f"Share of the topics{of_which} that have results.",
        "topics with results / topics",
        _Mean(HAS_RESULTS, "", group),
        f"there is no topic{of_which}",
        group=start.rstrip("."),
        of_group=None if group is None else OfGroup(group, COVERAGE, f"{GROUP}{group}"),
    )


def _words(name: Name) -> dict[str, str]:
    if name.cut is None:
        return {"among": "", "first": "", "k": ""}
    first = "the first result" if name.cut == 1 else f"the first {name.cut:,} results"
    return {"among": f" among {first}", "first": f" first {name.cut:,}", "k": "(k)"}


@light_dataclass(frozen=True, slots=True)
class _Mean:
    """The mean of a column over the topics that a flag has, "" for all, and that are in a group, None for all."""

    column: str
    flag: str
    group: str | None

    def __call__(self, sample: Sample) -> Values:
        """Return Σ w · value / Σ w."""
        counts = _counts(sample.evidence, self.flag, self.group)
        return ratio(sample.total(sample.evidence.column(self.column) * counts), sample.total(counts))


def _counts(evidence: Evidence, flag: str, group: str | None) -> Numbers:
    counts: Numbers = np.ones(len(evidence.units), np.int8)
    if flag:
        counts = counts * evidence.column(flag)
    return counts if group is None else counts * evidence.column(f"{GROUP}{group}")


def notes(evidence: Evidence, options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield how many topics do not count, and how many have no results."""
    topics = len(evidence.units)
    without = topics - int(evidence.column(HAS_RELEVANT).sum(dtype=np.int64))
    if without and options.is_standard:
        yield f"{without:,} of {plural(topics, 'topic')} have no relevant document and do not count"
    if missing := topics - int(evidence.column(HAS_RESULTS).sum(dtype=np.int64)):
        yield f"{missing:,} of {plural(topics, 'topic')} have no results and score 0"


def _none(_options: Options) -> None:
    """Leave an option out of the signature."""


_WITHOUT = ("formats", "ids", "documents", "values", "text")

signature = signature_of(**dict.fromkeys(_WITHOUT, _none))
"""All options that change a score or say which scores there are."""
