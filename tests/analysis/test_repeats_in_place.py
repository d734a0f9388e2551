"""Runs with repeats that keep their ranks: what is said of a list agrees with its value."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.cli import main
from rankgain.trec.by_query import Run

MEASURES = ["nDCG", "nDCG@3", "AP", "RR", "ERR", "P@3"]
CONVENTIONS = ["trec", "rankgain", "sklearn", "pytrec_eval", "beir", "ranx"]


def drawn(seed: int) -> tuple[dict[str, dict[str, int]], Run]:
    """A list of few ids, so that some come two or three times, with ties between them."""
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "é", "a\0", "10", "9"]
    judged = {name: int(label) for name, label in zip(names, rng.integers(0, 3, 7), strict=True)}
    del judged["c"]
    size = int(rng.integers(2, 12))
    rows = zip(rng.choice(names, size), rng.integers(0, 4, size), strict=True)
    text = [{"query": "q", "document": str(one), "score": float(s)} for one, s in rows]
    return {"q": judged}, rg.Run(text, duplicates="in_place")


@pytest.mark.parametrize("seed", range(40))
def test_an_explanation_has_the_value_of_the_list(seed: int) -> None:
    qrels, run = drawn(seed)
    rows = run.documents("q")
    for convention in CONVENTIONS:
        for ties in ("id_descending", "id", "stable", "average", "worst"):
            options: Any = {"convention": convention, "ties": ties}
            values = rg.evaluate(qrels, run, MEASURES, **options).to_dict()["q"]
            for measure in ("nDCG", "nDCG@3", "AP", "RR"):
                family, _, k = measure.partition("@")
                cut = {"k": int(k)} if k else {}
                explanation: Any = rg.explain(
                    qrels, run, query="q", measure=family, **cut, **options
                )
                value = explanation.ndcg if family == "nDCG" else explanation.value
                assert value == pytest.approx(values[measure], abs=1e-7, nan_ok=True)
                assert sorted(explanation.documents) == sorted(rows) or k
                for rank, document in enumerate(explanation.documents, 1):
                    assert (rank in explanation.unjudged) == (document not in qrels["q"])


@pytest.mark.parametrize("seed", range(20))
def test_the_documents_to_judge_are_those_of_first_rows(seed: int) -> None:
    """The effect of one judgment is the range of the mean, by evaluation with either label."""
    qrels, run = drawn(seed)
    best = rg.judge_next(qrels, run, "nDCG@3", 5, convention="rankgain")
    top = max([1, *qrels["q"].values()])
    effects = {}
    for document in set(run.documents("q")) - set(qrels["q"]):
        values = [
            rg.evaluate({"q": labels}, run, "nDCG@3", convention="rankgain")["nDCG@3"]
            for labels in (qrels["q"], {**qrels["q"], document: top})
        ]
        effects[document] = abs(values[1] - values[0])
    assert {document for _, document in best} <= {one for one, effect in effects.items() if effect}


def test_a_report_explains_them(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    qrels = {str(at): {"a": 2, "b": 1} for at in range(8)}
    runs = {
        name: rg.Run({query: list(ids) for query in qrels}, duplicates="in_place")
        for name, ids in (("one", "aab"), ("two", "xab"))
    }
    result = rg.evaluate_runs(qrels, runs, "nDCG").compare(resamples=99)
    page = tmp_path / "page.html"
    result.report(page, qrels=qrels, runs=runs)
    assert "was compared" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("policy", "value"), [("first", 1.0), ("last", 0.5), ("best", 1.0), ("in_place", 1.0)]
)
def test_the_commands_take_them(policy: str, value: float, tmp_path: Path, capsys: Any) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q 0 x 1\nq 0 b 0\n")
    run.write_text("q Q0 x 1 3 t\nq Q0 b 2 2 t\nq Q0 x 3 1 t\n")
    files = [str(qrels), str(run)]
    for command in (
        ["explain", *files, "--query", "q"],
        ["reconcile", *files, "trec", "sklearn", "-m", "RR"],
    ):
        assert main(command) == 2
        assert "--duplicates first" in capsys.readouterr().err
        assert main([*command, "--duplicates", policy]) == 0
        first = capsys.readouterr().out.splitlines()[1]
        expected = value if "RR" in command else {1.0: 1.0, 0.5: 1 / np.log2(3)}[value]
        assert f"{expected:.4f}" in first
