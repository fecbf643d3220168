"""Builds CAT files as text, and reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.tasks.cat.config_file import read_config
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.problems import PROBLEMS
from pytest_nlpeval.tasks.cat.reading import read_gold, read_system
from pytest_nlpeval.tasks.cat.standard.selection import Selection
from pytest_nlpeval.tasks.cat.xml.document import Document

LABELLED = """\
<Document doc_name="ferry">
<token t_id="1" sentence="0" number="0">The</token>
<token t_id="2" sentence="0" number="1">ferry</token>
<token t_id="3" sentence="1" number="0">left</token>
<token t_id="4" sentence="1" number="1">Friday</token>
<Markables>
<EVENT m_id="1" class="MOTION"><token_anchor t_id="3"/></EVENT>
<TIMEX3 m_id="2" type="DATE" value="2014-W20-5"><token_anchor t_id="4"/><token_anchor t_id="2"/></TIMEX3>
<TIMEX3 m_id="7" type="DATE" value="2014"/>
</Markables>
<Relations>
<TLINK r_id="9" relType="IS_INCLUDED"><source m_id="1"/><target m_id="2"/></TLINK>
<REFERS_TO r_id="10"><target m_id="7"/><source m_id="1"/><source m_id="2"/></REFERS_TO>
<TLINK r_id="11"/>
</Relations>
</Document>
"""
"""A file with everything that there is; the tokens stand on lines 2 to 5."""

UNLABELLED = LABELLED.replace("t_id", "id").replace("m_id", "id").replace("r_id", "id")

Found = tuple[Document | None, tuple[Problem, ...]]


def read(text: str | bytes, gold: Document | None = None, rules: Mapping[str, Rule] | None = None, **options: Any) -> Found:
    """Read a gold file, or with `gold` a system file."""
    log = ProblemLog("file", PROBLEMS, rules)
    source = Source("file", text if isinstance(text, bytes) else text.encode())
    found = read_gold(source, {}, make_options(**options), log)
    if gold is not None:
        log = ProblemLog("file", PROBLEMS, rules)
        found = read_system(source, {"gold": Selection(gold)}, make_options(**options), log)
    return found.document if found else None, log.problems()


def document(text: str | bytes = LABELLED) -> Document:
    """Read a file that is right."""
    found, problems = read(text)
    assert problems == ()
    assert found is not None
    return found


def config(text: str | bytes, **options: Any) -> tuple[Configuration | None, list[str]]:
    """Read a configuration; problems as `line:column message`."""
    log = ProblemLog("config", PROBLEMS)
    found = read_config(Source("config", text if isinstance(text, bytes) else text.encode()), {}, make_options(**options), log)
    return found, [f"{problem.line}:{problem.column} {problem.message}" for problem in log.problems()]


def codes(problems: tuple[Problem, ...]) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in problems]
