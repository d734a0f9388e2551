"""The worked examples of docs/reference/definitions.md, on the oracle and on the library."""

import doctest
import re
from fractions import Fraction
from math import log2
from types import ModuleType
from typing import Any

import pytest

import rankgain as rg
import reference
from places import DOCS

BOTH = pytest.mark.parametrize("library", [reference, rg], ids=["oracle", "library"])


def rounded(library: ModuleType, measure: str, labels: Any, **arguments: Any) -> float:
    """The value as the worked examples print it."""
    return round(float(getattr(library, measure)(labels, **arguments)), 4)


@BOTH
def test_two_judged_documents_not_shown(library: ModuleType) -> None:
    labels, judged = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 0]
    assert rounded(library, "cg", labels) == 11
    assert rounded(library, "dcg", labels, k=6) == 6.8611
    assert rounded(library, "idcg", labels, k=6, judged=judged) == 8.3841
    assert rounded(library, "ndcg", labels, k=6, judged=judged) == 0.8184
    # By hand, in the order of the ranks.
    dcg = 3 + 2 / log2(3) + 3 / 2 + 0 + 1 / log2(6) + 2 / log2(7)
    ideal = 3 + 3 / log2(3) + 3 / 2 + 2 / log2(5) + 2 / log2(6) + 1 / log2(7)
    assert library.dcg(labels, k=6) == pytest.approx(dcg, rel=1e-15)
    assert library.ndcg(labels, k=6, judged=judged) == pytest.approx(dcg / ideal, rel=1e-15)


@BOTH
def test_exponential_gain_two_judged_documents_not_shown(library: ModuleType) -> None:
    labels, judged = [5, 3, 2, 1, 2], [5, 3, 2, 1, 2, 4, 0]
    assert rounded(library, "dcg", labels, k=5, gain="exp2") == 38.5077
    assert rounded(library, "idcg", labels, k=5, gain="exp2", judged=judged) == 46.4165
    assert rounded(library, "ndcg", labels, k=5, gain="exp2", judged=judged) == 0.8296
    dcg = 31 + 7 / log2(3) + 3 / 2 + 1 / log2(5) + 3 / log2(6)
    assert library.dcg(labels, k=5, gain="exp2") == pytest.approx(dcg, rel=1e-15)


@BOTH
def test_exponential_gain_whole_list_judged(library: ModuleType) -> None:
    labels = [3, 2, 0, 1, 3]
    assert rounded(library, "dcg", labels, k=5, gain="exp2") == 12.0314
    assert rounded(library, "idcg", labels, k=5, gain="exp2") == 13.3472
    assert rounded(library, "ndcg", labels, k=5, gain="exp2") == 0.9014


@BOTH
def test_two_queries(library: ModuleType) -> None:
    queries = [2, 1, 0, 3, 0, 1], [3, 0, 1, 2]
    assert [rounded(library, "cg", labels) for labels in queries] == [7, 6]
    assert [rounded(library, "dcg", labels, k=6) for labels in queries] == [4.2792, 4.3614]
    assert [rounded(library, "idcg", labels, k=6) for labels in queries] == [5.1925, 4.7619]
    assert [rounded(library, "ndcg", labels, k=6) for labels in queries] == [0.8241, 0.9159]
    assert round(sum(library.ndcg(labels, k=6) for labels in queries) / 2, 4) == 0.8700


def test_two_queries_in_one_call() -> None:
    labels, sizes = [2, 1, 0, 3, 0, 1, 3, 0, 1, 2], [6, 4]
    result = rg.evaluate_arrays(labels, None, ["CG", "nDCG@6"], group=sizes)
    assert result["CG"] == 6.5
    assert round(result["nDCG@6"], 4) == 0.8700


@BOTH
def test_mean_average_precision(library: ModuleType) -> None:
    first = library.average_precision([1, 1, 0, 1, 0, 1])
    second = library.average_precision([1, 0, 1, 1])
    assert first == pytest.approx(float(Fraction(41, 48)), rel=1e-15)  # (1 + 1 + 3/4 + 4/6) / 4
    assert second == pytest.approx(float(Fraction(29, 36)), rel=1e-15)  # (1 + 2/3 + 3/4) / 3
    assert [round(float(value), 4) for value in (first, second)] == [0.8542, 0.8056]
    assert round(float(first + second) / 2, 4) == 0.8299


@BOTH
def test_mean_reciprocal_rank(library: ModuleType) -> None:
    rankings = [0, 1, 0], [1, 0, 0], [0, 0, 0]
    values = [library.reciprocal_rank(labels, judged=[*labels, 1]) for labels in rankings]
    assert values == [0.5, 1, 0]
    assert sum(values) / 3 == 0.5


def test_mean_reciprocal_rank_in_one_call() -> None:
    result = rg.evaluate_arrays([[0, 1, 0], [1, 0, 0], [0, 0, 0]], None, "RR")
    assert result["RR"] == 0.5


@BOTH
def test_cutoff_of_three(library: ModuleType) -> None:
    labels = [3, 2, 3, 0, 1]
    assert rounded(library, "dcg", labels, k=3) == 5.7619
    assert rounded(library, "idcg", labels, k=3) == 5.8928
    assert rounded(library, "ndcg", labels, k=3) == 0.9778


PAGE = DOCS / "reference" / "definitions.md"


def tables() -> list[tuple[list[str], list[list[str]]]]:
    """Head and rows of every worked table of the page."""
    result = re.findall(r"^\| rank \| label .*\n(?:\|.*\n)+", PAGE.read_text("utf-8"), re.M)
    cells = [[line.strip("| ").split(" | ") for line in table.splitlines()] for table in result]
    return [(table[0], table[2:]) for table in cells]


def test_every_step_of_the_tables() -> None:
    assert len(tables()) == 6
    for head, rows in tables():
        gain = "exp2" if "gain" in head else "linear"
        sums = {"": 0.0, "ideal ": 0.0}
        for at, row in enumerate(rows, 1):
            cell = dict(zip(head, row, strict=True))
            weight = 1 / log2(at + 1)
            assert cell["rank"] == str(at)
            assert cell["weight"] == f"{weight:.4f}"
            for side, name in (("", "DCG"), ("ideal ", "IDCG")):
                worth = reference.gain_of(int(cell[f"{side}label"]), gain)
                assert cell.get(f"{side}gain", str(worth)) == str(worth)
                sums[side] += worth * weight
                assert cell[f"{side}term"] == f"{worth * weight:.4f}"
                assert cell[name] == f"{sums[side]:.4f}"


def test_the_page_runs() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8") == (0, 17)


def test_figures_beside_the_first_example() -> None:
    labels = [3, 2, 3, 0, 1, 2]
    others = {"judged": [*labels, 3, 2]}
    assert rounded(rg, "idcg", labels, k=6, **others) == 8.7403
    assert rounded(rg, "ndcg", labels, k=6, **others) == 0.7850
    assert rounded(rg, "idcg", labels, k=6) == 7.1410
    assert rounded(rg, "ndcg", labels, k=6) == 0.9608
