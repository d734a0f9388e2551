"""Segments, parts and merges have the counts of their lists: undefined, and without results."""

import json
import pickle

import numpy as np
import pytest

import rankgain as rg

MEASURES = ["nDCG@2", "AP", "AUC", "RR", "GMAP"]


def drawn(seed, n=60):
    """Qrels, some without a relevant document, and a run that lacks some queries."""
    rng = np.random.default_rng(seed)
    qrels = {q: {d: int(rng.integers(0, 2)) for d in "abc"[: 1 + q % 3]} for q in range(n)}
    run = {q: {d: float(rng.random()) for d in "abcd"} for q in range(n) if rng.random() < 0.8}
    return qrels, run, [f"s{one}" for one in rng.integers(0, 3, n)]


def ways(seed):
    qrels, run, labels = drawn(seed)
    lists = {q: sorted(docs, key=docs.get, reverse=True) for q, docs in run.items()}
    rng = np.random.default_rng(seed)
    truth, scores = rng.integers(0, 2, (60, 2)), rng.random((60, 2))

    def of_queries(source, at):
        return {q: source[q] for q in at if q in source}

    return labels, {
        "qrels and run": lambda at, **o: rg.evaluate(
            of_queries(qrels, at), of_queries(run, at), MEASURES, **o
        ),
        "two joins": lambda at, **o: rg.evaluate(
            of_queries(qrels, at), of_queries(run, at), [*MEASURES, "RR(ties=average)"], **o
        ),
        "ids": lambda at, **o: rg.evaluate_ids(
            of_queries(lists, at), {q: [d for d, x in qrels[q].items() if x] for q in at}, MEASURES
        ),
        "arrays": lambda at, **o: rg.evaluate_arrays(
            truth[at].ravel(), scores[at].ravel(), MEASURES, qid=np.repeat(at, 2), **o
        ),
    }


def same_counts(result, expected):
    for key in ("queries", "missing", "undefined", "undefined_as"):
        assert (result.counts.get(key) or 0) == (expected.counts.get(key) or 0), key
    assert result.footer().split(" (")[0] == expected.footer().split(" (")[0]


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize(
    "options", [{}, {"empty": "skip"}, {"empty": float("nan")}, {"empty": 0.5}]
)
@pytest.mark.parametrize("way", ["qrels and run", "two joins", "ids", "arrays"])
def test_a_part_has_the_counts_of_a_call_on_its_lists(way, options, tmp_path):
    if way == "ids" and options:
        pytest.skip("the same code as of arrays")
    labels, calls = ways(3)
    whole = calls[way](list(range(60)), **options)
    assert sum(whole.counts["undefined"].values()) > 0
    whole.to_json(tmp_path / "all.json")
    read, copied = rg.Evaluation.read(tmp_path / "all.json"), pickle.loads(pickle.dumps(whole))
    for source in (whole, read, copied):
        parts = source.by(labels)
        for name, part in parts.items():
            at = [i for i in range(60) if labels[i] == name]
            alone = calls[way](at, **options)
            same_counts(part, alone)
            for key, marks in alone.marked.items():
                assert (part.marked[key] == marks).all()
        merged = rg.Evaluation.merge(parts.values())
        same_counts(merged, source)
        again = merged.by([labels[i] for i in merged.queries])
        for name, part in again.items():
            same_counts(part, parts[name])


def test_a_part_without_undefined_lists_has_marks_when_it_is_merged():
    some = rg.evaluate_arrays([[0, 1], [0, 0]], [[0.5, 0.2]] * 2, "AP")
    none = rg.evaluate_arrays([[0, 1]], [[0.5, 0.2]], "AP")
    for parts, marks in (([some, none], [0, 1, 0]), ([none, some], [0, 0, 1])):
        assert rg.Evaluation.merge(parts).marked["AP"].tolist() == list(map(bool, marks))


def test_what_a_file_does_not_mark_is_not_counted(tmp_path):
    result = rg.evaluate_arrays([[0, 1], [0, 0]], [[0.5, 0.2]] * 2, ["AP", "AUC"])
    data = json.loads(result.to_json())
    marked = data.pop("marked")
    path = tmp_path / "unmarked.json"
    path.write_text(json.dumps(data))
    unmarked = rg.Evaluation.read(path)
    assert dict(unmarked.marked) == {}
    assert "undefined" not in unmarked.by(["u", "v"])["v"].counts
    other = rg.evaluate_arrays([[0, 0]], [[0.5, 0.2]], ["AP", "AUC"], qid=None)
    assert rg.Evaluation.merge([unmarked, other]).counts["undefined"] == {"AP": 2, "AUC": 2}
    assert "AP" not in rg.Evaluation.merge([unmarked, other]).marked
    for wrong in ({"AP": [2]}, {"AP": [-1]}, {"RR": [0]}, {"AP": [0.5]}, [1], {"AP": True}):
        path.write_text(json.dumps({**data, "marked": wrong}))
        with pytest.raises(ValueError, match="marked"):
            rg.Evaluation.read(path)
    assert marked == {"AP": [1], "AUC": [1]}


@pytest.mark.parametrize("wrong", ["x", -3, [1], 1.5, None, True, 0])
def test_a_stored_cutoff_is_checked(wrong, tmp_path):
    data = json.loads(rg.evaluate_arrays([0, 1], [0.5, 0.2], "AP").to_json())
    for value, fits in ((wrong, False), (3, True)):
        (tmp_path / "one.json").write_text(json.dumps({**data, "settings": {"k": value}}))
        if fits:
            assert rg.Evaluation.read(tmp_path / "one.json").settings == {"k": 3}
        else:
            with pytest.raises(ValueError, match=r"settings: k must be (an int of )?at least 1"):
                rg.Evaluation.read(tmp_path / "one.json")


def test_zeros_of_both_signs_are_one_segment():
    result = rg.evaluate_arrays([[0, 1], [1, 0]], [[0.5, 0.2]] * 2, "RR", qid=None)
    for labels in ([0.0, -0.0], np.array([-0.0, 0.0]), np.array([-0.0, 0.0], np.float32)):
        assert result.by(labels)["0.0"].means == {"RR": 0.75}
    assert list(result.by([0, 1])) == ["0", "1"]
