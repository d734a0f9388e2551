"""Links, first sentences and names of the pages."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from places import DOCS, ROOT

PAGES = [path for path in sorted(DOCS.rglob("*.md")) if "made" not in path.parts]
OUTSIDE = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
NOTES = sorted((ROOT / "benchmarks").glob("*.md"))

CLUSTERS = {"dask", "ray"}  # of rankgain.integrations, with a name of their own


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    heads = re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text_of(page), flags=re.M | re.S), re.M
    )
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", [*PAGES, *OUTSIDE, *NOTES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"(?<=[^\"\]])\]\((?!https?:)([^)\s]+)\)", text_of(page)):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if "made" in target.parts:  # written when the site is built
            continue
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_a_page_begins_with_its_subject() -> None:
    for page in PAGES:
        title, opening, *_ = text_of(page).split("\n\n")
        assert title.startswith("# "), page
        assert re.match("[A-Z`0-9]", opening), page  # a sentence: no table, heading or code
        assert "After this page" not in text_of(page), page


def test_the_glossary_has_the_words_for_one_thing() -> None:
    glossary = text_of(DOCS / "concepts" / "glossary.md")
    for word in ("query", "list", "user", "group", "document", "item", "segment"):
        assert re.search(rf"\*\*{word}\*\*|\| {word} \||\b{word}\b,", glossary, re.I), word


def test_definitions_begin_with_an_index_of_measures() -> None:
    from rankgain.measures.families import ROWS

    index = text_of(DOCS / "reference" / "definitions.md").partition("\n## ")[0]
    assert [row.name for row in ROWS if not re.search(rf"\b{row.name}", index)] == []


def test_pages_do_not_say_how_the_package_is_developed() -> None:
    for page in PAGES:
        if page.parent.name != "development" and page.name != "trust.md":  # it says how to repeat
            assert not re.search(r"\btests/|\.ci/|src/rankgain", text_of(page)), page


def test_one_spelling() -> None:
    american = r"\b(?:\w+(?:iz(?:e|es|ed|ing|ation|ations)|yze[sd]?)|colors?|behaviors?|centers?)\b"
    allowed = {"size", "sizes", "sized", "resize", "prize", "seize", "sizing"}
    allowed |= {"normalize"}  # an argument of Elasticsearch
    for page in [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        prose = re.sub(
            r"^```.*?^```$|`[^`]*`|<.*?>|\]\([^)]*\)", "", text_of(page), flags=re.M | re.S
        )
        assert {one.lower() for one in re.findall(american, prose, re.I)} <= allowed, page


def made() -> Any:
    """The module that writes pages, which Sphinx loads."""
    spec = importlib.util.spec_from_file_location("site_pages", DOCS / "site_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_has_a_page(tmp_path: Path) -> None:
    pages, plot = made(), pytest.importorskip("rankgain.plot")
    pages.adapter_page = lambda module, nodes: [node.name for node in nodes]  # Sphinx may be absent
    pages.write_reference(tmp_path)
    written = {path.stem for path in (tmp_path / "api").glob("*.rst")}
    expected = {f"rankgain.{name}" for name in rg.__all__}
    expected |= {f"rankgain.plot.{name}" for name in plot.__all__}
    adapters = {path.stem for path in (ROOT / "src/rankgain/integrations").glob("*.py")}
    expected |= {
        f"rankgain.integrations.{name}" for name in adapters - {"__init__", "hosts", *CLUSTERS}
    }
    expected |= {f"rankgain.{name}" for name in {"spark", *CLUSTERS}}
    assert written == expected
    listed = text_of(tmp_path / "reference.md")
    assert "## Other names" not in listed  # each name has a group
    assert all(listed.count(f"(api/{name}.rst)") == 1 for name in written)


def test_the_table_of_measures_has_every_measure_and_convention() -> None:
    pages = made()
    pytest.importorskip("scipy")
    pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")
    from rankgain.measures.families import ROWS

    text = "\n".join(pages.measure_pages())
    for row in ROWS:
        assert text.count(f"\n| `{row.name}` |") == 2
    for convention in rg.conventions:
        assert f"\n| `{convention}` |" in text


def test_the_options_are_those_of_the_parser() -> None:
    text = "\n".join(made().option_pages())
    for command in ("evaluate", "table", "compare", "explain", "reconcile", "audit", "conventions"):
        section = text.split(f"## rankgain {command}\n")[1].split("\n## ")[0]
        done = [sys.executable, "-m", "rankgain", command, "--help"]
        shown = subprocess.run(done, capture_output=True, text=True, check=True)
        help_text = (shown.stdout + shown.stderr).split("exit status:")[0]
        options = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", help_text))
        assert options - {"-h", "--help"} <= set(re.findall(r"--?[a-z][a-z-]*", section))
