"""Which files are configurations, and where they lie."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

CONFIG_FILES = ("nlpeval.yaml", "nlpeval.yml", "*.nlpeval.yaml", "*.nlpeval.yml")

_LEFT_OUT = (".*", "*.egg", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")


def is_config(name: str, patterns: tuple[str, ...] = CONFIG_FILES) -> bool:
    """Whether a file of this name is a configuration."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def config_paths(paths: Iterable[str]) -> list[str]:
    """Return those of some paths, with `/`, that are configurations by their names."""
    return [path for path in paths if is_config(PurePosixPath(path).name)]


def find_configs(
    path: Path, skipped: Callable[[OSError], None] | None = None, patterns: tuple[str, ...] = CONFIG_FILES
) -> Iterator[Path]:
    """Yield `path` itself if it is not a folder, otherwise the configurations in and below it, sorted.

    Left out are the folders that pytest leaves out by default: hidden ones, virtual environments, build output. `skipped` is called for
    each folder that cannot be read.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - never raises; reading the path says what is wrong with it
        yield path
        return
    for folder, folders, names in os.walk(path, onerror=skipped):
        folders[:] = sorted(name for name in folders if not is_left_out(folder, name))
        files = (Path(folder, name) for name in sorted(names) if is_config(name, patterns))
        yield from (file for file in files if os.path.isfile(file))  # noqa: PTH113 - never raises


def is_left_out(parent: str, name: str) -> bool:
    """Whether a folder is hidden, a virtual environment or build output."""
    return any(fnmatch(name, pattern) for pattern in _LEFT_OUT) or os.path.exists(os.path.join(parent, name, "pyvenv.cfg"))  # noqa: PTH110, PTH118 - text
