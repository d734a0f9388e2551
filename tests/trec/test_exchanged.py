"""Qrels and a run that stand in each other's place."""

import re
import warnings

import pytest

import rankgain as rg

QRELS = {"q": {"a": 1, "b": 2, "c": 0}, "p": {"a": 1}}
RUN = {"q": {"a": 0.5, "b": 0.25, "x": 0.75}, "p": {"b": 0.5}}

CALLS = {
    "evaluate": lambda qrels, run: rg.evaluate(qrels, run, "RR(rel=0.1)"),
    "evaluate, with scores": lambda qrels, run: rg.evaluate(
        qrels, run, ["RR(rel=0.1)", "AP(rel=0.1, ties=average)"], bounds="ties"
    ),
    "evaluate, two joins": lambda qrels, run: rg.evaluate(
        qrels, run, ["RR(rel=0.1)", "RR(rel=0.1, ties=id)"]
    ),
    "evaluate_runs": lambda qrels, run: rg.evaluate_runs(qrels, {"one": run}, "RR(rel=0.1)"),
    "explain": lambda qrels, run: rg.explain(qrels, run, measure="nDCG", query="q"),
    "reconcile_runs": lambda qrels, run: rg.reconcile_runs(
        qrels, run, "trec", "rankgain", measure="nDCG"
    ),
    "judge_next": lambda qrels, run: rg.judge_next(qrels, run, "DCG@3", 2),
    "judge_next, by name": lambda qrels, run: rg.judge_next(qrels, {"one": run}, "DCG@3", 2),
}


@pytest.mark.parametrize("call", CALLS)
def test_exchanged_dicts_are_warned_about_once(call):
    with pytest.warns(rg.RankgainWarning, match="Did you swap qrels and run") as caught:
        CALLS[call](RUN, QRELS)
    about = [one for one in caught if "Did you swap" in str(one.message)]
    assert len(about) == 1
    assert about[0].filename == __file__
    words = (
        r"(run 'one': )?all labels of the qrels are fractions, such as 0\.7?5, and all scores of "
        r"the run are small whole numbers, such as 2\. Did you swap qrels and run\? Pass the qrels "
        "first"
    )
    assert re.fullmatch(words, str(about[0].message))


@pytest.mark.parametrize(("qrels", "run"), [
    (QRELS, RUN), (QRELS, QRELS), (RUN, RUN), ({"q": {"a": 1.0, "b": 0.5}}, QRELS),
    ({"q": {"a": 0.5, "b": 2.0}}, QRELS), (RUN, {"q": {"a": 3, "b": 0.5}}),
    (RUN, {"q": {"a": 3, "b": 17}}), (RUN, {"q": {"a": 3, "b": -17}}),
    (RUN, {"q": ["a", "b"], "p": ["b"]}), ({"q": {"a": 0.5}}, {"q": {}}),
])  # fmt: skip
@pytest.mark.parametrize("call", CALLS)
def test_nothing_is_said_of_others(call, qrels, run):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[call](qrels, run)
    assert not [one for one in caught if "Did you swap" in str(one.message)]
