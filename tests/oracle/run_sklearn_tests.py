"""Run scikit-learn's installed DCG and nDCG tests with our two functions in place of its own.

python run_sklearn_tests.py REPORT: pytest over scikit-learn's modules, a JUnit report, and how
often each of our functions was called in its place. The names are replaced before those modules
are imported, because their parameters hold the functions themselves.
"""

import functools
import os
import sys
from collections import Counter

import pytest
import sklearn.metrics

import rankgain

NAMES = (
    "coverage_error", "dcg_score", "label_ranking_average_precision_score", "label_ranking_loss",
    "ndcg_score", "top_k_accuracy_score",
)  # fmt: skip
calls: Counter[str] = Counter()


def put_in_place(name: str) -> None:
    ours = getattr(rankgain, name)

    @functools.wraps(ours)
    def counted(*args, **kwargs):
        calls[name] += 1
        return ours(*args, **kwargs)

    setattr(sklearn.metrics, name, counted)


if __name__ == "__main__":
    for name in NAMES:
        put_in_place(name)
    modules = ["sklearn.metrics.tests.test_ranking", "sklearn.metrics.tests.test_common"]
    chosen = " or ".join(
        # "ranking" alone would be all of the module test_ranking, ROC curves and all.
        ["dcg", "multilabel", "label_rank", "lrap", "ranking_", "coverage", "top_k"]
    )
    # Without a configuration: one of a folder above may turn warnings into errors.
    options = f"-q -rA -c {os.devnull} -p no:cacheprovider".split()
    options += ["-k", chosen, f"--junit-xml={sys.argv[1]}"]
    status = pytest.main(["--pyargs", *modules, *options])
    print("calls:", *(f"{name}={count}" for name, count in sorted(calls.items())))
    sys.exit(status)
