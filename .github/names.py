"""Checks that all pages and workflows name the package and its repository as pyproject.toml does; `--write` makes them.

pyproject.toml is the one place: `name` is what `pip install` takes, `Repository` under `[project.urls]` what `uses:` and pre-commit take.
With GITHUB_REPOSITORY, as in the workflow of releases, that must be the repository.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

HOST = "https://github.com/"
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "examples/workflows/*.yml", "examples/**/README.md", ".github/**/*.yml")

REPOSITORY = re.compile(r"(?P<before>uses: |\brepo: https://github\.com/|`)(?P<name>[\w.-]+/[\w.-]*nlpeval[\w.-]*?)(?=[@/\n])")
PACKAGE = re.compile(r"(?P<before>\bpip install (?:-\S+ )*['\"]?)(?P<name>[\w-]*nlpeval[\w-]*)")


def main(root: Path, *, writes: bool) -> int:
    """Check, or write, the names in all pages below a folder; return how many lines were wrong."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project["urls"]["Repository"].removeprefix(HOST)
    wrong = list(_wrong_repository(repository))
    for path in sorted({path for pattern in PAGES for path in root.glob(pattern)}):
        before = after = path.read_text(encoding="utf-8")
        for pattern, name in ((REPOSITORY, repository), (PACKAGE, project["name"])):
            after = pattern.sub(partial(_renamed, name=name), after)
        if before != after and writes:
            path.write_text(after, encoding="utf-8")
        elif before != after:
            wrong += _differences(path.relative_to(root), before, after)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return len(wrong)


def _wrong_repository(repository: str) -> Iterator[str]:
    here = os.environ.get("GITHUB_REPOSITORY", "")
    if here not in ("", repository):
        yield f"pyproject.toml: Repository under [project.urls] is not {HOST}{here}; write that, then `python .github/names.py --write`"


def _renamed(match: re.Match[str], name: str) -> str:
    return f"{match['before']}{name}"


def _differences(path: Path, before: str, after: str) -> Iterator[str]:
    for number, (is_, should) in enumerate(zip(before.splitlines(), after.splitlines(), strict=True), 1):
        if is_ != should:
            yield f"{path}:{number}: expected {should.strip()}; `python .github/names.py --write` writes it"


if __name__ == "__main__":
    sys.exit(min(main(Path(__file__).resolve().parent.parent, writes=sys.argv[1:] == ["--write"]), 1))
