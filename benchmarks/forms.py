"""What each form of qrels and of a run costs, under each rule for ties, by kind of measure.

python benchmarks/forms.py            prints the table
python benchmarks/forms.py --write    writes it into the guide on speed

One size for all: 50 queries, 100 judged documents each, 1,000 retrieved ones. Processor time of
one thread, the best of several rounds, in which all calls take turns. The forms are made before;
a call reads them anew each time, but what an object caches by itself counts.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import rankgain as rg
from markers import put_between_markers

PAGE = Path(__file__).parents[1] / "docs" / "guides" / "speed.md"
ROUNDS = 7
QUERIES, JUDGED, RETRIEVED = 50, 100, 1000
FAMILIES = ("nDCG@10", "AP", "RR", "ERR@20", "Bpref", "IPrec@0.3")
TIES = ("id_descending", "stable", "average", "best")
Call = Callable[[], object]


def draw(forms: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The qrels and the run in every form, by the name of the form."""
    import pandas as pd

    rng = np.random.default_rng(0)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query in range(QUERIES):
        documents = [f"d{one:05}" for one in rng.permutation(20_000)[:RETRIEVED].tolist()]
        scores = np.round(rng.random(RETRIEVED), 4).tolist()  # some tie
        run[f"q{query}"] = dict(zip(documents, scores, strict=True))
        judged = [
            *documents[:: RETRIEVED // JUDGED * 2],
            *(f"x{one}" for one in range(JUDGED // 2)),
        ]
        labels = rng.integers(0, 3, len(judged)).tolist()
        qrels[f"q{query}"] = dict(zip(judged, labels, strict=True))
    as_qrels, as_run = rg.Qrels(qrels), rg.Run(run)
    as_qrels.write(forms / "qrels")
    as_run.write(forms / "run")
    as_run.write(forms / "run.gz")
    rows = [(q, d, value) for q, one in run.items() for d, value in one.items()]
    judgments = [(q, d, value) for q, one in qrels.items() for d, value in one.items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    judged_frame = pd.DataFrame(judgments, columns=["query_id", "doc_id", "label"])
    names = {
        "a dict": qrels,
        "`Qrels`": as_qrels,
        "a file": forms / "qrels",
        "a frame": judged_frame,
    }
    return names, {
        "a dict": run,
        "`Run`": as_run,
        "a file": forms / "run",
        "a file, gzip": forms / "run.gz",
        "a frame": frame,
        "rows": [{"query_id": q, "doc_id": d, "score": s} for q, d, s in rows],
    }


def best_times(calls: Mapping[Any, Call]) -> dict[Any, float]:
    """Milliseconds of each call, the best of ROUNDS."""
    best = dict.fromkeys(calls, float("inf"))
    for call in calls.values():
        call()
    for _ in range(ROUNDS):
        for name, call in calls.items():
            before = time.process_time()
            call()
            best[name] = min(best[name], 1000 * (time.process_time() - before))
    return best


def measure(folder: Path) -> dict[tuple[str, str], dict[str, float]]:
    """By form of qrels and of the run: milliseconds by column."""
    qrels, runs = draw(folder)
    calls: dict[Any, Call] = {}

    def call(truth: object, run: object, name: str, **options: Any) -> Call:
        return lambda: rg.evaluate(truth, run, name, threads=1, **options)

    for a, truth in qrels.items():
        for b, run in runs.items():
            for name in FAMILIES:
                calls[a, b, name] = call(truth, run, name)
            for ties in TIES[1:]:
                calls[a, b, ties] = call(truth, run, FAMILIES[0], convention="rankgain", ties=ties)
    times = best_times(calls)
    result: dict[tuple[str, str], dict[str, float]] = {}
    for (a, b, column), one in times.items():
        result.setdefault((a, b), {})[column] = one
    return result


def table(times: Mapping[tuple[str, str], Mapping[str, float]]) -> list[str]:
    """The rows of the table, in milliseconds."""
    columns = [*FAMILIES, *(f"ties {name}" for name in TIES[1:])]
    rows = [
        f"| qrels | run | {' | '.join(columns)} |",
        "| --- | --- |" + " ---: |" * len(columns),
    ]
    for (truth, run), values in times.items():
        cells = " | ".join(f"{one:.1f}" for one in values.values())
        rows.append(f"| {truth} | {run} | {cells} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = table(measure(Path(folder)))
    print("\n".join(rows))
    if options.write:
        put_between_markers(PAGE, "\n".join(rows), "forms")


if __name__ == "__main__":
    main()
