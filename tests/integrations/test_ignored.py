"""Options of adapters that name padding: documents with these labels are left out."""

import numpy as np
import pytest

LABELS = np.array([1, -1, 0, 0, 1, -1.0])
SCORES = np.array([0.2, 0.9, 0.1, 0.5, 0.6, 0.7])
SIZES = np.array([3, 3])  # without the padding the relevant documents stand at ranks 1 and 1


def test_xgboost():
    xgboost = pytest.importorskip("xgboost")
    from rankgain.integrations.xgboost import xgboost_metric

    data = xgboost.DMatrix(SCORES[:, None], label=LABELS, group=SIZES)
    assert xgboost_metric("RR", ignore=-1)(SCORES, data)[1] == 1.0
