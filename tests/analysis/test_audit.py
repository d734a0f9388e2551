"""An audit finds each standing error that is planted in a small metric, and no other."""

import doctest
import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import DOCS
from planted_metrics import (
    PLANTED_IN_ARRAYS,
    PLANTED_IN_DICTS,
    PLANTED_IN_IDS,
    RIGHT_IN_IDS,
    Metric,
    ap_of_min,
    by,
    ndcg_of_arrays,
    ndcg_of_dicts,
)
from rankgain.analysis.audit_result import SENTENCES

LEFT_OUT = {"value beyond 1"}  # what an error may lead to is no other error


def named(planted: str) -> str:
    return planted.partition(",")[0]


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
    assert errors_of(metric, k=k) - LEFT_OUT == {named(planted)}


@pytest.mark.parametrize("k", [1, 3, 10, None])
def test_a_right_metric_of_arrays_has_no_errors(k: int | None) -> None:
    assert errors_of(ndcg_of_arrays(), k=k) == set()
    assert errors_of(rg.ndcg, k=k) == set()


@pytest.mark.parametrize("pair", [("discount off by one", "ties for the system")])
def test_pairs_of_errors(pair: tuple[str, str]) -> None:
    planted = PLANTED_IN_ARRAYS[pair[0]] | PLANTED_IN_ARRAYS[pair[1]]
    assert errors_of(ndcg_of_arrays(**planted)) == set(pair)


@pytest.mark.parametrize(
    "pair",
    [
        ("discount off by one", "cutoff not applied to the ideal"),
        ("discount off by one", "ideal from the retrieved"),
        ("order reversed", "cutoff not applied to the ideal"),
        ("order lost", "first two ranks undiscounted"),
    ],
)
def test_two_errors_of_one_value(pair: tuple[str, str]) -> None:
    planted = PLANTED_IN_ARRAYS[pair[0]] | PLANTED_IN_ARRAYS[pair[1]]
    assert errors_of(ndcg_of_arrays(**planted), k=3) - LEFT_OUT == set(map(named, pair))


def test_gains_are_an_error_where_the_name_says_them_or_no_convention_has_them() -> None:
    def exp2(label: float) -> float:
        return 2.0**label - 1

    assert errors_of(ndcg_of_arrays(gain=exp2)) == {"exp2 used as gains"}
    assert errors_of(ndcg_of_arrays(gain=exp2), measure="nDCG(gain=exp2)") == set()
    assert errors_of(ndcg_of_arrays(gain=exp2), measure="nDCG(gain=linear)") == {
        "exp2 used as gains"
    }
    assert errors_of(ndcg_of_arrays(), measure="nDCG(gain=exp2)") == {"labels used as gains"}
    mixed = ndcg_of_arrays(gain=exp2, order=by("best"))
    assert errors_of(mixed) == {"exp2 used as gains", "ties for the system"}
    seen = rg.audit(ndcg_of_arrays(gain=lambda label: float(label > 0)))
    assert (seen.errors, seen.choices["gain"]) == (("grades ignored",), "binary")


# ---- standing errors of ids


@pytest.mark.parametrize(("metric", "measure", "error"), PLANTED_IN_IDS)
def test_an_error_planted_in_ids(metric: Metric, measure: str, error: str) -> None:
    k = 10 if "cut" in error else 4
    assert errors_of(metric, form="ids", k=k, measure=measure) - LEFT_OUT == {error}


@pytest.mark.parametrize("k", [1, 4, 10])
@pytest.mark.parametrize("metric", RIGHT_IN_IDS)
def test_a_right_metric_of_ids_has_no_errors(metric: Metric, k: int) -> None:
    result = rg.audit(metric, form="ids", k=k, measure=RIGHT_IN_IDS[metric])
    assert (result.errors, result.convention) == ((), "rankgain")


def test_capped_average_precision_is_a_choice() -> None:
    result = rg.audit(ap_of_min, form="ids", k=5, measure="AP")
    assert result.errors == ()
    assert result.choices["divisor"] == "min"


# ---- standing errors of qrels and runs


@pytest.mark.parametrize("per_query", [False, True])
@pytest.mark.parametrize("planted", PLANTED_IN_DICTS)
def test_an_error_planted_in_dicts(planted: str, per_query: bool) -> None:
    metric = ndcg_of_dicts(per_query=per_query, **PLANTED_IN_DICTS[planted])
    assert errors_of(metric, form="dicts") == {named(planted)}


@pytest.mark.parametrize("per_query", [False, True])
@pytest.mark.parametrize(
    ("reverse", "ties", "convention"),
    [(True, "id_descending", "trec"), (False, "id", "trectools"), (None, "stable", "ranx")],
)
def test_orders_of_ties_are_choices(
    reverse: bool | None, ties: str, convention: str, per_query: bool
) -> None:
    def rank(docs: Any) -> list[str]:
        ordered = list(docs) if reverse is None else sorted(docs, reverse=reverse)
        return sorted(ordered, key=lambda d: -docs[d])

    result = rg.audit(ndcg_of_dicts(rank, per_query=per_query), form="dicts")
    assert (result.errors, result.choices["ties"]) == ((), ties)
    if convention == "trec":
        assert result.convention == "trec"


# ---- what is not a standing error, and what is said of it


def test_what_nothing_explains() -> None:
    result = rg.audit(lambda y, s, k: 0.5)
    assert "differs, unexplained" in result.errors or "order lost" in result.errors
    assert result.convention is None
    result = rg.audit(lambda y, s, k: 0.9 * rg.ndcg(y, s, k=k))
    assert result.errors == ("differs, unexplained",)
    explanation = result.examples["differs, unexplained"]
    assert explanation.value == pytest.approx(0.9 * explanation.right)
    result = rg.audit(lambda y, s, k: 1.5 * rg.ndcg(y, s, k=k))
    assert result.errors == ("value beyond 1", "differs, unexplained")


def test_an_order_that_no_rule_gives_is_lost_too() -> None:
    def share(y_true: Any, y_score: Any, k: Any) -> float:
        return float(sum(y_true > 0)) / len(y_true)

    assert "order lost" in rg.audit(share).errors


def test_nan_that_is_answered_with_nan_is_not_accepted() -> None:
    def passes_on(y_true: Any, y_score: Any, k: Any) -> float:
        has_nan = np.isnan(y_true).any() or np.isnan(y_score).any()
        return math.nan if has_nan else float(rg.ndcg(y_true, y_score, k=k))

    assert rg.audit(passes_on).errors == ()
    result = rg.audit(lambda y, s, k: rg.ndcg(y, np.nan_to_num(s), k=k))
    assert result.errors == ("NaN accepted",)
    assert str(result.examples["NaN accepted"]).endswith("not an error")


def test_a_function_that_rounds_or_is_of_single_precision_is_right() -> None:
    assert rg.audit(lambda y, s, k: round(float(rg.ndcg(y, s, k=k)), 4)).errors == ()
    assert rg.audit(lambda y, s, k: np.float32(rg.ndcg(y, s, k=k))).errors == ()


@pytest.mark.parametrize(
    "metric",
    [
        lambda y_true, y_score, k: rg.ndcg(y_true, y_score, k=k),
        lambda y_true, y_score, top_k=3: [float(rg.ndcg(y_true, y_score, k=top_k))],
        lambda y_true, y_score, *, cutoff: {"ndcg": rg.ndcg(y_true, y_score, k=cutoff)},
        lambda y_true, y_score, depth, /: rg.ndcg(y_true, y_score, k=depth),
        lambda y_true, y_score: rg.ndcg(y_true, y_score, k=10),
        lambda *arrays: rg.ndcg(*arrays, k=10),
        lambda y_true, y_score, k: rg.ndcg(y_true, y_score, k=k) if y_true else 0.0,  # lists alone
    ],
)
def test_ways_to_take_a_cutoff(metric: Metric) -> None:
    result = rg.audit(metric)
    assert (result.errors, result.measure) == ((), "nDCG@10")


def test_a_function_without_a_cutoff_is_audited_without_one() -> None:
    result = rg.audit(lambda y_true, y_score: rg.ndcg(y_true, y_score))
    assert (result.errors, result.measure) == ((), "nDCG")
    assert rg.audit(rg.ndcg, measure="nDCG@4").measure == "nDCG@4"


@pytest.mark.parametrize(
    ("metric", "form"),
    [
        (lambda actual, relevant, k: len({*actual[:k]} & relevant) / k, "ids"),  # a set of them
        (lambda actual, relevant, k: rg.evaluate_ids(actual, relevant, f"P@{k}").means, "ids"),
        (lambda qrels, run, k: rg.evaluate(qrels, run, f"P@{k}").to_dict(), "dicts"),
        (lambda qrels, run, k: rg.evaluate(qrels, run, f"P@{k}")[f"P@{k}"], "dicts"),
    ],
)
def test_ways_to_answer(metric: Metric, form: str) -> None:
    assert rg.audit(metric, form=form, measure="P").errors == ()


@pytest.mark.parametrize(
    "measure", ["DCG", "CG", "RBP", "F1", "ERR", "AP", "P", "R", "RR", "HitRate"]
)
def test_our_own_measures_have_no_errors(measure: str) -> None:
    function = (
        getattr(rg, rg.parse_measure(measure).family.lower(), None)
        or {
            "AP": rg.average_precision,
            "P": rg.precision,
            "R": rg.recall,
            "RR": rg.reciprocal_rank,
            "HitRate": rg.hit_rate,
        }[measure]
    )
    result = rg.audit(function, measure=measure, k=3)
    assert (result.errors, result.convention) == ((), "rankgain")


@pytest.mark.parametrize(
    "name",
    ["lightgbm", "xgboost", "catboost", "torchmetrics", "burges2005", "jarvelin2002"],
)
def test_the_convention_of_a_tool_is_named(name: str) -> None:
    result = rg.audit(lambda y, s, k: rg.ndcg(y, s, k=k, convention=name))
    assert (result.errors, result.convention) == ((), name)


def test_what_a_convention_explains_is_not_unexplained() -> None:
    result = rg.audit(lambda y, s, k: rg.ndcg(y, s, k=k, convention="ranx"))
    assert (result.errors, result.convention) == ((), "ranx")  # labels below 1 count 0


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("elasticsearch", {"ideal cut at the number retrieved"}),
        ("implicit", {"grades ignored", "empty lists dropped"}),
        ("rectools", {"grades ignored", "empty lists dropped", "ideal of k ones"}),
    ],
)
def test_what_misleads_is_an_error_under_the_name_of_a_tool_too(
    name: str, errors: set[str]
) -> None:
    result = rg.audit(
        lambda qrels, run, k: rg.evaluate(qrels, run, f"nDCG@{k}", convention=name).means,
        form="dicts",
    )
    assert (set(result.errors), result.convention) == (errors, name)


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


def test_an_audit_is_the_same_in_every_run() -> None:
    first, again = (str(rg.audit(ndcg_of_arrays(empty=1.0))) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"form": "frames"}, ValueError, "form must be one of 'arrays', 'ids', 'dicts'"),
        ({"k": 0}, ValueError, "k must be at least 1"),
        ({"measure": "nGCD"}, ValueError, "nGCD"),
        (
            {"form": "ids"},
            ValueError,
            r"form='ids' it is called as function\(retrieved, relevant\)",
        ),
    ],
)
def test_what_is_refused(arguments: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        rg.audit(rg.ndcg, **arguments)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match="must be your metric function, not data"):
        rg.audit("ndcg")  # type: ignore[arg-type]


def test_the_page_shows_what_happens_and_names_every_error() -> None:
    page = DOCS / "guides" / "audit.md"
    failures, examples = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failures, examples) == (0, 4)
    table = "\n".join(f"| {error} | {sentence} |" for error, sentence in SENTENCES.items())
    assert table in page.read_text(encoding="utf-8")


# ---- what other packages were caught with


def test_mlflow_forgets_what_was_missed_and_credits_repeated_ids() -> None:
    definitions = pytest.importorskip("mlflow.metrics.metric_definitions")
    pandas = pytest.importorskip("pandas")

    def metric(name: str) -> Metric:
        make = getattr(definitions, f"_{name}_at_k_eval_fn")
        return lambda retrieved, relevant, k: (
            make(k)(pandas.Series([retrieved]), pandas.Series([relevant])).scores
        )

    credited = "duplicates credited"
    result = rg.audit(metric("ndcg"), form="ids", k=5)
    assert result.errors == ("ideal cut at the number retrieved", credited)
    assert str(result.examples[result.errors[0]]) == (
        "f(['d1'], ['d1', 'm1'], k=5) is 1.0000, not 0.6131"
    )
    result = rg.audit(metric("precision"), form="ids", k=5, measure="P")
    assert result.errors == ("divided by the number retrieved", credited)
    assert rg.audit(metric("recall"), form="ids", k=5, measure="R").errors == ()


def test_llama_index_credits_repeated_ids() -> None:
    metrics = pytest.importorskip("llama_index.core.evaluation.retrieval.metrics")

    def metric(kind: Any) -> Metric:
        return lambda retrieved, relevant: kind().compute("q", relevant, retrieved).score

    for kind, measure in ((metrics.NDCG, "nDCG"), (metrics.AveragePrecision, "AP")):
        result = rg.audit(metric(kind), form="ids", measure=measure)
        assert result.errors == ("duplicates credited", "value beyond 1")
        assert result.measure == measure
    for kind, measure in ((metrics.MRR, "RR"), (metrics.HitRate, "HitRate"), (metrics.Recall, "R")):
        assert rg.audit(metric(kind), form="ids", measure=measure).errors == ()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ([0.5, 0.5, 0.5], "3 values for 1 lists"),
        ({"q1": 0.5, "q2": 0.5, "q3": 0.5}, "3 values for 1 lists"),
        ({"q1": {"P": 0.5, "R": 0.5}}, "2 measures of a query, one is audited at a time"),
    ],
)
def test_answers_of_other_sizes_are_refused(answer: Any, text: str) -> None:
    def metric(*lists: Any) -> Any:
        return answer

    with pytest.raises(ValueError, match=f"no number for a list of three documents.*{text}"):
        rg.audit(metric, form="dicts")


def test_a_function_without_a_signature_is_called() -> None:
    with pytest.raises(ValueError, match=r"list of three documents.*is ambiguous"):
        rg.audit(max)


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


def test_documents_of_an_audit_grow_with_the_cutoff() -> None:
    def documents(k: int) -> int:
        sizes: list[int] = []

        def metric(y_true: Any, y_score: Any, k: int) -> Any:
            sizes.append(len(y_true))
            return rg.ndcg(y_true, y_score, k=k)

        rg.audit(metric, k=k)
        return sum(sizes)

    assert documents(1000) < 16 * 1000
    assert documents(50) > 30 * 50  # a short one is tried at all lengths


def test_two_errors_beside_a_choice() -> None:
    """The divisor min(R, k) is a choice; the reversed order and the discount are errors."""

    def average_precision(retrieved: Any, relevant: Any, k: int) -> float:
        top = list(dict.fromkeys(retrieved[::-1]))[:k]
        hits = [rank for rank, one in enumerate(top, 1) if one in relevant]
        share = sum(at / (rank + 1) for at, rank in enumerate(hits, 1))
        return share / max(min(len(relevant), k), 1)

    result = rg.audit(average_precision, form="ids", k=4, measure="AP")
    assert set(result.errors) - LEFT_OUT == {"order reversed", "discount off by one"}


def test_measures_of_subtopics_and_of_ones_own_are_refused() -> None:
    for measure in ("alpha_nDCG@10", rg.measure("own", len)):
        with pytest.raises(ValueError, match=r"^measure: (alpha_nDCG@10|own) cannot be audited"):
            rg.audit(rg.ndcg, measure=measure)
