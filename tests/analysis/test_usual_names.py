"""Names of other tools for tests and corrections, and data where a function is expected."""

import re

import numpy as np
import pytest

import rankgain as rg


@pytest.mark.parametrize(("options", "meant"), [
    ({"test": "ttest"}, "'t'"),
    ({"test": "permutation"}, "'randomisation'"),
    ({"correction": "fdr"}, "'bh'"),
    ({"correction": "FDR_BH"}, "'bh'"),
])  # fmt: skip
def test_the_option_that_a_usual_name_means_is_suggested(options, meant):
    runs = rg.evaluate_models([[0, 1]] * 3, {"a": [[1, 2]] * 3, "b": [[2, 1]] * 3}, "RR")
    with pytest.raises(ValueError, match=re.escape(f"did you mean {meant}?")):
        rg.compare(runs, **options)


def test_audit_of_data_asks_for_the_function():
    with pytest.raises(TypeError, match="must be your metric function, not data \\(ndarray\\)"):
        rg.audit(np.array([0, 1]))
