"""In the place of pytrec_eval: beside it, and in the functions of BEIR and mteb."""

from typing import Any

import numpy as np
import pytest

import rankgain.integrations.pytrec_eval as adapter
from peers.groups import close
from peers.qrels import draw_qrels
from sampling import sampled

host = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
pytestmark = pytest.mark.filterwarnings("default")
CASES = range(12)
QRELS = {"q": {"d": 1}}
REQUESTS: list[Any] = [
    adapter.supported_measures,
    {"map", "ndcg_cut.1,3,5", "P_5", "P.10"},
    ["recip_rank", "set_F.2", "iprec_at_recall_0.25", "success_3"],
    {"set_F_0.5", "P", "P_7", "recall"},
]


@pytest.mark.parametrize(
    ("case", "measures", "rules"),
    sampled(CASES, REQUESTS, [(1, False), (2, False), (1, True)], one_in=3),
)
def test_values_names_and_order(case: int, measures: Any, rules: tuple[int, bool]) -> None:
    qrels, run = draw_qrels(case)
    run = dict(reversed(run.items()))  # whose order is that of the values
    arguments = {"relevance_level": rules[0], "judged_docs_only_flag": rules[1]}
    theirs = host.RelevanceEvaluator(qrels, measures, **arguments).evaluate(run)
    ours = adapter.RelevanceEvaluator(qrels, measures, **arguments).evaluate(run)
    assert list(ours) == list(theirs)
    for query, values in theirs.items():
        assert list(ours[query]) == list(values)
        for name, value in values.items():
            if not np.isnan(value):  # 0 / 0 where no document is left
                close(ours[query][name], value)


def test_the_interface_of_the_module() -> None:
    assert {*host.__all__, "compute_aggregated_measure"} == set(adapter.__all__)
    assert adapter.supported_measures == host.supported_measures
    lines = ["q1 Q0 d1 1 2.5 x\n", "q1 Q0 d2 2 1e-3 x\n", "q2 Q0 d1 1 7 x\n"]
    assert adapter.parse_run(lines) == host.parse_run(lines)
    lines = ["q1 0 d1 1\n", "q1 0 d2 -1\n", "q2 0 d1 0\n"]
    assert adapter.parse_qrel(lines) == host.parse_qrel(lines)
    for name in ("map", "num_ret", "gm_map"):
        values = [0.1, 0.4, 0.5]
        theirs = host.compute_aggregated_measure(name, values)
        assert adapter.compute_aggregated_measure(name, values) == theirs


CONSTRUCTED: list[tuple[Any, Any, type[Exception]]] = [
    ({"q": {"d": 1.5}}, {"map"}, TypeError),
    ({"q": {"d": "1"}}, {"map"}, TypeError),
    ({1: {"d": 1}}, {"map"}, TypeError),
    (QRELS, {"foo"}, ValueError),
    (QRELS, {"ndcg_cut_"}, ValueError),
    (QRELS, "map", ValueError),
]


@pytest.mark.parametrize(("qrels", "measures", "error"), CONSTRUCTED)
def test_kinds_of_errors_of_qrels_and_measures(
    qrels: Any, measures: Any, error: type[Exception]
) -> None:
    for module in (host, adapter):
        with pytest.raises(error):
            module.RelevanceEvaluator(qrels, measures)


@pytest.mark.parametrize(
    "run", [[1], {1: {"d": 1.0}}, {"q": ["d"]}, {"q": {"d": "1"}}, {"q": {"d": None}}]
)
def test_kinds_of_errors_of_runs(run: Any) -> None:
    for module in (host, adapter):
        with pytest.raises(TypeError):
            module.RelevanceEvaluator(QRELS, {"map"}).evaluate(run)


@pytest.mark.parametrize("lines", [["q Q0 d 1 2 x"] * 2, ["q Q0 d 1"], ["q Q0 d 1 two x"]])
def test_kinds_of_errors_of_files(lines: list[str]) -> None:
    kinds = []
    for module in (host, adapter):
        with pytest.raises((AssertionError, ValueError)) as caught:
            module.parse_run(lines)
        kinds.append(type(caught.value))
    assert kinds[0] is kinds[1]


@pytest.mark.parametrize(("qrels", "run"), [
    (QRELS, {}), (QRELS, None), (QRELS, {"q": {}}), ({}, {"x": {"d": 1.0}}),
    ({"q": {}}, {"q": {"d": 1.0}}),
])  # fmt: skip
def test_where_there_is_little(qrels: Any, run: Any) -> None:
    result = [module.RelevanceEvaluator(qrels, {"map"}).evaluate(run) for module in (host, adapter)]
    assert result[0] == result[1]


@pytest.mark.parametrize("measures", [{"P_0"}, {"ndcg.1"}, {"P.5,5.0"}])
def test_what_ends_the_process_there_is_an_error_here(measures: Any) -> None:
    with pytest.raises(ValueError, match="unsupported measure"):
        adapter.RelevanceEvaluator(QRELS, measures)


@pytest.mark.parametrize("case", sampled(CASES, one_in=3))
def test_beir_s_own_function(case: int, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = pytest.importorskip("beir.retrieval.evaluation", reason="beir is not installed")
    qrels, run = draw_qrels(case)
    call = evaluation.EvaluateRetrieval.evaluate
    theirs = call(qrels, {q: dict(docs) for q, docs in run.items()}, [1, 5, 100])
    monkeypatch.setattr(evaluation, "pytrec_eval", adapter)
    assert call(qrels, {q: dict(docs) for q, docs in run.items()}, [1, 5, 100]) == theirs


def flat(table: Any, path: tuple[Any, ...] = ()) -> dict[Any, float]:
    """The numbers of nested tables, under their paths."""
    if not isinstance(table, (dict, list)):
        return {path: table}
    pairs = table.items() if isinstance(table, dict) else enumerate(table)
    return {key: x for name, one in pairs for key, x in flat(one, (*path, name)).items()}


@pytest.mark.parametrize("case", sampled(CASES, one_in=3))
def test_mteb_s_own_function(case: int, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = pytest.importorskip(
        "mteb._evaluators.retrieval_metrics", reason="mteb is not installed"
    )
    qrels, run = draw_qrels(case)

    def called() -> Any:
        copy = {q: dict(docs) for q, docs in run.items() if q in qrels}
        return metrics.calculate_retrieval_scores(copy, qrels, [1, 5, 100])

    theirs = called()
    monkeypatch.setattr(metrics, "pytrec_eval", adapter)
    ours = called()
    for one, other in zip(theirs, ours, strict=True):
        assert flat(other) == pytest.approx(flat(one), rel=1e-12, nan_ok=True)


PROGRAM = {"G", "Rprec_mult", "binG", "ndcg_rel", "relstring", "runid", "utility"}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_measures_of_the_program_alone(level: int, judged_only: bool) -> None:
    """With labels from 0 on, as the host does not end with others."""
    rng = np.random.default_rng(level)
    names = {"map", "P.5", *PROGRAM}
    for _ in range(40):
        qrels, run = {}, {}
        for query in ("a", "b", "c"):
            some, others = (rng.permutation(20)[: rng.integers(1, 14)] for _ in range(2))
            qrels[query] = {f"d{i}": int(rng.integers(0, 4)) for i in some}
            run[query] = {f"d{i}": int(rng.integers(0, 9)) / 4 for i in others}
        del run["b"]
        given = {"relevance_level": level, "judged_docs_only_flag": judged_only}
        theirs = host.RelevanceEvaluator(qrels, names, **given).evaluate(run)
        assert adapter.RelevanceEvaluator(qrels, names, **given).evaluate(run) == theirs
        alone = adapter.RelevanceEvaluator(qrels, {"G"}, **given).evaluate(run)
        assert alone == {query: {"G": values["G"]} for query, values in theirs.items()}


def test_measures_of_the_program_beside_a_query_with_negative_labels_alone() -> None:
    qrels, run = {"a": {"x": -1}, "b": {"x": 1, "y": 0}}, {"x": 2.0, "y": 1.0}
    for name in ("utility", "binG", "G"):
        whole = adapter.RelevanceEvaluator(qrels, {name}).evaluate({"a": run, "b": run})
        alone = adapter.RelevanceEvaluator({"b": qrels["b"]}, {name}).evaluate({"b": run})
        assert whole["b"] == alone["b"]
        assert whole.get("a") != alone["b"]


def test_judgments_that_the_caller_changes_later_stay_as_they_were():
    qrels = {"q": {"a": 1, "b": 0}}
    evaluator = adapter.RelevanceEvaluator(qrels, {"recip_rank"})
    qrels["q"]["a"], qrels["q"]["b"] = 0, 1
    assert evaluator.evaluate({"q": {"a": 2.0, "b": 1.0}}) == {"q": {"recip_rank": 1.0}}
