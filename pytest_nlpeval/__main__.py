"""`python -m pytest_nlpeval`: the command `nlpeval`, where its script is not on the path."""

from __future__ import annotations

import sys

from pytest_nlpeval.cli import main

if __name__ == "__main__":
    sys.exit(main())
