"""Recognises the files of the task: documents of tokens with markables, and a configuration near them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile, takewhile
from typing import Any

from pytest_nlpeval.formats.samples import Element, Sample, Samples
from pytest_nlpeval.task import LIKELY, SURE, Guess

_CONFIG_LINE = re.compile(r"[^\s#]+\t(?:markable|one2one|many2one|instance)\t\S.*")
_ANCHORS = ("Markables", "Relations", "token_anchor", "source", "target")


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield a guess for each configuration file near; without any, every kind of annotation that the first gold file has is scored."""
    if not all(sample.root == "Document" and any(map(_is_token, sample.elements)) for sample in (samples.gold, samples.system)):
        return
    why = "<Document> of <token>"
    configs = [other for other in samples.others if any(map(_CONFIG_LINE.fullmatch, other.lines))]
    yield from (Guess(SURE, {}, f"{why}, and a configuration lies near", {"config": config}) for config in configs)
    annotations = [] if configs else list(_annotations(samples.gold))
    if annotations:
        yield Guess(LIKELY, {"annotations": annotations}, f"{why}; no configuration near: all that is annotated there is scored")


def _is_token(element: Element) -> bool:
    return element.name == "token" and "sentence" in element.attributes


def _annotations(gold: Sample) -> Iterator[dict[str, Any]]:
    """Yield a line of configuration for each kind of markable and of relation; one of several sources is many to one."""
    behind = list(dropwhile(lambda element: element.name != "Markables", gold.elements))
    markables = [element.name for element in takewhile(lambda element: element.name != "Relations", behind)]
    yield from ({"name": name, "type": "markable"} for name in dict.fromkeys(markables) if name not in _ANCHORS)
    several: dict[str, bool] = {}
    name = ""
    for before, element in zip(behind[len(markables) :], behind[len(markables) + 1 :], strict=False):
        name = name if element.name in _ANCHORS else element.name
        several[name] = several.get(name, False) or (before.name, element.name) == ("source", "source")
    for relation, is_several in several.items():
        kind = "many2one" if is_several else "one2one"
        yield {"name": relation, "type": kind, "specificity": "directional"}
