"""The evidence store: what was counted for files that have not changed since.

Content-addressed: a key is the digest of the files' bytes, the options, the rules and the scorer's version, so an entry never goes stale.
Entries are JSON, written atomically; one that cannot be read back does not count.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePath
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.config.suite import Recipe
from pytest_nlpeval.files import Source, write_atomically
from pytest_nlpeval.tasks import code_digest

FORMAT = 2
MAX_ENTRIES = 20_000

ABANDONED_SECONDS = 3_600
"""The age from which on a temporary file is taken to be left by a writer that was interrupted."""


def digest(recipe: Recipe, sources: Mapping[str, Source]) -> str:
    """Return the key of a case: 64 hexadecimal digits over everything that its evidence and problems depend on.

    These are the files' bytes and the endings of their names, task, options, rules, and the scorer's version; of a task from elsewhere
    its code, too. "" if that cannot be found: nothing may be stored then.
    """
    code = code_digest(recipe.task)
    if code is None:
        return ""
    settings = {
        "format": FORMAT,
        "package": __version__,
        "task": recipe.task.name,
        "version": recipe.task.version,
        "code": code,
        "options": asdict(recipe.options),
        "rules": dict(recipe.rules),
        "roles": {role: (len(source.data), PurePath(source.label).suffix) for role, source in sources.items()},
    }
    found = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for role in sorted(sources):
        found.update(sources[role].data)
    return found.hexdigest()


@dataclass(frozen=True, slots=True)
class EvidenceStore:
    """Entries in memory and, if there is one, in a `folder` that other processes may share.

    Crosses to a worker without its memory. A folder that cannot be written to costs speed, never a result.
    """

    folder: Path | None = None
    _memory: dict[str, Any] = field(default_factory=dict, compare=False)

    def __reduce__(self) -> tuple[type[EvidenceStore], tuple[Path | None]]:
        """Pickle the folder alone."""
        return EvidenceStore, (self.folder,)

    def get(self, key: str) -> Any:
        """Return the entry, None if there is none."""
        if key not in self._memory and self.folder is not None:
            try:
                path = self._path(key)
                self._memory[key] = json.loads(_checked(path.read_bytes()))
            except (OSError, ValueError, RecursionError):
                return None
            with suppress(OSError):  # only pruning goes by it
                os.utime(path)
        return self._memory.get(key)

    def put(self, key: str, entry: Mapping[str, Any]) -> None:
        """Keep an entry, a JSON document."""
        self._memory[key] = entry
        if self.folder is not None:
            try:
                write_atomically(self._path(key), _sealed(json.dumps(entry, separators=(",", ":"))))
            except OSError:
                return

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json" if self.folder else Path(key)

    def prune(self) -> None:
        """Drop the entries that were not used for longest, beyond `MAX_ENTRIES`, and what interrupted writers left. Never raises."""
        if self.folder is None:
            return
        with suppress(OSError):
            entries = sorted(self.folder.glob("??/*.json"), key=_last_use)
            abandoned = time.time() - ABANDONED_SECONDS
            left = [path for path in self.folder.glob("??/.*") if _last_use(path) < abandoned]
            for path in (*entries[: max(len(entries) - MAX_ENTRIES, 0)], *left):
                with suppress(OSError):
                    path.unlink()


def _sealed(text: str) -> str:
    """Return a JSON document that holds `text`, one itself, and its digest, so that a damaged entry shows."""
    return f'{{"sha256":"{hashlib.sha256(text.encode()).hexdigest()}","entry":{text}}}'


def _checked(data: bytes) -> bytes:
    """Return what was sealed; `ValueError` if it is not as it was."""
    start, text = data[:_SEAL], data[_SEAL:-1]
    if start[11:-10] != hashlib.sha256(text).hexdigest().encode():
        raise ValueError("a damaged entry")
    return text


_SEAL = len(_sealed("")) - 1


def _last_use(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0


class NotAStoreError(ValueError):
    """A folder that holds other files than a store's: it is somebody else's."""


def store_folder(folder: Path) -> Path:
    """Return the folder of a store after making it, with a `.gitignore` that keeps all of it out of the repository.

    Raises:
        NotAStoreError: if the folder holds anything that no store has.
        OSError: if it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / ".gitignore"
    others = (path.name for path in folder.iterdir() if path != marker and not re.fullmatch("[0-9a-f]{2}", path.name))
    if other := next(others, ""):
        raise NotAStoreError(other)
    if not marker.exists():
        marker.write_text("*\n")
    return folder
