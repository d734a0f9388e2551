"""Accumulators as dicts and as rows of Arrow data, and reading both."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...engine.exact import Exact
from ...engine.means import MeanRule
from ...engine.measure_sums import NAMES, MeasureSums
from ...engine.resampling import KINDS
from ...engine.setting_values import as_json
from ...evaluation.sums.rules import CommonRules
from . import schema
from .schema import SchemaError, list_of, record, table_of
from .stored import mean_rule, settings

if TYPE_CHECKING:
    from ...evaluation.sums.accumulator import Accumulator


def _segment(value: object) -> Any:
    if type(value) not in (int, str):
        schema.refuse("a whole number or text", value)
    return value


PLACE = {"run": schema.or_null(schema.text), "segment": schema.or_null(_segment)}


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
    data["rules"] = rules._asdict()
    data["rules"]["asked"] = dict(data["rules"].pop("requested"))
    data["rules"]["fates"] = as_json(data["rules"].pop("undefined_as"))
    data["rules"]["settings"] = as_json(rules.settings)
    data["rules"] |= {name: list(getattr(rules, name)) for name in ("measures", "mean_rule")}
    data["counts"] = [
        {"run": run, "segment": segment, **dict(sorted(total._counts[run, segment].items()))}
        for run in total.runs
        for segment in total.segments
        if (run, segment) in total._counts
    ]
    data["cells"] = [
        _stored(run, segment, name, total._sums[run, segment, name])
        for run, segment in ((one["run"], one["segment"]) for one in data["counts"])
        for name in rules.measures
    ]
    pairs = sorted(total._pairs.items(), key=lambda one: repr(one[0]))
    data["pairs"] = [[*key, [one.text() for one in sums]] for key, sums in pairs]
    return data


def _stored(run: object, segment: object, name: str, cell: MeasureSums) -> dict[str, Any]:
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
    except SchemaError as error:
        raise ValueError(f"this is not an accumulator that rankgain wrote: {error}") from None


def _read(data: Any, kind: type[Accumulator]) -> Accumulator:
    head = record(
        {
            "rankgain_accumulator": schema.one_of([1], "1"),
            "bootstrap": schema.whole_from(0, 1_000_000),
            "seed": schema.whole_from(0, 2**64 - 1),
            "rules": schema.or_null(_rules),
        }
    )(data)
    total = kind(bootstrap=head["bootstrap"], seed=head["seed"])
    total._rules = rules = head["rules"]
    if rules is None:
        return total
    result = record({"counts": list_of(_counts)})(data)["counts"]
    places = [(one.pop("run"), one.pop("segment")) for one in result]
    total._counts.update(zip(places, result, strict=True))
    if len(total._counts) < len(places):
        raise SchemaError("a run and a segment stand in it twice", "counts")
    expected = [(*place, name) for place in places for name in rules.measures]
    cell = _cell_of(rules, total.bootstrap)
    for key, one in record({"cells": list_of(cell)})(data)["cells"]:
        total._sums[key] = one
    if total._sums.keys() != set(expected) or len(data["cells"]) != len(expected):
        raise SchemaError("it must hold those of its runs, segments and measures", "cells")
    _read_pairs(total, data)
    return total


def _read_pairs(total: Accumulator, data: object) -> None:
    """Read the sums of products of pairs of runs; both runs must be in the segment."""
    sums = _sums(4)

    def read(value: Any) -> None:
        a, b, segment, name = (schema.or_null(_segment)(one) for one in parts(value)[:4])
        if a == b or any((run, segment, name) not in total._sums for run in (a, b)):
            raise SchemaError("it is of no two runs of a segment")
        total._pairs[a, b, segment, name] = sums(value[4])

    parts = list_of(lambda one: one, 5, "parts of a pair")
    record({"pairs": list_of(read)})(data)


def _rules(value: object) -> CommonRules:
    """The rules of all runs; files of earlier versions may lack some."""
    measures = {"measures": list_of(schema.measure)}
    one = schema.one_of(record(measures)(value)["measures"], "one of the measures")
    needed = {
        "convention": schema.text,
        "version": schema.text,
        **measures,
        "asked": table_of(one),
    }
    others = {
        "weighted": schema.or_null(schema.flag),
        "settings": settings,
        "fates": lambda values: {one(name): value for name, value in settings(values).items()},
        "mean_rule": mean_rule,
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


def _counts(value: object) -> dict[str, Any]:
    names = dict.fromkeys(value, schema.count) if isinstance(value, dict) else {}
    return record({"queries": schema.count, **names, **PLACE})(value)  # type: ignore[no-any-return]


def _cell_of(rules: CommonRules, replicates: int) -> schema.Kind:
    """The kind of a cell: reads (run, segment, measure) and the cell."""
    kinds = {
        **PLACE,
        "measure": schema.one_of(rules.measures, "one of the measures"),
        "kind": schema.one_of(KINDS, f"one of {', '.join(KINDS)}"),
        "lists": schema.count,
        "undefined": schema.count,
        "sums": table_of(_exact, same=NAMES),
    }
    if replicates:
        kinds["drawn"] = list_of(_sums(replicates), 2, "sums")

    def read(value: Any) -> Any:
        result = record(kinds)(value)
        if not replicates and "drawn" in value:
            raise SchemaError("there are no replicates", "drawn")
        sums = tuple(result["sums"][name] for name in NAMES)
        drawn = tuple(result.get("drawn", ((), ())))
        key = result["run"], result["segment"], result["measure"]
        return key, MeasureSums(result["kind"], result["lists"], result["undefined"], sums, drawn)

    return read


def _sums(n: int) -> schema.Kind:
    listed = list_of(_exact, n, "sums")
    return lambda value: tuple(listed(value))


def _exact(value: object) -> Exact:
    try:
        return Exact.parse(value)
    except ValueError as error:
        raise SchemaError(str(error)) from None


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError('Arrow data needs pyarrow: pip install "rankgain[arrow]"') from None
    return pyarrow


def to_arrow(total: Accumulator) -> Any:
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
