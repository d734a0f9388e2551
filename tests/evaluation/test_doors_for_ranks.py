"""Ranks with gaps through every door: each gives the values of the places by hand."""

import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import placed
import rankgain as rg
from rankgain.cli import main

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

RR = (1 / 3 + 1 / 10) / 2
LOG = pd.DataFrame({"user_id": [1, 2], "item_id": ["a", "b"], "rank": [3, 10], "label": [1, 1]})
RETRIEVED = LOG[["user_id", "item_id", "rank"]]
OF_TEXT = {"1": {"a": 1}, "2": {"b": 1}}


def two_systems(first: int = 1) -> pd.DataFrame:
    """Ranks 3 and 10 of one system; of another 2 and 5, or with first=0 one less each."""
    other = RETRIEVED.assign(rank=[2, 5], model="b")
    frame = pd.concat([RETRIEVED.assign(model="a"), other], ignore_index=True)
    zero = pd.DataFrame({"user_id": [3], "item_id": ["c"], "rank": [0], "model": ["b"]})
    return frame if first else pd.concat([frame.assign(rank=frame["rank"] - 1), zero])


@pytest.mark.parametrize("first", [0, 1])
def test_systems_of_one_table_share_the_first_rank(first: int) -> None:
    frame, more = two_systems(first), {} if first else {"3": {"c": 1}}
    wanted = {"a": [1 / 3, 1 / 10], "b": [1 / 2, 1 / 5]}
    for results in (
        rg.evaluate_frame(frame.assign(label=1), "RR", rank="rank", run="model"),
        rg.evaluate_frame(frame, "RR", rank="rank", run="model", truth={**OF_TEXT, **more}),
        rg.evaluate_ids(frame, {1: ["a"], 2: ["b"], 3: ["c"]}, "RR", run="model"),
    ):
        for name, values in wanted.items():
            assert results[name].per_query["RR"][:2].tolist() == values


def test_ids_beside_runs_with_gaps() -> None:
    rng, rows, truth = random.Random(5), [], {}
    for user in range(120):
        ranks = placed.draw(rng)
        names = [f"d{i}" for i in rng.sample(range(12), len(ranks))]
        rows += [(f"u{user}", *pair) for pair in zip(names, ranks, strict=True)]
        truth[f"u{user}"] = {f"d{i}": rng.choice([1, 2]) for i in rng.sample(range(12), 3)}
    frame = pd.DataFrame(rows, columns=["user_id", "item_id", "rank"])
    names = ["nDCG@5", "AP", "RR", "P@3", "R@9", "HitRate@2", "RBP", "NumRet", "RPrec"]
    exclude = {user: rng.sample([f"d{i}" for i in range(12)], 2) for user in truth}
    for convention in ("rankgain", "trec", "rectools-achievable"):
        rules: Any = {"convention": convention}
        run = rg.Run.from_frame(frame, rank="rank")
        assert rg.evaluate_ids(frame, truth, names, **rules).means == pytest.approx(
            dict(rg.evaluate(truth, run, names, **rules).means), abs=1e-12
        )
    ids = rg.evaluate_ids(frame, truth, ["AP", "NumRet"], exclude=exclude, convention="trec")
    left = rg.evaluate(truth, run, ["AP", "NumRet"], exclude=exclude)
    assert ids.means["NumRet"] == left.means["NumRet"]


def ranked(ranks: list[float], names: str, **options: Any) -> rg.Run:
    frame = pd.DataFrame({"q": "1", "d": list(names), "r": ranks})
    return rg.Run.from_frame(frame, query="q", doc="d", rank="r", **options)


def rank_of(document: str, run: rg.Run, **options: Any) -> float:
    """The rank of the only relevant document."""
    return 1 / rg.evaluate({"1": {document: 1}}, run, "RR", **options)["RR"]


def test_documents_below_an_excluded_one_move_up() -> None:
    run = ranked([2, 4, 4, 9], "abcd")
    assert rank_of("d", run) == 9
    assert rank_of("d", run, exclude={"1": ["a"]}) == 8
    assert rank_of("d", run, exclude={"1": ["b", "c"]}) == 7
    assert rank_of("a", run, exclude={"1": ["d"]}) == 2
    assert rank_of("b", run, exclude={"1": ["c"]}, ties="average") == 4
    frame = pd.DataFrame({"user_id": "1", "item_id": list("abcd"), "rank": [2, 4, 4, 9]})
    for out, place in ((["a"], 8), (["b", "c"], 7), (["z"], 9)):
        result = rg.evaluate_ids(frame, {"1": ["d"]}, "RR", exclude={"1": out})
        assert 1 / result["RR"] == place
    assert rank_of("d", run, judged_only=True) == 1  # nothing else is judged


def test_repeated_documents() -> None:
    assert rank_of("b", ranked([2, 4, 7], "aab", duplicates="first")) == 6
    assert rank_of("a", ranked([4, 2, 7], "aab", duplicates="best")) == 2
    assert rank_of("b", ranked([2, 4, 7], "aab", duplicates="in_place")) == 7
    frame = pd.DataFrame({"user_id": 1, "item_id": list("aab"), "rank": [2, 4, 7]})
    for duplicates, place in (("first", 6), ("in_place", 7)):
        result = rg.evaluate_ids(frame, {1: ["b"]}, "RR", duplicates=duplicates)
        assert 1 / result["RR"] == place


def test_runs_compare_pickle_and_are_written(tmp_path: Path) -> None:
    run = ranked([3, 5], "ab")
    again = pickle.loads(pickle.dumps(run))
    assert again == run
    assert rank_of("b", again) == 5
    assert run != ranked([1, 2], "ab")
    assert run != rg.Run({"1": {"a": -3.0, "b": -5.0}})
    with pytest.warns(rg.RankgainWarning, match="some ranks of the run are missing"):
        run.write(tmp_path / "run.txt")
    ranked([1, 2], "ab").write(tmp_path / "whole.txt")


def test_explanations_show_the_missing_documents() -> None:
    run = ranked([2, 2, 5], "abc")
    for measure in ("nDCG", "AP", "RR", "nDCG@2"):
        for ties in ("id_descending", "average", "stable"):
            qrels: Any = {"1": {"c": 1, "b": 2}}
            one = rg.explain(qrels, run, measure=measure, query="1", ties=ties)
            value = rg.evaluate(qrels, run, measure, ties=ties)[measure]
            assert getattr(one, "value", getattr(one, "ndcg", None)) == pytest.approx(value)
    assert one.documents[0] == "(not in the run)"
    assert str(rg.explain(qrels, run, measure="AP", query="1")).count("(not in the run)") == 2
    assert rg.explain({"1": {"a": 1}}, ranked([900_000], "a"), measure="AP@3", query="1").value == 0
    found = str(rg.reconcile_runs(qrels, run, "trec", "sklearn", measure="nDCG@10"))
    value = rg.evaluate(qrels, run, "nDCG@10")["nDCG@10"]
    assert f"nDCG@10 {value:.4f} = " in found


def test_streams() -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"q": [1, 2, 3], "r": [3, 10, 0], "y": [1, 1, 1]})
    call: Any = {"query": "q", "label": "y", "rank": "r"}
    for source in (table, [table], lambda: table.to_batches(max_chunksize=1)):
        result = rg.evaluate_batches(source, "RR", **call)
        assert result.per_query["RR"].tolist() == [1 / 4, 1 / 11, 1]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_streams_in_any_order(size: int) -> None:
    arrow = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(size)
    n = 90
    frame = pd.DataFrame({"q": rng.integers(0, 7, n), "y": rng.integers(0, 3, n)})
    frame = frame.assign(r=rng.integers(1, 40, n), system=rng.choice(["a", "b"], n))
    frame.loc[frame.index[-1], "r"] = 0  # seen last, and of one system only
    batches = arrow.Table.from_pandas(frame).to_batches(max_chunksize=size)
    call: Any = {"query": "q", "label": "y", "rank": "r", "ties": "worst"}
    names = ["nDCG@5", "AP", "RR"]
    expected = rg.evaluate_frame(frame, names, run=None, **call)
    result = rg.evaluate_batches(iter(batches), names, run=None, order="any", **call)
    assert result.queries == expected.queries
    assert result.to_dict() == expected.to_dict()
    by_system = rg.evaluate_batches(batches, names, run="system", order="any", **call)
    of_frame = rg.evaluate_frame(frame, names, run="system", **call)
    assert {name: one.to_dict() for name, one in by_system.items()} == {
        name: one.to_dict() for name, one in of_frame.items()
    }
    sums = rg.evaluate_batches(batches, names, run="system", order="any", keep="sums", **call)
    assert {name: dict(one.means) for name, one in sums.items()} == {
        name: dict(one.means) for name, one in of_frame.items()
    }


def test_streams_without_rows_in_any_order() -> None:
    arrow = pytest.importorskip("pyarrow")
    batch = arrow.record_batch({"q": [1], "y": [1], "r": [1], "system": ["a"]}).slice(0, 0)
    call: Any = {"query": "q", "label": "y", "rank": "r", "order": "any"}
    with pytest.warns(rg.RankgainWarning, match="the stream has no rows"):
        assert len(rg.evaluate_batches([batch], "RR", **call)) == 0


def test_a_stream_that_contradicts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    arrow = pytest.importorskip("pyarrow")
    from rankgain.evaluation.tables import batches

    monkeypatch.setattr(batches, "MIN_ROWS", 1)
    rows = [(1, 3.0), (2, 10.0), (3, 0.0), (4, 2.5)]

    def stream(order: list[int]) -> Any:
        for at in order:
            yield arrow.record_batch({"q": [rows[at][0]], "r": [rows[at][1]], "y": [1]})

    call: Any = {"query": "q", "label": "y", "rank": "r"}
    values = rg.evaluate_batches(stream([2, 0, 1]), "RR", **call).per_query["RR"]
    assert values.tolist() == [1, 1 / 4, 1 / 11]
    with pytest.raises(ValueError, match=r"row 3.*the ranks start at 0, but those before did not"):
        rg.evaluate_batches(stream([0, 1, 2]), "RR", **call)
    with pytest.raises(ValueError, match=r"row 2.*: the ranks are means of ties, but those before"):
        rg.evaluate_batches(stream([0, 3]), "RR", **call)
    # What the first part says holds for the others.
    values = rg.evaluate_batches(stream([3, 0, 1]), "RR", **call).per_query["RR"]
    assert values.tolist() == [1 / 2, 1 / 3, 1 / 10]


@pytest.mark.parametrize("rank", [2**24, 2**24 + 1, 2**31 - 2])
@pytest.mark.parametrize("ties", ["average", "stable", "worst"])
def test_large_ranks_are_told_apart(rank: int, ties: Any) -> None:
    rows = pd.DataFrame({"q": "x", "r": [rank + 1, rank], "y": [2, 1]})
    result = rg.evaluate_frame(rows, ["RR", "RR(rel=2)"], query="q", label="y", rank="r", ties=ties)
    assert result.means == {"RR": 1 / rank, "RR(rel=2)": 1 / (rank + 1)}


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LOG.to_csv(tmp_path / "log.csv", index=False)
    call = ["table", str(tmp_path / "log.csv"), "-m", "RR", "--rank", "rank", "--format", "json"]
    assert main(call) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"].values()
    assert run["means"]["RR"] == RR


SHOWN = pd.DataFrame({"user_id": [1, 1, 2], "item_id": ["x", "y", "z"], "rank": [1, 5, 4]})


def test_items_at_ranks_beyond_the_cutoff_are_not_shown(tmp_path: Path) -> None:
    names = ["Coverage@4", "Coverage@5", "Novelty@4", "Coverage@1"]
    known: Any = {"catalogue": 4, "popularity": {"x": 2, "y": 1, "z": 1}}
    result = rg.evaluate_catalogue(SHOWN, names, **known)
    assert list(result.means) == names
    assert list(result.means.values()) == [0.5, 0.75, 1.5, 0.25]
    parts = result.by({1: "first", 2: "second"})
    for user, label in ((1, "first"), (2, "second")):
        alone = rg.evaluate_catalogue(SHOWN[SHOWN.user_id == user], names, **known)
        assert parts[label].means == alone.means
    assert pickle.loads(pickle.dumps(result)) == result
    (tmp_path / "stored.json").write_text(result.to_json())
    stored = rg.Evaluation.read(tmp_path / "stored.json")
    assert stored == result
    assert stored.interval("Coverage@4") == result.interval("Coverage@4")
    whole = rg.evaluate_catalogue(
        {3: ["x", "y", "w"]}, names, **{**known, "popularity": dict.fromkeys("wxyz", 1)}
    )
    both = rg.Evaluation.merge([result, whole])
    assert both["Coverage@4"] == 1
    assert both["Coverage@1"] == 0.25
    beside = rg.evaluate_ids(SHOWN, {1: ["y"], 2: ["z"]}, ["RR", "Coverage@4"], catalogue=4)
    assert beside.means == {"RR": (1 / 5 + 1 / 4) / 2, "Coverage@4": 0.5}
