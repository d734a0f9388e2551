"""Accumulators as dicts and as rows of Arrow data, and reading both."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

from ...engine.exact import Exact
from ...engine.intervals import SUM_NAMES, MeasureSums
from ...engine.means import MEAN_KINDS
from ...evaluation.sums.merging import CommonRules
from ...inputs.tables.stream import pyarrow
from . import stored
from .stored import StoredError, count, make_choice, make_list, make_table, or_null, record, text

if TYPE_CHECKING:
    from ...evaluation.sums.accumulator import Accumulator


_segment = or_null(stored.make_kind("a whole number or text", lambda one: type(one) in (int, str)))
PLACE = {"run": or_null(text), "segment": _segment}


def to_dict(total: Accumulator) -> dict[str, Any]:
    """An accumulator as a dict; the order does not depend on what was added first."""
    from ... import __version__

    data = {
        "rankgain_accumulator": 1,
        "rankgain": __version__,
        "bootstrap": total.bootstrap,
        "seed": total.seed,
        "rules": None,
    }
    rules = total._rules
    if rules is None:
        return data
    fields = rules._asdict() | {"mean_rule": list(rules.mean_rule)}
    if not rules.better:
        del fields["better"]
    fields["requested"] = dict(rules.requested)
    data["rules"] = stored.encode(fields)
    places = [
        (run, segment)
        for run in total.runs
        for segment in total.segments
        if (run, segment) in total._counts
    ]
    data["counts"] = [
        {"run": run, "segment": segment, **dict(sorted(total._counts[run, segment].items()))}
        for run, segment in places
    ]
    data["cells"] = []
    for (run, segment), name in product(places, rules.measures):
        cell = total._sums[run, segment, name]._asdict()
        cell["sums"] = {
            x: sums_of_cell.text() for x, sums_of_cell in zip(SUM_NAMES, cell["sums"], strict=True)
        }
        drawn = [[sums_of_cell.text() for sums_of_cell in column] for column in cell.pop("drawn")]
        if drawn[0]:  # there are replicates
            cell["drawn"] = drawn
        data["cells"].append({"run": run, "segment": segment, "measure": name, **cell})
    pairs = sorted(total._pairs.items(), key=lambda sums_of_cell: repr(sums_of_cell[0]))
    data["pairs"] = [[*key, [sums_of_cell.text() for sums_of_cell in sums]] for key, sums in pairs]
    return data


def from_dict(data: object, kind: type[Accumulator]) -> Accumulator:
    """The accumulator of a dict from `to_dict`."""
    try:
        return _read(data, kind)
    except StoredError as error:
        raise ValueError(f"this is not an accumulator that rankgain wrote: {error}") from None


def _read(data: object, kind: type[Accumulator]) -> Accumulator:
    head = record(
        {
            "rankgain_accumulator": make_choice([1], "1"),
            "bootstrap": stored.make_whole(0, 1_000_000),
            "seed": stored.make_whole(0, 2**64 - 1),
            "rules": or_null(_rules),
        }
    )(data)
    total = kind(bootstrap=head["bootstrap"], seed=head["seed"])
    total._rules = rules = head["rules"]
    if rules is None:
        return total
    result = record({"counts": make_list(_counts)})(data)["counts"]
    places = [(part.pop("run"), part.pop("segment")) for part in result]
    total._counts.update(zip(places, result, strict=True))
    if len(total._counts) < len(places):
        raise StoredError("a run and a segment stand in it twice", "counts")
    expected = {(*place, name) for place in places for name in rules.measures}
    kinds = {
        **PLACE,
        "measure": make_choice(rules.measures, "one of the measures"),
        "kind": make_choice(MEAN_KINDS),
        "lists": count,
        "undefined": count,
        "sums": make_table(Exact.parse, same=SUM_NAMES),
    }
    if total.bootstrap:
        kinds["drawn"] = make_list(_sums(total.bootstrap), 2, "sums")

    def read_cell(value: Any) -> object:
        run, segment, name, kind, lists, undefined, sums, *drawn = record(kinds)(value).values()
        if not total.bootstrap and "drawn" in value:
            raise StoredError("there are no replicates", "drawn")
        in_order = tuple(sums[x] for x in SUM_NAMES)
        columns = tuple(drawn[0]) if drawn else ((), ())
        return (run, segment, name), MeasureSums(kind, lists, undefined, in_order, columns)

    cells = record({"cells": make_list(read_cell)})(data)["cells"]
    total._sums.update(cells)
    if total._sums.keys() != expected or len(cells) != len(expected):
        raise StoredError("it must hold those of its runs, segments and measures", "cells")

    def read_pair(value: Any) -> object:
        a, b, segment, name = map(_segment, parts(value)[:4])
        if a == b or any((run, segment, name) not in total._sums for run in (a, b)):
            raise StoredError("it is of no two runs of a segment")
        return (a, b, segment, name), _sums(4)(value[4])

    parts = make_list(lambda part: part, 5, "parts of a pair")
    total._pairs.update(record({"pairs": make_list(read_pair)})(data)["pairs"])
    return total


def _rules(value: object) -> CommonRules:
    """The rules of all runs."""
    better = stored.read_better(value)
    measures = {"measures": make_list(stored.make_name(better))}
    measure_name = make_choice(record(measures)(value)["measures"], "one of the measures")
    kinds = {
        "convention": text,
        "version": text,
        **measures,
        "requested": make_table(measure_name),
        "weighted": or_null(stored.flag),
        "settings": stored.settings,
        "undefined_as": lambda values: {
            measure_name(name): value for name, value in stored.settings(values).items()
        },
        "mean_rule": stored.mean_rule,
    }
    result = record(kinds)(value)
    result["measures"] = tuple(result["measures"])
    result["requested"] = tuple(sorted(result["requested"].items()))
    return CommonRules(**result, better=better)


def _counts(value: object) -> object:
    names = dict.fromkeys(value, count) if isinstance(value, dict) else {}
    return record({"queries": count, **names, **PLACE})(value)


def _sums(n: int) -> stored.Kind:
    listed = make_list(Exact.parse, n, "sums")
    return lambda value: tuple(listed(value))


def to_arrow(total: Accumulator) -> object:
    """One row: convention and number of lists as columns, and the accumulator as JSON."""
    arrow = pyarrow()
    columns = {
        "convention": arrow.array([total.convention], arrow.string()),
        "lists": arrow.array([total.count if total._rules else 0], arrow.int64()),
        "state": arrow.array([json.dumps(to_dict(total))], arrow.large_string()),
    }
    return arrow.RecordBatch.from_pydict(columns)


def from_arrow(rows: object, kind: type[Accumulator]) -> Accumulator:
    """The merged accumulators of all rows."""
    arrow = pyarrow()
    table = rows if isinstance(rows, (arrow.RecordBatch, arrow.Table)) else arrow.table(rows)
    if "state" not in table.schema.names:
        raise ValueError(f"no column 'state'; there are {', '.join(table.schema.names)}")
    states = [from_dict(json.loads(state), kind) for state in table.column("state").to_pylist()]
    if not states:
        return kind()
    total = kind(bootstrap=states[0].bootstrap, seed=states[0].seed)
    for row, state in enumerate(states):
        total._join(state, f"row {row}")
    return total
