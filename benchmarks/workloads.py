"""The table of named workloads: how big, in smoke tests how small, and what is required of each.

A goal compares our time with that of the named sides; figures stand as (required, stretch).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import array_workloads as arrays
import cliffs
import comparison_workloads as comparisons
import convention_workloads as conventions
import door_workloads as doors
import page_workloads
import processes
import trec_workloads as trec
from forced import PLAIN
from goals import Goal, Unit, faster, share
from measuring import Clock, Sides, Times

NUMPY = ("NumPy", "NumPy argsort")
READING = ("read limit", "read limit, two threads")


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    sides: Callable[..., Sides]
    size: Mapping[str, Any]
    smoke: Mapping[str, Any]
    goals: tuple[Goal, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    wall: bool = False
    """Wall time always: several threads or processes of its own."""

    @property
    def lists(self) -> int:
        return int(
            next(
                (self.size[name] for name in ("lists", "users", "queries") if name in self.size), 1
            )
        )

    def prepare(self, smoke: bool = False) -> Sides:
        return self.sides(**(self.smoke if smoke else self.size))


@dataclass(frozen=True)
class ProcessWorkload:
    """A figure that needs processes of its own."""

    name: str
    title: str
    run: Callable[[Clock], Times]
    goals: tuple[Goal, ...]
    lists: int = 1


SMALL = {"lists": 40, "docs": 150}

ARRAYS = (
    Workload(
        "dense",
        "10,000 lists of 1,000, nDCG@10",
        arrays.dense_and_every_peer,
        {"lists": 10_000, "docs": 1_000, "k": 10},
        {**SMALL, "k": 10},
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
        arrays.plain,
        {"lists": 10_000, "docs": 1_000, "k": 10},
        {**SMALL, "k": 10},
        (share(1.8, 1.5, "read limit"),),
        environment=PLAIN,
    ),
    Workload(
        "truth",
        "10,000 lists of 1,000, nDCG@10, labels as a Truth",
        arrays.truth,
        {"lists": 10_000, "docs": 1_000, "k": 10},
        {**SMALL, "k": 10},
        (),
    ),
    Workload(
        "dense-int8",
        "10,000 lists of 1,000, nDCG@10, int8 labels",
        arrays.dense,
        {"lists": 10_000, "docs": 1_000, "k": 10},
        {**SMALL, "k": 10},
        (),
    ),
    Workload(
        "doubles-nDCG@10",
        "10,000 lists of 1,000 in 64 bits, nDCG@10",
        arrays.doubles,
        {"lists": 10_000, "docs": 1_000, "k": 10},
        {**SMALL, "k": 10},
        (),
    ),
    Workload(
        "doubles-nDCG@100",
        "10,000 lists of 1,000 in 64 bits, nDCG@100",
        arrays.doubles,
        {"lists": 10_000, "docs": 1_000, "k": 100},
        {**SMALL, "k": 100},
        (),
    ),
    Workload(
        "dense-long",
        "1,000 lists of 10,000, nDCG@10",
        arrays.dense,
        {"lists": 1_000, "docs": 10_000, "k": 10},
        {**SMALL, "k": 10},
        (faster(12, 15, *NUMPY),),
    ),
    Workload(
        "ragged",
        "30,000 lists of about 120, nDCG@10",
        arrays.ragged,
        {"lists": 30_000, "docs": 120, "k": 10},
        {"lists": 40, "docs": 30, "k": 10},
        (faster(4, 6, *NUMPY),),
    ),
    Workload(
        "dense-deep",
        "10,000 lists of 1,000, nDCG@100",
        arrays.dense,
        {"lists": 10_000, "docs": 1_000, "k": 100},
        {**SMALL, "k": 100},
        (
            faster(5, 8, *NUMPY),
            Goal(Unit.SHARE, 3, 2.6, ("read limit",), path="avx2"),
        ),
    ),
    Workload(
        "catalogue",
        "500 users, 100,000 items, 10 relevant as CSR: nDCG, AP, RR, R@100",
        arrays.catalogue,
        {"lists": 500, "docs": 100_000, "relevant": 10},
        {"lists": 12, "docs": 900, "relevant": 5},
        (share(2.5, 2, "read limit"), faster(3.5, 5, "NumPy"), faster(50, 100, "NumPy argsort")),
    ),
    Workload(
        "full-order",
        "2,000 lists of 1,000, half the labels above 0, nDCG uncut",
        arrays.full_order,
        {"lists": 2_000, "docs": 1_000},
        SMALL,
        (share(0.4, 0.2, "argsort alone"),),
    ),
    Workload(
        "many-measures",
        "10,000 lists of 1,000, 12 measures at 1, 5, 10, 100",
        arrays.many_measures,
        {"lists": 10_000, "docs": 1_000},
        SMALL,
        (share(1.5, 1.2, "nDCG@100 alone"),),
    ),
    Workload(
        "one-list",
        "one list of 100 documents, nDCG@10",
        arrays.one_list,
        {"docs": 100},
        {"docs": 100},
        (faster(80, 80, "scikit-learn"), Goal(Unit.MICROSECONDS, 4, 2)),
    ),
    Workload(
        "two-threads",
        "20,000 lists of 1,000, nDCG@10, two threads, same bits",
        arrays.two_threads,
        {"lists": 20_000, "docs": 1_000, "k": 10},
        {**SMALL, "k": 10},
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
        {"lists": 50, "docs": 5},
        (Goal(Unit.NANOSECONDS_A_LIST, 150, 60),),
    ),
    Workload(
        "topk",
        "200,000 users with 20 recommended ids, truth as CSR: nDCG@10, HitRate@10",
        arrays.topk,
        {"users": 200_000, "width": 20, "items": 50_000, "k": 10},
        {"users": 60, "width": 20, "items": 400, "k": 10},
        (faster(8, 12, "NumPy search", "NumPy compare"), faster(60, 90, "RecTools")),
    ),
    Workload(
        "topk-20",
        "200,000 users with 20 recommended ids, to the last of them: nDCG@20, HitRate@20",
        arrays.topk,
        {"users": 200_000, "width": 20, "items": 50_000, "k": 20},
        {"users": 60, "width": 20, "items": 400, "k": 20},
        (faster(8, 12, "NumPy search", "NumPy compare"),),
    ),
    Workload(
        "long-beside-short",
        "one list of 10 million documents beside a million lists of 5, nDCG@10",
        arrays.long_beside_short,
        {"long": 10_000_000, "lists": 1_000_000, "docs": 5},
        {"long": 1_000, "lists": 50, "docs": 5},
        (share(1.2, 1.2, "both alone"),),
    ),
    Workload(
        "python-lists",
        "200,000 Python lists of about 50 scores, read",
        doors.ragged,
        {"lists": 200_000, "docs": 50},
        {"lists": 40, "docs": 20},
        (share(1.5, 1.0, "fromiter"),),
    ),
    Workload(
        "text-ids",
        "200,000 users with 20 recommended ids as text: nDCG@10, HitRate@10",
        doors.text_ids,
        {"users": 200_000, "width": 20, "items": 50_000},
        {"users": 60, "width": 20, "items": 400},
        (faster(10, 15, "a set per user"),),
    ),
    Workload(
        "table",
        "a table of 10 million rows and 200,000 lists, nDCG@10",
        doors.table,
        {"rows": 10_000_000, "lists": 200_000},
        {"rows": 2_000, "lists": 40},
        (
            share(1.5, 1.2, "arrays", ours="rankgain, sorted rows"),
            share(1.5, 1.0, "polars' sort and arrays"),
        ),
    ),
    Workload(
        "by-hand",
        "a table of 10 million rows and 200,000 lists in no order, nDCG@10 and AP",
        doors.by_hand,
        {"rows": 10_000_000, "lists": 200_000},
        {"rows": 2_000, "lists": 40},
        (
            Goal(
                Unit.FASTER,
                4,
                8,
                ("polars, groups", "polars, windows"),
                ("rankgain", "rankgain, pandas"),
            ),
        ),
    ),
)

CLIFFS = tuple(
    Workload(
        f"cliffs-{measure}",
        f"2,000 lists of 1,000, {measure}, difficult inputs",
        cliffs.sides,
        {"lists": 2_000, "docs": 1_000, "measure": measure},
        {"lists": 6, "docs": 150, "measure": measure},
        cliffs.goals(),
    )
    for measure in cliffs.FUNCTIONS
)
LONG_CLIFFS = tuple(
    Workload(
        f"long-cliffs-{measure}",
        f"20 lists of 100,000, {measure}, difficult inputs",
        cliffs.long_sides,
        {"lists": 20, "docs": 100_000, "measure": measure},
        {"lists": 2, "docs": 3_000, "measure": measure},
        cliffs.long_goals(),
    )
    for measure in ("nDCG@10", "AP@100", "nDCG", "AP")
)

FEW = {"lists": 10_000, "docs": 100}
COMPARISONS = tuple(
    Workload(name, title, sides, size, smoke, (Goal(unit, *figures, against),))
    for name, title, sides, size, smoke, unit, figures, against in (
        (
            "flips-baseline",
            "128 systems against a baseline, 50 lists, 100,000 flips and resamples",
            comparisons.against_a_baseline,
            {"lists": 50, "systems": 129, "flips": 100_000},
            {"lists": 50, "systems": 4, "flips": 100},
            Unit.MILLISECONDS,
            (300, 150),
            ("NumPy",),
        ),
        (
            "flips-all-pairs",
            "all pairs of 129 systems, 50 lists, 10,000 flips and resamples",
            comparisons.all_pairs,
            {"lists": 50, "systems": 129, "flips": 10_000},
            {"lists": 50, "systems": 4, "flips": 100},
            Unit.MILLISECONDS,
            (400, 200),
            ("NumPy",),
        ),
        (
            "bootstrap",
            "bootstrap interval, 10,000 resamples of 10,000 lists",
            comparisons.bootstrap,
            {"lists": 10_000, "resamples": 10_000},
            {"lists": 300, "resamples": 100},
            Unit.MILLISECONDS,
            (500, 250),
            ("NumPy",),
        ),
        (
            "bootstrap-1m",
            "bootstrap interval, 1,000 resamples of 1,000,000 lists",
            comparisons.bootstrap,
            {"lists": 1_000_000, "resamples": 1_000},
            {"lists": 300, "resamples": 100},
            Unit.MILLISECONDS,
            (5_000, 2_500),
            ("NumPy",),
        ),
        (
            "compare-ranx",
            "evaluate and compare 20 runs of 250 queries, 5 measures, 1,000 permutations",
            comparisons.beside_ranx,
            {"queries": 250, "runs": 20},
            {"queries": 8, "runs": 3},
            Unit.FASTER,
            (5, 10),
            ("ranx",),
        ),
    )
)


CONVENTIONS = (
    *(
        Workload(
            f"{name}-{measure}",
            f"10,000 lists of 100, {measure}, {title}",
            sides,
            {**FEW, "measure": measure},
            {"lists": 30, "docs": 20, "measure": measure},
            tuple(Goal(Unit.SHARE, bound, 1.0, ("plain",), own) for bound, own in asked),
        )
        for measure in ("nDCG@10", "nDCG@100")
        for name, title, sides, asked in (
            ("conventions", "each convention", conventions.conventions, conventions.ASKED),
            ("tie-rules", "each order of ties", conventions.tie_rules, conventions.RULES_ASKED),
        )
    ),
    *(
        Workload(
            name,
            f"10,000 lists of 100, {title}",
            sides,
            {**FEW, "measure": measure},
            {"lists": 30, "docs": 20, "measure": measure},
            goals,
        )
        for name, title, sides, measure, goals in (
            (
                "reconcile",
                "nDCG@10 from sklearn to lightgbm",
                conventions.reconcile,
                "nDCG@10",
                (Goal(Unit.MILLISECONDS, 1000, 300),),
            ),
            ("tie-bounds", "nDCG@10 over ties", conventions.tie_bounds, "nDCG@10", ()),
            (
                "unjudged-bounds",
                "AP@10 over unjudged documents",
                conventions.unjudged_bounds,
                "AP@10",
                (),
            ),
        )
    ),
)

BIG: dict[str, Any] = {"queries": 5_700, "docs": 1_000, "judged": 509}
"""5.7 million rows and 2.9 million judgments."""

TREC = (
    *(
        Workload(
            f"dicts-{count}",
            f"dict of dicts, 1,000 queries x 1,000 documents, {count} measure{'s' * (count > 1)}",
            trec.dicts,
            {"queries": 1_000, "docs": 1_000, "judged": 100, "measures": count},
            {"queries": 8, "docs": 60, "judged": 30, "measures": count},
            (faster(8, 12, "pytrec_eval"),),
        )
        for count in (1, 5)
    ),
    *(
        Workload(
            f"loaded-{count}",
            f"loaded Qrels and Run of that size, {count} measure{'s' * (count > 1)}",
            trec.loaded,
            {"queries": 1_000, "docs": 1_000, "judged": 100, "measures": count},
            {"queries": 8, "docs": 60, "judged": 30, "measures": count},
            (faster(30, 60, "ranx"),),
        )
        for count in (1, 5)
    ),
    Workload(
        "page",
        "20 loaded runs x 250 queries x 5 measures, evaluated, compared, as a page",
        page_workloads.pages,
        {"queries": 250, "docs": 1_000, "judged": 500, "runs": 20},
        {"queries": 8, "docs": 60, "judged": 30, "runs": 3},
        (Goal(Unit.MILLISECONDS, 3_000, 1_500),),
        {"OPENBLAS_NUM_THREADS": "1"},
    ),
    Workload(
        "command-big",
        "whole process, 5.7 million rows, 2.9 million judgments: map, ndcg_cut.10",
        trec.whole_processes,
        BIG,
        {"queries": 8, "docs": 60, "judged": 30},
        (
            faster(8, 12, "trec_eval"),
            faster(8, 12, "trec_eval", ours="rankgain evaluate"),
            faster(8, 12, "pytrec_eval"),
        ),
        wall=True,
    ),
    Workload(
        "command-small",
        "whole process, 50,000 rows: map, ndcg_cut.10",
        trec.whole_processes,
        {"queries": 50, "docs": 1_000, "judged": 509},
        {"queries": 8, "docs": 60, "judged": 30},
        (Goal(Unit.MILLISECONDS_MORE, 60, 60, ("trec_eval",)),),
        wall=True,
    ),
)

PROCESSES = (
    ProcessWorkload(
        "memory",
        "memory above the inputs, 20,000 lists of 1,000, two threads",
        partial(processes.peak_megabytes, lists=20_000, docs=1_000, threads=2),
        (Goal(Unit.MEGABYTES, 8, 2),),
    ),
    ProcessWorkload(
        "command-memory",
        "peak memory of a whole process, 5.7 million rows",
        partial(trec.peak_megabytes, **BIG),
        (share(0.7, 0.1, "trec_eval"), share(0.7, 0.1, "pytrec_eval")),
    ),
    ProcessWorkload(
        "import",
        "`import rankgain` above `import numpy`",
        processes.import_seconds,
        (Goal(Unit.MILLISECONDS, 15, 5),),
    ),
)

ALL: tuple[Workload | ProcessWorkload, ...] = (
    *ARRAYS,
    *CONVENTIONS,
    *COMPARISONS,
    *TREC,
    *PROCESSES,
    *CLIFFS,
    *LONG_CLIFFS,
)
