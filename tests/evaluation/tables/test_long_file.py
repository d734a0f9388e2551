"""Files that are read in parts have the bits, the order, the ids and the errors of whole ones."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from frame_forms import write
from rankgain.cli import main
from sampling import sampled
from sizes import usual_sizes

pytest.importorskip("narwhals")
pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")


MEASURES = ["nDCG@5", "AP", "RR", "Bpref", "P@2"]
KINDS = ["a.parquet", "a.csv", "a.tsv.gz", "a.ndjson"]


def table_of(order: str, ids: str = "text") -> Any:
    """Lists of 1 .. 30 rows, one of 200; adjacent, in any order, or with one row that is late."""
    rng = np.random.default_rng(11)
    users = np.repeat(rng.permutation(35), rng.integers(1, 30, 35))
    users = np.insert(users, np.argmax(users == users[300]), [users[300]] * 200)
    n = len(users)
    rows = pandas.DataFrame({
        "user_id": [f"ü{one}" for one in users] if ids == "text" else users,
        "label": rng.integers(0, 4, n) * (rng.random(n) < 0.5),
        "score": rng.integers(0, 12, n) / 4,
        "item": rng.permutation(n),
        "w": users % 3 + 0.5,
        "country": [("de", "fr, ja")[one % 2] for one in users],
        "note": [f'of "{one}"\nand more' for one in users],
    })  # fmt: skip
    rows["place"] = rng.integers(1, 40, n)  # ranks with gaps and ties
    rows.loc[n - 1, "place"] = 0  # they start at 0, which the last part alone shows
    if order == "any":
        return rows.iloc[rng.permutation(n)].reset_index(drop=True)
    return pandas.concat([rows, rows[:1].assign(item=n)]) if order == "late" else rows


def whole(path: Path, **options: Any) -> Any:
    """The result where the file is small."""
    with usual_sizes():
        return rg.evaluate_frame(path, options.pop("measures", MEASURES), **options)


@pytest.mark.parametrize(
    ("name", "order", "ids"),
    sampled(KINDS, ["adjacent", "any", "late"], ["text", "numbers"], one_in=2),
)
def test_parts_have_the_bits_of_the_whole(name: str, order: str, ids: str, tmp_path: Path) -> None:
    path = write(table_of(order, ids), tmp_path / name)
    for options in (
        {},
        {"doc": "item", "ties": "id", "weight": "w", "segment": "country"},
        {"rank": "place", "ties": "stable", "convention": "sklearn"},
    ):
        result = rg.evaluate_frame(path, MEASURES, query="user_id", **options)
        expected = whole(path, query="user_id", **options)
        assert result.queries == expected.queries
        assert result.segments == expected.segments
        assert result == expected


AT = 477
REFUSED: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "no label": ("label", None, {}),
    "no id": ("user_id", None, {}),
    "no item": ("item", None, {"doc": "item"}),
    "text": ("label", "yes", {}),
    "infinite": ("label", float("inf"), {}),
    "two weights": ("w", 9, {"weight": "w"}),
    "two segments": ("country", "x", {"segment": "country"}),
    "a document twice": ("item", 12, {"doc": "item"}),
}


@pytest.mark.parametrize("order", ["adjacent", "any"])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
@pytest.mark.parametrize("case", REFUSED)
def test_errors_are_those_of_the_whole(name: str, order: str, case: str, tmp_path: Path) -> None:
    if case == "text" and name != "a.csv":
        pytest.skip("a column has one type")
    if case == "infinite" and name == "a.jsonl":
        pytest.skip("JSON has no infinite numbers")
    column, value, options = REFUSED[case]
    rows = table_of(order)
    if case == "a document twice":
        same = rows.index[rows["user_id"] == rows["user_id"][AT]]
        rows.loc[same[0], "item"] = rows["item"][same[-1]]
        assert same[-1] > same[0]
    else:
        values = rows[column].astype(object).tolist()
        values[AT] = value
        rows = rows.assign(**{column: values})
    path = write(rows, tmp_path / name)
    options = {"query": "user_id", **options}
    with pytest.raises((ValueError, TypeError)) as caught:
        rg.evaluate_frame(path, MEASURES, **options)
    with pytest.raises(caught.type) as expected:
        whole(path, **options)
    assert str(caught.value) == str(expected.value)
    assert " row " in str(caught.value)


@pytest.mark.parametrize("order", ["adjacent", "any"])
def test_errors_of_lists_name_the_query(order: str, tmp_path: Path) -> None:
    rows = table_of(order)
    rows.loc[AT, "label"] = -1
    path = write(rows, tmp_path / "a.parquet")
    query = rows["user_id"][AT]
    words = (
        rf"^label: list \d+ \(id '{query}'\), document \d+ has the negative label -1.*\nlist 0 is "
    )
    words += r"that of 'ü\d+', which starts in .*a\.parquet, row \d+$"
    with pytest.raises(ValueError, match=words):
        rg.evaluate_frame(path, MEASURES)


@pytest.mark.parametrize("order", ["adjacent", "any"])
def test_ids_that_change_their_type(order: str, tmp_path: Path) -> None:
    rows = table_of(order, "numbers")
    ids = rows["user_id"].astype(object).tolist()
    rows = rows.assign(user_id=ids[:400] + [str(one) for one in ids[400:]])
    path = write(rows, tmp_path / "a.jsonl")
    with pytest.raises((TypeError, ValueError), match=r"a\.jsonl"):
        rg.evaluate_frame(path, MEASURES)


def test_the_command_reads_long_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(table_of("any"), tmp_path / "a.csv")
    assert main(["table", str(path), "--query", "user_id", "-m", "AP"]) == 0
    result = rg.evaluate_frame(path, "AP", query="user_id")["AP"]
    assert f"{result:.4f}" in capsys.readouterr().out


MEMORY = """
import sys, tracemalloc
import numpy as np, pyarrow as pa, rankgain as rg
from pyarrow import parquet
from rankgain.evaluation.tables import frame as long_file
pa.set_cpu_count(1)
pa.set_io_thread_count(1)
path, rows, mixed = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "any"
long_file.ROWS = 1_500_000
step = 500_000
kinds = pa.schema([("q", "int64"), ("label", "int8"), ("score", "float32")])
with parquet.ParquetWriter(path, kinds) as file:
    for at in range(0, rows, step):
        rng = np.random.default_rng(at)
        q = rng.integers(0, rows // 1000, step) if mixed else np.arange(at, at + step) // 1000
        y = (rng.random(step) < 0.05).astype(np.int8)
        file.write_table(pa.table([q, y, rng.random(step, np.float32)], schema=kinds))
tracemalloc.start()
found = rg.evaluate_frame(path, ["nDCG@10", "AP"], query="q")
assert len(found) == rows // 1000
print(pa.default_memory_pool().max_memory() + tracemalloc.get_traced_memory()[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("order", ["adjacent", "any"])
def test_memory_does_not_grow_with_the_file(order: str, tmp_path: Path) -> None:
    """In processes of their own: 4 and 12 million rows, of 13 bytes each.

    What is counted is what pyarrow and NumPy have asked for at most: the size of the process also
    holds what their allocators keep, the more of it the more threads and work the machine has.
    """
    peaks = []
    for millions in (4, 12):
        path = tmp_path / f"{millions}.parquet"
        command = [sys.executable, "-c", MEMORY, str(path), str(millions * 10**6), order]
        peaks.append(int(subprocess.check_output(command)))
    assert peaks[1] - peaks[0] < 40 << 20, peaks  # the rows that came on are 100 MB
