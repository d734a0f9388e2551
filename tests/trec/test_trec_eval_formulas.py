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


def at(rank: int) -> float:
    """What a gain of 1 at this rank adds."""
    return 1 / math.log2(rank + 1)


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


def test_dcg(printed: Any) -> None:
    assert printed("-m", "dcg") == both(at(1) + 3 * at(3) + 2 * at(5), 2 * at(3))
    # Where the run is cut, what stands below adds nothing.
    assert printed("-M", "3", "-m", "dcg") == both(at(1) + 3 * at(3), 2 * at(3))
    # A relevance level does not change gains.
    assert printed("-l2", "-m", "dcg") == both(at(1) + 3 * at(3) + 2 * at(5), 2 * at(3))


def test_dcg_with_gains_of_labels(printed: Any) -> None:
    result = printed("-m", "dcg.1=5,2=0,3=-2")
    assert result == both(5 * at(1) - 2 * at(3), 0)


def test_ideal_dcg(printed: Any) -> None:
    ideal = 3 * at(1) + 2 * at(2) + at(3) + at(4)
    assert printed("-m", "ideal_dcg") == both(ideal, 2 * at(1))
    # It has all that is judged, whatever the run has.
    assert printed("-M", "1", "-m", "ideal_dcg") == both(ideal, 2 * at(1))
    result = printed("-m", "ideal_dcg.1=5,2=4")
    assert result == both(5 * at(1) + 5 * at(2) + 4 * at(3) + 3 * at(4), 4 * at(1))


def test_ndcg_is_their_ratio(printed: Any) -> None:
    ideal = 3 * at(1) + 2 * at(2) + at(3) + at(4)
    result = printed("-m", "ndcg")
    assert result == both((at(1) + 3 * at(3) + 2 * at(5)) / ideal, 2 * at(3) / (2 * at(1)))


def test_yaap(printed: Any) -> None:
    assert printed("-m", "yaap") == both(yaap(1 + 2 / 3 + 3 / 5, 4), yaap(1 / 3, 1))
    # Labels from 2 on: ranks 3 and 5 of two, and rank 3 of one.
    assert printed("-l2", "-m", "yaap") == both(yaap(1 / 3 + 2 / 5, 2), yaap(1 / 3, 1))
    # Nothing relevant above the cut: the odds of 0 out of R.
    assert printed("-M", "1", "-m", "yaap") == both(yaap(1, 4), yaap(0, 1))
    # -J leaves out what is not judged: x, and b of r.
    assert printed("-J", "-m", "yaap") == both(yaap(1 + 2 / 2 + 3 / 4, 4), yaap(1 / 2, 1))


@pytest.mark.parametrize(("missing", "complete"), [(0, True), (1, True), (3, True), (0, False)])
def test_geometric_means_count_missing_queries_as_the_least(
    missing: int, complete: bool, tmp_path: Any, capfd: Any
) -> None:
    """exp of the mean of the logarithms; -c adds log(0.00001) for each query that is missing."""
    queries = [f"q{i}" for i in range(2 + missing)]
    (tmp_path / "qrels").write_text("".join(f"{q} 0 a 1\n{q} 0 b 1\n" for q in queries))
    run = "".join(f"{q} Q0 {d} 1 {s} t\n" for q in queries[:2] for d, s in (("a", 2), ("x", 1)))
    (tmp_path / "run").write_text(run)
    flags = ["-c"] if complete else []
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    for name, value in (("gm_map", 0.5), ("gm_bpref", 0.5)):
        assert main([*flags, "-m", name, *files]) == 0
        (line,) = capfd.readouterr().out.splitlines()
        logs = [math.log(value)] * 2 + [math.log(0.00001)] * (missing if complete else 0)
        assert line.split()[-1] == f"{math.exp(sum(logs) / len(logs)):.4f}"


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


@pytest.mark.parametrize("queries", [1, 2, 4])
@pytest.mark.parametrize(("name", "value"), [("gm_map", 1.0), ("map", 1.0), ("num_ret", 1.0)])
def test_means_under_complete_divide_by_all_queries_though_one_is_asked(
    queries: int, name: str, value: float, tmp_path: Any, capfd: Any
) -> None:
    """-D level.query leaves the others out, and to -c they are missing."""
    ids = [f"q{i}" for i in range(queries)]
    (tmp_path / "qrels").write_text("".join(f"{one} 0 a 1\n" for one in ids))
    (tmp_path / "run").write_text("".join(f"{one} Q0 a 1 1 t\n" for one in ids))
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    assert main(["-c", "-D", "1.q0", "-m", name, *files]) == 0
    (line,) = capfd.readouterr().out.splitlines()
    expected = {
        "gm_map": f"{math.exp((queries - 1) * math.log(0.00001) / queries):.4f}",
        "map": f"{value / queries:.4f}",
        "num_ret": "1",
    }
    assert line.split()[-1] == expected[name]


@pytest.mark.parametrize(("others", "ends"), [(1, [1, 2]), (2, [1, 2, 4])])
def test_rndcg_where_the_run_is_longer_than_the_ideal(
    others: int, ends: list[int], tmp_path: Any, capfd: Any
) -> None:
    """The last rank counts from two documents more on, as in the C program."""
    (tmp_path / "qrels").write_text("q 0 a 3\nq 0 b 1\n")
    documents = [*"wxyz"[:others], "b", "a"]
    rows = [f"q Q0 {one} 0 {9 - at} t\n" for at, one in enumerate(documents)]
    (tmp_path / "run").write_text("".join(rows))
    assert main(["-m", "Rndcg", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 0
    gains, ideal = [0] * others + [1, 3], [3, 1, 0, 0]
    dcgs = [[sum(x * at(n + 1) for n, x in enumerate(one[:end])) for end in ends]
            for one in (gains, ideal)]  # fmt: skip
    expected = sum(a / b for a, b in zip(*dcgs, strict=True)) / len(ends)
    assert capfd.readouterr().out.split() == ["Rndcg", "all", f"{expected:.4f}"]
