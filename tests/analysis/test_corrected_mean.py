"""Means of model's labels corrected by people's: coverage, width, and what is refused."""

import math

import numpy as np
import pytest

import rankgain as rg

stats = pytest.importorskip("scipy.stats")
NAMES = [f"q{at}" for at in range(2_000)]


def of(values, queries=NAMES, **more):
    values = np.asarray(values, float)
    return rg.Evaluation({"AP": values.mean()}, {"AP": values}, queries[: len(values)], **more)


def drawn(rng, n, others, noise):
    truth = rng.beta(2, 3, n + others)
    model = np.clip(truth + 0.1 + rng.normal(0, noise, n + others), 0, 1)
    return truth[:n], model


def test_the_formula_by_hand():
    rng = np.random.default_rng(1)
    people, model = drawn(rng, 40, 200, 0.2)
    f, rest = model[:40], model[40:]
    plain = rg.corrected_mean(of(model), of(people), "AP", tuned=False)
    assert plain.mean == pytest.approx(rest.mean() + (people - f).mean())
    error = math.sqrt((people - f).var(ddof=1) / 40 + rest.var(ddof=1) / 200)
    half = stats.t.ppf(0.975, 39) * error
    assert (plain.low, plain.high) == pytest.approx((plain.mean - half, plain.mean + half))
    weight = np.cov(people, f)[0, 1] / (1 + 40 / 200) / model.var(ddof=1)
    tuned = rg.corrected_mean(of(model), of(people), "AP")
    assert tuned.mean == pytest.approx(people.mean() + weight * (rest.mean() - f.mean()))
    residuals = (people - weight * f).var(ddof=1) * 39 / 38
    error = math.sqrt(residuals / 40 + weight**2 * rest.var(ddof=1) / 200)
    assert tuned.high - tuned.mean == pytest.approx(stats.t.ppf(0.975, 38) * error)
    order = rng.permutation(240)
    shuffled = of(model[order], [NAMES[at] for at in order])
    assert rg.corrected_mean(shuffled, of(people), "AP") == pytest.approx(tuned)


@pytest.mark.parametrize("tuned", [True, False])
@pytest.mark.parametrize("undefined", ["people", "model", "others of the model"])
def test_an_undefined_list_is_left_out(undefined, tuned):
    people, model = drawn(np.random.default_rng(1), 40, 200, 0.2)
    place = 230 if undefined == "others of the model" else 3
    judged, queries = NAMES[:40], NAMES[:240]
    expected_queries = [query for query in queries if query != NAMES[place]]
    expected_judged = [query for query in judged if query != NAMES[place]]
    expected = rg.corrected_mean(
        of(np.delete(model, place), expected_queries),
        of(people if place > 40 else np.delete(people, place), expected_judged),
        "AP",
        tuned=tuned,
    )
    (people if undefined == "people" else model)[place] = math.nan
    result = rg.corrected_mean(of(model), of(people), "AP", tuned=tuned)
    if undefined != "people":  # the model's value of a list without people's is one of the others
        assert result == pytest.approx(expected)
    assert not math.isnan(result.mean)


@pytest.mark.parametrize("tuned", [True, False])
def test_coverage_and_width(tuned):
    rng = np.random.default_rng(2)
    covered, narrower, repeats = 0, [], 1_500
    for _ in range(repeats):
        people, model = drawn(rng, 60, 600, 0.08)
        result = rg.corrected_mean(of(model), of(people), "AP", tuned=tuned)
        covered += result.low <= 0.4 <= result.high
        alone = 2 * 1.96 * people.std(ddof=1) / math.sqrt(60)
        narrower.append((result.high - result.low) / alone)
    assert abs(covered / repeats - 0.95) < 0.02
    assert np.mean(narrower) < 0.75


@pytest.mark.parametrize("sign", [1, -1])
def test_the_weight_stays_inside_0_and_1(sign):
    model = np.array([0.1, 0.5, 0.2, 0.4, 0.3, 0.35, 0.25, 0.15])
    people = 0.3 + sign * 9 * (model[:6] - 0.3)
    result = rg.corrected_mean(of(model), of(people), "AP")
    weight = 1.0 if sign == 1 else 0.0
    f, rest = model[:6], model[6:]
    assert result.mean == pytest.approx(people.mean() + weight * (rest.mean() - f.mean()))
    variance = (people - weight * f).var(ddof=2) / 6 + weight * rest.var(ddof=1) / 2
    half = stats.t.ppf(0.975, 4) * math.sqrt(variance)
    assert (result.low, result.high) == pytest.approx((result.mean - half, result.mean + half))


def two_systems(rng, n, others, bias):
    """By a model that likes system a, and by people for the first n lists; a is better by 0.1."""
    b = rng.beta(2, 3, n + others)
    a = b + 0.1 + rng.normal(0, 0.1, n + others)
    by_model = {"a": a + bias + rng.normal(0, 0.1, n + others), "b": b}
    return by_model, {"a": a[:n], "b": b[:n]}


def evaluations(values, queries=NAMES):
    return rg.Evaluations({name: of(one, queries) for name, one in values.items()})


@pytest.mark.parametrize("tuned", [True, False])
def test_coverage_of_differences(tuned):
    rng = np.random.default_rng(6)
    covered, models, repeats = 0, 0, 600
    for _ in range(repeats):
        by_model, by_people = two_systems(rng, 50, 400, 0.05)
        args = evaluations(by_model), evaluations(by_people)
        result = rg.corrected_mean(*args, "AP", baseline="b", tuned=tuned)
        covered += result.low <= 0.1 <= result.high
        models += abs(np.mean(by_model["a"] - by_model["b"]) - 0.1) < 0.02
    assert abs(covered / repeats - 0.95) < 0.03
    assert models == 0  # the model alone is wrong each time
