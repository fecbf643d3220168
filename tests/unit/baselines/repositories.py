"""Builds git repositories with a suite."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_WHO = {
    f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in (("NAME", "A"), ("EMAIL", "a@b.example"))
}
_APART = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, apart from the user's settings; return what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _WHO | _APART
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def start(folder: Path) -> Path:
    """Make a folder a repository; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder


def commit(folder: Path, message: str = "change") -> str:
    """Commit all that is in a work tree, the ignored files left out; return the commit's name."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(folder, "rev-parse", "HEAD")
