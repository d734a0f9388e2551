"""Pages in a browser: they sort and filter by clicks and keys, and are whole without scripts."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from report_pages import sources
from sampling import sampled

pytest.importorskip("jinja2")
playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
NAMES = ["good", "fair", "bad"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        result = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield result
        result.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    qrels, runs = sources(NAMES, lists=30, query="query-{}")
    result = rg.compare(rg.evaluate_runs(qrels, runs, ["nDCG@10", "AP"]))
    path = tmp_path_factory.mktemp("pages") / "page.html"
    result.report(path, qrels=qrels, runs=runs)
    return path


def opened(browser: Any, path: Path, **options: Any) -> tuple[Any, list[str]]:
    """The page, and what the browser complains about."""
    shown = browser.new_context(**options).new_page()
    wrong: list[str] = []
    shown.on("console", lambda message: wrong.append(message.text))
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.on("request", lambda one: wrong.append(one.url) if "file:" not in one.url else None)
    shown.goto(path.as_uri())
    return shown, wrong


def test_a_click_sorts_and_another_turns_round(browser: Any, path: Path) -> None:
    shown, wrong = opened(browser, path)
    box = shown.locator("details[open] .values").first
    head = box.locator("thead th").nth(1)
    for order in ("descending", "ascending"):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        cells = box.locator("> table > tbody > tr").evaluate_all(
            "rows => rows.map(row => row.cells[1].innerText)"
        )
        numbers = [float(cell) for cell in cells]
        assert len(numbers) == 30
        assert numbers == sorted(numbers, reverse=order == "descending")
    assert box.locator("th[aria-sort=none]").count() == 4
    assert not wrong


@pytest.mark.slow
def test_keys_sort_too_and_ids_sort_as_people_count(browser: Any, path: Path) -> None:
    shown, wrong = opened(browser, path)
    button = shown.locator("details[open] .values thead th button").first
    button.focus()
    shown.keyboard.press("Enter")
    box = shown.locator("details[open] .values").first
    names = box.locator("tbody > tr > th summary").all_inner_texts()
    assert names == [f"query-{at}" for at in range(30)]
    assert not wrong


@pytest.mark.slow
def test_small_p_values_sort_below_others(browser: Any, path: Path) -> None:
    shown, _ = opened(browser, path)
    box = shown.locator(".filtered:not(.values)")
    box.locator("thead button").nth(8).click()
    box.locator("thead button").nth(8).click()
    cells = box.locator("tbody > tr").evaluate_all(
        "rows => rows.map(row => row.cells[8].innerText)"
    )
    numbers = [float(cell.replace("<", "")) for cell in cells]
    assert numbers == sorted(numbers)


@pytest.mark.slow
def test_a_filter_leaves_what_contains_all_words(browser: Any, path: Path) -> None:
    shown, wrong = opened(browser, path)
    form = shown.locator(".filter").last
    form.locator("input").fill("AP bad")
    rows = shown.locator(".filtered:not(.values) tbody > tr:visible")
    assert rows.count() == 2
    assert form.locator("[role=status]").inner_text() == "2 of 6 rows"
    form.locator("input").fill("")
    assert rows.count() == 6
    assert not wrong


def test_a_filter_looks_at_names_and_not_at_values(browser: Any, path: Path) -> None:
    shown, _ = opened(browser, path)
    box = shown.locator("details[open] .values").first
    shown.locator(".filter").first.locator("input").fill("1")
    left = box.locator("tbody > tr:visible > th summary").all_inner_texts()
    assert sorted(left) == sorted(f"query-{at}" for at in range(30) if "1" in str(at))
    comparisons = shown.locator(".filter").last
    comparisons.locator("input").fill("0.")
    assert comparisons.locator("[role=status]").inner_text() == "0 of 6 rows"


def test_a_table_that_is_cut_says_so(browser: Any, path: Path) -> None:
    shown, wrong = opened(browser, path, viewport={"width": 390, "height": 800})
    hint = "xpath=preceding-sibling::p[contains(@class, 'more')]"
    box = shown.locator(".filtered:not(.values)")
    assert box.locator(hint).last.is_visible()
    box.evaluate("box => { box.scrollLeft = box.scrollWidth }")
    shown.wait_for_timeout(200)
    assert not box.locator(hint).last.is_visible()
    assert not shown.locator(".means").locator(hint).last.is_visible()
    assert not wrong


@pytest.mark.parametrize("scripts", sampled([True, False], one_in=2))
def test_a_click_explains_a_list(browser: Any, path: Path, scripts: bool) -> None:
    shown, _ = opened(browser, path, java_script_enabled=scripts)
    first = shown.locator("tbody th details").first
    table = first.locator("table").first
    assert not table.is_visible()
    before = shown.locator(".values").first.bounding_box()["width"]
    first.locator("summary").click()
    assert table.is_visible()
    assert shown.locator(".values").first.bounding_box()["width"] == before
    assert table.locator("tbody tr").count() == 10


@pytest.mark.slow
def test_without_scripts_all_tables_are_there(browser: Any, path: Path) -> None:
    shown, _ = opened(browser, path, java_script_enabled=False)
    assert shown.locator(".values").first.locator("tbody > tr:visible").count() == 30
    assert shown.locator("button, input").count() == 0


@pytest.mark.parametrize(("width", "scheme"), sampled([375, 1280], ["light", "dark"]))
def test_every_text_is_readable_and_nothing_is_cut(
    browser: Any, path: Path, scheme: str, width: int
) -> None:
    size = {"width": width, "height": 800}
    shown, wrong = opened(browser, path, color_scheme=scheme, viewport=size)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    faint = shown.evaluate(CONTRAST)
    assert faint == []
    assert not wrong


@pytest.mark.slow
def test_cells_are_compared_as_numbers_where_they_are(browser: Any, path: Path) -> None:
    shown, _ = opened(browser, path)
    cells = ["10", "word", "+0.2000 ▲", "9", "–", "-0.5000", "<0.0001", "-0.0300 ▼"]
    result = shown.evaluate("cells => cells.sort(compare)", cells)
    numbers = ["-0.5000", "-0.0300 ▼", "<0.0001", "+0.2000 ▲", "9", "10"]
    assert result[:6] == numbers
    assert set(result[6:]) == {"–", "word"}


# Texts whose contrast with the ground of the page is under 4.5 (WCAG 2.2, 1.4.3).
CONTRAST = """() => {
  const light = (text) => {
    const parts = text.match(/[0-9.]+/g).slice(0, 3).map((one) => one / 255);
    const linear = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const ground = light(getComputedStyle(document.documentElement).backgroundColor);
  const wrong = new Set();
  for (const one of document.querySelectorAll("p, td, th, small, b, abbr, dt, dd, summary, text")) {
    const style = getComputedStyle(one);
    const ink = light(one.tagName === "text" ? style.fill : style.color);
    const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (ratio < 4.5) wrong.add(one.tagName + " " + style.color);
  }
  return [...wrong];
}"""
