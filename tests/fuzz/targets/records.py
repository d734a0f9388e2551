"""Dicts of judgments and rankings, and lists of ids: by every way to the same values."""

from typing import Any

import numpy as np

import rankgain as rg
from draws import Draws, Refused, agree, outcome

from .readers import state

MEASURES = [["nDCG@3", "AP"], ["RR"], ["Bpref", "P@2"], ["nDCG(gain=exp2)", "R@5"], ["Judged@3"]]


def records(d: Draws, is_run: bool) -> Any:
    """A dict of dicts, sets or lists; of a few queries and documents."""
    result: dict[Any, Any] = {}
    whole = d.chance(3)
    for at in range(d.below(5)):
        query = f"q{d.below(4)}" if d.below(8) < 7 else d.id()
        ids = [f"d{d.below(8)}" if whole else d.id() for _ in range(d.below(10))]
        form = d.below(8)
        if form < 6:
            documents: Any = {
                one: d.number() if at else float(d.below(4)) for one in ids if hashable(one)
            }
        elif form == 6:
            documents = ids if is_run else list(dict.fromkeys(ids))
        else:
            documents = d.pick([None, (), "text", {}, [], {"d1"}, np.array(["d1", "d2"]), 3])
        result[query] = documents
    return result


def hashable(value: Any) -> bool:
    """Whether a value can be a key."""
    return getattr(type(value), "__hash__", None) is not None


def join(data: bytes) -> None:
    """Dicts as they are, one of them read before, and both: one answer, or refusals."""
    d = Draws(data)
    qrels, run, measures = records(d, False), records(d, True), d.pick(MEASURES)
    options: dict[str, Any] = {}
    if d.chance(3):
        options["ties"] = d.pick(["id", "stable", "average", "best", "worst", "random", "reverse"])
    if d.chance(3):
        options["convention"] = d.pick(["trec_eval", "pytrec_eval", "ranx", "rankgain", "beir"])

    def evaluated(*pair: Any) -> Any:
        return outcome(lambda: state(rg.evaluate(*pair, measures, **options)))

    read = outcome(lambda: rg.Qrels(qrels)), outcome(lambda: rg.Run(run))
    answers = [evaluated(qrels, run), evaluated(read[0], run), evaluated(qrels, read[1])]
    agree(*answers, evaluated(*read))
    for kind, one in zip((rg.Qrels, rg.Run), read, strict=True):
        if not isinstance(one, Refused):
            agree(kind(one.to_dict()).to_dict(), one.to_dict())


def recommend(data: bytes) -> None:
    """Recommended ids of any form, beside the same as a run of dicts."""
    d = Draws(data)
    users, width = 1 + d.below(4), d.below(30)
    pool = d.pick([8, 60, 2000])
    rows = [[d.below(pool) for _ in range(d.below(width + 1))] for _ in range(users)]
    if d.below(4) < 3:
        rows = [list(dict.fromkeys(row)) for row in rows]
    relevant = [sorted({d.below(pool) for _ in range(d.below(8))}) for _ in range(users)]
    measures, policy = (
        d.pick([["nDCG@5", "RR"], ["AP", "R@3"]]),
        d.pick(["raise", "raise", "first"]),
    )
    form = d.below(6)
    longest = max(map(len, rows))
    table = np.full((users, longest), -1, np.int64)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    forms: list[Any] = [table, table.astype(np.int32), rows, [np.array(r, np.int64) for r in rows]]
    forms += [[[f"d{one}" for one in row] for row in rows], [tuple(row) for row in rows]]
    expected: Any = [[f"d{one}" for one in row] for row in relevant] if form == 4 else relevant

    def evaluated(retrieved: Any, relevant: Any) -> Any:
        return outcome(
            lambda: state(rg.evaluate_ids(retrieved, relevant, measures, duplicates=policy))[:2]
        )

    answers = evaluated(forms[form], expected), evaluated(rows, relevant)
    agree(*answers)
    qrels = {str(at): dict.fromkeys(map(str, row), 1) for at, row in enumerate(relevant) if row}
    run = {
        str(at): {str(one): -rank for rank, one in enumerate(dict.fromkeys(row))}
        for at, row in enumerate(rows)
    }
    if not isinstance(answers[0], Refused) and all(relevant):
        joined = rg.evaluate(qrels, run, measures, convention="rankgain", ties="stable")
        agree(state(joined)[1], answers[0][1])
