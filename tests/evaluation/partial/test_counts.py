"""Counts made elsewhere: the bits of `rg.evaluate`, every form of a table, and what is refused."""

import random
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from counted import Judged, counts_of, drawn
from rankgain.measures.families import FAMILIES

TIES = ("id_descending", "id", "average", "best", "worst")
BY_BLOCK = ("prauc", "mr", "amr", "amri", "rankingloss", "coverageerror")  # whatever `ties` says


def names_of_measures() -> list[str]:
    result = []
    for family in FAMILIES.values():
        for name in (family.name, f"{family.name}@1", f"{family.name}@3"):
            try:
                result.append(str(rg.parse_measure(name)))
            except ValueError:
                continue
    rows = {one: FAMILIES[family_of(one)].row for one in result}
    return [one for one, row in rows.items() if row.shape and row.reads == "labels"]


def family_of(name: str) -> str:
    return rg.parse_measure(name).family.lower()


MEASURES = [
    *names_of_measures(), "nDCG(judged_only=True)@3", "AP(judged_only=True)", "nDCG(gain=exp2)@3",
    "RR(rank=realistic)",
]  # fmt: skip


def assert_same(result: rg.Evaluation, expected: rg.Evaluation) -> None:
    assert list(result.queries) == list(expected.queries)
    for name, column in expected.per_query.items():
        assert result.per_query[name].tobytes() == column.tobytes(), name
        means = [np.float64(one.means[name]).tobytes() for one in (result, expected)]
        assert means[0] == means[1]
    counts = dict(expected.counts)
    counts["unjudged"] = 0  # queries that nobody judged are in no row
    assert dict(result.counts) == counts


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(20))
def test_the_bits_of_evaluate(part: int) -> None:
    """200 cases: every rule of ties, every convention, every family of measures."""
    rng, compared = random.Random(part), 0
    for case in range(part * 10, part * 10 + 10):
        convention = list(rg.conventions)[case % len(rg.conventions)]
        ties = TIES[(case + part) % len(TIES)]
        qrels, run = drawn(rng, rng.choice([None, None, [-1, 0, 1, 2]]))
        rows = counts_of(qrels, run, ties)
        rng.shuffle(rows)
        rows.sort(key=lambda row: row[0])
        for name in rng.sample(MEASURES, 14):
            options: Any = {"convention": convention, "ties": ties}
            if family_of(name) in BY_BLOCK or name.startswith(("NumQ", "NumRel", "NumRet")):
                options.pop("ties" if ties == "average" else "convention")
            try:
                expected = rg.evaluate(qrels, run, name, **options)
                result = rg.evaluate_counts(rows, name, **options)
            except (TypeError, ValueError):
                continue
            assert_same(result, expected)
            compared += 1
    assert compared > 40


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("ties", ["id_descending", "average"])
def test_every_measure_of_trec_is_there(measure: str, ties: Any) -> None:
    """Nothing but these is refused: blocks of ties counted by id, and averages without a form."""
    rng = random.Random(measure)
    qrels, run = drawn(rng, [0, 0, 1])
    qrels["q0"] |= {"other": 0, "one": 1}
    table = counts_of(qrels, run, ties)
    takes_ties = family_of(measure) not in BY_BLOCK and not measure.startswith("Num")
    takes_ties |= measure.startswith(("NumRelRet", "NumNon"))
    options: Any = {"ties": ties} if takes_ties else {}
    try:
        expected = rg.evaluate(qrels, run, measure, **options)
    except ValueError:
        with pytest.raises(ValueError, match=r"IPrec|InfAP|Bpref|choose another|of subtopics"):
            rg.evaluate_counts(table, measure, **options)
        return
    if ties != "average" and (family_of(measure) in BY_BLOCK or "rank=" in measure):
        with pytest.raises(ValueError, match='count with ties="average"'):
            rg.evaluate_counts(table, [measure, "AP"], ties=ties)
        return
    assert_same(rg.evaluate_counts(table, measure, **options), expected)


TIED = [("q", "a", 1, 0, 2, 2, True)]


@pytest.mark.parametrize("ties", ["id_descending", "id", "stable", "reverse", "random"])
def test_ties_that_a_rule_would_order_are_refused(ties: Any) -> None:
    assert rg.evaluate_counts(TIED, "AP", ties="best")["AP"] == 1.0


COLUMNS = ("query", "doc", "label", "above", "equal", "size", "retrieved")
NEEDED = ["query", "label", "above", "equal"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ties", ["id_descending", "average"])
@pytest.mark.parametrize("form", ["{}", "{}@3", "{}(empty=1.0)", "{}(divisor=min)@3", "{}(rel=2)"])
def test_no_measure_differs_in_silence_if_sizes_are_absent(ties: Any, form: str) -> None:
    rng = random.Random(form)
    qrels: Judged = {}
    run: Judged = {}
    for case in range(60):
        for whole, part in zip((qrels, run), drawn(rng), strict=True):
            whole |= {f"{case} {one}": docs for one, docs in part.items()}
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in counts_of(qrels, run, ties)]
    without = [{name: row[name] for name in NEEDED} for row in rows]
    accepted = set()
    for family in {family.name for family in FAMILIES.values()}:
        name = form.format(family)
        try:
            expected = rg.evaluate_counts(rows, name, ties=ties)
        except (ValueError, TypeError):
            continue  # it has no such option, or is not of counts
        try:
            result = rg.evaluate_counts(without, name, ties=ties)
        except ValueError as error:
            told = str(error)
            assert "needs the number of documents of each list" in told
            continue
        for column, values in expected.per_query.items():
            assert result.per_query[column].tobytes() == values.tobytes(), column
        accepted.add(family)
    needed = {"AP", "R"} if "divisor" in form else {"nDCG", "AP", "RR", "R", "RBP"}
    assert needed <= accepted
