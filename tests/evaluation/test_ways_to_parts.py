"""Groups of ids, spans and the command line as ways to judgments with parts: the same values."""

import random
from pathlib import Path

import pytest

import rankgain as rg
from rankgain.cli import main

MEASURES = [
    "alpha_nDCG@5", "alpha_nDCG(alpha=0.3)@4", "alpha_DCG@3", "ERR_IA@5", "nERR_IA@5", "NRBP",
    "nNRBP", "AP_IA", "P_IA@5", "StRecall@3", "D_nDCG@5", "D#_nDCG@5", "nDCG@5", "AP", "R@3",
]  # fmt: skip
DRAW = random.Random(3)
IDS = [f"d{number}" for number in range(12)]
GROUPS = {
    query: [DRAW.sample(IDS, DRAW.randint(1, 3)) for _ in range(DRAW.randint(1, 4))]
    for query in "abcdefgh"
}
RETRIEVED = {query: DRAW.sample(IDS, DRAW.randint(1, 10)) for query in GROUPS}


def nested(groups: dict[str, list[list[str]]]) -> dict[str, dict[str, dict[str, int]]]:
    judged: dict[str, dict[str, dict[str, int]]] = {}
    for query, of_query in groups.items():
        labels = judged.setdefault(query, {})
        for number, group in enumerate(of_query):
            for document in group:
                labels.setdefault(document, {})[str(number)] = 1
    return judged


EXPECTED = rg.evaluate(nested(GROUPS), RETRIEVED, MEASURES).to_dict()


def test_groups_may_be_sets_and_stand_without_queries() -> None:
    of_sets = {query: [set(group) for group in groups] for query, groups in GROUPS.items()}
    assert rg.evaluate_ids(RETRIEVED, of_sets, MEASURES).to_dict() == EXPECTED
    in_order = rg.evaluate_ids(list(RETRIEVED.values()), list(GROUPS.values()), MEASURES)
    assert list(in_order.to_dict().values()) == list(EXPECTED.values())
    query = max(RETRIEVED, key=lambda one: len(RETRIEVED[one]))
    single = rg.evaluate_ids(RETRIEVED[query], GROUPS[query], MEASURES)
    assert single.means == EXPECTED[query]


def test_groups_of_several_systems() -> None:
    shuffled = {query: ids[::-1] for query, ids in RETRIEVED.items()}
    result = rg.evaluate_ids({"a": RETRIEVED, "b": shuffled}, GROUPS, MEASURES)
    assert result["a"].to_dict() == EXPECTED
    assert result["b"].to_dict() == rg.evaluate_ids(shuffled, GROUPS, MEASURES).to_dict()


def test_pairs_of_an_id_and_a_label_are_no_groups_unless_a_measure_asks_for_them() -> None:
    relevant = {"q": [[3, 7], [4, 9]]}
    assert rg.evaluate_ids({"q": [7]}, relevant, "R@1")["R@1"] == 0
    assert rg.evaluate_ids({"q": [7]}, relevant, "StRecall@1")["StRecall@1"] == 0.5
    assert rg.evaluate_ids({"q": [7]}, {"q": [{3, 7}, {4, 9}]}, "R@1")["R@1"] == 0.25


def test_wrong_groups_are_refused() -> None:
    with pytest.raises(TypeError, match=r"'p' has .*, but others have groups of ids"):
        rg.evaluate_ids({"q": ["a"], "p": ["a"]}, {"q": [["a"]], "p": ["a"]}, "StRecall@1")
    with pytest.raises(TypeError, match="groups of relevant ids have no labels"):
        rg.evaluate_ids([["a"]], [[["a"]]], "StRecall@1", gains=[[1]])


# ---- spans

CHUNKS = {
    "q": {"c1": ("report", 0, 100), "c2": ("report", 100, 200), "c3": ("annex", 0, 50)},
    "p": {"c4": ("annex", 50, 90)},
}


def test_evidence_that_no_chunk_holds_counts_as_not_found() -> None:
    evidence = {"q": [("report", 20, 60), ("report", 500, 510), ("annex", 10, 20)], "p": []}
    qrels = rg.Qrels.from_spans(CHUNKS, evidence)
    result = rg.evaluate(qrels, {"q": ["c1", "c3", "c2"]}, ["StRecall@3", "alpha_nDCG@3"])
    assert result.per_query["StRecall@3"][0] == pytest.approx(2 / 3)
    judged = {"c1": {"0": 1}, "c3": {"2": 1}, "c2": {}, "report[500:510]": {"1": 1}}
    same = rg.evaluate({"q": judged}, {"q": ["c1", "c3", "c2"]}, ["StRecall@3", "alpha_nDCG@3"])
    assert result.per_query["alpha_nDCG@3"][0] == same["alpha_nDCG@3"]


@pytest.mark.parametrize(("chunks", "evidence", "error"), [
    (CHUNKS, {"q": [("report", 20, 20)]}, "evidence: query 'q', piece 0: the span ends at 20"),
    (CHUNKS, {"q": [("report", 20, 10)]}, "the span ends at 10, but it starts at 20"),
    (CHUNKS, {"q": [("other", 0, 10)]}, "no chunk in retrieved is of the document 'other'"),
    ({"q": {"c": ("report", 9, 3)}}, {}, "retrieved: query 'q', chunk 'c': the span ends at 3"),
    ({"q": {"c": ("report", 9)}}, {}, "expected .document, start, end."),
    (CHUNKS, {"q": [("report", "0", 10)]}, "the start must be a number, not '0'"),
    (CHUNKS, {"q": [(1.5, 0, 10)]}, "the document must be text or an integer"),
    ({"q": ["c"]}, {}, "expected a dict chunk -> .document, start, end."),
    ([], {}, "retrieved must be a mapping"),
])  # fmt: skip
def test_wrong_spans_are_refused(chunks: object, evidence: object, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        rg.Qrels.from_spans(chunks, evidence)  # type: ignore[arg-type]


# ---- the command line


def test_the_command_line_reads_diversity_qrels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = str(tmp_path / "qrels"), str(tmp_path / "run")
    rg.Qrels(nested(GROUPS)).write(qrels)
    rg.Run(RETRIEVED).write(run)
    expected = rg.evaluate(nested(GROUPS), RETRIEVED, ["alpha_nDCG@5", "nDCG@5"])
    arguments = ["evaluate", qrels, run, "-m", "alpha_nDCG@5", "-m", "nDCG@5"]
    assert main([*arguments, "--subtopics"]) == 0
    shown = capsys.readouterr().out
    for mean in expected.means.values():
        assert f"{mean:.4f}" in shown
    assert main(arguments) == 2
    assert "--subtopics" in capsys.readouterr().err
