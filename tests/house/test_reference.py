"""The oracle is tested too: by hand, and its two ways to average ties against each other."""

import ast
import functools
import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from places import ROOT

GRADED = ["cg", "dcg", "idcg", "ndcg"]
BINARY = ["average_precision", "reciprocal_rank", "hit_rate", "precision", "recall", "f1", "rbp"]
MEASURES = [*GRADED, *BINARY, "r_precision", "err", "auc"]
UNCUT = ("r_precision", "auc")
RANKING = [1, 0, 1, 0, 1]  # five of which three are relevant
JUDGED = [1, 1, 1, 1, 1, 0, 0]  # two relevant documents were never retrieved


@pytest.mark.parametrize(("measure", "arguments", "value"), [
    ("precision", {}, Fraction(3, 5)),
    ("precision", {"k": 10}, Fraction(3, 10)),
    ("precision", {"k": 10, "divisor": "min"}, Fraction(3, 5)),
    ("precision", {"k": 2}, Fraction(1, 2)),
    ("recall", {"k": 3}, Fraction(2, 5)),
    ("recall", {"k": 3, "divisor": "min"}, Fraction(2, 3)),
    ("recall", {"divisor": "min"}, Fraction(3, 5)),
    ("f1", {"k": 3}, Fraction(2 * 2, 5 + 3)),
    ("f1", {"k": 10}, Fraction(2 * 3, 5 + 10)),
    ("f1", {"k": 10, "divisor": "min"}, Fraction(2 * 3, 5 + 5)),
    ("f1", {"k": 3, "beta": 2}, Fraction(5 * 2, 4 * 5 + 3)),
    ("r_precision", {}, Fraction(3, 5)),
    ("hit_rate", {"k": 1}, 1),
    ("reciprocal_rank", {}, 1),
    ("average_precision", {}, (1 + Fraction(2, 3) + Fraction(3, 5)) / 5),
    ("average_precision", {"k": 3}, (1 + Fraction(2, 3)) / 5),
    ("average_precision", {"k": 3, "divisor": "min"}, (1 + Fraction(2, 3)) / 3),
    ("average_precision", {"k": 3, "divisor": "hits"}, (1 + Fraction(2, 3)) / 2),
    ("average_precision", {"divisor": "min"}, (1 + Fraction(2, 3) + Fraction(3, 5)) / 5),
    ("rbp", {"p": Fraction(1, 2)}, Fraction(1, 2) + Fraction(1, 8) + Fraction(1, 32)),
    ("rbp", {"p": Fraction(1, 2), "gain": {0: 0, 1: 3}}, Fraction(21, 32)),
    ("rbp", {"p": Fraction(1, 2), "gain": {0: 0, 1: 3}, "least": 6}, Fraction(21, 64)),
    ("err", {"max_label": 1}, Fraction(1, 2) + Fraction(1, 4) / 3 + Fraction(1, 8) / 5),
    ("cg", {"k": 3}, 2),
    ("dcg", {"k": 3}, 1 + 1 / 2),
    ("dcg", {"k": 3, "discount": "reciprocal"}, 1 + Fraction(1, 3)),
    ("dcg", {"k": 3, "discount": "log", "log_base": 4}, 2 + 1),
    ("dcg", {"k": 3, "discount": [1, 1, Fraction(1, 4)]}, 1 + Fraction(1, 4)),
    ("idcg", {"k": 3}, 1 + 1 / math.log2(3) + 1 / 2),
    ("ndcg", {"k": 3}, 1.5 / (1.5 + 1 / math.log2(3))),
])  # fmt: skip
def test_by_hand(measure: str, arguments: Any, value: Any) -> None:
    result = getattr(reference, measure)(RANKING, judged=JUDGED, **arguments)
    if isinstance(value, float):
        value = pytest.approx(value, abs=1e-15)
    assert result == value


DIVISORS = {
    "precision": ("k", "min"),
    "f1": ("k", "min"),
    "recall": ("relevant", "min"),
    "average_precision": ("relevant", "min", "hits"),
}
SHORT_LISTS = st.integers(0, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), max_size=2),
    )
)


@pytest.mark.parametrize("measure", MEASURES)
@given(case=SHORT_LISTS)
def test_averages_equal_enumeration(measure: str, case: Any) -> None:
    """Exactly, in rationals; only where log2 enters to the last bits."""
    labels, scores, unseen = case
    of_list = getattr(reference, measure)
    worths = [of_list.worth(label) for label in labels]
    pool = [of_list.worth(label) for label in labels + unseen]
    blocks = reference.tie_blocks(scores, len(labels))
    cutoffs: Any = [{}] if measure in UNCUT else [{"k": k} for k in (None, 1, 2, 3, 5, 9)]
    divisors: Any = [{"divisor": name} for name in DIVISORS.get(measure, ())] or [{}]
    for cutoff, divisor in itertools.product(cutoffs, divisors):
        of_order = functools.partial(of_list.of_order, pool=pool, **cutoff, **divisor)
        by_enumeration = reference.brute_force(of_order, reference.all_orders(blocks, worths))
        by_formula = of_list.average(of_order, [[worths[i] for i in block] for block in blocks])
        if isinstance(by_formula, float):
            assert by_formula == pytest.approx(by_enumeration, rel=1e-14)
        else:
            assert by_formula == by_enumeration


def test_orders_are_counted_and_distinct() -> None:
    worths, blocks = [1, 0, 0, 2, 2, 1], [[0, 1, 2], [3, 4, 5]]
    orders = [tuple(order) for order in reference.all_orders(blocks, worths)]
    assert len(orders) == len(set(orders)) == reference.count_orders(blocks, worths) == 9


@pytest.mark.parametrize("name", ["reference.py", "reader_models.py", "tie_averages.py"])
def test_imports_nothing_of_the_package(name: str) -> None:
    allowed = {"functools", "itertools", "math", "collections", "fractions", "typing"}
    tree = ast.parse((ROOT / "tests" / "oracle" / name).read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    assert {module.split(".")[0] for module in imported} <= allowed | {
        "tie_averages",
        "reader_models",
    }
