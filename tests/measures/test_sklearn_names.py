"""The functions with scikit-learn's names: its own tests, its values, its refusals."""

import inspect
import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from contextlib import nullcontext

import numpy as np
import pytest

import rankgain as rg
from places import ROOT
from sampling import sampled

RUNNER = ROOT / "tests" / "oracle" / "run_sklearn_tests.py"
NAMES = ["dcg_score", "ndcg_score"]
MULTILABEL = ["label_ranking_average_precision_score", "label_ranking_loss", "coverage_error"]
rng = np.random.default_rng(20240229)


@pytest.fixture
def theirs():
    return pytest.importorskip("sklearn.metrics")


@pytest.mark.slow
def test_scikit_learns_own_tests_pass_with_ours_in_place(theirs, tmp_path):
    report = tmp_path / "report.xml"
    command = [sys.executable, str(RUNNER), str(report)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    cases = ElementTree.parse(report).getroot().findall(".//testcase")
    passed = {case.attrib["name"] for case in cases if len(case.findall("skipped")) == 0}
    assert len(passed) >= 150
    for test in ("test_dcg_score", "test_dcg_ties", "test_ndcg_score", "test_ndcg_invariant",
                 "test_ndcg_toy_examples[True]", "test_ndcg_negative_ndarray_error",
                 "test_multilabel_sample_weight_invariance[ndcg_score]",
                 "test_coverage_error", "test_label_ranking_loss", "test_lrap_error_raised",
                 "test_ranking_loss_ties_handling", "test_coverage_tie_handling",
                 "test_top_k_accuracy_score_increasing"):  # fmt: skip
        assert test in passed
    calls = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", run.stdout)}
    for name in (*NAMES, *MULTILABEL, "top_k_accuracy_score"):
        assert calls[name] > 20


def test_scikit_learn_is_not_imported():
    check = "import rankgain, sys; assert not any(m.startswith('sklearn') for m in sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


@pytest.mark.parametrize("name", [*NAMES, *MULTILABEL, "top_k_accuracy_score"])
def test_signatures(theirs, name):
    def parameters(function):
        result = inspect.signature(function).parameters.values()
        return [(p.name, p.kind, p.default) for p in result]

    assert parameters(getattr(rg, name)) == parameters(getattr(theirs, name))


def both(theirs, name, *args, **kwargs):
    ours = getattr(rg, name)(*args, **kwargs)
    assert type(ours) is float
    expected = getattr(theirs, name)(*args, **kwargs)
    assert ours == pytest.approx(expected, rel=1e-13, abs=1e-15)


LABELS = {
    "binary": rng.integers(0, 2, (40, 12)),
    "graded": rng.integers(0, 5, (40, 12)).astype(np.int8),
    "real": rng.random((40, 12)),
    "some rows zero": rng.integers(0, 2, (40, 12)) * (np.arange(40) % 3 > 0)[:, None],
    "bool": rng.integers(0, 2, (40, 12)).astype(bool),
    "one list": rng.integers(0, 3, (1, 12)),
}
SCORES = {
    "distinct": np.stack([rng.permutation(12) for _ in range(40)]).astype(np.float64),
    "tied": rng.integers(0, 4, (40, 12)).astype(np.float64),
    "all tied": np.zeros((40, 12)),
    "float32": rng.integers(0, 6, (40, 12)).astype(np.float32) / np.float32(3),
    "float16": rng.random((40, 12)).astype(np.float16),
    "integers": rng.integers(-9, 9, (40, 12)),
    "fortran": np.asfortranarray(rng.integers(0, 9, (40, 12)).astype(np.float64)),
    "objects": rng.integers(0, 9, (40, 12)).astype(object),
}


@pytest.mark.parametrize(("name", "labels", "scores"), sampled(NAMES, LABELS, SCORES, one_in=3))
def test_values(theirs, name, labels, scores):
    y_true = LABELS[labels]
    y_score = SCORES[scores][: len(y_true)]
    for k in (None, 1, 5, 12, 400):
        both(theirs, name, y_true, y_score, k=k)
    both(theirs, name, y_true.tolist(), y_score.tolist(), k=3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("labels", LABELS)
def test_ignore_ties(theirs, name, labels):
    y_true = LABELS[labels]
    distinct = SCORES["distinct"][: len(y_true)]
    both(theirs, name, y_true, distinct, ignore_ties=True)
    both(theirs, name, y_true, distinct, k=4, ignore_ties=True)
    both(theirs, name, y_true, SCORES["tied"][: len(y_true)], ignore_ties=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("documents", [2, 15, 16, 17, 64, 65, 300, 3000])
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i8", "u1", ">f8"])
def test_tied_documents_stand_as_scikit_learn_has_them(theirs, name, documents, dtype):
    """Its sort is not stable: what it makes of ties differs between processors, and so do we."""
    draw = np.random.default_rng(documents)
    y_true = draw.integers(0, 5, (9, documents))
    for levels in (1, 3, 200):
        y_score = draw.integers(0, levels, (9, documents)).astype(dtype)
        y_score[:4] = np.argsort(draw.random((4, documents)), axis=1)  # tied only where it is large
        for k in (None, 1, 10):
            both(theirs, name, y_true, y_score, k=k, ignore_ties=True)
    both(theirs, name, y_true, np.asfortranarray(y_score), ignore_ties=True)
    both(theirs, name, y_true.tolist(), y_score[:, ::-1], ignore_ties=True)


@pytest.mark.parametrize("name", NAMES)
def test_sample_weight(theirs, name):
    y_true, y_score = LABELS["graded"], SCORES["tied"]
    for weight in (np.arange(40), rng.random(40), [1.0] * 39 + [0], np.full(40, -1.0)):
        both(theirs, name, y_true, y_score, sample_weight=weight)


@pytest.mark.parametrize("log_base", [2, 10, np.e, 1.5, 0.5, np.float64(3), True])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_log_base(theirs, log_base):
    both(theirs, "dcg_score", LABELS["graded"], SCORES["tied"], log_base=log_base)
    both(theirs, "dcg_score", LABELS["real"], SCORES["tied"], k=3, log_base=log_base)


def test_negative_labels(theirs):
    labels = LABELS["graded"].astype(np.int64) - 2
    both(theirs, "dcg_score", labels, SCORES["tied"])
    both(theirs, "dcg_score", labels, SCORES["distinct"], k=5)
    with pytest.raises(ValueError, match=r"negative y_true values.*list 1, document 0"):
        rg.ndcg_score([[1, 0], [-1, 2]], [[1, 0], [1, 0]])


GOOD = np.array([[1, 0, 2], [0, 1, 0]])
GOOD_SCORES = np.array([[0.5, 0.25, 0.75], [1.0, 2.0, 3.0]])


def with_cell(value, row=1, column=2):
    scores = GOOD_SCORES.copy()
    scores[row, column] = value
    return scores


# What both libraries refuse.
REFUSED = [
    ([1, 0, 2], [0.5, 0.1, 0.2], {}), ([1.5, 0, 2], [0.5, 0.1, 0.2], {}),
    ([[1], [0]], [[0.5], [0.1]], {}), ([[[1, 0]]], [[[0.5, 0.1]]], {}), (GOOD[:0], GOOD[:0], {}),
    (GOOD[:, :0], GOOD[:, :0], {}), ([], [], {}), (3, GOOD_SCORES, {}), (GOOD, None, {}),
    (GOOD, with_cell(np.inf), {}), (GOOD, with_cell(-np.inf, 0, 1), {}),
    (GOOD, with_cell(np.nan), {}), (with_cell(np.nan), GOOD_SCORES, {}),
    (with_cell(np.inf), GOOD_SCORES, {}), (GOOD, GOOD_SCORES[:1], {}),
    (GOOD, GOOD_SCORES[:, :2], {}), (GOOD, GOOD_SCORES, {"sample_weight": [1, 2, 3]}),
    (GOOD, GOOD_SCORES, {"sample_weight": [0, 0]}), (GOOD, GOOD_SCORES, {"sample_weight": 1.0}),
    (GOOD, GOOD_SCORES, {"sample_weight": [[1], [2]]}), (GOOD, GOOD_SCORES, {"k": 0}),
    (GOOD, GOOD_SCORES, {"k": -1}), (GOOD, GOOD_SCORES, {"k": 1.5}),
    (GOOD, GOOD_SCORES, {"k": "3"}), (GOOD, GOOD_SCORES, {"ignore_ties": 1}),
    ([["a", "b"], ["c", "d"]], [[1, 2], [3, 4]], {}), (GOOD, GOOD_SCORES * 1j, {}),
    (np.array([["a", 1]], dtype=object), [[1, 2]], {}), (GOOD, GOOD_SCORES, {"gain": "exp2"}),
]  # fmt: skip
LOG_BASES = [(GOOD, GOOD_SCORES, {"log_base": base}) for base in (0, -2, np.nan, "2", None)]
BAD_INDICATORS = [
    ([1, 0, 1], [0.2, 0.3, 0.1], {}), ([[1, 0, 2]], [[0.2, 0.3, 0.1]], {}),
    ([[1, 0.5, 0]], [[0.2, 0.3, 0.1]], {}), ([[1, 0]], [[0.2, 0.3, 0.1]], {}),
    ([[1, 0], [0, 1]], [[0.2, 0.3]], {}), ([[1, 0]], [[np.nan, 0.3]], {}),
    ([[1, 0]], [[np.inf, 0.3]], {}), ([["a", "b"]], [[0.1, 0.3]], {}), ([], [], {}),
    ([[1, 0]], [[[0.1, 0.3]]], {}), ([[1, 0]], [[1, 2]], {"sample_weight": [1, 2]}),
]  # fmt: skip
CUTOFFS = [([0, 1, 2], np.eye(3), {"k": k}) for k in (0, -1, 1.5, None, "2")]
ERRORS = (TypeError, ValueError, ZeroDivisionError)


@pytest.mark.parametrize(("name", "call"), [
    *itertools.product(NAMES, REFUSED), *itertools.product(["dcg_score"], LOG_BASES),
    *itertools.product(MULTILABEL, BAD_INDICATORS),
    *itertools.product(["top_k_accuracy_score"], CUTOFFS),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_refusals(theirs, name, call):
    y_true, y_score, options = call
    with pytest.raises(ERRORS) as refused:
        getattr(theirs, name)(y_true, y_score, **options)
    for kind in ERRORS:
        if isinstance(refused.value, kind):
            with pytest.raises(kind):
                getattr(rg, name)(y_true, y_score, **options)


@pytest.mark.parametrize("name", NAMES)
def test_sparse_is_refused(theirs, name):
    sparse = pytest.importorskip("scipy.sparse")
    for args in ((sparse.csr_array(GOOD), GOOD_SCORES), (GOOD, sparse.csr_array(GOOD_SCORES))):
        for functions in (theirs, rg):
            with pytest.raises(TypeError, match=r"[Ss]parse"):
                getattr(functions, name)(*args)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(theirs, name, library):
    frames = pytest.importorskip(library)
    labels = frames.DataFrame({"a": [1, 0, 3], "b": [2, 2, 0], "c": [0, 1, 1]})
    scores = frames.DataFrame({"a": [0.5, 1.0, 0.1], "b": [0.25, 1.0, 0.4], "c": [1, 0, 0]})
    both(theirs, name, labels, scores, k=2)
    both(theirs, name, labels, scores, sample_weight=frames.Series([1.0, 2.0, 0.5]))


# ---- multilabel ranking

INDICATORS = {
    "few": rng.random((40, 12)) < 0.05,
    "half": rng.integers(0, 2, (40, 12)),
    "int8": rng.integers(0, 2, (40, 12)).astype(np.int8),
    "floats": rng.integers(0, 2, (40, 12)).astype(np.float64),
    "0 and 3": 3 * rng.integers(0, 2, (40, 12)),
    "-1 and 0": -rng.integers(0, 2, (40, 12)),
    "1 and 2": rng.integers(1, 3, (40, 12)),
    "none or all": np.repeat(rng.integers(0, 2, (40, 1)), 12, axis=1),
    "one list": rng.integers(0, 2, (1, 12)),
}


@pytest.mark.parametrize(
    ("name", "labels", "scores"), sampled(MULTILABEL, INDICATORS, SCORES, one_in=2)
)
def test_multilabel_values(theirs, name, labels, scores):
    y_true = INDICATORS[labels]
    y_score = SCORES[scores][: len(y_true)]
    if scores in ("objects", "float16"):  # numpy.ma has no minimum of half floats
        y_score = y_score.astype(np.float32)
    both(theirs, name, y_true, y_score)
    both(theirs, name, y_true.tolist(), y_score.tolist(), sample_weight=rng.random(len(y_true)))


@pytest.mark.parametrize("name", MULTILABEL)
@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array", "csc_array"])
def test_sparse_indicators(theirs, name, kind):
    sparse = pytest.importorskip("scipy.sparse")
    labels, scores = rng.integers(0, 2, (40, 12)), SCORES["tied"]
    expected = getattr(theirs, name)(labels, scores)
    matrix = getattr(sparse, kind)(labels)
    matrix.data[:3] = 0  # stored, and false
    labels[tuple(one[:3] for one in matrix.nonzero())] *= 1
    dense = np.asarray(matrix.todense())
    assert getattr(rg, name)(matrix, scores) == pytest.approx(
        getattr(theirs, name)(dense, scores), rel=1e-13
    )
    assert expected >= 0


@pytest.mark.parametrize("k", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("scores", ["distinct", "tied", "all tied", "float32", "integers"])
def test_top_k_accuracy(theirs, scores, k):
    y_score = SCORES[scores]
    classes = np.array(sorted("abcdefghijkl"))
    warned = pytest.warns(UserWarning, match="perfect score") if k == 12 else nullcontext()
    with warned:
        for y_true in (rng.integers(0, 12, 40), np.append(np.arange(12), rng.integers(0, 12, 28))):
            for weights in (None, rng.random(40)):
                for normalize in (True, False):
                    keywords = {"k": k, "sample_weight": weights, "normalize": normalize}
                    for names in (classes, np.arange(12)):
                        arrays = names[y_true], y_score
                        both(theirs, "top_k_accuracy_score", *arrays, labels=names, **keywords)


# ---- edges of the multilabel functions


FUNCTIONS = (rg.coverage_error, rg.label_ranking_loss, rg.label_ranking_average_precision_score)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_in_csr_are_indicators(function):
    sparse = pytest.importorskip("scipy.sparse")
    scores = [[0.1, 0.2, 0.3], [0.4, 0.1, 0.2]]
    for value in (1.0, 3, True):
        labels = np.array([[value, 0, 0], [0, value, 0]])
        assert function(sparse.csr_matrix(labels), scores) == function(labels != 0, scores)
    nothing = np.zeros((2, 3))
    assert function(sparse.csr_matrix(nothing), scores) == function(nothing, scores)
