"""Inside ir_measures' own functions, and in an experiment of PyTerrier."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.qrels import as_frames, draw_qrels
from sampling import sampled

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
pytestmark = pytest.mark.filterwarnings("default")
NAMES = (
    "nDCG nDCG@5 nDCG@100 AP AP@10 RR RR@3 RR@10 RR(rel=2)@10 P@5 P@100 R@10 R(rel=2)@10 Success@5 "
    "Rprec AP(rel=2) Bpref Bpref(rel=2) infAP IPrec@0.1 IPrec(rel=2)@0.5 SetP SetR SetF SetAP "
    "SetP(relative=True) SetF(beta=2.0) Judged@1 Judged@5 Judged P(rel=2)@5 NumRet NumRet(rel=1) "
    "NumRel NumQ"
).split()
# Apart: beside them, the host's NumRet counts what the order of a set says.
CONDENSED = "AP(judged_only=True)@10 P(judged_only=True)@5 RR(judged_only=True)".split()
CASES = range(12)


def rows(measures: list[Any], qrels: Any, run: Any) -> dict[Any, float]:
    return {
        (row.query_id, str(row.measure)): row.value
        for row in ir_measures.iter_calc(measures, qrels, run)
    }


def namedtuples(qrels: Any, run: Any) -> tuple[list[Any], list[Any]]:
    return (
        [ir_measures.Qrel(q, d, x) for q, docs in qrels.items() for d, x in docs.items()],
        [ir_measures.ScoredDoc(q, d, x) for q, docs in run.items() for d, x in docs.items()],
    )


def own(function: Any, *arguments: Any, adapter: Any) -> Any:
    """What the host gives without us."""
    providers = ir_measures.DefaultPipeline.providers
    providers.remove(adapter.provider)
    try:
        return function(*arguments)
    finally:
        providers.insert(1, adapter.provider)


@pytest.mark.parametrize(
    ("case", "form", "names"),
    sampled(CASES, ["dict", "pandas", "namedtuples"], [NAMES, CONDENSED], one_in=3),
)
def test_every_measure_that_both_know(case: int, form: str, names: list[str], adapter: Any) -> None:
    qrels, run = draw_qrels(case)
    if form == "pandas":
        qrels, run = as_frames(qrels, run, form)
    elif form == "namedtuples":
        qrels, run = namedtuples(qrels, run)
    measures = [ir_measures.parse_measure(name) for name in names]
    pipeline = ir_measures.DefaultPipeline.providers
    assert all(adapter.provider.supports(one) for one in measures)
    assert pipeline.index(adapter.provider) == 1
    theirs = own(rows, measures, qrels, run, adapter=adapter)
    ours = rows(measures, qrels, run)
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        if not np.isnan(value):  # 0 / 0 in the host
            np.testing.assert_allclose(ours[key], value, rtol=1e-15, err_msg=str(key))
    means = ir_measures.calc_aggregate(measures, qrels, run)
    expected = own(ir_measures.calc_aggregate, measures, qrels, run, adapter=adapter)
    assert means.keys() == expected.keys()
    for measure, value in expected.items():
        if not np.isnan(value):
            np.testing.assert_allclose(means[measure], value, rtol=1e-14, err_msg=str(measure))


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval.pl needs perl")
@pytest.mark.parametrize("case", range(3))
def test_what_gdeval_computes(case: int, adapter: Any) -> None:
    qrels, run = draw_qrels(case, (-1, 0, 1, 2, 3, 4))
    measures = [ir_measures.parse_measure(x) for x in ("nDCG(dcg='exp-log2')@10", "ERR@20")]
    theirs = own(rows, measures, qrels, run, adapter=adapter)
    assert rows(measures, qrels, run) == pytest.approx(theirs, abs=1e-12)
    means = own(ir_measures.calc_aggregate, measures, qrels, run, adapter=adapter)
    assert ir_measures.calc_aggregate(measures, qrels, run) == pytest.approx(means, abs=1e-12)


def test_the_scale_of_one_measure_is_not_that_of_the_next(adapter: Any) -> None:
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 2.0}}
    names = ["RBP(p=0.999)", "NERR10(max_rel=1)", "INSQ(max_rel=3)"]
    measures = [ir_measures.parse_measure(name) for name in names]
    alone = {}
    for measure in measures:
        alone |= adapter.provider.evaluator([measure], qrels).calc_aggregate(run)
    for together in (measures, measures[::-1]):
        assert adapter.provider.evaluator(together, qrels).calc_aggregate(run) == alone


def test_gains_do_not_depend_on_the_order_of_measures(adapter: Any) -> None:
    qrels, run = draw_qrels(1, (0, 1, 2, 3))
    gained = ir_measures.parse_measure("nDCG(gains={1:5,3:1})@10")
    want = own(rows, [gained], qrels, run, adapter=adapter)
    other = ir_measures.parse_measure("AP(rel=2)")
    for measures in ([gained, other], [other, gained], [gained]):
        result = rows(measures, qrels, run)
        assert {key: result[key] for key in want} == pytest.approx(want, rel=1e-15)


def test_an_experiment_of_pyterrier() -> None:
    """In a process of its own: PyTerrier starts a Java machine only where it is asked to."""
    pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    code = """
import json, sys
import pandas as pd, pyterrier as pt, ir_measures
from ir_measures import nDCG, AP, RR
topics = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["a", "b", "c"]})
qrels = pd.DataFrame({"qid": ["1", "1", "2", "3"], "docno": ["d1", "d2", "d1", "d9"],
    "label": [2, 1, 1, 1]})
run = pd.DataFrame({"qid": ["1", "1", "1", "2"], "query": ["a"] * 3 + ["b"],
    "docno": ["d2", "d3", "d1", "d4"], "score": [3.0, 3.0, 1.0, 1.0], "rank": [0, 1, 2, 0]})
def experiment():
    one = pt.Transformer.from_df(run)
    return pt.Experiment([one], topics, qrels, [nDCG @ 10, AP, RR @ 10]).iloc[0, 1:].to_dict()
theirs = experiment()
import rankgain.integrations.ir_measures as adapter
calls = []
evaluate = adapter.evaluate
adapter.evaluate = lambda *a, **k: calls.append(1) or evaluate(*a, **k)
print(json.dumps([theirs, experiment(), len(calls)]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    theirs, ours, calls = json.loads(done.stdout.splitlines()[-1])
    assert ours == pytest.approx(theirs, rel=1e-15)
    assert calls


def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 2\n")
    (tmp_path / "run").write_text("q Q0 a 1 3.0 t\nq Q0 b 2 2.0 t\n")
    arguments = ["qrels", "run", "nDCG@10", "AP", "--provider", "rankgain"]
    command = [sys.executable, "-W", "ignore", "-m", "rankgain.integrations.ir_measures"]
    done = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True)
    means = dict(line.split() for line in done.stdout.splitlines())
    assert means == {"AP": "1.0000", "nDCG@10": "0.8597"}, done.stderr


def test_measures_of_subtopics_beside_others(adapter: Any) -> None:
    rows = [("q", "a", 1, "x"), ("q", "a", 0, "y"), ("q", "b", 2, "y"), ("p", "a", 1, "z")]
    qrels = [ir_measures.Qrel(*row) for row in rows]
    run = {"q": {"a": 1.0, "b": 1.0, "c": 0.5}, "p": {"b": 1.0}}
    judged = {"q": {"a": {"x": 1, "y": 0}, "b": {"y": 2}}, "p": {"a": {"z": 1}}}
    names = ["alpha_nDCG@10", "StRecall(rel=2)@1", "NRBP", "AP_IA", "ERR_IA@30"]
    measures = [*map(ir_measures.parse_measure, names), ir_measures.P @ 2]
    means = ir_measures.calc_aggregate(measures, iter(qrels), run)
    expected = rg.evaluate(judged, run, names, ties="id").means
    assert {str(measure): mean for measure, mean in means.items()} == {
        **{str(measure): expected[str(rg.parse_measure(str(measure)))] for measure in measures[:5]},
        "P@2": 0.25,  # the host takes the last label of a document
    }


def test_importing_the_module_puts_it_before_the_providers_of_the_host() -> None:
    """Only "runtime" stays before it, whose measures are functions of the user."""
    script = """
import ir_measures
import rankgain.integrations.ir_measures as adapter
import importlib
importlib.reload(adapter)
names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
assert names[:2] == ["runtime", "rankgain"], names
assert names.count("rankgain") == 1
"""
    subprocess.run([sys.executable, "-c", script], check=True)
