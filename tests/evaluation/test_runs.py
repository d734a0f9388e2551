"""Evaluations of runs: values, counts, tie rules, conventions, weights, and sources that fail."""

import gzip
from pathlib import Path

import pytest

import rankgain as rg

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}, "q3": {"e": 0}}
RUN = {"q1": {"b": 0.9, "a": 0.8, "x": 0.1}, "q3": {"e": 1.0}, "q9": {"a": 1.0}}


def test_missing_queries_under_each_convention():
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


@pytest.mark.parametrize(("name", "error", "words"), [
    ("cut.gz", ValueError, "damaged compressed data"),
    ("empty", ValueError, "is empty"),
    ("blank", ValueError, "no rows"),
    ("folder", IsADirectoryError, "folder"),
    ("none", FileNotFoundError, "none"),
    ("binary", ValueError, "text file"),
    ("short", ValueError, "line 2"),
    ("nan", ValueError, "line 2"),
])  # fmt: skip
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
    left_out = "skipped 1 query without results; skipped 1 query without judgments"
    undefined = "1 undefined, counted as 0"
    assert footer == f"2 queries ({undefined}); {left_out} (convention pytrec_eval)"


def test_evaluations_are_hashed_and_equal_no_other_type():
    one, again = (rg.evaluate(QRELS, RUN, "AP") for _ in range(2))
    assert hash(one) == hash(again)
    assert len({one, again}) == 1
    assert one.__eq__(3) is NotImplemented
    with pytest.raises(AttributeError, match=r"^an Evaluation is immutable: 'means' cannot be del"):
        del one.means
