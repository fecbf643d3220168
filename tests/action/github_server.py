"""A server that speaks the few calls of GitHub's REST API that the comment makes, and another one where it keeps artifacts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

NAME = "octo/eval"
TOKEN = "a-token-of-the-job"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
FORK = 77
EVENT: dict[str, Any] = {
    "id": 5,
    "event": "pull_request",
    "conclusion": "failure",
    "head_sha": COMMIT,
    "head_branch": "topic",
    "head_repository": {"id": FORK, "owner": {"login": "someone"}},
    "pull_requests": [],
}
"""What the event `workflow_run` tells of a run that failed, for a pull request of a fork."""

HEAD = "someone:topic"
BOT = {"login": "github-actions[bot]", "type": "Bot"}


class Call(NamedTuple):
    method: str
    path: str
    query: dict[str, str]
    body: Any
    token: str


@dataclass
class GitHub:
    """A repository as the API shows it. `faults` are answers that a call gets before it is served, by its start.

    A fault is a status and headers; what is called `message` among these is what the answer says.
    """

    api: str = ""
    pulls: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    artifacts: dict[int, dict[str, Any]] = field(default_factory=dict)
    blobs: dict[int, bytes | int] = field(default_factory=dict)
    """By the number of the artifact: its bytes, or how many zeros are sent without saying so."""
    faults: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    fetched: list[dict[str, str]] = field(default_factory=list)
    """The headers with which artifacts were fetched."""

    def pull(self, number: int, **facts: Any) -> None:
        head = {"sha": COMMIT, "ref": "topic", "repo": {"id": FORK}, **facts.pop("head", {})}
        self.pulls.append({"number": number, "state": "open", "head": head, **facts})

    def comment(self, number: int, body: str, user: dict[str, str] | None = None) -> None:
        self.comments.append({"id": number, "body": body, "user": user or BOT})

    def artifact(self, number: int, blob: bytes | int, name: str = "nlpeval-report", **facts: Any) -> None:
        size = blob if isinstance(blob, int) else len(blob)
        self.artifacts[number] = {"id": number, "name": name, "size_in_bytes": size, "expired": False, **facts}
        self.blobs[number] = blob

    def changes(self) -> list[tuple[str, str]]:
        return [(call.method, call.path) for call in self.calls if call.method != "GET"]

    def answer(self, call: Call, blobs: str) -> tuple[int, dict[str, str], Any]:
        start = f"{call.method} {call.path}"
        for prefix, faults in self.faults.items():
            if start.startswith(prefix) and faults:
                status, headers = faults.pop(0)
                message = headers.get("message", "the server's own words\n::error::pwned")
                return status, {name: value for name, value in headers.items() if name != "message"}, {"message": message}
        if match := re.fullmatch(r"GET actions/artifacts/(\d+)/zip", start):
            return 302, {"Location": f"{blobs}/{match[1]}"}, None
        page = _page(call.query)
        if start == "GET pulls":
            return 200, {}, self.pulls[page] if call.query.get("head") == HEAD else []
        if re.fullmatch(r"GET actions/runs/5/artifacts", start):
            return 200, {}, {"total_count": len(self.artifacts), "artifacts": list(self.artifacts.values())[page]}
        return self._of_comments(call, start, page)

    def _of_comments(self, call: Call, start: str, page: slice) -> tuple[int, dict[str, str], Any]:
        if start == "GET issues/9/comments":
            return 200, {}, self.comments[page]
        if start == "POST issues/9/comments":
            self.comment(1 + max((comment["id"] for comment in self.comments), default=0), call.body["body"])
            return 201, {}, self.comments[-1]
        match = re.fullmatch(r"(PATCH|DELETE) issues/comments/(\d+)", start)
        mine = [comment for comment in self.comments if match and comment["id"] == int(match[2]) and comment["user"] == BOT]
        if not mine:
            return 404, {}, {"message": "Not Found"}
        if call.method == "DELETE":
            self.comments.remove(mine[0])
            return 204, {}, None
        mine[0]["body"] = call.body["body"]
        return 200, {}, mine[0]


def _page(query: dict[str, str]) -> slice:
    size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
    return slice(size * (page - 1), size * page)


class _Silent(BaseHTTPRequestHandler):
    github: GitHub

    def log_message(self, *_: Any) -> None:
        pass


class _Store(_Silent):
    """Where artifacts are fetched from."""

    def do_GET(self) -> None:
        self.github.fetched.append(dict(self.headers))
        blob = self.github.blobs[int(self.path.strip("/"))]
        self.send_response(200)
        if isinstance(blob, bytes):
            self.send_header("Content-Length", str(len(blob)))
        self.end_headers()
        with suppress(ConnectionError):  # the client has had enough
            for _ in range(blob >> 20 if isinstance(blob, int) else 0):
                self.wfile.write(bytes(1 << 20))
            if isinstance(blob, bytes):
                self.wfile.write(blob)


class _Api(_Silent):
    """The API of one repository, which redirects to the store."""

    store = ""

    def serve(self) -> None:
        address = urlsplit(self.path)
        start = f"/repos/{NAME}/"
        assert address.path.startswith(start)
        size = int(self.headers.get("Content-Length", "0"))
        body = json.loads(self.rfile.read(size)) if size else None
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        call = Call(self.command, address.path.removeprefix(start), query, body, token)
        self.github.calls.append(call)
        status, headers, answer = self.github.answer(call, self.store)
        data = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_DELETE = serve  # noqa: N815 - as the standard library calls them


@contextmanager
def serving() -> Iterator[GitHub]:
    """The server, and one of another address to which it redirects."""
    github = GitHub()
    with (
        _running(type("Store", (_Store,), {"github": github})) as store,
        _running(type("Api", (_Api,), {"github": github, "store": store})) as github.api,
    ):
        yield github


@contextmanager
def _running(handler: type[_Silent]) -> Iterator[str]:
    """A server in a thread of its own, and its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
