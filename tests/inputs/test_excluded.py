"""Excluded documents are seen by nothing: a call without them has the same values and errors."""

import re

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


@pytest.mark.parametrize("form", FORMS)
def test_a_mask_in_each_form(form):
    draw = np.random.default_rng(9)
    labels, scores, out = drawn(draw)
    labels, scores = np.abs(labels), draw.random(labels.shape)
    expected = rg.ndcg(labels, scores, exclude=sp.csr_matrix(out))
    y, s, mask, places = FORMS[form](labels, scores, out)
    np.testing.assert_array_equal(rg.ndcg(y, s, exclude=mask, **places), expected)
