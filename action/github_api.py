"""The few calls of GitHub's REST API that the comment needs, with the standard library alone.

Addresses are those of one repository below one API. The token goes to that API only, never to where it redirects.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from pytest_nlpeval.wording import printable, quoted

PER_PAGE = 100
MOST_PAGES = 100
"""Of a list: GitHub gives 100 entries a page."""

MOST_BYTES = 1 << 26
"""Of an answer in JSON: a page of comments may have 100 times 65,536 characters."""

TRIES = 4
LONGEST_PAUSE = 120
"""Seconds for which a limit of rate is waited for, once."""

TIMEOUT = 30
"""Seconds without a byte after which a connection has failed."""

_CURES: Mapping[int, str] = {
    401: "the token is not valid any more: run the job again",
    403: "the job needs the permissions `actions: read` and `pull-requests: write`",
    404: "it is gone, or the job lacks the permissions `actions: read` and `pull-requests: write`",
    410: "it has expired: run the workflow that makes the report again",
}


class ApiError(Exception):
    """A call that failed for good; the text says why and what to do, and may hold text of the server."""


class TooLargeError(Exception):
    """A download with more bytes than allowed."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of an API, `OWNER/NAME`, as a token may see it. `pause` waits for so many seconds."""

    api: str
    name: str
    token: str
    pause: Callable[[float], None] = time.sleep

    def get(self, path: str, **query: str | int) -> Any:
        """Return what the API has at a path below the repository; `ApiError` if it cannot be had."""
        return _decoded(self._answer("GET", path, query=query), path)

    def every(self, path: str, field: str = "", **query: str | int) -> Iterator[dict[str, Any]]:
        """Yield the objects of a list, page by page; `field` is where an answer has the list, "" where it is one.

        Raises:
            ApiError: if a page cannot be had, or there are more than `MOST_PAGES`.
        """
        for page in range(1, MOST_PAGES + 1):
            answer = self.get(path, **query, per_page=PER_PAGE, page=page)
            entries = answer.get(field) if field and isinstance(answer, dict) else answer
            if not isinstance(entries, list):
                raise ApiError(f"{path} has no list: {quoted(str(answer), 200)}")
            yield from (entry for entry in entries if isinstance(entry, dict))
            if len(entries) < PER_PAGE:
                return
        raise ApiError(f"{path} has more than {MOST_PAGES * PER_PAGE:,} entries")

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Change something; `ApiError` if that fails."""
        self._answer(method, path, body=body)

    def download(self, path: str, limit: int) -> bytes:
        """Return the bytes of a file, wherever the API redirects to.

        Raises:
            ApiError: if it cannot be had.
            TooLargeError: if it has more than `limit` bytes; no more are read.
        """
        return self._answer("GET", path, limit=limit)

    def _answer(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        limit: int = MOST_BYTES,
    ) -> bytes:
        """Return the bytes of an answer. What may be asked twice is asked again after a fault of the server."""
        tries = 0
        while True:
            tries += 1
            try:
                with urlopen(self._request(method, path, query, body), timeout=TIMEOUT) as answer:  # noqa: S310 - the runner's API
                    return _read(answer, limit)
            except HTTPError as error:
                with error:
                    said = _said(error)
                    wait = _wait(error, said, method, tries)
                    if wait is None or tries == TRIES:
                        raise ApiError(_why(error, said, method, path)) from None
            except (URLError, OSError, http.client.HTTPException) as error:
                wait = _after(tries)
                if method == "POST" or tries == TRIES:
                    raise ApiError(f"{method} {path} failed: {error}; run the job again") from None
            self.pause(wait)

    def _request(self, method: str, path: str, query: Mapping[str, str | int] | None, body: Mapping[str, Any] | None) -> Request:
        address = f"{self.api.rstrip('/')}/repos/{quote(self.name)}/{path}" + (f"?{urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = Request(address, data, method=method)  # noqa: S310 - the runner's API
        request.add_header("Accept", "application/vnd.github+json")
        request.add_header("X-GitHub-Api-Version", "2022-11-28")
        request.add_header("User-Agent", "pytest-nlpeval")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return request


def _read(answer: http.client.HTTPResponse, limit: int) -> bytes:
    announced = answer.headers.get("Content-Length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise TooLargeError(f"{int(announced):,} bytes")
    data = bytearray()
    while piece := answer.read(min(1 << 16, limit + 1 - len(data))):
        data += piece
        if len(data) > limit:
            raise TooLargeError(f"more than {limit:,} bytes")
    return bytes(data)


def _decoded(data: bytes, path: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise ApiError(f"the answer for {path} is not JSON; run the job again") from None


def _after(tries: int) -> float:
    return float(2 ** (tries - 1))


def _wait(error: HTTPError, said: str, method: str, tries: int) -> float | None:
    """Return how many seconds later a call may be made again; None for never."""
    if _is_limited(error, said):
        wait = _seconds(error.headers, tries)
        return wait if wait <= LONGEST_PAUSE else None
    return _after(tries) if error.code >= 500 and method != "POST" else None


def _seconds(headers: Message, tries: int) -> float:
    """Return for how long a limit of rate lasts: as the server says, else a minute, and then longer, as GitHub's documentation has it.

    Every answer tells when the hour's limit begins anew; that says something only where nothing remains of it.
    """
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if after.isdecimal():
        return float(after)
    if reset.isdecimal() and headers.get("x-ratelimit-remaining") == "0":
        return max(0.0, float(reset) - time.time()) + 1
    return 60 * _after(tries)


def _said(error: HTTPError) -> str:
    """Return the server's own words."""
    try:
        return str(json.loads(error.read(10_000))["message"])
    except (ValueError, KeyError, TypeError, RecursionError, OSError, http.client.HTTPException):
        return str(error.reason)


def _why(error: HTTPError, said: str, method: str, path: str) -> str:
    if _is_limited(error, said):
        cure = "the limit of rate is reached: run the job again later"
    else:
        cure = _CURES.get(error.code, "run the job again" if error.code >= 500 else "")
    return printable(f"{method} {path} failed with {error.code}: {quoted(said, 200)}" + (f"; {cure}" if cure else ""))


def _is_limited(error: HTTPError, said: str) -> bool:
    """Whether a call was refused for there were too many; of a secondary limit only the message may tell."""
    headers = error.headers
    told = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or "secondary rate limit" in said.lower()
    return error.code == 429 or (error.code == 403 and told)
