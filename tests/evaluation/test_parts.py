"""Measures of the parts of queries, against their definitions in exact fractions."""

import itertools
import math
import pickle
import random
import re
from pathlib import Path
from typing import Any

import pytest

import part_values as oracle
import rankgain as rg
from part_values import Labels
from rankgain.cli import main

# The base of a name, its cutoffs, and the parameters that a name may have.
MEASURES = {
    "alpha_DCG": ((1, 3, 10, 60), ("alpha", "rel")),
    "alpha_nDCG": ((1, 3, 10, 60), ("alpha", "rel")),
    "ERR_IA": ((1, 2, 10, 60), ("rel",)),
    "nERR_IA": ((1, 2, 10, 60), ("rel",)),
    "NRBP": ((None,), ("alpha", "beta", "rel")),
    "nNRBP": ((None,), ("alpha", "beta", "rel")),
    "AP_IA": ((None,), ("rel",)),
    "P_IA": ((1, 4, 60), ("rel",)),
    "StRecall": ((1, 4, 60), ("rel",)),
    "D_nDCG": ((1, 4, 60), ()),
    "D#_nDCG": ((1, 4, 60), ("gamma", "rel")),
}
PARAMETERS = {"alpha": (0.25, 0.75, 1), "beta": (0.75, 0.25), "gamma": (0.25, 1), "rel": (2, 0)}


def name_of(family: str, k: int | None, **params: float) -> str:
    inside = ",".join(f"{key}={value}" for key, value in params.items())
    return family + (f"({inside})" if inside else "") + ("" if k is None else f"@{k}")


NAMES = {
    name_of(family, k, **params): (family, k, params)
    for family, (cutoffs, takes) in MEASURES.items()
    for k in cutoffs
    for params in ({}, *({key: value} for key in takes for value in PARAMETERS[key]))
}


def judgments_of(
    draw: random.Random, documents: list[str], parts: int
) -> dict[str, dict[str, int]]:
    """Labels of some documents for some parts; one in ten for none."""
    judged = draw.sample(documents, draw.randint(1, len(documents)))
    return {
        document: {
            f"part {part}": draw.choice((-1, 0, 0, 1, 1, 2))
            for part in draw.sample(range(parts), draw.randint(0, parts))
        }
        for document in judged
    }


def scene(seed: int) -> tuple[dict[str, Labels], dict[str, list[str]]]:
    """Judgments and rankings: queries without results, without parts, of one document, of many."""
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(14)]
    judged: dict[str, Labels] = {}
    ranked: dict[str, list[str]] = {}
    for query in map(str, range(12)):
        judged[query] = judgments_of(draw, documents, draw.randint(1, 5))
        ranked[query] = draw.sample(documents, draw.randint(0, len(documents)))
    judged["bare"] = {"d1": {"part 0": 0, "part 1": -1}, "d2": {}}
    ranked["bare"] = ["d2", "d1"]
    judged["unanswered"] = {"d1": {"part 0": 1}}
    return judged, ranked


def run_of(ranked: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    return {
        query: {document: float(-rank) for rank, document in enumerate(documents)}
        for query, documents in ranked.items()
    }


@pytest.mark.parametrize("seed", range(6))
def test_values_are_those_of_the_definitions(seed: int) -> None:
    judged, ranked = scene(seed)
    result = rg.evaluate(judged, run_of(ranked), list(NAMES))
    for name, (family, k, params) in NAMES.items():
        values = dict(
            zip(result.queries, result.per_query[str(rg.parse_measure(name))], strict=True)
        )
        for query, labels in judged.items():
            options = params if k is None else {**params, "k": k}
            expected = oracle.value(family, ranked.get(query, []), labels, **options)
            assert values[query] == pytest.approx(float(expected), abs=1e-12), (name, query)


def test_the_ideal_takes_the_greatest_id_of_equal_gains_and_is_greedy() -> None:
    judged = {"q": {"a": {"1": 1, "2": 1}, "b": {"1": 1, "3": 1}, "c": {"2": 1, "4": 1}}}
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        # c, then b; or with other ids the same parts in another order
        value = rg.evaluate(judged, {"q": [first, second]}, "alpha_nDCG@2")["alpha_nDCG@2"]
        expected = oracle.value("alpha_nDCG", [first, second], judged["q"], k=2)
        assert value == pytest.approx(float(expected), abs=1e-15)
    assert oracle.ideal(judged["q"], oracle.Fraction(1, 2), 1) == ["c", "b", "a"]


@pytest.mark.parametrize(("ties", "why"), [
    ("average", "is not computed"), ("best", "for all parts"), ("worst", "for all parts"),
])  # fmt: skip
def test_other_rules_are_refused_if_documents_tie(ties: str, why: str) -> None:
    judged = {"q": {"a": {"1": 1}, "b": {"2": 1}}}
    tied, ordered = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 2.0, "b": 1.0}}
    assert rg.evaluate(judged, ordered, "StRecall@2", ties=ties)["StRecall@2"] == 1
    assert rg.evaluate(judged, tied, "D_nDCG@1", ties=ties)["D_nDCG@1"] == 1


@pytest.mark.parametrize("labels", list(itertools.permutations([-2, -1, 0, 1], 2)))
def test_the_label_of_a_document_is_the_largest_of_its_parts(labels: tuple[int, int]) -> None:
    first, second = labels
    qrels = rg.Qrels({"q": {"a": {"x": first, "y": second}, "b": {"x": second}, "c": {}}})
    assert qrels["q"] == {"a": max(labels), "b": second, "c": 0}


# ---- judgments


def test_qrels_keep_their_parts() -> None:
    judged, _ = scene(1)
    qrels = rg.Qrels(judged)
    names = {
        query: tuple(sorted({part for parts in labels.values() for part in parts}))
        for query, labels in judged.items()
    }
    assert qrels.subtopics == names
    assert repr(qrels).endswith(f", {sum(map(len, names.values()))} parts)")
    for copy in (rg.Qrels(qrels), pickle.loads(pickle.dumps(qrels))):
        assert copy == qrels
        assert hash(copy) == hash(qrels)
        assert copy.subtopics == names
    changed = {**judged, "bare": {**judged["bare"], "d1": {"part 0": 0, "part 1": 0}}}
    assert rg.Qrels(changed) != qrels
    assert qrels != rg.Qrels(qrels.to_dict())
    assert rg.Qrels(dict(reversed(judged.items()))) == qrels


def test_diversity_qrels_are_read_with_subtopics(tmp_path: Path) -> None:
    judged, ranked = scene(1)
    judged["bare"] = {"d1": judged["bare"]["d1"]}  # a file has no document without a part
    judged = {
        query: {document: parts for document, parts in labels.items() if parts}
        for query, labels in judged.items()
    }
    rows = [
        f"{query} {part.replace(' ', '_')} {document} {label}"
        for query, labels in judged.items()
        for document, parts in labels.items()
        for part, label in parts.items()
    ]
    path = tmp_path / "diversity.qrels"
    path.write_text("\n".join(random.Random(1).sample(rows, len(rows))) + "\n")
    qrels = rg.Qrels(path, subtopics=True)
    named = {
        query: {
            document: {part.replace(" ", "_"): label for part, label in parts.items()}
            for document, parts in labels.items()
        }
        for query, labels in judged.items()
    }
    assert qrels == rg.Qrels(named)
    qrels.write(tmp_path / "written.gz")
    assert rg.Qrels(tmp_path / "written.gz", subtopics=True) == qrels
    of_file = rg.evaluate(qrels, run_of(ranked), list(NAMES))
    in_order = rg.evaluate({query: named[query] for query in qrels}, run_of(ranked), list(NAMES))
    assert of_file.to_dict() == in_order.to_dict()


@pytest.mark.parametrize(("duplicates", "label"), [
    ("first", 1), ("last", 0), ("best", 3), ("mean", 4 / 3),
])  # fmt: skip
def test_one_of_several_labels_for_a_subtopic(
    tmp_path: Path, duplicates: str, label: float
) -> None:
    path = tmp_path / "q"
    path.write_text("1 1 a 1\n1 1 b 2\n1 1 a 3\n1 1 a 0\n")
    qrels = rg.Qrels(path, subtopics=True, duplicates=duplicates)
    assert qrels["1"] == {"a": label, "b": 2}


def test_fields_of_documents_are_no_parts() -> None:
    assert rg.Qrels({"q": {"a": {"rating": 2}}})["q"] == {"a": 2}
    judged = rg.Qrels({"q": {"a": {"rating": 2}}}, subtopics=True)
    assert judged.subtopics == {"q": ("rating",)}
    assert repr(judged) == "Qrels(1 query, 1 judgment, 1 part)"


def test_a_frame_has_a_column_of_subtopics_and_perhaps_of_weights() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [("q", "a", "x", 1, 2.0), ("q", "b", "y", 2, 1.0), ("q", "a", "y", 0, 1.0)]
    frame = pandas.DataFrame(rows, columns=["query", "doc", "nugget", "label", "weight"])
    nested = rg.Qrels({"q": {"a": {"x": 1, "y": 0}, "b": {"y": 2}}})
    assert rg.Qrels.from_frame(frame, subtopic="nugget") == nested
    run = {"q": ["b", "a"]}
    of_column = rg.Qrels.from_frame(frame, subtopic="nugget", importance="weight")
    of_mapping = rg.Qrels.from_frame(
        frame, subtopic="nugget", importance={"q": {"x": 2.0, "y": 1.0}}
    )
    assert of_column == of_mapping != nested
    expected = oracle.value(
        "D_nDCG", ["b", "a"], {"a": {"x": 1, "y": 0}, "b": {"y": 2}}, {"x": 2.0, "y": 1.0}, k=1
    )
    assert rg.evaluate(of_column, run, "D_nDCG@1")["D_nDCG@1"] == float(expected)
    numbered = frame.assign(query=0, nugget=[1, 2, 2])
    weights = {"0": {"1": 2.0, "2": 1.0}}, {0: {1: 2.0, 2: 1.0}}
    by_text, by_number = (
        rg.Qrels.from_frame(numbered, subtopic="nugget", importance=mapping) for mapping in weights
    )
    assert by_text == by_number != rg.Qrels.from_frame(numbered, subtopic="nugget")
    changed = {"q": {"x": 4.0, "y": 1.0}}
    heavier = rg.Qrels.from_frame(frame, subtopic="nugget", importance=changed)
    assert rg.evaluate(heavier, run, "D_nDCG@1")["D_nDCG@1"] == 0.5
    assert rg.evaluate(heavier, run, "StRecall@1")["StRecall@1"] == 0.5


@pytest.mark.parametrize(("importance", "error"), [
    ({"q": {"x": 1}}, "importance: subtopic 'y' of query 'q' is missing; give each subtopic"),
    ({}, "importance: query 'q' is missing"),
    ({"q": {"x": 0, "y": 0}}, "importance: query 'r' is missing"),
    ({"q": {"x": 0, "y": 0}, "r": 3}, "importance: query 'r' is not a dict subtopic -> weight"),
    *(({"q": {"x": 1, "y": weight}, "r": {"x": -2}},
       f"importance: subtopic 'y' of query 'q' has the weight {weight!r}; it must be a finite")
      for weight in (-1, math.nan, math.inf, True, "1")),
    ("weight", "the DataFrame, row 3: importance: subtopic 'y' of query 'q' has the weights 1 and"),
    ("negative", "the DataFrame, row 2: importance: the weight of subtopic 'y' is -1; it must be"),
    ("none", "the DataFrame: no column 'none' (importance=). Columns: query, doc, nugget, label"),
    ("", "the DataFrame: no column '' (importance=). Columns: query, doc, nugget, label, weight"),
    (3, "importance must be the name of a column or a mapping query -> subtopic -> weight, not 3"),
])  # fmt: skip
def test_wrong_weights_are_refused(importance: object, error: str) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [("q", "a", "x", 1, 1, 1), ("q", "b", "y", 2, 1, -1), ("q", "a", "y", 0, 2, -2)]
    columns = ["query", "doc", "nugget", "label", "weight", "negative"]
    frame = pandas.DataFrame([*rows, ("r", "a", "x", 1, 3, 1)], columns=columns)
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(error)}"):
        rg.Qrels.from_frame(frame, subtopic="nugget", importance=importance)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="name their column with subtopic="):
        rg.Qrels.from_frame(frame, importance=importance)  # type: ignore[arg-type]


def greedy_ideal(judged: dict[str, dict[str, int]]) -> list[str]:
    """The documents in the order of the greedy ideal with alpha 0.5, in which sums are exact."""
    left = {part: 1.0 for parts in judged.values() for part in parts}
    ideal: list[str] = []
    remaining = set(judged)
    while remaining:
        gain = {name: sum(left[part] for part in judged[name]) for name in remaining}
        best = max(remaining, key=lambda name: (gain[name], name.encode()))
        ideal.append(best)
        remaining.remove(best)
        for part in judged[best]:
            left[part] /= 2
    return ideal


@pytest.mark.parametrize(("n_parts", "n_documents"), [(3, 10), (5, 40), (9, 60), (30, 150)])
def test_greedy_ideals_at_every_cutoff(n_parts: int, n_documents: int) -> None:
    """Few and many sets of parts; documents with equal gains may share parts with each other."""
    names = [f"alpha_nDCG@{k}" for k in range(2, n_documents + 1)]
    judged, run = {}, {}
    for query in map(str, range(40)):
        draw = random.Random(f"{n_parts} {query}")
        judged[query] = {
            f"d{number:03}": {
                str(part): 1 for part in draw.sample(range(n_parts), draw.randint(1, 3))
            }
            for number in draw.sample(range(1000), n_documents)
        }
        run[query] = greedy_ideal(judged[query])
    groups = {
        query: [[name for name in labels if str(part) in labels[name]] for part in range(n_parts)]
        for query, labels in judged.items()
    }
    for result in (
        rg.evaluate(judged, run, names),
        rg.evaluate_ids(run, groups, names, convention="trec"),
    ):
        for name in names:
            assert set(result.per_query[name].tolist()) == {1.0}, name


# ---- groups of ids, spans and the command line as ways to the same values


NAMES_OF_WAYS = [
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


EXPECTED = rg.evaluate(nested(GROUPS), RETRIEVED, NAMES_OF_WAYS).to_dict()


def test_groups_may_be_sets_and_stand_without_queries() -> None:
    of_sets = {query: [set(group) for group in groups] for query, groups in GROUPS.items()}
    assert rg.evaluate_ids(RETRIEVED, of_sets, NAMES_OF_WAYS).to_dict() == EXPECTED
    in_order = rg.evaluate_ids(list(RETRIEVED.values()), list(GROUPS.values()), NAMES_OF_WAYS)
    assert list(in_order.to_dict().values()) == list(EXPECTED.values())
    query = max(RETRIEVED, key=lambda one: len(RETRIEVED[one]))
    single = rg.evaluate_ids(RETRIEVED[query], GROUPS[query], NAMES_OF_WAYS)
    assert single.means == EXPECTED[query]


def test_groups_of_several_systems() -> None:
    shuffled = {query: ids[::-1] for query, ids in RETRIEVED.items()}
    result = rg.evaluate_ids({"a": RETRIEVED, "b": shuffled}, GROUPS, NAMES_OF_WAYS)
    assert result["a"].to_dict() == EXPECTED
    assert result["b"].to_dict() == rg.evaluate_ids(shuffled, GROUPS, NAMES_OF_WAYS).to_dict()


def test_pairs_of_an_id_and_a_label_are_no_groups_unless_a_measure_asks_for_them() -> None:
    relevant = {"q": [[3, 7], [4, 9]]}
    assert rg.evaluate_ids({"q": [7]}, relevant, "R@1")["R@1"] == 0
    assert rg.evaluate_ids({"q": [7]}, relevant, "StRecall@1")["StRecall@1"] == 0.5
    assert rg.evaluate_ids({"q": [7]}, {"q": [{3, 7}, {4, 9}]}, "R@1")["R@1"] == 0.25


@pytest.mark.parametrize("as_argument", [dict, lambda groups: list(groups.values())])
def test_groups_in_any_row_say_that_all_rows_hold_groups(as_argument: Any) -> None:
    """Two integers may be an id and its label, or a group: beside a group of three, a group."""
    retrieved = {"p": [1, 3], "q": [6, 5], "r": [8]}
    groups = {"p": [[1, 2], [3, 4]], "q": [[5, 6, 7]], "r": [[8, 9]]}
    expected = {"p": {"R@2": 2 / 4}, "q": {"R@2": 2 / 3}, "r": {"R@2": 1 / 2}}
    for order in itertools.permutations("pqr"):
        of_order = {query: groups[query] for query in order}
        lists = {query: retrieved[query] for query in order}
        result = rg.evaluate_ids(as_argument(lists), as_argument(of_order), "R@2").to_dict()
        assert list(result.values()) == [expected[query] for query in order]


# ---- spans

A_SPAN = '(document, start, end), such as ("report", 0, 120)'
CHUNKS = {
    "q": {"c1": ("report", 0, 100), "c2": ("report", 100, 200), "c3": ("annex", 0, 50)},
    "p": {"c4": ("annex", 50, 90)},
}


def test_evidence_that_no_chunk_holds_counts_as_not_found() -> None:
    evidence = {"q": [("report", 20, 60), ("report", 500, 510), ("annex", 10, 20)], "r": []}
    evidence["p"] = [("report", 0, 10)]  # of which q alone has chunks
    qrels = rg.Qrels.from_spans(CHUNKS, evidence)
    result = rg.evaluate(qrels, {"q": ["c1", "c3", "c2"]}, ["StRecall@3", "alpha_nDCG@3"])
    assert result.per_query["StRecall@3"][0] == pytest.approx(2 / 3)
    judged = {
        "c1": {"0": 1, "1": 0}, "c2": {"0": 0, "1": 0}, "c3": {"2": 1}, "report[500:510]": {"1": 1}
    }  # fmt: skip
    assert qrels == rg.Qrels({"q": judged, "p": {"c4": {}, "report[0:10]": {"0": 1}}})
    same = rg.evaluate({"q": judged}, {"q": ["c1", "c3", "c2"]}, ["StRecall@3", "alpha_nDCG@3"])
    assert result.per_query["alpha_nDCG@3"][0] == same["alpha_nDCG@3"]


@pytest.mark.parametrize(("overlap", "labels"), [
    ({}, (0, 1)), ({"min_overlap": 0.25}, (1, 1)), ({"min_overlap": 0.26}, (0, 1)),
    ({"min_overlap": 1}, (0, 0)),
])  # fmt: skip
def test_a_chunk_covers_a_piece_from_the_least_overlap_on(
    overlap: Any, labels: tuple[int, int]
) -> None:
    qrels = rg.Qrels.from_spans(CHUNKS, {"q": [("report", 90, 130)]}, **overlap)
    assert {document: qrels["q"][document] for document in ("c1", "c2")} == {
        "c1": labels[0], "c2": labels[1]
    }  # fmt: skip
    assert ("report[90:130]" in qrels["q"]) == (labels == (0, 0))


@pytest.mark.parametrize(("arguments", "error"), [
    ({"retrieved": [], "evidence": []}, "retrieved must be a mapping of queries, not []"),
    ({"evidence": []}, "evidence must be a mapping of queries, not []"),
    *(({"evidence": {"p": [], "q": pieces}},
       f"evidence: query 'q': expected a list of {A_SPAN}, not {pieces!r}") for pieces in (3, "a")),
    *(({"min_overlap": overlap}, f"min_overlap must be above 0 and at most 1, not {overlap!r}")
      for overlap in (0, -0.5, 1.5, math.nan, True, "half", None)),
])  # fmt: skip
def test_wrong_arguments_of_spans_are_refused(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        rg.Qrels.from_spans(**{"retrieved": {}, "evidence": {}, **arguments})
    assert str(caught.value) == error


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


def test_a_piece_that_nothing_covers_is_covered_by_no_chunk_of_any_name() -> None:
    chunks = {"q": {"report[300:310]": ("report", 0, 100)}}
    qrels = rg.Qrels.from_spans(chunks, {"q": [("report", 300, 310)]})
    assert rg.evaluate(qrels, {"q": ["report[300:310]"]}, "StRecall@1")["StRecall@1"] == 0.0


def test_parts_are_in_the_order_of_numbers_and_then_of_names() -> None:
    labels = {"10": 1, "b": 0, "2": 1, "a": 1, "1": 1}
    assert rg.Qrels({"q": {"x": labels}}).subtopics == {"q": ("1", "2", "10", "a", "b")}
