"""The cases of tasks: folders `<task>/valid/*` and `<task>/invalid/*`, of which `test_cases.py` says what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
CASES = sorted(path.parent for path in FOLDER.glob("*/*/*/expected.yaml"))


@cache
def expected_of(folder: Path) -> Mapping[str, Any]:
    """Return what a case expects; several tests look at all cases, so that each file is parsed once."""
    return yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8")) or {}


def options_of(folder: Path) -> Mapping[str, Any]:
    """Return the options of a case."""
    options: Mapping[str, Any] = expected_of(folder).get("options") or {}
    return options


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of a case by role, in the order of their names."""
    return {path.stem: path for path in sorted(folder.iterdir()) if path.name != "expected.yaml"}
