"""A NaN among the scores or labels is found by every function, wherever it stands."""

import numpy as np
import pytest

import rankgain as rg
from refusals import put

FAMILIES = ["cg", "dcg", "ndcg", "average_precision", "reciprocal_rank", "hit_rate", "precision",
            "recall", "f1", "r_precision", "rbp", "err", "auc"]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ties", ["average", "stable", "best", "random"])
def test_a_nan_is_found_wherever_it_stands(family, dtype, ties):
    """Also where no ranker would look: far below the top k, among irrelevant documents."""
    labels = np.zeros((2, 700))
    labels[:, 5] = 1
    scores = -np.arange(1400, dtype=dtype).reshape(2, 700)
    function = getattr(rg, family)
    options = {} if family in ("auc", "r_precision") else {"k": 2}
    for position in (0, 5, 6, 63, 64, 699):
        wrong = put(scores, np.nan, 1, position, dtype=dtype)
        with pytest.raises(ValueError, match=rf"y_score.*list 1\b.*document {position}\b"):
            function(labels, wrong, ties=ties, **options)
        wrong = put(labels, np.nan, 1, position)
        with pytest.raises(ValueError, match=rf"y_true.*list 1\b.*document {position}\b"):
            function(wrong, scores, ties=ties, **options)
