"""The HTML report in a browser: what a reader can do with it, with a mouse, a keyboard, on paper, and without script."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from pytest_nlpeval.reports.run.page import OPEN_ROWS
from tests.browser.browser import AXE, NARROW, WIDE, Browser
from tests.browser.pages import EXAMPLES, example, explanation, report
from tests.unit.reports.documents import document, full_of, render, suite
from tests.unit.reports.test_html import HOSTILE

DOCUMENTS = "#g1s1 .listing[data-noun=document]"
EXPLANATIONS = "#g1s1 .listing[data-noun=explanation]"
MEASURES = "#g1s1 .listing[data-noun=measure]"


@pytest.fixture
def page(browser: Browser) -> Browser:
    """The window with a report of 25 documents and 30 explanations."""
    browser.open(render("html", report()))
    return browser


def head(page: Browser, path: str, name: str) -> WebElement:
    """The button that sorts by a column."""
    (found,) = (button for button in page.all(f"{path} thead button") if button.text.startswith(name))
    return found


def column(page: Browser, path: str, place: int) -> list[str]:
    """The cells of a column that are seen."""
    return page.texts(f"{path} tbody tr:not(.group) > :nth-child({place})")


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_example_logs_nothing_asks_for_nothing_and_is_accessible(browser: Browser, scheme: str, name: str) -> None:
    browser.look("dark" if scheme == "dark" else "light")
    browser.open(example(name))
    assert browser.logged() == []
    assert [url.rsplit("/", 1)[-1] for url in browser.requests()] == ["page.html"]
    if not AXE.exists():
        pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
    assert browser.findings("color-contrast" if scheme == "dark" else "") == []  # the others do not depend on it


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_parts_of_a_page_are_accessible(page: Browser, scheme: str) -> None:
    page.look("dark" if scheme == "dark" else "light")
    if not AXE.exists():
        pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
    assert page.findings() == []
    page.script("document.querySelectorAll('button.more').forEach((button) => button.click())")
    page.script("document.querySelectorAll('details').forEach((part) => part.open = true)")
    assert page.findings() == []


def test_axe_finds_what_is_wrong(browser: Browser) -> None:
    if not AXE.exists():
        pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
    browser.open(
        "<!doctype html><html lang=en><title>t</title><main><h1>h</h1><p style='color: #ddd; background: #fff'>pale</p></main>"
    )
    assert [finding.partition(":")[0] for finding in browser.findings()] == ["color-contrast"]


def test_the_console_and_requests_are_watched(browser: Browser) -> None:
    browser.open("<!doctype html><title>t</title><script>console.log('said')</script><img src=other.png>")
    assert any("said" in line for line in browser.logged())
    assert any(url.endswith("/other.png") for url in browser.requests())


def test_columns_sort_both_ways_and_back(page: Browser) -> None:
    button = head(page, DOCUMENTS, "f1")
    given = [f"d{place}" for place in range(OPEN_ROWS)]
    ranked = sorted(range(25), key=lambda place: place * 7 % 25)
    assert column(page, DOCUMENTS, 1) == given
    for order, names in (
        ("ascending", [f"d{place}" for place in ranked[:OPEN_ROWS]]),
        ("descending", [f"d{place}" for place in ranked[::-1][:OPEN_ROWS]]),
        (None, given),
    ):
        button.click()
        assert column(page, DOCUMENTS, 1) == names
        assert button.find_element(By.XPATH, "..").get_dom_attribute("aria-sort") == order


def test_one_column_at_a_time_is_sorted_and_numbers_sort_as_numbers(page: Browser) -> None:
    head(page, DOCUMENTS, "f1").click()
    head(page, DOCUMENTS, "document").click()
    assert column(page, DOCUMENTS, 1) == [f"d{place}" for place in range(OPEN_ROWS)]  # d2 before d10
    assert len(page.all(f"{DOCUMENTS} [aria-sort]")) == 1
    head(page, MEASURES, "value").click()
    assert column(page, MEASURES, 1)[:2] == ["f1", "muc.precision"]
    page.find(f"{MEASURES} button.more").click()
    assert column(page, MEASURES, 1)[-2:] == ["tp", "cws"]
    head(page, MEASURES, "value").click()
    assert column(page, MEASURES, 1)[0] == "tp"
    assert column(page, MEASURES, 1)[-1] == "cws"  # what has no value is last in either direction


def test_groups_of_measures_have_heads_unless_they_are_sorted(page: Browser) -> None:
    heads = f"{MEASURES} tr.group"
    assert page.texts(heads) == ["with gates"]
    page.find(f"{MEASURES} button.more").click()
    assert page.texts(heads) == ["with gates", "muc", "link"]
    head(page, MEASURES, "measure").click()
    assert page.texts(heads) == []
    page.find(f"{MEASURES} input").send_keys("link")
    assert column(page, MEASURES, 1) == ["link.f1", "link.precision", "link.recall"]
    for _ in range(2):
        head(page, MEASURES, "measure").click()
    assert page.texts(heads) == ["link"]


def test_rows_are_filtered_and_counted(page: Browser) -> None:
    box = page.find(f"{DOCUMENTS} input[type=search]")
    box.send_keys("d1")
    assert column(page, DOCUMENTS, 1) == ["d1", *(f"d{place}" for place in range(10, 19))]
    assert page.texts(f"{DOCUMENTS} [role=status]") == ["11 of 25 documents"]
    page.find(f"{DOCUMENTS} button.more").click()
    assert len(column(page, DOCUMENTS, 1)) == 11
    box.send_keys("9")
    assert column(page, DOCUMENTS, 1) == ["d19"]
    box.send_keys(Keys.BACKSPACE * 3)
    assert len(column(page, DOCUMENTS, 1)) == 25


def test_all_rows_are_shown_and_folded_again(page: Browser) -> None:
    button = page.find(f"{DOCUMENTS} button.more")
    for text, rows in (("Show all 25 documents", 10), ("Show the first 10", 25), ("Show all 25 documents", 10)):
        assert (button.text, len(column(page, DOCUMENTS, 1))) == (text, rows)
        button.click()


def test_explanations_are_filtered_by_kind_and_change(page: Browser) -> None:
    labels = page.texts(f"{EXPLANATIONS} fieldset label")
    assert labels == [
        *("missed (11)", "wrong value (10)", "spurious (10)"),
        *("newly wrong (5)", "wrong in another way (5)", "as before (20)", "newly right (1)"),
    ]
    boxes = dict(zip(labels, page.all(f"{EXPLANATIONS} fieldset label input"), strict=True))
    for label in ("missed (11)", "as before (20)"):
        boxes[label].click()
    assert page.texts(f"{EXPLANATIONS} [role=status]") == ["0 of 31 explanations"]  # each third is missed, and changed
    boxes["missed (11)"].click()
    changes = ["newly wrong"] * 5 + ["wrong in another way"] * 5
    assert page.texts(f"{EXPLANATIONS} li .change")[:10] == changes
    boxes["newly wrong (5)"].click()
    assert page.texts(f"{EXPLANATIONS} li .change") == ["wrong in another way"] * 5 + ["newly right"]


def test_explanations_are_searched_across_marks(page: Browser) -> None:
    page.find(f"{EXPLANATIONS} input[type=search]").send_keys("the FERRY number 17")
    (found,) = page.texts(f"{EXPLANATIONS} li")
    assert "message 17" in found


def test_a_document_leads_to_its_explanations(page: Browser) -> None:
    page.find(f"{DOCUMENTS} tbody tr:nth-child(4) td.explained button").click()  # d3
    chosen = Select(page.find(f"{EXPLANATIONS} select"))
    assert chosen.first_selected_option.text == "d3 (6)"
    assert page.texts(f"{EXPLANATIONS} li .path") == [f"d3, unit {place}" for place in (18, 3, 8, 13, 23, 28)]
    chosen.select_by_visible_text("all")
    assert page.texts(f"{EXPLANATIONS} [role=status]") == [""]
    assert not page.all(f"{DOCUMENTS} tbody tr:nth-child(9) td.explained button")  # of d8 none are on the page


def test_the_keyboard_does_what_the_mouse_does(page: Browser) -> None:
    page.press(Keys.TAB)
    assert page.script("return document.activeElement.className") == "skip"
    button = head(page, DOCUMENTS, "f1")
    page.tab_to(button)
    page.press(Keys.ENTER)
    assert column(page, DOCUMENTS, 1)[0] == "d0"
    page.press(Keys.SPACE)
    assert column(page, DOCUMENTS, 1)[0] == "d7"  # 7 · 7 % 25 = 24
    assert page.driver.switch_to.active_element == button
    page.tab_to(page.find(f"{EXPLANATIONS} fieldset input"))
    page.press(Keys.SPACE)
    assert page.texts(f"{EXPLANATIONS} [role=status]") == ["20 of 31 explanations"]


def test_without_script_everything_is_there(browser: Browser) -> None:
    browser.scripts(run=False)
    browser.open(render("html", report()))
    assert browser.logged() == []
    assert not browser.all(".controls")
    assert len(browser.all(f"{DOCUMENTS} tbody tr")) == 25
    assert len(browser.all(f"{EXPLANATIONS} li")) == 31
    summary = browser.find(f"{DOCUMENTS} summary")
    assert not browser.find(f"{DOCUMENTS} details tbody tr").is_displayed()
    summary.click()
    assert browser.find(f"{DOCUMENTS} details tbody tr").is_displayed()


def test_paper_shows_what_is_folded_and_no_controls(page: Browser) -> None:
    page.find(f"{EXPLANATIONS} input[type=search]").send_keys("ferry number 1")
    page.look(medium="print")
    assert len(column(page, DOCUMENTS, 1)) == 25
    assert len(page.texts(f"{EXPLANATIONS} li")) == 11  # what a reader filters stays filtered
    assert page.texts(".controls, button.more, .skip") == []
    assert page.texts("details table")
    assert page.script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_in_the_dark_the_page_is_dark_and_on_paper_it_is_not(page: Browser) -> None:
    def ground() -> int:
        colour = page.script("return getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(", ")))

    page.look("dark")
    assert ground() < 100
    page.look("dark", "print")
    assert ground() == 3 * 255


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("text", ["", "x" * 10_000])
def test_no_page_is_wider_than_the_window(browser: Browser, width: int, text: str) -> None:
    browser.width(width)
    browser.open(render("html", full_of(text)) if text else example("cat"))
    assert browser.script("return document.documentElement.scrollWidth") <= width


def test_points_lie_where_the_numbers_say(page: Browser) -> None:
    """A reader takes the numbers from the labels of the axes."""
    places = page.script(
        """
        const svg = document.querySelector("#g1 svg.graph");
        const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
        const lines = [...svg.querySelectorAll("path.grid")].map((line) => [...middle(line), Number(line.nextElementSibling.textContent)]);
        return [lines, [...svg.querySelectorAll(".dot")].map(middle)];
        """
    )
    lines, points = places
    upright, level = lines[:6], lines[6:]  # marks at 0, 0.2 … 1 of either axis
    assert [line[2] for line in upright] == [line[2] for line in level] == [0, 0.2, 0.4, 0.6, 0.8, 1]
    for x, y in points:
        share = (x - upright[0][0]) / (upright[-1][0] - upright[0][0]), (y - level[0][1]) / (level[-1][1] - level[0][1])
        assert share == pytest.approx((0.25, 0.5), abs=0.005)
    assert len(points) == 2  # of two systems, at the same place


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_does_nothing(browser: Browser, text: str) -> None:
    browser.open(render("html", full_of(text)))
    assert browser.logged() == []
    assert [url.rsplit("/", 1)[-1] for url in browser.requests()] == ["page.html"]
    assert browser.script("return document.scripts.length") == 1
    browser.script("document.querySelectorAll('button').forEach((button) => button.click())")
    assert browser.logged() == []
    assert browser.requests() == []


def test_a_report_of_a_thousand_documents_is_small_and_opens_soon(browser: Browser) -> None:
    """The time is the best of three: a machine that does other things, too, must not fail it."""
    text = "Nobody was hurt when the old ferry sank near the harbour in winter. " * 6
    long = [explanation(place, passage={"text": text[:400], "gold": [[4, 9]], "system": [[30, 50]]}) for place in range(10_000)]
    big = report(documents=1000)["suites"][0]
    page = render("html", document({**big, "explanations": {"counts": {"missed": 10_000}, "first": long, "cut": 0}}))
    assert len(page.encode()) < 5_000_000
    took = []
    for _ in range(3):
        browser.open(page)
        took.append(browser.milliseconds())
    assert min(took) < 2000
    assert "more explanations left out here." in browser.find("#g1s1").text
    browser.find(f"{DOCUMENTS} button.more").click()
    assert len(column(browser, DOCUMENTS, 1)) == 1000


def test_a_page_without_suites_is_shown(browser: Browser) -> None:
    browser.open(render("html", document(suite(explanations={"counts": {}, "first": []}), passed=False)))
    assert browser.logged() == []
    assert browser.texts("h1") == ["FAILED: 0 of 1 gate hold or are informational, 2 of 2 documents valid, 1 suite"]
