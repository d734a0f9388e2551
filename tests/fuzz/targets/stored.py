"""Stored evaluations, comparisons and sums: damaged anywhere, they are refused or they work."""

import copy
import functools
import json
import os
from typing import Any

import rankgain as rg
from draws import Draws, Refused, agree, outcome

from .tables import FOLDER

PATH = os.path.join(FOLDER.name, "stored.json")
OTHERS: list[Any] = [None, True, 0, 1, -1, 2.5, 1e308, 2**70, "", "nan", "inf", "nDCG@3", [], {}]
OTHERS += [[1, 2, 3], [0.5, None, "inf"], {"nDCG@3": 1.0}, "id", [[0.5, 0.5]], {"": 0}, "q1", "3"]


@functools.cache
def originals() -> list[tuple[Any, str]]:
    """A reader for each kind of stored text, and such a text."""
    qrels = {f"q{i}": {"a": 1, "b": i % 3, "c": 0} for i in range(4)}
    runs = {
        name: {q: {"a": 0.5, "b": k / 3, "c": 0.4} for q in qrels}
        for k, name in enumerate(["x", "y"])
    }
    several = rg.evaluate_runs(qrels, runs, ["nDCG@3", "AP", "RR"])
    labels, scores = [[0, 1, 2], [1, 0, 0]], [[1, 1, 0.5], [0.2, 0.1, 0.3]]
    bounded = rg.evaluate_arrays(labels, scores, ["nDCG", "AUC"], bounds="ties", weight=[1, 2])
    total = rg.Accumulator(bootstrap=3)
    for label in ("s", "t"):
        total.add(several, segment=label)
    compared = rg.compare(several, resamples=50)
    one = several["x"]
    return [
        (rg.Evaluation.read, one.to_json() or ""),
        (rg.Evaluation.read, bounded.to_json() or ""),
        (rg.Evaluation.read, one.by(["s", "t", "s", "t"])["s"].to_json() or ""),
        (rg.Evaluations.read, several.to_json() or ""),
        (rg.Comparison.read, compared.to_json() or ""),
        (accumulator, json.dumps(total.to_dict())),
    ]


def accumulator(path: str) -> rg.Accumulator:
    """Sums of a file of JSON."""
    with open(path, encoding="utf-8") as file:
        return rg.Accumulator.from_dict(json.load(file))


def damage(d: Draws, data: Any) -> Any:
    """Change a value somewhere, take one out, or put another key."""
    if isinstance(data, (dict, list)) and data and d.below(8) < 7:
        keys: Any = list(data) if isinstance(data, dict) else range(len(data))
        key, what = d.pick(keys), d.below(16)
        if what == 0:
            del data[key]
        elif what == 1 and isinstance(data, dict):
            data[d.text()] = data.pop(key)
        elif what == 2 and isinstance(data, list):
            data.append(data[key])
        else:
            data[key] = damage(d, data[key])
        return data
    if isinstance(data, float) and d.chance():
        return d.number()
    return copy.deepcopy(d.pick(OTHERS))


def read(data: bytes) -> None:
    """Read it; what is read can be printed, written and read again."""
    d = Draws(data)
    reader, text = d.pick(originals())
    if d.below(8) < 7:
        content = json.loads(text)
        for _ in range(1 + d.below(3)):
            content = damage(d, content)
        written = json.dumps(content, default=repr).encode()
    else:
        cut = d.below(len(text))
        written = text[:cut].encode() + d.rest()
    with open(PATH, "wb") as file:
        file.write(written)
    result = outcome(lambda: reader(PATH))
    if not isinstance(result, Refused):
        use(result, reader)


def use(result: Any, reader: Any) -> None:
    """All that is done with a result gives an answer or refuses, and writing keeps it."""
    assert repr(result)
    assert str(result)
    if isinstance(result, rg.Accumulator):
        agree(rg.Accumulator.from_dict(result.to_dict()), result)
        outcome(lambda: result.means)
        outcome(lambda: str(result.result()))
        outcome(lambda: rg.Accumulator().merge(result))
        return
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(result.to_json())
    agree(reader(PATH).to_json(), result.to_json())
    outcome(result.to_csv)
    if isinstance(result, rg.Comparison):
        outcome(result.to_markdown)
        outcome(result.to_latex)
    if isinstance(result, rg.Evaluation):
        outcome(lambda: rg.Evaluation.merge([result]))
        outcome(lambda: rg.Accumulator().add(result))
        outcome(lambda: result.intervals(resamples=10))
