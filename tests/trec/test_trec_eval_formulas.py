"""dcg, ideal_dcg and yaap of the drop-in for trec_eval, which all_trec does not hold, by hand."""

import math
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
