"""What the project says about itself in several files is the same in all of them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from pytest_nlpeval import __version__
from pytest_nlpeval.tasks import TASKS

ROOT = Path(__file__).parent.parent


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"(?m)^## \[{re.escape(__version__)}\] – (.+)$", changelog)
    assert released
    assert (citation["version"], str(citation.get("date-released", "unreleased"))) == (__version__, released[1])


def test_before_a_commit_the_same_versions_check_as_in_ci() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    allowed = {need.name: need.specifier for need in map(Requirement, [*extras["dev"], *extras["ci"]])}
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    pinned = [Requirement(pin) for hook in repository["hooks"] for pin in hook.get("additional_dependencies", [])]
    versions = {pin.name: str(pin.specifier).removeprefix("==") for pin in pinned}
    assert set(versions) - set(allowed) == {"pre-commit-hooks"}
    assert not {name: version for name, version in versions.items() if name in allowed and version not in allowed[name]}


def test_every_schema_says_where_it_comes_from() -> None:
    page = (ROOT / "schemas/SOURCES.md").read_text(encoding="utf-8")
    schemas = [path.name for path in (ROOT / "schemas").iterdir() if path.suffix in {".json", ".dtd"}]
    assert [name for name in schemas if f"`{name}`" not in page] == []
    assert [name for name in re.findall(r"`([^`]+\.(?:json|dtd))`", page) if name not in schemas] == []


def test_no_pattern_of_a_schema_takes_a_line_end_behind_its_end() -> None:
    """In Python `$` stands before a last line feed, too; in JSON Schema it does not."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "schemas").glob("*.json")}
    patterns = [(name, *found) for name, text in texts.items() for found in re.findall(r'"pattern": "(.*?)(?<!\\)"', text)]
    assert len(patterns) > 5
    assert [pattern for pattern in patterns if pattern[1].endswith("$")] == []


@pytest.mark.parametrize("task", TASKS)
def test_the_tables_of_tasks_lead_to_every_page(task: str) -> None:
    assert f"| [`{task}`](docs/{task}.md) |" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| [`{task}`]({task}.md) |" in (ROOT / "docs/tasks.md").read_text(encoding="utf-8")


def test_the_tables_of_tasks_have_one_order() -> None:
    def names(path: str) -> list[str]:
        return re.findall(r"^\| \[`(\w+)`\]", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)

    assert names("README.md") == names("docs/tasks.md")


def test_every_page_is_in_the_navigation_of_the_site_once() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r": ([\w/-]+\.md)$", navigation, re.MULTILINE)
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(listed) == sorted([*pages, "index.md", "pages.md", "reference.md"])


def test_the_form_for_wrong_scores_lists_every_task() -> None:
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/1-wrong-score.yml").read_text(encoding="utf-8"))
    (choices,) = (field["attributes"]["options"] for field in form["body"] if field.get("id") == "task")
    assert choices == [*sorted(TASKS), "a task of somebody else's"]
