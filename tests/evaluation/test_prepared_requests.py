"""Requests that are prepared once: whatever went before, a call has its own options."""

import pytest

import rankgain as rg

QRELS = {"q": {"a": 2, "b": 1, "c": 0, "d": 0}, "p": {"a": 1}, "r": {"x": 2}}
RUN = {"q": {"e": 0.9, "b": 0.5, "a": 0.5, "c": 0.4}, "p": {"f": 2.0, "a": 1.0}}


@pytest.mark.parametrize("name", ["Coverage", "ILD", "Gini", "Novelty"])
@pytest.mark.parametrize("call", [
    lambda name: rg.evaluate(QRELS, RUN, name),
    lambda name: rg.evaluate(QRELS, RUN, ["AP", name], bounds="ties"),
    lambda name: rg.evaluate(rg.Qrels(QRELS), rg.Run(RUN), name),
    lambda name: rg.evaluate_runs(QRELS, {"one": RUN}, name),
    lambda name: rg.reconcile_runs(QRELS, RUN, "trec", "beir", measure=name),
    lambda name: rg.judge_next(QRELS, {"q": {"a": 1.0}}, name, 2),
    lambda name: rg.evaluate_arrays([1, 0], [0.5, 0.2], name),
])  # fmt: skip
def test_measures_of_all_items_are_sent_elsewhere(call, name):
    words = f"measure '{name}' is of the items of all lists; use evaluate_catalogue"
    for _ in range(2):
        with pytest.raises(ValueError, match=words):
            call(name)
