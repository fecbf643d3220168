"""The command that tells what a bug report needs."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_nlpeval.cli.output import present
from pytest_nlpeval.reports.blocks import Said, Table
from pytest_nlpeval.wording import plural


def doctor(options: argparse.Namespace) -> int:
    """Tell all that there is to know of this machine and folder, and what to mend; return 1 if there is anything to mend."""
    from pytest_nlpeval.cli.diagnosis import cures, facts

    folder = Path.cwd()
    told = list(facts(folder, folder / options.cache_dir))
    present(
        [Table(("about", "what is so"), [(fact.about, Said(fact.said, "bad" if fact.cure else "")) for fact in told], prose=True)]
    )
    to_mend = cures(told)
    if not to_mend:
        present([Said(""), Said("All is well.", "good")])
        return 0
    present(
        [Said(""), Said(f"{plural(len(to_mend), 'thing')} to mend:", "bad"), *(Said(f"  {cure}", hang=2) for cure in to_mend)]
    )
    return 1
