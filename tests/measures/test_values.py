"""Values of the library against the oracle: every measure, argument and tie rule."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
import strategies
from sampling import sampled

CUTOFFS = [1, 2, 3, 5, 7, 100]
EVERY = pytest.mark.parametrize("measure", strategies.MEASURES)


def oracle(measure: str, labels: Any, scores: Any, **arguments: Any) -> float:
    """The value that the library gives by default: 0 where undefined, NaN for AUC."""
    value = getattr(reference, measure)(list(labels), scores, **arguments)
    if value is None:
        return float("nan") if measure == "auc" else 0.0
    return float(value)


def check(result: Any, wanted: Any, context: Any = "") -> None:
    np.testing.assert_allclose(result, wanted, rtol=1e-12, atol=1e-15, err_msg=str(context))


def ks(measure: str) -> dict[str, Any]:
    return {} if measure in strategies.UNCUT else {"k": CUTOFFS}


def wanted(measure: str, labels: Any, scores: Any, given: Any) -> Any:
    """The oracle's values at every cutoff that `ks` asks for."""
    if measure in strategies.UNCUT:
        return oracle(measure, labels, scores, **given)
    return [oracle(measure, labels, scores, k=k, **given) for k in CUTOFFS]


@pytest.mark.parametrize(
    ("call", "ties"), sampled(strategies.CALLS, strategies.TIES), ids=strategies.label_of
)
def test_nasty_lists(call: Any, ties: str) -> None:
    measure, given = call
    function = getattr(rg, measure)
    for name, (labels, scores) in strategies.NASTY.items():
        result = function(labels, scores, ties=ties, **ks(measure), **strategies.to_library(given))
        check(result, wanted(measure, labels, scores, {"ties": ties, **given}), name)


@pytest.mark.parametrize("call", sampled(strategies.CALLS, one_in=3), ids=strategies.label_of)
def test_without_cutoff(call: Any) -> None:
    measure, given = call
    for name, (labels, scores) in strategies.NASTY.items():
        result = getattr(rg, measure)(labels, scores, **strategies.to_library(given))
        assert isinstance(result, float)
        check(result, oracle(measure, labels, scores, **given), name)


@pytest.mark.parametrize("call", sampled(strategies.CALLS, one_in=3), ids=strategies.label_of)
def test_given_order(call: Any) -> None:
    measure, given = call
    for name, (labels, _) in strategies.NASTY.items():
        result = getattr(rg, measure)(labels, **ks(measure), **strategies.to_library(given))
        check(result, wanted(measure, labels, None, given), name)


@pytest.mark.parametrize(
    "call", sampled(c for c in strategies.CALLS if c[0] != "auc"), ids=strategies.label_of
)
def test_judged_beyond_the_list(call: Any) -> None:
    measure, given = call
    for name, (labels, scores) in strategies.NASTY.items():
        judged = [*labels, 3, 0, 1, 1]
        for cutoff in [{}, ks(measure)]:
            result = getattr(rg, measure)(
                labels, scores, judged=judged, **cutoff, **strategies.to_library(given)
            )
            value = wanted if cutoff else (lambda m, y, s, g: oracle(m, y, s, **g))
            check(result, value(measure, labels, scores, {"judged": judged, **given}), name)


@EVERY
def test_fractional_labels(measure: str) -> None:
    labels, scores = [0.25, 0.0, 2.5, 1.0, 0.75], [1.0, 2.0, 2.0, 2.0, 0.0]
    for rel in ({}, {"rel": 0.75}) if measure != "err" else ({},):
        result = getattr(rg, measure)(labels, scores, **ks(measure), **rel)
        check(result, wanted(measure, labels, scores, rel), rel)
    if measure in strategies.GRADED:
        result = getattr(rg, measure)(labels, scores, gain="exp2", **ks(measure))
        check(result, wanted(measure, labels, scores, {"gain": "exp2"}))


@pytest.mark.filterwarnings("ignore:.*pass ignore=:rankgain.RankgainWarning")
@pytest.mark.parametrize("measure", [m for m in strategies.MEASURES if m not in ("ndcg", "err")])
@pytest.mark.parametrize("gain", ["linear", "exp2"])
def test_negative_labels(measure: str, gain: str) -> None:
    labels, scores = [-1, 2, -3, 0, 1], [5.0, 4.0, 4.0, 3.0, 3.0]
    given = {"gain": gain} if measure in strategies.GRADED else {}
    result = getattr(rg, measure)(labels, scores, **ks(measure), **given)
    check(result, wanted(measure, labels, scores, given))


@EVERY
@pytest.mark.parametrize("ties", ["id", "id_descending"])
@pytest.mark.parametrize("ids", [list("ecadbfg"), ["é", "z", "zz", "Z", "a", "b1", "b"], None])
def test_ids(measure: str, ties: str, ids: Any) -> None:
    ids = ids or [17, 12, 99, 10, 55, 56, 11]
    labels, scores = [0, 1, 2, 0, 1, 0, 4], [2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0]
    result = getattr(rg, measure)(labels, scores, ties=ties, ids=ids, **ks(measure))
    check(result, wanted(measure, labels, scores, {"ties": ties, "ids": ids}))


@EVERY
@pytest.mark.parametrize("empty", [0.0, 1.0, float("nan"), "skip"])
def test_empty(measure: str, empty: Any) -> None:
    labels, scores = [[0, 0], [1, 0]], [[2.0, 1.0], [2.0, 1.0]]
    result = getattr(rg, measure)(labels, scores, empty=empty)
    assert result.shape == (2,)
    if measure in strategies.SUMS:
        check(result, [0, 1])
    else:
        check(result[0], float("nan") if empty == "skip" else empty)
        check(result[1], oracle(measure, labels[1], scores[1]))


@pytest.mark.parametrize("measure", [m for m in strategies.MEASURES if m not in strategies.SUMS])
def test_empty_raises(measure: str) -> None:
    with pytest.raises(ValueError, match="list 1"):
        getattr(rg, measure)([[1, 0], [0, 0]], [[2.0, 1.0], [2.0, 1.0]], empty="raise")


@EVERY
def test_shapes(measure: str) -> None:
    """1-D gives a float, 2-D one value per list, a sequence of k one more axis."""
    function = getattr(rg, measure)
    assert isinstance(function([1, 0], [2.0, 1.0]), float)
    assert isinstance(function([], []), float)
    for shape in ((3, 2), (3, 0), (0, 2), (0, 0)):
        result = function(np.ones(shape, int), np.ones(shape))
        assert (result.shape, result.dtype) == (shape[:1], np.float64)
        if measure not in strategies.UNCUT:
            assert function(np.ones(shape, int), np.ones(shape), k=[1, 5]).shape == (*shape[:1], 2)
    if measure not in strategies.UNCUT:
        for sequence in ([2], (2,), np.array([2]), range(2, 3)):
            assert function([1, 0], [2.0, 1.0], k=sequence).shape == (1,)


@pytest.mark.parametrize("measure", [m for m in strategies.MEASURES if m not in strategies.UNCUT])
def test_cutoffs_in_any_order(measure: str) -> None:
    function = getattr(rg, measure)
    labels, scores = strategies.NASTY["two blocks"]
    requested = [5, None, 1, 5, np.int64(2), 10**18]
    result = function(labels, scores, k=requested)
    check(result, [function(labels, scores, k=k) for k in requested])
    wanted_last = oracle(measure, labels, scores, k=10**18)
    check(result[-1], wanted_last)


@EVERY
def test_excluded_items(measure: str) -> None:
    """A list without its excluded items, whatever their scores and labels."""
    labels = np.array([[0, 2, 1, 0, 3, 0], [1, 0, 0, 2, 0, 1], [0, 0, 1, 0, 0, 0]])
    scores = np.array([[9.0, 8, 8, 7, 7, 1], [5.0, 5, 5, 5, 5, 5], [1.0, 2, 3, 4, 5, 6]])
    left_out = [[4, 0], [], [0, 1, 3, 5, 4]]
    indices = np.array([4, 0, 0, 1, 3, 5, 4])
    exclude = (np.ones(7, np.int8), indices, np.array([0, 2, 2, 7]))
    result = getattr(rg, measure)(labels, scores, exclude=exclude, **ks(measure))
    found_uncut = getattr(rg, measure)(labels, scores, exclude=exclude)
    for i, out in enumerate(left_out):
        keep = [j for j in range(6) if j not in out]
        list_i = labels[i, keep].tolist(), scores[i, keep].tolist()
        check(result[i], wanted(measure, *list_i, {}), i)
        check(found_uncut[i], oracle(measure, *list_i), i)


@pytest.mark.parametrize(
    ("measure", "ties"), sampled(strategies.MEASURES, strategies.TIES, one_in=3)
)
def test_ragged_lists(measure: str, ties: str) -> None:
    labels, scores, sizes = strategies.ragged(60, 60)
    result = getattr(rg, measure)(labels, scores, group=sizes, ties=ties, **ks(measure))
    stops = np.cumsum(sizes)
    for i, (start, stop) in enumerate(zip(stops - sizes, stops, strict=True)):
        one = labels[start:stop].tolist(), scores[start:stop].tolist()
        check(result[i], wanted(measure, *one, {"ties": ties}), i)
