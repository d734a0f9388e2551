"""Bad input: each row is a call, the error and what its message must say.

A message names the argument, the first offending place (lists and documents count from 0, as in
numpy) and what to do instead.
"""

import re

import numpy as np
import pytest

import rankgain as rg
from refusals import AT_1_0, AT_1_2, EITHER, L, S, bad, check_refused, csr, put

FLAT, SCORES = np.array([3, 0, 1, 0, 2, 1, 0]), np.array([7.0, 6, 5, 4, 3, 2, 1])


class OnTheGpu:
    """What a CUDA tensor shows of itself."""

    shape, ndim, dtype = (2, 3), 2, "float32"

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise BufferError("cannot export a CUDA tensor")

    def __array__(self, *_, **__):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


class NeedsGrad:
    """What a tensor with requires_grad shows of itself."""

    shape, ndim, dtype, requires_grad = (2, 3), 2, "float32", True

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    def __array__(self, *_, **__):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")


SOME_MASKED = np.ma.array([1, 1, 2, 2], mask=[0, 0, 1, 0])
NUMBERS = [
    bad("NaN score", lambda: rg.ndcg(L, put(S, np.nan, 1, 2)), "y_score", "NaN", AT_1_2),
    bad("infinite label", lambda: rg.dcg(put(L, np.inf, 1, 2), S, k=1), "y_true", "inf", AT_1_2),
    bad("negative judged", lambda: rg.ndcg(L, S, judged=[[3, 1], [2, 1, -1]]), "judged", "list 1"),
    bad("wide label", lambda: rg.dcg(put(L, 2**53 + 1, 1, 2, dtype=np.int64), S), "y_true",
        r"2\*\*53", AT_1_2),
    bad("negative label", lambda: rg.ndcg(put(L, -1, 1, 2), S, k=1), "y_true", "negative", AT_1_2),
    bad("label above max_label", lambda: rg.err(put(L, 5, 1, 2), S), "max_label", "5", AT_1_2),
    bad("rel text", lambda: rg.precision(L, S, rel="1"), "rel", error=EITHER),
    *(bad(f"p {p}", lambda p=p: rg.rbp(L, S, p=p), r"\bp\b", "0", "1", re.escape(str(p)))
      for p in (0, 1, 1.5, -0.1, np.nan)),
]  # fmt: skip

LISTS = [
    bad("group short", lambda: rg.dcg(FLAT, SCORES, group=[3, 2]), "group", r"\b5\b", r"\b7\b"),
    bad("qid NaN", lambda: rg.dcg(FLAT, SCORES, qid=[1, 1, 2, 2, np.nan, 3, 3]), "qid", "NaN",
        r"\b4\b"),
    bad("group of ids", lambda: rg.dcg(FLAT[:3], SCORES[:3], group=[7, 7, 8]),
        r"^group\[0\] is 7, but there are 3 documents in all; did you mean qid=\?$"),
    bad("k beside names", lambda: rg.evaluate_arrays(FLAT[:3], SCORES[:3], "ndcg", k=7),
        r"keyword argument 'k'; a measure has its cutoff in its name: \"nDCG@7\"$",
        error=TypeError),
    bad("exclude beyond a list",
        lambda: rg.ndcg(L, S, lengths=[2, 3], exclude=csr([1.0], [2], [0, 1, 1])),
        "^exclude: index 2 is out of range for list 0, which has 2 documents$"),
    bad("ids of two lengths",
        lambda: rg.ndcg(L, S, ties="id", ids=[np.array(["a", "b"]), np.array(["a"])]),
        "^ids does not convert to an array: "),
    bad("no id, first row empty", lambda: rg.ndcg(L, S, ties="id", ids=[[], ["a", None]]),
        r"^ids\[1\]\[1\] is None; every id must be known$"),
    bad("lengths ragged", lambda: rg.dcg(L, S, lengths=[[1], [2, 3]]),
        "^lengths does not convert to an array of numbers with rows of one length: setting an "),
    bad("lengths above", lambda: rg.dcg(L, S, lengths=[3, 4]), "lengths", r"\b4\b", r"\b1\b"),
    bad("shapes", lambda: rg.dcg(L, S[:, :2]), "y_true", "y_score", r"\(2, 3\)", r"\(2, 2\)"),
    bad("judged lacks relevant", lambda: rg.recall(L, S, judged=[[3, 1, 1], [1, 0, 0]]), "judged",
        r"list 1\b"),
    bad("sparse index", lambda: rg.dcg(csr([1.0, 1], [0, 3], [0, 1, 2]), S), "y_true", r"\b3\b",
        r"list 1\b"),
    bad("Truth and group", lambda: rg.ndcg(rg.Truth(L), S, group=[3, 3]), "group", "Truth",
        error=TypeError),
]  # fmt: skip

KINDS = [
    *(bad(f"{name} {kind}", lambda a=args: rg.ndcg(*a), name, word, error=EITHER)
      for kind, value, word in (
          ("objects", np.array([[1, 2, None], [1, 2, 3]], dtype=object), "object|numeric|number"),
          ("text", np.array([["1", "2", "3"], ["4", "5", "6"]]), "numeric|number|dtype"),
          ("complex", L * 1j, "complex"),
          ("dates", L.astype("datetime64[s]"), "numeric|number|dtype"),
          ("masked", np.ma.masked_array(L, mask=L == 0), "mask"),
          ("None", None, "None|array"),
          ("CUDA", OnTheGpu(), "cpu"),
          ("requires grad", NeedsGrad(), "detach"))
      for name, args in (("y_true", (value, S)), ("y_score", (L, value)))
      if not (kind == "None" and name == "y_score")),
    *(bad(f"{name} masked", call, name, "value 2 is masked", "fill", error=TypeError)
      for name, call in (
          ("qid", lambda: rg.ndcg(FLAT[:4], SCORES[:4], qid=SOME_MASKED)),
          ("weight", lambda: rg.evaluate_arrays(
              [[1, 0]] * 4, [[1, 2]] * 4, "RR", weight=SOME_MASKED)),
          ("users", lambda: rg.evaluate_scores(
              lambda users: [[1, 2]] * len(users), [[0]] * 4, "RR", users=SOME_MASKED)))),
    bad("judged masked", lambda: rg.ndcg(L, S, judged=np.ma.masked_array(L, mask=L == 0)),
        "judged", "mask",
        error=EITHER),
    *(bad(f"{name}({word}=)", lambda name=name, word=word: getattr(rg, name)(L > 0, S,
        **{word: 1}), word,
          error=TypeError)
      for name, word in (("ndcg", "gains"), ("ndcg", "divisor"), ("cg", "discount"), ("precision",
      "gain"),
                         ("err", "discount"), ("auc", "k"), ("auc", "judged"), ("r_precision", "k"),
                         ("rbp", "beta"), ("recall", "weight"))),
    bad("k by position", lambda: rg.ndcg(L, S, 10), "positional", error=TypeError),
]  # fmt: skip


# Two faults each, of which neither the last nor the one that is farther off is named.
FIRST_OF_SEVERAL = [
    bad("group below 0", lambda: rg.auc(FLAT > 0, SCORES, group=[9, -1, -3]), r"group\[1\] is -1"),
    bad("sizes of lists", lambda: rg.ndcg([[1, 0], [1], [1]], [[1, 2], [1, 2], [1, 2, 3]]),
        "list 1 has 2 documents"),
    bad("repeated relevant ids",
        lambda: rg.evaluate_ids([["a"], ["a"]], [["a"], ["c", "b", "b", "c"]], "RR"),
        "list 1, position 2 has the id 'b'"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "parts"), NUMBERS + LISTS + KINDS + FIRST_OF_SEVERAL)
def test_refused(call, error, parts):
    check_refused(call, error, parts)


FAMILIES = ["cg", "dcg", "ndcg", "average_precision", "reciprocal_rank", "hit_rate", "precision",
            "recall", "f1", "r_precision", "rbp", "err", "auc"]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ties", ["average", "stable", "best", "random"])
def test_a_nan_is_found_wherever_it_stands(family, dtype, ties):
    """Also where no ranker would look: far below the top k, among irrelevant documents."""
    labels = np.zeros((2, 700))
    labels[:, 5] = 1
    scores = -np.arange(1400, dtype=dtype).reshape(2, 700)
    function = getattr(rg, family)
    options = {} if family in ("auc", "r_precision") else {"k": 2}
    for position in (0, 5, 6, 63, 64, 699):
        wrong = put(scores, np.nan, 1, position, dtype=dtype)
        with pytest.raises(ValueError, match=rf"y_score.*list 1\b.*document {position}\b"):
            function(labels, wrong, ties=ties, **options)
        wrong = put(labels, np.nan, 1, position)
        with pytest.raises(ValueError, match=rf"y_true.*list 1\b.*document {position}\b"):
            function(wrong, scores, ties=ties, **options)


@pytest.mark.parametrize(("labels", "scores", "words"), [
    (L, put(S, np.nan, 1, 2), ("y_score", "NaN", AT_1_2)),
    (put(L * 1.0, np.inf, 1, 0), S, ("y_true", "inf", AT_1_0)),
    (L, S[:1], ("y_score", "shape")),
    (L, S[:, :2], ("y_score", "shape")),
    (L, S[None], ("y_score", "dimensions")),
    (L, np.array(1.0), ("y_score", "dimensions")),
])  # fmt: skip
def test_rows_asked_again_are_checked_all_the_same(labels, scores, words):
    """Calls that were made before take a shorter way, which knows no words for errors."""
    for _ in range(2):
        rg.ndcg(L, S, k=2)
        with pytest.raises(ValueError, match=words[0]) as refused:
            rg.ndcg(labels, scores, k=2)
        for word in words[1:]:
            assert re.search(word, str(refused.value)), (word, refused.value)


@pytest.mark.parametrize(("name", "form", "judged", "words"), [
    ("P(rel=0)@2", csr([3, 1, 2, 1], [0, 2, 1, 2], [0, 2, 4]), None, "take rel above 0"),
    ("nDCG@2", L, np.zeros_like(L), "judged"),
])  # fmt: skip
def test_lists_of_another_form_are_checked_though_measures_are_known(name, form, judged, words):
    rg.evaluate_arrays(L, S, [name])
    with pytest.raises(ValueError, match=words):
        rg.evaluate_arrays(form, S, [name], judged=judged)


CELLS = np.arange(6.0)
SHORT = {  # two lists of three and two documents, beside labels of four columns
    "lengths": (np.arange(8.0).reshape(2, 4), {"lengths": [3, 2]}),
    "group": (CELLS[:5], {"group": [3, 2]}),
    "qid": (CELLS[:5], {"qid": [7, 7, 7, 5, 5]}),
    "rows": (CELLS.reshape(2, 3), {}),
    "an empty list": (CELLS[:3], {"group": [3, 0]}),
}
EXCLUDED = {
    "nothing": csr([], [], [0, 0, 0]),
    "another": csr([1], [0], [0, 1, 1]),
    "the one before": csr([1, 1], [0, 2], [0, 2, 2]),
}


@pytest.mark.parametrize("excluded", EXCLUDED.values(), ids=EXCLUDED)
@pytest.mark.parametrize("form", SHORT)
@pytest.mark.parametrize("judged", [None, np.ones((2, 4))], ids=["own", "judged"])
@pytest.mark.parametrize("labels", [
    csr([2, 1, 1], [0, 1, 3], [0, 2, 3]), csr([1, 1], [3, 0], [0, 2, 2]), csr([1], [99], [0, 1, 1]),
])  # fmt: skip
def test_labels_beyond_a_list_are_refused_beside_exclusions(excluded, form, judged, labels):
    """As without exclusions; else they would be labels of the next list's documents."""
    scores, options = SHORT[form]
    for function in (rg.ndcg, rg.average_precision, rg.recall):
        with pytest.raises(ValueError, match=r"y_true: index \d+ is out of range for list [01]"):
            function(labels, scores, k=2, exclude=excluded, judged=judged, **options)
    with pytest.raises(ValueError, match="is out of range for list"):
        rg.evaluate_arrays(labels, scores, "R@2", exclude=excluded, bounds="unjudged", **options)


def test_numbers_of_many_digits_are_written_out() -> None:
    scores = np.ones((1, 70))
    for place, kind in ((1234567, np.int64), (2**64 - 1, np.uint64), (2**63 + 5, np.uint64)):
        truth = (np.ones(1), np.array([place], kind), np.array([0, 1]))
        with pytest.raises(ValueError, match=f"index {place} is out of range for list 0"):
            rg.ndcg(truth, scores)
    with pytest.raises(ValueError, match="has the negative label -1234567,"):
        rg.ndcg([-1234567.0, 1.0], [0.1, 0.2])
    with pytest.raises(ValueError, match="has label 1234567, above max_label"):
        rg.err([1234567, 1], [0.1, 0.2])


def test_a_sparse_array_of_one_dimension_is_refused() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"^y_true has 1 dimensions; it must have 2$"):
        rg.ndcg(sparse.coo_array(([1], ([0],)), shape=(3,)), S)


@pytest.mark.parametrize(("ids", "expected"), [("abc", 1 / np.log2(3)), ("bac", 1.0)])
def test_ids_of_bytes_break_ties(ids: str, expected: float) -> None:
    names = np.array(list(ids), "S1")
    assert rg.ndcg([0, 1, 0], [1.0, 1.0, 0.0], ties="id", ids=names) == expected
