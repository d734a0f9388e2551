"""The drop-in for trec_eval on files and arguments that no one writes by accident."""

import subprocess
import sys

import pytest

PROGRAM = "import sys, rankgain.cli as c; sys.exit(c.main(['trec_eval', *sys.argv[1:]]))"


def call(*arguments, **options):
    """Exit status, standard output, lines of standard error; a crash or a hang stays in there."""
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, timeout=100, check=False, **options)
    err = ran.stderr.decode()
    assert "Traceback" not in err
    return ran.returncode, ran.stdout.decode(), err.splitlines()


def value(out, name):
    """The mean of a measure."""
    rows = [line.split("\t") for line in out.splitlines()]
    return next(number.strip() for result, _, number in rows if result.strip() == name)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 z 3 1 t\n")
    return tmp_path


def test_a_crafted_size_does_not_wrap(files):
    (files / "qrels").write_text("1 0 a 2305843009213693952\n1 0 b 1000000\n")
    status, out, err = call("-mall_trec", "-mndcg", "qrels", "run")
    assert (status, err) == (0, [])
    assert value(out, "ndcg") == "1.0000"


def test_numbers_that_no_variable_holds(files):
    (files / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    text = "1 Q0 a 1 0x1p99999 t\n1 Q0 b 2 7 t\n1 Q0 c 3 -0x1p99999 t\n1 Q0 d 4 1 t\n"
    (files / "run").write_text(text)
    shown = call("-q", "-n", "-mrelstring", "qrels", "run")
    assert shown == (0, f"{'relstring':<22}\t1\t'10--'\n", [])
    many = "9" * 5000
    assert call("-q", "-n", "-mrelstring.inf", "-N", many, "qrels", "run")[0] == 0
    assert call("-m", f"P.{many}", "-M", many, "qrels", "run")[::2] == (0, [])
    assert call("-l", many, "-m", "map", "qrels", "run")[0] == 0
