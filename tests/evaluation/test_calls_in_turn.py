"""A call leaves nothing behind: f(a), f(b), f(a) for every function, also after an error."""

import itertools
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pa = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")
MEASURES = ["nDCG@3", "AP", "RR", "P@2"]


class Data:
    """Lists of one length with some tied scores, as arrays and by id."""

    def __init__(
        self, lists: int, documents: int, kind: Any = int, *, is_broken: bool = False
    ) -> None:
        rng = np.random.default_rng(documents)
        self.labels = rng.integers(0, 3, (lists, documents))
        self.labels[:, 0] = 1
        self.scores = rng.integers(0, documents, (lists, documents)) / 2
        if is_broken:
            self.scores[2, 3] = np.nan
        self.relevant = [np.flatnonzero(row) for row in self.labels]
        self.factors = rng.normal(size=(lists, 4)), rng.normal(size=(documents, 4))
        self.queries = [f"q{query}" for query in range(lists)]
        self.documents = [kind(document) for document in range(documents)]
        self.qrels = self._by_id(self.labels.tolist())
        self.run = self._by_id(self.scores.tolist())
        self.other_run = self._by_id(self.scores[:, ::-1].tolist())
        self.ranked = {
            query: sorted(scores, key=lambda document, scores=scores: -scores[document])
            for query, scores in self.run.items()
        }

    def _by_id(self, rows: list[list[float]]) -> dict[str, dict[Any, float]]:
        return {
            query: dict(zip(self.documents, row, strict=True))
            for query, row in zip(self.queries, rows, strict=True)
        }

    def runs_with_unjudged(self) -> Any:
        unjudged = type(self.documents[0])(77)
        first = {query: {**scores, unjudged: 9.0} for query, scores in self.run.items()}
        return {"a": first, "b": self.run}

    def table(self) -> Any:
        lists, documents = self.labels.shape
        columns = {
            "query": np.repeat(self.queries, documents),
            "doc": np.tile(self.documents, lists),
            "label": self.labels.ravel(),
            "score": self.scores.ravel(),
        }
        return pandas.DataFrame(columns)

    def files(self, folder: Path) -> tuple[Path, Path]:
        qrels, run = folder / "qrels", folder / "run"
        rows = self.table().itertuples()
        lines = [
            (f"{r.query} 0 {r.doc} {r.label}", f"{r.query} Q0 {r.doc} 0 {r.score} t") for r in rows
        ]
        qrels.write_text("\n".join(line for line, _ in lines))
        run.write_text("\n".join(line for _, line in lines))
        return qrels, run

    def evaluations(self) -> Any:
        runs = {"a": rg.Run(self._text_ids(self.run)), "b": rg.Run(self._text_ids(self.other_run))}
        return rg.evaluate_runs(rg.Qrels(self._text_ids(self.qrels)), runs, MEASURES)

    def _text_ids(self, rows: Any) -> Any:
        return {
            query: {str(document): value for document, value in row.items()}
            for query, row in rows.items()
        }


def stream(data: Data) -> Any:
    return pa.Table.from_pandas(data.table()).to_batches(max_chunksize=7)


COLUMNS: dict[str, Any] = {"query": "query", "label": "label", "score": "score"}
CALLS: dict[str, Callable[[Data, Path], Any]] = {
    "measures": lambda d, _: [
        rg.ndcg(d.labels, d.scores, k=3),
        rg.average_precision(d.labels, d.scores),
    ],
    "evaluate": lambda d, _: rg.evaluate(d.qrels, d.run, MEASURES),
    "evaluate, files": lambda d, folder: rg.evaluate(*d.files(folder), MEASURES),
    "evaluate_runs": lambda d, _: d.evaluations(),
    "evaluate_arrays": lambda d, _: rg.evaluate_arrays(d.labels, d.scores, MEASURES),
    "evaluate_arrays, Truth": lambda d, _: rg.evaluate_arrays(
        rg.Truth(d.labels), d.scores, MEASURES
    ),
    "evaluate_models": lambda d, _: rg.evaluate_models(
        d.labels, {"a": d.scores, "b": -d.scores}, MEASURES
    ),
    "evaluate_frame": lambda d, _: rg.evaluate_frame(d.table(), MEASURES, **COLUMNS),
    "evaluate_batches": lambda d, _: rg.evaluate_batches(stream(d), MEASURES, **COLUMNS),
    "evaluate_batches, any order": lambda d, _: rg.evaluate_batches(
        stream(d)[::-1], MEASURES, order="any", **COLUMNS
    ),
    "evaluate_ids": lambda d, _: rg.evaluate_ids(d.ranked, d.qrels, MEASURES),
    "evaluate_catalogue": lambda d, _: rg.evaluate_catalogue(
        d.ranked, ["Entropy", "Personalisation"], k=2
    ),
    "evaluate_factors": lambda d, _: rg.evaluate_factors(*d.factors, d.relevant, MEASURES),
    "evaluate_scores": lambda d, _: rg.evaluate_scores(
        lambda users: d.scores[users], d.relevant, MEASURES, batch=2
    ),
    "compare": lambda d, _: rg.compare(d.evaluations(), resamples=99),
    "compare, bootstrap": lambda d, _: rg.compare(d.evaluations(), test="bootstrap", resamples=99),
    "compare, Tukey": lambda d, _: rg.compare(
        d.evaluations(), test="randomised_tukey", resamples=99
    ),
    "intervals": lambda d, _: d.evaluations().intervals(resamples=99),
    "explain": lambda d, _: rg.explain(d.qrels, d.run, "nDCG@3", query="q1"),
    "reconcile": lambda d, _: rg.reconcile(
        d.labels, d.scores, "rankgain", "lightgbm", measure="nDCG@3"
    ),
    "reconcile_runs": lambda d, _: rg.reconcile_runs(d.qrels, d.run, "trec", "beir", measure="AP"),
    "judge_next": lambda d, _: rg.judge_next(d.qrels, d.runs_with_unjudged(), "P@3", 2),
    "correlate": lambda d, _: rg.correlate(*map(dict, (d.run["q0"], d.run["q1"])), "tau_b"),
    "neighbor_recall": lambda d, _: rg.neighbor_recall(
        np.argsort(d.scores), np.argsort(-d.scores), k=2
    ),
    "power": lambda d, _: rg.power(d.evaluations(), "AP"),
    "page": lambda d, folder: (
        rg.compare(d.evaluations(), resamples=99).report(folder / "page.html")
        or (folder / "page.html").read_text()
    ),
}


def comparable(result: Any) -> str:
    return result.to_json() if hasattr(result, "to_json") else repr(result)


@pytest.mark.parametrize("kind", [int, str])
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_three_calls_in_turn(name: str, kind: Any, tmp_path: Path) -> None:
    first, second = Data(12, 9, kind), Data(5, 6, kind)
    call = CALLS[name]
    results = [comparable(call(data, tmp_path)) for data in (first, second)]
    with suppress(ValueError):
        call(Data(12, 9, kind, is_broken=True), tmp_path)
    again = [comparable(call(data, tmp_path)) for data in (first, second)]
    assert results[0] != results[1]
    assert again == results


def add_to_accumulator(total: rg.Accumulator, data: Data) -> None:
    total.add(data.evaluations())


def add_to_ranks(partial: rg.PartialRanks, data: Data) -> None:
    """The hits themselves stand in the longer part."""
    partial.add(data.queries, data.scores[:, 3])
    if len(data.queries) > 5:
        partial.add(["q0", "q1", "q2"], [7.5, 8.5, 9.5])


def fail_accumulator(total: rg.Accumulator) -> None:
    """The second run has another measure."""
    evaluations = Data(3, 4).evaluations()
    other = rg.evaluate(Data(3, 4).qrels, Data(3, 4).run, "P@9")
    total.add({"a": evaluations["a"], "b": other})


def fail_ranks(partial: rg.PartialRanks) -> None:
    partial.add(["q0", "q1", "new"], [1.0, 3.0, np.nan])


def values_of_accumulator(total: rg.Accumulator) -> str:
    return json.dumps(total.to_dict())


def values_of_ranks(partial: rg.PartialRanks) -> str:
    return str(partial.finish(["RR", "NumRet"]).to_json())


OBJECTS: dict[str, tuple[Any, Any, Any, Any]] = {
    "Accumulator": (rg.Accumulator, add_to_accumulator, fail_accumulator, values_of_accumulator),
    "Accumulator with resamples": (
        lambda: rg.Accumulator(bootstrap=9),
        add_to_accumulator,
        fail_accumulator,
        values_of_accumulator,
    ),
    "PartialRanks": (
        lambda: rg.PartialRanks(["q0", "q1", "q2"], [7.5, 8.5, 9.5], [1, 1, 2]),
        add_to_ranks,
        fail_ranks,
        values_of_ranks,
    ),
}


@pytest.mark.parametrize("conventions", list(itertools.permutations(["trec_eval", "rankgain"])))
def test_qrels_serve_conventions_in_turn(conventions: tuple[str, ...]) -> None:
    labels, run = {"q": {"a": 1.5, "b": 2.75, "c": 0.5}}, {"q": {"a": 3.0, "b": 1.0, "c": 2.0}}
    qrels = rg.Qrels(labels)
    for convention in conventions:
        expected = rg.evaluate(labels, run, "nDCG", convention=convention)
        assert rg.evaluate(qrels, run, "nDCG", convention=convention) == expected


@pytest.mark.parametrize("convention", rg.conventions)
@pytest.mark.parametrize("cutoffs", [[None, 3], [3, None]])
def test_cutoffs_and_none_in_one_call(convention: str, cutoffs: list[int | None]) -> None:
    lists: Any = [[0, 1, 0, 1], [0, 0, 0, 1]], [[2.0, 1, 2, 1], [2, 2, 2, 2]]
    for function in (rg.reciprocal_rank, rg.hit_rate, rg.recall):
        options: Any = {"convention": convention}
        try:
            function(*lists, **options)
        except ValueError:  # its ties are broken by ids
            options["ids"] = [list("abcd")] * 2
        together = function(*lists, k=cutoffs, **options)
        for column, k in zip(together.T, cutoffs, strict=True):
            assert column.tolist() == function(*lists, k=k, **options).tolist()


@pytest.mark.parametrize("name", OBJECTS)
def test_parts_after_a_look_an_error_and_a_merge(name: str) -> None:
    make, add, fail, values_of = OBJECTS[name]
    parts = [Data(12, 9), Data(5, 6)]
    plain = make()
    for part in parts:
        add(plain, part)
    disturbed = make()
    add(disturbed, parts[0])
    first_values = values_of(disturbed)
    with pytest.raises(ValueError, match=r"is nan|measures"):
        fail(disturbed)
    assert values_of(disturbed) == first_values
    add(disturbed, parts[1])
    assert values_of(disturbed) == values_of(plain)
    merged = make()
    merged.merge(disturbed)
    assert values_of(merged) == values_of(plain)
    merged.merge(plain)
    assert values_of(disturbed) == values_of(plain)
