from __future__ import annotations

import os
import subprocess
import sys

import pytest

IMPORT = """
from pytest_nlpeval.libraries import one_processor
with one_processor():
    import numpy
"""

COMMAND = """
from pytest_nlpeval.cli import main
assert main(["validate", "no-such-file"]) == 2
"""

TELL = """
import os, numpy
numpy.ones((500, 500)) @ numpy.ones((500, 500))
print(os.environ.get("OPENBLAS_NUM_THREADS"), len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the number of threads is read from /proc")  # noqa: PTH112
@pytest.mark.parametrize("program", [IMPORT, COMMAND], ids=["import", "command"])
@pytest.mark.parametrize(("given", "said"), [(None, "None 1"), ("1", "1 1")])
def test_numpy_for_one_processor_has_one_thread_and_leaves_the_environment_alone(
    program: str, given: str | None, said: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    environment |= {} if given is None else {"OPENBLAS_NUM_THREADS": given}
    ended = subprocess.run([sys.executable, "-c", program + TELL], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == said
