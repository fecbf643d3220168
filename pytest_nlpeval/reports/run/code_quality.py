"""Problems and gates that do not hold as GitLab's code quality report: https://docs.gitlab.com/ci/testing/code_quality/."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pytest_nlpeval.reports.configurations import report_telling_configurations
from pytest_nlpeval.reports.github import Annotation, Level, told_annotations
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.wording import harmless

SEVERITIES: dict[Level, str] = {"error": "critical", "warning": "minor", "notice": "info"}
"""What GitLab calls the levels of annotations. Of what fails the run the severity is `critical`."""


def code_quality(report: Report) -> list[dict[str, Any]]:
    """Return an entry for each problem, each gate that does not hold and each note of a suite.

    GitLab tells by the fingerprint what a merge request adds and mends, and takes entries with the same one for one entry. So the
    fingerprint has neither lines nor values: it is of the place in words, and of the rank among those that are alike. Nor has it the name
    that a suite has where configurations are several: the fingerprints of one stay when another joins it.
    """
    counts: Counter[str] = Counter()
    entries = []
    told = dict(zip(_annotations(report), _annotations(report_telling_configurations(report)), strict=True))
    for annotation, shown in told.items():
        identity = json.dumps([annotation.title, annotation.path, annotation.identity or annotation.message])
        entries.append(_entry(shown, f"{identity} {counts[identity]}", report))
        counts[identity] += 1
    return entries


def _annotations(report: Report) -> Iterator[Annotation]:
    yield from told_annotations(report)
    for suite in report.suites:
        for note in suite.notes:
            yield Annotation("notice", suite.config, suite.line, None, "nlpeval: note", f"{suite.name}: {note}", suite.name)


def _entry(annotation: Annotation, identity: str, report: Report) -> dict[str, Any]:
    """Return an entry; what belongs to no file stands at the first configuration, for GitLab wants a file and a line."""
    path = annotation.path or next((suite.config for suite in report.suites), "") or "nlpeval.yaml"
    return {
        "description": harmless(annotation.message),
        "check_name": harmless(annotation.title),
        "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
        "severity": SEVERITIES[annotation.level],
        "location": {"path": harmless(path), "lines": {"begin": annotation.line or 1}},
    }
