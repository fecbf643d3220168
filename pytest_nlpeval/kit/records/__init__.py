"""Files that list items, as records: lines, tables, JSON; and which record of the system answers which one of gold.

A reader calls `read_records`, which gives its fields as columns of cells, then `read_ids`, and `pair_by_id` or `pair_by_line`. Everything
that is wrong is in the log by then, with the codes of `record_kinds`. Names are imported when first used: a task that also reads files of
other kinds needs the layout of records to know its options, and nothing of what reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_nlpeval.lazy_names import imported_when_used

if TYPE_CHECKING:
    from pytest_nlpeval.kit.records.conventions import Conventions, File, record_kinds
    from pytest_nlpeval.kit.records.joining import joined
    from pytest_nlpeval.kit.records.layout import BLANKS, FAULT, Field, Layout, by_side, fields_of, kind_of, layouts, text_of
    from pytest_nlpeval.kit.records.left_out import LEFT_OUT, left_out_columns, left_out_notes
    from pytest_nlpeval.kit.records.pairing import (
        Ids,
        distinct_ids,
        may_pair_by_line,
        pair_by_id,
        pair_by_line,
        read_ids,
        rows_in_gold,
    )
    from pytest_nlpeval.kit.records.paths import AmbiguousError, Path
    from pytest_nlpeval.kit.records.reading import Records, read_records
    from pytest_nlpeval.kit.records.tables import columns_of
    from pytest_nlpeval.kit.records.written_lists import listed_in

__all__ = [
    "BLANKS",
    "FAULT",
    "LEFT_OUT",
    "AmbiguousError",
    "Conventions",
    "Field",
    "File",
    "Ids",
    "Layout",
    "Path",
    "Records",
    "by_side",
    "columns_of",
    "distinct_ids",
    "fields_of",
    "joined",
    "kind_of",
    "layouts",
    "left_out_columns",
    "left_out_notes",
    "listed_in",
    "may_pair_by_line",
    "pair_by_id",
    "pair_by_line",
    "read_ids",
    "read_records",
    "record_kinds",
    "rows_in_gold",
    "text_of",
]

__getattr__ = imported_when_used(
    __name__,
    {
        "conventions": ("Conventions", "File", "record_kinds"),
        "joining": ("joined",),
        "layout": ("BLANKS", "FAULT", "Field", "Layout", "by_side", "fields_of", "kind_of", "layouts", "text_of"),
        "left_out": ("LEFT_OUT", "left_out_columns", "left_out_notes"),
        "pairing": ("Ids", "distinct_ids", "may_pair_by_line", "pair_by_id", "pair_by_line", "read_ids", "rows_in_gold"),
        "paths": ("AmbiguousError", "Path"),
        "reading": ("Records", "read_records"),
        "tables": ("columns_of",),
        "written_lists": ("listed_in",),
    },
)
