"""The JSON that the original scripts print: evaluate-v2.0.py and, for `squad1`, evaluate-v1.1.py or mlqa_evaluation_v1.py."""

from __future__ import annotations

import json
import math

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.qa.measures import HAS_ANSWER, NO_ANSWER, SCORES


def native(reported: Reported) -> str:
    """Return the figures under the script's names, in percent, but totals and thresholds as they are.

    What has no value is left out, but a best threshold is null where answering nothing is best.
    """
    scores = reported.values
    if reported.signature["profile"] == "squad1":
        exact, f1 = (_percent(scores[score], scores["total"]) for score in SCORES)
        return json.dumps({"exact_match": exact, "f1": f1}) + "\n"
    figures: dict[str, float | None] = {}
    for start in ("", f"{HAS_ANSWER}.", f"{NO_ANSWER}."):
        if total := scores[f"{start}total"]:
            shares = {f"{start}{score}": _percent(scores[f"{start}{score}"], total) for score in SCORES}
            figures |= {name.replace(".", "_"): value for name, value in (shares | {f"{start}total": total}).items()}
    for score in SCORES:
        if scores[f"best.{score}"] is not None:
            figures[f"best_{score}"] = _percent(scores[f"best.{score}"], scores["total"])
            figures[f"best_{score}_thresh"] = scores[f"best.{score}.threshold"]
    return json.dumps(figures, indent=2) + "\n"


def _percent(share: float | None, total: float | None) -> float | None:
    """Return percent of a sum by a total, as the scripts work it out; to the last digit where the sum is whole."""
    if share is None or not total:
        return None
    sum_of_shares = share * total
    whole = round(sum_of_shares)
    return 100.0 * (whole if math.isclose(sum_of_shares, whole, rel_tol=1e-12, abs_tol=1e-12) else sum_of_shares) / total
