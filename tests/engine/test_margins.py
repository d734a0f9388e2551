"""Values at the margins of the engine: one list more, one row more, one measure beside another."""

import pytest

import rankgain as rg

MIXED = rg.conventions["rankgain"].replace(
    score_dtype={"reciprocal_rank": "float64", "*": "float32"}
)
NEAR = 1.0 + 2.0**-40  # as float32 it is 1


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
