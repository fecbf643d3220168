"""Comments, docstrings, pages and templates name only what exists; the finder of dead references (`references.Tree`) is tested, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.references import Text, Tree
from tests.support import write

ROOT = Path(__file__).parent.parent

MODULE = '''"""Files that `other.helper` and `{module}` know."""
import os

LIMIT = 3
"""See `{constant}`."""


class Log:
    kinds: dict[str, int]

    def add(self, code: str) -> None:
        """Count `code`, as `{method}` says."""
        self.count_of = os.path.join("x.y", code)  # tests/{test}.py checks it
'''
ALIVE = {"module": "log.Log", "constant": "log.LIMIT", "method": "Log.kinds", "test": "test_log"}


@pytest.fixture(scope="module")
def project() -> Tree:
    return Tree(ROOT)


def test_no_reference_is_dead(project: Tree) -> None:
    assert sorted(dead for text in project.texts for dead in project.dead(text)) == []


def test_every_kind_of_text_is_read(project: Tree) -> None:
    read = {text.path.relative_to(ROOT).as_posix() for text in project.texts}
    pages = {"README.md", "CONTRIBUTING.md", "SECURITY.md", "schemas/SOURCES.md", "docs/python.md", "pyproject.toml", "Makefile"}
    assert read >= {*pages, "pytest_nlpeval/wording.py", "tests/test_contract.py", "pytest_nlpeval/reports/templates/page.css"}


@pytest.mark.parametrize(
    "name",
    [
        "wording.printable", "pytest_nlpeval.wording.printable", "printable", "Sample.running_sums", "log.add", "csv.quotes",
        "os.path.join", "str.translate", "metrics/prf.py", "tests/test_contract.py", "tests/test_references.py::test_no_reference_is_dead",
        "tests/tasks/<task>", "docs/*.md", "test_house_rules.py", "gold/a.tsv", "NAME.strict",
        "read_text", "read_text(source)", "prf.f_of(p, r)",
    ],
)  # fmt: skip
def test_a_name_of_what_exists_is_alive(project: Tree, name: str) -> None:
    assert [*project.dead(Text(ROOT / "pytest_nlpeval/files.py", 1, f"see `{name}`"))] == []


@pytest.mark.parametrize(
    "name",
    [
        "nowhere.printable", "wording.unprintable", "pytest_nlpeval.nowhere", "Sample.stumbling_sums",
        "os.path.joined", "metrics/nowhere.py", "tests/test_nothing.py", "tests/test_references.py::test_nothing", "docs/*.nowhere",
        "tests/tasks/<task>/nowhere", "nowhere.py", "read_nowhere", "read_nowhere(source)", "prf.f_nowhere(p, r)",
    ],
)  # fmt: skip
def test_a_name_of_what_does_not_exist_is_dead(project: Tree, name: str) -> None:
    text = Text(ROOT / "pytest_nlpeval/files.py", 7, f"First line,\nthen `{name}`.")
    (dead, *_) = project.dead(text)
    assert (dead.path, dead.line) == ("pytest_nlpeval/files.py", 8)


@pytest.mark.parametrize("planted", [None, *ALIVE])
def test_a_planted_reference_is_found_in_docstrings_and_comments(tmp_path: Path, planted: str | None) -> None:
    names = ALIVE | ({planted: f"{ALIVE[planted]}_gone"} if planted else {})
    source = MODULE
    for key, name in names.items():
        source = source.replace(f"{{{key}}}", name)
    write(tmp_path, {"pytest_nlpeval/log.py": source, "pytest_nlpeval/other.py": "def helper(): ...\n", "tests/test_log.py": ""})
    tree = Tree(tmp_path)
    dead = {found.name.removesuffix(".py").removeprefix("tests/") for text in tree.texts for found in tree.dead(text)}
    assert dead == ({names[planted]} if planted else set())


def test_a_planted_reference_is_found_in_pages_templates_and_settings(tmp_path: Path) -> None:
    files = {
        "README.md": "See [the rules](docs/rules.md) and `tests/gone.py`.\n",
        "docs/rules.md": "`gone.md`\n",
        "pyproject.toml": "[tool]  # see tests/gone.py\n",
        "pytest_nlpeval/reports/templates/page.css": "/* written by `blocks.gone` */\n",
        "CHANGELOG.md": "`tests/gone.py` is no more.\n",
    }
    write(tmp_path, {**files, "tests/test_blocks.py": ""})
    tree = Tree(tmp_path)
    assert {found.path for text in tree.texts for found in tree.dead(text)} == files.keys() - {"CHANGELOG.md"}
