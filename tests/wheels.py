"""Wheels of what is installed here, so that tests install packages for real, and need no index of packages."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_OF_AN_INSTALLATION = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}
"""Files beside the metadata that only what is installed has, and the list of files, which is written anew."""


def put_wheels(folder: Path, requirements: Iterable[str]) -> None:
    """Write a wheel of each installed package that requirements such as `hatchling>=1.27` ask for, and of all that those need."""
    waiting, written = list(requirements), set[str]()
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name not in written and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            written.add(name)
            package = distribution(name)
            _put_wheel(folder, package)
            waiting += package.requires or []


def _put_wheel(folder: Path, package: Distribution) -> None:
    """Write a wheel, whose version and tag are the installed package's; pip makes its commands anew."""
    tag = next(line.split()[1] for line in (package.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: "))
    paths = [path for path in package.files or () if ".." not in path.parts and path.suffix != ".pyc"]
    kept = [path for path in paths if path.name not in _OF_AN_INSTALLATION or not path.parent.name.endswith(".dist-info")]
    (metadata,) = {path.parts[0] for path in kept if path.match("*.dist-info/METADATA") and len(path.parts) == 2}
    record = io.StringIO()
    csv.writer(record).writerows((path.as_posix(), "", "") for path in (*kept, Path(metadata, "RECORD")))
    with ZipFile(folder / f"{metadata.removesuffix('.dist-info')}-{tag}.whl", "w") as wheel:
        for path in kept:
            wheel.write(path.locate(), path.as_posix())
        wheel.writestr(f"{metadata}/RECORD", record.getvalue())
