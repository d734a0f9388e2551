"""Damaged pickles of what the core reads: a ValueError, or the answers of the whole one.

Every field is damaged in several ways, in a process of its own, so that a crash and a loop without
end are seen.
"""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg


def truths() -> dict[str, Any]:
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[1, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 1]])
    judged = [[1, 2, 1], [3, 3], [1, 1]]
    return {
        "rows": rg.Truth(dense),
        "floats": rg.Truth(dense + 0.5),
        "lengths": rg.Truth(dense, lengths=[4, 2, 0]),
        "flat": rg.Truth(dense.ravel(), group=[5, 3, 4]),
        "mixed": rg.Truth(dense.ravel(), qid=[1, 2, 3] * 4),
        "csr": rg.Truth(sparse.csr_matrix(dense)),
        "judged": rg.Truth(dense, judged=judged),
        "one": rg.Truth([1, 0, 2]),
    }


def records() -> dict[str, Any]:
    qrels = {"q1": {"a": 2, "b": 0, "ccc": 1}, "q2": {"d": 1}, "q3": {"a": 1, "e": 3}}
    run = {"q1": {"b": 0.9, "a": 0.8, "x": 0.8}, "q2": {"d": 1.0, "e": 2.0}, "q3": {"f": 1.0}}
    return {
        "qrels": rg.Qrels(qrels),
        "numbered": rg.Qrels(dict(enumerate(qrels.values()))),
        "run": rg.Run(run),
        "ordered run": rg.Run({query: list(docs) for query, docs in run.items()}),
    }


def answers(result: Any) -> Any:
    """All that can be asked of it."""
    if isinstance(result, rg.Truth):
        rng = np.random.default_rng(0)
        scores = rng.random(result.shape)
        some = [rg.evaluate_arrays(result, scores, ["nDCG@2", "AP", "RBP"])]
        some.append(rg.evaluate_arrays(result, np.ones(result.shape), ["RR"], ties="stable"))
        return [(one.to_json(), list(one.queries)) for one in some], result == result, len(result)
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"d": 1}, "q3": {"a": 1}, "0": {"a": 1}, "2": {"e": 1}}
    pair = (result, qrels) if isinstance(result, rg.Qrels) else (qrels, result)
    some = [rg.evaluate(*pair, ["nDCG@2", "AP", "Bpref"], ties=ties) for ties in ("id", "stable")]
    return [(one.to_json(), list(one.queries)) for one in some], result.to_dict(), repr(result)


def damages(value: Any) -> list[Any]:
    """Other values in the place of one: of another kind, too long, too short, out of bounds."""
    others: list[Any] = [None, 3, "text", (), [1], np.array(7), 2.5, b"x"]
    if isinstance(value, np.ndarray):
        others += [value[:-1], value[1:], value[:0], value.reshape(-1, 1), np.append(value, value)]
        others += [value.astype(object), value.astype("U5"), value.tolist(), value[::-1]]
        others += [value.astype(kind) for kind in ("i1", "i4", "i8", ">i8", "f4", "f8", "f2", "u8")]
        others += [np.repeat(value, 2)[::2]]
        for wrong in (-1, 2, 10**6, 2**31, 2**62, -(2**63), 2**63 - 1):
            for at in {0, value.size // 2, value.size - 1} if value.size else ():
                with np.errstate(all="ignore"):
                    changed = value.copy().reshape(-1)
                    changed[at] = np.array(wrong, np.int64).astype(value.dtype)
                others.append(changed.reshape(value.shape))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        others += [value[:-1], (*value, *value[:1]), value[::-1], [*value], (*value[:-1], None)]
        others += [(*value[:-1], -1), (*value[:-1], 2**40)]
    if type(value) is int:
        others += [value + 1, value - 1, -1, 2**62, float(value), True]
    if type(value) is bool:
        others += [not value]
    return others


def paths(state: Any, at: tuple[int, ...] = ()) -> Any:
    for place, one in enumerate(state):
        yield (*at, place), one
        if isinstance(one, tuple) and not all(isinstance(part, (str, int)) for part in one):
            yield from paths(one, (*at, place))


def put(state: Any, at: tuple[int, ...], value: Any) -> Any:
    parts = list(state)
    parts[at[0]] = put(parts[at[0]], at[1:], value) if len(at) > 1 else value
    return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)


# What may be another of its kind: labels, ids, and where one ends and the next begins.
FREE = {"labels", "data", "ids", "id_starts", "lists", "values", "queries", "original_ids"}
FREE |= {"stops", "order", "single", "places"}


def field_names(state: Any, at: tuple[int, ...]) -> set[str]:
    names = set()
    for place in at:
        names |= {state._fields[place]} if hasattr(state, "_fields") else set()
        state = state[place]
    return names


class Pickled:
    """Pickles as a call with these arguments."""

    def __init__(self, build: Any, state: Any) -> None:
        self.build, self.state = build, state

    def __reduce__(self) -> Any:
        return self.build, self.state


def tried(result: Any) -> tuple[int, int]:
    """How many damaged pickles are refused, and how many were read."""
    build, state = result.__reduce__()
    whole = answers(result)
    refused = read = 0
    for at, value in paths(state):
        if isinstance(value, type):
            continue
        for wrong in damages(value):
            text = pickle.dumps(Pickled(build, put(state, at, wrong)))
            try:
                restored = pickle.loads(text)
                given = answers(restored)
            except ValueError:
                refused += 1
                continue
            read += 1
            whole_parts = (0, 2) if isinstance(result, rg.Truth) else (2,)  # labels, judged; places
            if at[0] not in whole_parts and not field_names(state, at) & FREE:
                assert given == whole, (at, wrong)
    return refused, read


def every() -> dict[str, Any]:
    return {**truths(), **records()}


@pytest.mark.parametrize("name", [*truths(), *records()])
def test_damaged_pickles_are_refused_or_have_the_same_answers(name: str) -> None:
    lines = (
        "import sys; sys.path.insert(0, sys.argv[2]); import test_damaged_pickles as one; "
        "print(*one.tried(one.every()[sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", lines, name, str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    refused, _ = map(int, done.stdout.split())
    assert refused > 40


@pytest.mark.parametrize("name", [*truths(), *records()])
def test_whole_pickles_are_read(name: str) -> None:
    result = every()[name]
    assert answers(pickle.loads(pickle.dumps(result))) == answers(result)


def fields(result: Any, at: tuple[int, ...], value: Any) -> Any:
    build, state = result.__reduce__()
    return Pickled(build, put(state, at, value))


DENSE = rg.Truth([1, 0, 2, 0], qid=[1, 2, 1, 2])
ENTRIES = rg.Qrels({"q": {"a": 1, "b": 2}})
RANKED = rg.Run({"q": {"a": 2.0, "b": 1.0}})


@pytest.mark.parametrize(
    ("one", "field", "value", "text"),
    [
        (DENSE, "order", np.zeros(4, np.int64), "Truth is damaged: its order is no order of its"),
        (ENTRIES, "values", np.array([1, np.inf]), "Qrels is damaged: a label is not finite"),
        (RANKED, "values", np.array([1.0, 2.0]), "Run is damaged: its rows are not in the order"),
        (RANKED, "values", np.array([2, np.nan]), "Run is damaged: its rows are not in the order"),
        (ENTRIES, "ids", np.array([97, 97], np.uint8), "Qrels is damaged: a document is in a quer"),
        (
            rg.Qrels({"q": {"a": 1}, "r": {"a": 1}}),
            "queries",
            ("q", "q"),
            "Qrels is damaged: a query is in it twice",
        ),
        (ENTRIES, "values", None, "Qrels is damaged: object of type 'NoneType' has no len"),
        (ENTRIES, "queries", 3, "Qrels is damaged: its queries are not texts"),
    ],
)
def test_damage_is_named(one: Any, field: str, value: Any, text: str) -> None:
    """The first field of this name in the state."""
    _, state = one.__reduce__()
    named = [at for at, _ in paths(state) if field in field_names(state, at)]
    with pytest.raises(ValueError, match=f"this pickle of a {text}"):
        pickle.loads(pickle.dumps(fields(one, named[0], value)))


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("columns", 1, "its labels have an index beyond 1 columns"),
        ("columns", 2, "its labels have an index beyond 2 columns"),
        ("columns", 9, r"its labels are not of shape \(2, 3\)"),
    ],
)
def test_damaged_labels_of_a_matrix(field: str, value: Any, text: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    one = rg.Truth(sparse.csr_matrix([[1, 0, 2], [0, 1, 0]]))
    _, state = one.__reduce__()
    at = (0, state[0]._fields.index(field))
    with pytest.raises(ValueError, match=f"this pickle of a Truth is damaged: {text}"):
        pickle.loads(pickle.dumps(fields(one, at, value)))


def test_records_equal_no_other_type() -> None:
    assert ENTRIES.__eq__(3) is NotImplemented


@pytest.mark.parametrize("rows", [None, 3, (1, 2)])
def test_records_without_rows_are_damaged(rows: Any) -> None:
    build, (kind, _, places) = ENTRIES.__reduce__()
    with pytest.raises(ValueError, match=r"^this pickle of a Qrels is damaged: "):
        pickle.loads(pickle.dumps(Pickled(build, (kind, rows, places))))
