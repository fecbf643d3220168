"""The key of this machine: entries of an evidence store carry its seal, so that nobody else's count."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from threading import get_ident

VARIABLE = "NLPEVAL_STORE_KEY"
"""The environment variable that holds the key of a store that CI keeps between machines."""

SHORTEST = 16
"""How many characters a key in the variable has, at least, without blanks around it."""

_SIZE = 32


class NoKeyError(Exception):
    """There is no key; the message says why, and what to do."""


def store_key() -> bytes:
    """Return the key: 32 bytes, worked out from the variable if that is set, else the secret of this user on this machine.

    The secret is made when it is first asked for. It lies in the user's cache folder, in a file that nobody else can read.

    Raises:
        NoKeyError: if the variable is too short, or the secret cannot be kept, or is not this user's alone.
    """
    if given := os.environ.get(VARIABLE, ""):
        key = given.strip()
        if len(key) < SHORTEST:
            raise NoKeyError(f"{VARIABLE} has fewer than {SHORTEST} characters; `openssl rand -hex 32` makes a key")
        return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
    path = secret_path()
    try:
        return _secret(path) or _made(path)
    except OSError as error:
        raise NoKeyError(f"its key {path} cannot be kept ({error.strerror}); set {VARIABLE}") from None


def secret_path() -> Path:
    """Return where the secret lies.

    Raises:
        NoKeyError: if this user has no home folder, or its path is relative: the secret would lie wherever a run starts.
    """
    try:
        if sys.platform == "win32":
            folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
        elif sys.platform == "darwin":
            folder = Path.home() / "Library/Caches"
        else:
            given = os.environ.get("XDG_CACHE_HOME", "")
            folder = Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # noqa: PTH117 - text
    except RuntimeError:  # no home folder
        raise NoKeyError(f"this user has no home folder to keep its key in; set {VARIABLE}") from None
    if not folder.is_absolute():
        raise NoKeyError(
            f"the cache folder of this user, {folder}, is a relative path; set HOME to an absolute one, or {VARIABLE}"
        )
    return folder / "pytest-nlpeval" / "store-key"


def _secret(path: Path) -> bytes:
    """Return the secret; nothing if there is none, or no whole one, which is removed."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return b""
    with os.fdopen(handle, "rb") as stream:
        _require_own(os.fstat(handle), path)
        secret = stream.read(_SIZE + 1)
    if len(secret) == _SIZE:
        return secret
    path.unlink(missing_ok=True)
    return b""


def _require_own(status: os.stat_result, path: Path) -> None:
    if os.name == "nt":
        return
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
        raise NoKeyError(f"its key {path} is not a file of this user's alone; remove it, and a new one is made")


def _made(path: Path) -> bytes:
    """Make the secret and return it, or that of another process or thread which was quicker."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}")
    beside.unlink(missing_ok=True)  # of an earlier process, and thread, of these numbers
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(os.urandom(_SIZE))
        try:
            os.link(beside, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()
    secret = _secret(path)
    if not secret:
        raise NoKeyError(f"its key {path} cannot be kept; set {VARIABLE}")
    return secret
