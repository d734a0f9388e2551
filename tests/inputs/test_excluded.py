"""Excluded documents are seen by nothing: a call without them has the same values and errors."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

MEASURES = "nDCG@3 nDCG DCG@3 IDCG AP RR P@2 R@2 F1@2 AUC RBP Bpref".split()
MEASURES += ["GAUC(weight=documents)", "MR", "AMRI", "HitRate(per=item)@2", "Judged@3"]
DRAWS = 34


def drawn(draw):
    """Labels, scores and what is excluded of three lists, each with something left."""
    shape = 3, 6
    out = draw.random(shape) < 0.4
    out[np.arange(3), draw.integers(0, 6, 3)] = False
    labels = draw.choice([0.0, 0, 1, 2, -1, 3], shape)
    scores = draw.choice([0.5, 0.25, -1, 0, -np.inf, 0.7], shape)
    # Labels and scores that no rule of a convention would leave unseen.
    labels[out] = draw.choice([0, -1, -5, 9, 0.5], int(out.sum()))
    return labels, scores, out


def outcome(labels, scores, measure, **options):
    """Values, means and bounds of a call, or its error without the places in it."""
    try:
        result = rg.evaluate_arrays(labels, scores, measure, **options)
    except ValueError as error:
        return re.sub(r"documents? [\d and]+|index \d+", "documents", str(error))
    return result.per_query, result.means, result.bounds, result.bound_means


@pytest.mark.parametrize("convention", ["rankgain", "rax", "torchmetrics", "sklearn"])
def test_sparse_labels_and_their_bounds(convention):
    draw = np.random.default_rng(8)
    for at in range(DRAWS):
        labels, scores, out = drawn(draw)
        labels = np.abs(labels)
        rest, rest_scores = (
            [row[keep] for row, keep in zip(one, ~out, strict=True)] for one in (labels, scores)
        )
        places = [np.flatnonzero(row) for row in rest]
        csr = (
            np.concatenate([row[row != 0] for row in rest]),
            np.concatenate(places),
            np.cumsum([0, *map(len, places)]),
        )
        options = {"convention": convention, "bounds": ("unjudged",), "ties": "stable"}
        sizes, flat = list(map(len, rest)), np.concatenate(rest_scores)
        measure = [MEASURES[at % 6], "nDCG"]
        plain = outcome(csr, flat, measure, group=sizes, **options)
        result = outcome(sp.csr_matrix(labels), scores, measure, exclude=out, **options)
        np.testing.assert_equal(result, plain, err_msg=f"{measure} {at}")


def flat(labels, scores, out):
    return labels.ravel(), scores.ravel(), out.ravel(), {"group": [labels.shape[1]] * len(labels)}


def mixed(labels, scores, out):
    order = np.random.default_rng(1).permutation(labels.size)
    order = np.concatenate((np.arange(0, labels.size, labels.shape[1]), order))
    order = order[np.sort(np.unique(order, return_index=True)[1])]  # first the first of each list
    ids = np.repeat(np.arange(len(labels)), labels.shape[1])[order]
    return labels.ravel()[order], scores.ravel()[order], out.ravel()[order], {"qid": ids}


def longer(labels, scores, out):
    more = np.full((len(labels), 2), np.nan)
    both = [np.hstack((one, more)) for one in (labels, scores)]
    lengths = [labels.shape[1]] * len(labels)
    return *both, np.hstack((out, more != more)), {"lengths": lengths}


FORMS = {
    "flat": flat,
    "mixed": mixed,
    "longer": longer,
    "nested": lambda y, s, out: (y.tolist(), s.tolist(), out.tolist(), {}),
    "fortran": lambda y, s, out: (y, s, np.asfortranarray(out), {}),
    "prepared": lambda y, s, out: (rg.Truth(y), s, out, {}),
    "torch": lambda y, s, out: (y, s, pytest.importorskip("torch").tensor(out), {}),
    "polars": lambda y, s, out: (y, s, pytest.importorskip("polars").DataFrame(out), {}),
}


def test_a_rule_for_dropped_documents_does_not_see_them():
    options = {"rel": 0, "k": 1, "convention": "rax"}
    labels, scores = [[1, 0]], [[0.9, -np.inf]]
    with pytest.raises(ValueError, match="rel=0"):
        rg.precision(labels, scores, **options)
    assert rg.precision(labels, scores, exclude=[[False, True]], **options).tolist() == [1.0]
    assert rg.precision(labels, scores, lengths=[1], **options).tolist() == [1.0]


@pytest.mark.parametrize("form", FORMS)
def test_a_mask_in_each_form(form):
    draw = np.random.default_rng(9)
    labels, scores, out = drawn(draw)
    labels, scores = np.abs(labels), draw.random(labels.shape)
    expected = rg.ndcg(labels, scores, exclude=sp.csr_matrix(out))
    y, s, mask, places = FORMS[form](labels, scores, out)
    np.testing.assert_array_equal(rg.ndcg(y, s, exclude=mask, **places), expected)


def test_masks_that_do_not_fit():
    labels, scores = np.eye(3), np.eye(3)
    for mask, words in (
        (np.zeros((2, 3), bool), r"exclude has shape \(2, 3\), but the documents \(3, 3\)"),
        (np.zeros(3, bool), r"exclude has shape \(3,\), but"),
        ([[True], [False, True], []], "exclude: list 0 has 1 document, but"),
    ):
        with pytest.raises(ValueError, match=words):
            rg.ndcg(labels, scores, exclude=mask)
    for mask, words in ((np.zeros((3, 3)), "array of True and False"), ("no", "not str")):
        with pytest.raises(TypeError, match=words):
            rg.ndcg(labels, scores, exclude=mask)
    with pytest.raises(ValueError, match="exclude has 2 users, but relevant has 3"):
        rg.evaluate_scores(scores.__getitem__, [[0], [1], [2]], "RR", exclude=labels[:2] > 0)


# ---- a matrix of what is left out has the shape of the lists


USERS, ITEMS = 3, 5
LABELS = np.eye(USERS, ITEMS)
SCORES = np.random.default_rng(0).random((USERS, ITEMS))
MATRIX = sp.csr_matrix(LABELS)
IDS = np.argsort(-SCORES, axis=1)
ROWS = [[0], [1], [2]]
U, V = np.eye(USERS, 4), np.ones((ITEMS, 4))

DOORS: dict[str, Callable[[Any], Any]] = {
    "evaluate_arrays": lambda out: rg.evaluate_arrays(LABELS, SCORES, "RR", exclude=out),
    "sparse labels": lambda out: rg.evaluate_arrays(MATRIX, SCORES, "RR", exclude=out),
    "order given": lambda out: rg.evaluate_arrays(LABELS, None, "RR", exclude=out),
    "Truth": lambda out: rg.evaluate_arrays(rg.Truth(LABELS), SCORES, "RR", exclude=out),
    "sparse Truth": lambda out: rg.evaluate_arrays(rg.Truth(MATRIX), SCORES, "RR", exclude=out),
    "padded": lambda out: rg.evaluate_arrays(LABELS, SCORES, "RR", lengths=[5, 5, 5], exclude=out),
    "evaluate_models": lambda out: rg.evaluate_models(LABELS, {"a": SCORES}, "RR", exclude=out),
    "a function": lambda out: rg.ndcg(LABELS, SCORES, exclude=out),
    "one list": lambda out: rg.ndcg(LABELS[0], SCORES[0], exclude=out[: out.shape[0] - USERS + 1]),
    "evaluate_ids": lambda out: rg.evaluate_ids(IDS, MATRIX, "RR", exclude=out),
    "topk, lists": lambda out: rg.evaluate_ids(IDS, ROWS, "RR", exclude=out),
    "topk, Truth": lambda out: rg.evaluate_ids(IDS, rg.Truth(LABELS), "RR", exclude=out),
    "evaluate_scores": lambda out: rg.evaluate_scores(
        SCORES.__getitem__, MATRIX, "RR", exclude=out
    ),
    "scores, lists": lambda out: rg.evaluate_scores(SCORES.__getitem__, ROWS, "RR", exclude=out),
    "evaluate_factors": lambda out: rg.evaluate_factors(U, V, MATRIX, "RR", exclude=out),
    "factors, lists": lambda out: rg.evaluate_factors(U, V, ROWS, "RR", exclude=out),
}
WIDER_IS_FINE = {"topk, lists"}  # where nothing says how many items there are


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("shape", [(0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)])
def test_another_shape_is_refused(door: str, shape: tuple[int, int]) -> None:
    out = sp.csr_matrix((USERS + shape[0], ITEMS + shape[1]))
    if shape == (0, 0) or (shape == (0, 1) and door in WIDER_IS_FINE):
        DOORS[door](out)
        return
    with pytest.raises(ValueError, match=r"exclude has \d+ (users|items|rows|columns)"):
        DOORS[door](out)


def test_an_id_beyond_what_is_left_out_is_named() -> None:
    out = sp.csr_matrix((1, 6))
    with pytest.raises(ValueError, match="exclude has 6 items, but relevant has the id 7"):
        rg.evaluate_ids([[0, 1]], [[7]], "RR", exclude=out)
    with pytest.raises(ValueError, match="exclude has 6 items, but retrieved has the id 8"):
        rg.evaluate_ids([[8, 1]], [[0]], "RR", exclude=out)
