"""Whether what is judged is what is compared: files of the work tree against those of the commit, and what lies outside the repository."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from configurations import Configured

from pytest_nlpeval.baselines.git import GitError, Repository, object_name
from pytest_nlpeval.baselines.tree import MOST_LINKS, Tree
from pytest_nlpeval.files import FILE_KINDS, is_inside, read_source
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import Problem, ProblemLog, Severity
from pytest_nlpeval.wording import plural

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/.*^oid sha256:(?P<digest>[0-9a-f]{64})$", re.DOTALL | re.MULTILINE
)
_MAX_POINTER = 1_024
_MOST_NAMES = 20

Pairs = Iterable[tuple[Configured, Configured | None]]


def converted(files: Mapping[str, str], repository: Repository) -> Iterator[Problem]:
    """Yield an error for each file of the work tree that does not have the bytes of its commit, and one for all that are not there.

    `files` are the names of objects by path from the top. A file that Git LFS brought is as its pointer says. A submodule, if it is checked
    out, must have the commit that is its name. What else cannot be read is left to those who need it.
    """
    missing = sorted(path for path in files if not os.path.lexists(repository.top / path))
    if missing:
        what = "is not there" if len(missing) == 1 else f"is not there, nor are {_list(missing[1:])}"
        cure = "a step before this one took it away, or the checkout left it out (`sparse-checkout`); bring it back"
        yield _converted(missing[0], f"{what}, and its commit has it, so what is compared is not what is judged: {cure}")
    for path, name in sorted(files.items()):
        place = repository.top / path
        source = read_source(place, ProblemLog(path, FILE_KINDS), root=repository.top)
        if source is None and (place / ".git").exists():
            commit = Repository.around(place).commit("HEAD")
            if commit != name:
                cure = "check out that one (`git submodule update`, without `--remote`)"
                yield _converted(path, f"is a submodule at {commit[:12]}, and its commit has {name[:12]}; {cure}")
        elif source is not None and object_name(source.data, name) != name and not _is_pointed_at(source.data, name, repository):
            message = (
                "is not what its commit has, so what is compared is not what is judged: an attribute in .gitattributes "
                "(working-tree-encoding, eol, ident, filter) or a step before this one changes it; take that out"
            )
            yield _converted(path, message)


def _converted(path: str, message: str) -> Problem:
    return Problem("action.converted", "error", path, None, None, "", message)


def _list(paths: Sequence[str]) -> str:
    more = len(paths) - _MOST_NAMES
    return ", ".join(paths[:_MOST_NAMES]) + (f", … {more:,} more" if more > 0 else "")


def _is_pointed_at(data: bytes, name: str, repository: Repository) -> bool:
    """Whether an object is a pointer of Git LFS to these bytes."""
    try:
        (pointer,) = repository.contents([name])
    except (GitError, ValueError):
        return False
    match = _POINTER.match(pointer) if len(pointer) <= _MAX_POINTER else None
    return match is not None and match["digest"].decode() == hashlib.sha256(data).hexdigest()


def unknown(entries: Iterable[Configured], repository: Repository, tree: Tree, severity: Severity) -> Iterator[Problem]:
    """Yield what suites are judged by in the work tree that the commit `tree` does not have, so that nobody compares it.

    It is an error where links in the repository lead to a file, and cannot be followed in a commit. Files that only the work tree has
    are told beside others of the same role that the commit has; a role that has none there is for a step of the job to bring.
    """
    top = repository.top
    for entry in entries:
        for role, paths in entry.paths.items():
            known = entry.files.get(role, {}).keys() | (entry.watched.keys() & set(paths))
            found = {path for text in paths for path in _documents(top, text) if path not in known and _is_file(top / path)}
            followed = {path for path in found if _is_followed(path, tree)}
            for path in sorted(found - followed):
                if is_inside(top / path, top):
                    why = f"links lead to it, of which one is absolute, or there are more than {MOST_LINKS}, so no commit can be compared"
                    yield _converted(path, f"{entry.name}: {why}; name the file itself")
            added = sorted(path for path in followed if not tree.submodule(path))
            if added and known:
                message = f"{entry.name}: {role}: {plural(len(added), 'file')} that the commit does not have ({_list(added)})"
                yield Problem("action.loosened", severity, entry.config, entry.line, None, "", message)


def _documents(top: Path, text: str) -> Iterator[str]:
    """Yield the paths that a path from the top, perhaps with `{doc}`, stands for in the work tree."""
    return (text.replace(DOC, name) for name in Pattern(top, text).documents()) if DOC in text else iter([text])


def _is_file(path: Path) -> bool:
    """Whether a path leads to a file, through as many links as there are: the system follows fewer."""
    return Path(os.path.realpath(path)).is_file()


def _is_followed(path: str, tree: Tree) -> bool:
    """Whether it can be told where a path leads at a commit."""
    try:
        tree.resolved(path)
    except GitError:
        return False
    return True


class Outside(NamedTuple):
    """The configurations that may lead outside, and why no others may: by path and line, a sentence."""

    allowed: Sequence[str]
    refused: Sequence[tuple[str, int, str]]

    def seen_from(self, up: str) -> Outside:
        """Return the same with paths relative to the folder `up`, which like them is relative to the top of the repository."""
        refused = [(os.path.relpath(config, up), line, why) for config, line, why in self.refused]
        return Outside([os.path.relpath(config, up) for config in self.allowed], refused)


def outside(pairs: Pairs, after: Sequence[Configured], trees: tuple[Tree, Tree] | None) -> Outside:
    """Return which configurations of a commit may lead outside.

    Those are the ones that did at the base, in the same places, if there is no new link, and no submodule that moved.

    `pairs` are entries of the base with today's, `after` are all of today's, `trees` the two commits, None if the base is not known.
    """
    partners = {id(new): old for old, new in pairs if new is not None}
    refused = []
    for entry in (entry for entry in after if entry.leads_outside):
        if why := _why_refused(entry, partners.get(id(entry)), trees):
            cure = "take it out, or set the input `allow-outside: true`"
            refused.append((entry.config, entry.lines.get(("allow_outside",), entry.line), f"{entry.name}: {why}; {cure}"))
    allowed = {entry.config for entry in after if entry.leads_outside} - {config for config, _, _ in refused}
    return Outside(sorted(allowed), refused)


def _why_refused(entry: Configured, partner: Configured | None, trees: tuple[Tree, Tree] | None) -> str:
    if trees is None:
        return "allow_outside is set, and no base is known that had it"
    if partner is None or partner.config != entry.config or not partner.leads_outside:
        return "allow_outside is new"
    if partner.places != entry.places:
        return "allow_outside is set, and the suite's paths are not those of the base"
    before, after = trees
    if after.links.items() - before.links.items():
        return "allow_outside is set, and there are links that the base does not have"
    if _submodules(after) - _submodules(before):
        return "allow_outside is set, and a submodule, which may have links, has another commit than at the base"
    return ""


def _submodules(tree: Tree) -> set[tuple[str, str]]:
    return {(path, blob.name) for path, blob in tree.blobs.items() if blob.is_submodule}
