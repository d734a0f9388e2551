"""Numbers from which on something else is done: each one below, at the threshold, and one above."""

import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import rankgain as rg

RNG = np.random.default_rng(3)
VALUES = RNG.random((90, 80))  # of systems and lists


def systems(lists: int, number: int = 2) -> rg.Evaluations:
    ids = [f"q{number}" for number in range(lists)]
    return rg.Evaluations({
        f"s{system}": rg.Evaluation.from_values({"accuracy": VALUES[system, :lists]}, ids)
        for system in range(number)
    })  # fmt: skip


def accumulator_resamples(lists: int) -> bool:
    labels, scores = VALUES[0, :lists, None] > [0.5, 0.2], np.ones((lists, 2))
    evaluation = rg.evaluate_arrays(
        labels.ravel().astype(int), scores.ravel(), "P@1", qid=np.repeat(np.arange(lists), 2)
    )
    drawn, plain = rg.Accumulator(bootstrap=50), rg.Accumulator()
    for total in (drawn, plain):
        total.add({"a": evaluation, "b": evaluation})
    return bool(drawn.interval("P@1", run="a") != plain.interval("P@1", run="a"))


def interval_is_resampled(lists: int) -> bool:
    evaluation = systems(lists)["s0"]
    resampled = evaluation.interval("accuracy", resamples=50)
    return resampled != evaluation.interval("accuracy", method="t")


def pool_is_resampled(lists: int) -> bool:
    pooled = rg.pool({"x": systems(lists), "y": systems(80)})["s0"]
    return pooled.interval("accuracy", resamples=50) != pooled.interval("accuracy", method="t")


def bootstrap_is_a_test_of_its_own(lists: int) -> bool:
    bootstrap = rg.compare(systems(lists), test="bootstrap", resamples=50)
    randomisation = rg.compare(systems(lists), test="randomisation", resamples=50)
    return bootstrap.rows[0].p != randomisation.rows[0].p


def note_of_intervals(lists: int) -> bool:
    return "t for fewer than 40 queries" not in str(systems(lists).intervals(resamples=50))


def note_of_bootstrap(lists: int) -> bool:
    text = str(rg.compare(systems(lists), test="bootstrap", resamples=50))
    return "the bootstrap was not used" not in text


def page_says_few(lists: int) -> bool:
    pytest.importorskip("jinja2")
    comparison = rg.compare(systems(lists), resamples=50)
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        comparison.report(path)
        return "are few: intervals and p-values are rough" in path.read_text()


def enough_judged_by_people(lists: int) -> bool:
    return not is_refused(
        "at least 5 are needed",
        lambda: rg.corrected_mean(systems(80)["s0"], systems(lists)["s0"], "accuracy"),
    )


def too_many_highlighted(number: int) -> bool:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    plot = pytest.importorskip("rankgain.plot")
    labels, scores = VALUES[0, :9] > 0.5, {f"s{system}": VALUES[system, :9] for system in range(8)}
    evaluations = rg.evaluate_models(labels.astype(int), scores, ["P@1", "P@2", "P@5"])
    names = list(scores)[:number]
    return is_refused(
        "highlight takes at most 5 names",
        lambda: plot.by_cutoff(evaluations, highlight=names, ax=figure.subplots()),
    )


def is_refused(message: str, call: Callable[[], Any]) -> bool:
    try:
        call()
    except ValueError as error:
        return message in str(error)
    return False


def comparison_is_cut(rows: int) -> bool:
    pytest.importorskip("scipy")
    comparison = rg.compare(systems(9, rows + 1), baseline="s0", test="t")
    assert len(comparison.rows) == rows
    return "more rows: .rows has them" in str(comparison)


def explanation_is_cut(ranks: int) -> bool:
    explanation = rg.explain(np.arange(ranks) % 2, -np.arange(float(ranks)), "nDCG")
    return "more ranks: rows() has them" in str(explanation)


def segments_are_cut(segments: int) -> bool:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    ids = np.arange(segments)
    frame = pandas.DataFrame({"query": ids, "segment": ids, "label": 1, "score": 0.5})
    result = rg.evaluate_frame(
        frame, "RR", query="query", label="label", score="score", segment="segment"
    )
    return "1 more" in str(result) or "2 more" in str(result)


def letters_are_left_out(number: int) -> bool:
    pytest.importorskip("scipy")
    return "No significance marks" in rg.compare(systems(9, number), test="t").to_latex()


def table_is_long(rows: int) -> bool:
    return "longtable" in systems(9, rows).to_latex()


def one_list_is_suspected(documents: int, grades: int = 5) -> bool:
    labels = np.arange(documents) % grades
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rg.evaluate_arrays(labels, np.arange(float(documents)), "nDCG")
    return any("is one list of" in str(warning.message) for warning in caught)


THRESHOLDS: dict[str, tuple[int, Callable[[int], bool]]] = {
    # lists
    "resamples of an interval": (40, interval_is_resampled),
    "resamples of pooled collections": (40, pool_is_resampled),
    "resamples of an accumulator": (40, accumulator_resamples),
    "resamples of a comparison": (40, bootstrap_is_a_test_of_its_own),
    "no note below intervals": (40, note_of_intervals),
    "no note below a comparison": (40, note_of_bootstrap),
    "no warning on a page": (25, lambda lists: not page_says_few(lists)),
    "judged by people": (5, enough_judged_by_people),
    # rows, systems and segments
    "comparison is cut": (61, comparison_is_cut),
    "explanation is cut": (51, explanation_is_cut),
    "segments are cut": (21, segments_are_cut),
    "no letters": (13, letters_are_left_out),
    "LaTeX over pages": (46, table_is_long),
    "too many highlighted curves": (6, too_many_highlighted),
    # documents and grades
    "one list that may be many": (500, one_list_is_suspected),
    "grades of a scale": (5, lambda grades: one_list_is_suspected(600, grades)),
}


@pytest.mark.parametrize("name", THRESHOLDS)
@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_below_at_and_above(name: str) -> None:
    first, is_beyond = THRESHOLDS[name]
    assert [is_beyond(number) for number in (first - 1, first, first + 1)] == [False, True, True]
