"""The sides of the workloads on records: ids, long tables, qrels and runs, and comparisons."""

import compileall
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import data
import peer_tools as peers
import rankgain as rg
from array_workloads import columns, per_list
from measuring import Clock, Side, Sides, Times, Values
from rankgain.output.report import page

TOPK = ("nDCG@10", "HitRate@10")
BY_HAND = ("nDCG@10", "AP")
TREC_NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
}
FIVE = tuple(TREC_NAMES)


def topk(users: int, width: int, items: int, k: int) -> Sides:
    lot = data.recommendations(data.generator(), users, width, items)
    recommended, truth = lot.recommended, lot.truth
    names = [f"nDCG@{k}", f"HitRate@{k}"]

    def scipy_look_up() -> NDArray[np.bool_]:
        """Without the measures."""
        rows = np.repeat(np.arange(users), width)
        labels = np.asarray(truth[rows, recommended.ravel()])
        return np.asarray(labels.reshape(recommended.shape) != 0)

    def with_look_up(find: peers.Hits) -> Side:
        return Side(lambda: peers.topk_measures(recommended, truth, k, find), per_list)

    return {
        "rankgain": Side(lambda: rg.evaluate_ids(recommended, truth, names), columns(*names)),
        "NumPy": Side(lambda: peers.topk_measures(recommended, truth, k), per_list),
        "NumPy search": with_look_up(peers.topk_hits_by_search),
        "NumPy compare": with_look_up(peers.topk_hits_by_compare),
        "SciPy product": Side(lambda: peers.topk_by_product(recommended, truth, k), per_list),
        "SciPy indexing": Side(scipy_look_up),
        "RecTools": peers.rectools_topk(lot, k),
    }


def text_ids(users: int, width: int, items: int) -> Sides:
    lot = data.recommendations(data.generator(), users, width, items)
    names = [f"item-{i}" for i in range(items)]
    recommended = [[names[i] for i in row] for row in lot.recommended.tolist()]
    indices = lot.truth.indices.tolist()
    relevant = [[names[i] for i in indices[a:b]] for a, b in pairwise(lot.truth.indptr.tolist())]
    return {
        "rankgain": Side(lambda: rg.evaluate_ids(recommended, relevant, TOPK), columns(*TOPK)),
        "a set per user": Side(lambda: by_sets(recommended, relevant), np.asarray),
        "ints": Side(lambda: rg.evaluate_ids(lot.recommended, lot.truth, TOPK), columns(*TOPK)),
    }


def ranked_ids(lists: int, docs: int, relevant: int, k: int = 10) -> Sides:
    """Each form of integer ids, and the same ids as text; half of the relevant ids are ranked."""
    ids, relevant_ids = data.ranked_ids(data.generator(), lists, docs, relevant)
    rows, relevant_rows = ids.tolist(), [row.tolist() for row in relevant_ids]
    texts, relevant_texts = (
        [[f"item-{item}" for item in row] for row in side] for side in (rows, relevant_rows)
    )

    def evaluate(retrieved: Any, relevant: Any) -> Side:
        return Side(lambda: rg.evaluate_ids(retrieved, relevant, f"nDCG@{k}"), columns(f"nDCG@{k}"))

    return {
        "rankgain": evaluate(ids, relevant_ids),
        "rankgain, list of arrays": evaluate(list(ids), relevant_ids),
        "rankgain, Python integers": evaluate(rows, relevant_rows),
        "rankgain, text": evaluate(texts, relevant_texts),
        "ir_eval_numba": peers.ir_eval_numba_ndcg(ids, relevant_ids, k),
    }


def by_sets(recommended: Any, relevant: Any, k: int = 10) -> Values:
    """nDCG and hit rate as they are written without a library."""
    weights = (1 / np.log2(np.arange(2, k + 2))).tolist()
    ideals = np.cumsum(weights).tolist()
    values = []
    for row, relevant_ids in zip(recommended, relevant, strict=True):
        items = set(relevant_ids)
        hits = [item in items for item in row[:k]]
        dcg = sum(weight for weight, hit in zip(weights, hits, strict=False) if hit)
        values.append((dcg / ideals[min(len(items), k) - 1], float(any(hits))))
    return np.array(values)


def rows_in_no_order(rows: int, lists: int) -> Any:
    import polars

    rng = data.generator()
    columns = {"user_id": rng.integers(0, lists, rows), "label": rng.integers(0, 5, rows)}
    return polars.DataFrame(columns | {"score": rng.random(rows)})


def table(rows: int, lists: int) -> Sides:
    """Rows in no order, beside the same rows sorted as arrays, and the sort."""
    frame = rows_in_no_order(rows, lists)
    in_order = frame[np.argsort(frame["user_id"].to_numpy(), kind="stable")]
    arrays = [in_order[name].to_numpy() for name in ("label", "score", "user_id")]

    def of_arrays() -> Any:
        return rg.evaluate_arrays(*arrays[:2], "nDCG@10", qid=arrays[2])

    def of_rows() -> Any:
        return rg.evaluate_frame(in_order, "nDCG@10")

    def sorted_first() -> Any:
        frame.sort("user_id")
        return of_arrays()

    return {
        "rankgain": Side(lambda: rg.evaluate_frame(frame, "nDCG@10")),
        "rankgain, sorted rows": Side(of_rows, columns("nDCG@10"), same_bits_as="arrays"),
        "arrays": Side(of_arrays, columns("nDCG@10")),
        "polars' sort and arrays": Side(sorted_first),
    }


def small_table(lists: int, docs: int) -> Sides:
    """A table that is evaluated in less than a millisecond, so that reading its columns counts.

    Beside it are its columns as arrays, which are grouped by query too, and the same lists as
    matrices, which need no grouping. Up to 20,000 documents only the calling thread works, so its
    time is all the time of the process.
    """
    import polars

    scores, labels = data.scores_and_labels(lists, docs)
    flat_labels, flat_scores = labels.ravel(), scores.ravel()
    queries = np.repeat(np.arange(lists), docs)
    columns_of_table = {"query": queries, "label": flat_labels, "score": flat_scores}
    frame = polars.DataFrame(columns_of_table)
    pandas = frame.to_pandas()
    values = columns("nDCG@10")

    def ours(table: Any) -> Side:
        return Side(lambda: rg.evaluate_frame(table, "nDCG@10"), values, same_bits_as="arrays")

    def of_arrays() -> Any:
        return rg.evaluate_arrays(flat_labels, flat_scores, "nDCG@10", qid=queries)

    return {
        "rankgain": ours(frame),
        "rankgain, pandas": ours(pandas),
        "arrays": Side(of_arrays, values),
        "matrices": Side(lambda: rg.evaluate_arrays(labels, scores, "nDCG@10"), values),
    }


def by_hand(rows: int, lists: int) -> Sides:
    """Rows in no order, beside polars with the measures written out, as groups and as windows."""
    frame = rows_in_no_order(rows, lists)
    pandas = frame.to_pandas()

    def ours(rows: Any) -> Side:
        return Side(lambda: rg.evaluate_frame(rows, BY_HAND), by_user)

    return {
        "rankgain": ours(frame),
        "rankgain, pandas": ours(pandas),
        "polars, groups": Side(lambda: polars_groups(frame), of_polars),
        "polars, windows": Side(lambda: polars_windows(frame), of_polars),
    }


def by_user(evaluation: rg.Evaluation) -> Values:
    order = np.argsort(evaluation.queries)
    return np.column_stack([evaluation.per_query[name][order] for name in BY_HAND])


def of_polars(values: Any) -> Values:
    return values.sort("user_id").fill_nan(0.0).select(BY_HAND).to_numpy()


def polars_groups(frame: Any) -> Any:
    """Rows sorted by user and score, and expressions of each group."""
    import polars as pl

    label, rank = pl.col("label"), pl.int_range(1, pl.len() + 1)
    discounts, hit = (rank.head(10) + 1).log(2), pl.col("label") > 0
    dcg = (label.head(10) / discounts).sum()
    idcg = (label.top_k(10).sort(descending=True) / discounts).sum()
    precisions = (hit.cum_sum() / rank).filter(hit).sum()
    ordered = frame.sort("user_id", "score", descending=[False, True])
    return ordered.group_by("user_id", maintain_order=True).agg(
        (dcg / idcg).alias("nDCG@10"), (precisions / hit.sum()).alias("AP")
    )


def polars_windows(frame: Any) -> Any:
    """Ranks as windows over the users, and sums of each group."""
    import polars as pl

    label, hit = pl.col("label"), pl.col("label") > 0
    ranked = frame.sort("score", descending=True).with_columns(
        rank=pl.int_range(1, pl.len() + 1).over("user_id"),
        ideal=label.rank("ordinal", descending=True).over("user_id"),
        hits=hit.cum_sum().over("user_id"),
    )
    dcg, idcg = (
        (label / (pl.col(rank) + 1).log(2)).filter(pl.col(rank) <= 10).sum()
        for rank in ("rank", "ideal")
    )
    precisions = (pl.col("hits") / pl.col("rank")).filter(hit).sum()
    return ranked.group_by("user_id").agg(
        (dcg / idcg).alias("nDCG@10"), (precisions / hit.sum()).alias("AP")
    )


def per_query(names: Sequence[str]) -> Callable[[Any], Values]:
    def values(evaluation: Any) -> Values:
        by_query = evaluation.to_dict()
        return np.array([[by_query[query][name] for name in names] for query in sorted(by_query)])

    return values


def dicts(queries: int, docs: int, judged: int, measures: int) -> Sides:
    names = FIVE[:measures]
    made = data.track(queries, docs, judged)
    qrels, run = made.qrels(), made.run()
    loaded_qrels = rg.Qrels(qrels)
    return {
        "pytrec_eval": peers.pytrec_eval_dicts(qrels, run, [TREC_NAMES[name] for name in names]),
        "rankgain": Side(lambda: rg.evaluate(qrels, run, names), per_query(names)),
        "rankgain, loaded qrels": Side(
            lambda: rg.evaluate(loaded_qrels, run, names), per_query(names)
        ),
    }


def loaded(queries: int, docs: int, judged: int, measures: int) -> Sides:
    names = FIVE[:measures]
    made = data.track(queries, docs, judged)
    dicts = made.qrels(), made.run()
    qrels, run = rg.Qrels(dicts[0]), rg.Run(dicts[1])

    def anew() -> Any:
        run._joined = None  # the cached join with the qrels of the last evaluation
        return rg.evaluate(qrels, run, names)

    return {
        "rankgain": Side(lambda: rg.evaluate(qrels, run, names), per_query(names)),
        "rankgain, joined anew": Side(anew, per_query(names)),
        "ranx": peers.ranx_loaded(*dicts, list(names)),
    }


def judged_only(queries: int, docs: int, judged: int) -> Sides:
    made = data.track(queries, docs, judged)
    call = partial(rg.evaluate, rg.Qrels(made.qrels()), rg.Run(made.run()), "nDCG@10")
    return {"rankgain": Side(lambda: call(judged_only=True)), "plain": Side(call)}


NDEVAL_NAMES = {
    "alpha_nDCG@20": "alpha-nDCG@20",
    "alpha_DCG@20": "alpha-DCG@20",
    "nERR_IA@20": "nERR-IA@20",
    "NRBP": "NRBP",
    "nNRBP": "nNRBP",
    "AP_IA": "MAP-IA",
    "P_IA@20": "P-IA@20",
    "StRecall@20": "strec@20",
}


def subtopics(queries: int, docs: int, judged: int, parts: int) -> Sides:
    """Measures of subtopics on judgments and a run that are read."""
    return subtopic_sides(queries, docs, judged, parts, NDEVAL_NAMES)


def growth_by_subtopic_cutoff(k: int) -> Sides:
    """pyndeval computes no cutoff above 20."""
    names = {f"alpha_nDCG@{k}": f"alpha-nDCG@{k}", f"nERR_IA@{k}": f"nERR-IA@{k}"}
    sides = subtopic_sides(100, 1_000, 1_000, 5, names if k <= 20 else dict.fromkeys(names))
    return {side: call for side, call in sides.items() if call is not None}


def subtopic_sides(
    queries: int, docs: int, judged: int, parts: int, names: Mapping[str, str | None]
) -> Sides:
    """names: pyndeval's name of each of our measures, None without one."""
    draw = data.generator()
    run = {
        f"q{query}": {
            f"d{document}": float(-rank)
            for rank, document in enumerate(draw.permutation(2 * docs)[:docs].tolist())
        }
        for query in range(queries)
    }
    rows = [
        (query, str(part), f"d{document}", int(label))
        for query in run
        for document in draw.permutation(2 * docs)[:judged].tolist()
        for part, label in enumerate(draw.integers(0, 2, parts).tolist())
    ]
    nested: dict[str, dict[str, dict[str, int]]] = {}
    for query, part, document, label in rows:
        nested.setdefault(query, {}).setdefault(document, {})[part] = label
    qrels, loaded_run = rg.Qrels(nested), rg.Run(run)

    def first_call() -> rg.Evaluation:
        """Without what earlier calls kept: the join by id and the ideal rankings."""
        loaded_run._joined = None
        for cache in (qrels._parts.covered_by_rel, qrels._parts.ideals, qrels._parts.cached_gains):
            cache.clear()
        return rg.evaluate(qrels, loaded_run, list(names))

    values = per_query(list(names))
    theirs = {ours: name for ours, name in names.items() if name is not None}
    return {
        "rankgain": Side(lambda: rg.evaluate(qrels, loaded_run, list(names)), values),
        "rankgain, first call": Side(first_call, values),
        "pyndeval": peers.pyndeval_rows(rows, run, theirs) if theirs else None,
    }


READER_MEASURES = (
    *("INSQ(max_rel=3)", "INST(max_rel=3)", "BPM(max_rel=3)@10", "SDCG(max_rel=3)@10"),
    *("NERR8(max_rel=3)@10", "NERR9(max_rel=3)@10", "NERR10(max_rel=3)", "NERR11(max_rel=3)"),
)


def reader_measures(queries: int, docs: int, judged: int) -> Sides:
    """Measures of readers who may stop, on dicts: ir_measures with cwl-eval, and from here."""
    made = data.track(queries, docs, judged)
    qrels, run = made.qrels(), made.run()
    names = list(READER_MEASURES)
    return {
        "rankgain": Side(
            lambda: rg.evaluate(qrels, run, names, convention="trec"), per_query(names)
        ),
        "cwl-eval": peers.cwl_eval_dicts(qrels, run, names),
    }


PYTREC_EVAL = """
import sys
import pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
names = ("map", "ndcg_cut_10")
results = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10"}).evaluate(run).values()
for name in names:
    print(name, "all", f"{sum(result[name] for result in results) / len(qrels):.4f}", sep="\\t")
"""

START = "import sys; from rankgain.{} import main; sys.exit(main())"
"""What the installed script runs, in the interpreter of the benchmark."""

Command = list[str]


def commands(files: data.Files) -> dict[str, Command | None]:
    """The same two means of the same files, by us, by the C program and by pytrec_eval."""
    paths = [str(files.qrels), str(files.run)]
    names = ["-m", "map", "-m", "ndcg_cut.10"]
    drop_in = [sys.executable, "-c", START.format("trec.trec_eval.program")]
    command = [sys.executable, "-c", START.format("cli")]
    trec_eval = shutil.which("trec_eval")
    return {
        "trec_eval": [trec_eval, "-c", *names, *paths] if trec_eval else None,
        "pytrec_eval": [sys.executable, "-c", PYTREC_EVAL, *paths]
        if peers.installed("pytrec_eval")
        else None,
        "rankgain": [*drop_in, "-c", *names, *paths],
        "rankgain evaluate": [*command, "evaluate", *paths, "-m", "AP", "-m", "nDCG@10"],
    }


def printed_means(text: str) -> Values:
    lines = [line.split() for line in text.splitlines()]
    return np.array([float(fields[-1]) for fields in lines if len(fields) == 3])


def output(command: Command, _files: data.Files) -> str:
    """What a command prints. The folder of the files exists as long as `_files` is referenced."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def whole_processes(queries: int, docs: int, judged: int) -> Sides:
    compileall.compile_dir(Path(rg.__file__).parent, quiet=1)  # as pip does on installation
    files = data.write_files(data.track(queries, docs, judged))
    sides: dict[str, Side | None] = {}
    for name, command in commands(files).items():
        if command is None:
            sides[name] = None
            continue
        # A table for people is not compared.
        values = None if name == "rankgain evaluate" else printed_means
        sides[name] = Side(partial(output, command, files), values, tolerance=1.01e-4)
    return sides


PEAK = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_maxrss)
"""
"""The peak of a process begins at the size of the one that starts it, so that one is small."""


def peaks_of_processes(_clock: Clock, queries: int, docs: int, judged: int) -> Times:
    """Peak resident memory of each whole process."""
    files = data.write_files(data.track(queries, docs, judged))
    megabytes: Times = {}
    for name, command in commands(files).items():
        if command is None:
            continue
        status, peak = output([sys.executable, "-c", PEAK, *command], files).split()
        if status == "0":
            megabytes[name] = int(peak) / (2**20 if sys.platform == "darwin" else 1024)
    return megabytes


def report_pages(queries: int, docs: int, judged: int, runs: int) -> Sides:
    """Loaded runs, evaluated, compared with one of them, and reported with rankings explained.

    The runs are copies of one, with more and more noise on their scores.
    """
    made = data.track(queries, docs, judged)
    qrels = rg.Qrels(made.qrels())
    rng = np.random.default_rng(1)
    noiseless = made.run()
    loaded = {
        f"run-{at}": rg.Run(
            {
                query: dict(zip(scores, np.add(noise, list(scores.values())).tolist(), strict=True))
                for query, scores in noiseless.items()
                for noise in [rng.normal(0, at + 1.0, len(scores))]
            }
        )
        for at in range(runs)
    }

    def report() -> Any:
        evaluations = rg.evaluate_runs(qrels, loaded, FIVE)
        comparison = rg.compare(evaluations, baseline="run-0")
        return comparison, page(comparison, qrels=qrels, runs=loaded)

    return {"rankgain": Side(report, lambda result: np.array([row[4:6] for row in result[0].rows]))}


def system_runs(lists: int, systems: int) -> tuple[Any, rg.Evaluations]:
    """Values of systems on lists, and these as evaluations."""
    rng = data.generator()
    table = np.clip(rng.beta(1, 2, (lists, 1)) + rng.normal(0, 0.1, (lists, systems)), 0, 1)
    runs = {
        f"s{at}": rg.Evaluation({"AP": float(column.mean())}, {"AP": column}, range(lists))
        for at, column in enumerate(table.T)
    }
    return table, rg.Evaluations(runs)


def differences_of(comparison: rg.Comparison) -> Any:
    return np.array([row.difference for row in comparison.rows])


def flips_against_first(table: Any, flips: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    differences = table[:, 1:] - table[:, :1]
    totals = np.abs(differences.sum(axis=0))
    reached = np.zeros(len(totals), np.int64)
    for first in range(0, flips, 10_000):
        count = min(10_000, flips - first)
        signs = rng.integers(0, 2, (count, len(table))) * 2.0 - 1
        reached += (np.abs(signs @ differences) >= totals * (1 - 1e-12)).sum(axis=0)
    return differences.mean(axis=0), (reached + 1) / (flips + 1)


def flips_of_all(table: Any, flips: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    totals = (rng.integers(0, 2, (flips, len(table))) * 2.0 - 1) @ table
    observed = table.sum(axis=0)
    reached = []
    for at in range(table.shape[1] - 1):
        far = np.abs(totals[:, at : at + 1] - totals[:, at + 1 :])
        reached.append((far >= np.abs(observed[at] - observed[at + 1 :]) * (1 - 1e-12)).sum(axis=0))
    a, b = np.triu_indices(table.shape[1], 1)
    return (observed[a] - observed[b]) / len(table), (np.concatenate(reached) + 1) / (flips + 1)


def against_a_baseline(lists: int, systems: int, flips: int) -> Sides:
    """We compute p-values and bootstrap intervals, NumPy only p-values."""
    table, runs = system_runs(lists, systems)
    ours = partial(runs.compare, baseline="s0", resamples=flips)
    return {
        "rankgain": Side(ours, differences_of),
        "NumPy": Side(partial(flips_against_first, table, flips), lambda result: result[0]),
    }


def all_pairs(lists: int, systems: int, flips: int) -> Sides:
    table, runs = system_runs(lists, systems)
    ours = partial(runs.compare, resamples=flips, correction=None)
    return {
        "rankgain": Side(ours, differences_of),
        "NumPy": Side(partial(flips_of_all, table, flips), lambda result: result[0]),
    }


def middle(ends: Any) -> Any:
    return np.float64(sum(ends) / 2)


def numpy_bootstrap(values: Any, resamples: int) -> Any:
    rng = np.random.default_rng(0)
    means = [values[rng.integers(0, len(values), len(values))].mean() for _ in range(resamples)]
    return np.quantile(means, [0.025, 0.975])


def bootstrap(lists: int, resamples: int) -> Sides:
    """Ends of intervals differ by chance, so their middles are compared."""
    values = data.generator().random(lists)
    evaluation = rg.Evaluation({"AP": float(values.mean())}, {"AP": values}, range(lists))
    tolerance = 0.5 / np.sqrt(lists)
    return {
        "rankgain": Side(
            partial(evaluation.interval, "AP", resamples=resamples), middle, tolerance
        ),
        "NumPy": Side(partial(numpy_bootstrap, values, resamples), middle, tolerance),
    }


def beside_ranx(queries: int, runs: int) -> Sides:
    """Loaded runs, evaluated, and all pairs compared by the randomisation test."""
    measures = ["ndcg@10", "map", "mrr", "precision@5", "recall@100"]
    rng = data.generator()
    documents = [f"d{at}" for at in range(100)]
    qrels = {
        f"q{at}": dict(zip(documents[:60:2], rng.integers(0, 3, 30).tolist(), strict=True))
        for at in range(queries)
    }
    dicts = {
        f"r{run}": {
            query: dict(zip(documents, rng.random(100).tolist(), strict=True)) for query in qrels
        }
        for run in range(runs)
    }
    loaded_qrels = rg.Qrels(qrels)
    loaded = {name: rg.Run(run) for name, run in dicts.items()}

    def ours() -> rg.Comparison:
        evaluations = rg.evaluate_runs(loaded_qrels, loaded, measures)
        return evaluations.compare(resamples=1_000, correction="bh")

    def ranx_side() -> Side | None:
        if not peers.installed("ranx"):
            return None
        ranx = peers.load("ranx")
        inputs = ranx.Qrels(qrels), [ranx.Run(run, name=name) for name, run in dicts.items()]
        options = {"metrics": measures, "stat_test": "fisher", "n_permutations": 1_000}
        pairs = runs * (runs - 1) / 2 * len(measures)
        return Side(lambda: ranx.compare(*inputs, **options), lambda _: np.float64(pairs))

    return {
        "rankgain": Side(ours, lambda comparison: np.float64(len(comparison))),
        "ranx": ranx_side(),
    }
