"""Which files are configurations, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

CONFIG_FILES = ("nlpeval.yaml", "nlpeval.yml", "*.nlpeval.yaml", "*.nlpeval.yml")

_LEFT_OUT = (".*", "*.egg", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")


def is_config(name: str, patterns: tuple[str, ...] = CONFIG_FILES) -> bool:
    """Whether a file of this name is a configuration."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def find_configs(path: Path) -> Iterator[Path]:
    """Yield `path` itself if it is not a folder, otherwise the configurations in and below it, sorted.

    Left out are the folders that pytest leaves out by default: hidden ones, virtual environments, build output.
    """
    try:
        entries = sorted(path.iterdir())
    except OSError:  # a file, or what cannot be read: reading it says why
        yield path
        return
    yield from (entry for entry in entries if is_config(entry.name) and entry.is_file())
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink() and not _is_left_out(entry):
            yield from find_configs(entry)


def _is_left_out(folder: Path) -> bool:
    return any(fnmatch(folder.name, name) for name in _LEFT_OUT) or (folder / "pyvenv.cfg").exists()
