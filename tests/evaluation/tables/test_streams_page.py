"""The code of docs/streams.md runs as it is printed."""

import doctest
import re

import pytest

from places import DOCS

pytest.importorskip("pyarrow")
PAGE = (DOCS / "streams.md").read_text(encoding="utf-8")


def test_the_code_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == PAGE.count("```python") > 4
    example = doctest.DocTestParser().get_doctest("".join(blocks), {}, "streams.md", None, 0)
    assert doctest.DocTestRunner().run(example).failed == 0
