"""The JSON that the original scripts print: evaluate-v2.0.py and, for `squad1`, evaluate-v1.1.py or mlqa_evaluation_v1.py."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pytest_nlpeval.tasks.qa.measures import HAS_ANSWER, NO_ANSWER, SCORES


def native(scores: Mapping[str, float | None], signature: Mapping[str, str], _documents: int) -> str:
    """Return the figures under the script's names, in percent, but totals and thresholds as they are.

    What has no value is left out, but a best threshold is null where answering nothing is best. `signature` is what `measures.signature`
    says.
    """
    if signature["profile"] == "squad1":
        return json.dumps({"exact_match": _percent(scores["exact"]), "f1": _percent(scores["f1"])}) + "\n"
    found: dict[str, float | None] = {}
    for start in ("", f"{HAS_ANSWER}.", f"{NO_ANSWER}."):
        if scores[f"{start}total"]:
            found |= {f"{start}{score}".replace(".", "_"): _percent(scores[f"{start}{score}"]) for score in SCORES}
            found[f"{start}total".replace(".", "_")] = scores[f"{start}total"]
    for score in SCORES:
        if scores[f"best.{score}"] is not None:
            found[f"best_{score}"] = _percent(scores[f"best.{score}"])
            found[f"best_{score}_thresh"] = scores[f"best.{score}.threshold"]
    return json.dumps(found, indent=2) + "\n"


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share
