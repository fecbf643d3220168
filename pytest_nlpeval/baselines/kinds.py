"""The kinds of problems of baseline files, for modules that read none."""

from __future__ import annotations

from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind

BASELINE_KINDS = {
    **FILE_KINDS,
    **text_kinds("off"),
    "baseline.invalid": Kind("error", "the file is not a baseline file of this program", fixed=True),
}
