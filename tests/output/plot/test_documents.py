"""The page on pictures says what happens, and its picture is the one that is drawn."""

import doctest
import runpy
from pathlib import Path

import pytest

from places import ROOT

matplotlib = pytest.importorskip("matplotlib")


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(
        text.replace("\n```", "\n\n```"), {}, "page", None, None
    )
    assert doctest.DocTestRunner().run(examples).failed == 0
    assert (tmp_path / "page.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_picture_can_be_drawn_again(tmp_path: Path) -> None:
    draw = runpy.run_path(str(ROOT / "docs" / "make_pictures.py"))["draw"]
    draw(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").stat().st_size < 200_000
