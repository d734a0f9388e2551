"""The picture of docs/guides/pictures.md is the one that is drawn."""

import runpy
from pathlib import Path

import pytest

from places import DOCS

pytest.importorskip("matplotlib")


@pytest.mark.slow
def test_the_picture_can_be_drawn_again(tmp_path: Path) -> None:
    draw = runpy.run_path(str(DOCS / "make_pictures.py"))["draw"]
    draw(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").stat().st_size < 200_000
