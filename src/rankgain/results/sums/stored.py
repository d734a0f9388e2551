"""Accumulators as dicts, and as rows of Arrow data; and back."""

import json
from typing import TYPE_CHECKING, Any

from ..given import as_json, of_json
from ..intervals.resampling import KINDS
from ..means import MeanRule
from .cells import NAMES, Cell
from .exact import Exact
from .rules import Rules

if TYPE_CHECKING:
    from .accumulator import Accumulator


def to_dict(total: "Accumulator") -> dict[str, Any]:
    """All of an accumulator, in one order whatever was added first."""
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
    data["rules"] = {**rules._asdict(), "asked": dict(rules.asked)}
    data["rules"] |= {name: list(getattr(rules, name)) for name in ("measures", "mean_rule")}
    data["rules"] |= {name: as_json(getattr(rules, name)) for name in ("settings", "fates")}
    data["counts"] = [
        {"run": run, "segment": segment, **dict(sorted(total._counts[run, segment].items()))}
        for run in total.runs
        for segment in total.segments
        if (run, segment) in total._counts
    ]
    data["cells"] = [
        _stored(run, segment, name, total._cells[run, segment, name])
        for run, segment in ((one["run"], one["segment"]) for one in data["counts"])
        for name in rules.measures
    ]
    pairs = sorted(total._pairs.items(), key=lambda one: repr(one[0]))
    data["pairs"] = [[*key, [one.text() for one in sums]] for key, sums in pairs]
    return data


def _stored(run: Any, segment: Any, name: str, cell: Cell) -> dict[str, Any]:
    found: dict[str, Any] = {
        "run": run,
        "segment": segment,
        "measure": name,
        "kind": cell.kind,
        "lists": cell.lists,
        "undefined": cell.undefined,
        "sums": {name: one.text() for name, one in zip(NAMES, cell.sums, strict=True)},
    }
    if cell.drawn[0]:
        found["drawn"] = [[one.text() for one in column] for column in cell.drawn]
    return found


def from_dict(data: Any, kind: type["Accumulator"]) -> "Accumulator":
    """What `to_dict` gave."""
    if not isinstance(data, dict) or data.get("rankgain_accumulator") != 1:
        raise ValueError("this is not an accumulator that rankgain wrote")
    try:
        return _read(data, kind)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"this is not an accumulator that rankgain wrote: {error}") from error


def _read(data: dict[str, Any], kind: type["Accumulator"]) -> "Accumulator":
    total = kind(bootstrap=int(data["bootstrap"]), seed=data["seed"])
    if data["rules"] is None:
        return total
    total._rules = _rules(data["rules"])
    for one in data["counts"]:
        counts = {name: _whole(n) for name, n in one.items() if name not in ("run", "segment")}
        counts["queries"]  # which must be there
        total._counts[one["run"], one["segment"]] = counts
    for one in data["cells"]:
        key = one["run"], one["segment"], one["measure"]
        total._cells[key] = _cell(one, total.bootstrap)
    expected = {(*place, name) for place in total._counts for name in total._rules.measures}
    if total._cells.keys() != expected:
        raise ValueError("its cells are not those of its runs, segments and measures")
    for a, b, segment, name, sums in data["pairs"]:
        total._pairs[a, b, segment, name] = _sums(sums, 4)
    return total


def _rules(data: dict[str, Any]) -> Rules:
    """What is common; forms written before know less of it."""
    weighted = data.get("weighted")
    if weighted is not None and type(weighted) is not bool:
        raise ValueError(f"weighted: {weighted!r:.40}")
    return Rules(
        str(data["convention"]),
        str(data["version"]),
        tuple(map(str, data["measures"])),
        tuple(sorted((str(a), str(b)) for a, b in data["asked"].items())),
        of_json(data.get("settings", {})),
        weighted,
        of_json(data.get("fates", {})),
        _mean_rule(data),
    )


def _mean_rule(data: dict[str, Any]) -> MeanRule:
    if "mean_rule" not in data:
        return MeanRule.named(data["convention"])
    return MeanRule(*data["mean_rule"])


def _cell(one: dict[str, Any], replicates: int) -> Cell:
    if one["kind"] not in KINDS:
        raise ValueError(f"kind {one['kind']!r}")
    sums = _sums([one["sums"][name] for name in NAMES], len(NAMES))
    above, below = one.get("drawn", ((), ()))
    drawn = _sums(above, replicates), _sums(below, replicates)
    return Cell(one["kind"], _whole(one["lists"]), _whole(one["undefined"]), sums, drawn)


def _sums(texts: Any, n: int) -> tuple[Exact, ...]:
    if len(texts) != n:
        raise ValueError(f"{len(texts)} sums where {n} are wanted")
    return tuple(map(Exact.parse, texts))


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"a count of {value!r:.40}")
    return value


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError('Arrow data needs pyarrow: pip install "rankgain[arrow]"') from None
    return pyarrow


def to_arrow(total: "Accumulator") -> Any:
    """One row: what it is of, in columns to look at, and all of it as JSON."""
    pyarrow = _pyarrow()
    columns = {
        "convention": pyarrow.array([total.convention], pyarrow.string()),
        "lists": pyarrow.array([total.count if total._rules else 0], pyarrow.int64()),
        "state": pyarrow.array([json.dumps(to_dict(total))], pyarrow.large_string()),
    }
    return pyarrow.RecordBatch.from_pydict(columns)


def from_arrow(rows: Any, kind: type["Accumulator"]) -> "Accumulator":
    """All rows, merged."""
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
