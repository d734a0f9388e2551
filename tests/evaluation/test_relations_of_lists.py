"""What must not change, by every door and option: lists in another order, one more, parts merged.

Measures alone and together, each cutoff alone and in a sequence, doubled weights, scores moved or
scaled, and a document at the end that nobody judged. No value is expected, so no oracle is needed.
"""

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from pairwise import Row, name_of, rows_of
from sampling import sampled

LISTS, WIDTH = 15, 9
# The second are of relevant documents alone: one more at the end of a list changes nothing.
LENGTHY = ["AUC", "MR", "AMRI", "Lift(share=0.4)", "RankingLoss", "P", "CoverageError", "NumRet"]
MEASURES = ["nDCG@1", "nDCG@3", "nDCG@5", "nDCG", "AP", "AP@3", "RR@4", "RR", "P@2", "P@5", "R@3"]
MEASURES += ["HitRate@2", "RPrec", "RBP", "ERR", "ERR@3", "F1@3", "PFound@4", "DCG@4", "IDCG"]
MEASURES += ["nDCG(gain=exp2)@3", "RBP(p=0.5)", "R", "NumRel"]


def by_qid(labels: Any, scores: Any) -> Any:
    """Rows of all lists in turn, so that no list is adjacent."""
    queries = np.repeat(np.arange(len(labels)), [len(one) for one in labels])
    places = np.concatenate([np.arange(len(one)) for one in labels] or [np.zeros(0, int)])
    order = np.lexsort((queries, places))
    return queries[order], np.concatenate(labels)[order], np.concatenate(scores)[order]


def of_rows(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    width = max(map(len, labels))
    padded = [
        np.array([[*one, *[0] * (width - len(one))] for one in part]) for part in (labels, scores)
    ]
    return rg.evaluate_arrays(*padded, names, lengths=[len(one) for one in labels], **options)


def of_qid(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    queries, flat, values = by_qid(labels, scores)
    return rg.evaluate_arrays(flat, values, names, qid=np.array(ids)[queries], **options)


def of_group(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    flat = np.concatenate(labels), np.concatenate(scores)
    return rg.evaluate_arrays(*flat, names, group=[len(one) for one in labels], **options)


def of_lists(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    return rg.evaluate_arrays(list(labels), list(scores), names, **options)


def of_truth(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    judged = options.pop("judged", None)
    sizes = [len(one) for one in labels]
    truth = rg.Truth(np.concatenate(labels), group=sizes, judged=judged)
    return rg.evaluate_arrays(truth, np.concatenate(scores), names, **options)


def of_models(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    flat, sizes = np.concatenate(scores), [len(one) for one in labels]
    models = {"other": -flat, "one": flat}
    return rg.evaluate_models(np.concatenate(labels), models, names, group=sizes, **options)["one"]


def of_frame(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    queries, flat, values = by_qid(labels, scores)
    columns = {"qid": np.array(ids)[queries], "label": flat, "score": values}
    if options.get("weight") is not None:
        columns["w"] = np.array(options.pop("weight"))[queries]
        options["weight"] = "w"
    return rg.evaluate_frame(pandas.DataFrame(columns), names, **options)


def of_batches(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    pa = pytest.importorskip("pyarrow")
    queries = np.repeat(ids, [len(one) for one in labels])
    columns = {"q": queries, "y": np.concatenate(labels), "s": np.concatenate(scores)}
    if options.get("weight") is not None:
        columns["w"] = np.repeat(options.pop("weight"), [len(one) for one in labels])
        options["weight"] = "w"
    batches = pa.table(columns).to_batches(max_chunksize=7)
    return rg.evaluate_batches(batches, names, query="q", label="y", score="s", **options)


def of_qrels(labels: Any, scores: Any, names: Any, ids: Any, **options: Any) -> Any:
    """Documents are called so that their ids rise within a list."""
    qrels = {
        query: {f"d{at:02}": int(label) for at, label in enumerate(one)}
        for query, one in zip(ids, labels, strict=True)
    }
    run = {
        query: {f"d{at:02}": float(score) for at, score in enumerate(one)}
        for query, one in zip(ids, scores, strict=True)
    }
    return rg.evaluate(qrels, run, names, **options)


DOORS = {
    "rows": of_rows, "qid": of_qid, "group": of_group, "lists": of_lists, "Truth": of_truth,
    "models": of_models, "frame": of_frame, "batches": of_batches, "qrels": of_qrels,
}  # fmt: skip
AXES: dict[str, list[Any]] = {
    "door": list(DOORS),
    "relation": [
        "one more", "merged", "permuted", "alone", "measures in another order", "doubled weights",
        "scores moved", "a document at the end", "split in threes", "the same twice",
    ],
    "convention": list(rg.conventions),
    "ties": [None, "average", "stable", "worst", "best", "reverse"],
    "empty": [None, "skip", 0.5],
    "weight": [False, True],
    "judged": [False, True],
    "bounds": [(), "ties"],
    "threads": [1, 3],
}  # fmt: skip


def allowed(row: Row) -> bool:
    if row["judged"] and row["door"] in ("frame", "batches", "qrels"):
        return False
    if row["bounds"] and row["door"] in ("batches",):
        return False
    if row["bounds"] and row["relation"] in ("merged", "split in threes"):
        return False
    rules = rg.conventions[row["convention"]]
    moved = row["relation"] in ("merged", "split in threes", "permuted")
    if moved and row["ties"] is None and rules.ties == "random":  # by the place of a list
        return False
    if row["relation"] == "a document at the end":  # min(k, n) is the divisor of some
        return rules.for_family("divisor", "precision") != "min" and rules.name != "ranklib"
    if row["relation"] == "doubled weights":  # these count undefined lists without a weight
        boosters = ("lightgbm", "xgboost")
        weighted = row["empty"] == "skip" or not row["convention"].startswith(boosters)
        return bool(row["weight"]) and weighted
    return True


class Lists:
    """Lists of up to nine documents with tied scores, some without a relevant one."""

    def __init__(self, row: Row) -> None:
        rng = np.random.default_rng(sum(map(ord, str(row))))
        sizes = rng.integers(1, WIDTH + 1, LISTS)
        self.row, self.ids = row, [f"q{at:02}" for at in range(LISTS)]
        top = 1 if row["convention"] in ("sklearn", "ignite") else 2
        self.labels = [rng.integers(0, top + 1, n) * (rng.random(n) < 0.6) for n in sizes]
        self.scores = [rng.integers(1, 7, n) / 4.0 for n in sizes]
        self.judged = [np.append(one, rng.integers(0, 2, 3)) for one in self.labels]
        self.weight = rng.integers(1, 5, LISTS) / 2.0

    def evaluate(self, names: Any, at: Any = range(LISTS), **changes: Any) -> Any:
        row, some = self.row, list(at)
        options: dict[str, Any] = {"convention": row["convention"], "threads": row["threads"]}
        for name in ("ties", "empty", "bounds"):
            if row[name] not in (None, ()):
                options[name] = row[name]
        parts = {"labels": self.labels, "scores": self.scores, "judged": self.judged} | changes
        labels, scores, judged = (
            [parts[name][i] for i in some] for name in ("labels", "scores", "judged")
        )
        if row["judged"]:
            options["judged"] = judged
        if row["weight"]:
            options["weight"] = np.array(changes.get("weight", self.weight))[some]
        ids = [self.ids[i] for i in some]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return DOORS[row["door"]](labels, scores, names, ids, **options)

    def taken(self) -> list[str]:
        """The measures that the other choices take."""
        names = []
        for name in [*MEASURES, *LENGTHY]:
            try:
                self.evaluate(name)
            except (ValueError, TypeError):
                continue
            names.append(name)
        return names


def same(result: Any, expected: Any, at: Any = slice(None), names: Any = None) -> None:
    some = expected.means if names is None else names
    for name in some:
        np.testing.assert_array_equal(result.per_query[name], expected.per_query[name][at], name)
    for kind, ends in expected.bounds.items():
        for name in some:
            np.testing.assert_array_equal(result.bounds[kind][name], ends[name][at], name)


def same_means(result: Any, expected: Any, names: Any = None) -> None:
    for name in names or expected.means:
        assert np.float64(result[name]).tobytes() == np.float64(expected[name]).tobytes(), name


@pytest.mark.parametrize("row", sampled(rows_of(AXES, allowed), one_in=2), ids=name_of)
def test_relations(row: Row) -> None:
    lists = Lists(row)
    names, every = lists.taken(), list(range(LISTS))
    if not names:
        pytest.skip("the convention refuses the other choices")
    whole = lists.evaluate(names)
    assert list(whole.means) == [whole.key_of(name) for name in names]
    relation = row["relation"]
    if relation == "one more":
        same(lists.evaluate(names, every[:-1]), whole, slice(0, -1))
    elif relation in ("merged", "split in threes"):
        cuts = [0, 4, 5, LISTS] if relation == "merged" else [*range(0, LISTS, 3), LISTS]
        parts = [lists.evaluate(names, range(a, b)) for a, b in pairwise(cuts)]
        merged = rg.Evaluation.merge(parts)
        same(merged, whole)
        same_means(merged, whole)
        assert merged.counts == whole.counts
    elif relation == "permuted":
        order = np.random.default_rng(1).permutation(LISTS)
        result = lists.evaluate(names, order)
        same(result, whole, order)
        for name, mean in whole.means.items():
            assert result[name] == pytest.approx(mean, rel=1e-6, nan_ok=True), name
    elif relation == "alone":
        for name in names:
            result = lists.evaluate(name)
            same(result, whole, names=list(result.means))
            same_means(result, whole, list(result.means))
    elif relation == "measures in another order":
        order = np.random.default_rng(2).permutation(len(names))
        result = lists.evaluate([names[at] for at in order])
        same(result, whole)
        same_means(result, whole)
    elif relation == "doubled weights":
        result = lists.evaluate(names, weight=2 * lists.weight)
        same(result, whole)
        sums = ("NumRet", "NumRel")
        same_means(result, whole, [one for one in whole.means if not one.startswith(sums)])
    elif relation == "scores moved":
        result = lists.evaluate(names, scores=[8 * one + 2 for one in lists.scores])
        same(result, whole)
    elif relation == "a document at the end":
        at_end = {"labels": 0, "scores": 0.125, "judged": 0}
        longer = {
            name: [np.append(one, value) for one in getattr(lists, name)]
            for name, value in at_end.items()
        }
        result = lists.evaluate(names, **longer)
        keys = {whole.key_of(name) for name in names if name not in LENGTHY}
        same(result, whole, names=[one for one in whole.means if one in keys])
    else:
        same(lists.evaluate([*names, *names[:3]]), whole)
        same_means(lists.evaluate(names), whole)
