"""Finds dead references: paths, modules, names and tests that a comment, a docstring or a page names and that do not exist.

What exists is read from the tree alone, so that no list must be kept. A path is alive if the tree has it. A dotted name such as
`wording.printable` is alive if it ends the full name of something that is defined (`pytest_nlpeval.wording.printable`), if it is written
in code or data somewhere (`log.add`, the code `csv.quotes`), or if it can be imported (`os.path.relpath`). A single name with an
underscore (`read_text`) is alive if it is a word of code or data. Names with placeholders (`NAME.strict`, `correct.L`) are not looked for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

ELSEWHERE = {"scorer_CAT_NWR.py", "best_evaluator.py", "tests/test_own.py", "baselines/main.json", "defaults.baseline"}
ELSEWHERE |= {"intents.py", "test_intents.py", "tag.py", "data.py", "classify.py", "train.csv", "predictions.csv", "pairs.xml"}
ELSEWHERE |= {"conlleval.pl", "a.tsv.bak", "scores.match.value", "notes.py"}
ELSEWHERE |= {"conll18_ud_eval.py", "iwpt20_xud_eval.py", "eval.py", "enhanced_collapse_empty_nodes.pl"}
"""What is named and rightly not here: the organisers' scripts; files, settings and fields of somebody who uses the package."""

CODE = ("pytest_nlpeval", "tests", "action", "benchmarks")
DATA = ("*.yaml", "*.yml", "*.json", "*.dtd", "*.xml", "*.jinja", "*.js")
PAGES = ("*.md", "docs/**/*.md", "schemas/*.md", "examples/**/*.md", ".github/*.md")
HASH_COMMENTS = ("pyproject.toml", "Makefile", "action.yml", ".github/workflows/*.yml", ".pre-commit-config.yaml", "action/*.sh")
TEMPLATES = "pytest_nlpeval/**/templates/*"
HISTORY = "CHANGELOG.md"
"""Tells what was, and so may name what is gone."""

_QUOTED = re.compile(r"`+([^`\n]+)`+")
_WORD = re.compile(r"_?[a-z]+(?:_[a-z0-9]+)+")
_PLACEHOLDER = re.compile(r"[A-Z_]+\..*|.*\.[A-Z]")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PATH = re.compile(
    r"(?<![\w./{}*<>@:-])(?:\.?[\w*<>-]+/)+[\w.*{}<>,-]*[\w*}>](?:::\w+)?|(?<![\w./{}*-])\w+\.(?:py|jinja|sh)\b(?!\.)"
)

_STRING_OR_COMMENT = re.compile(
    r"""(\"{3}|'{3})(?:\\.|.)*?\1|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\#[^\n]*""",
    re.DOTALL,
)


class Text(NamedTuple):
    """What somebody wrote about the project: a comment, a docstring, a page."""

    path: Path
    line: int
    text: str


class Module(NamedTuple):
    """A module's prose, the full names of it and of what it defines, and its code without prose."""

    texts: list[Text]
    names: list[str]
    code: str


class Dead(NamedTuple):
    """A reference to what does not exist."""

    path: str
    line: int
    name: str


def comments(path: Path, source: str) -> Iterator[Text]:
    """Yield the comments of a Python file. `tokenize` finds the same, and takes ten times as long before Python 3.12."""
    for match in _STRING_OR_COMMENT.finditer(source):
        if match[0].startswith("#"):
            yield Text(path, source.count("\n", 0, match.start()) + 1, match[0])


def without_prose(source: str, prose: Iterable[ast.Constant]) -> str:
    """Return the code of a Python file, without comments and docstrings, on the lines on which it stands."""
    code = _STRING_OR_COMMENT.sub(lambda match: "" if match[0].startswith("#") else match[0], source)
    lines = code.split("\n")
    for node in prose:
        first, end = node.lineno - 1, node.end_lineno or node.lineno
        lines[first:end] = [lines[first][: node.col_offset], *[""] * (end - first - 1)]
    return "\n".join(lines)


def strings_of_prose(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the docstrings: all strings that stand alone as a statement, those below a constant included."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                yield node.value
        elif isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):  # no expression has a statement in it
            yield from strings_of_prose(node)


@dataclass(frozen=True)
class Tree:
    """The files below a folder, what they define and what is written in them."""

    root: Path

    def files(self, *patterns: str) -> list[Path]:
        return sorted({path for pattern in patterns for path in self.root.glob(pattern) if path.is_file()})

    @cached_property
    def file_names(self) -> set[str]:
        """The names of all files, hidden folders and what is built left out."""
        tops = [path for path in self.root.iterdir() if path.is_dir() and (path.name[0] != "." or path.name == ".github")]
        return {path.name for top in (self.root, *tops) for path in (top.iterdir() if top == self.root else top.rglob("*"))}

    @cached_property
    def modules(self) -> list[Path]:
        return self.files(*(f"{folder}/**/*.py" for folder in CODE))

    @cached_property
    def read_modules(self) -> list[Module]:
        return [_module(path, ".".join(path.relative_to(self.root).with_suffix("").parts)) for path in self.modules]

    @cached_property
    def texts(self) -> list[Text]:
        """All prose, that in code included."""
        found = [
            Text(path, 1, path.read_text(encoding="utf-8")) for path in self.files(*PAGES, TEMPLATES) if path.name != HISTORY
        ]
        found += [text for module in self.read_modules for text in module.texts]
        for path in self.files(*HASH_COMMENTS):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                _, mark, comment = line.partition("# ")
                found += [Text(path, number, comment)] if mark else []
        return found

    @cached_property
    def defined(self) -> set[str]:
        """All endings of the full names of modules, functions, classes and their members: `prf.f_of`, `metrics.prf.f_of`, …."""
        names = [name for module in self.read_modules for name in module.names]
        return {name.split(".", skipped)[-1] for name in names for skipped in range(name.count(".") + 1)}

    @cached_property
    def code(self) -> str:
        """All code and data, without docstrings and comments."""
        data = self.files(
            *(f"{folder}/**/{kind}" for folder in (*CODE, "schemas", "examples", ".github") for kind in DATA), "*.yml"
        )
        return "\n".join(
            [
                module.code
                for path, module in zip(self.modules, self.read_modules, strict=True)
                if path.name != "test_references.py"
            ]
            + [re.sub(r"(?m)(?:^|\s)#\s.*$|\{#.*?#\}", "", path.read_text(encoding="utf-8", errors="replace")) for path in data]
        )

    @cached_property
    def words(self) -> set[str]:
        return set(re.findall(r"\w+", self.code))

    @cached_property
    def written(self) -> set[str]:
        """All dotted names in code and data, and the parts of each."""
        chains = [chain.split(".") for chain in set(_DOTTED.findall(self.code))]
        return {".".join(parts[first:last]) for parts in chains for first, last in combinations(range(len(parts) + 1), 2)}

    @cached_property
    def folders(self) -> set[str]:
        """The folders with which a path begins that is one of the project's: its own, and the package's."""
        tops = (self.root, self.root / "pytest_nlpeval")
        return {path.name for top in tops if top.is_dir() for path in top.iterdir() if path.is_dir() and path.name[0] not in "._"}

    def dead(self, text: Text) -> Iterator[Dead]:
        """Yield each reference of a text that is dead."""
        quoted = [(match.start(1), match[1]) for match in _QUOTED.finditer(text.text)]
        paths = [(match.start(), match.group()) for match in _PATH.finditer(text.text)]
        for offset, shown in [*quoted, *paths]:
            name = shown if text.path.suffix == ".md" else shown.partition("(")[0]  # pages call what their readers have
            if name not in ELSEWHERE and not self.is_alive(name, text.path):
                yield Dead(str(text.path.relative_to(self.root)), text.line + text.text.count("\n", 0, offset), name)

    def is_alive(self, name: str, source: Path) -> bool:
        """Whether a name refers to something that exists, seen from the file that has it, or to nothing of the project's."""
        if _WORD.fullmatch(name):
            return source.suffix == ".md" or name in self.words  # a page has words of the users' files, too
        path, _, test = name.partition("::")
        if _DOTTED.fullmatch(name):
            return (
                bool(_PLACEHOLDER.fullmatch(name))
                or any(name in names for names in (self.defined, self.written, self.file_names))
                or _is_known(name)
            )
        if not _PATH.fullmatch(name) or path.split("/")[0] not in self.folders:
            return True
        found = self._matching(path, source.parent)
        return bool(found) and (not test or any(f"def {test}(" in file.read_text(encoding="utf-8") for file in found))

    def _matching(self, path: str, folder: Path) -> list[Path]:
        pattern = re.sub(r"<[^>]*>|\{[^}]*\}", "*", path.rstrip("/"))
        tops = (self.root, self.root / "pytest_nlpeval", self.root / "tests", folder)
        return [found for top in tops if top.is_dir() for found in top.glob(pattern)]


def _is_known(name: str) -> bool:
    """Whether a name can be imported, or is one of Python's own."""
    for start in ("", "builtins."):
        try:
            resolve_name(start + name)
        except (ImportError, AttributeError, ValueError):
            continue
        return True
    return False


def _members(tree: ast.AST) -> Iterator[str]:
    """Yield what a module or class defines, members after the name of their class; of functions what they set on `self`."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.ClassDef(name=name):
                yield name
                yield from (f"{name}.{member}" for member in _members(node))
                own = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)]
                yield from (f"{name}.{inner.attr}" for inner in own)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.If() | ast.Try() | ast.With():
                yield from _members(node)
            case ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name for alias in names)


def _module(path: Path, name: str) -> Module:
    """Read a module."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    prose = list(strings_of_prose(tree))
    texts = [*comments(path, source), *(Text(path, node.lineno, str(node.value)) for node in prose)]
    name = name.removesuffix(".__init__")
    names = [name, *(f"{name}.{member}" for member in _members(tree))]
    return Module(texts, names, without_prose(source, prose))
