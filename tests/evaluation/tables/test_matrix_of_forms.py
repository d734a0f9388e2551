"""One small data set in every form that people have, read by every function that takes it.

A form is either read with the right value or refused with an error; it never gives another value,
whatever column stands beside those that are needed. A new form is one line in FORMS, a new function
one in DOORS, a new column one in BESIDE.
"""

import collections
import gzip
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from sampling import sampled

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

# The documents of two users, best first, and their labels: the first relevant ones are at the
# ranks 2 and 1, and each user has one more relevant document that was not retrieved first.
RANKED = {"u1": ["a", "b", "c"], "u2": ["d", "e", "f"]}
LABELS = {"u1": {"a": 0, "b": 1, "c": 1}, "u2": {"d": 2, "e": 0, "f": 1}}
EXPECTED = {"RR": {"u1": 1 / 2, "u2": 1.0}, "P@2": {"u1": 1 / 2, "u2": 1 / 2}}
MEASURES = list(EXPECTED)
# The same labels by subtopic: ordinary measures take the largest of a document.
PARTS = {
    user: {doc: {"price": label, "size": 0} for doc, label in labels.items()}
    for user, labels in LABELS.items()
}


def table_of() -> Any:
    """A row for each document, not in the order of the ranks."""
    rows = [
        (user, doc, 3.0 - 0.5 * rank, rank, LABELS[user][doc])
        for user, docs in RANKED.items()
        for rank, doc in enumerate(docs, 1)
    ]
    frame = pandas.DataFrame(rows, columns=["user_id", "item_id", "score", "rank", "label"])
    return frame.iloc[[2, 0, 1, 4, 3, 5]].reset_index(drop=True)


# ---- columns beside those that are needed: a constant, or a value for each row

BESIDE: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda frame: frame,
    "timestamp": lambda frame: frame.assign(timestamp=range(1_700_000_000, 1_700_000_006)),
    "price": lambda frame: frame.assign(price=[9.5, 1.0, 3.25, 2.0, 2.0, 7.0]),
    "title": lambda frame: frame.assign(title=[f"about {doc}" for doc in frame["item_id"]]),
    "hour": lambda frame: frame.assign(hour=[1, 2, 3, 1, 2, 3]),
    "age of the user": lambda frame: frame.assign(age=frame["user_id"].map({"u1": 7, "u2": 9})),
    "one session each": lambda frame: frame.assign(session_id="s" + frame["user_id"]),
    "one system": lambda frame: frame.assign(system="bm25"),
}
# These may be refused, or read with the same value.
QUESTIONABLE: dict[str, Callable[[Any], Any]] = {
    "two sessions": lambda frame: frame.assign(session_id=[1, 2, 1, 2, 1, 2]),
    "queries of users": lambda frame: frame.assign(query=["x", "y", "x", "y", "x", "y"]),
    "two systems": lambda frame: frame.assign(system=["a", "b", "a", "b", "a", "b"]),
    "two scores": lambda frame: frame.assign(prediction=[1.0, 2, 3, 1, 2, 3]),
    "two labels": lambda frame: frame.assign(rating=[5, 4, 3, 2, 1, 0]),
    "two ids of documents": lambda frame: frame.assign(doc_id=["k", "l", "m", "k", "l", "n"]),
    "a click": lambda frame: frame.assign(is_bought=[0, 1, 0, 1, 1, 0]),
}


# ---- forms of a table


def _as_csv(frame: Any, path: Path, suffix: str) -> str:
    text = frame.to_csv(index=False, sep="\t" if ".tsv" in suffix else ",")
    target = path / f"table{suffix}"
    target.write_bytes(gzip.compress(text.encode()) if suffix.endswith(".gz") else text.encode())
    return str(target)


def _as_lines(frame: Any, path: Path) -> str:
    target = path / "table.jsonl"
    target.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")))
    return str(target)


def _as_parquet(frame: Any, path: Path) -> str:
    frame.to_parquet(path / "table.parquet")
    return str(path / "table.parquet")


def _as_folder(frame: Any, path: Path) -> str:
    folder = path / "parts"
    folder.mkdir()
    frame[:4].to_parquet(folder / "1.parquet")
    frame[4:].to_parquet(folder / "2.parquet")
    return str(folder)


class Stream:
    """An object that only has Arrow's stream."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(schema)


def _as_tuples(frame: Any, path: Path) -> Any:
    kind = collections.namedtuple("kind", frame.columns)
    return iter([kind(*row) for row in frame.itertuples(index=False)])


FORMS: dict[str, Callable[[Any, Path], Any]] = {
    "pandas": lambda frame, path: frame,
    "pandas, strange index": lambda frame, path: frame.set_axis(list("zyxwvutsrqpo")[: len(frame)]),
    "pandas, user as index": lambda frame, path: frame.set_index("user_id"),
    "pandas, two levels": lambda frame, path: frame.set_index(["user_id", "item_id"]),
    "pandas, categories": lambda frame, path: frame.astype(
        {"user_id": "category", "item_id": "category"}
    ),
    "pandas, Arrow types": lambda frame, path: frame.convert_dtypes(dtype_backend="pyarrow"),
    "pandas, nullable types": lambda frame, path: frame.convert_dtypes(),
    "pandas, objects": lambda frame, path: frame.astype(object),
    "polars": lambda frame, path: polars.from_pandas(frame),
    "polars, lazy": lambda frame, path: polars.from_pandas(frame).lazy(),
    "polars, categories": lambda frame, path: polars.from_pandas(frame).with_columns(
        polars.col("user_id").cast(polars.Categorical)
    ),
    "Arrow": lambda frame, path: pa.Table.from_pandas(frame, preserve_index=False),
    "Arrow, dictionaries": lambda frame, path: pa.Table.from_pandas(
        frame.astype({"user_id": "category"}), preserve_index=False
    ),
    "Arrow stream": lambda frame, path: Stream(pa.Table.from_pandas(frame, preserve_index=False)),
    "CSV": lambda frame, path: _as_csv(frame, path, ".csv"),
    "CSV, compressed": lambda frame, path: _as_csv(frame, path, ".csv.gz"),
    "TSV": lambda frame, path: _as_csv(frame, path, ".tsv"),
    "JSON lines": _as_lines,
    "Parquet": _as_parquet,
    "a path object": lambda frame, path: Path(_as_parquet(frame, path)),
    "a folder": _as_folder,
    "rows as dicts": lambda frame, path: frame.to_dict("records"),
    "rows of an iterator": lambda frame, path: iter(frame.to_dict("records")),
    "rows as named tuples": _as_tuples,
}


# ---- functions that take a table


def _truth(frame: Any, *others: str) -> Any:
    return frame.drop(columns=["score", "rank", *others])


def _results(frame: Any, *others: str) -> Any:
    return frame.drop(columns=["label", "rank", *others])


DOORS: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "evaluate_frame": lambda frame, form: rg.evaluate_frame(
        form(frame.drop(columns="rank")), MEASURES
    ),
    "evaluate_frame, ranks": lambda frame, form: rg.evaluate_frame(
        form(frame.drop(columns="score")), MEASURES, rank="rank"
    ),
    "evaluate_frame, truth as frame": lambda frame, form: rg.evaluate_frame(
        _results(frame), MEASURES, truth=form(_truth(frame))
    ),
    "evaluate_frame with truth": lambda frame, form: rg.evaluate_frame(
        form(_results(frame)), MEASURES, truth=_truth(frame)
    ),
    "evaluate, judgments": lambda frame, form: rg.evaluate(
        form(_truth(frame)), dict(zip(RANKED, map(_scored, RANKED.values()), strict=True)), MEASURES
    ),
    "evaluate, run": lambda frame, form: rg.evaluate(LABELS, form(_results(frame)), MEASURES),
    "Qrels": lambda frame, form: rg.evaluate(
        rg.Qrels(form(_truth(frame))), rg.Run(_results(frame)), MEASURES
    ),
    "Run.from_frame": lambda frame, form: rg.evaluate(
        LABELS, rg.Run.from_frame(form(frame.drop(columns=["label", "score"])), rank="rank"),
        MEASURES,
    ),
    "evaluate_ids, retrieved": lambda frame, form: rg.evaluate_ids(
        form(_results(frame)), LABELS, MEASURES
    ),
    "evaluate_ids, ranks": lambda frame, form: rg.evaluate_ids(
        form(frame.drop(columns=["label", "score"])), LABELS, MEASURES
    ),
    "evaluate_ids, relevant": lambda frame, form: rg.evaluate_ids(
        RANKED, form(_truth(frame)), MEASURES
    ),
    "evaluate_ids, implicit": lambda frame, form: rg.evaluate_ids(
        RANKED, form(_truth(frame[frame["label"] > 0], "label")), MEASURES
    ),
    "evaluate_catalogue": lambda frame, form: _shown(form(_results(frame))),
    "Qrels.from_frame, subtopics": lambda frame, form: rg.evaluate(
        rg.Qrels.from_frame(form(_by_nugget(_truth(frame))), subtopic="nugget"),
        dict(zip(RANKED, map(_scored, RANKED.values()), strict=True)), MEASURES,
    ),
    "evaluate, run beside subtopics": lambda frame, form: rg.evaluate(
        PARTS, form(_results(frame)), MEASURES
    ),
    "evaluate_frame, truth of subtopics": lambda frame, form: rg.evaluate_frame(
        form(_results(frame)), MEASURES, truth=PARTS
    ),
}  # fmt: skip


def _by_nugget(truth: Any) -> Any:
    """A row for each document and each of two nuggets, of which the second has no label above 0."""
    return pandas.concat(
        [truth.assign(nugget="price"), truth.assign(nugget="size", label=0)], ignore_index=True
    )


def _scored(docs: list[str]) -> dict[str, float]:
    return {doc: float(-rank) for rank, doc in enumerate(docs)}


def _shown(frame: Any) -> Any:
    """The values of the other functions, if the first item of each user is that of RANKED."""
    shown = rg.evaluate_catalogue(frame, "Popularity@1", popularity={**dict.fromkeys("bcef", 0),
                                                                       "a": 1, "d": 3})  # fmt: skip
    found = dict(zip(shown.queries, shown.per_query["Popularity@1"].tolist(), strict=True))
    assert found == {"u1": 1.0, "u2": 3.0}
    return None


def read(door: str, form: str, frame: Any, path: Path) -> Any:
    """The values of a function by measure and user, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            result = DOORS[door](frame, lambda table: FORMS[form](table, path))
        except (ValueError, TypeError, rg.RankgainWarning) as error:
            return error
    if result is None:
        return EXPECTED
    return {
        name: dict(zip(result.queries, result.per_query[name].tolist(), strict=True))
        for name in MEASURES
    }


ROWS = ("rows of an iterator", "rows as named tuples")  # which only qrels and runs may be
TAKES_ROWS = ("evaluate, judgments", "evaluate, run", "Qrels", "evaluate, run beside subtopics")


@pytest.mark.parametrize(("door", "form"), sampled(DOORS, FORMS, one_in=2))
def test_every_form_is_read_by_every_function(door: str, form: str, tmp_path: Path) -> None:
    for index, (column, add) in enumerate((BESIDE | QUESTIONABLE).items()):
        path = tmp_path / str(index)
        path.mkdir()
        result = read(door, form, add(table_of()), path)
        if isinstance(result, Exception):
            assert column in QUESTIONABLE or (form in ROWS and door not in TAKES_ROWS), column
        else:
            assert result == EXPECTED, column
