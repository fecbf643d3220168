"""Which configurations pytest is told of at a commit: those of the usual names, and those that the setting `nlpeval_files` names."""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

import iniconfig

from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.config.finding import CONFIG_FILES, config_paths, is_config

_SECTIONS = {
    "pytest.toml": "pytest",
    ".pytest.toml": "pytest",
    "pytest.ini": "pytest",
    ".pytest.ini": "pytest",
    "pyproject.toml": "tool.pytest",
    "tox.ini": "pytest",
    "setup.cfg": "tool:pytest",
}
"""The section of pytest's settings by the name of the file, in the order in which pytest looks for them."""


def configuration_paths(tree: Tree, places: Sequence[str], further: Sequence[str] = ()) -> list[str]:
    """Return the files of a commit that are configurations by their names, with those that pytest's settings or `further` patterns name.

    `places` are the paths that pytest is given, from the top of the repository.
    """
    patterns = (*settings_file(tree, places)[1], *further)
    named = [path for path in tree.blobs if patterns and is_config(PurePosixPath(path).name, patterns)]
    return list(dict.fromkeys([*config_paths(tree.blobs), *named]))


def settings_file(tree: Tree, places: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the file of pytest's settings for some paths, "" if there is none, and the patterns of its `nlpeval_files`.

    As pytest does, look in the nearest folder above all paths, then further up.
    """
    folders = [
        place if place in tree.folders or place == "." else str(PurePosixPath(place).parent) for place in map(_normal, places)
    ]
    start = os.path.commonpath([f"/{_normal(folder)}" for folder in folders] or ["/."])
    here = PurePosixPath(os.path.normpath(start)).relative_to("/")
    for folder in (here, *here.parents):
        for name, section in _SECTIONS.items():
            path = str(folder / name)
            settings = _settings(tree, path, section) if tree.has(path) else None
            if settings is not None:
                return path, tuple(_words(settings.get("nlpeval_files")))
    return "", ()


def _normal(path: str) -> str:
    return os.path.normpath(path or ".")


def _settings(tree: Tree, path: str, section: str) -> dict[str, Any] | None:
    """Return pytest's settings in a file; None if it has none. A file that is not well-formed makes pytest itself fail."""
    try:
        (data,) = tree.contents([path])
        text = data.decode()
        return _of_toml(text, section) if path.endswith(".toml") else _of_ini(path, text, section)
    except (GitError, ValueError, RecursionError, iniconfig.ParseError):  # ValueError also of a number with thousands of digits
        return {}


def _of_toml(text: str, section: str) -> dict[str, Any] | None:
    settings: Any = tomllib.loads(text)
    for key in section.split("."):
        settings = settings.get(key) if isinstance(settings, dict) else None
    if not isinstance(settings, dict):
        return None
    older = settings.get("ini_options")
    return older if isinstance(older, dict) else settings


def _of_ini(path: str, text: str, section: str) -> dict[str, Any] | None:
    sections = iniconfig.IniConfig(path, data=text)
    if section in sections:
        return dict(sections[section].items())
    return {} if path.endswith("pytest.ini") else None  # which counts also without a section


def _words(value: object) -> Iterator[str]:
    """Yield the patterns of a setting, which is text, split as a shell does, or a list; none of text with which pytest itself fails."""
    if isinstance(value, str):
        with suppress(ValueError):  # a quotation mark that nothing closes
            yield from shlex.split(value)
    elif isinstance(value, list):
        yield from map(str, value)


def is_usual(path: str) -> bool:
    """Whether a path is that of a configuration by its name alone."""
    return is_config(PurePosixPath(path).name, CONFIG_FILES)
