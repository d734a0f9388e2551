"""dcg, ideal_dcg and yaap of the drop-in for trec_eval, which all_trec does not hold, by hand."""

import math
import subprocess
import sys
from typing import Any

import pytest

from rankgain.trec.trec_eval import main

# Of q the run has all judged documents but e, beside x; r has nothing relevant above rank 2.
QRELS = """q 0 a 3
q 0 b 1
q 0 c 2
q 0 d 0
q 0 e 1
r 0 a 0
r 0 b -1
r 0 c 2
"""

RUN = """q Q0 b 1 9 t
q Q0 x 2 8 t
q Q0 a 3 7 t
q Q0 d 4 6 t
q Q0 c 5 5 t
r Q0 a 1 9 t
r Q0 b 2 8 t
r Q0 c 3 7 t
"""


def yaap(precisions: float, relevant: int) -> float:
    """Yet another average precision: the logarithm of the odds of the sum of the precisions."""
    return math.log((1 + precisions) / (1 + relevant - precisions))


@pytest.fixture
def printed(tmp_path: Any, capfd: Any) -> Any:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)

    def values(*arguments: str) -> dict[str, str]:
        files = str(tmp_path / "qrels"), str(tmp_path / "run")
        assert main(["-q", *arguments, *files]) == 0
        rows = [line.split() for line in capfd.readouterr().out.splitlines()]
        return {row[1]: row[2] for row in rows if row[0] != "runid"}

    return values


def both(q: float, r: float) -> dict[str, str]:
    """As it is printed, with the mean."""
    return {"q": f"{q:.4f}", "r": f"{r:.4f}", "all": f"{(q + r) / 2:.4f}"}


def test_yaap(printed: Any) -> None:
    assert printed("-m", "yaap") == both(yaap(1 + 2 / 3 + 3 / 5, 4), yaap(1 / 3, 1))
    # Labels from 2 on: ranks 3 and 5 of two, and rank 3 of one.
    assert printed("-l2", "-m", "yaap") == both(yaap(1 / 3 + 2 / 5, 2), yaap(1 / 3, 1))
    # Nothing relevant above the cut: the odds of 0 out of R.
    assert printed("-M", "1", "-m", "yaap") == both(yaap(1, 4), yaap(0, 1))
    # -J leaves out what is not judged: x, and b of r.
    assert printed("-J", "-m", "yaap") == both(yaap(1 + 2 / 2 + 3 / 4, 4), yaap(1 / 2, 1))


@pytest.mark.parametrize(
    ("label", "shown"), [(-1, "."), (0, "0"), (1, "1"), (9, "9"), (10, ">"), (11, ">"), (100, ">")]
)
def test_relstring_has_one_character_a_document(
    label: int, shown: str, tmp_path: Any, capfd: Any
) -> None:
    (tmp_path / "qrels").write_text(f"q 0 a {label}\nq 0 b 1\n")
    (tmp_path / "run").write_text("q Q0 b 1 3 t\nq Q0 a 1 2 t\nq Q0 x 1 1 t\n")
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    assert main(["-q", "-m", "relstring.5", *files]) == 0
    lines = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    assert lines[0][2] == f"'1{shown}-'"


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
