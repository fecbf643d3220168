"""The kinds of reports, an entry each: what formats ask of the document that `nlpeval run`, `compare` or `history` makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pytest_nlpeval.reports.blocks import Block
from pytest_nlpeval.reports.compare.blocks import comparison_blocks
from pytest_nlpeval.reports.compare.document import comparison_json
from pytest_nlpeval.reports.compare.latex import comparison_latex
from pytest_nlpeval.reports.compare.page import comparison_page
from pytest_nlpeval.reports.compare.table import comparison_table, wide_table
from pytest_nlpeval.reports.configurations import histories_telling_configurations, report_telling_configurations
from pytest_nlpeval.reports.history.blocks import history_blocks
from pytest_nlpeval.reports.history.document import history_json
from pytest_nlpeval.reports.history.page import history_page
from pytest_nlpeval.reports.history.table import history_table
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.blocks import blocks as run_blocks
from pytest_nlpeval.reports.run.changes_table import changes_csv
from pytest_nlpeval.reports.run.markdown import run_markdown
from pytest_nlpeval.reports.run.native import native as run_native
from pytest_nlpeval.reports.run.page import page_of
from pytest_nlpeval.reports.run.table import table as run_table
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.history import History
from pytest_nlpeval.run.side_by_side import SideBySide

Document = TypeVar("Document")


@dataclass(frozen=True, slots=True)
class Kind(Generic[Document]):
    """A kind of report, by functions of its document.

    `blocks` are what a person reads, `table` a header and rows for spreadsheets, `page` a template and what it shows. A kind may have
    the tables of the tasks' original scorers, Markdown of its own (without, it is made of the blocks), and a table of the items that
    changed; that of a comparison has a table for LaTeX, and one that is `wide`.
    """

    name: str
    to_json: Callable[[Document], Mapping[str, Any]]
    blocks: Callable[[Document, Setting], Sequence[Block]]
    table: Callable[[Document], tuple[Sequence[str], Iterable[Sequence[str]]]]
    page: Callable[[Document], tuple[str, Mapping[str, Any]]]
    native: Callable[[Document], str] | None = None
    markdown: Callable[[Document, Setting], str] | None = None
    changes: Callable[[Document], str] | None = None
    latex: Callable[[Document], str] | None = None
    wide: Callable[[Document], tuple[Sequence[str], Iterable[Sequence[str]]]] | None = None


RUN: Kind[Report] = Kind(
    "run",
    to_json=Report.to_json,
    blocks=run_blocks,
    table=run_table,
    page=lambda report: ("page", {"page": page_of(report_telling_configurations(report))}),
    native=lambda report: run_native(report_telling_configurations(report)),
    markdown=lambda report, setting: run_markdown(report_telling_configurations(report), setting),
    changes=lambda report: changes_csv(report_telling_configurations(report)),
)
COMPARE: Kind[SideBySide] = Kind(
    "compare",
    to_json=comparison_json,
    blocks=lambda comparison, _: comparison_blocks(comparison),
    table=comparison_table,
    page=comparison_page,
    latex=comparison_latex,
    wide=wide_table,
)
HISTORY: Kind[Sequence[History]] = Kind(
    "history",
    to_json=history_json,
    blocks=lambda histories, _: history_blocks(histories_telling_configurations(histories)),
    table=history_table,
    page=lambda histories: history_page(histories_telling_configurations(histories)),
)
