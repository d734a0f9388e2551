"""Comparisons as plain data and JSON, and back."""

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn

from ...records.printable import printable
from .stored import loaded, strict

if TYPE_CHECKING:
    from ..comparison import Comparison

NUMBERS = slice(4, 12)  # of a row
COUNTS = slice(12, 16)


def data_of(comparison: "Comparison") -> dict[str, Any]:
    """All fields but the evaluations; rows as dicts."""
    data: dict[str, Any] = {}
    for one in fields(comparison):
        value = getattr(comparison, one.name)
        if one.name == "rows":
            value = [row._asdict() for row in value]
        elif isinstance(value, tuple):
            value = list(value)
        elif one.name in ("left_out", "versions"):
            value = dict(value)
        if one.name != "evaluations":
            data[one.name] = value
    return data


def json_of(comparison: "Comparison") -> str:
    """The data as strict JSON."""
    import json

    data = {"rankgain": comparison.versions.get("rankgain", ""), "comparison": data_of(comparison)}
    return json.dumps(strict(data), indent=1, allow_nan=False) + "\n"


def read_json(path: Any, names: set[str], kind: Any) -> dict[str, Any]:
    """The fields of a Comparison with rows of a kind, from what `json_of` wrote."""
    name, data = printable(str(path)), loaded(path)
    found = data.get("comparison") if isinstance(data, dict) else None
    if not isinstance(found, dict) or found.keys() != names - {"evaluations"}:
        _refuse(name, "it lacks parts")
    found["rows"] = tuple(_row(kind, one, name) for one in _listed(found["rows"], name))
    for part in ("names", "measures", "segments"):
        found[part] = tuple(_listed(found[part], name))
    return found


def _row(kind: Any, found: Any, name: str) -> Any:
    if not isinstance(found, dict) or list(found) != list(kind._fields):
        _refuse(name, "a row lacks fields")
    values = list(found.values())
    values[NUMBERS] = [_number(one, name) for one in values[NUMBERS]]
    if any(type(one) is not int for one in values[COUNTS]):
        _refuse(name, "a count of lists is no whole number")
    return kind(*values)


def _number(value: Any, name: str) -> float:
    if value is None:
        return math.nan
    if type(value) not in (int, float) and value not in ("inf", "-inf"):
        _refuse(name, f"a number is wanted, not {value!r}"[:80])
    return float(value)


def _listed(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        _refuse(name, "a list is wanted")
    return value


def _refuse(name: str, what: str) -> NoReturn:
    raise ValueError(f"{name}: this is not a comparison that rankgain wrote: {what}")
