"""Values at the margins of the engine: one list more, one row more, one measure beside another."""

import warnings

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine import counted

MIXED = rg.conventions["rankgain"].replace(
    score_dtype={"reciprocal_rank": "float64", "*": "float32"}
)
NEAR = 1.0 + 2.0**-40  # as float32 it is 1


def test_ties_are_counted_in_float32_if_some_measure_compares_so():
    def counts(measures):
        result = rg.evaluate_arrays(
            [1, 0, 1], [NEAR, 1.0, 0.5], measures, convention=MIXED, bounds="ties"
        )
        return result.counts["tied_documents"], result.counts["tie_blocks"]

    assert counts(["RR"]) == (0, 0)
    assert counts(["AP"]) == counts(["AP", "RR"]) == counts(["RR", "AP"]) == (2, 1)


@pytest.mark.parametrize("measures", [["RR"], ["AP"], ["AP", "RR"], ["RR", "AP"]])
def test_bounds_of_unjudged_documents_rank_as_their_measure(measures):
    sparse = pytest.importorskip("scipy.sparse")
    labels = sparse.csr_matrix(([1], ([0], [2])), shape=(1, 3))
    result = rg.evaluate_arrays(
        labels, [[1.0, NEAR, 1.0]], measures, convention=MIXED, bounds="unjudged"
    )
    # Not relevant: second or third in double precision, one of three places in single precision.
    lowest = {"RR": (1 / 2 + 1 / 3) / 2, "AP": (1 + 1 / 2 + 1 / 3) / 3}
    for name in measures:
        assert result.bounds["unjudged"][name][0] == pytest.approx([lowest[name], 1.0], abs=1e-15)


@pytest.mark.parametrize("ks", [[None, 5], [5, None], [1, None, 5], [5, 7], [None]])
def test_cutoffs_beside_none_have_their_own_settings(ks):
    rules = rg.conventions["rankgain"].replace(
        empty={"recall@k": 0.25, "recall": 0.75, "*": 0.0},
    )
    expected = [0.75 if k is None else 0.25 for k in ks]
    assert rg.recall([0, 0], [0.5, 0.2], k=ks, convention=rules).tolist() == expected


def test_every_row_of_a_stretch_is_counted():
    """The last row of a stretch and the first one rank above the hit."""
    stretch = counted.ROWS_BETWEEN_LOOKS
    scores = np.zeros(2 * stretch + 1, np.float32)
    above = [0, stretch - 1, stretch, 2 * stretch - 1, 2 * stretch]
    scores[above] = 2.0
    scores[3] = 1.0
    ranks = rg.PartialRanks(np.array([3]), np.array([1.0], np.float32), np.array([1]))
    ranks.add(np.full(len(scores), 3), scores)
    result = ranks.finish(["RR", "AUC"])
    assert result["RR"] == 1 / (len(above) + 1)
    assert result["AUC"] == pytest.approx(1 - len(above) / (len(scores) - 1))


@pytest.mark.filterwarnings("ignore:.*pass ignore=:rankgain.RankgainWarning")
@pytest.mark.parametrize(
    "measures", [["nDCG", "DCG"], ["DCG", "nDCG"], ["AP", "RR", "nDCG"], ["AP", "ERR", "P@1"]]
)
def test_a_negative_label_is_refused_if_any_measure_refuses_it(measures):
    with pytest.raises(ValueError, match="negative label -1"):
        rg.evaluate_arrays([[-1, 1]], [[0.5, 0.2]], measures)
    fine = [name for name in measures if name not in ("nDCG", "ERR")]
    rg.evaluate_arrays([[-1, 1]], [[0.5, 0.2]], fine)


def test_the_largest_label_is_that_of_all_lists():
    run = {"q": {"a": 1.0}, "p": {"b": 1.0}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rg.evaluate({"q": {"a": 1}, "p": {"b": 3}}, run, ["RR(rel=1)", "RR(rel=3)"])
    with pytest.warns(rg.RankgainWarning, match=r"reaches rel=3, so .* to RR; .* is 2"):
        rg.evaluate({"q": {"a": 1}, "p": {"b": 2}}, run, ["RR(rel=1)", "RR(rel=3)"])
