"""Several runs and their names: paths, patterns, objects with names, one frame with all systems."""

import warnings
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

MEASURES = ["nDCG@5", "AP", "RR"]


def drawn(seed: int) -> tuple[Any, Any]:
    """Qrels, and rows of three systems with ties, each with queries of its own."""
    rng = np.random.default_rng(seed)
    qrels = {
        f"q{query}": {f"d{doc}": int(rng.integers(0, 3)) for doc in range(8)} for query in range(5)
    }
    rows = [
        {"system": name, "query": f"q{query}", "doc": f"d{doc}", "score": rng.integers(0, 6) / 4}
        for query in range(6)
        for doc in rng.permutation(12).tolist()
        for name in ("x", "y", "z")
        if rng.random() < 0.6
    ]
    return qrels, pandas.DataFrame(rows)


def test_paths_patterns_and_folders(tmp_path: Path) -> None:
    qrels, frame = drawn(20)
    for name, rows in frame.groupby("system"):
        rg.Run.from_frame(rows.drop(columns="system")).write(tmp_path / f"{name}.txt")
    paths = sorted(tmp_path.iterdir())
    expected = {path.name: rg.evaluate(qrels, rg.Run(path), MEASURES).means for path in paths}
    for runs in (tmp_path, str(tmp_path / "*.txt"), paths, list(map(str, paths)), tuple(paths)):
        result = rg.evaluate_runs(qrels, runs, MEASURES)
        assert {name: one.means for name, one in result.items()} == expected
    assert list(rg.evaluate_runs(qrels, paths[0], "AP")) == ["x.txt"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.txt").write_bytes(paths[0].read_bytes())
    both = [paths[0], tmp_path / "other" / "x.txt"]
    assert list(rg.evaluate_runs(qrels, both, "AP")) == list(map(str, both))
    (tmp_path / "none").mkdir()
    with open(paths[0], "rb") as file:
        result = rg.evaluate_runs(qrels, [file, paths[1]], MEASURES)
    assert [one.means for one in result.values()] == list(expected.values())[:2]
    assert list(result) == [str(paths[0]), "y.txt"]


class Named(dict):  # type: ignore[type-arg]
    """A run that knows its name, as those of other libraries do."""

    def __init__(self, name: Any, run: Any) -> None:
        super().__init__(run)
        self.name = name


def test_objects_that_know_their_names() -> None:
    run = {"q1": {"a": 1.0, "b": 2.0}}
    result = rg.evaluate_runs({"q1": {"a": 1}}, [Named("m", run), Named("n", run)], "RR")
    assert list(result) == ["m", "n"]
    assert result["m"]["RR"] == 0.5
    ranx = pytest.importorskip("ranx")
    named = [ranx.Run(run, name=name) for name in ("bm25", "dense")]
    assert list(rg.evaluate_runs({"q1": {"a": 1}}, named, "RR")) == ["bm25", "dense"]


@pytest.mark.parametrize(("column", "others"), [
    ("query", {"uid": "q"}),  # which is a query only where no column has a better name
    ("position", {"qid": "q", "rank": [1, 2, 1, 2]}),
    ("run", {"qid": "q", "model": [1, 2, 1, 2]}),
    ("item_id", {"qid": "q", "iid": list("abba")}),
])  # fmt: skip
def test_the_column_of_systems_has_no_other_role(column: str, others: dict[str, Any]) -> None:
    rows = pandas.DataFrame({column: list("xxyy"), **others, "score": [2.0, 1.0, 2.0, 1.0]})
    if "iid" not in others:
        rows["docid"] = list("abba")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = rg.evaluate_runs({"q": {"a": 1}}, rows, "RR", run=column)
    assert {name: evaluation["RR"] for name, evaluation in result.items()} == {"x": 1.0, "y": 0.5}


# ---- Evaluations.merge: the same systems over disjoint queries


NAMES = ["nDCG@10", "RR", "AP"]


def frame(queries: range, systems: tuple[str, ...] = ("old", "new")) -> pandas.DataFrame:
    rows = []
    for system in systems:
        for query in queries:
            random = np.random.default_rng([len(system), ord(system[0]), query])
            for place in range(5):
                label, score = int(random.integers(0, 3)), float(random.random())
                rows.append((system, f"q{query}", f"d{place}", label, score))
    return pandas.DataFrame(rows, columns=["system", "query", "doc", "label", "score"])


def evaluate(queries: range, *systems: str, measures: object = NAMES, **options: object):
    table = frame(queries, systems or ("old", "new"))
    return rg.evaluate_frame(table, measures, run="system", **options)


def test_a_convention_makes_the_means_again() -> None:
    parts = [evaluate(range(3)), evaluate(range(3, 6))]
    merged = rg.Evaluations.merge(parts, convention=rg.conventions["rankgain"])
    assert merged["old"] == evaluate(range(6))["old"]


def test_an_unknown_option_names_the_function_that_was_called() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": ["a"]}
    message = r"^evaluate_runs\(\) got an unexpected keyword argument "
    with pytest.raises(TypeError, match=f"{message}'bound'; did you mean bounds="):
        rg.evaluate_runs(qrels, {"s": run}, "AP", bound="ties")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=f"{message}'queries'$"):
        rg.evaluate_runs(qrels, {"s": run}, "AP", queries="common")  # type: ignore[call-arg]
    for options in ({"exclude": None}, {"documents": None}, {"judged_only": True}, {"threads": 1}):
        assert rg.evaluate_runs(qrels, {"s": run}, "AP", **options)["s"]["AP"] == 1


def test_runs_of_rows_with_names_are_several() -> None:
    row = namedtuple("Row", "query doc score")
    rows = [row("q", "b", 2.0), row("q", "a", 1.0)]
    for run in (
        rows,
        tuple(rows),
        [one._asdict() for one in rows],
        [SimpleNamespace(**one._asdict()) for one in rows],
    ):
        assert rg.evaluate_runs({"q": {"a": 1}}, {"bm25": run}, "RR")["bm25"].means == {"RR": 0.5}
