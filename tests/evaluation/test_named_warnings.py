"""Warnings of several runs or models name the run; those about all of them name none."""

import threading
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import rankgain as rg
from places import ROOT
from rankgain.cli import main
from rankgain.engine.notices import named_in_warnings, warn

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
GOOD = {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
BAD = {"x": {"a": 1.0}}


def messages(call: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {one.category for one in caught} <= {rg.RankgainWarning}
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def frame_of(runs: dict[str, dict[str, dict[str, float]]]) -> pd.DataFrame:
    rows = [
        (name, query, doc, score)
        for name, run in runs.items()
        for query, scores in run.items()
        for doc, score in scores.items()
    ]
    return pd.DataFrame(rows, columns=["system", "query", "doc", "score"])


def test_runs_by_name() -> None:
    [text] = messages(lambda: rg.evaluate_runs(QRELS, {"good": GOOD, "bad": BAD}, "AP"))
    assert text.startswith("run 'bad': no judged query is in the run; missing: 'q1' and 'q2'")


def test_runs_of_a_frame_of_systems() -> None:
    frame = frame_of({"good": GOOD, "bad": BAD})
    [text] = messages(lambda: rg.evaluate_runs(QRELS, frame, "AP", run="system"))
    assert text.startswith("run 'bad': no judged query is in the run")
    [text] = messages(lambda: rg.evaluate_frame(frame, "AP", run="system", truth=QRELS))
    assert text.startswith("run 'bad': no judged query is in the run")


def test_ids_of_systems() -> None:
    truth = {"u1": [1], "u2": [2]}
    systems = {"good": {"u1": [1], "u2": [2]}, "bad": {"u8": [1], "u9": [2]}}
    [text] = messages(lambda: rg.evaluate_ids(systems, truth, "RR"))
    assert text.startswith("run 'bad': no user of relevant is in retrieved")


def test_a_shape_that_all_models_share_is_said_without_a_name() -> None:
    labels = np.array([[1], [0], [1]])
    scores = {"a": np.ones((3, 1)), "b": np.ones((3, 1))}
    texts = messages(lambda: rg.evaluate_models(labels, scores, "RR"))
    assert len(set(texts)) == 1
    assert texts[0].startswith("each of the 3 lists has one document")


def test_a_single_run_is_not_named() -> None:
    [text] = messages(lambda: rg.evaluate(QRELS, BAD, "AP"))
    assert text.startswith("no judged query is in the run")
    # ... and after an evaluation of several nothing is left of their names
    messages(lambda: rg.evaluate_runs(QRELS, {"good": GOOD, "bad": BAD}, "AP"))
    [text] = messages(lambda: rg.evaluate(QRELS, BAD, "AP"))
    assert text.startswith("no judged query is in the run")


def test_an_error_leaves_no_name_behind() -> None:
    with pytest.raises(ValueError, match="run 'bad'"):
        rg.evaluate_runs(QRELS, {"bad": {"q1": {"a": float("nan")}}}, "AP")
    [text] = messages(lambda: rg.evaluate(QRELS, BAD, "AP"))
    assert text.startswith("no judged query is in the run")


def test_what_holds_for_all_runs_is_said_without_a_name() -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    runs = {name: {"q1": {"a": 1.0}, "q2": {"a": 1.0}} for name in "xyz"}
    texts = messages(lambda: rg.evaluate_runs(qrels, runs, "AP", rel=2))
    assert texts
    assert all(text.startswith("no label reaches rel=2") for text in texts)


def test_judge_next_names_the_run(tmp_path) -> None:
    (tmp_path / "up.txt").write_text(
        "q1 0 a 1 0.1 x\nq1 0 b 2 0.2 x\nq2 0 b 1 0.3 x\nq2 0 c 2 0.9 x\n"
    )
    (tmp_path / "down.txt").write_text("q1 0 b 1 0.2 x\nq1 0 a 2 0.1 x\n")
    runs = {name: str(tmp_path / f"{name}.txt") for name in ("up", "down")}
    [text] = messages(lambda: rg.judge_next(QRELS, runs, "DCG@2", 1))
    assert text.startswith("run 'up': ")
    assert "the ranks contradict the scores" in text


def test_the_command_line_names_one_of_several(capsys, tmp_path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("x 0 d 1 1 t\n")
    qrels, run = (str(ROOT / "examples" / name) for name in ("qrels.txt", "run-a.txt"))
    assert main(["evaluate", qrels, run, str(bad), "-m", "AP"]) == 0
    assert "run 'bad.txt': no judged query is in the run" in capsys.readouterr().err
    assert main(["evaluate", qrels, str(bad), "-m", "AP"]) == 0
    error = capsys.readouterr().err
    assert "no judged query is in the run" in error
    assert "run 'bad.txt'" not in error


def test_names_of_threads_do_not_mix() -> None:
    both, texts = threading.Barrier(2), []

    def warn_named(name: str) -> None:
        with named_in_warnings("run", name):
            both.wait()
            warn("words")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        threads = [threading.Thread(target=warn_named, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        texts = sorted(str(one.message) for one in caught)
    assert texts == ["run 'a': words", "run 'b': words"]
