"""Parts that were made in two ways merge to what one call on all lists gives."""

import itertools
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import containers
import rankgain as rg

pandas = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

NAMES = ["nDCG@3", "AP", "NumRel", "gm_map"]
LISTS, DOCUMENTS = 6, 5
RNG = np.random.default_rng(8)
LABELS = RNG.integers(0, 3, (LISTS, DOCUMENTS))
SCORES = RNG.permuted(np.tile(np.arange(1.0, 6.0), (LISTS, 1)), axis=1)
QUERIES = [f"q{number}" for number in range(LISTS)]
IDS = [f"d{number}" for number in range(DOCUMENTS)]


def by_id(values: Any, lists: range) -> dict[str, dict[str, Any]]:
    return {QUERIES[at]: dict(zip(IDS, values[at].tolist(), strict=True)) for at in lists}


def table(lists: range) -> Any:
    rows = list(lists)
    return pandas.DataFrame({
        "query": np.repeat(np.array(QUERIES)[rows], DOCUMENTS),
        "label": LABELS[rows].ravel(),
        "score": SCORES[rows].ravel(),
    })  # fmt: skip


def of_arrays(lists: range) -> rg.Evaluation:
    part = table(lists)
    return rg.evaluate_arrays(
        part["label"].to_numpy(), part["score"].to_numpy(), NAMES, qid=part["query"].to_numpy()
    )


def of_dicts(lists: range) -> rg.Evaluation:
    return rg.evaluate(by_id(LABELS, lists), by_id(SCORES, lists), NAMES, convention="rankgain")


def of_frame(lists: range) -> rg.Evaluation:
    return rg.evaluate_frame(table(lists), NAMES, query="query", label="label", score="score")


def of_batches(lists: range) -> rg.Evaluation:
    batches = pa.Table.from_pandas(table(lists)).to_batches(max_chunksize=4)
    return rg.evaluate_batches(batches, NAMES, query="query", label="label", score="score")


def of_ids(lists: range) -> rg.Evaluation:
    ranked = {
        query: sorted(scores, key=lambda document, scores=scores: -scores[document])
        for query, scores in by_id(SCORES, lists).items()
    }
    return rg.evaluate_ids(ranked, by_id(LABELS, lists), NAMES)


def of_segments(lists: range) -> rg.Evaluation:
    """The segment of a larger call."""
    whole = of_arrays(range(LISTS))
    return whole.by(["inside" if at in lists else "outside" for at in range(LISTS)])["inside"]


def of_file(lists: range, folder: Path) -> rg.Evaluation:
    path = folder / f"{lists.start}.json"
    of_dicts(lists).to_json(path)
    return rg.Evaluation.read(path)


WAYS: dict[str, Callable[[range, Path], rg.Evaluation]] = {
    "arrays": lambda lists, _: of_arrays(lists),
    "dicts": lambda lists, _: of_dicts(lists),
    "frame": lambda lists, _: of_frame(lists),
    "batches": lambda lists, _: of_batches(lists),
    "ids": lambda lists, _: of_ids(lists),
    "segment": lambda lists, _: of_segments(lists),
    "file": of_file,
    "pickle": lambda lists, _: pickle.loads(pickle.dumps(of_frame(lists))),
    "merged": lambda lists, _: rg.Evaluation.merge([of_arrays(range(at, at + 1)) for at in lists]),
}
PAIRS = list(itertools.product(WAYS, repeat=2))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_evaluations(first: str, second: str, tmp_path: Path) -> None:
    parts = [WAYS[first](range(2), tmp_path), WAYS[second](range(2, LISTS), tmp_path)]
    merged, whole = rg.Evaluation.merge(parts), of_arrays(range(LISTS))
    assert list(merged.queries) == QUERIES
    assert dict(merged.means) == dict(whole.means)
    for name, column in whole.per_query.items():
        np.testing.assert_array_equal(merged.per_query[name], column)
    systems = rg.Evaluations.merge([rg.Evaluations({"s": part}) for part in parts])
    assert systems["s"] == merged


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_accumulators(first: str, second: str, tmp_path: Path) -> None:
    total, other = rg.Accumulator(bootstrap=9), rg.Accumulator(bootstrap=9)
    total.add(WAYS[first](range(2), tmp_path))
    other.add(WAYS[second](range(2, LISTS), tmp_path))
    total.merge(rg.Accumulator.from_dict(json.loads(json.dumps(other.to_dict()))))
    whole = rg.Accumulator(bootstrap=9)
    whole.add(of_arrays(range(LISTS)))
    assert total.means == whole.means
    assert total.interval("AP") == whole.interval("AP")


# ---- shown items: their ids are codes of small integers, or are numbered as they come

SHOWN = ["Coverage", "Gini", "Entropy", "Personalisation"]
ROWS = {
    "small": [[1, 2, 3], [2, 5, 9], [9, 1, 7], [3, 4, 5]],
    "large": [[1, 2, 3], [2, 10**12, 9], [9, 1, 10**12], [3, 10**11, 5]],
}
NUMBERED = ("an array", "lists", "arrays", "an array of arrays", "a generator", "pyarrow")
BY_USER = ("by user", "arrays by user")
FORM_PAIRS = [*itertools.product(NUMBERED, repeat=2), *itertools.product(BY_USER, repeat=2)]


def shown(form: str, rows: Any, start: int) -> rg.Evaluation:
    lists = containers.FORMS[form](rows)
    if form in BY_USER:
        lists = {start + user: items for user, items in lists.items()}
    return rg.evaluate_catalogue(lists, SHOWN, k=3, catalogue=20)


@pytest.mark.parametrize("sizes", list(itertools.product(ROWS, repeat=2)))
@pytest.mark.parametrize(("first", "second"), FORM_PAIRS)
def test_shown_items(first: str, second: str, sizes: tuple[str, str]) -> None:
    rows = ROWS[sizes[0]][:2], ROWS[sizes[1]][2:]
    parts = [shown(first, rows[0], 0), shown(second, rows[1], 2)]
    whole = shown("lists", [*rows[0], *rows[1]], 0)
    merged = rg.Evaluation.merge(parts)
    assert dict(merged.means) == pytest.approx(dict(whole.means), rel=1e-12)
    again = rg.Evaluation.merge([pickle.loads(pickle.dumps(part)) for part in parts])
    assert dict(again.means) == dict(merged.means)
