"""Whether Markdown, once GitHub has made HTML of it, holds anything but text: no link, image, mention, reference or element of a file's."""

from __future__ import annotations

import re

from lxml import html
from markdown_it import MarkdownIt

QUIET = {"pre", "code"}
"""The elements in whose text GitHub looks for no link and no mention."""

ELEMENTS = {"div", "h2", "h3", "p", "pre", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "sub", "a"}
ELEMENTS |= {"blockquote", "strong", "b", "br", "ul", "li", "em"}

LINK = re.compile(r"(?<!\w)@\w|#\d|\bgh-\d|\w+://|www\.\w|(?:mailto|xmpp):\S", re.IGNORECASE)
"""What GitHub makes links, mentions and references of."""

ITSELF = "https://github.example/"
"""Where links of the comment's own lead."""


def assert_inert(markdown: str) -> None:
    """Nothing but text comes from files: all elements are the report's own, and no text outside of `pre` and `code` becomes a link."""
    page = html.fromstring("<div>" + MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown) + "</div>")
    elements = [element for element in page.iter() if isinstance(element.tag, str)]
    assert {str(element.tag) for element in elements} <= ELEMENTS
    for element in elements:
        assert not [name for name in element.attrib if name not in ("href", "open", "style")], element.attrib
        if element.tag == "a":
            assert element.get("href", "").startswith(ITSELF)
    for text in page.xpath("//text()[not(ancestor::pre or ancestor::code or ancestor::a)]"):
        assert not LINK.search(str(text)), text
