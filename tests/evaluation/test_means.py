"""Means of all lists, of segments, of parts and of files, under conventions of one's own."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg

NAN = float("nan")
BASE = rg.conventions["rankgain"]
OWN = {
    "nan": BASE.replace(empty=NAN),
    "skip": BASE.replace(empty="skip"),
    "rounded": BASE.replace(round_mean=2),
    "whole": BASE.replace(round_mean=0),
    "by id": BASE.replace(summation="by_id", empty="skip"),
    "pairwise": BASE.replace(summation="pairwise"),
    "unweighted": BASE.replace(weighted=False),
    "empty without weight": BASE.replace(empty_has_weight=False, empty=1.0),
    "geometric": BASE.replace(mean="geometric"),
    "micro": BASE.replace(mean={"precision": "micro", "recall": "micro"}),
    "trec": rg.conventions["trec"].replace(rel=2.0),
    "recbole": rg.conventions["recbole"].replace(k=3),
}
NAMES = ["nDCG@3", "AP", "RR", "P@2", "R@2", "num_rel", "gm_map", "AUC"]
SUMMED = [OWN["rounded"], BASE.replace(summation="by_id"), OWN["micro"], BASE]
LISTS = 23


def evaluated(lists: Any, rules: Any, weighted: bool, seed: int = 0) -> rg.Evaluation:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, (LISTS, 5)) * (rng.random((LISTS, 5)) < 0.3)
    scores, weight = rng.random((LISTS, 5)), rng.random(LISTS)
    qid = np.repeat([f"q{(7 * at) % LISTS}" for at in lists], 5)
    return rg.evaluate_arrays(
        labels[lists].ravel(),
        scores[lists].ravel(),
        NAMES,
        qid=qid,
        weight=weight[lists] if weighted else None,
        convention=rules,
    )


def bits(means: Any) -> dict[str, bytes]:
    return {name: np.float64(one).tobytes() for name, one in means.items()}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", OWN.values(), ids=list(OWN))
def test_segments_and_parts_have_the_mean_of_a_call_on_their_lists(
    rules: rg.Convention, weighted: bool, tmp_path: Any
) -> None:
    every = np.arange(LISTS)
    codes = np.random.default_rng(1).integers(0, 3, LISTS)
    whole = evaluated(every, rules, weighted)
    whole.to_json(tmp_path / "one.json")
    read = rg.Evaluation.read(tmp_path / "one.json")
    parts = {str(code): evaluated(every[codes == code], rules, weighted) for code in (0, 1, 2)}
    for one in (whole, read, pickle.loads(pickle.dumps(whole))):
        assert one == whole
        segments = one.by(codes)
        for name, part in parts.items():
            assert bits(segments[name].means) == bits(part.means)
    merged = rg.Evaluation.merge(parts.values())
    order = np.concatenate([np.flatnonzero(codes == code) for code in (0, 1, 2)])
    assert bits(merged.means) == bits(evaluated(order, rules, weighted).means)
    total = rg.Accumulator()
    for part in parts.values():
        total.add(part)
    total = rg.Accumulator.from_dict(total.to_dict())
    for name, mean in total.means.items():
        if rules.summation == "exact":
            assert bits({name: mean}) == bits({name: whole[name]})
        else:
            assert mean == pytest.approx(whole[name], rel=1e-14, nan_ok=True)


@pytest.mark.parametrize("rules", SUMMED)
def test_rows_of_segments_have_their_means(rules: rg.Convention) -> None:
    every, codes = np.arange(LISTS), np.arange(LISTS) % 2
    runs = {"a": evaluated(every, rules, False), "b": evaluated(every, rules, False, 1)}
    names = ["nDCG@3", "P@2"]
    result = rg.compare(runs, measures=names, by=codes, correction=None)
    for row in result.rows:
        at = every[codes == int(row.segment)]
        assert row.mean_a == evaluated(at, rules, False)[row.measure]
        assert row.mean_b == evaluated(at, rules, False, 1)[row.measure]


def test_lists_left_out_leave_the_means_of_the_others() -> None:
    runs = {
        "a": rg.evaluate_arrays([[0, 1], [0, 0], [1, 0]], [[2.0, 1.0]] * 3, "RR", empty="skip"),
        "b": rg.evaluate_arrays([[0, 1], [0, 1], [0, 1]], [[2.0, 1.0]] * 3, "RR", empty="skip"),
    }
    row = rg.compare(runs, resamples=99).rows[0]
    assert (row.mean_a, row.mean_b, row.lists) == (0.75, 0.5, 2)


def test_only_judged_documents_make_a_convention_that_merges() -> None:
    qrels = {"a": {"x": 1, "y": 0}, "b": {"x": 0, "y": 1}}
    run = {"a": {"y": 2.0, "u": 3.0, "x": 1.0}, "b": {"y": 1.0, "u": 2.0}}
    for name in ("rankgain", "trec", "recbole"):
        whole = rg.evaluate(qrels, run, ["AP", "nDCG@5"], convention=name, judged_only=True)
        parts = [
            rg.evaluate(
                {q: qrels[q]}, {q: run[q]}, ["AP", "nDCG@5"], convention=name, judged_only=True
            )
            for q in qrels
        ]
        assert bits(rg.Evaluation.merge(parts).means) == bits(whole.means)
        assert bits(whole.by(["s", "s"])["s"].means) == bits(whole.means)


def test_an_empty_part_neither_wins_nor_stands_in_the_way() -> None:
    names = ["RR", "AP"]
    empty = [rg.evaluate_arrays([], [], name, group=[]) for name in names]
    for order in ((0, 1), (1, 0)):
        parts = [empty[at] for at in order]
        assert list(rg.Evaluation.merge(parts).means) == [names[order[0]]]
    full = rg.evaluate_arrays([0, 1], [2.0, 1.0], "RR", group=[2])
    for parts in ([*empty, full], [full, *empty], [empty[1], full, empty[0]]):
        assert rg.Evaluation.merge(parts).means == {"RR": 0.5}


def test_what_parts_counted_is_added_up() -> None:
    def part(at: int, others: int, missing: int) -> rg.Evaluation:
        qrels = {f"q{at}": {"a": 1}} | {f"m{at}{i}": {"a": 1} for i in range(missing)}
        run = {query: {"a": 1.0} for query in [f"q{at}", *(f"u{at}{i}" for i in range(others))]}
        return rg.evaluate(qrels, run, "RR")

    cases = [(1, 0), (2, 1), (4, 1)]
    parts = [part(at, *case) for at, case in enumerate(cases)]
    counts = rg.Evaluation.merge(parts).counts
    assert (counts["unjudged"], counts["missing"], counts["queries"]) == (7, 2, 5)
    total = rg.Accumulator()
    for one in parts:
        total.add(one)
    assert total.count == 5


def test_lists_are_added_in_the_order_of_all_ids() -> None:
    """The last ones too: sums in another order have other last bits."""
    rules = BASE.replace(summation="by_id")
    rng = np.random.default_rng(4)
    other = 0
    for _ in range(60):
        values = rng.random(6)
        letters = ["b", "c", "d", "e", "f", "a"]
        parts = [
            rg.Evaluation({"RR": 0.0}, {"RR": one}, ids, mean_rule=rg_rule(rules))
            for one, ids in ((values[:2], letters[:2]), (values[2:], letters[2:]))
        ]
        expected = 0.0
        for value in [values[-1], *values[:-1]]:
            expected += value
        assert rg.Evaluation.merge(parts)["RR"] == expected / 6
        other += float(np.cumsum(values)[-1]) != expected
    assert other > 5


def rg_rule(rules: rg.Convention) -> Any:
    from rankgain.engine.means import MeanRule

    return MeanRule.of(rules)


def test_undefined_lists_stay_out_in_the_order_of_ids() -> None:
    rules = rg.conventions["trec"].replace(empty="skip")
    qrels, run = {"b": {"x": 0}, "a": {"x": 1}}, {"b": {"x": 1.0}, "a": {"z": 2.0, "x": 1.0}}
    result = rg.evaluate(qrels, run, "RR", convention=rules)
    assert result["RR"] == 0.5
    assert result.counts["undefined"] == {"RR": 1}


def test_lists_without_relevant_documents_add_nothing_to_a_micro_recall() -> None:
    labels, scores = [[1, 1, 0, 1], [0, 0, 0, 0], [0, 1, 0, 0]], [[4.0, 3.0, 2.0, 1.0]] * 3
    for weight in (None, [1.0, 5.0, 2.0]):
        result = rg.evaluate_arrays(labels, scores, "R@1", weight=weight, convention=OWN["micro"])
        w = weight or [1.0] * 3
        assert result["R@1"] == (w[0] * 1 + w[2] * 0) / (w[0] * 3 + w[2] * 1)
    nan = OWN["micro"].replace(empty=NAN)
    assert math.isnan(rg.evaluate_arrays(labels, scores, "R@1", convention=nan)["R@1"])


def test_rounding_to_whole_numbers_is_rounding() -> None:
    rules = BASE.replace(round_mean=0)
    parts = [
        rg.evaluate_arrays(labels, [[2.0, 1.0]], "RR", convention=rules)
        for labels in ([[1, 0]], [[0, 1]])
    ]
    assert rg.Evaluation.merge(parts)["RR"] == 1.0
    assert math.copysign(1.0, rg.Evaluation.merge(parts)["RR"]) == 1.0


def test_sums_beyond_doubles_have_a_mean() -> None:
    values, weights = np.full(4, 1e308), np.full(4, 4e307)
    result = rg.Evaluation({"DCG": 1e308}, {"DCG": values}, list("abcd"), weights=weights)
    parts = result.by(["x", "x", "y", "y"])
    assert rg.Evaluation.merge(parts.values())["DCG"] == 1e308
    assert parts["x"]["DCG"] == 1e308


def test_files_that_do_not_say_their_rule_have_that_of_their_convention(tmp_path: Any) -> None:
    path = tmp_path / "one.json"
    for name, digits in (("recbole", 4), ("recbole(k=3)", 4), ("mine", None)):
        rg.Evaluation({"RR": 1 / 3}, {"RR": [1.0, 0.0, 0.0]}, "abc", convention=name).to_json(path)
        assert "mean_rule" not in path.read_text()
        part = rg.Evaluation.read(path).by(list("xxx"))["x"]
        assert part["RR"] == (round(1 / 3, digits) if digits else 1 / 3)


def test_the_count_is_that_of_all_parts_of_the_first_run() -> None:
    def of(lists: int, first: int) -> rg.Evaluation:
        qid = np.repeat(np.arange(first, first + lists), 2)
        return rg.evaluate_arrays([1, 0] * lists, [2.0, 1.0] * lists, "RR", qid=qid)

    total = rg.Accumulator()
    total.add({"a": of(2, 0), "b": of(2, 0)})
    total.add({"a": of(1, 2)})
    assert (total.count, total.result().lists, repr(total)[-8:]) == (3, 3, "3 lists>")
    assert {row.run: row.lists for row in total.result().rows} == {"a": 3, "b": 2}
    other = rg.Accumulator()
    other.add({"b": of(4, 3)}, segment="s")
    assert other.merge(total).count == 3  # of the first run
    assert {row.lists for row in other.result().rows if row.run == "b"} == {4, 6}
