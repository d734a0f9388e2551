"""Evaluations of runs: values, counts, tie rules, conventions, weights, and sources that fail."""

import gzip
import io
import random
from pathlib import Path

import numpy as np
import pytest

import rankgain as rg
import reference

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}, "q3": {"e": 0}}
RUN = {"q1": {"b": 0.9, "a": 0.8, "x": 0.1}, "q3": {"e": 1.0}, "q9": {"a": 1.0}}


def random_pair(seed, labels=(0, 1, 2, 3), values=8):
    """Qrels and a run that overlap, with ties and with queries on one side only."""
    rng = random.Random(seed)
    names = [f"d{i}" for i in range(60)]
    qrels = {
        f"q{i}": {d: rng.choice(labels) for d in rng.sample(names, rng.randint(1, 40))}
        for i in range(12)
    }
    run = {
        f"q{i}": {d: rng.randrange(values) / 8 for d in rng.sample(names, rng.randint(1, 50))}
        for i in range(2, 14)
    }
    return qrels, run


MEASURES = {
    "nDCG@10": lambda labels, pool: reference.ndcg(labels, judged=pool, k=10),
    "nDCG(gain=exp2)@5": lambda labels, pool: reference.ndcg(labels, judged=pool, k=5, gain="exp2"),
    "DCG": lambda labels, pool: reference.dcg(labels, judged=pool),
    "AP": lambda labels, pool: reference.average_precision(labels, judged=pool),
    "AP(rel=2)@20": lambda labels, pool: reference.average_precision(
        labels, judged=pool, k=20, rel=2
    ),
    "RR@10": lambda labels, pool: reference.reciprocal_rank(labels, judged=pool, k=10),
    "P@5": lambda labels, pool: reference.precision(labels, judged=pool, k=5),
    "R@20": lambda labels, pool: reference.recall(labels, judged=pool, k=20),
    "F1@5": lambda labels, pool: reference.f1(labels, judged=pool, k=5),
    "HitRate@5": lambda labels, pool: reference.hit_rate(labels, judged=pool, k=5),
    "RPrec": lambda labels, pool: reference.r_precision(labels, judged=pool),
    "ERR@10": lambda labels, pool: reference.err(labels, judged=pool, k=10),
}


def test_missing_queries_under_each_convention():
    with pytest.raises(ValueError, match="q2"):
        rg.evaluate(QRELS, RUN, "AP", convention="trec_eval")
    for name in ("trec_eval-9", "pytrec_eval"):
        result = rg.evaluate(QRELS, RUN, "AP", convention=name)
        assert result.queries == ("q1", "q3")
        assert result.counts["skipped"] == 1
        assert result["AP"] == pytest.approx(0.125)
    for name in ("trec", "ir_measures"):
        assert rg.evaluate(QRELS, RUN, "AP", convention=name)["AP"] == pytest.approx(0.25 / 3)


def test_weights_by_query_and_in_order():
    result = rg.evaluate(QRELS, RUN, ["AP", "RR"])
    weight = {"q1": 2.0, "q2": 1.0, "q3": 5.0}
    by_name = rg.evaluate(QRELS, RUN, ["AP", "RR"], weight=weight)
    in_order = rg.evaluate(QRELS, RUN, ["AP", "RR"], weight=list(weight.values()))
    assert by_name == in_order
    for name, values in result.per_query.items():
        assert by_name[name] == pytest.approx((2 * values[0] + values[1] + 5 * values[2]) / 8)
    with pytest.raises(ValueError, match="q3"):
        rg.evaluate(QRELS, RUN, "AP", weight={"q1": 1.0, "q2": 1.0})


def test_threads_and_orders_of_rows_do_not_change_bits():
    qrels, run = random_pair(7)
    names = list(MEASURES)
    first = rg.evaluate(qrels, run, names)
    assert rg.evaluate(qrels, run, names, threads=4) == first
    shuffled = {}
    rng = random.Random(1)
    for query in rng.sample(list(run), len(run)):
        documents = list(run[query].items())
        rng.shuffle(documents)
        shuffled[query] = dict(documents)
    assert rg.evaluate(qrels, shuffled, names) == first
    stable = rg.evaluate(qrels, run, names, ties="stable")
    assert rg.evaluate(qrels, shuffled, names, ties="stable") != stable


def test_stable_ties_follow_the_rows_of_a_file():
    rows = ["q Q0 b 2 1.0 t", "q Q0 c 3 1.0 t", "q Q0 a 4 1.0 t", "q Q0 d 1 2.0 t"]
    qrels = {"q": {"c": 1}}
    ranks = {"stable": 3, "reverse": 3, "id": 4, "id_descending": 2, "worst": 4, "best": 2}
    for ties, rank in ranks.items():
        run = rg.Run.read(io.StringIO("\n".join(rows)))
        assert rg.evaluate(qrels, run, "RR", ties=ties)["RR"] == pytest.approx(1 / rank), ties
    average = rg.evaluate(qrels, rg.Run.read(io.StringIO("\n".join(rows))), "RR", ties="average")
    assert average["RR"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)


@pytest.mark.parametrize(
    ("measures", "word"),
    [("nDGC@10", "nDCG"), ("hits@10", "HitRate@10"), ([], "no measure"), ("nDCG@0", "nDCG@0")],
)
def test_bad_measures_are_refused(measures, word):
    with pytest.raises((ValueError, TypeError), match=word):
        rg.evaluate(QRELS, RUN, measures)


def test_bad_arguments_are_refused():
    with pytest.raises(TypeError, match="mapping"):
        rg.evaluate_runs(QRELS, [RUN], "AP")
    with pytest.raises(ValueError, match="convention"):
        rg.evaluate(QRELS, RUN, "AP", convention="trec_evil")
    with pytest.raises(ValueError, match="ties"):
        rg.evaluate(QRELS, RUN, "AP", ties="by_id")
    with pytest.raises(TypeError):
        rg.evaluate(QRELS, RUN, "AP", k=10)


# ---- sources that fail: one clear line each


@pytest.fixture
def files(tmp_path):
    """Good and damaged files beside each other."""
    text = "".join(f"q1 Q0 d{i} {i} {1000 - i} t\n" for i in range(1000)).encode()
    (tmp_path / "qrels").write_bytes(b"q1 0 d1 1\n")
    (tmp_path / "run").write_bytes(text)
    (tmp_path / "cut.gz").write_bytes(gzip.compress(text)[:-40])
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "blank").write_bytes(b"\n# nothing\n\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "short").write_bytes(b"q1 Q0 d1 1 2 t\nq1 Q0\n")
    (tmp_path / "nan").write_bytes(b"q1 Q0 d1 1 2 t\nq1 Q0 d2 2 nan t\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("cut.gz", ValueError, "damaged compressed data"),
        ("empty", ValueError, "no rows"),
        ("blank", ValueError, "no rows"),
        ("folder", IsADirectoryError, "folder"),
        ("none", FileNotFoundError, "none"),
        ("binary", ValueError, "text file"),
        ("short", ValueError, "line 2"),
        ("nan", ValueError, "line 2"),
    ],
)
def test_unreadable_sources(files, name, error, words):
    path: Path = files / name
    for pair in ((files / "qrels", path), (path, files / "run")):
        with pytest.raises(error) as caught:
            rg.evaluate(*pair, "AP")
        message = str(caught.value)
        assert name in message
        assert words in message or pair[0] == path
        assert "\n" not in message
        assert len(message) < 400
    assert rg.evaluate(files / "qrels", files / "run", "AP")["AP"] == 0.5


def test_queries_that_a_convention_leaves_out_are_said():
    footer = rg.evaluate(QRELS, RUN, "AP", convention="pytrec_eval").footer()
    left_out = "1 query without results skipped; 1 query without judgments skipped"
    undefined = "1 undefined, counted as 0"
    assert footer == f"2 queries ({undefined}); {left_out} (convention pytrec_eval)"


def test_names_that_are_equal_as_text_are_refused():
    one, qrels = rg.evaluate_arrays([[0, 1]], None, "RR"), {"q": {"a": 1}}
    with pytest.raises(ValueError, match=r"two evaluations are called '1' \(1 and '1'\)"):
        rg.Evaluations({1: one, "1": one})
    with pytest.raises(ValueError, match="two runs are called '1'"):
        rg.evaluate_runs(qrels, {1: {"q": ["a"]}, "1": {"q": ["b"]}}, "RR")
    with pytest.raises(ValueError, match="two models are called '1'"):
        rg.evaluate_models([[0, 1]], {1: [[1, 2]], "1": [[2, 1]]}, "RR")


@pytest.mark.parametrize("ties", ["stable", "reverse"])
@pytest.mark.parametrize("order", ["as scored", "shuffled"])
def test_scores_that_are_one_float_keep_the_order_of_the_source(ties: str, order: str) -> None:
    """Doubles that differ may be equal as float32: their documents stand as the source has them."""
    rng = np.random.default_rng(5)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    expected = []
    rules = rg.conventions["rankgain"].replace(ties=ties, score_dtype="float32")
    for query in ("q1", "q2", "q3"):
        scores = 1.0 + rng.integers(0, 3, 12) * 1e-3 + rng.permutation(12) * 1e-10
        places = np.argsort(-scores) if order == "as scored" else rng.permutation(12)
        labels = rng.integers(0, 3, 12)
        run[query] = {f"d{i}": float(scores[i]) for i in places}
        qrels[query] = {f"d{i}": int(labels[i]) for i in places}
        standing = list(range(12)) if ties == "stable" else list(range(11, -1, -1))
        ranked = sorted(standing, key=lambda at: -np.float32(scores[places[at]]))
        expected.append(float(reference.ndcg(labels[places[ranked]].tolist(), k=None) or 0))
    result = rg.evaluate(qrels, run, "nDCG", convention=rules)
    assert result.per_query["nDCG"].tolist() == pytest.approx(expected, abs=1e-12)


def test_evaluations_are_hashed_and_equal_no_other_type():
    one, again = (rg.evaluate(QRELS, RUN, "AP") for _ in range(2))
    assert hash(one) == hash(again)
    assert len({one, again}) == 1
    assert one.__eq__(3) is NotImplemented
    with pytest.raises(AttributeError, match=r"^an Evaluation is immutable: 'means' cannot be del"):
        del one.means


def test_an_error_names_the_run_that_it_is_of():
    for bad, words in (({"a": np.nan}, "a score must be"), (4, "expected a dict of documents")):
        with pytest.raises((TypeError, ValueError), match=f"^run 'bad': query 'q'.*{words}"):
            rg.evaluate_runs({"q": {"a": 1}}, {"good": {"q": {"a": 1.0}}, "bad": {"q": bad}}, "AP")
