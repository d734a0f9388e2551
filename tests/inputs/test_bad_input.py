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
    bad("NaN score, 1-D", lambda: rg.ndcg(L[0], put(S[0], np.nan, 2)), "y_score", "NaN",
        "document 2"),
    bad("NaN score, float32", lambda: rg.err(L, put(S, np.nan, 1, 2, dtype=np.float32), k=1),
        "y_score", AT_1_2),
    bad("NaN score, groups", lambda: rg.auc(FLAT > 0, put(SCORES, np.nan, 4), group=[4, 3]),
        "y_score", AT_1_0),
    bad("NaN score, padded", lambda: rg.dcg(L, put(S, np.nan, 1, 0), lengths=[3, 1]), "y_score",
        AT_1_0),
    bad("NaN label", lambda: rg.ndcg(put(L, np.nan, 1, 2), S, k=1), "y_true", "NaN", AT_1_2),
    bad("NaN label, float16", lambda: rg.precision(put(L, np.nan, 1, 2, dtype=np.float16), S, k=1),
        "y_true", AT_1_2),
    bad("infinite label", lambda: rg.dcg(put(L, np.inf, 1, 2), S, k=1), "y_true", "inf", AT_1_2),
    bad("-infinite label", lambda: rg.recall(put(L, -np.inf, 1, 0), S, k=1), "y_true", "inf",
        AT_1_0),
    bad("NaN label, sparse", lambda: rg.ndcg(csr([1.0, np.nan], [0, 2], [0, 1, 2]), S), "y_true",
        "NaN", "list 1"),
    bad("NaN judged", lambda: rg.ndcg(L, S, judged=[[3, 0, 1], [0, 2, np.nan]]), "judged", "NaN",
        "list 1"),
    bad("infinite judged", lambda: rg.idcg(L[0], k=1, judged=[3, 1, np.inf]), "judged", "inf"),
    bad("NaN judged, ragged", lambda: rg.recall(L, S, judged=[np.array([3.0, 1]),
        np.array([np.nan])]),
        "judged", "NaN", "list 1"),
    bad("negative judged", lambda: rg.ndcg(L, S, judged=[[3, 1], [2, 1, -1]]), "judged", "list 1"),
    bad("negative judged, Truth", lambda: rg.ndcg(rg.Truth(L, judged=[[3, 1], [2, 1, -1]]), S),
        "judged", "negative", "list 1"),
    bad("judged above max_label", lambda: rg.err(L, S, judged=[[3, 1], [2, 1, 7]]), "judged",
        "max_label", "list 1"),
    bad("negative label, Truth", lambda: rg.ndcg(rg.Truth(put(L, -1, 1, 2)), S), "y_true", AT_1_2),
    bad("wide label", lambda: rg.dcg(put(L, 2**53 + 1, 1, 2, dtype=np.int64), S), "y_true",
        r"2\*\*53", AT_1_2),
    bad("wide label, uint64", lambda: rg.dcg(put(L, 2**64 - 1, 1, 2, dtype=np.uint64), S), "y_true",
        r"2\*\*53", AT_1_2),
    bad("negative label", lambda: rg.ndcg(put(L, -1, 1, 2), S, k=1), "y_true", "negative", AT_1_2),
    bad("negative label, err", lambda: rg.err(put(L, -1, 1, 2), S, k=1), "y_true", "negative",
        AT_1_2),
    bad("label above max_label", lambda: rg.err(put(L, 5, 1, 2), S), "max_label", "5", AT_1_2),
    bad("NaN rel", lambda: rg.precision(L, S, rel=np.nan), "rel", "nan"),
    bad("rel text", lambda: rg.precision(L, S, rel="1"), "rel", error=EITHER),
    *(bad(f"p {p}", lambda p=p: rg.rbp(L, S, p=p), r"\bp\b", "0", "1", re.escape(str(p)))
      for p in (0, 1, 1.5, -0.1, np.nan)),
    bad("beta negative", lambda: rg.f1(L, S, beta=-1), "beta", "-1"),
    bad("max_label NaN", lambda: rg.err(L, S, max_label=np.nan), "max_label"),
]  # fmt: skip

LISTS = [
    bad("group short", lambda: rg.dcg(FLAT, SCORES, group=[3, 2]), "group", r"\b5\b", r"\b7\b"),
    bad("group long", lambda: rg.dcg(FLAT, SCORES, group=[3, 5]), "group", r"\b8\b", r"\b7\b"),
    bad("group negative", lambda: rg.dcg(FLAT, SCORES, group=[9, -2]), "group", "-2", r"\b1\b"),
    bad("group wraps", lambda: rg.dcg(FLAT, SCORES, group=[2**62, 2**62, 2**62, 2**62, 7]),
        "group"),
    bad("group too wide", lambda: rg.dcg(FLAT, SCORES, group=np.array([2**64 - 1, 8], np.uint64)),
        "group"),
    bad("group fraction", lambda: rg.dcg(FLAT, SCORES, group=[3.5, 3.5]), "group", "int",
        error=EITHER),
    bad("group 2-D", lambda: rg.dcg(FLAT, SCORES, group=[[3, 4]]), "group", "1-D|dimension"),
    bad("group beside 2-D", lambda: rg.dcg(L, S, group=[3, 3]), "group"),
    bad("qid NaN", lambda: rg.dcg(FLAT, SCORES, qid=[1, 1, 2, 2, np.nan, 3, 3]), "qid", "NaN",
        r"\b4\b"),
    bad("qid NaN, array", lambda: rg.dcg(FLAT[:3], SCORES[:3], qid=np.array([1, np.nan, 3])),
        r"^qid\[1\] has no value \(NaN\); every document needs a query$"),
    bad("qid 2-D", lambda: rg.dcg(FLAT[:3], SCORES[:3], qid=[[1, 2, 3]]),
        r"^qid must be one-dimensional, not of shape \(1, 3\)$"),
    bad("qid of complex numbers", lambda: rg.dcg(FLAT[:3], SCORES[:3], qid=np.array([1j] * 3)),
        r"^qid must hold ints, strings, dates or other ids, not complex128$", error=TypeError),
    bad("qid without a time",
        lambda: rg.dcg(FLAT[:3], SCORES[:3], qid=np.array(["2001-01-01", "NaT", "NaT"], "M8[D]")),
        r"^qid\[1\] has no value"),
    bad("group of ids", lambda: rg.dcg(FLAT[:3], SCORES[:3], group=[7, 7, 8]),
        r"^group\[0\] is 7, but there are 3 documents in all; did you mean qid=\?$"),
    bad("group of small ids", lambda: rg.dcg(FLAT[:3], SCORES[:3], group=[0, 1, 1]),
        r"^group: the sizes sum to 2, but there are 3 documents; did you mean qid=\?$"),
    bad("group of names", lambda: rg.dcg(FLAT[:3], SCORES[:3], group=[*"aab"]),
        r"^group must hold ints, not <U1; did you mean qid=\?$", error=TypeError),
    bad("group of sizes", lambda: rg.dcg(FLAT[:3], SCORES[:3], group=[1, 1]),
        r"^group: the sizes sum to 2, but there are 3 documents$"),
    bad("k beside names", lambda: rg.evaluate_arrays(FLAT[:3], SCORES[:3], "ndcg", k=7),
        r"keyword argument 'k'; a measure has its cutoff in its name: \"nDCG@7\"$",
        error=TypeError),
    bad("sparse alone", lambda: rg.evaluate_arrays(csr([1.0], [0], [0, 1]), None, "P@1"),
        r"^y_true: \(data, indices, indptr\) does not say the number of columns; give y_score"),
    bad("float indices", lambda: rg.ndcg(csr([1.0], [0.0], [0, 1, 1]), S),
        "^y_true: its indices must be ints, not float64$", error=TypeError),
    bad("exclude beyond a list",
        lambda: rg.ndcg(L, S, lengths=[2, 3], exclude=csr([1.0], [2], [0, 1, 1])),
        "^exclude: index 2 is out of range for list 0, which has 2 documents$"),
    bad("ids of two lengths",
        lambda: rg.ndcg(L, S, ties="id", ids=[np.array(["a", "b"]), np.array(["a"])]),
        "^ids does not convert to an array: "),
    bad("no id, first row empty", lambda: rg.ndcg(L, S, ties="id", ids=[[], ["a", None]]),
        r"^ids\[1\]\[1\] is None; every id must be known$"),
    bad("no id, rows of two lengths",
        lambda: rg.ndcg(L, S, ties="id", ids=[["a"], ["a", "b", "c", None]]),
        r"^ids\[1\]\[3\] is None; every id must be known$"),
    bad("ids of floats", lambda: rg.ndcg(L[0], S[0], ties="id", ids=[1.5, 2.0, 3.0]),
        "^ids must hold strings or ints, not float64$", error=TypeError),
    bad("k 2-D", lambda: rg.ndcg(L, S, k=np.array([[1, 2]])),
        r"^k must be one-dimensional, not of shape \(1, 2\)$"),
    bad("weight of text", lambda: rg.evaluate_arrays(L, S, "AP", weight=["a", "b"]),
        "^weight must hold numbers, not <U1$", error=TypeError),
    bad("empty beside a name", lambda: rg.evaluate_arrays(L, S, "DCG(log_base=3)", empty="x"),
        r"^measure 'DCG\(log_base=3\)': empty must be a number "),
    bad("NaN, 1-D, as scikit-learn", lambda: rg.dcg_score([1, np.nan], [1, 2]),
        "^y_true contains NaN: position 1 is the first"),
    bad("NaN, long double",
        lambda: rg.ndcg([[1, 0]], np.array([[2**60 + 1, np.nan]], np.longdouble)),
        "^y_score: list 0, document 1 is NaN"),
    bad("qid length", lambda: rg.dcg(FLAT, SCORES, qid=[1, 1, 2]), "qid", r"\b3\b", r"\b7\b"),
    bad("lengths ragged", lambda: rg.dcg(L, S, lengths=[[1], [2, 3]]),
        "^lengths does not convert to an array of numbers with rows of one length: setting an "),
    bad("lengths above", lambda: rg.dcg(L, S, lengths=[3, 4]), "lengths", r"\b4\b", r"\b1\b"),
    bad("lengths negative", lambda: rg.dcg(L, S, lengths=[3, -1]), "lengths", "-1", r"\b1\b"),
    bad("lengths count", lambda: rg.dcg(L, S, lengths=[3]), "lengths", r"\b1\b", r"\b2\b"),
    bad("lengths beside 1-D", lambda: rg.dcg(FLAT, SCORES, lengths=[3]), "lengths"),
    bad("group and qid", lambda: rg.dcg(FLAT, SCORES, group=[7], qid=[1] * 7), "group", "qid"),
    bad("group and lengths", lambda: rg.dcg(L, S, group=[6], lengths=[3, 3]), "group", "lengths"),
    bad("qid and lengths", lambda: rg.dcg(L, S, qid=[1], lengths=[3, 3]), "qid", "lengths"),
    bad("shapes", lambda: rg.dcg(L, S[:, :2]), "y_true", "y_score", r"\(2, 3\)", r"\(2, 2\)"),
    bad("lists", lambda: rg.dcg(L, S[:1]), "y_true", "y_score"),
    bad("1-D beside 2-D", lambda: rg.dcg(L[0], S), "y_true", "y_score"),
    bad("3-D", lambda: rg.dcg(L[None], S[None]), "y_true|y_score", r"3|\(1, 2, 3\)"),
    bad("scalar", lambda: rg.dcg(1, 2), "y_true", error=EITHER),
    bad("judged lacks relevant", lambda: rg.recall(L, S, judged=[[3, 1, 1], [1, 0, 0]]), "judged",
        r"list 1\b"),
    bad("judged count", lambda: rg.ndcg(L, S, judged=[[3, 1, 1]]), "judged", r"\b1\b", r"\b2\b"),
    bad("judged 1-D", lambda: rg.ndcg(L, S, judged=[3, 1, 1]), "judged"),
    bad("judged 3-D", lambda: rg.ndcg(L, S, judged=np.zeros((2, 1, 3))), "judged"),
    bad("judged text", lambda: rg.ndcg(L[0], S[0], judged=["3", "1"]), "judged", error=EITHER),
    bad("sparse index", lambda: rg.dcg(csr([1.0, 1], [0, 3], [0, 1, 2]), S), "y_true", r"\b3\b",
        r"list 1\b"),
    bad("sparse index < 0", lambda: rg.dcg(csr([1.0, 1], [0, -1], [0, 1, 2]), S), "y_true", "-1",
        "list 1"),
    bad("sparse indptr falls", lambda: rg.dcg(csr([1.0, 1], [0, 1], [0, 2, 1]), S), "y_true",
        "indptr"),
    bad("sparse indptr long", lambda: rg.dcg(csr([1.0, 1], [0, 1], [0, 1, 9]), S), "y_true",
        "indptr"),
    bad("sparse lists", lambda: rg.dcg(csr([1.0, 1], [0, 1], [0, 2]), S), "y_true"),
    bad("Truth and group", lambda: rg.ndcg(rg.Truth(L), S, group=[3, 3]), "group", "Truth",
        error=TypeError),
    bad("Truth and judged", lambda: rg.ndcg(rg.Truth(L), S, judged=L), "judged", "Truth",
        error=TypeError),
    bad("Truth, scores", lambda: rg.ndcg(rg.Truth(L), S[:1]), "y_score"),
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
    bad("group too large", lambda: rg.auc(FLAT > 0, SCORES, group=[8, 9]), r"group\[0\] is 8"),
    bad("lengths below 0", lambda: rg.ndcg(L, S, lengths=[-1, -3]), r"lengths\[0\] is -1"),
    bad("lengths too large", lambda: rg.ndcg(L, S, lengths=[4, 9]), r"lengths\[0\] is 4"),
    bad("sizes of lists", lambda: rg.ndcg([[1, 0], [1], [1]], [[1, 2], [1, 2], [1, 2, 3]]),
        "list 1 has 2 documents"),
    bad("repeated columns", lambda: rg.ndcg(csr([1] * 4, [2, 1, 1, 2], [0, 4, 4]), S),
        "list 0 has index 1 twice"),
    bad("repeated exclusions", lambda: rg.ndcg(L, S, exclude=csr([1] * 4, [2, 1, 1, 2], [0, 0, 4])),
        "list 1 has index 1 twice"),
    bad("repeated relevant columns",
        lambda: rg.evaluate_ids([[5, 3], [1]], [[1], [2, 1, 1, 2]], "RR"),
        "list 1 has index 1 twice"),
    bad("repeated relevant ids",
        lambda: rg.evaluate_ids([["a"], ["a"]], [["a"], ["c", "b", "b", "c"]], "RR"),
        "list 1, position 2 has the id 'b'"),
    bad("repeated judged pairs",
        lambda: rg.evaluate_ids([["a"]], [[("c", 1), ("b", 1), ("b", 2), ("c", 2)]], "RR"),
        "list 0 has the id 'b' twice"),
    bad("repeated ids of documents",
        lambda: rg.auc([1, 0, 1, 0], [4.0, 3, 2, 1], ids=["c", "b", "b", "c"]), "has 'b' twice"),
    bad("columns out of range", lambda: rg.ndcg(csr([1, 1], [7, 9], [0, 1, 2]), S),
        "list 0 has label index 7|index 7.*list 0|list 0.*index 7"),
    bad("gains", lambda: rg.evaluate_ids([["a"]], [["a", "b", "c"]], "DCG",
        gains=[[1, np.inf, np.nan]]), "position 1 is inf"),
    bad("NaN scores", lambda: rg.ndcg(L, put(put(S, np.nan, 1, 2), np.nan, 1, 0)), AT_1_0),
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
