"""A document stands at its rank: every measure, tie rule and cutoff beside lists without gaps."""

import random
import warnings
from typing import Any

import numpy as np
import pytest

import placed
import rankgain as rg
from rankgain.measures.families import ROWS

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

UNJUDGED = None
RULES = ("average", "best", "worst", "id", "id_descending")
# The only number that a missing document does not add to.
OF_ROWS = "NumRet"
NO_CLOSED_FORM = tuple(row.name for row in ROWS if not row.row.averages)


def names_of(row: Any) -> list[str]:
    """A measure without a cutoff, and with cutoffs above, among and below the ranks."""
    if row.cutoff == "recall":
        return [f"{row.name}@0.5"]
    if row.cutoff == "multiple":
        return [f"{row.name}_0.60"]
    if row.cutoff == "none":
        return [row.example]
    plain = [] if row.cutoff == "required" else [row.example]
    return plain + [f"{row.example}@{k}" for k in (1, 2, 4, 9, 30)]


MEASURES = [name for row in ROWS for name in names_of(row)]
MEASURES += ["P(divisor=min)@5", "AP(divisor=hits)", "AP(divisor=min)@5", "R(divisor=min)@3"]
MEASURES += ["nDCG(gain=exp2)", "nDCG(discount=reciprocal)@6", "HitRate(per=item)@5", "RR(rel=2)"]
MEASURES += ["RR(rank=optimistic)", "RR(rank=pessimistic)@5", "MR(rank=realistic)"]
MEASURES += ["Lift(share=0.25)", "Gain(share=0.25)", "RBP(p=0.5)", "Judged(divisor=min)@5"]


def made(seed: int, lists: int = 60) -> tuple[Any, Any, Any]:
    """Qrels, rows with ranks, and a run in which fillers stand in the gaps."""
    rng = random.Random(seed)
    qrels, rows, whole = {}, [], {}
    for q in range(lists):
        ranks = placed.draw(rng)
        names = [f"d{i}" for i in rng.sample(range(10), len(ranks))]
        labels = [rng.choice([UNJUDGED, 0, 0, 1, 2]) for _ in ranks]
        query = f"q{q:02}"
        known = zip(names, labels, strict=True)
        qrels[query] = {name: one for name, one in known if one is not UNJUDGED}
        qrels[query] |= {f"x{i}": rng.choice([0, 1, 2]) for i in range(rng.randint(0, 2))}
        qrels[query] = qrels[query] or {"x": 1}
        rows += [(query, *pair) for pair in zip(names, ranks, strict=True)]
        whole[query] = placed.fill(ranks, names)
    return qrels, pd.DataFrame(rows, columns=["query", "doc", "place"]), whole


def ranked(frame: pd.DataFrame) -> rg.Run:
    return rg.Run.from_frame(frame, query="query", doc="doc", rank="place")


def quiet(function: Any, *arguments: Any, **options: Any) -> Any:
    """The result of a call whose warnings of measures of whole lists are not looked at."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*depends on all documents.*")
        return function(*arguments, **options)


@pytest.mark.parametrize("ties", RULES)
def test_all_measures_are_those_of_the_list_with_fillers(ties: str) -> None:
    qrels, frame, whole = made(7)
    binary = {q: {d: min(one, 1) for d, one in known.items()} for q, known in qrels.items()}
    without = {"average": NO_CLOSED_FORM, "best": ("infAP",), "worst": ("infAP",)}.get(ties, ())
    names = [name for name in MEASURES if not name.startswith((*without, "PFound"))]
    chances = [name for name in MEASURES if name.startswith("PFound")]
    counts = [name for name in names if name.startswith(OF_ROWS) and name[:9] != "NumRelRet"]
    for judged, some in ((qrels, names), (binary, chances)):
        result = quiet(rg.evaluate, judged, ranked(frame), some, ties=ties).per_query
        expected = rg.evaluate(judged, whole, some, ties=ties).per_query
        assert result.keys() == expected.keys()
        for name in expected.keys() - set(counts):
            np.testing.assert_allclose(result[name], expected[name], rtol=0, atol=1e-12)
    result = rg.evaluate(qrels, ranked(frame), [*counts, "AP"], ties=ties).per_query
    assert result["NumRet"].tolist() == frame.groupby("query").size().tolist()
    first = [sorted(one, key=one.__getitem__, reverse=True)[:4] for one in whole.values()]
    assert result["NumRet@4"].tolist() == [sum(d[0] == "d" for d in four) for four in first]


def test_deep_ranks_take_no_memory_for_what_is_between() -> None:
    ranks = np.arange(1, 100_001) * 7_341
    frame = pd.DataFrame({"user_id": np.arange(100_000), "rank": ranks, "label": 1})
    result = rg.evaluate_frame(frame, ["RR", "nDCG@10"], rank="rank", threads=2)
    assert result["nDCG@10"] == 0
    assert result["RR"] == pytest.approx(sum(1 / (7_341 * i) for i in range(1, 100_001)) / 100_000)
    few = frame[:1].assign(rank=734_120)
    few = rg.evaluate_frame(few, ["nDCG", "RBP", "AP", "MR"], rank="rank").means
    assert few["nDCG"] == pytest.approx(1 / np.log2(734_121), abs=1e-15)
    assert (few["AP"], few["MR"]) == (1 / 734_120, 734_120)


def test_threads_and_bounds() -> None:
    qrels, frame, whole = made(11, 400)
    names = ["nDCG@5", "AP", "RR", "P@3"]
    one = rg.evaluate(qrels, ranked(frame), names, bounds="ties")
    two = rg.evaluate(qrels, ranked(frame), names, bounds="ties", threads=2)
    filled = rg.evaluate(qrels, whole, names, bounds="ties")
    for name in one.means:
        np.testing.assert_array_equal(one.per_query[name], two.per_query[name])
        np.testing.assert_allclose(
            one.bounds["ties"][name], filled.bounds["ties"][name], rtol=0, atol=1e-12
        )
