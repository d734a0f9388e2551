"""Ranks in blocks of rows in any order give the values of `evaluate_frame`."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.evaluation.partial.ranked import evaluate_blocks
from rankgain.evaluation.partial.ranks import Columns

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

MEASURES = ["nDCG@10", "AP", "RR", "AUC", "P(divisor=min)@7", "MR", "HitRate(per=item)@3"]
NAMES = Columns.choose("query", "label", None, "rank")


def draw(seed: int) -> Any:
    """Lists with gaps, ties, ranks from 0, means of ties, and lists without a relevant document."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 60))
    ranks = rng.integers(rng.integers(0, 2), rng.integers(3, 30), rows).astype(float)
    if seed % 3 == 0:
        ranks[rng.random(rows) < 0.2] += 0.5
    query = rng.integers(0, 6, rows)
    label = rng.choice([0, 0, 1, 2], rows) * (query > 0)
    return pandas.DataFrame({"query": query, "rank": ranks, "label": label})


def evaluate_in_blocks(frame: Any, blocks: int, measures: Any, **options: Any) -> rg.Evaluation:
    parts = [NAMES.rows(frame.iloc[block::blocks]) for block in range(blocks)]
    return evaluate_blocks(parts, NAMES, measures, **options)


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize("ties", ["average", "best", "worst"])
@pytest.mark.parametrize("text", [False, True])
def test_blocks_have_the_values_of_the_whole_table(ties: Any, text: bool) -> None:
    for seed in range(40):
        frame = draw(seed)
        if text:
            frame["query"] = "q" + frame["query"].astype(str)
        columns: Any = {"query": "query", "label": "label", "rank": "rank"}
        expected = rg.evaluate_frame(frame, MEASURES, ties=ties, **columns)
        result = evaluate_in_blocks(frame, 1 + seed % 4, MEASURES, ties=ties)
        assert dict(result.means) == dict(expected.means)
        values, wanted = result.to_pandas(), expected.to_pandas().sort_index()
        assert values.index.tolist() == wanted.index.tolist()
        assert values.to_numpy().tobytes() == wanted.to_numpy().tobytes()


def test_a_document_stands_at_its_rank_whatever_the_block() -> None:
    frame = pandas.DataFrame({"query": [1, 2, 2, 2], "rank": [3, 5, 5, 6], "label": [1, 0, 0, 1]})
    result = evaluate_in_blocks(frame, 2, "RR")
    assert result.to_dict() == {1: {"RR": 1 / 3}, 2: {"RR": 1 / 7}}


def test_the_whole_table_says_where_ranks_start() -> None:
    frame = pandas.DataFrame({"query": [1, 2], "rank": [0, 1], "label": [0, 1]})
    assert evaluate_in_blocks(frame, 2, "RR").to_dict()[2] == {"RR": 1 / 2}


def test_tie_rules_by_position_need_ranks_without_ties() -> None:
    frame = pandas.DataFrame({"query": [1, 1], "rank": [2, 2], "label": [0, 1]})
    with pytest.raises(ValueError, match="another ties="):
        evaluate_in_blocks(frame, 2, "RR", ties="stable")
    frame["rank"] = [2, 4]
    assert evaluate_in_blocks(frame, 2, "RR", ties="stable")["RR"] == 1 / 4


def test_measures_of_whole_lists_warn_of_gaps() -> None:
    frame = pandas.DataFrame({"query": [1, 1], "rank": [1, 4], "label": [0, 1]})
    with pytest.warns(rg.RankgainWarning, match="has 2 rows and the last rank 4"):
        assert evaluate_in_blocks(frame, 2, "AUC")["AUC"] == 0.0


def test_no_rows_are_no_lists() -> None:
    frame = pandas.DataFrame({"query": [], "rank": [], "label": []})
    assert len(evaluate_in_blocks(frame, 2, "RR")) == 0


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("rank", -1.0, "a row of query 7: rank is -1, which is negative"),
        ("rank", 1.25, "a row of query 7: rank is 1.25, which is not a rank"),
        ("rank", np.nan, "column 'rank' is null or NaN in a row of query 7"),
        ("label", np.inf, "column 'label' is inf in a row of query 7; labels must be finite"),
    ],
)
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
