"""Shards: the shares of a run that machines work out apart.

A suite's documents, in the order of their names, are cut into as many runs of neighbours as there are shards. Which shard has the first of
them depends on the suite's name, so that suites of one document are spread over the shards.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple, Self
from zlib import crc32

from pytest_nlpeval.config.suite import Suite

MOST_SHARDS = 10_000


class Shard(NamedTuple):
    """One share of a run, from 1 on, of so many."""

    number: int
    of: int

    @classmethod
    def parsed(cls, text: str) -> Self:
        """Read `I/N`; `ValueError` with a message if it is something else.

        >>> Shard.parsed("2/4")
        Shard(number=2, of=4)
        """
        match = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text, re.ASCII)
        if match is None or not int(match[1]) <= int(match[2]) <= MOST_SHARDS:
            raise ValueError(f'"{text}" is no shard; expected I/N, from 1/N to N/N with N at most {MOST_SHARDS:,}')
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        """`I/N`."""
        return f"{self.number}/{self.of}"

    def share(self, suite: Suite) -> Suite:
        """Return a suite with the documents of this shard alone: neighbours by name, the same wherever the suite has the same documents."""
        place = (self.number - 1 + crc32(suite.name.encode("utf-8", "surrogatepass"))) % self.of
        start, stop = (len(suite.cases) * cut // self.of for cut in (place, place + 1))
        return replace(suite, cases=suite.cases[start:stop])
