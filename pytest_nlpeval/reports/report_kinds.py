"""The kinds of problems of JSON reports that are read back, for modules that read none."""

from __future__ import annotations

from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind

REPORT_KINDS = {
    **FILE_KINDS,
    **text_kinds("off"),
    "report.invalid": Kind("error", "the file is not a JSON report of this program", fixed=True),
    "report.more": Kind("error", "there are more mistakes than are looked for", fixed=True),
    "report.version": Kind("error", "the report is of a version that this program does not read", fixed=True),
}
