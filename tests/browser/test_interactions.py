"""What a reader does on a page besides filtering and sorting one suite: links, addresses, folds, and several suites."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from pytest_nlpeval import Matrix
from tests.browser.browser import NARROW, Browser
from tests.browser.pages import explanation, report
from tests.browser.test_report import DOCUMENTS, ITEMS, STATUS, address, choose, click, column, followed, head, units
from tests.unit.reports.documents import document, render, suite


def is_seen(page: Browser, path: str) -> bool:
    """Whether an element is in the window."""
    found: bool = page.script(
        """
        const place = document.querySelector(arguments[0])?.getBoundingClientRect();
        return Boolean(place) && place.top > -5 && place.top < innerHeight;
        """,
        path,
    )
    return found


@pytest.fixture
def page(browser: Browser) -> Browser:
    """The window with a report of 25 documents and 30 explanations."""
    browser.open(render("html", report()))
    return browser


@pytest.fixture
def suites(browser: Browser) -> Browser:
    """The window with four suites of thirty items: `s0` and `s1` failed, `ok0` and `ok1` did not."""
    first = [explanation(place) for place in range(30)]
    names = {"s0": "failed", "s1": "failed", "ok0": "ok", "ok1": "ok"}
    verdict = {"failed": [], "ok": [{"verdict": "passed", "threshold": 0.1, "reason": ""}]}
    usual = suite()["gates"][0]
    told = [
        suite(
            name=name,
            outcome=outcome,
            gates=[{**usual, **facts} for facts in verdict[outcome] or [{}]],
            explanations={"counts": {"missed": 30}, "first": first, "cut": 0},
        )
        for name, outcome in names.items()
    ]
    browser.open(render("html", document(*told, passed=False)))
    return browser


def test_links_lead_from_suite_to_suite(suites: Browser) -> None:
    for path, place in (
        ("nav a[href='#s1']", "s1"),
        ("#s1 .head a[href='#overview']", "overview"),
        ("table.over a[href='#s0']", "s0"),
        ("#s0 .head a[href='#s1']", "s1"),  # the next failed one
        ("nav a[href='#passed']", "passed"),
        ("#passed .head a[href='#overview']", "overview"),
        ("nav a[href='#overview']", "overview"),
    ):
        suites.find(path).click()
        assert followed(suites, lambda page: page.script("return location.hash"), f"#{place}") == f"#{place}"
        assert followed(suites, lambda page: is_seen(page, page.script("return location.hash")), True) is True


def test_a_link_to_a_suite_that_passed_opens_it(suites: Browser) -> None:
    assert suites.texts("#ok1 .gates, #passed table") == []
    suites.find("nav a[href='#passed']").click()
    suites.find("#passed details[open]")
    click(suites, "#passed table a[href='#ok1']")
    suites.find("#ok1 details.inner[open]")
    assert len(suites.texts("#ok1 .gates")) == 1
    assert suites.texts("#ok0 .gates") == []
    suites.script("location.hash = '#ok0.gates'")  # what is folded around a part
    suites.find("#ok0 details.inner[open]")


def test_a_choice_in_one_suite_is_no_choice_in_another(suites: Browser) -> None:
    suites.script("location.hash = '#s0.items?r=missed'")

    def status(page: Browser) -> list[str]:
        return page.texts("section.fail .itembox output")

    assert followed(suites, status, ["10 of 30 items", "30 of 30 items"]) == ["10 of 30 items", "30 of 30 items"]
    suites.script("location.hash = '#s1.items?r=spurious&g=g1'")
    expected = ["30 of 30 items", f"{sum(place % 3 == 1 and place % 4 == 1 for place in range(30))} of 30 items"]
    assert followed(suites, status, expected) == expected


def test_the_skip_link_leads_to_the_results(page: Browser) -> None:
    page.press(Keys.TAB)
    page.press(Keys.ENTER)
    assert followed(page, address, "#main") == "#main"
    page.press(Keys.TAB)
    assert page.script("return document.getElementById('main').contains(document.activeElement)")


def test_each_kind_of_kinds_leads_to_its_items(browser: Browser) -> None:
    """Pairs, reasons and groups; and documents, where no table has them."""
    row = {"then": 1, "today": 2, "newly_wrong": 1, "newly_right": 0}
    names = {"reason": ("missed", "spurious"), "group": ("g1", "g2"), "document": ("d3", "d4")}
    told = report()["suites"][0]
    by = {key: [{"name": name, **row} for name in several] for key, several in names.items()}
    by["pair"] = [{"gold": "G", "system": "S1", **row}]
    told = {**told, "changes": {**told["changes"], "by": by}, "cases": {"total": 5, "failed": 0}}
    browser.open(render("html", document(told, passed=False)))
    every = {"p": (2, 1), "r": (3, 0), "g": (4, 1), "d": (5, 3)}  # the places of the first kind of each: all that leave a rest
    for key, (divisor, rest) in every.items():
        click(browser, f"table.kinds a[data-k={key}]")
        expected = [place for place in range(30) if place % divisor == rest]
        assert followed(browser, units, expected) == expected


def test_links_to_items_have_their_whole_address(page: Browser) -> None:
    """A reader can copy them, or open them in another tab."""
    href = page.find(f"{DOCUMENTS} tbody tr:nth-child(4) a").get_property("href")
    assert isinstance(href, str)
    assert href.endswith("#dev/ours.items?d=d3")
    page.visit(href)
    assert units(page) == [3, 8, 13, 18, 23, 28]


def test_the_same_link_leads_to_the_same_place_again(page: Browser) -> None:
    box = f"{ITEMS} h3"
    for _ in range(2):
        click(page, f"{DOCUMENTS} tbody tr:nth-child(4) a")
        assert followed(page, lambda page: is_seen(page, box), True) is True
        page.script("scrollTo(0, document.body.scrollHeight)")
        assert not is_seen(page, box)


def test_a_search_stands_in_the_address_and_sends_nothing(page: Browser) -> None:
    page.script("window.isSame = true")
    field = page.find(f"{ITEMS} input[type=search]")
    field.send_keys("number 17", Keys.ENTER)
    assert units(page) == [17]
    assert address(page) == "#dev/ours.items?q=number+17"
    assert page.script("return window.isSame")
    page.find(f"{ITEMS} form button").click()
    assert (field.get_property("value"), address(page)) == ("", "#dev/ours.items")
    assert not page.find(f"{ITEMS} form button").is_displayed()
    page.script("location.hash = '#dev/ours.items?q=number+3&r=missed'")
    assert followed(page, units, [3]) == [3]
    assert field.get_property("value") == "number 3"


def test_an_item_has_an_address_and_stays_among_those_that_were_chosen(page: Browser) -> None:
    choose(page, "reason", "missed (11)")
    chosen = units(page)
    link = page.find(f"{ITEMS} .folds .item:not(.hide) .about a")
    page.script("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()
    target = link.get_dom_attribute("href")
    assert followed(page, lambda page: page.script("return '#' + document.querySelector(':target')?.id"), target) == target
    assert units(page) == chosen
    page.driver.refresh()
    assert page.script("return document.querySelector(':target').checkVisibility()")
    assert page.texts(STATUS) == ["31 of 31 items"]


def test_folds_open_for_what_is_chosen_and_the_others_go(page: Browser) -> None:
    folds = f"{ITEMS} .folds details"
    assert len(page.texts(f"{folds} summary")) == 6
    summary = page.find(f"{folds} summary")
    page.tab_to(summary)
    page.press(Keys.ENTER)
    page.find(f"{folds}:first-child[open]")
    page.press(Keys.SPACE)
    page.find(f"{folds}:first-child:not([open])")
    choose(page, "reason", "spurious (10)")
    assert sorted(page.texts(f"{folds} summary")) == ["G → S0 · spurious (5)", "G → S1 · spurious (5)"]
    assert len(page.texts(f"{folds}[open] summary")) == 2


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("%", 31),
        ("dev/ours.items?m=%zz", 1),
        ("dev/ours.items?d=no-such-document", 0),
        ("dev/ours.items?unknown=1&__proto__=2", 31),
        ("dev/ours.items?", 31),
        ("nowhere?r=missed", 31),
    ],
)
def test_an_address_that_nobody_wrote_does_no_harm(page: Browser, text: str, items: int) -> None:
    address = page.script("return location.href.split('#')[0]")
    page.visit(f"{address}#{text}")
    assert page.logged() == []
    assert page.texts(STATUS) == [f"{items} of 31 items"]


def test_what_has_no_value_is_sorted_last_both_ways(browser: Browser) -> None:
    told = report()["suites"][0]
    listed = [
        {"name": f"d{place}", "explanations": 1, "values": {"f1": value}} for place, value in enumerate((0.5, None, 0.25, 0.75))
    ]
    browser.open(
        render("html", document({**told, "cases": {"total": 4, "failed": 0, "by": "f1", "documents": listed}}, passed=False))
    )
    for names in (["d2", "d0", "d3", "d1"], ["d3", "d0", "d2", "d1"]):
        head(browser, DOCUMENTS, "f1").click()
        assert column(browser, DOCUMENTS, 1) == names


def test_bars_sort(page: Browser) -> None:
    bars = '[id="dev.systems"] .listing[data-noun=row]'
    for names in (["x", "y"], ["y", "x"], ["x", "y"]):
        button = page.find(f"{bars} thead th:nth-child(2) button")
        page.script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        assert column(page, bars, 1) == names


def test_a_wide_table_is_moved_by_keys(browser: Browser) -> None:
    counts = {(f"label{place}", f"label{place}"): 10_000 for place in range(20)}
    matrix = Matrix.of("labels", "Labels", "It shows.", "gold", "ours", counts).to_json()
    browser.width(NARROW)
    browser.open(render("html", document(suite(graphs=[matrix]))))
    scroll = browser.find(".pair .scroll")
    browser.script("arguments[0].focus()", scroll)
    browser.press(Keys.ARROW_RIGHT)
    assert followed(browser, lambda page: page.script("return arguments[0].scrollLeft", scroll) > 0, True) is True


def test_numbers_of_a_picture_unfold(page: Browser) -> None:
    numbers = '[id="dev.systems"] figure:first-child details'
    assert page.texts(f"{numbers} td") == []
    click(page, f"{numbers} summary")
    page.find(f"{numbers}[open]")
    assert page.texts(f"{numbers} tbody tr:last-child > *") == ["old", "dots", "0.250", "0.500"]


def test_the_baselines_points_stand_beside_todays(browser: Browser) -> None:
    sides = ("precision", "recall")
    scores = {f"micro.{side}": {"value": 0.5, "baseline": 0.75, "drop": 0.25} for side in sides}
    still = {f"micro.{side}": {"value": 0.25, "baseline": 0.25, "drop": 0.0} for side in sides}
    told = [suite(name=f"dev/{name}", system=name, scores=facts) for name, facts in (("ours", scores), ("still", still))]
    browser.open(render("html", document(*told)))
    marks = '[id="dev.systems"] svg.graph .dot'
    places = browser.script(
        "return [...document.querySelectorAll(arguments[0])].map((mark) => {"
        "const box = mark.getBoundingClientRect(); return [mark.classList.contains('past'), box.x + box.width / 2]; })",
        marks,
    )
    assert sorted(is_past for is_past, _ in places) == [False, False, True]
    (then,) = (x for is_past, x in places if is_past)
    assert all(x < then for is_past, x in places if not is_past)
    assert any("from the baseline to today" in text for text in browser.texts('[id="dev.systems"] .legend li'))
    click(browser, '[id="dev.systems"] figure details summary')
    assert "micro, baseline" in browser.texts('[id="dev.systems"] figure td')
