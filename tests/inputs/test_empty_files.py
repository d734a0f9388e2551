"""A file without content is called empty, whatever its suffix, alone and among others."""

import pytest

import rankgain as rg

RUN = {"q1": {"a": 1.0}}
TABLES = ["parquet", "pq", "csv", "tsv", "jsonl", "ndjson", "csv.gz", "tsv.gz", "jsonl.gz"]
WORDS = r"empty\.{} is empty \(0 bytes\); write it again or remove it"


def write_table(path):
    """Write a table of one list, in the form of the suffix of the path."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"]})
    frame = frame.assign(label=[1, 0], score=[0.3, 0.4])
    if path.name.endswith(("parquet", "pq")):
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    elif "json" in path.name:
        frame.to_json(path, orient="records", lines=True)
    else:
        separator = "\t" if "tsv" in path.name else ","
        frame.to_csv(path, index=False, sep=separator)
    return frame


@pytest.mark.parametrize("suffix", TABLES)
def test_an_empty_table_is_called_empty(tmp_path, suffix):
    pytest.importorskip("narwhals")
    frame = write_table(tmp_path / f"full.{suffix}")
    empty = tmp_path / f"empty.{suffix}"
    empty.write_bytes(b"")
    unlabelled = frame.drop(columns="label")
    calls = [
        lambda: rg.evaluate_frame(empty, ["AP"]),
        lambda: rg.evaluate_frame(tmp_path, ["AP"]),
        lambda: rg.evaluate_frame([tmp_path / f"full.{suffix}", empty], ["AP"]),
        lambda: rg.evaluate_frame(empty, ["AP"], truth=RUN),
        lambda: rg.evaluate_frame(unlabelled, ["AP"], truth=empty),
        lambda: rg.evaluate_batches(empty, ["AP"], query="query_id", label="label", score="score"),
        lambda: rg.evaluate_batches(
            tmp_path, ["AP"], query="query_id", label="label", score="score"
        ),
        lambda: rg.evaluate_ids(empty, measures=["AP"]),
        lambda: rg.evaluate_ids(empty, RUN, ["AP"]),
        lambda: rg.evaluate_ids({"q1": ["a"]}, empty, ["AP"]),
        lambda: rg.evaluate(empty, RUN, ["AP"]),
        lambda: rg.evaluate(RUN, empty, ["AP"]),
        lambda: rg.evaluate_runs(RUN, [empty], ["AP"]),
        lambda: rg.Qrels.read(empty),
        lambda: rg.Run.read(empty),
        lambda: rg.Qrels.from_frame(empty),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=WORDS.format(suffix)):
            call()


@pytest.mark.parametrize("suffix", ["txt", "run", "gz", "json", "txt.gz"])
def test_an_empty_trec_file_is_called_empty(tmp_path, suffix):
    full, empty = tmp_path / "full.txt", tmp_path / f"empty.{suffix}"
    full.write_text("q1 Q0 a 1 0.5 t\n", encoding="utf-8")
    empty.write_bytes(b"")
    calls = [
        lambda: rg.Qrels.read(empty),
        lambda: rg.Run.read(empty),
        lambda: rg.Qrels(empty, subtopics=True),
        lambda: rg.evaluate(empty, RUN, ["AP"]),
        lambda: rg.evaluate(RUN, empty, ["AP"]),
        lambda: rg.evaluate_runs(RUN, [full, empty], ["AP"]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=WORDS.format(suffix)):
            call()


def test_an_empty_file_of_a_result_is_called_empty(tmp_path):
    empty = tmp_path / "empty.json"
    empty.write_bytes(b"")
    for kind in (rg.Evaluation, rg.Evaluations, rg.Comparison):
        with pytest.raises(ValueError, match=WORDS.format("json")):
            kind.read(empty)


def test_lines_of_json_without_a_line_have_no_rows(tmp_path):
    pytest.importorskip("narwhals")
    pytest.importorskip("pandas")
    path = tmp_path / "blank.jsonl"
    path.write_text("\n\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"blank\.jsonl: cannot be read: it has no rows"):
        rg.evaluate_frame(path, ["AP"])
