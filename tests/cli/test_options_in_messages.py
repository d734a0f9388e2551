"""Errors and warnings of a command name its options, not the arguments of Python functions."""

from pathlib import Path

import pytest

from places import EXAMPLES
from rankgain.cli import main

pytest.importorskip("pandas")
pytest.importorskip("narwhals")

QRELS, RUN_A, RUN_B = (str(EXAMPLES / name) for name in ("qrels.txt", "run-a.txt", "run-b.txt"))

# The lines of a table, the arguments beside -m AP, and the end of the error.
TABLES = {
    "no label": ("query_id,lbl,score\n1,1,.5\n", [], "query_id, lbl, score; pass --label ...\n"),
    "another name": ("query,label,score\n1,1,.5\n", ["--query", "x"], "no column 'x' (--query). "),
    "two keys": (
        "query_id,user_id,label,score\n1,1,1,.1\n1,2,0,.2\n", [],
        "is one list, pass --query query_id --query user_id; if 'query_id' alone identifies the "
        "lists, pass --query query_id\n",
    ),
    "systems": (
        "query_id,system,label,score\n1,a,1,.1\n1,b,0,.2\n", [],
        "pass --run system if it names systems, or --run none if it does not\n",
    ),
    "a name with a blank": (
        "query_id,label,my rank,rank\n1,1,1,1\n", ["--score", "my rank", "--query", "the user"],
        "no column 'the user' (--query). ",
    ),
    "ranks": (
        "query_id,label,rank\n1,1,1\n", [],
        "pass --score, or --rank rank if the smallest rank is the best\n",
    ),
    "blanks": (
        "query_id,two words,label,score\n1,a,1,.1\n1,b,0,.2\n", ["--query", "query_id"], "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "arguments", "words"), TABLES.values(), ids=TABLES)
def test_errors_of_tables(
    lines: str, arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(lines)
    status = main(["table", str(path), "-m", "AP", *arguments])
    error = capsys.readouterr().err
    assert words in error
    assert (status == 2) == bool(words)


# The lines of a table of scores, the arguments of compare, and the end of the error.
WIDE = "model,task,f1\na,1,.5\nb,1,.4\n"
LONG = "q,sys,metric,v\n1,a,AP,.5\n1,b,AP,.4\n"
OF_LONG = ["--run", "sys", "--query", "q"]
SCORES = {
    "text among scores": (
        WIDE, ["--run", "task"],
        "'model' must hold scores, not 'a'; name the score columns with --values; for a long "
        "table, use --measure-column and --value-column\n",
    ),
    "no value": (
        LONG, OF_LONG,
        "no value column found (looked for value, score, metric_value, ...). "
        "Columns: q, sys, metric, v; pass --value-column ...\n",
    ),
    "no measure": (
        LONG.replace("metric", "kind"), [*OF_LONG, "--value-column", "v"],
        "no measure column found (looked for metric, measure, metric_name, ...). "
        "Columns: q, sys, kind, v; pass --measure-column ...\n",
    ),
    "two values": (
        "q,sys,metric,value,score\n1,a,AP,.5,1\n", OF_LONG,
        "'value' and 'score' both fit --value-column; pass --value-column ...\n",
    ),
    "another name of a measure": (
        LONG, [*OF_LONG, "--measure-column", "x"], "no column 'x' (--measure-column). ",
    ),
    "wide and long": (
        LONG, [*OF_LONG, "--values", "v", "--value-column", "v"],
        "as in a wide table (--values) and as in a long one (--measure-column, --value-column); "
        "name them in one way\n",
    ),
    "twice": (LONG, [*OF_LONG, "--values", "v", "--values", "v"], "'v' is named twice by --values"),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "arguments", "words"), SCORES.values(), ids=SCORES)
def test_errors_of_scores(
    lines: str, arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(lines)
    assert main(["compare", str(path), *arguments]) == 2
    assert words in capsys.readouterr().err


# Commands with several measures in one text, and the end of the error.
BOTH = "give one {0} for each measure: {0} nDCG@10 {0} 'AP(rel=2)'"
SEVERAL = {
    "a comma": (["evaluate", QRELS, RUN_A, "-m", "nDCG@10,AP(rel=2)"], BOTH.format("-m")),
    "a semicolon": (["evaluate", QRELS, RUN_A, "-m", "nDCG@10; AP(rel=2)"], BOTH.format("-m")),
    "a blank": (["compare", QRELS, RUN_A, RUN_B, "-m", "nDCG@10 AP(rel=2)"], BOTH.format("-m")),
    "a list": (["table", QRELS, "-m", "['nDCG@10', 'AP(rel=2)']"], BOTH.format("-m")),
    "a gate of a comparison": (
        ["compare", QRELS, RUN_A, RUN_B, "-m", "AP", "--baseline", "run-a.txt", "--fail-if-worse",
         "nDCG@10,AP(rel=2)"],
        BOTH.format("--fail-if-worse"),
    ),
    "a threshold": (
        ["evaluate", QRELS, RUN_A, "--fail-under", "nDCG@10,AP=0.3"],
        "for each measure: --fail-under nDCG@10=0.3 --fail-under AP=0.3",
    ),
    "one measure": (
        ["reconcile", QRELS, RUN_A, "trec", "beir", "-m", "nDCG@10,AP"],
        "give one measure, and run the command for each of nDCG@10, AP",
    ),
    "after the files": (
        ["evaluate", QRELS, RUN_A, "-m", "nDCG@10", "AP"],
        "unrecognized arguments: AP; give one -m for each measure: -m AP (see rankgain evaluate "
        "--help)",
    ),
    "a run after an option": (
        ["evaluate", QRELS, RUN_A, "-m", "nDCG@10", RUN_B],
        f"unrecognized arguments: {RUN_B} (see rankgain evaluate --help)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), SEVERAL.values(), ids=SEVERAL)
def test_several_measures_in_one_text(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert capsys.readouterr().err.endswith(f"{words}\n")


def test_a_measure_before_the_files_is_not_taken_for_a_missing_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "-m", "nDCG@10", "AP", QRELS, RUN_A]) == 2
    hint = "if it is a measure, give it an -m of its own: -m AP"
    assert capsys.readouterr().err == f"rankgain: AP: No such file or directory; {hint}\n"
    assert main(["evaluate", "-m", "nDCG@10", "qrels.txt", RUN_A]) == 2
    assert capsys.readouterr().err == "rankgain: qrels.txt: No such file or directory\n"


def test_measures_of_a_table_of_scores_are_options_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("model,task,f1,ms\na,1,.5,1\nb,1,.4,2\n")
    assert main(["compare", str(path), "-m", "f1,ms"]) == 1
    assert "measures: f1, ms; give one -m for each measure\n" in capsys.readouterr().err


def test_columns_with_blanks_stay_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("query_id,run name,label,score\n1,a,1,.1\n1,b,0,.2\n")
    assert main(["table", str(path), "-m", "AP"]) == 2
    assert "pass --run 'run name' if it names" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["doc=1/rows.csv", "rank=3.csv"])
def test_paths_stay_as_they_are(
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A partitioned data set has such paths."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("query_id,score\n1,.5\n")
    monkeypatch.chdir(tmp_path)
    for given in (name, path):
        assert main(["table", str(given), "-m", "AP"]) == 2
        assert f"{given}: no label column found" in capsys.readouterr().err


def test_parameters_of_measures_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("query_id,label,score\n1,1,.5\n")
    assert main(["table", str(path), "-m", "RBP(p=2,weight=3)"]) == 1
    assert "'RBP(p=2,weight=3)'" in capsys.readouterr().err


def test_warnings_and_errors_of_comparisons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["compare", QRELS, RUN_A, RUN_B, "-m", "AP", "-m", "RR", "--resamples", "10"]
    assert main(few) == 0
    assert "; use at least --resamples 40, or fewer measures\n" in capsys.readouterr().err
    short = tmp_path / "short.txt"
    short.write_text(Path(RUN_A).read_text().splitlines()[0] + "\n")
    command = ["compare", QRELS, RUN_A, str(short), "-m", "AP", "--convention", "pytrec_eval"]
    assert main(command) == 2
    assert "; pass --queries common to compare only the queries" in capsys.readouterr().err


def test_arguments_that_a_command_does_not_have_keep_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels = tmp_path / "qrels.json"
    qrels.write_text('{"q01": {"d023": 0.5}}')
    assert main(["evaluate", str(qrels), RUN_A, "-m", "AP"]) == 0
    assert "give rel=, the lowest label" in capsys.readouterr().err


def test_arguments_in_calls_keep_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("u1\ti1\t5\t100\nu1\ti2\t3\t200\n")
    assert main(["compare", str(log), RUN_A, RUN_B, "-m", "AP"]) == 2  # it has --query
    call = 'pass rankgain.Qrels.from_frame(frame, query="user", doc="item", label="rating")'
    assert call in capsys.readouterr().err
