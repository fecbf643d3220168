"""The table that trec_eval prints."""

from __future__ import annotations

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.ranking.measures import COVERAGE, GROUP, Name

_NAMES = {
    "nDCG": ("ndcg", "ndcg_cut"),
    "AP": ("map", "map_cut"),
    "RR": ("recip_rank", "recip_rank_cut"),
    "P": ("P", "P"),
    "R": ("recall", "recall"),
    "Success": ("success", "success"),
    "Judged": ("judged", "judged"),
    "Rprec": ("Rprec", ""),
    "Bpref": ("bpref", ""),
    "SetP": ("set_P", ""),
    "SetR": ("set_recall", ""),
    "SetF": ("set_F", ""),
}


def native(reported: Reported) -> str:
    """Return a line for each measure: its name in trec_eval, `all`, and its value to four decimals; without value it is left out.

    Of `Judged@k` and `RR@k`, which have no name there, it is judged_k and recip_rank_cut_k. Groups and `coverage` are left out.
    """
    lines = [
        f"{_name_of(name):<22}\tall\t{value:6.4f}\n"
        for name, value in reported.values.items()
        if value is not None and name != COVERAGE and not name.startswith(GROUP)
    ]
    return f"{'runid':<22}\tall\t{reported.signature['profile']}\n" + "".join(lines)


def _name_of(written: str) -> str:
    name = Name.of(written)
    alone, cut = _NAMES[name.base]
    return alone if name.cut is None else f"{cut}_{name.cut}"
