"""Commands whose output cannot be written, or whose files are gone: one line and a status."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rankgain as rg
from rankgain.cli import main
from rankgain.trec import by_query
from sampling import sampled

PROGRAM = "import sys; from rankgain.cli import main; sys.exit(main(sys.argv[1:]))"
COMMANDS = [
    ["trec_eval", "qrels", "run"],
    ["trec_eval", "-q", "-m", "all_trec", "qrels", "run"],
    ["trec_eval", "-h"],
    ["evaluate", "qrels", "run", "-m", "AP"],
    ["evaluate", "qrels", "run", "-m", "AP", "--per-query", "--format", "csv"],
    ["explain", "qrels", "run", "--query", "1"],
    ["reconcile", "qrels", "run", "trec", "ranx", "-m", "AP"],
    ["conventions"],
    ["--help"],
    ["evaluate", "--help"],
    ["--version"],
]
posix = pytest.mark.skipif(os.name == "nt", reason="closed and full outputs are otherwise there")


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(arguments, shell="", **environment):
    """Status and standard error of a command, to which the shell gives its files."""
    command = ["sh", "-c", f'exec "$@" {shell}', "sh", sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, capture_output=True, env=os.environ | environment, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.slow
@posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_output_that_cannot_be_written_has_status_2(arguments, unbuffered, files):
    environment = {"PYTHONUNBUFFERED": unbuffered}
    assert ran(arguments, **environment)[0] == 0
    closed = ran(arguments, ">&-", **environment)
    assert closed == (2, b"", "rankgain: standard output is closed\n")
    assert ran(arguments, ">&- 2>&-", **environment) == (2, b"", "")
    if Path("/dev/full").exists():
        full = ran(arguments, ">/dev/full", **environment)
        assert full == (2, b"", "rankgain: No space left on device\n")


@posix
def test_output_to_a_file_needs_no_standard_output(files):
    arguments = ["evaluate", "qrels", "run", "-m", "AP", "--output", "out"]
    assert ran(arguments, ">&-") == (0, b"", "")
    assert "0.5000" in (files / "out").read_text()


@posix
def test_a_message_without_standard_error_goes_nowhere(files):
    assert ran(["evaluate", "none", "run", "-m", "AP"], "2>&-") == (2, b"", "")


@posix
def test_standard_input_that_is_closed(files):
    status, out, error = ran(["trec_eval", "qrels", "-"], "<&-")
    assert (status, out) == (2, b"")
    assert error.startswith("trec_eval.get_results: Cannot read results file '-'\n")
    status, out, error = ran(["evaluate", "qrels", "-", "-m", "AP"], "<&-")
    assert (status, out, error) == (2, b"", "rankgain: standard input is closed\n")


@posix
@pytest.mark.parametrize("encoding", sampled(["ascii", "latin-1", "utf-8"], one_in=3))
def test_arguments_outside_the_encoding(encoding, files):
    name = "r\u00fcn \u65e5"
    (files / name).write_text((files / "run").read_text())
    shown = name.encode(encoding, "backslashreplace")
    for rest in (["run"], ["run", "--format", "csv"]):
        arguments = ["evaluate", "qrels", name, *rest, "-m", "AP"]
        status, out, error = ran(arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="1")
        assert (status, error) == (0, "")
        assert shown in out
    arguments = ["explain", "qrels", name, "--query", "1"]
    status, out, _ = ran(arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="1")
    assert status == 0
    assert out.startswith(b"query 1, " + shown)
    arguments = ["trec_eval", "-m", "ndcg.\u00fc=1", "qrels", name]
    status, out, error = ran(arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="1")
    assert (status, error) == (0, "")
    assert out.startswith("ndcg_\u00fc=1".encode())  # as bytes, as it came
    arguments = ["trec_eval", "-m", "\u65e5", "qrels", name]
    status, out, error = ran(arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="1")
    assert (status, out) == (1, b"")
    assert error.startswith("trec_eval: illegal measure '")


def test_no_memory_is_one_line(files, capsys, monkeypatch):
    def evaluate(*_):
        raise MemoryError

    monkeypatch.setattr("rankgain.cli.evaluate.evaluate", lambda *_, **__: evaluate())
    assert main(["evaluate", "qrels", "run", "-m", "AP"]) == 2
    assert capsys.readouterr() == ("", "rankgain: there is not enough memory\n")


def test_a_file_that_is_gone_before_its_line_is_quoted(files, monkeypatch):
    (files / "run").write_text("1 Q0 b 1 3 t\n1 Q0 b 2 2 t\n")
    monkeypatch.setattr("os.path.isfile", lambda path: True)
    result, read = [], by_query.line_text

    def gone(source, number):
        Path(source).unlink()
        result.append(read(source, number))
        return result[-1]

    monkeypatch.setattr("rankgain.trec.by_query.line_text", gone)
    with pytest.raises(ValueError, match="comes twice"):
        rg.Run.read("run")
    assert result == [""]


@pytest.mark.parametrize("given", [["-M", "-5"], ["-M-1"], ["--Max", "-9999999999999999999"]])
def test_lists_of_fewer_than_no_documents_are_refused(given, files, capfd):
    assert main(["trec_eval", *given, "qrels", "run"]) == 1
    out, error = capfd.readouterr()
    assert out == ""
    assert error.startswith("trec_eval: -M takes a number from 0 on, not '-")
    assert main(["trec_eval", "-M", "0", "qrels", "run"]) == 0


@pytest.mark.parametrize("arguments", [["conventions"], ["conventions", "no such"], ["evaluate"]])
def test_standard_output_is_left_as_it_was(arguments, monkeypatch):
    output = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", output)
    main(arguments)
    assert sys.stdout is output
    assert output.errors == "strict"
