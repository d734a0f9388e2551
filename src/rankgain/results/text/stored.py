"""Evaluations as CSV and JSON text, and back from JSON."""

import math
import sys
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from ...records.printable import printable
from ..given import as_json, of_json
from ..intervals.resampling import KINDS, Shares
from ..means import MeanRule
from .tables import separated

if TYPE_CHECKING:
    from ..evaluation import Evaluation

WANTED = {dict: "an object", list: "a list", str: "text", int: "a whole number"}
Kind = TypeVar("Kind")


def name_of_means(queries: Any) -> str:
    """What to call the row of means: "all", in parentheses where a query has that name."""
    taken = {str(query) for query in queries}
    name = "all"
    while name in taken:
        name = f"({name})"
    return name


def csv_text(evaluation: "Evaluation", safe: bool) -> str:
    """Rows of query and values, then the means."""
    columns = {name: values.tolist() for name, values in evaluation.per_query.items()}
    means = dict(evaluation.means)
    for kind, found in evaluation.bounds.items():
        for name, one in found.items():
            for end, word in enumerate(("low", "high")):
                columns[f"{name} {kind} {word}"] = one[:, end].tolist()
                means[f"{name} {kind} {word}"] = evaluation.bound_means[kind][name][end]
    rows = zip(map(str, evaluation.queries), *columns.values(), strict=True)
    last = name_of_means(evaluation.queries), *means.values()
    return separated(["query", *means], chain(rows, [last]), ",", safe)


def json_text(evaluation: "Evaluation") -> str:
    """All of an evaluation."""
    import json  # here, because few ask for it and it costs start-up

    data: dict[str, Any] = {
        "rankgain": evaluation.versions["rankgain"],
        "convention": evaluation.convention,
        "convention_version": evaluation.versions["convention"],
        "counts": evaluation.counts,
        "means": evaluation.means,
        "queries": [_plain(query) for query in evaluation.queries],
        "per_query": evaluation.per_query,
    }
    if not isinstance(evaluation.queries, range) and _only_counts(data["queries"]):
        data["numbered"] = False  # ids that look like numbers of lists
    if evaluation.asked:
        data["asked"] = evaluation.asked
    if evaluation.weights is not None:
        data["weights"] = evaluation.weights
    if evaluation.segments is not None:
        data["segments"] = [_plain(label) for label in evaluation.segments]
    if evaluation.mean_rule != MeanRule.named(evaluation.convention):
        data["mean_rule"] = evaluation.mean_rule
    if evaluation.settings:
        data["settings"] = as_json(evaluation.settings)
    if evaluation.shares:
        data["shares"] = {name: one._asdict() for name, one in evaluation.shares.items()}
    if evaluation.bounds:
        data |= {"bounds": evaluation.bounds, "bound_means": evaluation.bound_means}
    return json.dumps(strict(data), indent=1, allow_nan=False) + "\n"


def _only_counts(queries: list[Any]) -> bool:
    """Whether ids are 0, 1, 2, ..."""
    return all(type(one) is int for one in queries) and queries == list(range(len(queries)))


def strict(value: Any) -> Any:
    """Numbers as strict JSON has them: null for nan, and infinity as a word."""
    if isinstance(value, Mapping):
        return {key: strict(one) for key, one in value.items()}
    if isinstance(value, np.ndarray) and np.isfinite(value).all():
        return value.tolist()
    if isinstance(value, (np.ndarray, list, tuple)):
        return [strict(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def many_as_json(evaluations: Mapping[str, "Evaluation"]) -> str:
    """Evaluations by name, each as `json_text` writes it."""
    import json

    from ... import __version__

    found = {str(name): json.loads(json_text(one)) for name, one in evaluations.items()}
    data = {"rankgain": __version__, "evaluations": found}
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def read_json(path: Any) -> dict[str, Any]:
    """What an Evaluation is made of, from what `json_text` wrote."""
    return _parts(printable(str(path)), loaded(path))


def read_many(path: Any) -> dict[str, dict[str, Any]]:
    """What some Evaluations are made of, by name, from what `many_as_json` wrote."""
    name, data = printable(str(path)), loaded(path)
    found = data.get("evaluations") if isinstance(data, dict) else None
    if not isinstance(found, dict):
        raise ValueError(f"{name}: these are no evaluations that rankgain wrote")
    return {run: _parts(f"{name}, {printable(run)}", one) for run, one in found.items()}


def loaded(path: Any) -> Any:
    """What is in a JSON file; None where it is none."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError):  # no JSON, or no text
        return None


def _parts(name: str, data: Any) -> dict[str, Any]:
    needed = {"means", "per_query", "queries", "convention", "counts", "rankgain"}
    if isinstance(data, dict) and data.get("means") and "per_query" not in data:
        raise ValueError(
            f"{name}: it has means alone, without the values of the queries; write it with "
            "--per-query, or by Evaluation.to_json"
        )
    if isinstance(data, dict) and isinstance(data.get("evaluations"), dict):
        raise ValueError(f"{name}: it has several runs; read it by Evaluations.read")
    if not isinstance(data, dict) or not needed <= data.keys():
        raise ValueError(f"{name}: this is not an evaluation that rankgain wrote")
    return _Reader(name, data).parts()


class _Reader:
    """A file's data, each part checked as it is taken."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.name, self.data = name, data

    def parts(self) -> dict[str, Any]:
        """The arguments of an Evaluation."""
        queries = self._checked(list, self.data["queries"], "queries")
        for query in queries:
            if not isinstance(query, (str, int, float)):
                self._refuse("queries", f"ids must be text or numbers, not {query!r}")
        n = len(queries)
        means = self._numbers_of(self.data["means"], "means")
        per_query = self._columns(self.data["per_query"], "per_query", n)
        if means.keys() != per_query.keys():
            self._refuse("per_query", "its measures must be those of means")
        bounds = {
            kind: self._columns(found, f"bounds, {kind}", n, 2)
            for kind, found in self._checked(dict, self.data.get("bounds", {}), "bounds").items()
        }
        weights = self.data.get("weights")
        plain = self.data.get("numbered", True) is True and _only_counts(queries)
        return {
            "means": means,
            "per_query": per_query,
            "queries": range(n) if plain else queries,
            "convention": self._text("convention"),
            "counts": self._counts(),
            "bounds": bounds,
            "bound_means": self._ends(bounds),
            "weights": None if weights is None else self._array(weights, "weights", n),
            "versions": {
                "rankgain": self._text("rankgain"),
                "convention": self._text("convention_version"),
            },
            "asked": self._asked(means),
            "shares": self._shares(means, n),
            "segments": self._segments(n),
            "settings": self._settings(),
            "mean_rule": MeanRule(*self.data["mean_rule"]) if "mean_rule" in self.data else None,
        }

    def _settings(self) -> dict[str, Any]:
        try:
            return of_json(self.data.get("settings", {}))
        except ValueError as error:
            self._refuse("settings", str(error))

    def _segments(self, n: int) -> list[Any] | None:
        found = self.data.get("segments")
        if found is None:
            return None
        labels = self._checked(list, found, "segments")
        if len(labels) != n:
            self._refuse("segments", f"{len(labels)} labels for {n} queries")
        for label in labels:
            if not isinstance(label, (str, int, float)):
                self._refuse("segments", f"labels must be text or numbers, not {_shown(label)}")
        return labels

    def _refuse(self, part: str, what: str) -> NoReturn:
        raise ValueError(
            f"{self.name}: this is not an evaluation that rankgain wrote: {part}: {what}"
        )

    def _checked(self, kind: type[Kind], value: Any, part: str) -> Kind:
        if type(value) is not kind:
            self._refuse(part, f"{WANTED[kind]} is wanted, not {_shown(value)}")
        found: Kind = value
        return found

    def _text(self, part: str) -> str:
        return self._checked(str, self.data.get(part, ""), part)

    def _number(self, value: Any, part: str) -> float:
        """A number; null is nan, and infinity a word."""
        if value is None:
            return math.nan
        fits = type(value) in (int, float) and abs(value) <= sys.float_info.max
        if not fits and value not in ("inf", "-inf"):
            self._refuse(part, f"a number is wanted, not {_shown(value)}")
        return float(value)

    def _numbers_of(self, value: Any, part: str) -> dict[str, float]:
        found = self._checked(dict, value, part)
        return {name: self._number(one, f"{part}, {name}") for name, one in found.items()}

    def _array(self, value: Any, part: str, n: int, ends: int = 0) -> Any:
        """One number for each query, or as many as `ends`."""
        rows = self._checked(list, value, part)
        if len(rows) != n:
            self._refuse(part, f"{len(rows)} values for {n} queries")
        if not ends:
            return np.array([self._number(one, part) for one in rows], np.float64)
        pairs = [self._array(row, part, ends) for row in rows]
        return np.array(pairs, np.float64).reshape(n, ends)

    def _columns(self, value: Any, part: str, n: int, ends: int = 0) -> dict[str, Any]:
        found = self._checked(dict, value, part)
        return {name: self._array(one, f"{part}, {name}", n, ends) for name, one in found.items()}

    def _counts(self) -> dict[str, Any]:
        found = self._checked(dict, self.data["counts"], "counts")
        for name, one in found.items():
            if name == "undefined":
                for measure, lists in self._checked(dict, one, "counts, undefined").items():
                    self._checked(int, lists, f"counts, undefined, {measure}")
            elif name == "undefined_as":
                for measure, word in self._checked(dict, one, "counts, undefined_as").items():
                    if not isinstance(word, str):
                        self._number(word, f"counts, undefined_as, {measure}")
            else:
                self._checked(int, one, f"counts, {name}")
        return found

    def _asked(self, means: Mapping[str, float]) -> dict[str, str]:
        found = self._checked(dict, self.data.get("asked", {}), "asked")
        for name, measure in found.items():
            if not isinstance(measure, str) or measure not in means:
                self._refuse(f"asked, {name}", f"a measure of means is wanted, not {measure!r}")
        return found

    def _ends(self, bounds: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        found = self._checked(dict, self.data.get("bound_means", {}), "bound_means")
        if found.keys() != bounds.keys():
            self._refuse("bound_means", "its kinds must be those of bounds")
        means = {}
        for kind, columns in found.items():
            part = f"bound_means, {kind}"
            named = self._checked(dict, columns, part)
            if named.keys() != bounds[kind].keys():
                self._refuse(part, "its measures must be those of bounds")
            means[kind] = {
                name: tuple(self._array(one, f"{part}, {name}", 2).tolist())
                for name, one in named.items()
            }
        return means

    def _shares(self, means: Mapping[str, float], n: int) -> dict[str, Shares]:
        shares = {}
        for name, one in self._checked(dict, self.data.get("shares", {}), "shares").items():
            part = f"shares, {name}"
            found = self._checked(dict, one, part)
            if name not in means or found.get("kind") not in KINDS:
                self._refuse(
                    part, f"a measure of means and its kind are wanted: {', '.join(KINDS)}"
                )
            divisors = found.get("divisors")
            shares[name] = Shares(
                found["kind"],
                self._array(found.get("numerators"), f"{part}, numerators", n),
                None if divisors is None else self._array(divisors, f"{part}, divisors", n),
            )
        return shares


def _plain(label: Any) -> Any:
    """A label as JSON has it: what is neither text nor a number, as a date, is its text."""
    label = label.item() if isinstance(label, np.generic) else label
    return label if isinstance(label, (str, int, float)) else str(label)


def _shown(value: Any) -> str:
    return repr(value)[:40]
