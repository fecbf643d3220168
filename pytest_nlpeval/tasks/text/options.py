"""Options of the task, in the form that everything else reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pytest_nlpeval.kit.records import Field, Layout, by_side, fields_of, layouts
from pytest_nlpeval.light_dataclasses import light_dataclass

Side = Literal[0, 1]
GOLD: Side = 0
SYSTEM: Side = 1

RATES = ("wer", "cer")
CHRF = ("chrf", "chrf++")
ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum")
FAMILIES = (*RATES, "bleu", *CHRF, "ter", *ROUGE)

LINES, TRN, KALDI = "lines", "trn", "kaldi"


@light_dataclass(frozen=True, slots=True)
class Options:
    """What a configuration says, completed. Of pairs the first is gold's, the second the system's.

    `measures` are the families that are worked out. `normalise` has the steps that are taken on both sides, and `ignore` the words that are
    left out. `ter` are the switches of its tokens. `texts` are the fields of references, and that of the hypothesis. `signature` has
    whatever changes a score, as text.
    """

    measures: tuple[str, ...] = RATES
    normalise: frozenset[str] = frozenset()
    ignore: tuple[str, ...] = ()
    tokenize: str = "13a"
    ter: frozenset[str] = frozenset()
    texts: tuple[tuple[Field, ...], tuple[Field, ...]] = (("text",), ("text",))
    layouts: tuple[Layout, Layout] = (Layout(), Layout())
    group: Field | None = None
    cluster: Field | None = None
    quote: tuple[Field, ...] = ()
    is_published: bool = False
    signature: tuple[tuple[str, str], ...] = ()

    def has(self, *families: str) -> bool:
        """Whether one of some families of measures is worked out."""
        return not set(families).isdisjoint(self.measures)


def options(**given: Any) -> Options:
    """Return the options of a configuration that fits the schema.

    >>> options(measures="bleu", text={"gold": ["ref0", "ref1"]}).texts
    (('ref0', 'ref1'), ('text',))
    """
    families = _listed(given.get("measures", RATES))
    gold, system = by_side(given.get("text"), "text")
    return Options(
        measures=tuple(family for family in FAMILIES if family in families),
        normalise=frozenset(_listed(given.get("normalise", ()))),
        ignore=_listed(given.get("ignore", ())),
        tokenize=given.get("tokenize", "13a"),
        ter=frozenset(_listed(given.get("ter", ()))),
        texts=(fields_of(gold), fields_of(system)),
        layouts=layouts(given),
        group=next(iter(fields_of(given.get("group"))), None),
        cluster=next(iter(fields_of(given.get("cluster"))), None),
        quote=fields_of(given.get("quote")),
        is_published=given.get("profile") == "published",
        signature=tuple(_signature(given)),
    )


def with_formats(options: Options, side: Side, label: str) -> Layout:
    """Return how a file is read, given what messages call it: a name that ends in `.trn` tells a format, too."""
    layout = options.layouts[side]
    is_trn = not layout.format and label.lower().endswith(".trn")
    return replace(layout, format=TRN) if is_trn else layout


READING = ("format", "items", "where", "id", "pair", "text", "quote")
"""The options that say how files are read."""


def _signature(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    families = _listed(given.get("measures", RATES))
    texts = {
        "profile": given.get("profile", "standard"),
        "measures": ",".join(family for family in FAMILIES if family in families),
    }
    for name in sorted(given.keys() - {*READING, "cluster", *texts}):
        value = list(_listed(given[name])) if name in _LISTS else given[name]
        texts[name] = _written(value)
    return list(texts.items())


_LISTS = ("normalise", "ignore", "ter")


def of_signature(signature: Mapping[str, str]) -> Options:
    """Return the options that a signature tells.

    >>> of_signature(dict(options(measures=["ter"], ignore="[noise]").signature)).ignore
    ('[noise]',)
    """
    given: dict[str, Any] = {name: json.loads(signature[name]) for name in _LISTS if name in signature}
    if "tokenize" in signature:
        given["tokenize"] = signature["tokenize"]
    return options(measures=signature["measures"].split(","), profile=signature["profile"], **given)


def _written(value: object) -> str:
    """Return an option as text that can stand between the bars of a signature."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text.replace("|", "\\u007c")


def _listed(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
