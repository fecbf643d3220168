"""The page from a server whose own policy is strict: browsers apply the page's and the server's together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from lxml import html

from tests.browser.browser import Browser
from tests.browser.pages import report
from tests.unit.reports.documents import render


@contextmanager
def served(page: str, policy: str) -> Iterator[str]:
    """Serve a page with a policy; the value is its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            """Tell nobody."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/report.html"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_page_needs_no_more_than_its_hashes(browser: Browser) -> None:
    page = render("html", report())
    (own,) = html.document_fromstring(page).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    with served(page, f"{own}; require-trusted-types-for 'script'; sandbox allow-scripts") as address:
        browser.visit(address)
        assert [line for line in browser.logged() if "favicon" not in line] == []
        assert browser.texts(".itembox .controls")


def test_where_neither_style_nor_script_is_allowed_everything_is_there(browser: Browser) -> None:
    with served(render("html", report()), "default-src 'none'; sandbox") as address:
        browser.visit(address)
        assert not browser.all(".controls")
        assert len(browser.all(".itembox .item")) == 31
        assert browser.texts("h1") == ["✗ 1 of 2 gates failed in 1 of 2 suites"]
