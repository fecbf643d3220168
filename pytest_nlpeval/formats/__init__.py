"""Hardened readers and validators: bytes of a file in; lines, elements or values out, problems to the log.

The names below are public, for tasks of other packages: readers of text, tables and JSON, and the kinds of problems that they log. XML and
YAML are read by modules of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_nlpeval.lazy_names import imported_when_used

if TYPE_CHECKING:
    from pytest_nlpeval.formats.csv import CSV_KINDS, Row, read_csv, read_tsv
    from pytest_nlpeval.formats.json import JSON_KINDS, Dialect, Entry, read_json, read_json_lines
    from pytest_nlpeval.formats.text import lines_of, read_text, text_kinds

__all__ = [
    "CSV_KINDS",
    "JSON_KINDS",
    "Dialect",
    "Entry",
    "Row",
    "lines_of",
    "read_csv",
    "read_json",
    "read_json_lines",
    "read_text",
    "read_tsv",
    "text_kinds",
]

_NAMES = {
    "csv": ("CSV_KINDS", "Row", "read_csv", "read_tsv"),
    "json": ("JSON_KINDS", "Dialect", "Entry", "read_json", "read_json_lines"),
    "text": ("lines_of", "read_text", "text_kinds"),
}
__getattr__ = imported_when_used(__name__, _NAMES)
