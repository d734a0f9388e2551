"""One object of each stored kind; `python make_stored.py` writes them for this version.

Run it once before a release. Each version has a folder of its name. The folders of released
versions are never written again: later versions read them.
"""

import json
import pickle
from pathlib import Path
from typing import Any

import rankgain as rg

HERE = Path(__file__).parent
QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"d": 0}, "q4": {"e": 3}}
RUNS = {
    "first": {"q1": {"a": 0.5, "c": 0.5, "x": 0.1}, "q2": {"b": 2.0, "a": 1.0}, "q3": {"d": 1.0}},
    "second": {"q1": {"x": 3.0, "c": 2.0, "a": 1.0}, "q2": {"a": 0.25}, "q3": {"y": 1.0}},
}
MEASURES = ["nDCG@2", "AP", "RR(rel=2)@3", "Unjudged@2"]


def stored_objects() -> dict[str, Any]:
    """By the name of the file without its suffix."""
    runs = rg.evaluate_runs(QRELS, RUNS, MEASURES)
    accumulator = rg.Accumulator(bootstrap=20)
    accumulator.add(runs)
    return {
        "evaluation": runs["first"],
        "evaluations": runs,
        "comparison": rg.compare(runs, baseline="first", resamples=200),
        "accumulator": accumulator,
        "qrels": rg.Qrels(QRELS),
        "run": rg.Run(RUNS["first"]),
        "truth": rg.Truth([[3, 0, 2], [0, 1, 0]]),
        "measure": rg.parse_measure("nDCG(gain=exp2)@10"),
        "convention": rg.conventions["trec"].replace(rel=2.0),
    }


if __name__ == "__main__":
    folder = HERE / rg.__version__
    folder.mkdir(exist_ok=True)
    for name, value in stored_objects().items():
        (folder / f"{name}.pickle").write_bytes(pickle.dumps(value, protocol=4))
        if hasattr(value, "to_json"):
            value.to_json(folder / f"{name}.json")
    accumulator = stored_objects()["accumulator"].to_dict()
    (folder / "accumulator.json").write_text(json.dumps(accumulator))
