"""Evidence of CoNLL-U files: one row per sentence of gold."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from pytest_nlpeval.columns import narrow
from pytest_nlpeval.evidence import Column, Evidence, Sparse
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.ud.comparing import Comparison, is_content, rewritten
from pytest_nlpeval.tasks.ud.document import codes_in, matching
from pytest_nlpeval.tasks.ud.fields import is_well_formed
from pytest_nlpeval.tasks.ud.inventory import RELATIONS, UPOS
from pytest_nlpeval.tasks.ud.options import Options
from pytest_nlpeval.tasks.ud.table import Coder, Field, Flags, Integers
from pytest_nlpeval.tasks.ud.wrong_words import explain


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per sentence of gold, and the explanations of all that is not right.

    Columns are `tokens`, `sentences` and `words`, each `.gold`, `.system` and `.correct` (of words: aligned); of aligned words that are
    right `upos` to `las`, of content words `clas`, `mlas` and `blex`, with `content.gold`, `.system` and `.aligned`; of enhanced edges
    `elas`, `eulas`, `edges.gold` and `edges.system`; for each tag and relation of a side, which are sparse, `upos.<T>` and `deprel.<R>`,
    each `.gold`, `.system`, `.aligned` and `.correct`; `unparsed.gold` and `unparsed.system`, 1 if that side has no trees.

    What is aligned counts in the row of its gold word, what is not in the row of its first character.
    """
    comparison = Comparison(documents["gold"], documents["system"], options)
    rows = _Rows(comparison)
    columns: dict[str, Column] = dict(_of_spans(comparison, rows))
    columns |= _of_words(comparison, rows)
    columns |= _of_edges(comparison, rows)
    columns |= _by_name(comparison, rows, "upos", "UPOS", UPOS)
    columns |= _by_name(comparison, rows, "deprel", "DEPREL", _relations(comparison))
    return Counted(Evidence.of(comparison.gold.units, columns), explain(comparison))


def _relations(comparison: Comparison) -> Collection[str]:
    """Return the relations that are counted one by one, whichever side has them: another document's gold may have them."""
    if not comparison.options.subtypes:
        return RELATIONS
    sides = (comparison.gold, comparison.system)
    return {name for side in sides for name in side.fields["DEPREL"].names if is_well_formed(name)}


class _Rows:
    """Which row everything counts in."""

    def __init__(self, comparison: Comparison) -> None:
        gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
        self.number = len(gold.units)
        self._starts = gold.sentences.start
        self.gold = gold.sentence_of(np.arange(gold.number))
        self.system = self.at(system.words.start)
        self.system[alignment.system] = self.gold[alignment.gold]
        self.pairs = self.gold[alignment.gold]

    def at(self, characters: Integers) -> Integers:
        """Return the row of each character."""
        rows: Integers = np.searchsorted(self._starts, characters, side="right") - 1
        return rows

    def count(self, rows: Integers) -> Column:
        """Return how often each row occurs."""
        return narrow(np.bincount(rows, minlength=self.number))


def _of_spans(comparison: Comparison, rows: _Rows) -> Iterator[tuple[str, Column]]:
    gold, system = comparison.gold, comparison.system
    length = len(gold.characters)
    token_rows = np.searchsorted(gold.first_token, np.arange(len(gold.tokens)), side="right") - 1
    for name, ours, theirs, our_rows in (
        ("tokens", gold.tokens, system.tokens, token_rows),
        ("sentences", gold.sentences, system.sentences, np.arange(len(gold.units))),
    ):
        matched = matching(ours, theirs, length)
        their_rows = np.clip(rows.at(theirs.start), 0, rows.number - 1)
        their_rows[matched[1]] = our_rows[matched[0]]
        yield f"{name}.gold", rows.count(our_rows)
        yield f"{name}.system", rows.count(their_rows)
        yield f"{name}.correct", rows.count(our_rows[matched[0]])
    yield "words.gold", rows.count(rows.gold)
    yield "words.system", rows.count(rows.system)
    yield "words.correct", rows.count(rows.pairs)


def _of_words(comparison: Comparison, rows: _Rows) -> Iterator[tuple[str, Column]]:
    upos, xpos, ufeats, lemmas, las = (getattr(comparison, name) for name in ("upos", "xpos", "ufeats", "lemmas", "las"))
    content = [is_content(side) for side in (comparison.gold, comparison.system)]
    of_content = content[0][comparison.alignment.gold] & comparison.is_parsed
    right: dict[str, Flags] = {
        "upos": upos,
        "xpos": xpos,
        "ufeats": ufeats,
        "alltags": upos & xpos & ufeats,
        "lemmas": lemmas,
        "uas": comparison.uas,
        "las": las,
        "clas": las & of_content,
        "mlas": comparison.mlas & of_content if comparison.is_parsed else las,
        "blex": las & lemmas & of_content,
    }
    yield from ((name, rows.count(rows.pairs[flags])) for name, flags in right.items())
    yield "content.gold", rows.count(rows.gold[content[0]])
    yield "content.system", rows.count(rows.system[content[1]])
    yield "content.aligned", rows.count(rows.pairs[of_content])
    for name, side in (("gold", comparison.gold), ("system", comparison.system)):
        if not side.is_parsed:
            yield f"unparsed.{name}", np.ones(rows.number, np.int8)


def _of_edges(comparison: Comparison, rows: _Rows) -> Iterator[tuple[str, Column]]:
    gold, system = comparison.gold.edges, comparison.system.edges
    if not len(gold.word) and not len(system.word):
        return
    yield "edges.gold", rows.count(rows.gold[gold.word])
    yield "edges.system", rows.count(rows.system[system.word])
    yield "elas", rows.count(rows.gold[comparison.edges.elas])
    yield "eulas", rows.count(rows.gold[comparison.edges.eulas])


def _by_name(
    comparison: Comparison, rows: _Rows, prefix: str, field: Field, known: Collection[str]
) -> Iterator[tuple[str, Column]]:
    """Yield, for each known tag or relation of a side, its words on both sides, and those that are aligned and right."""
    options = comparison.options
    names = Coder()
    ours, theirs = (
        codes_in(rewritten(side.fields[field], options.relation if field == "DEPREL" else str), names)
        for side in (comparison.gold, comparison.system)
    )
    if field == "DEPREL":  # that of an unparsed side is not looked at
        ours, theirs = (
            codes if side.is_parsed else np.full(side.number, len(names))
            for side, codes in ((comparison.gold, ours), (comparison.system, theirs))
        )
    pairs = ours[comparison.alignment.gold]
    right = comparison.upos if field == "UPOS" else comparison.las
    counted = {
        "gold": (ours, rows.gold),
        "system": (theirs, rows.system),
        "aligned": (pairs, rows.pairs),
        "correct": (pairs[right], rows.pairs[right]),
    }
    for figure, (codes, places) in counted.items():
        keys, numbers = np.unique(codes * rows.number + places, return_counts=True)
        cuts = np.searchsorted(keys, np.arange(len(names) + 1) * rows.number).tolist()
        for name, start, end in sorted(zip(names, cuts, cuts[1:], strict=False)):
            if start < end and name in known:
                column = Sparse.of(keys[start:end] % rows.number, narrow(numbers[start:end]), rows.number)
                yield f"{prefix}.{name}.{figure}", column
