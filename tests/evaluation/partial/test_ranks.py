"""Ranks counted in parts give the bits of the whole lists, whatever the cuts and the order."""

import itertools
import pickle
from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgain as rg

BINARY = ["AP", "AP@3", "RR@4", "HitRate@2", "HitRate(per=item)@3", "P@4", "P(divisor=min)@4"]
BINARY += ["R@3", "F1@3", "RPrec", "RBP", "AUC", "AP(divisor=hits)@3", "AP(rel=2)", "R(rel=2)@5"]
GRADED = ["nDCG", "nDCG@3", "nDCG(gain=exp2)@5", "DCG@4", "CG@2", "IDCG@6", "ERR", "ERR@3"]
MEASURES = GRADED + BINARY
# Hits are sparse labels, which warn where none reaches the rel= of a measure.
pytestmark = pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")


@st.composite
def tables(draw: Any) -> dict[str, Any]:
    """Lists as flat arrays, and a drawing of how their rows are cut and ordered."""
    sizes = draw(st.lists(st.integers(1, 30), min_size=1, max_size=8))
    n = sum(sizes)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = rng.integers(-4, draw(st.sampled_from([0, 3, 10**6])) + 1, n) / 7
    labels = rng.choice([0, 0, 0, 0, 1, 2, 4], n).astype(float)
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    names: Any = np.arange(len(sizes)) * 7 - 3
    if draw(st.booleans()):
        names = np.array([f"q{name}" for name in names])
    parts = draw(st.integers(1, 5))
    return {
        "sizes": sizes,
        "qid": np.repeat(names, sizes),
        "names": names,
        "scores": scores.astype(dtype),
        "labels": labels,
        "parts": np.array_split(rng.permutation(n), parts),
    }


def counted(table: dict[str, Any], **options: Any) -> rg.PartialRanks:
    """Every part counted by a copy of its own, then merged."""
    hits = np.flatnonzero((table["labels"] != 0) | options.get("pool", False))
    arguments = table["qid"][hits], table["scores"][hits], table["labels"][hits]
    copies = []
    for rows in table["parts"]:
        one = rg.PartialRanks(*arguments, **options)
        one.add(table["qid"][rows], table["scores"][rows])
        copies.append(pickle.loads(pickle.dumps(one)))
    return reduce(rg.PartialRanks.merge, copies)


def same(a: rg.Evaluation, b: rg.Evaluation) -> None:
    assert list(a.queries) == list(b.queries)
    assert {name: one.tobytes() for name, one in a.per_query.items()} == {
        name: one.tobytes() for name, one in b.per_query.items()
    }
    assert a == b


@settings(deadline=None, max_examples=150)
@given(tables(), st.sampled_from(["average", "best", "worst"]))
def test_any_cuts_give_the_bits_of_whole_lists(table: dict[str, Any], ties: str) -> None:
    whole = rg.evaluate_arrays(
        table["labels"], table["scores"], MEASURES, qid=table["qid"], ties=ties
    )
    partial = counted(table, queries=table["names"])
    same(partial.finish(MEASURES, ties=ties), whole)
    assert partial.documents == len(table["labels"])


def test_documents_of_other_lists_are_left_out_and_counted() -> None:
    partial = rg.PartialRanks([5], [0.5], [1], queries=[9, 5])
    partial.add([7, 5, 6, 6], [1.0, 0.5, 2.0, 0.25])
    result = partial.finish("RR")
    assert (list(result.queries), result.per_query["RR"].tolist()) == ([9, 5], [0.0, 1.0])
    assert result.counts["unjudged"] == 2
    assert "skipped 2 queries without judgments" in str(result)


def filled(query: Any, score: Any, label: Any, **options: Any) -> rg.PartialRanks:
    partial = rg.PartialRanks(query, score, label, **options)
    partial.add(query, score)
    return partial


def test_conventions_that_look_at_scores_are_refused() -> None:
    assert filled([1], np.float32([0.5]), [1]).finish("nDCG@5", convention="xgboost")["nDCG@5"] == 1


def test_missing_parts_are_found() -> None:
    partial = rg.PartialRanks(["a", "a"], [0.1, 0.1], [1, 1])
    partial.add(["a"], [0.1])
    partial.add(["a"], np.float32([0.1]))  # another number
    partial.add(["a"], [0.1])
    assert partial.finish("AP")["AP"] == pytest.approx((1 / 2 + 2 / 3) / 2)


@pytest.mark.parametrize("above", [1, 255, 256, 300, 70_000])
def test_counts_of_any_width_are_merged(above: int) -> None:
    parts = [rg.PartialRanks(["q"], [1.0], [1]) for _ in range(2)]
    parts[0].add(["q"], [1.0])
    parts[1].add(["q"] * above, np.arange(2.0, above + 2.0))
    assert parts[0].merge(parts[1]).finish("RR")["RR"] == 1 / (above + 1)


def test_a_long_list_holds_its_hits_alone() -> None:
    """A list of 2 ** 30 documents: what is kept, and the workspace of the core, know its hits."""
    partial = rg.PartialRanks([0], [0.5], [1])
    partial._counter.cells[:] = [2**30 - 1, 1, 0]
    result = partial.finish(["RR", "ERR", "AP", "nDCG@10", "P@5"])
    assert result["RR"] == 2.0**-30
    assert result["AP"] == 2.0**-30
    partial._counter.cells[0] = 2**31
    with pytest.raises(ValueError, match="a list of 2147483649 documents is too long"):
        partial.finish("RR")


# ---- what merged parts keep of each

HITS = ["a", "b"], [0.9, 0.5], [1, 1]
KINDS = [np.float32, np.float64]


def part(dtype: Any, lists: str = "ab", **options: Any) -> rg.PartialRanks:
    """Counts of the hits and of a document above each, for some lists."""
    made = rg.PartialRanks(HITS[0], np.array(HITS[1], np.float32), HITS[2], **options)
    scores = np.array([0.9, 0.5], np.float32).astype(dtype)
    at = ["ab".index(one) for one in lists if one in "ab"]
    made.add([HITS[0][i] for i in at], scores[at])
    others = [one for one in lists if one not in "ab"]
    made.add(others, np.ones(len(others), dtype))
    return made


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_scores_of_double_precision_are_remembered(first: Any, second: Any) -> None:
    """A convention that compares floats cannot count what was compared as doubles."""
    merged = part(first, "a").merge(part(second, "b"))
    if first is second is np.float32:
        assert merged.finish("RR", convention="ir_measures").means["RR"] == 1.0
    else:
        with pytest.raises(ValueError, match="float32"):
            merged.finish("RR", convention="ir_measures")
    assert merged.finish("RR").means["RR"] == 1.0


@pytest.mark.parametrize("hits", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("blocks", list(itertools.product(KINDS, repeat=2)))
def test_one_block_of_double_precision_is_remembered(hits: Any, blocks: Any) -> None:
    partial = rg.PartialRanks(["a"], np.array([0.5], hits), [1])
    for score, dtype in zip((0.5, 0.75), blocks, strict=True):
        partial.add(["a"], np.array([score], dtype))
    if np.float64 in (hits, *blocks):
        with pytest.raises(ValueError, match="float32"):
            partial.finish("RR", convention="ir_measures")
    else:
        assert partial.finish("RR", convention="ir_measures")["RR"] == 0.5
    assert partial.finish("NumRet")["NumRet"] == 2


@pytest.mark.parametrize("others", [["c", "z", "b"], [9, 30, 4, 100], ["ü", "z", "Z", "é"]])
def test_lists_without_a_hit_stand_in_order_whoever_met_them_first(others: list[Any]) -> None:
    hit = "a" if isinstance(others[0], str) else 50
    ways = others, others[::-1], others[1:] + others[:1]
    for way in ways:
        partial = rg.PartialRanks([hit], [0.5], [1])
        for one in (*way, hit):  # one call each: none brings them into an order
            partial.add([one], [0.5])
        assert list(partial.finish("RR").queries) == [hit, *sorted(others)]
        halves = [rg.PartialRanks([hit], [0.5], [1]) for _ in range(2)]
        for at, one in enumerate((*way, hit)):
            halves[at % 2].add([one], [0.5])
        assert list(halves[0].merge(halves[1]).finish("RR").queries) == [hit, *sorted(others)]


PENALTIES = [{-1: -2, 0: 0, 1: -1, 2: 3}, {-1: -1, 0: 0, 1: 1, 2: -3}, "linear", "exp2"]


@pytest.mark.parametrize("gain", PENALTIES)
@pytest.mark.parametrize("labels", [[2, 1], [-1, 2], [1, 1]])
@pytest.mark.parametrize("convention", ["rankgain", "sklearn", "ranklib"])
def test_ideals_of_hits_hold_the_zeros_of_the_others(
    gain: Any, labels: list[int], convention: str
) -> None:
    rules = rg.conventions[convention].replace(negative="keep")
    options: Any = {"gain": gain, "convention": rules}
    ranks = rg.PartialRanks([0, 0], [4.0, 3.0], labels)
    ranks.add([0] * 4, [4.0, 3.0, 2.0, 1.0])
    names = ["nDCG", "IDCG", "nDCG@2", "IDCG@3"]
    expected = rg.evaluate_arrays([*labels, 0, 0], [4.0, 3, 2, 1], names, **options)
    assert dict(ranks.finish(names, **options).means) == dict(expected.means)


def test_a_pool_of_hits_has_no_other_judged_documents() -> None:
    ranks = rg.PartialRanks([0] * 3, [3.0, 2.0, 1.0], [-1, 1, 1], pool=True)
    ranks.add([0] * 5, [3.0, 2.0, 1.0, 0.0, -1.0])
    result = ranks.finish(["Bpref", "IDCG"])
    qrels = {"q": {"a": -1, "b": 1, "c": 1}}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0, "e": -1.0}}
    expected = rg.evaluate(qrels, run, ["Bpref", "IDCG"], convention="rankgain")
    assert dict(result.means) == dict(expected.means)
