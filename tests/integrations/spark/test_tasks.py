"""What runs in Spark's workers needs no Spark: record batches in, record batches out."""

import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.records import drawn

pa = pytest.importorskip("pyarrow")
from pyarrow import compute  # noqa: E402

from rankgain.evaluation.partial.ranks import PartialRanks  # noqa: E402
from rankgain.integrations.spark import tasks  # noqa: E402

MEASURES = ["nDCG@10", "AP", "RR", "AUC", "P@5"]
COLUMNS = [("query", "id"), ("score", "score"), ("label", "label"), ("doc", "id")]


def table_of(
    seed: int, sizes: list[int], dtype: Any = np.float64, text: bool = False, levels: int = 20
) -> Any:
    rng = np.random.default_rng(seed)
    numbers = np.repeat(np.arange(len(sizes)), sizes)
    n = len(numbers)
    return pa.table({
        "query": [f"q{one}" for one in numbers] if text else numbers,
        "score": (rng.integers(1 - levels, levels, n) / 8).astype(dtype),
        "label": rng.choice([0.0, 0, 0, 1, 2], n),
        "doc": [f"d{i}" for i in range(n)],
    })  # fmt: skip


def whole(table: Any) -> rg.Evaluation:
    return rg.evaluate_arrays(
        table["label"].to_numpy(),
        table["score"].to_numpy(),
        MEASURES,
        qid=table["query"].to_numpy(zero_copy_only=False),
    )


def counted(table: Any, partitions: int, cuts: Any, rng: Any) -> dict[Any, Any]:
    """As `evaluate_by_counting` does: all count hits in their partition, and parts are added up."""
    rows = table.take(rng.permutation(table.num_rows))
    packed = list(tasks.pack_rows(rows.filter(compute.field("label") > 0).to_batches(), COLUMNS))
    hits = [pickle.loads(one.column(0)[0].as_py())[:3] for one in packed]
    arrays = tuple(np.concatenate(one) for one in zip(*hits, strict=True))
    queries = list(dict.fromkeys(arrays[0].tolist()))
    partial = PartialRanks(*arrays, queries=queries)
    bounds = cuts or [0, len(queries)]
    parts = []
    for at in range(partitions):
        low, high = (one * rows.num_rows // partitions for one in (at, at + 1))
        share = rows.slice(low, high - low)
        counter = pickle.loads(pickle.dumps(partial._counter))
        batches = share.select(["query", "score"]).to_batches(max_chunksize=37)
        parts += tasks.count_rows(iter(batches), COLUMNS[:2], counter, bounds)
    every = [tasks._pack({"part": [at], "data": [None]}) for at in range(len(bounds) - 1)]
    result = {}
    for one, _ in tasks.finish_parts(
        iter([*every, *parts]),
        hits=arrays,
        places=partial._rows,
        queries=queries,
        cuts=bounds,
        judged=None,
        after=None,
        requested={"measures": MEASURES},
    ):
        result |= one.to_dict()
    return result


@pytest.mark.parametrize("sizes", [[3, 5, 2], [300, 4, 1, 800], [70_000], [256, 255, 257]])
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("cuts", [None, [0, 1]])
@pytest.mark.parametrize("levels", [1, 20])
def test_counts_of_any_size_add_up_over_partitions(
    sizes: Any, text: bool, cuts: Any, levels: int
) -> None:
    """A cell may hold more than a byte, or two, and so may the sum of those of partitions."""
    rng = np.random.default_rng(len(sizes))
    table = table_of(sum(sizes), sizes, text=text, levels=levels)
    expected = whole(table).to_dict()
    hits = table.filter(compute.field("label") > 0)
    bounds = cuts and sorted({*cuts, len(hits["query"].unique())})
    for partitions in (1, 3):
        result = counted(table, partitions, bounds, rng)
        assert result.keys() == expected.keys()
        for query, values in expected.items():
            assert result[query] == pytest.approx(values, abs=1e-14, nan_ok=True), query


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_lists_are_evaluated_as_they_come(dtype: Any) -> None:
    table = table_of(4, [5, 1, 9, 2, 2, 30], dtype)
    batches = table.select(["query", "label", "score"]).to_batches(max_chunksize=4)
    result: dict[Any, Any] = {}
    requested = {"measures": MEASURES}
    columns = [COLUMNS[0], COLUMNS[2], COLUMNS[1]]
    for one, ids in tasks.evaluate_lists(iter(batches), columns, requested, "", False):
        for query, values in zip(ids, one.to_dict().values(), strict=True):
            assert query not in result
            result[query] = values
    expected = whole(table).to_dict()
    assert result.keys() == expected.keys()
    for query, values in expected.items():
        assert result[query] == pytest.approx(values, nan_ok=True)


RECORDS = [("query", "id"), ("doc", "id"), ("label", "label"), ("score", "score")]


def rows_of(qrels: Any, run: Any) -> Any:
    """Rows of judgments and of a run, query by query, as they come to a task."""
    rows = [
        (query, doc, *((one, None) if is_judged else (None, one)), is_judged)
        for query in sorted({*qrels, *run})
        for records, is_judged in ((run, False), (qrels, True))
        for doc, one in records.get(query, {}).items()
    ]
    return pa.table(list(map(list, zip(*rows, strict=True))), [*"abcde"])


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("given", [{}, {"convention": "beir"}, {"bounds": ["ties"]}])
def test_judgments_and_a_run_are_evaluated_as_they_come(text: bool, given: Any) -> None:
    qrels, run = drawn(text)
    requested = {"measures": ["nDCG@5", "RR"], **given}
    batches = rows_of(qrels, run).to_batches(max_chunksize=17)
    result: dict[Any, Any] = {}
    for one, _ in tasks.evaluate_pairs(iter(batches), RECORDS, requested, "", False):
        result |= one.to_dict()
    expected = rg.evaluate(qrels, run, **requested)
    assert result.keys() == set(expected.queries)
    for name, column in expected.per_query.items():
        values = np.array([result[query][name] for query in expected.queries])
        assert values.tobytes() == column.tobytes(), name


@pytest.mark.parametrize("convention", ["trec", "trectools", "rankgain", "trec_eval-9"])
def test_counts_of_ids_give_the_bits_of_a_join(convention: str) -> None:
    qrels, run = drawn(True)
    if convention == "trec_eval-9":
        run = {
            query: {doc: float(np.float32(one)) for doc, one in docs.items()}
            for query, docs in run.items()
        }
    queries = list(qrels)
    judged = [(queries.index(query), label) for query in qrels for label in qrels[query].values()]
    hits = [
        (query, run[query][doc], label, doc)
        for query in qrels
        for doc, label in qrels[query].items()
        if doc in run.get(query, ())
    ]
    ids, scores, labels, docs = zip(*hits, strict=True)
    partial = PartialRanks(list(ids), scores, labels, queries=queries)
    partial._counter.float32 = convention == "trec_eval-9"
    for query, documents in run.items():
        partial.add([query] * len(documents), np.array(list(documents.values())))
    partial._counter.float32 = convention == "trec_eval-9"
    after = [
        sum(one == score and other.encode() > doc.encode() for other, one in run[query].items())
        for query, score, doc in zip(ids, scores, docs, strict=True)
    ]
    pair = tuple(map(np.array, zip(*judged, strict=True)))
    measures = ["nDCG@5", "AP", "R@3", "Judged@5", "Bpref"]
    result = tasks.evaluate_counted(
        partial, (pair[0], pair[1].astype(float)), np.array(after), measures, convention
    )
    expected = rg.evaluate(qrels, run, measures, convention=convention)
    assert result.queries == expected.queries
    assert result.counts["missing"] == expected.counts["missing"]
    for name, column in expected.per_query.items():
        assert result.per_query[name].tobytes() == column.tobytes(), name


@pytest.mark.parametrize("convention", ["trec", "ranx"])
def test_ties_of_a_run_are_refused_where_places_order_them(convention: str) -> None:
    by_place = "RR" if convention == "ranx" else ""
    requested = {"measures": "RR", "convention": convention}
    for second, tied in ((0.7, ""), (0.5, by_place), (0.5 + 1e-12, by_place)):
        rows = rows_of({1: {"a": 1}, 2: {"b": 1}}, {1: {"b": 0.7}, 2: {"a": 0.5, "b": second}})
        call = tasks.evaluate_pairs(iter(rows.to_batches()), RECORDS, requested, by_place, True)
        if tied:
            with pytest.raises(ValueError, match="query 2 has equal scores, and the ties of RR"):
                list(call)
        else:
            assert len(next(call)[0]) == 2
