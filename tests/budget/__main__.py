"""Stores what the workloads of the budget cost: `python -m tests.budget [WORKLOAD …]`, all unless some are named."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict

from tests.budget.budget import STORED, cost_of, counted, differences, growth, stored
from tests.budget.workloads import WORKLOADS


def main() -> int:
    """Print what changed and what grows faster than its size, then store all that was counted."""
    os.environ["NLPEVAL_STORE_KEY"] = "a key of the tests' own"
    costs = stored() if STORED.exists() else {}
    for name in sys.argv[1:] or WORKLOADS:
        calls = counted(name)
        lines = differences(name, calls, costs[name]) if name in costs else [f"{name}: new"]
        sys.stdout.writelines(f"{line}\n" for line in [*lines, *growth(name, calls)])
        costs[name] = cost_of(calls)
    in_order = {name: asdict(costs[name]) for name in WORKLOADS if name in costs}
    STORED.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
