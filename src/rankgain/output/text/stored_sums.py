"""Accumulators as dicts and as rows of Arrow data, and reading both."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...engine.exact import Exact
from ...engine.intervals import NAMES, MeasureSums
from ...engine.means import KINDS, MeanRule
from ...evaluation.sums.merging import CommonRules
from . import codec
from .codec import StoredError, count, make_choice, make_list, make_table, or_null, record, text

if TYPE_CHECKING:
    from ...evaluation.sums.accumulator import Accumulator


_segment = or_null(codec.make_kind("a whole number or text", lambda one: type(one) in (int, str)))
PLACE = {"run": or_null(text), "segment": _segment}
_exact = codec.call_reader(Exact.parse)


def to_dict(total: Accumulator) -> dict[str, Any]:
    """An accumulator as a dict; the order does not depend on what was added first."""
    from ... import __version__

    data: dict[str, Any] = {
        "rankgain_accumulator": 1,
        "rankgain": __version__,
        "bootstrap": total.bootstrap,
        "seed": total.seed,
        "rules": None,
    }
    rules = total._rules
    if rules is None:
        return data
    stored = rules._asdict() | {"mean_rule": list(rules.mean_rule)}
    stored["asked"], stored["fates"] = dict(stored.pop("requested")), stored.pop("undefined_as")
    data["rules"] = codec.encode(stored)
    data["counts"] = [
        {"run": run, "segment": segment, **dict(sorted(total._counts[run, segment].items()))}
        for run in total.runs
        for segment in total.segments
        if (run, segment) in total._counts
    ]
    data["cells"] = [
        _store(run, segment, name, total._sums[run, segment, name])
        for run, segment in ((one["run"], one["segment"]) for one in data["counts"])
        for name in rules.measures
    ]
    pairs = sorted(total._pairs.items(), key=lambda one: repr(one[0]))
    data["pairs"] = [[*key, [one.text() for one in sums]] for key, sums in pairs]
    return data


def _store(run: object, segment: object, name: str, cell: MeasureSums) -> dict[str, object]:
    result: dict[str, Any] = {
        "run": run,
        "segment": segment,
        "measure": name,
        "kind": cell.kind,
        "lists": cell.lists,
        "undefined": cell.undefined,
        "sums": {name: one.text() for name, one in zip(NAMES, cell.sums, strict=True)},
    }
    if cell.drawn[0]:
        result["drawn"] = [[one.text() for one in column] for column in cell.drawn]
    return result


def from_dict(data: object, kind: type[Accumulator]) -> Accumulator:
    """The accumulator of a dict from `to_dict`."""
    try:
        return _read(data, kind)
    except StoredError as error:
        raise ValueError(f"this is not an accumulator that rankgain wrote: {error}") from None


def _read(data: Any, kind: type[Accumulator]) -> Accumulator:
    head = record(
        {
            "rankgain_accumulator": make_choice([1], "1"),
            "bootstrap": codec.make_whole(0, 1_000_000),
            "seed": codec.make_whole(0, 2**64 - 1),
            "rules": or_null(_rules),
        }
    )(data)
    total = kind(bootstrap=head["bootstrap"], seed=head["seed"])
    total._rules = rules = head["rules"]
    if rules is None:
        return total
    result = record({"counts": make_list(_counts)})(data)["counts"]
    places = [(one.pop("run"), one.pop("segment")) for one in result]
    total._counts.update(zip(places, result, strict=True))
    if len(total._counts) < len(places):
        raise StoredError("a run and a segment stand in it twice", "counts")
    expected = [(*place, name) for place in places for name in rules.measures]
    cell = _make_cell(rules, total.bootstrap)
    for key, one in record({"cells": make_list(cell)})(data)["cells"]:
        total._sums[key] = one
    if total._sums.keys() != set(expected) or len(data["cells"]) != len(expected):
        raise StoredError("it must hold those of its runs, segments and measures", "cells")
    _read_pairs(total, data)
    return total


def _read_pairs(total: Accumulator, data: object) -> None:
    """Read the sums of products of pairs of runs; both runs must be in the segment."""
    sums = _sums(4)

    def read(value: Any) -> None:
        a, b, segment, name = map(_segment, parts(value)[:4])
        if a == b or any((run, segment, name) not in total._sums for run in (a, b)):
            raise StoredError("it is of no two runs of a segment")
        total._pairs[a, b, segment, name] = sums(value[4])

    parts = make_list(lambda one: one, 5, "parts of a pair")
    record({"pairs": make_list(read)})(data)


def _rules(value: object) -> CommonRules:
    """The rules of all runs; files of earlier versions may lack some."""
    measures = {"measures": make_list(codec.measure)}
    one = make_choice(record(measures)(value)["measures"], "one of the measures")
    needed = {
        "convention": text,
        "version": text,
        **measures,
        "asked": make_table(one),
    }
    others = {
        "weighted": or_null(codec.flag),
        "settings": codec.settings,
        "fates": lambda values: {
            one(name): value for name, value in codec.settings(values).items()
        },
        "mean_rule": codec.mean_rule,
    }
    result = record(needed, others)(value)
    return CommonRules(
        result["convention"],
        result["version"],
        tuple(result["measures"]),
        tuple(sorted(result["asked"].items())),
        result.get("settings", {}),
        result.get("weighted"),
        result.get("fates", {}),
        result.get("mean_rule") or MeanRule.named(result["convention"]),
    )


def _counts(value: object) -> object:
    names = dict.fromkeys(value, count) if isinstance(value, dict) else {}
    return record({"queries": count, **names, **PLACE})(value)


def _make_cell(rules: CommonRules, replicates: int) -> codec.Kind:
    """The kind of a cell: reads (run, segment, measure) and the cell."""
    kinds = {
        **PLACE,
        "measure": make_choice(rules.measures, "one of the measures"),
        "kind": make_choice(KINDS),
        "lists": count,
        "undefined": count,
        "sums": make_table(_exact, same=NAMES),
    }
    drawn = {"drawn": make_list(_sums(replicates), 2, "sums")}
    read = record(kinds | drawn) if replicates else record(kinds)

    def read_cell(value: Any) -> Any:
        *key, kind, lists, undefined, sums, drawn = (*read(value).values(), ((), ()))[:8]
        if not replicates and "drawn" in value:
            raise StoredError("there are no replicates", "drawn")
        in_order = tuple(sums[name] for name in NAMES)
        return tuple(key), MeasureSums(kind, lists, undefined, in_order, tuple(drawn))

    return read_cell


def _sums(n: int) -> codec.Kind:
    listed = make_list(_exact, n, "sums")
    return lambda value: tuple(listed(value))


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError('Arrow data needs pyarrow: pip install "rankgain[arrow]"') from None
    return pyarrow


def to_arrow(total: Accumulator) -> object:
    """One row: convention and number of lists as columns, and the accumulator as JSON."""
    pyarrow = _pyarrow()
    columns = {
        "convention": pyarrow.array([total.convention], pyarrow.string()),
        "lists": pyarrow.array([total.count if total._rules else 0], pyarrow.int64()),
        "state": pyarrow.array([json.dumps(to_dict(total))], pyarrow.large_string()),
    }
    return pyarrow.RecordBatch.from_pydict(columns)


def from_arrow(rows: object, kind: type[Accumulator]) -> Accumulator:
    """The merged accumulators of all rows."""
    pyarrow = _pyarrow()
    table = rows if isinstance(rows, (pyarrow.RecordBatch, pyarrow.Table)) else pyarrow.table(rows)
    if "state" not in table.schema.names:
        raise ValueError(f"no column 'state'; there are {', '.join(table.schema.names)}")
    states = [from_dict(json.loads(one), kind) for one in table.column("state").to_pylist()]
    if not states:
        return kind()
    total = kind(bootstrap=states[0].bootstrap, seed=states[0].seed)
    for at, one in enumerate(states):
        total._join(one, f"row {at}")
    return total
