"""What the site does to pages beyond Sphinx."""

import importlib.util

import pytest

import rankgain as rg
from places import DOCS


def test_names_of_measures_are_no_addresses_of_mail() -> None:
    core = pytest.importorskip("docutils.core")
    spec = importlib.util.spec_from_file_location("site_pages", DOCS / "site_pages.py")
    assert spec is not None
    assert spec.loader is not None
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    tree = core.publish_doctree('Such as "nDCG@10" or "AP"; `the site <https://example.org>`_.')
    assert "mailto:nDCG@10" in str(tree)
    pages.unlink_addresses(None, tree)
    assert "mailto:" not in str(tree)
    assert 'refuri="https://example.org"' in str(tree)
    assert 'Such as "nDCG@10" or "AP"' in tree.astext()


@pytest.mark.parametrize(
    ("word", "name"), [("MRR", "reciprocal_rank"), ("MAP", "average_precision")]
)
def test_searching_the_mean_leads_to_its_function_and_its_definition(word: str, name: str) -> None:
    assert f"{word}" in (getattr(rg, name).__doc__ or "").split("Parameters")[0]
    page = (DOCS / "reference" / "definitions.md").read_text(encoding="utf-8")
    assert f"({word}) |" in page
