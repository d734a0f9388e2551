"""Tables that people paste: of evaluations and comparisons, in every format, and read back."""

import json
import pickle

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.comparison import ComparisonRow
from systems import evaluations, made

NAMES = {"s0": "a_1 & b", "s1": "=1+1", "s2": "<b>\x1b"}
TABLE = made(30, 3, 1)
TABLE[:, 2] += 0.3


@pytest.fixture
def runs():
    several = {}
    for at, name in enumerate(NAMES):
        columns = {"nDCG@10": TABLE[:, at], "Unjudged@5": TABLE[:, at] / 4}
        means = {measure: float(one.mean()) for measure, one in columns.items()}
        several[name] = rg.Evaluation(means, columns, range(30), counts={"queries": 30})
    return rg.Evaluations(several).rename(NAMES)


@pytest.fixture
def result(runs):
    return runs.compare(baseline="=1+1")


def test_evaluations_sorted_turned_and_renamed(runs):
    assert next(iter(runs.sort("ndcg_cut_10"))) == "<b>\x1b"
    assert list(runs.sort("Unjudged@5"))[-1] == "<b>\x1b"  # the smaller the better
    turned = runs.to_markdown(transpose=True, sort="nDCG@10").splitlines()
    assert turned[0].startswith(r"| measure | &lt;b&gt;\\x1b |")
    assert turned[2].startswith("| nDCG@10 | **")
    with pytest.raises(ValueError, match="two evaluations would be called 'x'"):
        runs.rename({"a_1 & b": "x", "=1+1": "x"})
    with pytest.raises(ValueError, match="there is no 'none'"):
        runs.rename({"none": "x"})
    with pytest.raises(KeyError, match="was not evaluated"):
        runs.sort("AP")
    with pytest.raises(ValueError, match="precision must be"):
        runs.to_latex(precision=-1)


def test_a_name_that_no_system_has_is_an_error_that_lists_the_systems(runs):
    first = next(iter(runs))
    with pytest.raises(KeyError) as caught:
        runs["ndcg_cut_10"]
    words = str(caught.value.args[0])
    assert words.startswith("there is no system 'ndcg_cut_10'; there are ")
    assert words.endswith(f". The mean of a measure is evaluations[{first!r}]['ndcg_cut_10']")
    with pytest.raises(KeyError, match=r"there is no system 'none'; there are [^.]*$"):
        runs["none"]
    with pytest.raises(KeyError, match=r"there is no system 3; there are "):
        runs[3]
    assert "none" not in runs
    assert runs.get("none") is None


def test_evaluations_as_data(runs, tmp_path):
    assert runs.to_dict()["=1+1"]["nDCG@10"] == TABLE[:, 1].mean()
    lines = runs.to_csv().splitlines()
    assert lines[0] == "run,nDCG@10,Unjudged@5"
    assert lines[2].startswith("'=1+1,")
    assert runs.to_csv(safe=False).splitlines()[2].startswith("=1+1,")
    assert float(lines[1].split(",")[1]) == TABLE[:, 0].mean()
    runs.to_json(tmp_path / "x.json")
    assert dict(rg.Evaluations.read(tmp_path / "x.json")) == dict(runs)
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    frame = runs.to_pandas(transpose=True)
    assert frame.loc["nDCG@10", "=1+1"] == TABLE[:, 1].mean()
    assert runs.to_polars()["run"].to_list() == list(runs)
    assert isinstance(frame, pandas.DataFrame)
    assert isinstance(runs.to_polars(), polars.DataFrame)
    (tmp_path / "x.json").write_text('{"evaluations": {"a": {}}}')
    with pytest.raises(ValueError, match=r"x.json, a: this is not an evaluation"):
        rg.Evaluations.read(tmp_path / "x.json")
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(ValueError, match="these are not evaluations"):
        rg.Evaluations.read(tmp_path / "x.json")


def test_notebooks_show_text_that_cannot_act(runs, result):
    explained = rg.explain([0, 1], [1, 2])
    precise = rg.explain([0, 1], [1, 2], measure="AP")
    reconciled = rg.reconcile([[0, 2]], [[1.0, 1.0]], "sklearn", "catboost", measure="nDCG")
    ties = rg.evaluate_arrays([[0, 1]], [[1, 1]], "AP", bounds="ties").tie_report()
    for one in (runs, result, runs["=1+1"], explained, precise, reconciled, ties):
        page = one._repr_html_()
        assert page.startswith(("<table>", "<pre>"))
        assert "<b>" not in page
    assert "&lt;b&gt;" in runs._repr_html_()
    assert result._repr_html_().count("<tr>") == 5


def test_numbers_and_stars_of_markdown_are_not_escaped(result, runs):
    assert "**" in runs.to_markdown()
    assert " | [+" in result.to_markdown().replace("[-", "[+")


def many(systems, baseline):
    random = np.random.default_rng(2)
    base = random.random(20)
    evaluations = {}
    for at in range(systems):
        values = base + at / 100 + random.normal(0, 0.001, 20)
        evaluations[f"s{at}"] = rg.Evaluation(
            {"AP": float(values.mean())}, {"AP": values}, range(20)
        )
    return rg.compare(evaluations, baseline=baseline, test="t", correction=None)


def test_a_table_longer_than_a_page_is_a_longtable():
    pytest.importorskip("scipy")
    for systems, long in ((45, False), (46, True)):
        result = many(systems, "s0")
        for one in (result, result.evaluations):
            text = one.to_latex(caption="50%", label="tab:x")
            assert (r"\begin{longtable}" in text) == long
            assert (r"\begin{tabular}" in text) == (r"\begin{table}" in text) == (not long)
            lines = text.splitlines()
            if long:
                assert r"\caption{50\%}\label{tab:x} \\" in lines
                assert lines.index(r"\endhead") < lines.index(r"\endfoot") < len(lines) - systems
                assert r"\caption" not in one.to_latex()


def test_comparisons_as_latex(result, runs):
    text = result.to_latex()
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert rows[0] == r"run & nDCG@10 & Unjudged@5 \\"
    assert rows[3].startswith(r"\textless{}b")
    assert r"\textbf{" in rows[3]
    assert r"$^{\dagger}$" in rows[3]
    every = runs.compare()
    assert every.to_latex().splitlines()[3] == r" & run & nDCG@10 & Unjudged@5 \\"
    assert "$^{ab}$" in every.to_latex()
    assert "$^{a}$" in every.to_latex(against="a_1 & b")
    assert "$^{" not in every.to_latex(against=[])
    assert r"\_1 \& b" in every.to_latex(transpose=True).splitlines()[3]
    with pytest.raises(ValueError, match="against: 'x' is not compared"):
        every.to_latex(against="x")
    with pytest.raises(ValueError, match="segment 'x' is not compared; there are none"):
        every.to_latex(segment="x")
    parts = runs.compare(by=["u"] * 10 + ["v"] * 20)
    assert f"{TABLE[10:, 2].mean():.4f}" in parts.to_latex(segment="v")
    assert f"{TABLE[:10, 2].mean():.4f}" in parts.to_latex()


def test_comparisons_as_data(result, tmp_path):
    assert result.to_dict()["rows"][0] == result.rows[0]._asdict()
    for one in (result, result.evaluations.compare(resamples=999, by=["u"] * 1 + ["v"] * 29)):
        one.to_json(tmp_path / "x.json")
        json.loads((tmp_path / "x.json").read_text(), parse_constant=pytest.fail)
        again = rg.Comparison.read(tmp_path / "x.json")
        assert again.evaluations is None
        assert str(again) == str(one)
        assert again.to_latex() == one.to_latex()
    assert rg.Comparison.read(tmp_path / "x.json").to_json() == one.to_json()
    result.to_json(tmp_path / "x.json")
    assert rg.Comparison.read(tmp_path / "x.json") == result
    lines = result.to_csv().splitlines()
    assert lines[0].split(",") == list(ComparisonRow._fields)
    assert ",'=1+1," in lines[1]
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    assert result.to_pandas()["p"].tolist() == [row.p for row in result.rows]
    assert result.to_polars()["wins"].to_list() == [row.wins for row in result.rows]


DAMAGED = {
    "it lacks 'rows'": lambda data: data.pop("rows"),
    "rows, 0: it lacks 'p'": lambda data: data["rows"][0].pop("p"),
    "expected a number": lambda data: data["rows"][0].update(p="small"),
    "rows, 0, wins: expected a whole number": lambda data: data["rows"][0].update(wins=1.5),
    "expected a list": lambda data: data.update(names="a"),
}


@pytest.mark.parametrize("message", DAMAGED)
def test_damaged_comparisons(result, message, tmp_path):
    data = json.loads(result.to_json())
    DAMAGED[message](data["comparison"])
    (tmp_path / "x.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=f"x.json: this is not a comparison.*{message}"):
        rg.Comparison.read(tmp_path / "x.json")


def test_the_print(result, runs):
    lines = str(result).splitlines()
    assert lines[0].split()[:3] == ["measure", "a", "b"]
    assert lines[2].split()[-2] == "*"
    assert r"<b>\x1b" in lines[2]
    assert lines[-6:] == [
        "30 queries (convention rankgain)",
        "p: randomisation test, 10,000 resamples, seed 0, Holm-corrected for 4 comparisons",
        "*: corrected p below 0.05; w/t/l: queries that a wins, ties, loses",
        "Unjudged@5: smaller is better, so a is better if a - b is negative",
        "p 0.0001 is the smallest p that 10,000 resamples can give",
        "95% intervals: randomisation test inverted, or Student's t if wider; not corrected",
    ]
    many = evaluations(made(20, 13)).compare(resamples=1560)
    assert len(many) == 78
    assert "... 18 more rows: .rows has them" in str(many)
    assert repr(many) == "<Comparison of 13 systems: 78 rows; print it>"
    with pytest.raises(AttributeError):
        many.rows = ()
    with pytest.raises(TypeError, match="immutable"):
        many.left_out["s0"] = 3
    assert pickle.loads(pickle.dumps(many)) == many
    assert hash(many) == hash(pickle.loads(pickle.dumps(many)))


def test_the_print_names_the_test(result):
    pytest.importorskip("scipy")
    assert "Student's t" in str(result.evaluations.compare(test="t"))


def test_models_are_evaluated_on_one_truth():
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 3, (20, 5)), {name: rng.random((20, 5)) for name in "ab"}
    sizes = rng.integers(1, 6, 20)
    names = ["nDCG@3", "AP", "R@2"]
    for truth in (labels, rg.Truth(labels, lengths=sizes)):
        more = {"lengths": sizes} if truth is labels else {}
        result = rg.evaluate_models(truth, scores, names, ties="worst", **more)
        for name, one in scores.items():
            alone = rg.evaluate_arrays(labels, one, names, lengths=sizes, ties="worst")
            assert result[name] == alone
