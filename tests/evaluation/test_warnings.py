"""What is answered but hardly meant is said once, at the caller's line: rows, labels, query ids."""

import io
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import ROOT
from rankgain.cli import main
from refusals import csr
from trec_files import write_trec


def caught(call: Any) -> tuple[Any, list[str]]:
    """The result of a call, and the texts of its warnings, which all are ours and of this file."""
    with warnings.catch_warnings(record=True) as actual:
        warnings.simplefilter("always")
        result = call()
    assert all(one.category is rg.RankgainWarning for one in actual)
    assert {one.filename for one in actual} <= {__file__}
    return result, [str(one.message) for one in actual]


# ---- rows that are shorter than a cutoff

TEN = np.arange(30).reshape(3, 10)
RELEVANT = [[3], [11, 12], [500]]


def test_a_cutoff_beyond_the_columns_names_both_numbers() -> None:
    names = ["R@20", "nDCG@10", "HitRate@15"]
    result, said = caught(lambda: rg.evaluate_ids(TEN, RELEVANT, names))
    assert result.means["R@20"] == pytest.approx(2 / 3)
    assert len(said) == 1
    assert re.search(r"\b10 columns\b.* R@20, HitRate@15 .*\b20 items\b", said[0])
    assert "nDCG@10" not in said[0]
    said = caught(lambda: rg.evaluate_ids(TEN, RELEVANT, "P@11"))[1]
    assert len(said) == 1


def test_neither_are_a_convention_of_its_own_nor_rows_of_all_items() -> None:
    result, said = caught(lambda: rg.evaluate_ids(TEN, RELEVANT, "nDCG", convention="xgboost"))
    assert list(result.means) == ["nDCG@32"]
    assert said == []
    sparse = pytest.importorskip("scipy.sparse")
    labels = sparse.csr_matrix(np.eye(4, 10, k=2))
    every = np.tile(np.arange(10), (4, 1))
    assert caught(lambda: rg.evaluate_ids(every, labels, "R@20"))[1] == []
    said = caught(lambda: rg.evaluate_ids(every[:, :9], labels, "R@20"))[1]
    assert len(said) == 1


# ---- labels of which none is relevant

WEAK = csr([0.3, 0.2, 0.1], [0, 2, 1], [0, 2, 3])
SCORES = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.1]])
BINARY = ["HitRate@2", "AP", "P@2", "R@2", "RR", "F1@2", "RPrec", "RBP", "AUC", "nDCG(gain=binary)"]


def test_one_warning_for_all_measures_of_a_call() -> None:
    truth = rg.Truth(pytest.importorskip("scipy.sparse").csr_matrix([[0.3, 0, 0.2], [0, 0.1, 0]]))
    calls: list[Any] = [
        lambda: rg.evaluate_arrays(WEAK, SCORES, ["nDCG", *BINARY]),
        lambda: rg.evaluate_arrays(truth, SCORES, ["nDCG", "AP", "RR"]),
        lambda: rg.evaluate_ids([[0, 1], [2, 1]], [[0], [1]], ["AP", "RR"], gains=[[0.3], [0.9]]),
        lambda: rg.average_precision(WEAK, SCORES, k=[1, 2]),
        lambda: rg.hit_rate(WEAK, SCORES),
        # two readings of a run, and so two passes
        lambda: rg.evaluate({"q": {"a": 0.5}}, {"q": {"a": 0.9}}, ["AP(ties=id)", "AP", "RR"]),
    ]
    for call in calls:
        said = caught(call)[1]
        assert len(said) == 1
        assert said[0].startswith("no label reaches rel=1, so nothing is relevant to ")


FRACTIONS = np.array([[0.3, 0.98, 0.25], [0.5, 0.1, 0.75]])


@pytest.mark.parametrize("call", [
    lambda: rg.evaluate_arrays(FRACTIONS, SCORES, ["nDCG", "AP", "RR"]),
    lambda: rg.average_precision(FRACTIONS, SCORES),
    lambda: rg.average_precision(FRACTIONS, SCORES, k=[1, 2]),
    lambda: rg.evaluate_models(FRACTIONS, {"a": SCORES, "b": SCORES}, ["AP", "nDCG"]),
    lambda: rg.evaluate_frame(
        pytest.importorskip("pandas").DataFrame(
            {"qid": [1, 1, 2], "label": [0.98, 0.5, 0.5], "score": [0.5, 0.25, 0.75]}
        ),
        ["RR", "AP"],
    ),
])  # fmt: skip
def test_fractions_below_the_usual_rel_are_named(call: Any) -> None:
    rg.average_precision(np.eye(2), np.eye(2))  # its plan is kept, and takes arrays unlooked at
    for _ in range(2):
        said = caught(call)[1]
        assert len(said) == 1
        assert said[0].startswith("all labels are below rel=1, so nothing is relevant to ")
        assert "; the largest label is 0.98: give rel=, the lowest label" in said[0]


@pytest.mark.parametrize("call", [
    lambda: rg.evaluate_arrays(FRACTIONS, SCORES, ["nDCG", "DCG", "AP(rel=0.2)"]),
    lambda: rg.average_precision([0, 1], [0.5, 0.75], rel=2),
    lambda: rg.average_precision([0.0, 0.0], [0.5, 0.75]),
    lambda: rg.evaluate_arrays([[0.5, 0.25], [1.0, 0.0]], [[0.5, 0.75]] * 2, "AP"),
])  # fmt: skip
def test_labels_that_are_as_meant_warn_of_nothing(call: Any) -> None:
    assert caught(call)[1] == []


# ---- query ids that do not meet

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
OTHERS = {str(i): {"a": 1.0, "b": 2.0} for i in range(3)}


def ways(folder: Path, qrels: Any, run: Any) -> dict[str, tuple[Any, Any]]:
    """The same judgments and run in every form that is joined in a way of its own."""
    files = write_trec(folder, qrels, run)
    return {
        "dicts": (qrels, run),
        "files": files,
        "a stream": (files[0], io.BytesIO(Path(files[1]).read_bytes())),
        "objects": (rg.Qrels(qrels), rg.Run(run)),
        "qrels and a dict": (rg.Qrels(qrels), run),
        "dict and a path": (qrels, Path(files[1])),
    }


OPTIONS: list[dict[str, Any]] = [
    {"measures": "AP"},
    {"measures": ["AP", "RR@2"], "convention": "pytrec_eval"},
    {"measures": ["AP", "RR@2", "Judged@2"], "convention": "ir_measures"},
    {"measures": ["AP", "AP(ties=id)", "AP(judged_only=True)"]},
    {"measures": "AP", "ties": "average", "bounds": "ties"},
]
WAYS = ["dicts", "files", "a stream", "objects", "qrels and a dict", "dict and a path"]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_no_query_in_common(way: str, options: Any, tmp_path: Path) -> None:
    sources = ways(tmp_path, QRELS, OTHERS)[way]
    said = caught(lambda: rg.evaluate(*sources, **options))[1]
    assert len(said) == 1
    assert said[0].startswith("no judged query is in the run")
    assert "; missing: 'q0', 'q1' and 2 more; not judged: '0', '1' and 1 more. " in said[0]
    named = str(tmp_path / "run") in said[0]
    assert named is (way in ("files", "dict and a path"))


# ---- documents that do not meet


CHUNKS = {"q0": ["doc0.md#1", "doc0.md#2", "doc0.md#3"], "q1": ["doc1.md#1"]}
NAMES = {"q0": ["doc0"], "q1": ["doc1", "doc2"]}
SCORED = {query: {one: 1.0 - at for at, one in enumerate(ids)} for query, ids in CHUNKS.items()}
JUDGED = {query: dict.fromkeys(ids, 1) for query, ids in NAMES.items()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_document_in_common(way: str, options: Any, tmp_path: Path) -> None:
    sources = ways(tmp_path, JUDGED, SCORED)[way]
    result, said = caught(lambda: rg.evaluate(*sources, **options))
    assert result.means["AP"] == 0.0
    assert len(said) == 1
    assert said[0].startswith("no retrieved document is judged, in any query: query 'q0'")
    assert "'doc0.md#1' and 'doc0.md#2', the qrels 'doc0'. If retrieved ids are chunks" in said[0]
    assert (str(tmp_path / "run") in said[0]) is (way in ("files", "dict and a path"))


def test_no_id_in_common_at_other_doors() -> None:
    pandas = pytest.importorskip("pandas")
    frame = lambda ids: pandas.DataFrame(  # noqa: E731
        [(query, one, rank) for query, row in ids.items() for rank, one in enumerate(row)],
        columns=["query_id", "doc_id", "rank"],
    )
    numbers: Any = [[1, 2, 3], [4]], [[7], [8, 9]]
    calls: dict[str, Any] = {
        "by query": lambda: rg.evaluate_ids(CHUNKS, NAMES, "P@1"),
        "by place": lambda: rg.evaluate_ids([*CHUNKS.values()], [*NAMES.values()], "P@1"),
        "sets": lambda: rg.evaluate_ids([*CHUNKS.values()], [*map(set, NAMES.values())], "P@1"),
        "frames": lambda: rg.evaluate_ids(frame(CHUNKS), frame(NAMES).drop(columns="rank"), "P@1"),
        "texts": lambda: rg.evaluate_ids(CHUNKS, NAMES, "P@1"),
        "integers": lambda: rg.evaluate_ids(*numbers, "P@1"),
        "after an empty list": lambda: rg.evaluate_ids(
            [[], *numbers[0]], [[5], *numbers[1]], "P@1"
        ),
        "padded": lambda: rg.evaluate_ids([[1, 2, 3], [4, -1, -1]], numbers[1], "P@1"),
        "matrix": lambda: rg.evaluate_ids(numbers[0], csr([1, 1, 1], [7, 8, 9], [0, 1, 3]), "P@1"),
        "runs": lambda: rg.evaluate_runs(JUDGED, {"a": SCORED, "b": JUDGED}, "P@1"),
        "reconcile": lambda: rg.reconcile_runs(JUDGED, SCORED, "trec", "ranx", measure="AP"),
        "run of lists": lambda: rg.evaluate(JUDGED, CHUNKS, "P@1"),
    }
    for name, call in calls.items():
        said = caught(call)[1]
        assert len(said) == 1, name
        retrieved, relevant = ("1 and 2", "7") if "1 and 2" in said[0] else (
            "'doc0.md#1' and 'doc0.md#2'", "'doc0'"
        )  # fmt: skip
        assert f"has {retrieved}, " in said[0], name
        assert f" {relevant}. " in said[0], name


def test_one_line_of_standard_error_on_the_command_line(capsys: Any, tmp_path: Path) -> None:
    files = write_trec(tmp_path, QRELS, OTHERS)
    with open(tmp_path / "other", "w") as file:
        rg.Run({"x": {"a": 1.0}}).write(file)
    assert main(["evaluate", *files, str(tmp_path / "other"), "-m", "AP", "-m", "RR(ties=id)"]) == 0
    printed = capsys.readouterr()
    lines = printed.err.splitlines()
    assert len(lines) == 2
    for name, line in zip((files[1], str(tmp_path / "other")), lines, strict=True):
        run = Path(name).name
        start = f"rankgain: warning: run {run!r}: no judged query is in the run {name}; "
        assert line.startswith(start)
    assert "warning" not in printed.out
    assert main(["reconcile", *files, "trec", "trec_eval-9", "-m", "AP"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(("retrieved", "documents", "separator"), [
    (["guide#4", "faq#1"], None, "#"), (["faq#1", "guide::4"], None, "::"), (["guide_4"], "#", "_"),
    (["manual/guide-4"], None, None), (["guides#4"], None, None), ([4], None, None),
])  # fmt: skip
def test_ids_of_chunks_are_noticed_in_one_list(
    retrieved: list[Any], documents: str | None, separator: str | None
) -> None:
    relevant = {"q": ["terms", "guide"]}
    said = caught(
        lambda: rg.evaluate_ids(
            {"q": [str(i) for i in retrieved]}, relevant, "RR", documents=documents
        )
    )[1]
    assert len(said) == (separator is not None)
    if separator is not None:
        assert f"pass documents={separator!r}. Otherwise" in said[0]


@pytest.mark.parametrize("users", [1, 2, 3, 4, 5, 7])
def test_half_of_the_users_are_enough(users: int) -> None:
    relevant = {f"u{i}": ["a"] for i in range(users)}
    for common in range(users + 1):
        retrieved = {f"{'u' if i < common else 'x'}{i}": ["a"] for i in range(users)}
        said = caught(lambda r=retrieved: rg.evaluate_ids(r, relevant, "RR"))[1]
        assert any("user ids match" in one for one in said) == (2 * common < users)


@pytest.mark.parametrize(("retrieved", "words"), [
    ({"x": ["a"]}, "no {one} is in {there}; missing: 'u0', 'u1' and 1 more; not {here}: 'x'"),
    ({"u1": ["a"]}, "only 1 of {three} is in {there}; missing: 'u0' and 'u2'"),
    ({"u2": ["a"], "y": ["a"], "x": ["a"], "z": ["a"]},
        "only 1 of {three} is in {there}; missing: 'u0' and 'u1'; not {here}: 'y', 'x' and 1 more"),
])  # fmt: skip
def test_what_is_missing_is_counted(retrieved: dict[str, list[str]], words: str) -> None:
    relevant = {f"u{i}": ["a"] for i in range(3)}
    said = caught(lambda: rg.evaluate_ids(retrieved, relevant, "RR"))[1]
    users = words.format(
        one="user of relevant",
        three="the 3 users of relevant",
        there="retrieved",
        here="in relevant",
    )
    assert said == [f"{users}. Check that the user ids match"]
    qrels = {query: dict.fromkeys(ids, 1) for query, ids in relevant.items()}
    queries = words.format(
        one="judged query", three="3 judged queries", there="the run", here="judged"
    )
    said = caught(lambda: rg.evaluate(qrels, rg.Run(retrieved), "RR"))[1]
    assert said == [f"{queries}. Check that the query ids match"]


def test_other_lists_of_one_document_are_no_reason() -> None:
    y, s = np.array([[1, 0], [0, 1]]), np.array([[0.1, 0.5], [0.2, 0.3]])
    for call in (
        lambda: rg.ndcg(y, s),
        lambda: rg.ndcg(y[:1, :1], s[:1, :1]),
        lambda: rg.ndcg([1], [0.3]),
        lambda: rg.ndcg(y, s, lengths=[1, 2]),
        lambda: rg.ndcg([[1], [0, 1], []], [[1], [1, 2], []]),
        lambda: rg.cg(y[:, :1]),  # what documents are worth
        lambda: rg.evaluate_ids([[1], [2]], [[1], [2]], "P@1"),
        lambda: rg.evaluate({"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1}, "r": {"b": 1}}, "AP"),
    ):
        assert caught(call)[1] == []


def test_ids_of_systems() -> None:
    truth = {"u1": [1], "u2": [2]}
    systems = {"good": {"u1": [1], "u2": [2]}, "bad": {"u8": [1], "u9": [2]}}
    [text] = caught(lambda: rg.evaluate_ids(systems, truth, "RR"))[1]
    assert text.startswith("run 'bad': no user of relevant is in retrieved")


def test_the_command_line_names_one_of_several(capsys, tmp_path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("x 0 d 1 1 t\n")
    qrels, run = (str(ROOT / "examples" / name) for name in ("qrels.txt", "run-a.txt"))
    assert main(["evaluate", qrels, run, str(bad), "-m", "AP"]) == 0
    assert "run 'bad.txt': no judged query is in the run" in capsys.readouterr().err
    assert main(["evaluate", qrels, str(bad), "-m", "AP"]) == 0
    error = capsys.readouterr().err
    assert "no judged query is in the run" in error
    assert "run 'bad.txt'" not in error
