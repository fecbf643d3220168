"""Fuzzes one target in this process with atheris: `python -m tests.fuzz.worker TARGET FOLDER SECONDS`.

A failure does not end it: the first input of each kind of failure goes to FOLDER, and what it raised beside it. The inputs that reached
something new stay in FOLDER/corpus, and the next run begins with them.
"""

from __future__ import annotations

import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import atheris

SLOW = 2.0
"""After how many seconds of the processor an input is a failure."""

HANGS = 60
"""After how many seconds of the clock libFuzzer ends the process, and keeps the input."""

MOST_MEGABYTES = 2048


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


def main(name: str, folder: Path, seconds: int) -> None:
    """Fuzz a target for so many seconds; whatever is imported of the package for it meanwhile is imported with coverage."""
    with atheris.instrument_imports(include=["pytest_nlpeval"]):
        _fuzz(name, folder, seconds)


def _fuzz(name: str, folder: Path, seconds: int) -> None:
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
        with suppress(Exception):  # imports what the target needs, which takes longer than `SLOW`; what fails does so again
            target.run(seed)
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


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
