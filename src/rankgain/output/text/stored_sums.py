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


# A run and a segment name each part of the sums: null stands for a single run without a name, and
# for lists without segments.
_number_or_text = stored.make_kind(
    "a whole number or text", lambda value: type(value) in (int, str)
)
_segment = or_null(_number_or_text)
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
    # Runs, segments and counts in a fixed order: equal accumulators have equal texts.
    places = []
    data["counts"] = []
    for run, segment in product(total.runs, total.segments):
        counts = total._counts.get((run, segment))
        if counts is not None:  # a run need not have lists of every segment
            places.append((run, segment))
            data["counts"].append({"run": run, "segment": segment, **dict(sorted(counts.items()))})
    data["cells"] = []
    for (run, segment), name in product(places, rules.measures):
        cell = total._sums[run, segment, name]._asdict()
        cell["sums"] = dict(zip(SUM_NAMES, map(Exact.text, cell["sums"]), strict=True))
        replicates = cell.pop("drawn")
        if replicates[0]:
            cell["drawn"] = [list(map(Exact.text, column)) for column in replicates]
        data["cells"].append({"run": run, "segment": segment, "measure": name, **cell})
    data["pairs"] = []
    # Keys are compared as text, because None, numbers and text have no common order.
    for key in sorted(total._pairs, key=repr):
        data["pairs"].append([*key, list(map(Exact.text, total._pairs[key]))])
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
    all_counts = record({"counts": make_list(_counts)})(data)["counts"]
    for counts in all_counts:
        place = counts.pop("run"), counts.pop("segment")
        if place in total._counts:
            raise StoredError("a run and a segment stand in it twice", "counts")
        total._counts[place] = counts
    expected = {(*place, name) for place, name in product(total._counts, rules.measures)}
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
        # The replicates are the last of the kinds, and absent without a bootstrap.
        run, segment, name, kind, lists, undefined, sums, *drawn = record(kinds)(value).values()
        if not total.bootstrap and "drawn" in value:
            raise StoredError("there are no replicates", "drawn")
        in_order = tuple(map(sums.__getitem__, SUM_NAMES))
        replicates: tuple[tuple[Exact, ...], tuple[Exact, ...]] = ((), ())
        if drawn:
            numerators, divisors = drawn[0]
            replicates = (numerators, divisors)
        return (run, segment, name), MeasureSums(kind, lists, undefined, in_order, replicates)

    cells = record({"cells": make_list(read_cell)})(data)["cells"]
    total._sums.update(cells)
    if total._sums.keys() != expected or len(cells) != len(expected):
        raise StoredError("it must hold those of its runs, segments and measures", "cells")

    def read_pair(value: Any) -> object:
        a, b, segment, name = map(_segment, parts(value)[:4])
        has_both = {(a, segment, name), (b, segment, name)} <= total._sums.keys()
        if a == b or not has_both:
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

    def undefined_as(rules: object) -> dict[str, object]:
        by_measure = stored.settings(rules)
        return dict(zip(map(measure_name, by_measure), by_measure.values(), strict=True))

    kinds = {
        "convention": text,
        "version": text,
        **measures,
        "requested": make_table(measure_name),
        "weighted": or_null(stored.flag),
        "settings": stored.settings,
        "undefined_as": undefined_as,
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
