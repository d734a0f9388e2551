"""The worked examples of docs/reference/definitions.md."""

import doctest
import re
from math import log2
from typing import Any

import pytest

import rankgain as rg
import reference
from places import DOCS

PAGE = DOCS / "reference" / "definitions.md"


def tables() -> list[tuple[list[str], list[list[str]]]]:
    """Head and rows of every worked table of the page."""
    result = re.findall(r"^\| rank \| label .*\n(?:\|.*\n)+", PAGE.read_text("utf-8"), re.M)
    cells = [[line.strip("| ").split(" | ") for line in table.splitlines()] for table in result]
    return [(table[0], table[2:]) for table in cells]


def test_every_step_of_the_tables() -> None:
    assert len(tables()) == 6
    for head, rows in tables():
        gain = "exp2" if "gain" in head else "linear"
        sums = {"": 0.0, "ideal ": 0.0}
        for at, row in enumerate(rows, 1):
            cell = dict(zip(head, row, strict=True))
            weight = 1 / log2(at + 1)
            assert cell["rank"] == str(at)
            assert cell["weight"] == f"{weight:.4f}"
            for side, name in (("", "DCG"), ("ideal ", "IDCG")):
                worth = reference.gain_of(int(cell[f"{side}label"]), gain)
                assert cell.get(f"{side}gain", str(worth)) == str(worth)
                sums[side] += worth * weight
                assert cell[f"{side}term"] == f"{worth * weight:.4f}"
                assert cell[name] == f"{sums[side]:.4f}"


@pytest.mark.parametrize(("measure", "labels", "options", "value"), [
    ("average_precision", [1, 1, 0, 1, 0, 1], {}, 0.8542),
    ("average_precision", [1, 0, 1, 1], {}, 0.8056),
    ("dcg", [3, 2, 3, 0, 1], {"k": 3}, 5.7619),
    ("ndcg", [3, 2, 3, 0, 1], {"k": 3}, 0.9778),
    ("ndcg", [3, 2, 0, 1, 3], {"gain": "exp2"}, 0.9014),
    ("idcg", [3, 2, 3, 0, 1, 2], {"k": 6, "judged": [3, 2, 3, 0, 1, 2, 3, 2]}, 8.7403),
])  # fmt: skip
def test_values_in_the_text(measure: str, labels: list[int], options: Any, value: float) -> None:
    assert f"{value:.4f}" in PAGE.read_text("utf-8")
    assert round(getattr(rg, measure)(labels, **options), 4) == value


def test_the_page_runs() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8") == (0, 17)
