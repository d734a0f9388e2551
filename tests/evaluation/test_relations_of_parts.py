"""Every pair of choices of a call with parts, against the definitions for rankings made by hand."""

import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import part_values as oracle
import rankgain as rg
from pairwise import Row, name_of, rows_of
from part_values import Labels

MEASURES = {
    "alpha_nDCG@3": ("alpha_nDCG", {"k": 3}),
    "alpha_nDCG(alpha=0.25)@12": ("alpha_nDCG", {"k": 12, "alpha": 0.25}),
    "alpha_DCG@4": ("alpha_DCG", {"k": 4}),
    "nERR_IA@4": ("nERR_IA", {"k": 4}),
    "NRBP": ("NRBP", {}),
    "nNRBP(beta=0.75)": ("nNRBP", {"beta": 0.75}),
    "AP_IA": ("AP_IA", {}),
    "P_IA@3": ("P_IA", {"k": 3}),
    "StRecall(rel=2)@4": ("StRecall", {"k": 4, "rel": 2}),
    "D_nDCG@4": ("D_nDCG", {"k": 4}),
    "D#_nDCG(gamma=0.25)@4": ("D#_nDCG", {"k": 4, "gamma": 0.25}),
}
AXES: dict[str, list[Any]] = {
    "way": ["dict", "file", "frame", "Qrels"],
    "run": ["frame", "file", "Run"],
    "ties": ["id", "id_descending", "stable", "reverse"],
    "scores": ["equal ones", "distinct"],
    "repeats": ["none", "first", "best", "in_place"],
    "exclude": [False, True],
    "judged_only": [False, True],
    "empty": [None, 0.5, math.nan],
    "weight": [False, True],
    "threads": [1, 3],
    "convention": ["trec", "rankgain"],
}
DOCUMENTS = [f"d{number}" for number in range(9)]
Rows = list[tuple[str, float]]  # documents with their scores, in the order of the input


def possible(row: Row) -> bool:
    # A file or a run that is read has an order of its own for equal scores.
    in_input_order = row["ties"] in ("stable", "reverse") and row["run"] == "file"
    return not (in_input_order and row["repeats"] != "none")


def scene(draw: random.Random, row: Row) -> tuple[dict[str, Labels], dict[str, Rows]]:
    judged: dict[str, Labels] = {}
    results: dict[str, Rows] = {}
    for query in map(str, range(7)):
        judged[query] = {
            document: {
                str(part): draw.choice((-1, 0, 1, 1, 2))
                for part in draw.sample(range(4), draw.randint(1, 4))
            }
            for document in draw.sample(DOCUMENTS, draw.randint(1, 8))
        }
        found = draw.sample(DOCUMENTS, draw.randint(1, 9))
        if row["repeats"] != "none":
            found += draw.choices(found, k=2)
        highest = 3 if row["scores"] == "equal ones" else 10**6
        results[query] = [(document, float(draw.randint(1, highest))) for document in found]
    judged["bare"] = {"d1": {"0": 0}}
    results["bare"] = [("d1", 1.0)]
    return judged, results


def ranking(rows: Rows, row: Row, excluded: list[str], judged: Labels) -> list[str]:
    """The documents by rank; repeats that do not count have names of their own."""
    numbered = [(document, score, place) for place, (document, score) in enumerate(rows)]
    if row["repeats"] == "first":
        numbered = list({one[0]: one for one in numbered[::-1]}.values())
    elif row["repeats"] == "best":
        ordered = sorted(numbered, key=lambda one: (one[1], -one[2]))
        numbered = list({one[0]: one for one in ordered}.values())
    key = {
        "id": lambda one: (-one[1], one[0], one[2]),
        "id_descending": lambda one: (-one[1], [-ord(sign) for sign in one[0]], one[2]),
        "stable": lambda one: (-one[1], one[2]),
        "reverse": lambda one: (-one[1], -one[2]),
    }[row["ties"]]
    ranked = [one[0] for one in sorted(numbered, key=key)]  # type: ignore[arg-type]
    ranked = [document for document in ranked if document not in excluded]
    if row["judged_only"]:
        ranked = [document for document in ranked if document in judged]
    seen = set[str]()
    names = []
    for rank, document in enumerate(ranked):
        names.append(f"repeat {rank}" if document in seen else document)
        seen.add(document)
    return names


def qrels_of(judged: dict[str, Labels], way: str, folder: Path) -> Any:
    rows = [
        (query, part, document, label)
        for query, labels in judged.items()
        for document, parts in labels.items()
        for part, label in parts.items()
    ]
    if way == "file":
        text = "".join(" ".join(map(str, one)) + "\n" for one in rows)
        (folder / "qrels").write_text(text)
        return rg.Qrels(folder / "qrels", subtopics=True)
    if way == "frame":
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(rows, columns=["query", "part", "doc", "label"])
        return rg.Qrels.from_frame(frame, subtopic="part")
    return judged if way == "dict" else rg.Qrels(judged)


def run_of(results: dict[str, Rows], row: Row, folder: Path) -> Any:
    rows = [(query, *one) for query, found in results.items() for one in found]
    duplicates = "raise" if row["repeats"] == "none" else row["repeats"]
    if row["run"] == "Run" and row["repeats"] == "none":
        return rg.Run({query: dict(found) for query, found in results.items()})
    if row["run"] == "file":
        lines = [f"{query} Q0 {document} 1 {score} t\n" for query, document, score in rows]
        (folder / "run").write_text("".join(lines).replace(" 1 ", " 0 "))
        return rg.Run.read(folder / "run", duplicates=duplicates)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["query", "doc", "score"])
    return rg.Run.from_frame(frame, duplicates=duplicates)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", rows_of(AXES, possible), ids=name_of)
def test_every_pair_of_choices(row: Row, tmp_path: Path) -> None:
    draw = random.Random(str(row))
    judged, results = scene(draw, row)
    exclude = {query: ["d2", "d5"] for query in judged} if row["exclude"] else None
    weights = {query: draw.randint(1, 4) for query in judged} if row["weight"] else None
    options: dict[str, Any] = {"empty": row["empty"]} if row["empty"] is not None else {}
    options |= {name: row[name] for name in ("judged_only", "ties", "threads", "convention")}
    options |= {"exclude": exclude, "weight": weights}
    sources = qrels_of(judged, row["way"], tmp_path), run_of(results, row, tmp_path)
    evaluated = rg.evaluate(*sources, list(MEASURES), **options)
    empty = 0.0 if row["empty"] is None else row["empty"]
    excluded = ["d2", "d5"] if row["exclude"] else []
    for name, (family, params) in MEASURES.items():
        values = []
        for query in evaluated.queries:
            labels = {
                document: parts
                for document, parts in judged[query].items()
                if document not in excluded
            }
            ranked = ranking(results[query], row, excluded, labels)
            value: float | Fraction = oracle.value(family, ranked, labels, **params)  # type: ignore[arg-type]
            gains = oracle.d_ndcg(ranked, labels, 4)
            is_defined = bool(oracle.parts_of(labels, params.get("rel", 1)))
            if family.startswith("D"):
                is_defined = gains is not None and (family == "D_nDCG" or is_defined)
            values.append(float(value) if is_defined else empty)
        actual = evaluated.per_query[str(rg.parse_measure(name))].tolist()
        assert actual == pytest.approx(values, abs=1e-12, nan_ok=True), name
        counted = [1.0] * len(values)
        if weights is not None:
            counted = [float(weights[query]) for query in evaluated.queries]
        mean = sum(v * w for v, w in zip(values, counted, strict=True)) / sum(counted)
        assert evaluated[name] == pytest.approx(mean, abs=1e-12, nan_ok=True), name
