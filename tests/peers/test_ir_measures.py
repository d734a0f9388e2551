"""Beside ir_measures, which passes most measures to pytrec_eval, RR@k and gdeval's to others."""

import shutil
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import as_frames, draw_qrels
from sampling import sampled

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
pytestmark = pytest.mark.filterwarnings("default")
NAMES = (
    "nDCG nDCG@5 nDCG@100 AP AP@10 RR RR@3 RR@10 P@5 P@100 R@10 Success@5 Rprec AP(rel=2) "
    "Bpref Bpref(rel=2) infAP IPrec@0.1 IPrec@0.0 IPrec@1.0 IPrec(rel=2)@0.5 SetP SetR SetF SetAP "
    "SetAP(rel=2) SetP(relative=True) SetF(beta=2.0) SetF(beta=0.5) Judged@1 Judged@5 Judged@100 "
    "P(rel=2)@5 Judged NumRet NumRet(rel=1) NumRet(rel=2) NumRel NumQ"
).split()
CONDENSED = "AP(judged_only=True)@10 P(judged_only=True)@5 RR(judged_only=True)".split()
needs_perl = pytest.mark.skipif(not shutil.which("perl"), reason="gdeval.pl needs perl")


def theirs(names: list[str], qrels: Any, run: Any) -> tuple[dict[str, Any], dict[str, float]]:
    """Return the values per measure and query, and the means."""
    measures = [ir_measures.parse_measure(name) for name in names]
    values: dict[str, Any] = {str(measure): {} for measure in measures}
    for row in ir_measures.iter_calc(measures, qrels, run):
        values[str(row.measure)][row.query_id] = row.value
    means = ir_measures.calc_aggregate(measures, qrels, run)
    return values, {str(measure): value for measure, value in means.items()}


def compare(result: Any, name: str, values: Any, means: Any) -> None:
    """Compare one measure; where there are no results, theirs is 0 and a count here nan."""
    measure = str(rg.parse_measure(name))
    key = str(ir_measures.parse_measure(name))
    assert set(values[key]) == set(result.queries)
    actual = result.per_query[measure]
    if name in ("NumQ", "NumRel"):
        actual = np.nan_to_num(actual)
    close(actual, [values[key][query] for query in result.queries])
    close(result.means[measure], means[key])


@pytest.mark.parametrize(("case", "form", "names"), [
    *sampled(CASES, ["pandas", "polars"], [NAMES]),
    *((case, "dict", names) for case in CASES for names in (NAMES, CONDENSED)),
])  # fmt: skip
def test_every_query(case: int, form: str, names: list[str]) -> None:
    qrels, run = draw_qrels(case)
    values, means = theirs(names, qrels, run)
    sources = (qrels, run) if form == "dict" else as_frames(qrels, run, form)
    result = rg.evaluate(*sources, names, convention="ir_measures")
    for name in names:
        compare(result, name, values, means)


def test_rr_breaks_ties_one_way_and_rr_at_k_the_other() -> None:
    qrels, run = {"1": {"x0": 0, "y1": 1}}, {"1": {"x0": 1.0, "y1": 1.0}}
    _, means = theirs(["RR", "RR@10"], qrels, run)
    result = rg.evaluate(qrels, run, ["RR", "RR@10"], convention="ir_measures")
    assert (means["RR"], means["RR@10"]) == (1.0, 0.5)
    assert (result.means["RR"], result.means["RR@10"]) == (1.0, 0.5)


@needs_perl
@pytest.mark.parametrize("case", range(4))
@pytest.mark.parametrize("k", [1, 5, 20, 100])
def test_gdeval(case: int, k: int) -> None:
    qrels, run = draw_qrels(case, (-1, 0, 1, 2, 3, 4), one_sided=False)
    names = [f"nDCG(dcg='exp-log2')@{k}", f"ERR@{k}"]
    values, _ = theirs(names, qrels, run)
    result = rg.evaluate(qrels, run, [f"nDCG@{k}", f"ERR@{k}"], convention="gdeval")
    for name, measure in zip(names, result.means, strict=True):
        for query, value in zip(result.queries, result.per_query[measure], strict=True):
            if np.isnan(value):
                assert values[name][query] == 0  # gdeval is silent, ir_measures fills in
            else:
                close(value, values[name][query])


@needs_perl
def test_err_is_gdeval_s() -> None:
    qrels, run = draw_qrels(2, (-1, 0, 1, 2, 3, 4))
    values, means = theirs(["ERR@20"], qrels, run)
    result = rg.evaluate(qrels, run, ["ERR@20"], convention="ir_measures")
    close(result.per_query["ERR@20"], [values["ERR@20"][query] for query in result.queries])
    close(result.means["ERR@20"], means["ERR@20"])


OF_SUBTOPICS = (
    "alpha_nDCG@5 alpha_nDCG@20 alpha_DCG@1 alpha_DCG@10 ERR_IA@1 ERR_IA@20 nERR_IA@5 NRBP nNRBP "
    "AP_IA P_IA@5 StRecall@5 alpha_nDCG(alpha=0.25)@10 alpha_nDCG(rel=2)@10 StRecall(rel=2)@5 "
    "NRBP(alpha=0.25,beta=0.75)"
).split()


@pytest.mark.parametrize("name", OF_SUBTOPICS)
def test_measures_of_subtopics(name: str) -> None:
    """pyndeval's values, of scores that tie, and with labels below 0."""
    pytest.importorskip("pyndeval", reason="pyndeval is not installed")
    draw = np.random.default_rng(5)
    rows = [
        (f"q{query}", f"d{document}", str(part), int(draw.integers(-1, 3)))
        for query in range(15)
        for document in draw.permutation(30)[:20].tolist()
        for part in draw.permutation(5)[: draw.integers(1, 4)].tolist()
    ]
    run = {
        f"q{query}": {
            f"d{document}": float(draw.integers(0, 12))
            for document in draw.permutation(30)[:22].tolist()
        }
        for query in range(15)
    }
    judged: dict[str, dict[str, dict[str, int]]] = {}
    for query, document, part, label in rows:
        judged.setdefault(query, {}).setdefault(document, {})[part] = label
    result = rg.evaluate(judged, run, name, ties="id")
    qrels = [ir_measures.Qrel(query, doc, label, part) for query, doc, part, label in rows]
    values, means = theirs([name], qrels, run)
    compare(result, name, values, means)
