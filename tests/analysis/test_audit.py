"""An audit finds each standing error that is planted in a small metric, and no other."""

import doctest
import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import DOCS
from planted_metrics import PLANTED_IN_ARRAYS, PLANTED_IN_IDS, Metric, ap_of_min, ndcg_of_arrays
from rankgain.analysis.audit_result import SENTENCES
from rankgain.measures.families import FAMILIES
from sampling import sampled

LEFT_OUT = {"value beyond 1"}  # what an error may lead to is no other error


def errors_of(metric: Metric, **options: Any) -> set[str]:
    result = rg.audit(metric, **options)
    for error, example in result.examples.items():
        check_example(metric, error, example)
    assert set(result.examples) == set(result.errors)
    return set(result.errors)


def check_example(metric: Metric, error: str, example: Any) -> None:
    """What is shown is what the function answers."""
    answer = metric(*example.arguments, **example.options)
    if np.ndim(answer) == 0 and not isinstance(answer, dict):
        value = math.nan if answer is None else float(answer)
        assert value == example.value or math.isnan(value), error
    if example.right is not None:
        assert not math.isclose(example.value, example.right, rel_tol=1e-6), error


@pytest.mark.parametrize("planted", PLANTED_IN_ARRAYS)
def test_an_error_planted_in_arrays(planted: str) -> None:
    metric = ndcg_of_arrays(**PLANTED_IN_ARRAYS[planted])
    k = 3 if "cut" in planted else 10
    assert errors_of(metric, k=k) - LEFT_OUT == {planted.partition(",")[0]}


@pytest.mark.parametrize("k", [1, 3, 10, None])
def test_a_right_metric_of_arrays_has_no_errors(k: int | None) -> None:
    assert errors_of(ndcg_of_arrays(), k=k) == set()
    assert errors_of(rg.ndcg, k=k) == set()


@pytest.mark.parametrize(("metric", "measure", "error"), PLANTED_IN_IDS)
def test_an_error_planted_in_ids(metric: Metric, measure: str, error: str) -> None:
    k = 10 if "cut" in error else 4
    assert errors_of(metric, form="ids", k=k, measure=measure) - LEFT_OUT == {error}


def test_capped_average_precision_is_a_choice() -> None:
    result = rg.audit(ap_of_min, form="ids", k=5, measure="AP")
    assert result.errors == ()
    assert result.choices["divisor"] == "min"


# ---- what is not a standing error, and what is said of it


@pytest.mark.parametrize("metric", [
    lambda y_true, y_score, k: rg.ndcg(y_true, y_score, k=k),
    lambda y_true, y_score, top_k=3: [float(rg.ndcg(y_true, y_score, k=top_k))],
    lambda y_true, y_score, *, cutoff: {"ndcg": rg.ndcg(y_true, y_score, k=cutoff)},
    lambda y_true, y_score, depth, /: rg.ndcg(y_true, y_score, k=depth),
    lambda y_true, y_score: rg.ndcg(y_true, y_score, k=10),
    lambda *arrays: rg.ndcg(*arrays, k=10),
    lambda y_true, y_score, k: rg.ndcg(y_true, y_score, k=k) if y_true else 0.0,  # lists alone
])  # fmt: skip
def test_ways_to_take_a_cutoff(metric: Metric) -> None:
    result = rg.audit(metric)
    assert (result.errors, result.measure) == ((), "nDCG@10")


@pytest.mark.parametrize(
    "measure", ["DCG", "CG", "RBP", "F1", "ERR", "AP", "P", "R", "RR", "HitRate"]
)
def test_our_own_measures_have_no_errors(measure: str) -> None:
    functions = {"AP": rg.average_precision, "P": rg.precision, "R": rg.recall}
    functions |= {"RR": rg.reciprocal_rank, "HitRate": rg.hit_rate}
    function = functions.get(measure) or getattr(rg, rg.parse_measure(measure).family.lower())
    result = rg.audit(function, measure=measure, k=3)
    assert (result.errors, result.convention) == ((), "rankgain")


@pytest.mark.parametrize(
    "name", "lightgbm xgboost catboost torchmetrics burges2005 jarvelin2002 ranx".split()
)
def test_the_convention_of_a_tool_is_named(name: str) -> None:
    result = rg.audit(lambda y, s, k: rg.ndcg(y, s, k=k, convention=name))
    assert (result.errors, result.convention) == ((), name)


def test_scikit_learn_and_pytrec_eval_have_no_errors() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    result = rg.audit(metrics.ndcg_score)
    assert (result.errors, set(result.conventions)) == ((), {"rankgain", "sklearn"})
    pytrec_eval = pytest.importorskip("pytrec_eval")

    def evaluate(qrels: Any, run: Any, k: int) -> Any:
        return pytrec_eval.RelevanceEvaluator(qrels, {f"ndcg_cut.{k}"}).evaluate(run)

    result = rg.audit(evaluate, form="dicts")
    assert (result.errors, result.convention) == ((), "pytrec_eval")


def test_every_error_has_a_sentence_and_is_printed_with_its_list() -> None:
    planted = PLANTED_IN_ARRAYS["discount off by one"] | PLANTED_IN_ARRAYS["empty lists count 1"]
    result = rg.audit(ndcg_of_arrays(**planted))
    text = str(result)
    for error in result.errors:
        assert f"{error}: {SENTENCES[error]}" in text
        assert str(result.examples[error]) in text
    assert "2 errors" in text
    assert "f([0], [0.5], k=10) is 1.0000, not 0.0000" in text
    assert repr(result).startswith("<Audit of ndcg_of_arrays.<locals>.metric as nDCG@10: discount")
    assert "<pre" in result._repr_html_()
    assert "no errors" in str(rg.audit(rg.ndcg))
    assert "it refused 6 of them: ValueError('" in str(result)


def test_the_page_shows_what_happens_and_names_every_error() -> None:
    page = DOCS / "guides" / "audit.md"
    failures, examples = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failures, examples) == (0, 4)
    table = "\n".join(f"| {error} | {sentence} |" for error, sentence in SENTENCES.items())
    assert table in page.read_text(encoding="utf-8")


def test_a_metric_with_gains_of_its_own_is_right_under_its_name() -> None:
    measure = "nDCG(gain={0:0,1:1,2:5,3:9})"

    def with_table(y_true: Any, y_score: Any, k: int) -> float:
        return rg.evaluate_arrays(y_true, y_score, f"{measure}@{k}").means[f"{measure}@{k}"]

    assert rg.audit(with_table, measure=measure).errors == ()
    assert errors_of(ndcg_of_arrays(), measure=measure) == {"labels used as gains"}


def test_an_example_with_a_set_is_printed_as_one() -> None:
    def share(retrieved: Any, relevant: Any) -> float:
        if not isinstance(relevant, set):
            raise TypeError("a set")
        return len(relevant.intersection(retrieved)) / max(len(relevant), 1)

    result = rg.audit(share, form="ids")
    assert result.errors == ("order lost",)
    assert "f(['d1', 'd2'], {'d2'}) is 1.0000, not 0.6309" in str(result)


Metric = Callable[..., float]
ERRORS = {1: ("ties for the system", "optimistic"), -1: ("ties against the system", "pessimistic")}


def make_metric(measure: str, favour: int) -> Metric:
    """A metric that ranks relevant documents first (1) or last (-1) among equal scores, or (0)
    keeps the order of the input.
    """

    def metric(labels: np.ndarray, scores: np.ndarray, k: int | None = None) -> float:
        if not (np.isfinite(scores).all() and np.isfinite(labels).all()):
            raise ValueError("a score or a label is not finite")
        relevant = np.asarray(labels) > 0
        order = np.lexsort((-favour * relevant.astype(int), -np.asarray(scores)))
        hits = relevant[order][:k]
        ranks = np.flatnonzero(hits) + 1
        if measure == "RR":
            return float(1 / ranks[0]) if len(ranks) else 0.0
        if measure == "P":
            return len(ranks) / (k or len(hits))
        precisions = np.arange(1, len(ranks) + 1) / ranks
        return float(precisions.sum() / relevant.sum()) if relevant.any() else 0.0

    return metric


@pytest.mark.parametrize("favour", [1, -1])
@pytest.mark.parametrize(
    ("measure", "k"), [("RR", 10), ("RR", None), ("AP", 10), ("AP", None), ("P", 5)]
)
def test_ties_for_and_against_the_system_are_errors(
    measure: str, k: int | None, favour: int
) -> None:
    result = rg.audit(make_metric(measure, favour), measure=measure, k=k)
    error, name = ERRORS[favour]
    assert result.errors == (error,)
    assert result.choices["ties"] == ("best" if favour == 1 else "worst")
    text = str(result)
    [line] = [line for line in text.splitlines() if line.startswith(f"{error}: ")]
    assert line.endswith(f'as in the convention "pykeen-{name}" for link prediction')
    example = result.examples[error]
    assert example.right is not None
    assert (example.value > example.right) == (favour == 1)


# ---- our own measures: each is right in each form, and a wrong one differs


def ours(measure: str, form: str, answer: str) -> Metric:
    """Our own function: the values of the lists, or their mean as the measure takes it."""

    def metric(first: Any, second: Any) -> Any:
        if form == "dicts":
            result = rg.evaluate(first, second, measure)
        elif form == "ids":
            result = rg.evaluate_ids([first], [second], measure, duplicates="in_place")
        else:
            result = rg.evaluate_arrays(first, second, measure)
        (value,) = getattr(result, answer).values()
        return value

    return metric


LEVELS = {"recall": "@0.5", "multiple": "_0.60", "required": "@3", "optional": "@3"}
OF_LISTS = {
    row.name: row for row in FAMILIES.values() if row.row.shape and row.row.reads == "labels"
}
OF_JUDGMENTS = {"Bpref", "infAP", "GMBpref", "Judged", "Unjudged", "RBPResidual"}
OF_JUDGMENTS |= {"NumNonrelJudgedRet"}  # which ids do not say


@pytest.mark.parametrize(("measure", "form", "answer"), [
    *product(OF_LISTS, ["arrays"], ["per_query"]),
    *sampled(OF_LISTS, ["ids", "dicts"], ["means"], one_in=2),
    *product(["GMAP", "GMBpref"], ["arrays"], ["means"]),
    *product(["GMAP", "GMBpref", "NumQ", "MR"], ["dicts"], ["per_query"]),
])  # fmt: skip
def test_no_measure_is_accused(measure: str, form: str, answer: str) -> None:
    if form == "ids" and measure in OF_JUDGMENTS:
        pytest.skip("ids do not say which documents were judged")
    row = OF_LISTS[measure]
    cut = row.cutoff in ("optional", "required")
    name = row.example + LEVELS.get(row.cutoff, "")
    result = rg.audit(ours(name, form, answer), form=form, measure=name, k=3 if cut else None)
    assert (result.errors, result.examples) == ((), {})


@pytest.mark.parametrize(("measure", "change"), [
    ("MR", lambda value: value - 1),  # ranks from 0
    ("NumRet", lambda value: value + 1),
    ("GMAP", lambda value: value / 2),
    ("GMAP", lambda value: value - 1e-3),
    ("Judged", lambda value: 1.0),
    ("AMR", lambda value: 2 * value),
    ("Lift@3", lambda value: value / 2),
])  # fmt: skip
def test_a_wrong_measure_differs(measure: str, change: Any) -> None:
    right = ours(measure, "dicts", "means")
    result = rg.audit(
        lambda qrels, run: change(right(qrels, run)), form="dicts", measure=measure, k=None
    )
    assert "differs, unexplained" in result.errors
    assert "value beyond 1" not in result.errors  # a right value may be
