"""Ranks in blocks of rows in any order give the values of `evaluate_frame`."""

from typing import Any

import numpy as np
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


def test_measures_of_whole_lists_warn_of_gaps() -> None:
    frame = pandas.DataFrame({"query": [1, 1], "rank": [1, 4], "label": [0, 1]})
    with pytest.warns(rg.RankgainWarning, match="has 2 rows and the last rank 4"):
        assert evaluate_in_blocks(frame, 2, "AUC")["AUC"] == 0.0


def test_no_rows_are_no_lists() -> None:
    frame = pandas.DataFrame({"query": [], "rank": [], "label": []})
    assert len(evaluate_in_blocks(frame, 2, "RR")) == 0


@pytest.mark.parametrize(("column", "value", "words"), [
    ("rank", -1.0, "a row of query 7: rank is -1, which is negative"),
    ("rank", 1.25, "a row of query 7: rank is 1.25, which is not a rank"),
    ("rank", np.nan, "column 'rank' is null or NaN in a row of query 7"),
    ("label", np.inf, "column 'label' is inf in a row of query 7; labels must be finite"),
])  # fmt: skip
def test_bad_numbers_name_the_query(column: str, value: float, words: str) -> None:
    frame = pandas.DataFrame({"query": [1, 7], "rank": [1.0, 1.0], "label": [1.0, 1.0]})
    frame.loc[1, column] = value
    with pytest.raises(ValueError, match=words):
        evaluate_in_blocks(frame, 2, "RR")


def test_score_or_rank_is_asked_for() -> None:
    with pytest.raises(TypeError, match=r"missing score: score=..., or rank=... for ranks"):
        Columns.choose("query", "label", None, None)
    with pytest.raises(ValueError, match="give one of them"):
        Columns.choose("query", "label", "score", "rank")
    with pytest.raises(ValueError, match=r"no column 'rank'"):
        NAMES.check(["query", "label", "score"], "the data frame")
