"""Bad arguments beside the arrays: gains, discounts, cutoffs, words, measures, ids, weights."""

import re

import numpy as np
import pytest

import rankgain as rg
from refusals import AT_0_0, AT_1_2, EITHER, L, S, bad, check_refused, csr, put

CUTS = {"discount": [1.0, 0.5, 0.25]}

GAINS = [
    bad("gain overflows", lambda: rg.dcg(put(L, 1100, 1, 2), S, gain="exp2"), "gain", AT_1_2),
    bad("err overflows", lambda: rg.err(put(L, 1100, 1, 2), S, max_label=1200), "1100|max_label"),
    bad("table lacks a label", lambda: rg.ndcg(L, S, gain={0: 0, 1: 1, 2: 3}), "gain", r"\b3\b",
        AT_0_0),
    bad("array lacks a label", lambda: rg.ndcg(L, S, gain=[0, 1, 3]), "gain", r"\b3\b", AT_0_0),
    bad("array, fraction", lambda: rg.dcg(put(L, 0.5, 1, 2), S, gain=[0, 1, 3, 7]), "gain",
        r"0\.5", AT_1_2),
    bad("table lacks a judged label",
        lambda: rg.ndcg(L[0], S[0], judged=[9, 3, 1], gain=[0, 1, 2, 3]), "gain", r"\b9\b"),
    bad("table value NaN", lambda: rg.ndcg(L, S, gain={0: 0, 1: 1, 2: np.nan, 3: 7}), "gain",
        "nan"),
    bad("table of text", lambda: rg.ndcg(L, S, gain={"high": 1}), "gain", "high"),
    bad("table of None", lambda: rg.ndcg(L, S, gain={0: 0, 1: None}), "gain", error=TypeError),
    bad("unknown gain", lambda: rg.ndcg(L, S, gain="exponential"), "gain", "exponential", "exp2"),
    bad("gain number", lambda: rg.ndcg(L, S, gain=2), "gain", error=EITHER),
    bad("callable, shape", lambda: rg.ndcg(L, S, gain=lambda r: r[:1]), "gain", "shape"),
    bad("callable, scalar", lambda: rg.ndcg(L, S, gain=lambda r: 1.0), "gain", "shape"),
    bad("callable, NaN", lambda: rg.ndcg(L, S, gain=lambda r: r * np.nan), "gain", "nan|finite"),
    bad("callable, inf", lambda: rg.dcg(L, S, gain=lambda r: r + np.inf), "gain", "inf|finite"),
    bad("callable raises", lambda: rg.dcg(L, S, gain=lambda r: 1 / 0), error=ZeroDivisionError),
    bad("gain of 0, sparse", lambda: rg.dcg(csr([1.0], [0], [0, 1, 1]), S, gain={0: 0.1, 1: 1}),
        "gain", "sparse"),
    bad("unknown discount", lambda: rg.dcg(L, S, discount="ln"), "discount", "ln", "log2"),
    bad("discount increases", lambda: rg.dcg(L, S, discount=[1, 0.5, 0.75]), "discount", "increas",
        "rank 3"),
    bad("discount negative", lambda: rg.dcg(L, S, discount=[1, 0.5, -0.1]), "discount", "least 0",
        "rank 3"),
    bad("discount NaN", lambda: rg.dcg(L, S, discount=[1, np.nan, 0]), "discount", "nan|finite",
        "rank 2"),
    bad("discount inf", lambda: rg.dcg(L, S, discount=[np.inf, 1, 0]), "discount", "inf|finite"),
    bad("discount 2-D", lambda: rg.dcg(L, S, discount=[[1, 1, 1]]), "discount", "1-D|dimension",
        error=EITHER),
    bad("discount short", lambda: rg.dcg(L, S, discount=[1, 0.5]), "discount", r"\b2\b", r"\b3\b"),
    bad("discount short, ideal", lambda: rg.ndcg(L[0], S[0], judged=[3, 1, 0, 0, 2], **CUTS),
        "discount"),
    bad("discount callable, shape", lambda: rg.dcg(L, S, discount=lambda r: 1.0), "discount",
        "shape"),
    bad("discount callable, rising", lambda: rg.dcg(L, S, discount=lambda r: r), "discount",
        "increas"),
    *(bad(f"log_base {b}", lambda b=b: rg.dcg(L, S, discount="log", log_base=b), "log_base")
      for b in (1, 0.5, -2, np.nan, np.inf)),
]  # fmt: skip

CHOICES = [
    *(bad(f"k {k}", lambda k=k: rg.ndcg(L, S, k=k), r"\bk\b", re.escape(str(k)), error=error)
      for k, error in ((0, ValueError), (-1, ValueError), (True, EITHER),
                       (1.5, EITHER), ("5", EITHER))),
    bad("k sequence", lambda: rg.ndcg(L, S, k=[1, 0]), r"\bk\b", r"\b0\b"),
    bad("k floats", lambda: rg.ndcg(L, S, k=np.array([1.5, 2.0])), r"\bk\b", error=EITHER),
    bad("k nested", lambda: rg.ndcg(L, S, k=[[1, 2]]), r"\bk\b", error=EITHER),
    bad("unknown ties", lambda: rg.ndcg(L, S, ties="first"), "ties", "first", "average"),
    bad("ties id, no ids", lambda: rg.ndcg(L, L * 0, ties="id"), "ids=", "ties="),
    bad("trec, tied", lambda: rg.ndcg(L, L * 0, convention="trec"), "ids=", "ties="),
    bad("ids length", lambda: rg.ndcg(L, S, ties="id", ids=["a", "b"]), "ids"),
    bad("ids repeated", lambda: rg.ndcg(L, S, ties="id", ids=[["a", "b", "c"], ["a", "b", "a"]]),
        "ids", "list 1", "twice|repeat|same|two"),
    *(bad(f"seed {seed}", lambda seed=seed: rg.ndcg(L, S, ties="random", seed=seed), "seed",
          error=EITHER) for seed in (-1, 1.5, "x")),
    bad("precision divisor", lambda: rg.precision(L, S, k=2, divisor="hits"), "divisor", "hits",
        "min"),
    *(bad(f"F1 divisor {word}", lambda word=word: rg.f1(L, S, k=2, divisor=word), "divisor", word)
      for word in ("min_relevant", "relevant", "hits")),
    bad("AP divisor", lambda: rg.average_precision(L, S, divisor="hit"), "divisor", "'hit'"),
    bad("empty word", lambda: rg.ndcg(L, S, empty="zero"), "empty", "zero", "skip"),
    bad("empty None", lambda: rg.ndcg(L, S, empty=None), "empty", error=EITHER),
    bad("empty raise", lambda: rg.ndcg(L * [[1], [0]], S, empty="raise"), "list 1",
        "undefined|empty|no "),
    bad("empty raise, auc", lambda: rg.auc(L > -1, S, empty="raise"), "list 0"),
    *(bad(f"threads {n}", lambda n=n: rg.ndcg(L, S, threads=n), "threads", error=EITHER)
      for n in (0, -2, 1.5, True)),
    bad("unknown convention", lambda: rg.ndcg(L, S, convention="scikit"), "convention", "scikit"),
    bad("start of a convention", lambda: rg.ndcg(L, S, convention="sk"),
        "'sk'; did you mean 'sklearn'"),
    bad("convention number", lambda: rg.ndcg(L, S, convention=3), "convention", error=EITHER),
]  # fmt: skip

TOP = np.array([[0, 1, 2], [2, 1, -1]])
RELEVANT = csr([1.0, 1, 1], [0, 3, 1], [0, 2, 3])


def topk(retrieved, relevant=RELEVANT, **kwargs):
    return rg.evaluate_ids(retrieved, relevant, ["P@2"], **kwargs)


def arrays(*measures, **kwargs):
    return rg.evaluate_arrays(L, S, list(measures), **kwargs)


EVALUATIONS = [
    bad("unknown name", lambda: arrays("nDGC@10"), "nDGC@10", "nDCG"),
    bad("ndcg_cut", lambda: arrays("ndcg_cut"), "ndcg_cut", "cutoff"),
    bad("hits", lambda: arrays("hits@10"), "hits@10", "HitRate@10"),
    bad("cutoff 0", lambda: arrays("nDCG@0"), "nDCG@0"),
    bad("cutoff text", lambda: arrays("nDCG@ten"), "nDCG@ten"),
    bad("unknown parameter", lambda: arrays("P(gain=exp2)@5"), r"P\(gain=exp2\)@5", "gain"),
    bad("measure number", lambda: arrays(10), "measure", "int", error=EITHER),
    bad("unknown argument", lambda: arrays("nDCG", gains="exp2"), "gains", error=TypeError),
    bad("k", lambda: arrays("nDCG", k=5), r"\bk\b", error=TypeError),
    bad("weights overflow", lambda: arrays("AP", weight=[1e308, 1e308]), "weight", "overflow"),
    bad("weight negative", lambda: arrays("AP", weight=[1, -1]), "weight", "-1", r"\b1\b"),
    bad("weight NaN", lambda: arrays("AP", weight=[1, np.nan]), "weight", "nan", r"\b1\b"),
    bad("weight inf", lambda: arrays("AP", weight=[np.inf, 1]), "weight", "inf|finite", r"\b0\b"),
    bad("weight length", lambda: arrays("AP", weight=[1, 2, 3]), "weight", r"\b3\b", r"\b2\b"),
    bad("weight 2-D", lambda: arrays("AP", weight=[[1, 2]]), "weight"),
    bad("NaN score", lambda: rg.evaluate_arrays(L, put(S, np.nan, 1, 2), ["AP"]), "y_score",
        AT_1_2),
    bad("id above", lambda: topk([[0, 1, 2], [2, 1, 4]], scipy_csr(4)), "retrieved", r"\b4\b",
        r"list 1\b"),
    bad("id below -1", lambda: topk([[0, 1, 2], [2, 1, -2]]), "retrieved", "-2", r"list 1\b"),
    bad("-1 inside", lambda: topk([[0, 1, 2], [2, -1, 1]]), "retrieved", "-1", "end", r"list 1\b"),
    bad("id twice", lambda: topk([[0, 1, 2], [2, 1, 2]]), "retrieved", r"\b2\b",
        "twice|second time", r"list 1\b"),
    bad("ids floats", lambda: topk(TOP * 1.0), "retrieved", "int", error=EITHER),
    bad("ids lists", lambda: topk(TOP[:1]), "retrieved|relevant"),
    bad("ids 3-D", lambda: topk(TOP[None]), "retrieved"),
    bad("relevant -1", lambda: topk(TOP, [[0], [-1, 2]]), "relevant", "-1", "list 1"),
    bad("gains NaN", lambda: topk(TOP, [[0], [1]], gains=[[1], [np.nan]]), "gains", "list 1"),
    bad("gains shape", lambda: topk(TOP, [[0], [1]], gains=[[1], [1, 2]]), "gains", "list 1"),
    bad("sparse scores", lambda: rg.ndcg(L, scipy_csr(4)), "y_score", "dense", error=TypeError),
    bad("relevant floats", lambda: topk(TOP, [np.array([0.5]), np.array([1])]), "relevant",
        error=EITHER),
    bad("relevant lists", lambda: topk(TOP, [np.array([0])]), "relevant"),
]  # fmt: skip


def scipy_csr(columns):
    sparse = pytest.importorskip("scipy.sparse")
    return sparse.csr_array(RELEVANT, shape=(2, columns))


@pytest.mark.parametrize(("call", "error", "parts"), GAINS + CHOICES + EVALUATIONS)
def test_refused(call, error, parts):
    check_refused(call, error, parts)


@pytest.mark.parametrize(("name", "first", "again"), [
    ("rel", 1, True), ("rel", 2, 2 + 0j), ("seed", 1, 1.0), ("seed", 0, False), ("beta", 1, True),
    ("empty", 0, False), ("threads", 1, True), ("threads", 1, 1.0),
])  # fmt: skip
def test_a_call_like_one_before_is_checked_all_the_same(name, first, again):
    """1, 1.0 and True are equal and hash alike, but not all taken for each other."""
    labels, scores = np.array([2.0, 0.0]), np.array([0.3, 0.2])
    assert rg.f1(labels, scores, **{name: first}) > 0.5
    with pytest.raises(TypeError, match=name):
        rg.f1(labels, scores, **{name: again})


@pytest.mark.parametrize(("name", "word"), [
    ("gain", "exp2"), ("gain", "binary"), ("discount", "reciprocal"), ("ties", "worst"),
    ("ties", "reverse"), ("empty", "skip"), ("convention", "lightgbm"),
])  # fmt: skip
def test_words_of_numpy_are_words(name, word):
    """An element of an array of strings is a subclass of str."""
    labels, scores = [[1, 0, 2, 0]], [[0.5, 0.5, 0.5, 0.1]]
    for measure in (rg.ndcg, lambda *a, **b: rg.evaluate_arrays(*a, "nDCG", **b)["nDCG"]):
        expected = measure(labels, scores, **{name: word})
        assert measure(labels, scores, **{name: np.str_(word)}) == expected
