"""Adapters beside what their hosts compute themselves: in one process, in turns, values compared.

    python benchmarks/integrations.py [words of a title ...]

Seconds are of this process on a processor, one thread, the best of several rounds: others may share
the machine. Rows whose host is absent are left out. Boosters: a training of 20 rounds with the
host's own nDCG@10 of a validation set, and with ours in its place.
"""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import pages
import rankgain as rg

Sides = dict[str, Callable[[], Any]]
ROUNDS = 7
QUERIES, DOCUMENTS = 1_000, 1_000


def best_of(sides: Sides) -> tuple[dict[str, float], dict[str, Any]]:
    best, results = dict.fromkeys(sides, float("inf")), {}
    for _ in range(ROUNDS):
        for name, call in sides.items():
            start = time.process_time()
            results[name] = call()
            best[name] = min(best[name], time.process_time() - start)
    return best, results


def learning_to_rank(seed: int, groups: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(groups * 100, 50)).astype(np.float32)
    y = np.clip(np.round(x[:, 0] + rng.normal(size=len(x))), 0, 4)
    return x, y, np.full(groups, 100)


def xgboost() -> tuple[Sides, Any]:
    import xgboost

    from rankgain.integrations.xgboost import xgboost_metric

    matrices = []
    for seed, groups in enumerate((1_000, 500)):
        x, y, sizes = learning_to_rank(seed, groups)
        matrices.append(xgboost.DMatrix(x, y, nthread=1))
        matrices[-1].set_group(sizes)

    def train(**more: Any) -> Any:
        seen: dict[str, Any] = {}
        settings = {"objective": "rank:ndcg", "nthread": 1, **more.pop("settings")}
        call = {"evals": [(matrices[1], "valid")], "evals_result": seen, "verbose_eval": False}
        xgboost.train(settings, matrices[0], 20, **call, **more)
        (values,) = seen["valid"].values()
        return values

    metric = xgboost_metric("nDCG@10", convention="xgboost")
    sides: Sides = {
        "rankgain": lambda: train(
            settings={"disable_default_eval_metric": 1}, custom_metric=metric
        ),
        "its own metric": lambda: train(settings={"eval_metric": "ndcg@10"}),
    }
    return sides, 1e-5


def lightgbm() -> tuple[Sides, Any]:
    import lightgbm

    from rankgain.integrations.lightgbm import lightgbm_metric

    (x, y, sizes), (other, labels, groups) = learning_to_rank(0, 1_000), learning_to_rank(1, 500)
    quiet = {"objective": "lambdarank", "verbose": -1, "num_threads": 1, "eval_at": [10]}
    data = lightgbm.Dataset(x, y, group=sizes, params=quiet).construct()
    valid = data.create_valid(other, labels, group=groups).construct()

    def train(metric: str, feval: Any) -> Any:
        seen: dict[str, Any] = {}
        callbacks = [lightgbm.record_evaluation(seen)]
        settings = {**quiet, "metric": metric}
        lightgbm.train(settings, data, 20, [valid], feval=feval, callbacks=callbacks)
        (values,) = seen["valid_0"].values()
        return values

    metric = lightgbm_metric("nDCG@10", convention="lightgbm")
    sides: Sides = {
        "rankgain": lambda: train("None", metric),
        "its own metric": lambda: train("ndcg", None),
    }
    return sides, 1e-12


def catboost() -> tuple[Sides, Any]:
    import catboost

    from rankgain.integrations.catboost import catboost_metric

    pools = []
    for seed, groups in enumerate((1_000, 500)):
        x, y, sizes = learning_to_rank(seed, groups)
        qid = np.repeat(np.arange(groups), sizes)
        pools.append((catboost.Pool(x, y, group_id=qid, thread_count=1), sizes))

    def train(metric: Any, name: str) -> Any:
        rules = {"loss_function": "YetiRank", "iterations": 20, "thread_count": 1, "verbose": False}
        rules |= {"eval_metric": metric, "allow_writing_files": False, "random_seed": 0}
        model = catboost.CatBoost({**rules, "metric_period": 1})
        model.fit(pools[0][0], eval_set=pools[1][0])
        return model.get_evals_result()["validation"][name]

    own = "NDCG:top=10;type=Base"
    metric = catboost_metric(
        "nDCG@10", {"train": pools[0], "valid": pools[1]}, convention="catboost"
    )
    sides: Sides = {
        "rankgain": lambda: train(metric, "CatBoostMetric"),
        "its own metric": lambda: train(own, own),
    }
    return sides, 1e-12


def records(judged: int, both: int) -> tuple[Any, Any]:
    """Qrels and a run of 1,000 x 1,000: so many judged in each list, so many of them retrieved."""
    rng = np.random.default_rng(0)
    qrels, run = {}, {}
    for query in range(QUERIES):
        ids = [f"d{at}" for at in rng.permutation(20_000)[: DOCUMENTS + judged - both]]
        scores = rng.random(DOCUMENTS).tolist()
        run[f"q{query}"] = dict(zip(ids[:DOCUMENTS], scores, strict=True))
        labels = rng.integers(0, 3, judged).tolist()
        qrels[f"q{query}"] = dict(zip(ids[DOCUMENTS - both :], labels, strict=True))
    return qrels, run


def pytrec_eval(judged: int, both: int) -> tuple[Sides, Any]:
    import pytrec_eval

    import rankgain.integrations.pytrec_eval as adapter

    qrels, run = records(judged, both)
    sides: Sides = {}
    for name, module in (("rankgain", adapter), ("pytrec_eval", pytrec_eval)):
        evaluator = module.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"})
        sides[name] = lambda evaluator=evaluator: [
            value
            for values in evaluator.evaluate(run).values()
            for _, value in sorted(values.items())
        ]
    return sides, 1e-12


def ir_measures(judged: int, both: int) -> tuple[Sides, Any]:
    import ir_measures

    import rankgain.integrations.ir_measures as adapter

    qrels, run = records(judged, both)
    measures = [ir_measures.nDCG @ 10, ir_measures.AP]
    sides: Sides = {}
    for name, provider in (
        ("rankgain", adapter.provider),
        ("pytrec_eval", ir_measures.pytrec_eval),
    ):
        sides[f"{name}'s provider"] = lambda provider=provider: [
            provider.calc_aggregate(measures, qrels, run)[one] for one in measures
        ]
    return sides, 1e-12


def sentence_transformers() -> tuple[Sides, Any]:
    from sentence_transformers.sentence_transformer import evaluation

    from rankgain.integrations import sentence_transformers as adapter

    qrels, run = records(20, 10)
    relevant = {
        query: {one for one, label in docs.items() if label} for query, docs in qrels.items()
    }
    hits = [
        [{"corpus_id": one, "score": score} for one, score in run[query].items()]
        for query in relevant
        if relevant[query]
    ]
    queries, corpus = dict.fromkeys(relevant, ""), {f"d{at}": "" for at in range(20_000)}
    sides: Sides = {}
    for name, module in (("rankgain", adapter), ("its own", evaluation)):
        one = module.InformationRetrievalEvaluator(queries, corpus, relevant)
        sides[name] = lambda one=one: [
            value for values in one.compute_metrics(hits).values() for value in values.values()
        ]
    return sides, 1e-12


def retrieval(k: int) -> tuple[Sides, Any]:
    """All that follows the embedding of 1,000 queries and 1,000 documents: scores, and k hits."""
    import torch
    from sentence_transformers.sentence_transformer import evaluation

    from rankgain.integrations import sentence_transformers as adapter

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    ids = [f"d{at}" for at in range(DOCUMENTS)]
    relevant = {f"q{at}": set(rng.choice(ids, 20, False).tolist()) for at in range(QUERIES)}
    queries, documents = torch.tensor(rng.normal(size=(2, 1_000, 64)), dtype=torch.float32)
    texts = dict.fromkeys(relevant, ""), dict.fromkeys(ids, ""), relevant
    options = {"map_at_k": [k], "score_functions": {"dot": lambda a, b: a @ b.T}}
    sides: Sides = {}
    for name, module in (("rankgain", adapter), ("its own", evaluation)):
        one = module.InformationRetrievalEvaluator(*texts, **options)
        one.embed_inputs = lambda *_, **__: queries
        sides[name] = lambda one=one: [
            value
            for values in one.compute_all_metrics(None, corpus_embeddings=documents)["dot"].values()
            for value in values.values()
        ]
    return sides, 1e-12


def forms() -> tuple[Sides, None]:
    """Forms that hosts need, beside dicts of dicts under "trec"."""
    qrels, run = records(20, 10)
    sets = {query: {one for one, label in docs.items() if label} for query, docs in qrels.items()}

    def call(judged: Any, **options: Any) -> Callable[[], Any]:
        return lambda: rg.evaluate(judged, run, ["nDCG@10", "AP"], **options)

    sides: Sides = {"dicts of dicts": call(qrels), "qrels as a dict of sets": call(sets)}
    sides |= {f'ties="{ties}"': call(qrels, ties=ties) for ties in ("id", "stable", "average")}
    return sides, None


WORKLOADS: dict[str, Callable[[], tuple[Sides, Any]]] = {
    "XGBoost, 20 rounds, nDCG@10": xgboost,
    "LightGBM, 20 rounds, nDCG@10": lightgbm,
    "CatBoost, 20 rounds, nDCG@10": catboost,
    "pytrec_eval, 10 judged": lambda: pytrec_eval(10, 5),
    "pytrec_eval, 200 judged": lambda: pytrec_eval(200, 200),
    "ir_measures, 10 judged": lambda: ir_measures(10, 5),
    "ir_measures, 200 judged": lambda: ir_measures(200, 200),
    "sentence-transformers, compute_metrics": sentence_transformers,
    "sentence-transformers, compute_all_metrics, 100 hits": lambda: retrieval(100),
    "sentence-transformers, compute_all_metrics, 1,000 hits": lambda: retrieval(1_000),
    "forms of qrels and runs": forms,
}


def rows(words: list[str]) -> Iterator[tuple[str, ...]]:
    """A row for each side relative to the first: ours, but for forms, where it is what is usual."""
    for title, prepare in WORKLOADS.items():
        if not all(word in title for word in words):
            continue
        try:
            sides, tolerance = prepare()
        except ImportError as error:
            print(f"{title}: {error}", file=sys.stderr)
            continue
        best, results = best_of(sides)
        (first, ours), *others = best.items()
        for name, theirs in others:
            if tolerance is not None:
                np.testing.assert_allclose(results[first], results[name], atol=tolerance)
            seconds = pages.seconds(ours), pages.seconds(theirs)
            yield title, f"{first}: {seconds[0]}", f"{name}: {seconds[1]}", f"{theirs / ours:.3g}"


if __name__ == "__main__":
    titles = ("workload", "one", "compared with", "ratio")
    print(pages.table(titles, list(rows(sys.argv[1:]))))
