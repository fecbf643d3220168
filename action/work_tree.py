"""Whether what is judged is what is compared: files of the work tree against those of the commit, and what lies outside the repository."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from configurations import Configured

from pytest_nlpeval.baselines.git import GitError, Repository, object_name
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.files import FILE_KINDS, read_source
from pytest_nlpeval.problems import Problem, ProblemLog

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/.*^oid sha256:(?P<digest>[0-9a-f]{64})$", re.DOTALL | re.MULTILINE
)
_MAX_POINTER = 1_024

Pairs = Iterable[tuple[Configured, Configured | None]]


def converted(files: Mapping[str, str], repository: Repository) -> Iterator[Problem]:
    """Yield an error for each file of the work tree that does not have the bytes of its commit.

    `files` are the names of objects by path from the top. A file that Git LFS brought is as its pointer says. A file that is not there is
    left to those who need it.
    """
    for path, name in sorted(files.items()):
        source = read_source(repository.top / path, ProblemLog(path, FILE_KINDS), root=repository.top)
        if source is not None and object_name(source.data, name) != name and not _is_pointed_at(source.data, name, repository):
            message = (
                "is not what its commit has, so what is compared is not what is judged: an attribute in .gitattributes "
                "(working-tree-encoding, eol, ident, filter) or a step before this one changes it; take that out"
            )
            yield Problem("action.converted", "error", path, None, None, "", message)


def _is_pointed_at(data: bytes, name: str, repository: Repository) -> bool:
    """Whether an object is a pointer of Git LFS to these bytes."""
    try:
        (pointer,) = repository.contents([name])
    except (GitError, ValueError):
        return False
    match = _POINTER.match(pointer) if len(pointer) <= _MAX_POINTER else None
    return match is not None and match["digest"].decode() == hashlib.sha256(data).hexdigest()


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
