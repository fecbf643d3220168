"""What the site has beside the pages of docs/: the README as its home page, a reference of the Python interface, and a table of all pages.

Pages link to files of the repository by relative paths, which the site does not have: such links lead to the repository.

Search works from a disk, without a server: the theme's plugin `offline` writes the index as a script. The theme takes what replaces
workers from another host; the site has a script of its own for that, so that no page asks another host for anything.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import pytest_nlpeval

ROOT = Path(__file__).resolve().parents[2]
WORDS_PER_MINUTE = 200
SEARCH_FROM_DISK = "assets/search-from-disk.js"
SCRIPT_OF_ANOTHER_HOST = "https://unpkg.com/iframe-worker/shim"
LINK = re.compile(r"(?P<before>\]\()(?P<path>[^)#\s:]+)(?P<rest>(?:#[^)\s]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path, content in (("index.md", readme), ("reference.md", reference()), ("pages.md", table_of_pages())):
        files.append(File.generated(config, path, content=content))
    script = Path(__file__).with_name("search-from-disk.js").read_text(encoding="utf-8")
    files.append(File.generated(config, SEARCH_FROM_DISK, content=script))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Return a page whose links to what is not in docs/ lead to the repository."""
    return with_links(markdown, folder="" if page.file.src_uri == "index.md" else posixpath.dirname(f"docs/{page.file.src_uri}"))


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Return a page that takes the script for searching from the site."""
    return with_own_script(output, folder=posixpath.dirname(page.file.dest_uri))


def on_post_template(output_content: str, template_name: str, **_: object) -> str:
    """Return the page for addresses that do not exist, likewise."""
    return with_own_script(output_content, folder="") if template_name == "404.html" else output_content


def with_own_script(page: str, folder: str) -> str:
    """Return a page of a folder of the site whose script for searching from a disk is the site's.

    Raises:
        ValueError: if the page does not name the theme's script once, so that search would be lost.

    >>> with_own_script(f'<script src="{SCRIPT_OF_ANOTHER_HOST}">', "developers")
    '<script src="../assets/search-from-disk.js">'
    """
    if page.count(SCRIPT_OF_ANOTHER_HOST) != 1:
        raise ValueError(f"expected a page of the theme that names {SCRIPT_OF_ANOTHER_HOST} once")
    return page.replace(SCRIPT_OF_ANOTHER_HOST, posixpath.relpath(SEARCH_FROM_DISK, folder or "."))


def reference() -> str:
    """Return the page of the Python interface: what `pytest_nlpeval` exports, functions before classes and constants.

    >>> "::: pytest_nlpeval.evaluate" in reference().splitlines()
    True
    """
    names = sorted(
        (name for name in pytest_nlpeval.__all__ if not name.startswith("_")), key=lambda name: (name[0].isupper(), name)
    )
    directives = "\n\n".join(f"::: pytest_nlpeval.{name}" for name in names)
    opening = "All names are imported from `pytest_nlpeval`; [In Python](python.md) shows how they are used."
    return f"# Python reference\n\n{opening}\n\n{directives}\n"


def table_of_pages() -> str:
    """Return the page that lists all pages with their words and reading times, the home page first, those for developers last.

    >>> table_of_pages().splitlines()[0]
    '# All pages'
    >>> rows = [line for line in table_of_pages().splitlines() if line.startswith("| [")]
    >>> len(rows) == 1 + len(list((ROOT / "docs").rglob("*.md")))
    True
    """
    paths = sorted((ROOT / "docs").rglob("*.md"), key=lambda path: (path.parent.name != "docs", path.name))
    texts = {"index.md": (ROOT / "README.md").read_text(encoding="utf-8")}
    texts |= {path.relative_to(ROOT / "docs").as_posix(): path.read_text(encoding="utf-8") for path in paths}
    words = {page: words_of(text) for page, text in texts.items()}
    rows = [f"| [{title_of(texts[page])}]({page}) | {number:,} | {minutes(number)} |" for page, number in words.items()]
    total = sum(words.values())
    opening = f"Words are those of prose and tables, without blocks of code and outputs. A minute has {WORDS_PER_MINUTE} words."
    head = ["| page | words | minutes |", "|:--|--:|--:|"]
    return "\n".join(["# All pages", "", opening, "", *head, *rows, f"| all | {total:,} | {minutes(total)} |", ""])


def title_of(text: str) -> str:
    r"""Return the title of a page.

    >>> title_of("# Groups\n\nA mean")
    'Groups'
    """
    return text.partition("\n")[0].removeprefix("# ")


def words_of(text: str) -> int:
    r"""Return how many words a page has without its blocks of code.

    >>> words_of("# A page\n\nof `two` [words](a.md).\n\n```console\n$ ls\n```\n")
    5
    """
    return len(re.findall(r"[^\W_][\w'.-]*", re.sub(r"^```.*?^```$|\]\([^)]*\)", " ", text, flags=re.MULTILINE | re.DOTALL)))


def minutes(words: int) -> int:
    """Return how many minutes a reader takes, at least 1."""
    return max(1, round(words / WORDS_PER_MINUTE))


def with_links(markdown: str, folder: str) -> str:
    """Return Markdown of a file in a folder of the repository, with links as the site has them.

    >>> with_links("[a](docs/qa.md#f1) [b](examples/qa)", "").replace(repository(), "REPOSITORY")
    '[a](qa.md#f1) [b](REPOSITORY/tree/HEAD/examples/qa)'
    >>> with_links("[a](../qa.md)", "docs/developers")
    '[a](../qa.md)'
    """
    return LINK.sub(partial(_linked, folder=folder), markdown)


def _linked(match: re.Match[str], folder: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, match["path"]))
    if path.startswith("docs/") or path == "README.md":
        target = posixpath.relpath("docs/index.md" if path == "README.md" else path, folder or "docs")
    elif (ROOT / path).exists():
        target = f"{repository()}/{'blob' if (ROOT / path).is_file() else 'tree'}/HEAD/{path}"
    else:
        return match[0]  # which mkdocs refuses
    return f"{match['before']}{target}{match['rest']}"


def repository() -> str:
    """Return the address of the repository, which pyproject.toml has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address: str = project["urls"]["Repository"]
    return address
