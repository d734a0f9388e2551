"""How far one call travels: the functions of a package that it enters, and the files they are in.

python benchmarks/path.py                 prints the table, ours and that of the peers that are here
python benchmarks/path.py --write         writes it into the architecture page
python benchmarks/path.py --list NAME     prints the functions of one call in their order

Each call runs once with other measures first, so that what is counted is the code of an ordinary
call, without imports. Comprehensions and generator expressions are parts of their function.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from markers import put_between_markers

PAGE = Path(__file__).parents[1] / "docs" / "development" / "architecture.md"
START, END = "<!-- path:start -->\n", "<!-- path:end -->\n"
Call = Callable[[], object]


class Travel(NamedTuple):
    """What a call entered."""

    functions: int
    files: int
    changes: int  # how often it went from one file to another


def entered(package: str, call: Call, warm: Call) -> list[CodeType]:
    """The functions of a package that a call enters, in order; `warm` runs first, untraced."""
    root = str(Path(import_module(package).__file__ or "").parent)
    codes: list[CodeType] = []

    def trace(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(root) and not code.co_name.startswith("<"):
            codes.append(code)

    warm()
    before = sys.gettrace()
    sys.settrace(trace)  # its result is None, so lines are not traced
    try:
        call()
    finally:
        sys.settrace(before)
    return codes


def travel_of(codes: list[CodeType]) -> Travel:
    """The counts of a list of entered functions."""
    files = [code.co_filename for code in codes]
    return Travel(len(set(codes)), len(set(files)), sum(a != b for a, b in pairwise(files)))


def calls(folder: Path) -> dict[str, tuple[Call, Call]]:
    """One ordinary call of each kind, and the same with other measures."""
    import pandas as pd

    import rankgain as rg

    draw = np.random.default_rng(0)
    labels, scores = draw.integers(0, 4, (50, 30)), draw.random((50, 30))
    other = draw.integers(0, 4, (40, 31)), draw.random((40, 31))
    ids = [(f"q{q}", f"d{d}") for q in range(50) for d in range(30)]
    values = list(zip(ids, labels.ravel().tolist(), scores.ravel().tolist(), strict=True))
    qrels: dict[str, dict[str, int]] = {f"q{q}": {} for q in range(50)}
    run: dict[str, dict[str, float]] = {f"q{q}": {} for q in range(50)}
    for (q, d), label, score in values:
        qrels[q][d], run[q][d] = label, score
    for name, factor in (("a", 1.0), ("b", -1.0)):
        rows = [f"{q} Q0 {d} 0 {factor * score:.6f} t\n" for (q, d), _, score in values]
        (folder / name).write_text("".join(rows))
    judgments = folder / "qrels"
    judgments.write_text("".join(f"{q} 0 {d} {label}\n" for (q, d), label, _ in values))
    runs = {name: folder / name for name in ("a", "b")}
    frame = pd.DataFrame(
        {"q": [q for (q, _), _, _ in values], "label": labels.ravel(), "score": scores.ravel()}
    )
    columns = {"query": "q", "label": "label", "score": "score"}
    pair, other_pair = (rg.evaluate_runs(judgments, runs, [name]) for name in ("nDCG@10", "AP"))
    retrieved, relevant = [[4, 2, 7], [1, 3, 5]], [[2, 9], [5]]
    names, others = ["nDCG@10", "AP"], ["P@10", "RR"]
    return {
        "`ndcg`": (
            lambda: rg.ndcg(labels, scores, k=10),
            lambda: rg.average_precision(*other, k=7),
        ),
        "`evaluate_arrays`": (
            lambda: rg.evaluate_arrays(labels, scores, names),
            lambda: rg.evaluate_arrays(*other, others),
        ),
        "`evaluate_ids`": (
            lambda: rg.evaluate_ids(retrieved, relevant, ["nDCG@3"]),
            lambda: rg.evaluate_ids(retrieved, relevant, ["AP@3"]),
        ),
        "`evaluate`, dicts": (
            lambda: rg.evaluate(qrels, run, names),
            lambda: rg.evaluate(qrels, run, others),
        ),
        "`evaluate`, files": (
            lambda: rg.evaluate(judgments, runs["a"], names),
            lambda: rg.evaluate(judgments, runs["b"], others),
        ),
        "`evaluate_frame`": (
            lambda: rg.evaluate_frame(frame, ["nDCG@10"], **columns),
            lambda: rg.evaluate_frame(frame, ["AP@10"], **columns),
        ),
        "`compare`": (lambda: rg.compare(pair), lambda: rg.compare(other_pair)),
    }


def peer_calls() -> Iterator[tuple[str, str, Callable[[], tuple[Call, Call]]]]:
    """The name of a peer's call, its package, and what makes the call."""
    draw = np.random.default_rng(0)
    labels, scores = draw.integers(0, 4, (50, 30)), draw.random((50, 30))
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.1, "b": 0.5}}

    def ranx() -> tuple[Call, Call]:
        from ranx import Qrels, Run, evaluate

        def call(*names: str) -> Call:
            return lambda: evaluate(Qrels(qrels), Run(run), list(names))

        return call("ndcg@10", "map"), call("ndcg@5", "map")

    def ir_measures() -> tuple[Call, Call]:
        from ir_measures import AP, calc_aggregate, nDCG

        def call(k: int) -> Call:
            return lambda: calc_aggregate([nDCG @ k, AP], qrels, run)

        return call(10), call(5)

    def sklearn() -> tuple[Call, Call]:
        from sklearn.metrics import ndcg_score

        return lambda: ndcg_score(labels, scores, k=10), lambda: ndcg_score(labels, scores, k=5)

    yield "ranx `evaluate`", "ranx", ranx
    yield "ir_measures `calc_aggregate`", "ir_measures", ir_measures
    yield "scikit-learn `ndcg_score`", "sklearn", sklearn


def table(known: dict[str, str]) -> list[str]:
    """The rows: peers, of which an absent one keeps its row, and ours."""
    rows = ["| one call | functions | files | changes of file |", "| --- | --- | --- | --- |"]

    def row(name: str, path: Travel) -> str:
        return f"| {name} | {path.functions} | {path.files} | {path.changes} |"

    for name, package, make in peer_calls():
        try:
            call, warm = make()
        except ImportError:
            rows += [known[name]] * (name in known)
        else:
            rows.append(row(name, travel_of(entered(package, call, warm))))
    with tempfile.TemporaryDirectory() as folder:
        for name, (call, warm) in calls(Path(folder)).items():
            rows.append(row(name, travel_of(entered("rankgain", call, warm))))
    return rows


def stored() -> dict[str, str]:
    """The rows of the architecture page, by their call."""
    lines = PAGE.read_text(encoding="utf-8").split(START)[1].split(END)[0].splitlines()[2:]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", metavar="NAME")
    options = parser.parse_args()
    if options.list:
        with tempfile.TemporaryDirectory() as folder:
            by_name: dict[str, Any] = calls(Path(folder))
            for code in dict.fromkeys(entered("rankgain", *by_name[f"`{options.list}`"])):
                print(f"{code.co_qualname}  {code.co_filename}:{code.co_firstlineno}")
        return
    rows = table(stored())
    print("\n".join(rows))
    if options.write:
        put_between_markers(PAGE, "\n".join(rows), "path")


if __name__ == "__main__":
    main()
