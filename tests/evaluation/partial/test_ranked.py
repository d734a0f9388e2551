"""Ranks in blocks of rows in any order give the values of `evaluate_frame`."""

from typing import Any

import pytest

import rankgain as rg
from rankgain.evaluation.partial.ranked import evaluate_blocks
from rankgain.evaluation.partial.ranks import Columns

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

NAMES = Columns.choose("query", "label", None, "rank")


def evaluate_in_blocks(frame: Any, blocks: int, measures: Any, **options: Any) -> rg.Evaluation:
    parts = [NAMES.rows(frame.iloc[block::blocks]) for block in range(blocks)]
    return evaluate_blocks(parts, NAMES, measures, **options)


def test_the_whole_table_says_where_ranks_start() -> None:
    frame = pandas.DataFrame({"query": [1, 2], "rank": [0, 1], "label": [0, 1]})
    assert evaluate_in_blocks(frame, 2, "RR").to_dict()[2] == {"RR": 1 / 2}


def test_no_rows_are_no_lists() -> None:
    frame = pandas.DataFrame({"query": [], "rank": [], "label": []})
    assert len(evaluate_in_blocks(frame, 2, "RR")) == 0
