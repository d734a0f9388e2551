"""The pages on tables that no machine holds run as they are printed."""

import doctest
import importlib.util
import re

import pytest

from places import ROOT

PAGES = {"scale": [], "on_duckdb": ["duckdb", "pyarrow"], "on_dask": ["dask.dataframe"]}
PAGES |= {"on_ray": ["ray.data", "pyarrow"], "on_spark": ["pyspark"]}
SLOW = ("on_ray", "on_spark")


def missing(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is None
    except ImportError:
        return True


def pages(slow: bool) -> list[str]:
    return [page for page in PAGES if (page in SLOW) is slow]


def run(page: str) -> None:
    for name in PAGES[page]:
        if missing(name):
            pytest.skip(f"{name} is not installed")
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, None, 0)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert (found.failed, found.attempted > 3) == (0, True)


@pytest.mark.filterwarnings("ignore")  # those of other libraries
@pytest.mark.parametrize("page", pages(slow=False))
def test_page(page: str) -> None:
    run(page)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", pages(slow=True))
def test_page_that_starts_a_cluster(page: str) -> None:
    run(page)
