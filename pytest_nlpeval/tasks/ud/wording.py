"""How explanations name what is not right: words in quotation marks, with their IDs where two could be meant."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.ud.comparing import Comparison
from pytest_nlpeval.tasks.ud.document import Document
from pytest_nlpeval.tasks.ud.table import Field, Flags
from pytest_nlpeval.wording import quoted

NONE = -1

_FIELDS: dict[str, tuple[Field, str]] = {
    "upos": ("UPOS", "the tag"),
    "xpos": ("XPOS", "the XPOS"),
    "feats": ("FEATS", "the features"),
    "lemma": ("LEMMA", "the lemma"),
    "relation": ("DEPREL", "the relation"),
}
_LABELS = ("upos", "relation")
"""The reasons of which pairs of labels are counted."""


@light_dataclass(frozen=True, slots=True)
class Wording:
    """Says what is wrong, and what gold and the system have."""

    comparison: Comparison

    def of(self, reason: str, gold: int, system: int) -> tuple[str, str, str]:
        """Return the message, and what either side has, "" for nothing; ranks are of sentences, tokens or words."""
        if reason in _FIELDS:
            return self._of_field(*_FIELDS[reason], gold, system)
        say = {"sentence": self._of_sentence, "token": self._of_token, "word": self._of_word, "head": self._of_head}
        return say.get(reason, self._of_edges)(gold, system)

    def labels(self, reason: str, gold: int, system: int) -> tuple[str, str] | None:
        """Return the tags or the relations of both sides, if it is these that differ; it takes no more than to look them up."""
        return self._values(_FIELDS[reason][0], gold, system) if reason in _LABELS else None

    def _values(self, field: Field, gold: int, system: int) -> tuple[str, str]:
        return self.comparison.gold.fields[field][gold], self.comparison.system.fields[field][system]

    def _of_field(self, field: Field, name: str, gold: int, system: int) -> tuple[str, str, str]:
        ours, theirs = self._values(field, gold, system)
        return f"{_word(self.comparison.gold, gold)} has {name} {quoted(theirs)}, expected {quoted(ours)}", ours, theirs

    def _of_sentence(self, gold: int, _system: int) -> tuple[str, str, str]:
        span, others = self.comparison.gold.sentences, self.comparison.system.sentences
        start, end = span.start[gold], span.end[gold]
        inside = int(np.searchsorted(others.start, end, "left") - np.searchsorted(others.start, start, "right"))
        how = []
        if not _has(others.start, start):
            how.append("joined with the one before")
        if not _has(others.end, end):
            how.append("joined with the next")
        if inside > 0:
            how.append(f"cut in {inside + 1}")
        text = " and ".join(how) or "not found"
        return f"the sentence is {text}", "", text

    def _of_token(self, gold: int, _system: int) -> tuple[str, str, str]:
        tokens, others = self.comparison.gold.tokens, self.comparison.system.tokens
        first = int(np.searchsorted(others.end, tokens.start[gold], "right"))
        end = int(np.searchsorted(others.start, tokens.end[gold], "left"))
        forms = [self.comparison.system.token_forms[token] for token in range(first, end)]
        ours, theirs = self.comparison.gold.token_forms[gold], " ".join(map(quoted, forms[:_MOST])) + _more(len(forms))
        return f"the token {quoted(ours)} is {theirs}", ours, " ".join(forms[:_MOST])

    def _of_word(self, gold: int, system: int) -> tuple[str, str, str]:
        if gold == NONE:
            form = self.comparison.system.form(system)
            return f"the word {quoted(form)} of the system has no partner in gold", "", form
        form = self.comparison.gold.form(gold)
        return f"the word {quoted(form)} of gold has no partner", form, ""

    def _of_head(self, gold: int, system: int) -> tuple[str, str, str]:
        sides = ((self.comparison.gold, gold), (self.comparison.system, system))
        ours, theirs = (_node(side, int(side.heads[word])) for side, word in sides)
        return f"{_word(self.comparison.gold, gold)} is on {theirs}, expected {ours}", ours, theirs

    def _of_edges(self, gold: int, system: int) -> tuple[str, str, str]:
        edges = self.comparison.edges
        missing = _edges(self.comparison.gold, gold, edges.missing)
        extra = _edges(self.comparison.system, system, edges.extra)
        parts = [f"{name} {text}" for name, text in (("missing", missing), ("extra", extra)) if text]
        return f"{_word(self.comparison.gold, gold)} has enhanced edges {', '.join(parts)}", missing, extra


_MOST = 10
"""How many tokens or edges a message lists."""


def _more(number: int) -> str:
    return f" and {number - _MOST:,} more" if number > _MOST else ""


def _has(sorted_numbers: np.ndarray, number: int) -> bool:
    place = int(np.searchsorted(sorted_numbers, number))
    return place < len(sorted_numbers) and int(sorted_numbers[place]) == int(number)


def _word(side: Document, word: int) -> str:
    return f"{quoted(side.form(word))} ({side.id_of(word)})"


def _node(side: Document, node: int) -> str:
    return "the root (0)" if node == side.number else _word(side, node)


def _edges(side: Document, word: int, flags: Flags) -> str:
    """Return the flagged edges of a word as `head:label`."""
    start, end = np.searchsorted(side.edges.word, [word, word + 1]).tolist()
    edges = side.edges
    chosen = sorted((int(edges.head[edge]), edges.paths.text(int(edges.path[edge]))) for edge in range(start, end) if flags[edge])
    written = [f"{0 if head == side.number else side.id_of(head)}:{labels}" for head, labels in chosen[:_MOST]]
    return " ".join(written) + _more(len(chosen))
