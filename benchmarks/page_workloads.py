"""The sides of the workload from runs to a page."""

from typing import Any

import numpy as np

import rankgain as rg
import trec_data
from measuring import Side, Sides
from rankgain.report import page

MEASURES = ("nDCG@10", "AP", "P@10", "RR", "R@100")


def pages(queries: int, docs: int, judged: int, runs: int) -> Sides:
    """Loaded runs evaluated, compared with one of them, and reported with rankings explained.

    The runs are one, with more and more noise on its scores. A page has no peer: its means are.
    """
    made = trec_data.track(queries, docs, judged)
    qrels = rg.Qrels(made.qrels())
    rng = np.random.default_rng(1)
    plain = made.run()
    loaded = {
        f"run-{at}": rg.Run(
            {
                query: dict(zip(found, np.add(noise, list(found.values())).tolist(), strict=True))
                for query, found in plain.items()
                for noise in [rng.normal(0, at + 1.0, len(found))]
            }
        )
        for at in range(runs)
    }

    def report() -> Any:
        evaluations = rg.evaluate_runs(qrels, loaded, MEASURES)
        found = rg.compare(evaluations, baseline="run-0")
        return found, page(found, qrels=qrels, runs=loaded)

    return {"rankgain": Side(report, lambda result: np.array([row[4:6] for row in result[0].rows]))}
