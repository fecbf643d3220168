"""Labels that are not what they seem: sets that are written as one label, another mark between labels, codes for names."""

from __future__ import annotations

import re
from collections.abc import Collection

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.options import Options
from pytest_nlpeval.wording import quoted

MARKS = (",", ";", "|", "/", " ")
"""What may stand between labels, the likeliest first."""


def likely_mark(labels: Collection[str]) -> str:
    """Return the mark that seems to stand between labels within single ones, "" if none does.

    Of the labels that hold the mark, each has a part that is a label by itself, or a part of another such label.

    >>> likely_mark({"toxic", "toxic|spam"}), likely_mark({"New York", "Boston"})
    ('|', '')
    """
    for mark in MARKS:
        compounds = [label.split(mark) for label in labels if mark in label.strip()]
        times: dict[str, int] = {}
        for part in {label for label in labels if mark not in label}:
            times[part] = 1
        for parts in compounds:
            for part in {part.strip() for part in parts}:
                times[part] = times.get(part, 0) + 1
        if compounds and all(any(times[part.strip()] > 1 for part in parts) for parts in compounds):
            return mark
    return ""


_CODE = re.compile(r"(?:LABEL_)?-?[0-9]+(?:\.0)?")
_LIST_BEGINS = ("['", '["', "{'", '{"')
_LEAST_WITHOUT_CAUSE = 20
"""So many items without any common label are no chance, whatever the cause."""


def check_written_sets(labels: Collection[str], options: Options, log: ProblemLog, *, has_sets: bool) -> None:
    """Log that some labels of a file look like several; `has_sets` says that sets of two are read as such already."""
    likely_lists = sorted(label for label in labels if label.startswith(_LIST_BEGINS))
    if likely_lists:
        cure = (
            f"write labels with {quoted(options.separator)} between them, or a list as Python's repr or JSON writes it"
            if options.is_set
            else "say `kind: labels` if an item has a set of labels"
        )
        log.add("labels.separator", f"the label {quoted(likely_lists[0])} looks like a list of labels; {cure}")
    elif options.is_set and not has_sets and (mark := likely_mark(labels)):
        example = min(label for label in labels if mark in label)
        message = f"the label {quoted(example)} looks like several with {quoted(mark)} between them"
        log.add("labels.separator", f'{message}; say `separator: "{mark}"`, or write {quoted(options.separator)} instead')


def check_common_labels(gold: Collection[str], system: Collection[str], judged: int, options: Options, log: ProblemLog) -> None:
    """Log that no label of the system is one of gold, given the number of judged items, and the likely cause."""
    if options.all_labels or not gold or not system or not set(gold).isdisjoint(system):
        return
    folded = {label.casefold(): label for label in gold}
    other_case = next((label for label in system if label.casefold() in folded), None)
    both = {*system, *gold}
    decimal = next((label for label in sorted(both) if label.endswith(".0") and label[:-2] in both), None)
    if decimal is not None:
        cause = f"{quoted(decimal)} is another label than {quoted(decimal[:-2])}; write codes as whole numbers on both sides"
    elif other_case is not None:
        cause = f"upper and lower case count: {quoted(other_case)} is {quoted(folded[other_case.casefold()])} in gold"
    elif all(map(_CODE.fullmatch, system)) != all(map(_CODE.fullmatch, gold)):
        cause = "one side has codes where the other has names; write the same in both"
    elif judged >= _LEAST_WITHOUT_CAUSE:
        cause = "does the option `label` name the right column of each side?"
    else:
        return
    examples, gold_examples = (", ".join(map(quoted, sorted(labels)[:3])) for labels in (system, gold))
    log.add("labels.other-labels", f"none of the system's labels ({examples}) is in gold ({gold_examples}); {cause}")
