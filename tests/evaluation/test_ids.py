"""Ids of any kind: what sets and loops of Python find, and what integers by place find."""

import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pytestmark = pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")


def test_labels_of_dicts_are_gains() -> None:
    result = rg.evaluate_ids([["a", "b", "c"]], [{"b": 2, "c": 0, "z": 1}], ["DCG", "R", "nDCG"])
    assert result.means["DCG"] == 2 / np.log2(3)
    assert result.means["R"] == 0.5
    plain = rg.evaluate_ids([[0, 1, 2]], [[1, 2, 25]], "nDCG", gains=[[2, 0, 1]])
    assert result.means["nDCG"] == plain.means["nDCG"]
    beside = rg.evaluate_ids([["a", "b", "c"]], [["b", "c", "z"]], "nDCG", gains=[[2, 0, 1]])
    assert beside.means == plain.means


TOPK = np.array([[4, 2, 7], [1, 3, -1]])
RELEVANT = [[2, 9], [5]]


def topk(*given: Any, **options: Any) -> list[dict[str, float]]:
    result = rg.evaluate_ids(*given, ["HitRate@3", "R@3", "nDCG@3", "AP"], **options)
    return list(result.to_dict().values())


def test_recommendations_in_every_form() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    csr = sparse.csr_matrix((np.ones(3), ([0, 0, 1], [2, 9, 5])), (2, 10))
    expected = topk(TOPK, RELEVANT)
    rows = [[4, 2, 7], [1, 3]]
    text = [[str(one) for one in row] for row in rows]
    long = pandas.DataFrame(
        {"user": [0, 1, 0, 1, 0], "item": [2, 1, 7, 3, 4], "rank": [2, 1, 3, 2, 1]}
    )
    scored = long.assign(score=-long["rank"]).drop(columns="rank").sample(frac=1, random_state=1)
    pairs = pandas.DataFrame({"user": [0, 0, 1], "item": [2, 9, 5]})
    forms = {
        "CSR": (TOPK, csr),
        "ragged lists": (rows, RELEVANT),
        "sets": (rows, [{2, 9}, {5}]),
        "dicts": (TOPK, [{2: 1, 9: 1.0}, {5: 1}]),
        "text": (text, [["2", "9"], {"5"}]),
        "array of text": (np.array([["4", "2", "7"], ["1", "3", "x"]]), [["2", "9"], ["5"]]),
        "by user": ({"u": rows[0], "v": rows[1]}, {"u": {2, 9}, "v": {5: 1}}),
        "Truth of CSR": (TOPK, rg.Truth(csr)),
        "Truth of labels": (TOPK, rg.Truth(csr.toarray())),
        "pandas": (pandas.Series(rows), pandas.Series(RELEVANT)),
        "polars": (polars.Series(rows), polars.Series(RELEVANT)),
        "indexed": (pandas.Series(rows, index=["u", "v"]), {"u": [9, 2], "v": [5]}),
        "wide frame": (pandas.DataFrame(TOPK), RELEVANT),
        "long frame": (long, pairs),
        "long frame of scores": (polars.from_pandas(scored).lazy(), polars.from_pandas(pairs)),
    }
    for name, given in forms.items():
        assert topk(*given) == expected, name
    one = topk([4, 2, 7], [2, 9])
    assert one == topk(np.array([4, 2, 7]), {2, 9}) == topk(["4", "2", "7"], {"2", "9"})
    assert one == expected[:1]


def test_frames_of_ids_that_do_not_fit_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    long = pandas.DataFrame({"user": [1, 1], "item": ["a", "b"], "rank": [1, 1]})
    pairs = pandas.DataFrame({"user": [1, 1], "item": ["a", "a"], "label": [1, 2]})
    assert rg.evaluate_ids(long, pairs[:1], "RR")["RR"] == 3 / 4  # equal ranks tie


def test_one_dict_of_labels_is_one_list() -> None:
    result = rg.evaluate_ids(["a", "b"], {"b": 2, "c": 1}, ["DCG@2", "R@2"])
    assert result["DCG@2"] == 2 / math.log2(3)
    assert result["R@2"] == 0.5


def test_lists_of_lists_for_a_query_are_no_runs() -> None:
    several = [["a"], ["b"]]
    in_order = rg.evaluate_ids({"q1": several}, {"q1": ["a"]}, "R@2", calls="in_order")
    assert in_order["R@2"] == 1
    # A system of another name keeps its name in the error.


def test_rows_as_dicts_with_columns_of_any_names() -> None:
    pytest.importorskip("narwhals")
    pytest.importorskip("pandas")
    retrieved = [{"who": 1, "what": 7, "nth": 1}, {"who": 1, "what": 5, "nth": 2}]
    relevant = [{"who": 1, "what": 5}]
    names = {"query": "who", "doc": "what", "rank": "nth"}
    assert rg.evaluate_ids(retrieved, relevant, "RR", **names).means == {"RR": 0.5}


# ---- hits below every cutoff are not looked for, and no value may show that


USERS = 60


def lists() -> tuple[Any, list[list[int]]]:
    """Rows of ten, with hits above and below rank 3, and relevant ids that are not in the rows."""
    rng = np.random.default_rng(5)
    rows = np.array([rng.permutation(40)[:10] for _ in range(USERS)], np.int32)
    relevant = [rng.permutation(40)[: rng.integers(0, 14)].tolist() for _ in rows]
    rows[7, 4:] = -1
    return rows, relevant


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize("convention", list(rg.conventions))
@pytest.mark.parametrize("kind", ["ties", "unjudged"])
def test_bounds_are_those_of_all_ranks(kind: str, convention: str) -> None:
    """Of a measure alone, and beside one that looks at all ranks."""
    rows, relevant = lists()
    rows[:30, 4:] = -1
    options: Any = {"convention": convention, "bounds": kind}
    for name in ("nDCG@3", "AP@3", "R@3"):
        try:
            alone = rg.evaluate_ids(rows, relevant, [name], **options)
        except ValueError:  # not under this convention
            continue
        beside = rg.evaluate_ids(rows, relevant, [name, "NumRelRet"], **options)
        for key, mean in alone.means.items():
            np.testing.assert_equal(mean, beside.means[key])
            np.testing.assert_array_equal(alone.per_query[key], beside.per_query[key])
            np.testing.assert_array_equal(alone.bounds[kind][key], beside.bounds[kind][key])


def test_arrays_without_rows_are_no_lists() -> None:
    none = np.zeros((0, 3), np.int64)
    assert len(rg.evaluate_ids(none, none, "RR")) == 0
