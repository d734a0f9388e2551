"""Arrow tables of lists, cut into record batches, and their evaluation in one call."""

import itertools

import numpy as np
import pyarrow as pa

import rankgain as rg

NAMES = ["nDCG@3", "AP", "AUC", "RR", "P@2", "NumRel"]
COLUMNS = {"query": "q", "label": "y", "score": "s"}


def table_of(seed, lists=30, longest=12, kind=None):
    """Rows sorted by query, with ties and with lists where nothing is relevant."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, longest, lists)
    n = int(sizes.sum())
    numbers = rng.permutation(1000)[:lists]
    ids = numbers if kind == "int" else np.array([f"ü{one}" for one in numbers])
    q = pa.array(np.repeat(ids, sizes))
    if kind == "dictionary":
        q = q.dictionary_encode()
    if kind in ("large_string", "string_view"):
        q = q.cast(getattr(pa, kind)())
    y = rng.integers(0, 3, n) * (rng.random(n) < 0.4)
    s = rng.integers(0, 6, n) / 4
    return pa.table({"q": q, "y": pa.array(y, pa.int8()), "s": pa.array(s, pa.float32())})


def cut(table, seed, parts):
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(0, len(table) + 1, parts))
    bounds = [0, *ends.tolist(), len(table)]
    whole = table.combine_chunks().to_batches()[0]
    return [whole.slice(a, b - a) for a, b in itertools.pairwise(bounds)]


def evaluate_rows(table, **options):
    """The evaluation of all rows in one call."""
    q = np.array(table["q"].to_pylist())
    y, s = (table[one].to_numpy() for one in ("y", "s"))
    return rg.evaluate_arrays(y, s, NAMES, qid=q, **options)
