"""Sharing between xdist's workers and their controller: one process works out what becomes of a batch, the others read it."""

from __future__ import annotations

import hashlib
import os
import pickle
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_nlpeval.runs import Part


@dataclass(frozen=True, slots=True)
class Shared:
    """Keeps parts in a `folder` of the run that only its user can enter; without a folder it keeps nothing.

    A folder that cannot be read or written (a worker on another machine, a full disk) costs speed, never a result. Parts are pickled, as
    any process pool does.
    """

    folder: Path | None = None

    def claim(self, name: str) -> bool:
        """Claim the part of that name; return whether this process works it out, since no other claimed it before."""
        if self.folder is None:
            return True
        try:
            self._path(name, "claim").touch(exist_ok=False)
        except FileExistsError:
            return False
        except OSError:
            return True
        return True

    def get(self, name: str) -> Part | None:
        """Return the part of that name, None if no process has put it there yet."""
        if self.folder is None:
            return None
        try:
            part = pickle.loads(self._path(name, "part").read_bytes())  # noqa: S301 - nobody else can write there
        except Exception:  # noqa: BLE001 - none yet, or written by another Python: pickle raises whatever it meets
            return None
        return part if isinstance(part, Part) else None

    def put(self, name: str, part: Part) -> None:
        """Let the others have a part."""
        if self.folder is None:
            return
        with suppress(OSError):
            unfinished = self._path(name, str(os.getpid()))
            unfinished.write_bytes(pickle.dumps(part, pickle.HIGHEST_PROTOCOL))
            unfinished.replace(self._path(name, "part"))

    def _path(self, name: str, kind: str) -> Path:
        return Path(str(self.folder), f"{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()}.{kind}")
