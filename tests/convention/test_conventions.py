"""Conventions are values: checked, frozen, comparable, and found by name."""

import copy
import doctest
import itertools
import math
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from rankgain.convention import Convention, conventions
from rankgain.engine.columns import round_as_printed

FAMILIES = ["ndcg", "dcg", "average_precision", "precision", "recall", "auc", "reciprocal_rank"]
NAMES = (
    "rankgain trec trec_eval trec_eval-9 pytrec_eval ir_measures gdeval ranx sklearn torchmetrics "
    "lightgbm xgboost xgboost- catboost ranklib rax tf_ranking implicit rectools "
    "rectools-achievable mlflow llama_index haystack ragas sentence_transformers mteb torchrec "
    "ignite keras_rs lenskit pykeen-optimistic pykeen-pessimistic recommenders recbole spark "
    "elasticsearch msmarco beir jarvelin2002 burges2005"
).split()


def test_every_promised_convention_is_there() -> None:
    assert set(NAMES) <= set(conventions)
    assert len(conventions) == len(list(conventions))


@pytest.mark.parametrize("name", list(conventions))
def test_an_entry_says_what_it_is(name: str) -> None:
    one = conventions[name]
    assert one.name == name
    assert one.version
    assert one.source
    assert one.reproduces
    assert one.leaves_out or name == "rankgain"


@pytest.mark.parametrize("name", list(conventions))
def test_an_entry_is_a_value(name: str) -> None:
    one = conventions[name]
    for twin in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), one.replace()):
        assert twin == one
        assert hash(twin) == hash(one)
    assert one != one.replace(k=17)
    assert eval(repr(one), {"Convention": Convention, "nan": math.nan, "inf": math.inf}) == one
    assert name in str(one)


def test_every_field_has_a_value_for_every_family() -> None:
    for one in conventions.values():
        for field in one.__dataclass_fields__:
            for family in FAMILIES:
                value = one.for_family(field, family)
                assert type(value) is not dict


def test_values_are_rounded_as_python_and_printf_round() -> None:
    rng = np.random.default_rng(0)
    halves = (rng.integers(0, 10**5, 2000) * 2 + 1) / 2e5
    draws = [rng.random(2000), halves, np.nextafter(halves, 0), np.nextafter(halves, 1), -halves]
    values = np.concatenate([*draws, [0.0, 1.0, 1e300, 2.5, math.nan, math.inf]])
    for decimals in (0, 1, 4, 5):
        rounded = values.copy()
        round_as_printed(rounded, decimals)
        np.testing.assert_array_equal(rounded, [round(one, decimals) for one in values.tolist()])


def test_importing_does_not_build_the_table() -> None:
    code = "import rankgain.convention, sys; print('rankgain.convention_table' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


def test_the_ideal_that_each_convention_means() -> None:
    def dcg(labels: list[float]) -> float:
        return sum(label / math.log2(rank + 1) for rank, label in enumerate(labels, 1))

    labels, scores, judged = [1, 2, 0], [1.0, 2.0, 3.0], [0, 2, 3, 1, 2]
    result = dcg([0, 2, 1])
    expected = {
        "judged": result / dcg([3, 2, 2, 1]),
        "list": result / dcg([2, 1]),
        "returned": result / dcg([3, 2, 2]),
        "given": result / dcg([0, 2, 3, 1, 2]),
    }
    for ideal, value in expected.items():
        rules = Convention("mine", ideal=ideal)
        assert rg.ndcg(labels, scores, judged=judged, convention=rules) == pytest.approx(value)
        of = rg.idcg(labels, scores, judged=judged, convention=rules)
        assert of == pytest.approx(result / value)
    ones = Convention("mine", ideal="ones", gain="binary")
    assert rg.ndcg([1, 0], k=4, convention=ones) == pytest.approx(1 / dcg([1, 1, 1, 1]))
    assert rg.ndcg([0, 0], k=4, convention=ones) == 0
    given = Convention("mine", ideal="given")
    assert rg.ndcg(labels, scores, convention=given) == pytest.approx(result / dcg(labels))


def test_examples_of_the_text_beside_this() -> None:
    result = doctest.testfile("conventions.txt", globs={"rg": rg, "np": np})
    assert result.failed == 0
    assert result.attempted > 12


GAINS: dict[str, Any] = {
    "linear": "linear",
    "exp2": "exp2",
    "falling": {-3: 4, -2: -2, -1: -1, 0: 0, 1: 3, 2: 1},
    "rising": {-3: -3, -2: -2, -1: -1, 0: 0, 1: 3, 2: 5},  # but not where the lowest count 0
}


@pytest.mark.filterwarnings("ignore:.*labels below 0 are padding")
@pytest.mark.parametrize("min_label", [-2.5, -2.0, -1.5, -1.0, 0.0, 1.0])
@pytest.mark.parametrize("gain", GAINS.values(), ids=GAINS)
@pytest.mark.parametrize("measure", ["ndcg", "idcg", "dcg"])
def test_labels_below_a_negative_min_label_have_the_gain_zero(
    measure: str, gain: Any, min_label: float
) -> None:
    """All lists of up to three labels below, at and above it, beside the oracle."""
    rules = Convention("mine", min_label=min_label, negative="keep")
    for size in (1, 2, 3):
        lists = list(itertools.product(range(-3, 3), repeat=size))
        given = np.array(lists, float)
        for scores, ties in (([1.0] * size, "best"), ([1.0] * size, "worst"), (None, "average")):
            same_scores = None
            if scores is not None:
                same_scores = np.ones(given.shape)
            for k in (1, 2, None):
                values = getattr(rg, measure)(
                    given, same_scores, k=k, gain=gain, ties=ties, convention=rules, empty=-9.0
                )
                for labels, value in zip(lists, values, strict=True):
                    expected = getattr(reference, measure)(
                        labels, scores, ties=ties, k=k, gain=gain, min_label=min_label
                    )
                    if expected is None:
                        expected = -9
                    assert value == pytest.approx(float(expected), abs=1e-12), (labels, ties, k)


@pytest.mark.filterwarnings("ignore:.*labels below 0 are padding")
@pytest.mark.parametrize("convention", rg.conventions)
def test_min_label_itself_is_relevant(convention: str) -> None:
    values = [
        rg.evaluate_arrays([[0, 2]], [scores], "nDCG(min_label=2)@5", convention=convention)
        for scores in ([1, 2], [2, 1])
    ]
    first, second = (value["nDCG(min_label=2)@5"] for value in values)
    assert first > 0
    assert second > 0


@pytest.mark.filterwarnings("ignore:.*labels below 0 are padding")
@pytest.mark.parametrize("min_label", [-1.0, 0.0, 1.0])
def test_labels_of_the_pool_below_min_label_have_the_gain_zero(min_label: float) -> None:
    rules = Convention("mine", min_label=min_label, negative="keep")
    for pool in itertools.product(range(-2, 3), repeat=3):
        judged = [np.array(pool, float)]
        value = rg.idcg([[pool[0]]], [[1.0]], judged=judged, convention=rules)
        expected = reference.idcg(pool[:1], judged=pool, min_label=min_label)
        assert value == pytest.approx([float(expected)], abs=1e-12), pool


@pytest.mark.filterwarnings("ignore:.*labels below 0 are padding")
def test_a_negative_min_label_gives_no_gain_where_negative_labels_have_none() -> None:
    rules = Convention("mine", min_label=-2.0, negative="zero")
    assert rg.dcg([-1.0, -3.0, 2.0], convention=rules) == rg.dcg([0, 0, 2])
    assert rg.ndcg([-1.0, 2.0], convention=rules) == rg.ndcg([0, 2])


def test_kinds_of_mean() -> None:
    labels = [[1, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    scores = [[4.0, 3, 2, 1], [1.0, 2, 3, 4], [4.0, 3, 2, 1]]
    weight = [1.0, 2.0, 4.0]

    def mean(weights: object = None, measure: str = "P@2", **axes: object) -> float:
        rules = Convention("mine", **axes)
        result = rg.evaluate_arrays(labels, scores, measure, weight=weights, convention=rules)
        return next(iter(result.means.values()))

    assert mean() == pytest.approx((0.5 + 0.5 + 0) / 3)
    micro = {"mean": {"precision": "micro"}, "divisor": {"precision": "min_relevant"}}
    assert mean(empty="skip", **micro) == pytest.approx((1 + 1) / (1 + 2))
    assert mean(weight, empty=1.0) == pytest.approx((0.5 + 1.0 + 4.0) / 7)
    assert mean(weight, empty=1.0, empty_has_weight=False) == pytest.approx((0.5 + 1.0 + 1.0) / 7)
    assert mean(weight, empty=1.0, weighted=False) == pytest.approx(2 / 3)
    assert mean(empty=1.0, mean="geometric") == pytest.approx((0.5 * 0.5) ** (1 / 3))
    assert mean(round_mean=2) == 0.33


TABLES = {
    "an array": np.array([0.0, 1.0, 3.0]),
    "an array of ints": np.array([0, 1, 3]),
    "a list": [np.float64(0), np.int64(1), 3.0],
    "a tuple": (np.float32(0), 1, np.uint8(3)),
    "a mapping": {np.int64(0): np.float64(0), 1: np.int8(1), np.float32(2): 3},
}


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_tables_of_conventions_hold_plain_numbers(table):
    rules = rg.conventions["rankgain"].replace(gain=table)
    inner = rules.gain.items() if hasattr(rules.gain, "items") else enumerate(rules.gain)
    assert [list(map(float, one)) for one in inner] == [[0.0, 0.0], [1.0, 1.0], [2.0, 3.0]]
    plain = [one for pair in inner for one in pair]
    assert {type(one) for one in plain} <= {int, float}
    assert "np." not in repr(rules) + str(rules) + rules.name
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(rules) == hash(rg.conventions["rankgain"].replace(gain=table))
    assert rg.dcg([2], [1], convention=rules) == 3.0
    if not hasattr(rules.gain, "items"):
        weights = rg.conventions["rankgain"].replace(discount=table[::-1])
        assert "np." not in repr(weights)


@pytest.mark.parametrize(("table", "whole", "cut"), [
    ({"ndcg": "stable", "ndcg@k": "reverse"}, "stable", "reverse"),
    ({"ndcg": "stable"}, "stable", "stable"),
    ({"ndcg@k": "reverse"}, "average", "reverse"),
    ({"ndcg@k": "reverse", "*": "best"}, "best", "reverse"),
    ({"ndcg": "stable", "*": "best"}, "stable", "stable"),
    ({"*": "best"}, "best", "best"),
    ({"dcg@k": "reverse", "dcg": "stable"}, "average", "average"),
])  # fmt: skip
def test_a_family_with_a_cutoff_comes_before_the_family(table, whole, cut):
    rules = rg.Convention("mine", ties=table)
    assert rules.for_family("ties", "ndcg") == whole
    assert rules.for_family("ties", "ndcg", cut=True) == cut
    scores = [1.0, 1.0, 0.5]
    for labels in ([1, 0, 0], [0, 1, 0]):
        for k, ties in ((None, whole), (1, cut)):
            result = rg.ndcg(labels, scores, k=k, convention=rules)
            assert result == rg.ndcg(labels, scores, k=k, ties=ties)


@pytest.mark.parametrize("name", sorted(rg.conventions))
def test_measures_with_a_table_of_gains_do_not_depend_on_their_company(name: str) -> None:
    """Views of the lists have other labels, so a table of gains is made for each view."""
    options = {"judged": [[3, 2, 1]], "gain": {0: 0, 1: 1, 2: 2, 3: 3}}
    options["convention"] = rg.conventions[name].replace(min_label=None)
    arrays = [[0, 3]], [[2.0, 1.0]]  # an ideal of the returned length lacks the label 1
    names = ["nDCG@2", "G@2", "RnDCG", "ndcg_rel@2", "IDCG@3", "DCG@2"]
    alone = {}
    for measure in names:
        try:
            alone[measure] = rg.evaluate_arrays(*arrays, measure, **options)[measure]
        except ValueError:  # not of this convention
            continue
    for order in (list(alone), list(alone)[::-1]):
        assert rg.evaluate_arrays(*arrays, order, **options).means == alone
