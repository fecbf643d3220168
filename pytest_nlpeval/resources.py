"""Finds the schemas, wherever the package runs from."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


def schema_path(name: str) -> Path:
    """Return the path of a DTD or JSON Schema of this project.

    In a wheel `schemas/` lies inside the package, in a checkout or an editable install beside it. A missing file is a
    `FileNotFoundError`: a broken installation.
    """
    package = Path(__file__).parent
    for folder in (package / "schemas", package.parent / "schemas"):
        if (path := folder / name).is_file():
            return path
    raise FileNotFoundError(f"schema {name} is not part of this installation of pytest-nlpeval")


@cache
def json_schema(name: str) -> Any:
    """Return a JSON Schema of this project, parsed."""
    return json.loads(schema_path(name).read_bytes())
