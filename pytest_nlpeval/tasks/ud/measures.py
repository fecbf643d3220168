"""The measures of CoNLL-U files, as functions of one row per sentence of gold.

Sources: Zeman et al., CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies, 2018 (conll18_ud_eval.py 1.2);
Bouma, Seddah, Zeman, Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal Dependencies, 2020 (ELAS, EULAS).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from pytest_nlpeval.kit.prf import Figure, TextsOrReasons, figure_of, prf
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.ud.options import Options
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence


@light_dataclass(frozen=True, slots=True)
class Basis:
    """What precision, recall, F and aligned accuracy of a `name` are made of: the columns of their counts, "" for none.

    `things` is how a sentence names what is counted, `are_right` when one is right. A measure of trees has no value in unparsed files.
    """

    name: str
    things: str
    are_right: str
    correct: str
    gold: str
    system: str
    aligned: str = ""
    is_of_trees: bool = False
    group: str = ""


_SAME_HEAD = "the heads are aligned, or both are roots"
_OF_SPANS = (("tokens", "tokens", "equal spans of characters"), ("sentences", "sentences", "equal spans of characters"))
_OF_WORDS = (
    ("upos", "aligned words with the same UPOS", False),
    ("xpos", "aligned words with the same XPOS", False),
    ("ufeats", "aligned words with the same features", False),
    ("alltags", "aligned words with the same UPOS, XPOS and features", False),
    ("lemmas", "aligned words with the same lemma, or without one in gold", False),
    ("uas", f"aligned words where {_SAME_HEAD}", True),
    ("las", f"aligned words with the same relation, where {_SAME_HEAD}", True),
)
_OF_CONTENT = (
    ("clas", f"aligned ones with the same relation, where {_SAME_HEAD}"),
    ("mlas", "those of clas with the same UPOS, features and functional children"),
    ("blex", "those of clas with the same lemma"),
)
_OF_EDGES = (
    ("elas", "enhanced edges between aligned words with the same labels"),
    ("eulas", "enhanced edges between aligned words with the same labels, up to the first colon of each"),
)


def main_bases() -> tuple[Basis, ...]:
    """Return what the 15 names of the shared tasks are made of, in their order."""
    return (
        *(Basis(name, things, right, f"{name}.correct", f"{name}.gold", f"{name}.system") for name, things, right in _OF_SPANS),
        Basis("words", "words", "aligned words", "words.correct", "words.gold", "words.system"),
        *(
            Basis(name, "words", right, name, "words.gold", "words.system", "words.correct", of_trees)
            for name, right, of_trees in _OF_WORDS
        ),
        *(
            Basis(name, "content words", right, name, "content.gold", "content.system", "content.aligned", is_of_trees=True)
            for name, right in _OF_CONTENT
        ),
        *(Basis(name, "enhanced edges", right, name, "edges.gold", "edges.system") for name, right in _OF_EDGES),
    )


def measures(_options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures for evidence with these columns; None before anything is read, as files tell the tags and relations."""
    if columns is None:
        return None
    bases = main_bases()
    return (
        *(measure for basis in bases for measure in _of_basis(basis)),
        *map(_macro, bases),
        *(measure for basis in _by_name(columns) for measure in _of_basis(basis)),
    )


def _by_name(columns: Collection[str]) -> Iterator[Basis]:
    """Yield what is counted of each tag and relation that occurs in gold."""
    for column in sorted(columns):
        name, _, figure = column.rpartition(".")
        prefix, _, value = name.partition(".")
        if figure != "gold" or not value or prefix not in {"upos", "deprel"}:
            continue
        correct, gold, system, aligned = (f"{name}.{count}" for count in ("correct", "gold", "system", "aligned"))
        if prefix == "upos":
            right = "aligned words that both sides tag so"
            yield Basis(name, f"words tagged {value}", right, correct, gold, system, aligned, group=name)
        else:
            right = f"aligned words that both sides relate so, where {_SAME_HEAD}"
            things = f"words with the relation {value}"
            yield Basis(name, things, right, correct, gold, system, aligned, is_of_trees=True, group=name)


def _of_basis(basis: Basis) -> Iterator[Measure]:
    yield from prf(basis.name, partial(partial, _value, basis), _texts(basis), group=basis.group or basis.name)
    if basis.aligned:
        yield Measure(
            f"{basis.name}.aligned_accuracy",
            f"Share of the aligned {basis.things} of gold that are right: {basis.are_right}.",
            "correct / aligned",
            partial(_aligned_accuracy, basis),
            _reason(basis, f"no {basis.things} of gold are aligned"),
            group=basis.group or basis.name,
        )


def _texts(basis: Basis) -> TextsOrReasons:
    things, right = basis.things, basis.are_right
    texts: dict[Figure, tuple[str, str, str]] = {
        "f1": (
            f"Balanced F of the {things}; right are {right}.",
            "2 · correct / (gold + system)",
            f"no {things} in gold or system",
        ),
        "precision": (
            f"Share of the system's {things} that are right: {right}.",
            "correct / system",
            f"the system has no {things}",
        ),
        "recall": (f"Share of gold's {things} that are found: {right}.", "correct / gold", f"gold has no {things}"),
    }
    return {figure: (definition, formula, _reason(basis, missing)) for figure, (definition, formula, missing) in texts.items()}


def _value(basis: Basis, figure: Figure, sample: Sample) -> Values:
    return _of_trees(basis, sample, figure_of(figure, *map(sample.total, (basis.correct, basis.system, basis.gold))))


def _aligned_accuracy(basis: Basis, sample: Sample) -> Values:
    return _of_trees(basis, sample, ratio(sample.total(basis.correct), sample.total(basis.aligned)))


def _of_trees(basis: Basis, sample: Sample, values: Values) -> Values:
    """Return the values, but none of a measure of trees where a document is unparsed."""
    if not basis.is_of_trees:
        return values
    unparsed = sample.total("unparsed.gold") + sample.total("unparsed.system")
    return np.where(unparsed > 0, np.nan, values)


def _macro(basis: Basis) -> Measure:
    return Measure(
        f"macro.{basis.name}.f1",
        f"Mean of {basis.name}.f1 over the documents where it has a value.",
        f"Σ {basis.name}.f1 / documents",
        partial(_mean, basis),
        _reason(basis, f"no document has {basis.things}"),
        group="macro",
        needs="documents",
    )


def _mean(basis: Basis, sample: Sample) -> Values:
    values = figure_of("f1", *map(sample.document_sums, (basis.correct, basis.system, basis.gold)))
    return _of_trees(basis, sample, sample.document_mean(values))


def _reason(basis: Basis, missing: str) -> str | partial[str]:
    return partial(_why, missing) if basis.is_of_trees else missing


def _why(missing: str, evidence: Evidence) -> str:
    """Return why a measure of trees has no value: unparsed files, or what is `missing`."""
    sample = Sample(evidence)
    numbers = {side: int((sample.document_sums(f"unparsed.{side}") > 0).sum()) for side in ("gold", "system")}
    sides = [f"{side} in {plural(number, 'document')}" for side, number in numbers.items() if number]
    return f"there are no trees, every HEAD is `_`: {', '.join(sides)}" if sides else missing
