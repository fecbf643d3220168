"""What every test needs: an environment in which pytest and the command behave the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # no test depends on how fast a machine is, or how busy
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def _same_environment_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "PYTEST_ADDOPTS", "FORCE_COLOR", "PY_COLORS", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NLPEVAL_STORE_KEY", "a key of the tests' own")  # they leave no secret in this user's cache folder
