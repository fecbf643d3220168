"""The pages of `nlpeval history` and `nlpeval compare` in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from pytest_nlpeval import cli
from tests.browser.browser import AXE, NARROW, WIDE, Browser
from tests.test_docs import of_commits, of_systems
from tests.unit.baselines.repositories import start

MAKE = {"history": (of_commits, ()), "compare": (of_systems, ("dev",))}


@pytest.fixture(scope="module", params=MAKE)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page that a command makes of a repository whose outputs are known."""
    folder = start(tmp_path_factory.mktemp("repository"))
    make, arguments = MAKE[request.param]
    make(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        found = ("--report", "html:page.html", "--no-cache", "--resamples", "100")
        assert cli.main([request.param, *arguments, *found]) == 0
    return Path(folder, "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_logs_nothing_asks_for_nothing_and_is_accessible(browser: Browser, page: str, scheme: str) -> None:
    browser.look("dark" if scheme == "dark" else "light")
    browser.open(page)
    assert browser.logged() == []
    assert [url.rsplit("/", 1)[-1] for url in browser.requests()] == ["page.html"]
    browser.width(NARROW)
    assert browser.script("return document.documentElement.scrollWidth") <= NARROW
    if not AXE.exists():
        pytest.skip(f"needs axe-core in {AXE} (`make axe`)")
    assert browser.findings() == []


def test_its_tables_sort(browser: Browser, page: str) -> None:
    browser.open(page)
    browser.find("#overview thead button").click()
    assert browser.all("#overview th[aria-sort=ascending]")


def test_its_links_and_folds_lead_somewhere(browser: Browser, page: str) -> None:
    browser.open(page)
    nowhere = "return [...document.querySelectorAll('a')].filter((link) => !document.getElementById(link.hash.slice(1))).length"
    assert browser.script(nowhere) == 0
    folds = browser.all("details:not([open])")
    links = browser.all("#overview a")
    assert folds or links
    for fold in folds:
        browser.script("arguments[0].scrollIntoView({block: 'center'})", fold)
        fold.find_element(By.TAG_NAME, "summary").click()
        assert fold.get_property("open")
    for link in links[-1:]:
        browser.script("arguments[0].scrollIntoView({block: 'center'})", link)
        target = link.get_dom_attribute("href")
        link.click()
        browser.find(f"{target}:target")


def test_without_script_everything_is_there(without_scripts: Browser, page: str) -> None:
    without_scripts.open(page)
    assert without_scripts.logged() == []
    assert not without_scripts.all(".controls")
    assert without_scripts.all("#overview tbody tr")


def test_the_name_of_an_upright_axis_stands_clear_of_its_numbers(browser: Browser, page: str) -> None:
    """In a narrow window too, where the letters of a graph are largest, and beside numbers of three decimals."""
    for width in (NARROW, WIDE):
        browser.width(width)
        browser.open(page)
        graphs = browser.script(
            """
            return [...document.querySelectorAll("svg.graph")].map((graph) => {
              const box = (text) => text.getBoundingClientRect();
              const name = box(graph.querySelector("text[transform]"));
              const texts = [...graph.querySelectorAll("text[text-anchor=end]:not(.beside)")];
              texts.forEach((text) => { text.textContent = "0.875"; });
              const numbers = texts.map(box);
              return [name.left - box(graph).left, Math.min(...numbers.map((number) => number.left)) - name.right];
            });
            """
        )
        assert all(inside > -2 and between >= 0 for inside, between in graphs), (width, graphs)
        assert graphs or '<svg class="graph"' not in page
