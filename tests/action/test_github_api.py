"""Calls of GitHub's API: pages, limits of rate, faults of the server, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import github_api
import pytest
from github_api import LONGEST_PAUSE, TRIES, ApiError, Repository, TooLargeError

from tests.action.github_server import HEAD, NAME, TOKEN, GitHub, serving


@pytest.fixture
def server() -> Iterator[GitHub]:
    with serving() as github:
        yield github


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def repository(server: GitHub, pauses: list[float]) -> Repository:
    return Repository(server.api, NAME, TOKEN, pauses.append)


@pytest.mark.parametrize(("count", "calls"), [(0, 1), (1, 1), (99, 1), (100, 2), (101, 2), (250, 3)])
def test_pages(server: GitHub, repository: Repository, count: int, calls: int) -> None:
    for number in range(count):
        server.pull(number)
    assert [pull["number"] for pull in repository.every("pulls", head=HEAD)] == list(range(count))
    assert len(server.calls) == calls


def test_a_list_without_end(server: GitHub, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("github_api.MOST_PAGES", 2)
    for number in range(201):
        server.pull(number)
    with pytest.raises(ApiError, match="more than 200 entries"):
        list(repository.every("pulls", head=HEAD))


def test_a_list_that_is_none(server: GitHub, repository: Repository) -> None:
    with pytest.raises(ApiError, match="has no list"):
        list(repository.every("actions/runs/5/artifacts"))


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (403, {"retry-after": "7"}, 7),
        (429, {"retry-after": "7", "x-ratelimit-remaining": "0"}, 7),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "0"}, 1),
        (429, {}, 60),
        (403, {"message": "You have exceeded a secondary rate limit.", "x-ratelimit-remaining": "900"}, 60),
        (
            429,
            {"x-ratelimit-remaining": "900", "x-ratelimit-reset": "99999999999"},
            60,
        ),  # of the hour's limit, which is not reached
        (500, {}, 1),
        (502, {}, 1),
        (503, {}, 1),
    ],
)
def test_what_passes_is_waited_for(
    server: GitHub, repository: Repository, pauses: list[float], status: int, headers: dict[str, str], pause: float
) -> None:
    server.pull(9)
    server.faults = {"GET pulls": [(status, headers)]}
    assert [pull["number"] for pull in repository.every("pulls", head=HEAD)] == [9]
    assert pauses == [pause]


def test_the_end_of_a_limit_is_told_by_the_clock(
    server: GitHub, repository: Repository, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_api, "time", SimpleNamespace(time=lambda: 1000.25))
    server.faults = {"GET pulls": [(403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1020"})]}
    list(repository.every("pulls", head=HEAD))
    assert pauses == [1020 - 1000.25 + 1]


@pytest.mark.parametrize(
    ("status", "headers", "cure"),
    [
        (401, {}, "the token is not valid any more"),
        (403, {}, "the job needs the permissions `actions: read` and `pull-requests: write`"),
        (404, {}, "it is gone, or the job lacks the permissions"),
        (410, {}, "it has expired"),
        (422, {}, "failed with 422"),
        (403, {"retry-after": str(LONGEST_PAUSE + 1)}, "the limit of rate is reached"),
        (429, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}, "the limit of rate is reached"),
    ],
)
def test_what_does_not_pass_is_told_at_once(
    server: GitHub, repository: Repository, pauses: list[float], status: int, headers: dict[str, str], cure: str
) -> None:
    server.faults = {"GET pulls": [(status, headers)]}
    with pytest.raises(ApiError) as failed:
        list(repository.every("pulls", head=HEAD))
    assert cure in str(failed.value)
    assert f"failed with {status}: \"the server's own words" in str(failed.value)
    assert "\n" not in str(failed.value)
    assert "::" not in str(failed.value)
    assert pauses == []


def test_a_fault_that_stays(server: GitHub, repository: Repository, pauses: list[float]) -> None:
    server.faults = {"GET pulls": [(500, {})] * TRIES}
    with pytest.raises(ApiError, match=r"failed with 500.*run the job again"):
        list(repository.every("pulls", head=HEAD))
    assert pauses == [1, 2, 4]
    assert len(server.calls) == TRIES


@pytest.mark.parametrize(("method", "path", "tries"), [("POST", "issues/9/comments", 1), ("PATCH", "issues/comments/1", TRIES)])
def test_what_might_be_done_twice_is_asked_for_once(
    server: GitHub, repository: Repository, method: str, path: str, tries: int
) -> None:
    """After a fault nobody knows whether the comment was made: a second one would stay."""
    server.faults = {f"{method} {path}": [(500, {})] * TRIES}
    with pytest.raises(ApiError, match="failed with 500"):
        repository.send(method, path, {"body": "a"})
    assert len(server.calls) == tries


def test_a_limit_of_rate_holds_back_a_new_comment_too(server: GitHub, repository: Repository, pauses: list[float]) -> None:
    """What was refused was not done."""
    server.faults = {"POST": [(403, {"retry-after": "3"})]}
    repository.send("POST", "issues/9/comments", {"body": "a"})
    assert pauses == [3]
    assert [comment["body"] for comment in server.comments] == ["a"]


def test_nobody_answers(pauses: list[float]) -> None:
    repository = Repository("http://127.0.0.1:9", NAME, TOKEN, pauses.append)
    with pytest.raises(ApiError, match=r"GET pulls failed: .*run the job again"):
        repository.get("pulls")
    assert pauses == [1, 2, 4]
    with pytest.raises(ApiError, match="POST a failed"):
        repository.send("POST", "a", {})
    assert pauses == [1, 2, 4]


@pytest.mark.parametrize("tells_size", [True, False])
def test_a_download_has_a_limit(server: GitHub, repository: Repository, tells_size: bool) -> None:
    server.artifact(1, bytes(3 << 20) if tells_size else 3 << 20)
    path = "actions/artifacts/1/zip"
    assert repository.download(path, 3 << 20) == bytes(3 << 20)
    with pytest.raises(TooLargeError):
        repository.download(path, (3 << 20) - 1)
    assert not [headers for headers in server.fetched if "Authorization" in headers]
