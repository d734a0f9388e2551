"""Labels that are marked as checked: what the core does if nobody prepared their judgments."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain import _core
from rankgain.convention import get_convention
from rankgain.engine.columns import MeasureColumns
from rankgain.evaluation.one_pass import resolve_measures
from rankgain.inputs.lists import Lists, make_layout
from rankgain.inputs.sparse import Sparse

LABELS = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
SCORES = np.array([[4.0, 3.0, 2.0, 1.0], [4.0, 3.0, 2.0, 1.0]])
# By hand: AP = (1/1 + 2/3) / 2 and 1/2; RPrec = 1/2 and 0; the ideal of nDCG is the relevant
# documents at the first ranks.
DISCOUNTS = 1 / np.log2([2, 3, 4])
VALUES = {
    "AP": [5 / 6, 1 / 2],
    "RPrec": [1 / 2, 0],
    "nDCG": [
        (DISCOUNTS[0] + DISCOUNTS[2]) / (DISCOUNTS[0] + DISCOUNTS[1]),
        DISCOUNTS[1] / DISCOUNTS[0],
    ],
}


def label_array(is_sparse: bool) -> Any:
    if not is_sparse:
        return _core.LabelArray(LABELS.reshape(-1), checked=True)
    columns = LABELS.nonzero()[1].copy()
    return _core.LabelArray(np.ones(3), columns, np.array([0, 2, 3]), True)


@pytest.mark.parametrize(("name", "is_sparse"), list(product(VALUES, (False, True))))
def test_the_core_makes_ideals_itself_without_prepared_judgments(
    name: str, is_sparse: bool
) -> None:
    layout = make_layout(SCORES.shape, None, None, None)
    labels: Any = Sparse(*(np.ones(3), LABELS.nonzero()[1].copy(), np.array([0, 2, 3])), 4)
    lists = Lists(layout, labels if is_sparse else LABELS, SCORES)
    measures = resolve_measures([name], {}, get_convention("rankgain")).measures
    (plan, _, _), *_ = MeasureColumns(measures, lists).plans
    for _ in range(20):  # memory of an earlier call is seldom zero
        rg.evaluate_arrays(np.eye(9) * 5, np.ones((9, 9)), [*VALUES, "DCG(gain=exp2)"])
        out = np.empty((2, plan.width))
        arguments = (label_array(is_sparse), layout.starts, layout.stops, None, None, out, 0, 2)
        fault = _core.evaluate(plan, SCORES.reshape(-1), *arguments)
        assert not isinstance(fault, tuple)
        assert out[:, 0] == pytest.approx(VALUES[name])
