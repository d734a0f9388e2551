"""Scores on a device: the values of the host, bit for bit, and few numbers leave the device."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_arrays
import rankgain as rg
from device_arrays import LIBRARIES, DeviceMemory
from pairwise import name_of, rows_of

MEASURES = ["nDCG@10", "AP", "RR", "P@5", "R@20", "DCG", "AUC", "ERR@10", "RBP", "RPrec", "NumRet"]
SHAPES = [(7, 30), (50, 120), (3, 1), (2, 0)]
pytestmark = pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
Mover = Callable[[Any], Any]


@pytest.fixture(params=LIBRARIES)
def to_device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Mover:
    return device_arrays.to_device_with(request.param, monkeypatch)


def assert_same(expected: rg.Evaluation, result: rg.Evaluation) -> None:
    assert list(result.queries) == list(expected.queries)
    for name, values in expected.per_query.items():
        np.testing.assert_array_equal(result.per_query[name], values, err_msg=name)
    np.testing.assert_array_equal(list(result.means.values()), list(expected.means.values()))


def draw(shape: tuple[int, int], dtype: str, seed: int = 0) -> tuple[Any, Any]:
    """Labels, and scores of which many tie."""
    random = np.random.default_rng([seed, *shape])
    labels = random.integers(0, 3, shape) * (random.random(shape) < 0.4)
    return labels, random.integers(-9, 9, shape).astype(dtype)


@pytest.mark.parametrize("ties", ["average", "best", "worst"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i4", "i8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_values_are_those_of_the_host(
    shape: tuple[int, int], dtype: str, ties: Any, to_device: Mover
) -> None:
    labels, scores = draw(shape, dtype)
    expected = rg.evaluate_arrays(labels, scores, MEASURES, ties=ties)
    placed = to_device(scores)
    assert_same(expected, rg.evaluate_arrays(labels, placed, MEASURES, ties=ties))
    assert_same(expected, rg.evaluate_arrays(to_device(labels), placed, MEASURES, ties=ties))
    assert_same(expected, rg.evaluate_arrays(rg.Truth(labels), placed, MEASURES, ties=ties))
    of_models = rg.evaluate_models(to_device(labels), {"a": placed}, MEASURES, ties=ties)
    assert_same(expected, of_models["a"])


@pytest.mark.parametrize("shape", SHAPES[:3])
@pytest.mark.parametrize("excludes", [False, True])
@pytest.mark.parametrize("ignores", [False, True])
def test_lists_that_end_early_and_documents_that_are_left_out(
    shape: tuple[int, int], excludes: bool, ignores: bool, to_device: Mover
) -> None:
    random = np.random.default_rng([*shape, excludes])
    labels, scores = draw(shape, "f4")
    options: dict[str, Any] = {}
    if excludes:
        options["exclude"] = random.random(shape) < 0.3
        scores[options["exclude"]] = np.nan  # which nobody reads
    if ignores:
        labels = np.where(random.random(shape) < 0.2, -100, labels)
        options["ignore"] = -100
    lengths = random.integers(0, shape[1] + 1, shape[0])
    for more in ({}, {"lengths": lengths}):
        given = options | more
        expected = rg.evaluate_arrays(labels, scores, MEASURES, **given)
        assert_same(expected, rg.evaluate_arrays(labels, to_device(scores), MEASURES, **given))
    rows = random.permutation(np.repeat(np.arange(shape[0]), shape[1]))
    for place in ({"group": np.full(shape[0], shape[1])}, {"qid": rows}, {"qid": np.sort(rows)}):
        flat = {
            name: np.ravel(value) if name == "exclude" else value for name, value in options.items()
        }
        expected = rg.evaluate_arrays(labels.ravel(), scores.ravel(), MEASURES, **place, **flat)
        placed = to_device(scores.ravel())
        assert_same(expected, rg.evaluate_arrays(labels.ravel(), placed, MEASURES, **place, **flat))


def test_hits_of_the_lowest_score_do_not_tie_with_documents_left_out(to_device: Mover) -> None:
    labels, scores = np.array([[1, 0, 1, 1]]), np.array([[-np.inf, 5.0, -np.inf, 2.0]])
    options: dict[str, Any] = {"exclude": np.array([[False, True, False, False]])}
    expected = rg.evaluate_arrays(labels, scores, MEASURES, **options)
    assert_same(expected, rg.evaluate_arrays(labels, to_device(scores), MEASURES, **options))


def test_blocks_of_lists_are_evaluated_apart(
    to_device: Mover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rankgain.engine.devices.BLOCK_SCORES", 64)
    labels, scores = draw((50, 30), "f4")
    expected = rg.evaluate_arrays(labels, scores, MEASURES, exclude=scores > 7)
    placed = to_device(scores)
    assert_same(expected, rg.evaluate_arrays(labels, placed, MEASURES, exclude=scores > 7))
    scores[41, 3] = np.nan
    with pytest.raises(ValueError, match=r"y_score: list 41, document 3 is NaN"):
        rg.ndcg(labels, to_device(scores))


def test_functions_of_one_measure(to_device: Mover) -> None:
    labels, scores = draw((9, 20), "f4")
    for cut in (None, 5, [1, 5]):
        expected = rg.ndcg(labels, scores, k=cut).tolist()
        assert rg.ndcg(labels, to_device(scores), k=cut).tolist() == expected
    one = rg.average_precision(labels[0], to_device(scores[0]))
    assert type(one) is float
    assert one == rg.average_precision(labels[0], scores[0])


@pytest.mark.parametrize("excludes", [False, True])
@pytest.mark.parametrize("has_bias", [False, True])
def test_factor_models(excludes: bool, has_bias: bool, to_device: Mover) -> None:
    random = np.random.default_rng(3)
    users, items = (random.integers(-3, 4, (n, 8)).astype("f4") for n in (40, 60))
    bias = random.integers(-3, 4, 60).astype("f4") if has_bias else None
    relevant = [random.choice(60, 5, replace=False).tolist() for _ in range(40)]
    seen = random.random((40, 60)) < 0.2 if excludes else None
    expected = rg.evaluate_factors(users, items, relevant, MEASURES, item_bias=bias, exclude=seen)
    placed_bias = None if bias is None else to_device(bias)
    placed = to_device(users), to_device(items)
    result = rg.evaluate_factors(*placed, relevant, MEASURES, item_bias=placed_bias, exclude=seen)
    assert_same(expected, result)

    def score(numbers: Any) -> Any:
        return to_device(users[numbers] @ items.T + (0 if bias is None else bias))

    assert_same(expected, rg.evaluate_scores(score, relevant, MEASURES, exclude=seen, batch=7))


DEVICE_AXES: dict[str, list[Any]] = {
    "convention": ["rankgain", "trec", "sklearn", "torchmetrics", "lightgbm", "tf_ranking", "ranx"],
    "ties": ["average", "best", "worst"],
    "dtype": ["f2", "f4", "f8", "i4", "i8"],
    "layout": ["rows", "lengths", "group", "qid", "qid, mixed"],
    "labels": ["host", "device", "Truth"],
    "exclude": [False, True],
    "ignore": [False, True],
    "judged": [False, True],
    "weight": [False, True],
    "threads": [1, 3],
    "bounds": [(), "ties"],
}


def outcome(call: Callable[[], rg.Evaluation]) -> Any:
    try:
        result = call()
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    columns = {name: values.tolist() for name, values in result.per_query.items()}
    ends = {kind: {m: x.tolist() for m, x in by.items()} for kind, by in result.bounds.items()}
    return repr((columns, ends, dict(result.means)))


@pytest.mark.parametrize("row", rows_of(DEVICE_AXES), ids=name_of)
def test_pairs_of_choices(row: dict[str, Any], to_device: Mover) -> None:
    random = np.random.default_rng(len(str(row)))
    shape = (8, 25)
    labels, scores = draw(shape, row["dtype"], len(str(row)))
    beside: dict[str, Any] = {"ties": row["ties"], "convention": row["convention"]}
    beside |= {"threads": row["threads"], "bounds": row["bounds"]}
    place: dict[str, Any] = {}
    if row["ignore"]:
        labels = np.where(random.random(shape) < 0.2, 7, labels)
        beside["ignore"] = 7
    if row["judged"]:
        place["judged"] = [np.append(one[one != 7], [2, 1]) for one in labels]
    if row["exclude"]:
        beside["exclude"] = random.random(shape) < 0.2
    if row["weight"]:
        beside["weight"] = random.random(8)
    if row["layout"] == "lengths":
        place["lengths"] = random.integers(0, 26, 8)
    elif row["layout"] != "rows":
        labels, scores = labels.ravel(), scores.ravel()
        if row["exclude"]:
            beside["exclude"] = beside["exclude"].ravel()
        rows = np.repeat(np.arange(8), 25)
        if row["layout"] == "qid, mixed":
            rows = np.tile(np.arange(8), 25)
        place |= {"group": np.full(8, 25)} if row["layout"] == "group" else {"qid": rows}

    def evaluate(labels: Any, scores: Any) -> rg.Evaluation:
        names = ["nDCG@10", "AP", "RR@5", "P@5", "R@20"]
        if row["labels"] == "Truth":
            return rg.evaluate_arrays(rg.Truth(labels, **place), scores, names, **beside)
        return rg.evaluate_arrays(labels, scores, names, **place, **beside)

    expected = outcome(lambda: evaluate(labels, scores))
    given = to_device(labels) if row["labels"] == "device" else labels
    result = outcome(lambda: evaluate(given, to_device(scores)))
    if isinstance(result, tuple) and re.search("counts hold no scores|as float64", result[1]):
        assert row["convention"] in ("torchmetrics", "tf_ranking")  # which need the scores
    else:
        assert result == expected


def test_few_numbers_leave_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    to_device = device_arrays.to_device_with("cupy", monkeypatch)
    random = np.random.default_rng(0)
    scores = random.standard_normal((40, 500), dtype="f4")
    labels = np.zeros(scores.shape, int)
    labels[np.arange(40), random.integers(0, 500, 40)] = 1
    DeviceMemory.transferred = 0
    rg.evaluate_arrays(to_device(labels), to_device(scores), MEASURES)
    assert DeviceMemory.transferred < 10 * 40


REFUSED = {
    "y_score: list 0, document 1 is NaN": ({}, [[0.1, np.nan, 0.3]]),
    "y_true has shape": ({}, [[0.1, 0.2]]),
    'ties="stable" cannot order': ({"ties": "stable"}, [[0.5, 0.5, 0.5]]),
    "move y_score to the CPU": ({"ids": [["a", "b", "c"]]}, [[0.1, 0.2, 0.3]]),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_a_device_cannot_do_says_what_to_do(words: str, to_device: Mover) -> None:
    options, scores = REFUSED[words]
    with pytest.raises(ValueError, match=words):
        rg.ndcg([[0, 1, 2]], to_device(np.array(scores, "f4")), **options)


def test_label_zero_does_not_count_on_a_device(to_device: Mover) -> None:
    scores = to_device(np.array([[0.1, 0.2, 0.3]], "f4"))
    with pytest.raises(ValueError, match="move y_score to the CPU"):
        rg.ndcg([[0, 1, 2]], scores, gain={0: 1, 1: 2, 2: 3})
    with pytest.raises(ValueError, match="move y_score to the CPU"):
        rg.evaluate_arrays([[0, 1, 2]], scores, "Bpref")


def test_factors_in_two_memories_are_refused(to_device: Mover) -> None:
    factors = np.ones((2, 2), "f4")
    with pytest.raises(TypeError, match="user_factors is on a device, but item_factors is in the"):
        rg.evaluate_factors(to_device(factors), factors, [[0], [1]], "RR")
    infinite = np.full((2, 2), np.inf, "f4")
    with pytest.raises(ValueError, match="user_factors has values that are not finite"):
        rg.evaluate_factors(to_device(infinite), to_device(factors), [[0], [1]], "RR")


def test_bfloat16_on_a_device_is_widened_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    device_arrays.to_device_with("torch", monkeypatch)
    labels, _ = draw((9, 40), "f4")
    scores = torch.randn(9, 40, generator=torch.Generator().manual_seed(0)).bfloat16()
    wide = scores.float().numpy()
    assert_same(
        rg.evaluate_arrays(labels, wide, MEASURES), rg.evaluate_arrays(labels, scores, MEASURES)
    )
    with pytest.raises(TypeError, match=r"pass y_score\.detach\(\)"):
        rg.ndcg(labels, scores.float().requires_grad_())
