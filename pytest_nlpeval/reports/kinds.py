"""The kinds of reports, an entry each: what formats ask of the document that `nlpeval run`, `compare` or `history` makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports.blocks import Block
from pytest_nlpeval.reports.configurations import histories_telling_configurations, report_telling_configurations
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.blocks import blocks as run_blocks
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.task import Deferred

if TYPE_CHECKING:  # what a report does not need is not imported
    from pytest_nlpeval.run.history import History
    from pytest_nlpeval.run.side_by_side import SideBySide

Document = TypeVar("Document")


@light_dataclass(frozen=True, slots=True)
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


def _of_run(place: str) -> Callable[..., Any]:
    """Return the function at a place for reports whose suites' names tell their configurations."""
    function = Deferred(f"pytest_nlpeval.reports.run.{place}")
    return lambda report, *setting: function(report_telling_configurations(report), *setting)


def _of_comparison(place: str) -> Callable[..., Any]:
    return Deferred(f"pytest_nlpeval.reports.compare.{place}")


def _of_history(place: str) -> Callable[..., Any]:
    """Return the function at a place for histories whose suites' names tell their configurations."""
    function = Deferred(f"pytest_nlpeval.reports.history.{place}")
    return lambda histories: function(histories_telling_configurations(histories))


RUN: Kind[Report] = Kind(
    "run",
    to_json=Report.to_json,
    blocks=run_blocks,
    table=Deferred("pytest_nlpeval.reports.run.table:table"),
    page=_of_run("page:run_page"),
    native=_of_run("native:native"),
    markdown=_of_run("markdown:run_markdown"),
    changes=_of_run("changes_table:changes_csv"),
)
COMPARE: Kind[SideBySide] = Kind(
    "compare",
    to_json=_of_comparison("document:comparison_json"),
    blocks=lambda comparison, _: _of_comparison("blocks:comparison_blocks")(comparison),
    table=_of_comparison("table:comparison_table"),
    page=_of_comparison("page:comparison_page"),
    latex=_of_comparison("latex:comparison_latex"),
    wide=_of_comparison("table:wide_table"),
)
HISTORY: Kind[Sequence[History]] = Kind(
    "history",
    to_json=Deferred("pytest_nlpeval.reports.history.document:history_json"),
    blocks=lambda histories, _: _of_history("blocks:history_blocks")(histories),
    table=Deferred("pytest_nlpeval.reports.history.table:history_table"),
    page=_of_history("page:history_page"),
)
