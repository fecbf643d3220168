"""Fuzzes one target with atheris in a process that ends with it; `tests.fuzz.__main__` forks one for each.

A failure does not end it: the first input of each kind of failure goes to the target's folder, and what it raised beside it. The inputs
that reached something new stay in `corpus` there, and the next run begins with them.
"""

from __future__ import annotations

import sys
import time
import traceback
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import atheris

SLOW = 2.0
"""After how many seconds of the processor an input is a failure."""

HANGS = 60
"""After how many seconds of the clock libFuzzer ends the process, and keeps the input."""

MOST_MEGABYTES = 2048

_NEVER_RUN = ("__main__", "cli", "plugin", "pytest_plugin")
"""What no target calls."""


@dataclass(slots=True)
class Failures:
    """Runs a target and keeps the first input of each kind of failure in a folder."""

    folder: Path
    kinds: set[str] = field(default_factory=set)

    def keep(self, data: bytes, kind: str, text: str) -> None:
        """Write an input and what became of it, unless there was one of the kind."""
        if kind not in self.kinds:
            self.kinds.add(kind)
            path = self.folder / sha256(kind.encode()).hexdigest()[:12]
            path.write_bytes(data)
            path.with_suffix(".txt").write_text(f"{kind}\n{text}", errors="backslashreplace")
            print(f"FAILURE {path}: {kind}", flush=True)  # noqa: T201 - a program


def _kind(error: BaseException) -> str:
    """Return what tells failures apart: the exception's type and the last lines of this project that it came through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "pytest_nlpeval" in frame.filename]
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-2:]]
    return " ".join([type(error).__name__, *places] if places else [type(error).__name__, str(error)[:40]])


def prepare() -> None:
    """Do what is the same for all targets, and takes as long as thousands of inputs: imports, with coverage, and templates of reports."""
    for name in ("jinja2", "jsonschema", "lxml.etree", "numpy", "sqlite3", "yaml", "rich.console"):
        import_module(name)
    package = import_module("pytest_nlpeval")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if module.name.split(".")[1] not in _NEVER_RUN:
            import_module(module.name)
    from tests.fuzz.targets import TARGETS

    report = TARGETS["report"]
    report.run(next(iter(report.seeds())))


def fuzz(name: str, folder: Path, seconds: int) -> None:
    """Fuzz a target for so many seconds, and end this process."""
    from tests.fuzz.parts import crossed, mutated
    from tests.fuzz.targets import TARGETS

    target, failures = TARGETS[name], Failures(folder)

    def run(data: bytes) -> None:
        start = time.process_time()
        try:
            target.run(data)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            failures.keep(data, _kind(error), traceback.format_exc())
        if time.process_time() - start > SLOW:
            failures.keep(data, "slow", f"{time.process_time() - start:.1f} s")

    seeds, corpus = folder / "seeds", folder / "corpus"
    for place in (seeds, corpus):
        place.mkdir(parents=True, exist_ok=True)
    longest = 0
    for seed in target.seeds():
        (seeds / sha256(seed).hexdigest()[:16]).write_bytes(seed)
        longest = max(longest, len(seed))
    settings = {
        "max_total_time": seconds,
        "timeout": HANGS,
        "rss_limit_mb": MOST_MEGABYTES,
        "max_len": max(target.most_bytes, min(longest, 4 * target.most_bytes)),
        "artifact_prefix": f"{folder}/",
        "print_final_stats": 1,
        "reload": 0,
    }
    arguments = [f"-{key}={value}" for key, value in settings.items()]
    atheris.Setup(
        [sys.argv[0], *arguments, str(corpus), str(seeds)],
        run,
        custom_mutator=lambda data, size, seed: mutated(data, size, seed, atheris.Mutate),
        custom_crossover=crossed,
    )
    atheris.Fuzz()
