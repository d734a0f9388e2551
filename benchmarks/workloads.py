"""The table of workloads: how big each is, how small in smoke tests, and what is required of it.

A goal compares our time with that of other sides. Its figures are what is required of a release,
and a stretch figure that we would like to reach.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import array_workloads as arrays
import measuring
import record_workloads as records
from measuring import Clock, Effort, Goal, Sides, Times, Unit, faster, share

NUMPY = ("NumPy", "NumPy argsort")
READING = ("read limit", "read limit, two threads")


SMALL = {"lists": 40, "docs": 150}


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    sides: Callable[..., Sides]
    size: Mapping[str, Any]
    goals: tuple[Goal, ...] = ()
    smoke: Mapping[str, Any] = field(default_factory=lambda: SMALL)
    """What of the size is smaller in smoke tests."""
    environment: Mapping[str, str] = field(default_factory=dict)
    wall: bool = False
    """Wall time always, because it uses several threads or processes."""

    @property
    def lists(self) -> int:
        counts = (self.size[name] for name in ("lists", "users", "queries") if name in self.size)
        return int(next(counts, 1))

    def prepare(self, smoke: bool = False) -> Sides:
        return self.sides(**self.size | (self.smoke if smoke else {}))


@dataclass(frozen=True)
class ProcessWorkload:
    """A figure that needs new processes."""

    name: str
    title: str
    run: Callable[[Clock], Times]
    goals: tuple[Goal, ...]
    megabytes: bool = False
    """Whether it measures memory, not time."""
    lists: int = 1


Grown = dict[int, Times]
"""Seconds per list of each side, by point."""


@dataclass(frozen=True)
class Series:
    """One quantity that varies, the sides at each of its values, and how many lists those have."""

    name: str
    title: str
    points: tuple[int, ...]
    sides: Callable[[int], Sides]
    lists: Callable[[int], int]
    wall: bool = False

    def measure(self, effort: Effort) -> Grown:
        effort = replace(effort, clock=Clock.WALL) if self.wall else effort
        return {
            point: {
                side: seconds / self.lists(point)
                for side, seconds in measuring.measure(self.sides(point), effort).seconds.items()
            }
            for point in self.points
        }


DENSE = {"lists": 10_000, "docs": 1_000}

ARRAYS = (
    Workload(
        "dense",
        "10,000 lists of 1,000, nDCG@10",
        arrays.dense_and_every_peer,
        DENSE | {"k": 10},
        (
            share(1.2, 0.9, "read limit"),
            faster(8, 11, *NUMPY),
            faster(4.5, 6.5, "torch"),
            faster(150, 200, "scikit-learn"),
            faster(70, 95, "scikit-learn ignore_ties"),
            faster(120, 200, "CatBoost"),
        ),
    ),
    Workload(
        "dense-plain",
        "10,000 lists of 1,000, nDCG@10, plain path",
        arrays.beside_reading,
        DENSE | {"k": 10},
        (share(1.8, 1.5, "read limit"),),
        environment={"RANKGAIN_SIMD": "plain"},
    ),
    Workload(
        "truth",
        "10,000 lists of 1,000, nDCG@10, labels as a Truth",
        arrays.truth,
        DENSE | {"k": 10},
    ),
    Workload(
        "dense-int8", "10,000 lists of 1,000, nDCG@10, int8 labels", arrays.dense, DENSE | {"k": 10}
    ),
    *(
        Workload(
            f"doubles-nDCG@{k}",
            f"10,000 lists of 1,000 in 64 bits, nDCG@{k}",
            arrays.doubles,
            DENSE | {"k": k},
        )
        for k in (10, 100)
    ),
    Workload(
        "dense-long",
        "1,000 lists of 10,000, nDCG@10",
        arrays.dense,
        {"lists": 1_000, "docs": 10_000, "k": 10},
        (faster(12, 15, *NUMPY),),
    ),
    Workload(
        "ragged",
        "30,000 lists of about 120, nDCG@10",
        arrays.ragged,
        {"lists": 30_000, "docs": 120, "k": 10},
        (faster(4, 6, *NUMPY),),
        {"lists": 40, "docs": 30},
    ),
    Workload(
        "dense-deep",
        "10,000 lists of 1,000, nDCG@100",
        arrays.dense,
        DENSE | {"k": 100},
        (faster(5, 8, *NUMPY), Goal(Unit.SHARE, 3, 2.6, ("read limit",), path="avx2")),
    ),
    Workload(
        "catalogue",
        "500 users, 100,000 items, 10 relevant as CSR: nDCG, AP, RR, R@100",
        arrays.catalogue,
        {"lists": 500, "docs": 100_000, "relevant": 10},
        (share(2.5, 2, "read limit"), faster(3.5, 5, "NumPy"), faster(50, 100, "NumPy argsort")),
        {"lists": 12, "docs": 900, "relevant": 5},
    ),
    Workload(
        "full-order",
        "2,000 lists of 1,000, half the labels above 0, nDCG uncut",
        arrays.full_order,
        {"lists": 2_000, "docs": 1_000},
        (share(0.4, 0.2, "argsort alone"),),
    ),
    Workload(
        "many-measures",
        "10,000 lists of 1,000, 12 measures at 1, 5, 10, 100",
        arrays.many_measures,
        DENSE,
        (share(1.5, 1.2, "nDCG@100 alone"),),
    ),
    Workload(
        "one-list",
        "one list of 100 documents, nDCG@10",
        arrays.one_list,
        {"docs": 100},
        (faster(80, 80, "scikit-learn"), Goal(Unit.MICROSECONDS, 4, 2)),
        {},
    ),
    Workload(
        "two-threads",
        "20,000 lists of 1,000, nDCG@10, two threads, same bits",
        arrays.two_threads,
        {"lists": 20_000, "docs": 1_000, "k": 10},
        (
            Goal(
                Unit.FASTER,
                1.6,
                1.6,
                ("one thread",),
                or_else=Goal(Unit.OF_THE_GAIN, 0.8, 1, READING, ("one thread", "rankgain")),
            ),
        ),
        wall=True,
    ),
    Workload(
        "tiny-lists",
        "a million lists of 5, flat with group sizes, nDCG@10",
        arrays.tiny_lists,
        {"lists": 1_000_000, "docs": 5},
        (Goal(Unit.NANOSECONDS_A_LIST, 150, 60),),
        {"lists": 50},
    ),
    Workload(
        "topk",
        "200,000 users with 20 recommended ids, truth as CSR: nDCG@10, HitRate@10",
        records.topk,
        {"users": 200_000, "width": 20, "items": 50_000, "k": 10},
        (faster(8, 12, "NumPy search", "NumPy compare"), faster(60, 90, "RecTools")),
        {"users": 60, "items": 400},
    ),
    Workload(
        "topk-20",
        "200,000 users with 20 recommended ids, to the last of them: nDCG@20, HitRate@20",
        records.topk,
        {"users": 200_000, "width": 20, "items": 50_000, "k": 20},
        (faster(8, 12, "NumPy search", "NumPy compare"),),
        {"users": 60, "items": 400},
    ),
    Workload(
        "long-beside-short",
        "one list of 10 million documents beside a million lists of 5, nDCG@10",
        arrays.long_beside_short,
        {"long": 10_000_000, "lists": 1_000_000, "docs": 5},
        (share(1.2, 1.2, "both alone"),),
        {"long": 1_000, "lists": 50},
    ),
    Workload(
        "python-lists",
        "200,000 Python lists of about 50 scores, read",
        arrays.python_lists,
        {"lists": 200_000, "docs": 50},
        (share(1.5, 1.0, "fromiter"),),
        {"lists": 40, "docs": 20},
    ),
    Workload(
        "text-ids",
        "200,000 users with 20 recommended ids as text: nDCG@10, HitRate@10",
        records.text_ids,
        {"users": 200_000, "width": 20, "items": 50_000},
        (faster(10, 15, "a set per user"),),
        {"users": 60, "items": 400},
    ),
    Workload(
        "table",
        "a table of 10 million rows and 200,000 lists, nDCG@10",
        records.table,
        {"rows": 10_000_000, "lists": 200_000},
        (
            share(1.5, 1.2, "arrays", ours="rankgain, sorted rows"),
            share(1.5, 1.0, "polars' sort and arrays"),
        ),
        {"rows": 2_000, "lists": 40},
    ),
    *(
        Workload(
            f"ranked-ids-{docs}",
            f"{lists:,} lists of {docs:,} ranked integer ids, {relevant} relevant, nDCG@10",
            records.ranked_ids,
            {"lists": lists, "docs": docs, "relevant": relevant},
            (
                share(required, required / 2, "ir_eval_numba"),
                share(1.2, 1.1, "rankgain", ours="rankgain, list of arrays"),
                Goal(
                    Unit.NANOSECONDS_A_LIST,
                    30 * (docs + relevant),
                    20 * (docs + relevant),
                    ours=("rankgain, Python integers",),
                ),
            ),
            {"lists": 40},
        )
        for lists, docs, relevant, required in (
            (1_000, 1_000, 50, 2.0),
            (10_000, 100, 20, 1.2),
            (10_000, 10, 10, 1.2),
        )
    ),
    Workload(
        "by-hand",
        "a table of 10 million rows and 200,000 lists in no order, nDCG@10 and AP",
        records.by_hand,
        {"rows": 10_000_000, "lists": 200_000},
        (
            Goal(
                Unit.FASTER,
                4,
                8,
                ("polars, groups", "polars, windows"),
                ("rankgain", "rankgain, pandas"),
            ),
        ),
        {"rows": 2_000, "lists": 40},
    ),
)


def difficult_goals(against: str, *cases: str) -> tuple[Goal, ...]:
    return tuple(Goal(Unit.SHARE, 3, 3, (against,), (case,)) for case in cases)


DIFFICULT = (
    *difficult_goals(
        "random",
        *("ascending", "descending", "constant", "five values", "int8-quantised"),
        *("labels all equal", "labels all zero", "half relevant", "labels all distinct"),
    ),
    *difficult_goals("random doubles", "doubles that are one float", "constant doubles"),
)
CLIFFS = (
    *(
        Workload(
            f"cliffs-{measure}",
            f"2,000 lists of 1,000, {measure}, difficult inputs",
            arrays.difficult,
            {"lists": 2_000, "docs": 1_000, "measure": measure},
            DIFFICULT,
            {"lists": 6, "docs": 150},
        )
        for measure in arrays.FUNCTIONS
    ),
    *(
        Workload(
            f"long-cliffs-{measure}",
            f"20 lists of 100,000, {measure}, difficult inputs",
            arrays.long_difficult,
            {"lists": 20, "docs": 100_000, "measure": measure},
            difficult_goals("random", "constant", "five values", "labels all distinct"),
            {"lists": 2, "docs": 3_000},
        )
        for measure in ("nDCG@10", "AP@100", "nDCG", "AP")
    ),
)

COMPARISONS = (
    Workload(
        "flips-baseline",
        "128 systems against a baseline, 50 lists, 100,000 flips and resamples",
        records.against_a_baseline,
        {"lists": 50, "systems": 129, "flips": 100_000},
        (Goal(Unit.MILLISECONDS, 300, 150, ("NumPy",)),),
        {"systems": 4, "flips": 100},
    ),
    Workload(
        "flips-all-pairs",
        "all pairs of 129 systems, 50 lists, 10,000 flips and resamples",
        records.all_pairs,
        {"lists": 50, "systems": 129, "flips": 10_000},
        (Goal(Unit.MILLISECONDS, 400, 200, ("NumPy",)),),
        {"systems": 4, "flips": 100},
    ),
    Workload(
        "bootstrap",
        "bootstrap interval, 10,000 resamples of 10,000 lists",
        records.bootstrap,
        {"lists": 10_000, "resamples": 10_000},
        (Goal(Unit.MILLISECONDS, 500, 250, ("NumPy",)),),
        {"lists": 300, "resamples": 100},
    ),
    Workload(
        "bootstrap-1m",
        "bootstrap interval, 1,000 resamples of 1,000,000 lists",
        records.bootstrap,
        {"lists": 1_000_000, "resamples": 1_000},
        (Goal(Unit.MILLISECONDS, 5_000, 2_500, ("NumPy",)),),
        {"lists": 300, "resamples": 100},
    ),
    Workload(
        "compare-ranx",
        "evaluate and compare 20 runs of 250 queries, 5 measures, 1,000 permutations",
        records.beside_ranx,
        {"queries": 250, "runs": 20},
        (faster(5, 10, "ranx"),),
        {"queries": 8, "runs": 3},
    ),
)

CONVENTIONS = tuple(
    Workload(
        name,
        f"10,000 lists of 100, {title}",
        sides,
        {"lists": 10_000, "docs": 100, "measure": measure},
        goals,
        {"lists": 30, "docs": 20},
    )
    for name, title, sides, measure, goals in (
        *(
            row
            for measure in ("nDCG@10", "nDCG@100")
            for row in (
                (
                    f"conventions-{measure}",
                    f"{measure}, each convention",
                    arrays.conventions,
                    measure,
                    (
                        Goal(Unit.SHARE, 1.2, 1.0, ("plain",), arrays.CONVENTIONS),
                        Goal(Unit.SHARE, 1.5, 1.0, ("plain",), arrays.NEED_IDS),
                    ),
                ),
                (
                    f"tie-rules-{measure}",
                    f"{measure}, each order of ties",
                    arrays.tie_rules,
                    measure,
                    (Goal(Unit.SHARE, 1.2, 1.0, ("plain",), arrays.TIE_RULES),),
                ),
            )
        ),
        (
            "reconcile",
            "nDCG@10 from sklearn to lightgbm",
            arrays.reconcile,
            "nDCG@10",
            (Goal(Unit.MILLISECONDS, 1000, 300),),
        ),
        ("tie-bounds", "nDCG@10 over ties", arrays.tie_bounds, "nDCG@10", ()),
        (
            "unjudged-bounds",
            "AP@10 over unjudged documents",
            arrays.unjudged_bounds,
            "AP@10",
            (share(20, 10, "plain"),),
        ),
        (
            "unjudged-bounds-AP",
            "AP over unjudged documents",
            arrays.unjudged_bounds,
            "AP",
            (share(20, 10, "plain"),),
        ),
    )
)

TRACK = {"queries": 1_000, "docs": 1_000, "judged": 100}
BIG = {"queries": 5_700, "docs": 1_000, "judged": 509}
"""5.7 million rows and 2.9 million judgments."""
SMALL_TRACK = {"queries": 8, "docs": 60, "judged": 30}

TREC = (
    *(
        Workload(
            f"dicts-{count}",
            f"dict of dicts, 1,000 queries x 1,000 documents, {count} measure{'s' * (count > 1)}",
            records.dicts,
            TRACK | {"measures": count},
            (faster(8, 12, "pytrec_eval"),),
            SMALL_TRACK,
        )
        for count in (1, 5)
    ),
    *(
        Workload(
            f"loaded-{count}",
            f"loaded Qrels and Run of that size, {count} measure{'s' * (count > 1)}",
            records.loaded,
            TRACK | {"measures": count},
            (faster(30, 60, "ranx"),),
            SMALL_TRACK,
        )
        for count in (1, 5)
    ),
    Workload(
        "judged-only",
        "loaded Qrels and Run of 300 queries x 1,000 documents, nDCG@10, judged_only=True",
        records.judged_only,
        {"queries": 300, "docs": 1_000, "judged": 100},
        (share(1.6, 1.1, "plain"),),
        SMALL_TRACK,
    ),
    Workload(
        "subtopics",
        "loaded judgments of five subtopics, 300 queries x 1,000 documents, 8 measures",
        records.subtopics,
        {"queries": 300, "docs": 1_000, "judged": 1_000, "parts": 5},
        (faster(5, 10, "pyndeval"), faster(5, 8, "pyndeval", ours="rankgain, first call")),
        {"queries": 6, "docs": 40, "judged": 30, "parts": 3},
    ),
    Workload(
        "reader-measures",
        "dict of dicts, 50 queries x 1,000 documents, 8 measures of readers who may stop",
        records.reader_measures,
        {"queries": 50, "docs": 1_000, "judged": 100},
        (faster(20, 50, "cwl-eval"),),
        SMALL_TRACK,
    ),
    Workload(
        "page",
        "20 loaded runs x 250 queries x 5 measures, evaluated, compared, as a page",
        records.report_pages,
        {"queries": 250, "docs": 1_000, "judged": 500, "runs": 20},
        (Goal(Unit.MILLISECONDS, 3_000, 1_500),),
        SMALL_TRACK | {"runs": 3},
        {"OPENBLAS_NUM_THREADS": "1"},
    ),
    Workload(
        "command-big",
        "whole process, 5.7 million rows, 2.9 million judgments: map, ndcg_cut.10",
        records.whole_processes,
        BIG,
        (
            faster(8, 12, "trec_eval"),
            faster(8, 12, "trec_eval", ours="rankgain evaluate"),
            faster(8, 12, "pytrec_eval"),
        ),
        SMALL_TRACK,
        wall=True,
    ),
    Workload(
        "command-small",
        "whole process, 50,000 rows: map, ndcg_cut.10",
        records.whole_processes,
        {"queries": 50, "docs": 1_000, "judged": 509},
        (Goal(Unit.MILLISECONDS_MORE, 60, 60, ("trec_eval",)),),
        SMALL_TRACK,
        wall=True,
    ),
)

PROCESSES = (
    ProcessWorkload(
        "memory",
        "memory above the inputs, 20,000 lists of 1,000, two threads",
        partial(measuring.peak_megabytes, lists=20_000, docs=1_000, threads=2),
        (Goal(Unit.MEGABYTES, 8, 2),),
        megabytes=True,
    ),
    ProcessWorkload(
        "command-memory",
        "peak memory of a whole process, 5.7 million rows",
        partial(records.peaks_of_processes, **BIG),
        (share(0.7, 0.1, "trec_eval"), share(0.7, 0.1, "pytrec_eval")),
        megabytes=True,
    ),
    ProcessWorkload(
        "import",
        "`import rankgain` above `import numpy`",
        measuring.import_seconds,
        (Goal(Unit.MILLISECONDS, 15, 5),),
    ),
)

MULTILABEL = {
    "label_ranking_average_precision_score": 30,
    "label_ranking_loss": 20,
    "coverage_error": 1,
    "top_k_accuracy_score": 30,
}
BY_HAND = (
    Workload(
        "small-table",
        "a table of 100 lists of 100 rows, beside its columns as arrays, nDCG@10",
        records.small_table,
        {"lists": 100, "docs": 100},
        (share(1.6, 1.3, "arrays"), share(1.6, 1.3, "arrays", ours="rankgain, pandas")),
        smoke={"lists": 10, "docs": 20},
    ),
    *(
        Workload(
            f"factors-{relevant}",
            f"2,000 users, 20,000 items, {relevant} relevant, factors: nDCG, AP, RR, R@100",
            arrays.factor_model,
            {"users": 2_000, "items": 20_000, "relevant": relevant},
            (share(1.5, 1.1, "product and evaluate_arrays"),),
            smoke={"users": 30, "items": 200},
            environment={"OPENBLAS_NUM_THREADS": "1"},
        )
        for relevant in (10, 50)
    ),
    Workload(
        "own-measure",
        "2,000 lists of 100, reciprocal rank as a Python function",
        arrays.own_measure,
        {"lists": 2_000, "docs": 100},
        (share(4, 2, "a loop over argsort"),),
        smoke={"lists": 20, "docs": 30},
    ),
    Workload(
        "device",
        "10,000 lists of 1,000 on a CUDA device, nDCG@10",
        arrays.device,
        DENSE | {"k": 10},
        wall=True,
    ),
    Workload(
        "grouped-auc",
        "200,000 rows of 4,000 users in any order, GAUC",
        arrays.grouped_auc,
        {"rows": 200_000, "users": 4_000},
        (faster(100, 150, "pandas groupby, roc_auc_score"), faster(3, 6, "pandas rank")),
        smoke={"rows": 900, "users": 20},
    ),
    *(
        Workload(
            f"multilabel-{name}",
            f"5,000 samples of 1,000 labels, 3 of them true, {name}",
            partial(arrays.multilabel, name),
            {"lists": 5_000, "docs": 1_000},
            (faster(required, 2 * required, "scikit-learn"),),
            smoke={"lists": 30, "docs": 20},
        )
        for name, required in MULTILABEL.items()
    ),
    Workload(
        "link-prediction",
        "1,000 lists of 14,541 entities, 20 of them known: ranks of the true one",
        arrays.link_prediction,
        {"lists": 1_000, "docs": 14_541},
        (faster(3, 6, "PyKEEN"), faster(2, 3, "NumPy loop")),
        smoke={"lists": 40, "docs": 60},
    ),
    *(
        Workload(
            f"neighbours-{k}",
            f"10,000 queries, recall of {k} nearest neighbours",
            arrays.neighbours,
            {"queries": 10_000, "k": k},
            (faster(required, 2 * required, "NumPy intersect1d"),),
            smoke={"queries": 40},
        )
        for k, required in ((10, 50), (100, 15))
    ),
    Workload(
        "recommended-items",
        "50,000 lists of 10 of 20,000 items: coverage, popularity, novelty",
        arrays.recommended_items,
        {"users": 50_000, "items": 20_000, "k": 10, "diversity": False},
        (faster(10, 20, "RecTools"),),
        smoke={"users": 60, "items": 90},
    ),
    Workload(
        "recommended-items-diversity",
        "5,000 lists of 10 of 20,000 items: the same and diversity by category",
        arrays.recommended_items,
        {"users": 5_000, "items": 20_000, "k": 10, "diversity": True},
        (faster(20, 100, "RecTools"),),
        smoke={"users": 60, "items": 90},
    ),
)

TIMED = (*ARRAYS, *CONVENTIONS, *COMPARISONS, *TREC, *CLIFFS, *BY_HAND)
ALL: tuple[Workload | ProcessWorkload, ...] = (
    *(*ARRAYS, *CONVENTIONS, *COMPARISONS, *TREC, *PROCESSES, *CLIFFS, *BY_HAND),
)

DOCUMENTS = 4_000_000
"""Documents of one point where the length of lists varies."""
PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()

SERIES = (
    Series(
        "length",
        "documents in a list, nDCG@10, 4 million documents in all",
        (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000),
        lambda docs: arrays.growth(DOCUMENTS // docs, docs, 10),
        lambda docs: DOCUMENTS // docs,
    ),
    Series(
        "k",
        "k, nDCG@k, 2,000 lists of 1,000",
        (1, 3, 10, 30, 100, 300, 1_000),
        lambda k: arrays.growth(2_000, 1_000, k),
        lambda _: 2_000,
    ),
    Series(
        "lists",
        "number of lists of 100, nDCG@10",
        (1, 10, 100, 1_000, 10_000, 100_000),
        lambda lists: arrays.growth(lists, 100, 10),
        lambda lists: lists,
    ),
    Series(
        "measures",
        "measures in one call, 4,000 lists of 1,000",
        (1, 4, 12, 24, 48),
        arrays.growth_by_measures,
        lambda _: 4_000,
    ),
    Series(
        "subtopic-cutoff",
        "k, alpha_nDCG@k and nERR_IA@k, 100 queries x 1,000 documents, five subtopics",
        (10, 20, 100, 1_000),
        records.growth_by_subtopic_cutoff,
        lambda _: 100,
    ),
    Series(
        "threads",
        "threads, nDCG@10, 10,000 lists of 1,000",
        tuple(2**i for i in range(8) if 2**i <= max(2, PROCESSORS or 1)),
        arrays.growth_by_threads,
        lambda _: 10_000,
        wall=True,
    ),
)
