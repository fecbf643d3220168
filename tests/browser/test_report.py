"""The HTML report in a browser: what a reader can do with it, with a mouse, a keyboard, on paper, and without script."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Literal

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from pytest_nlpeval.reports.digest import digest_of
from pytest_nlpeval.reports.items import OPEN_ROWS
from pytest_nlpeval.reports.model import Report
from tests.browser import failing
from tests.browser.browser import AXE, NARROW, WIDE, Browser
from tests.browser.pages import EXAMPLES, example, of_a_thousand_documents, of_twenty_five_thousand_measures, report
from tests.support import HANG
from tests.unit.reports.documents import document, full_of, render, suite
from tests.unit.reports.test_html import HOSTILE

SUITE = '[id="dev/ours"]'
DOCUMENTS = f"{SUITE} .listing[data-noun=document]"
ITEMS = '[id="dev/ours.items"]'
STATUS = f"{ITEMS} output"


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    """The reports of repositories of one suite each, which fails."""
    return {
        task: failing.evaluated(failing.repository(tmp_path_factory.mktemp("failing") / task, {task: (task, True)}))
        for task in failing.TASKS
    }


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


RULES: Mapping[Literal["light", "dark"], str] = {"light": "", "dark": "color-contrast"}
"""In the light all rules of axe-core must hold, in the dark that of colours: no other depends on them."""

SCHEMES = pytest.mark.parametrize(("scheme", "rule"), RULES.items(), ids=RULES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_logs_nothing_asks_for_nothing_and_is_accessible(browser: Browser, name: str) -> None:
    for scheme, rule in RULES.items():
        browser.look(scheme)
        browser.open(example(name))
        assert browser.logged() == []
        assert [url.rsplit("/", 1)[-1] for url in browser.requests()] == ["page.html"]
        if not AXE.exists():
            pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
        assert browser.findings(rule) == [], scheme


@SCHEMES
def test_all_parts_of_a_page_are_accessible(page: Browser, scheme: Literal["light", "dark"], rule: str) -> None:
    page.look(scheme)
    if not AXE.exists():
        pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
    assert page.findings(rule) == []
    page.script("document.querySelectorAll('button.more').forEach((button) => button.click())")
    page.script("document.querySelectorAll('details').forEach((part) => part.open = true)")
    assert page.findings(rule) == []


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


def address(page: Browser) -> str:
    """What stands behind the page's own address."""
    found: str = page.script("return decodeURIComponent(location.hash)")
    return found


def choose(page: Browser, label: str, option: str) -> None:
    """Choose what items are filtered by."""
    (select,) = page.script(
        "return [...document.querySelectorAll(arguments[0])].filter((label) => label.firstChild.data === arguments[1])"
        ".map((label) => label.querySelector('select'))",
        f"{ITEMS} form label",
        label,
    )
    Select(select).select_by_visible_text(option)


def click(page: Browser, path: str) -> None:
    """Click on an element in the middle of the window, where the line that stays at the top does not cover it."""
    link = page.find(path)
    page.script("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()


def units(page: Browser) -> list[int]:
    """The units of the items that are seen."""
    return sorted(int(text) for text in page.texts(f"{ITEMS} .item .about a") if text.isdigit())


def followed(page: Browser, look: Callable[[Browser], object], expected: object) -> object:
    """What is seen as soon as it is as expected, or at last: a browser tells a page of its new address after the click has ended."""
    with suppress(TimeoutException):
        WebDriverWait(page.driver, HANG).until(lambda _: look(page) == expected)
    return look(page)


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


def test_one_column_at_a_time_is_sorted_and_names_with_numbers_sort_as_numbers(page: Browser) -> None:
    head(page, DOCUMENTS, "f1").click()
    head(page, DOCUMENTS, "document").click()
    assert column(page, DOCUMENTS, 1) == [f"d{place}" for place in range(OPEN_ROWS)]  # d2 before d10
    assert len(page.all(f"{DOCUMENTS} [aria-sort]")) == 1


def test_rows_are_filtered_and_counted(page: Browser) -> None:
    box = page.find(f"{DOCUMENTS} input[type=search]")
    box.send_keys("d1")
    assert column(page, DOCUMENTS, 1) == ["d1", *(f"d{place}" for place in range(10, 15))]
    assert page.texts(f"{DOCUMENTS} [role=status]") == ["11 of 25 documents"]
    page.find(f"{DOCUMENTS} button.more").click()
    assert len(column(page, DOCUMENTS, 1)) == 11
    box.send_keys("9")
    assert column(page, DOCUMENTS, 1) == ["d19"]
    box.send_keys(Keys.BACKSPACE * 3)
    assert len(column(page, DOCUMENTS, 1)) == 25


def test_all_rows_are_shown_and_folded_again(page: Browser) -> None:
    button = page.find(f"{DOCUMENTS} button.more")
    for text, rows in (
        ("Show all 25 documents", OPEN_ROWS),
        (f"Show the first {OPEN_ROWS}", 25),
        ("Show all 25 documents", OPEN_ROWS),
    ):
        assert (button.text, len(column(page, DOCUMENTS, 1))) == (text, rows)
        button.click()


def test_a_measure_is_found_among_all(page: Browser) -> None:
    fold = '[id="dev/ours.measures"]'
    page.find(f"{fold} summary").click()
    assert page.texts(f"{fold} tbody tr.group") == ["with gates", "muc", "link"]
    page.find(f"{fold} input").send_keys("LINK.p")
    assert page.texts(f"{fold} tbody tr > th") == ["link", "link.precision"]
    assert page.texts(f"{fold} [role=status]") == ["1 of 9 measures"]


@pytest.mark.parametrize("name", ["best", "spans"])
def test_no_number_of_a_measure_is_broken_in_a_narrow_window(browser: Browser, name: str) -> None:
    """Measures with long names leave little room."""
    browser.width(NARROW)
    browser.open(example(name))
    numbers = browser.script(
        """
        document.querySelectorAll("details.all").forEach((fold) => { fold.open = true; });
        return [...document.querySelectorAll("table.measures tbody td:nth-child(2)")].map((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return [cell.textContent, new Set([...text.getClientRects()].map((line) => line.top)).size];
        });
        """
    )
    assert len(numbers) > 50
    assert [number for number, lines in numbers if lines > 1] == []
    assert browser.script("return document.documentElement.scrollWidth") <= NARROW


@pytest.mark.parametrize(
    ("label", "option", "fits"),
    [
        ("gate", "f1 (16)", lambda place: place % 2 == 0),
        ("reason", "missed (11)", lambda place: place % 3 == 0),
        ("document", "d3 (6)", lambda place: place % 5 == 3),
        ("group", "g1 (8)", lambda place: place % 4 == 1),
        ("gold → system", "G → S1 (15)", lambda place: place % 2 == 1),
        ("change", "newly wrong (5)", lambda place: place % 6 == 0),
    ],
)
def test_items_are_filtered_by_whatever_divides_them(page: Browser, label: str, option: str, fits: Callable[[int], bool]) -> None:
    choose(page, label, option)
    assert units(page) == [place for place in range(30) if fits(place)]
    page.find(f"{ITEMS} form button").click()
    assert page.texts(STATUS) == ["31 of 31 items"]


def test_choices_are_joined_and_stand_in_the_address(page: Browser) -> None:
    choose(page, "reason", "missed (11)")
    choose(page, "change", "newly wrong (5)")
    assert units(page) == [0, 6, 12, 18, 24]
    assert page.texts(STATUS) == ["5 of 31 items"]
    assert address(page) == "#dev/ours.items?r=missed&c=newly+wrong"
    page.driver.refresh()
    assert units(page) == [0, 6, 12, 18, 24]


def test_a_gate_a_kind_and_a_document_lead_to_their_items_and_back(page: Browser) -> None:
    of_the_gate, of_the_kind, of_the_document = list(range(0, 30, 2)), list(range(1, 30, 3)), [3, 8, 13, 18, 23, 28]
    page.find('[id="dev/ours.f1"] a').click()
    assert followed(page, units, of_the_gate) == of_the_gate
    assert address(page) == "#dev/ours.items?m=f1"
    click(page, "table.kinds tbody tr:nth-child(2) a")
    assert followed(page, units, of_the_kind) == of_the_kind
    click(page, f"{DOCUMENTS} tbody tr:nth-child(4) a")
    assert followed(page, units, of_the_document) == of_the_document
    for earlier in ("#dev/ours.items?r=spurious", "#dev/ours.items?m=f1"):
        page.driver.back()
        assert followed(page, address, earlier) == earlier
    assert followed(page, units, of_the_gate) == of_the_gate
    page.driver.back()
    assert followed(page, lambda page: page.texts(STATUS), ["31 of 31 items"]) == ["31 of 31 items"]


def test_an_address_with_a_measure_without_gate_filters_too(browser: Browser) -> None:
    browser.open(render("html", report()))
    browser.script("location.hash = '#dev/ours.items?m=muc.recall'")
    expected = list(range(1, 30, 2))
    assert followed(browser, units, expected) == expected


def test_an_address_opens_what_is_folded(page: Browser) -> None:
    (hidden, *_) = page.script(
        "return [...document.querySelectorAll(arguments[0])].filter((item) => !item.checkVisibility()).map((item) => item.id)",
        f"{ITEMS} .item",
    )
    page.script("location.hash = arguments[0]", f"#{hidden}")
    assert followed(page, lambda page: page.script("return document.querySelector(':target')?.checkVisibility()"), True)


def test_items_are_searched_across_marks(page: Browser) -> None:
    page.find(f"{ITEMS} input[type=search]").send_keys("the FERRY number 17")
    assert units(page) == [17]


def test_keys_lead_to_the_next_suite_that_failed(browser: Browser) -> None:
    suites = [
        suite(
            name=f"s{place}",
            notes=["n"],
            explanations={"counts": {"missed": 30}, "first": report()["suites"][0]["explanations"]["first"], "cut": 0},
        )
        for place in range(3)
    ]
    browser.open(render("html", document(*suites)))

    def first(_: Browser) -> str:
        """The suite at the top of the window."""
        found: str = browser.script(
            "return [...document.querySelectorAll('section.fail')].findLast((part) => part.getBoundingClientRect().top < 80)?.id ?? ''"
        )
        return found

    assert first(browser) == ""
    for key, name in (("n", "s0"), ("n", "s1"), ("n", "s2"), ("p", "s1"), ("p", "s0")):
        browser.find("body").send_keys(key)
        assert followed(browser, first, name) == name
    browser.find("#s0 input[type=search]").send_keys("n")
    assert first(browser) == "s0"  # a letter that is typed leads nowhere


def test_the_keyboard_does_what_the_mouse_does(page: Browser) -> None:
    page.press(Keys.TAB)
    assert page.script("return document.activeElement.className") == "skip"
    link = page.find('[id="dev/ours.f1"] a')
    page.tab_to(link)
    page.press(Keys.ENTER)
    of_the_gate = list(range(0, 30, 2))
    assert followed(page, units, of_the_gate) == of_the_gate
    button = head(page, DOCUMENTS, "f1")
    page.tab_to(button)
    page.press(Keys.ENTER)
    assert column(page, DOCUMENTS, 1)[0] == "d0"
    page.press(Keys.SPACE)
    assert column(page, DOCUMENTS, 1)[0] == "d7"  # 7 · 7 % 25 = 24
    assert page.driver.switch_to.active_element == button


def test_without_script_everything_is_there(without_scripts: Browser) -> None:
    without_scripts.open(render("html", report()))
    assert without_scripts.logged() == []
    assert not without_scripts.all(".controls")
    assert len(without_scripts.all(f"{DOCUMENTS} tbody tr")) == 25
    assert len(without_scripts.all(f"{ITEMS} .item")) == 31
    summary = without_scripts.find(f"{DOCUMENTS} summary")
    assert not without_scripts.find(f"{DOCUMENTS} details tbody tr").is_displayed()
    summary.click()
    assert without_scripts.find(f"{DOCUMENTS} details tbody tr").is_displayed()
    assert without_scripts.find('[id="dev/ours.f1"] a').get_dom_attribute("href") == "#dev/ours.items"  # of which none is hidden


def test_paper_has_no_controls_and_what_is_folded_stays_folded(page: Browser) -> None:
    open_items = len(page.texts(f"{ITEMS} .item"))
    page.look(medium="print")
    assert page.texts(".controls, button.more, .skip, nav, .head .r") == []
    assert len(page.texts(f"{ITEMS} .item")) == open_items == 5
    assert page.script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("task", failing.TASKS)
def test_the_five_facts_stand_on_the_first_screen(browser: Browser, failures: Mapping[str, Report], task: str) -> None:
    """What failed, by how much, since when, whether by chance, and on which kind of items: in the upper 800 pixels of 1280.

    docs/command.md says where.
    """
    told = digest_of(failures[task]).failed[0]
    worst = told.worst
    assert worst is not None
    browser.open(render("html", failures[task]))
    seen = browser.script(
        """
        const seen = [...document.querySelectorAll("h1, p, dl, .gates tbody > tr, .kinds tbody > tr")];
        return seen.filter((part) => part.checkVisibility() && part.getBoundingClientRect().bottom <= 800)
          .map((part) => part.innerText.replace(/\\s+/g, " "));
        """
    )
    text = "\n".join(seen)
    assert re.search(r"^✗ \d+ of \d+ gates failed", text)
    (row,) = (line for line in seen if line.startswith("✗") and f" {worst.measure} " in line and " of " not in line)
    for fact in (
        worst.value,
        worst.baseline,
        worst.drop,
        worst.interval,
        worst.p,
        worst.limits[0].text,
        worst.limits[0].distance,
    ):
        assert fact in row
    assert told.baseline in text
    assert told.since.startswith(f"{worst.measure} went from {worst.baseline} to {worst.value}")
    assert told.since in text
    assert browser.script("return document.querySelector('svg.spark').getBoundingClientRect().bottom") <= 800
    assert "than chance explains" in text or "may be chance" in text
    (grown, *_) = (growth.grown[0] for growth in told.growth if growth.grown)
    assert f"{grown.name} ({grown.then} → {grown.today} wrong)" in text


@pytest.mark.parametrize("task", failing.TASKS)
def test_the_five_facts_stand_on_the_first_narrow_screen(browser: Browser, failures: Mapping[str, Report], task: str) -> None:
    """The same in the upper 800 pixels of 380: the sentence says by how much and whether by chance, the lines below it the rest."""
    (told,) = digest_of(failures[task]).failed
    assert told.worst is not None
    browser.width(NARROW)
    browser.open(render("html", failures[task]))
    seen = browser.script(
        """
        const seen = [...document.querySelectorAll("h1, p, dl > div, dl > dd")];
        return seen.filter((part) => part.checkVisibility() && part.getBoundingClientRect().bottom <= 800)
          .map((part) => part.innerText.replace(/\\s+/g, " ")).join("\\n");
        """
    )
    assert re.search(r"^✗ \d+ of \d+ gates failed", seen)
    sentence = told.sentence
    for fact in (told.worst.measure, told.worst.value, told.worst.baseline, told.worst.drop):
        assert fact in sentence
    assert told.worst.limits[0].distance in sentence or " is allowed" in sentence
    assert "than chance explains" in sentence or "may be chance" in sentence
    assert sentence in seen
    (grown, *_) = (growth.grown[0] for growth in told.growth if growth.grown)
    assert f"{grown.name} ({grown.then} → {grown.today} wrong)" in seen
    assert told.baseline in seen
    assert told.since in seen


def test_many_suites_are_an_overview_on_one_screen(browser: Browser) -> None:
    """44 suites of which ten failed: a row for each that failed, and one line for those that passed."""
    suites = [suite(name=f"bad{place}") for place in range(10)] + [
        suite(name=f"ok{place}", outcome="ok", gates=[]) for place in range(34)
    ]
    browser.open(render("html", document(*suites)))
    assert len(browser.texts("table.over tbody tr")) == 10
    assert browser.script("return document.querySelector('table.over').getBoundingClientRect().bottom") < 900
    assert browser.texts("nav a")[-1] == "34 passed"
    assert browser.texts("section.pass:not(#passed) h3") == []


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_mark_of_the_overview_stands_beside_the_name_of_its_suite(browser: Browser, width: int) -> None:
    """Names that fill their column, and names that are broken, do not leave it alone on a line."""
    suites = [suite(name="reviews" + "/keywords"[:length] * times) for length, times in ((6, 1), (7, 1), (8, 1), (9, 1), (9, 9))]
    browser.width(width)
    browser.open(render("html", document(*suites)))
    lines = browser.script(
        """
        return [...document.querySelectorAll("table.over tbody th")].map((name) => {
          const [mark, [first]] = [name.querySelector(".mark").getBoundingClientRect(), name.querySelector("a").getClientRects()];
          return [Math.abs((mark.top + mark.bottom - first.top - first.bottom) / 2), first.left - mark.right];
        });
        """
    )
    assert len(lines) == len(suites)
    assert all(apart < 4 and between >= 0 for apart, between in lines), lines


@pytest.mark.parametrize("width", [320, NARROW])
def test_many_suites_are_an_overview_on_one_narrow_screen(browser: Browser, failures: Mapping[str, Report], width: int) -> None:
    """44 suites of which six failed, as docs/pictures has them: all of it is seen."""
    failed = [replace(failures[task].suites[0], name=f"{task}-{place}") for place in range(3) for task in ("spans", "labels")]
    passed = [replace(failed[0], name=f"ok{place}", outcome="ok", gates=()) for place in range(38)]
    browser.width(width)
    browser.open(render("html", replace(failures["spans"], suites=(*failed, *passed))))
    assert len(browser.texts("table.over tbody tr")) == 6
    assert browser.script("return document.documentElement.scrollWidth") <= width
    assert browser.script("return document.querySelector('table.over').getBoundingClientRect().bottom") < 1000
    assert browser.texts("#overview .rest") == ["✓ 38 suites passed"]
    row = browser.texts("table.over tbody tr")[0]
    for fact in ("gates failed", "today", "baseline", "drop", "newly wrong"):
        assert fact in browser.texts("table.over thead th") or fact in row


def test_in_a_narrow_window_the_kinds_of_a_suite_share_a_line_of_the_overview(
    browser: Browser, failures: Mapping[str, Report]
) -> None:
    suites = tuple(failures[name].suites[0] for name in ("spans", "labels"))
    browser.width(800)
    browser.open(render("html", replace(failures["spans"], suites=suites)))
    tops = "row => new Set([...row.querySelectorAll('.most')].map(kind => kind.getBoundingClientRect().top)).size"
    assert browser.script(f"return [...document.querySelectorAll('.over tbody tr')].map({tops})") == [1, 1]


@SCHEMES
def test_a_page_of_errors_is_accessible(
    browser: Browser, failures: Mapping[str, Report], scheme: Literal["light", "dark"], rule: str
) -> None:
    browser.look(scheme)
    browser.open(render("html", failures["spans"]))
    if not AXE.exists():
        pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
    assert browser.findings(rule) == []
    browser.script("document.querySelectorAll('details').forEach((part) => part.open = true)")
    assert browser.findings(rule) == []


def test_in_the_dark_the_page_is_dark_and_on_paper_it_is_not(page: Browser) -> None:
    def ground() -> int:
        colour = page.script("return getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(", ")))

    page.look("dark")
    assert ground() < 100
    page.look("dark", "print")
    assert ground() == 3 * 255


@pytest.mark.parametrize("name", failing.TASKS)
def test_no_page_is_wider_than_the_window(browser: Browser, failures: Mapping[str, Report], name: str) -> None:
    """Folded and unfolded: no script of the page asks how wide the window is, so one page shows what each width makes of it."""
    browser.open(render("html", failures[name]))
    for is_open in ("false", "true"):
        browser.script(f"document.querySelectorAll('details').forEach((part) => part.open ||= {is_open})")
        for width in (320, NARROW, 800, WIDE):
            browser.width(width)
            assert browser.script("return document.documentElement.scrollWidth") <= width, (is_open, width)


PAPER = 700
"""The width of A4 without margins, in pixels."""


@pytest.mark.parametrize("name", failing.TASKS)
def test_no_page_is_wider_than_paper(browser: Browser, failures: Mapping[str, Report], name: str) -> None:
    browser.width(PAPER)
    browser.look(medium="print")
    browser.open(render("html", failures[name]))
    assert browser.script("return document.documentElement.scrollWidth") <= PAPER
    spilling = """
        return [...document.querySelectorAll("td, th")].filter((cell) => cell.checkVisibility() && !cell.querySelector("svg")
          && !cell.closest(".sr") && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText);
    """
    assert browser.script(spilling) == []


@pytest.mark.parametrize("width", [320, WIDE])
def test_long_names_make_no_page_wider(browser: Browser, width: int) -> None:
    browser.width(width)
    browser.open(render("html", full_of("x" * 10_000)))
    assert browser.script("return document.documentElement.scrollWidth") <= width


def test_points_lie_where_the_numbers_say(page: Browser) -> None:
    """A reader takes the numbers from the labels of the axes."""
    places = page.script(
        """
        const svg = document.querySelector('[id="dev.systems"] svg.graph');
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


def test_a_report_of_a_thousand_documents_is_small_and_shown(browser: Browser) -> None:
    page = of_a_thousand_documents()
    assert len(page.encode()) < 5_000_000
    browser.open(page)
    assert "more items in the JSON report." in browser.find(ITEMS).text
    browser.find(f"{DOCUMENTS} button.more").click()
    assert len(column(browser, DOCUMENTS, 1)) == 1000


def test_twenty_five_thousand_measures_are_shown(browser: Browser) -> None:
    browser.open(of_twenty_five_thousand_measures())
    assert len(browser.all("table.measures tbody tr:not(.group)")) == 25_001


def test_a_page_of_a_suite_without_items_is_shown(browser: Browser) -> None:
    browser.open(render("html", document(suite(explanations={"counts": {}, "first": []}), passed=False)))
    assert browser.logged() == []
    assert browser.texts("h1") == ["✗ 1 of 1 gate failed"]
