"""Beside trec_eval 9.0.8 as pytrec_eval-terrier holds it."""

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import Labels, Scores, as_frames, draw_qrels
from sampling import sampled

pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
NAMES = {
    "ndcg": "nDCG", "ndcg_cut_5": "nDCG@5", "ndcg_cut_100": "nDCG@100", "map": "AP",
    "map_cut_10": "AP@10", "recip_rank": "RR", "P_5": "P@5", "P_100": "P@100", "recall_10": "R@10",
    "success_1": "HitRate@1", "success_5": "HitRate@5", "Rprec": "RPrec",
}  # fmt: skip


def evaluate(qrels: Labels, run: Scores) -> dict[str, dict[str, float]]:
    return pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)


@pytest.mark.parametrize("case", CASES)
def test_every_query(case: int) -> None:
    qrels, run = draw_qrels(case)
    theirs = evaluate(qrels, run)
    result = rg.evaluate(qrels, run, list(NAMES.values()), convention="pytrec_eval")
    assert set(result.queries) == set(theirs)
    for name, measure in NAMES.items():
        expected = [theirs[query][name] for query in result.queries]
        close(result.per_query[measure], expected)
        close(result.means[measure], np.mean(expected))


@pytest.mark.parametrize("case", CASES)
def test_trec_eval_9_is_the_same(case: int) -> None:
    qrels, run = draw_qrels(case)
    a = rg.evaluate(qrels, run, list(NAMES.values()), convention="pytrec_eval")
    b = rg.evaluate(qrels, run, list(NAMES.values()), convention="trec_eval-9")
    for name, values in a.per_query.items():
        assert values.tolist() == b.per_query[name].tolist()
        close(a.means[name], b.means[name])


@pytest.mark.parametrize("case", CASES)
def test_version_10_differs_by_double_scores_and_missing_queries(case: int) -> None:
    qrels, run = draw_qrels(case)
    exact = {
        query: {
            doc: float(rank)
            for rank, doc in enumerate(sorted(docs, key=lambda doc: (docs[doc], doc)))
        }
        for query, docs in run.items()
    }  # the order that trec_eval 10 gives, in scores that float32 keeps apart
    for query in qrels.keys() - run.keys():
        exact[query] = {"unjudged": 1.0}
    theirs = evaluate(qrels, exact)
    result = rg.evaluate(qrels, run, list(NAMES.values()), convention="trec")
    assert set(result.queries) == set(theirs)
    for name, measure in NAMES.items():
        close(result.per_query[measure], [theirs[query][name] for query in result.queries])


# What it reports and this package has no name for.
OTHERS = ("runid", "relstring", "utility", "Rprec_mult", "binG", "G", "ndcg_rel")


def shared(values: dict[str, float]) -> dict[str, str]:
    """Their names of what both compute, with ours."""
    names = [name for name in values if not name.startswith(OTHERS)]
    return {name: str(rg.parse_measure(name)) for name in names}


@pytest.mark.parametrize(
    ("form", "case", "rules"),
    sampled(["dict", "pandas", "polars"], CASES, [(1, False), (2, False), (1, True)], one_in=5),
)
def test_all_that_both_compute(form: str, case: int, rules: tuple[int, bool]) -> None:
    rel, judged_only = rules
    qrels, run = draw_qrels(case)
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels,
        pytrec_eval.supported_measures,
        relevance_level=rel,
        judged_docs_only_flag=judged_only,
    )
    theirs = evaluator.evaluate(run)
    names = shared(next(iter(theirs.values())))
    assert len(names) > 70
    sources = (qrels, run) if form == "dict" else as_frames(qrels, run, form)
    result = rg.evaluate(
        *sources, list(names), convention="pytrec_eval", rel=rel, judged_only=judged_only
    )
    assert set(result.queries) == set(theirs)
    for name, measure in names.items():
        if name == "num_rel":
            continue  # they count labels from 1 on whatever the level
        for query, value in zip(result.queries, result.per_query[measure], strict=True):
            if not np.isnan(theirs[query][name]):  # 0 / 0 where no document is left
                close(value, theirs[query][name])


@pytest.mark.parametrize("beta", [0.25, 4.0])
def test_the_parameter_of_set_f_is_the_square_of_beta(beta: float) -> None:
    qrels, run = draw_qrels(3)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {f"set_F.{beta}"})
    theirs = evaluator.evaluate(run)
    result = rg.evaluate(qrels, run, f"set_F.{beta}", convention="pytrec_eval")
    expected = [theirs[query]["set_F"] for query in result.queries]
    close(result.per_query[f"F1(beta={beta**0.5:g})"], expected)
