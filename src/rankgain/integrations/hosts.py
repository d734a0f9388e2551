"""Shared by all adapters: import the host, which an adapter serves, and check its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import Evaluation, evaluate_arrays, evaluate_ids
from ..evaluation.one_pass import CallOptions, RankedOptions, TieOptions
from ..measures.families import FAMILIES
from ..measures.measure import parse_measure

if TYPE_CHECKING:
    from ..inputs.types import Ignored, Labels, Policy, Scores
    from ..measures.types import Measures, Rules


def require(module: str, extra: str | None = None) -> Any:
    """Import a module of a host; if it is missing, the error names the extra."""
    host = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != host:
            raise  # the host is installed, and lacks a dependency
        raise ImportError(
            f"this adapter needs {host}, which is not installed: "
            f'pip install "rankgain[{extra or host.replace("_", "-")}]"'
        ) from None


LISTS = ("group", "qid", "lengths", "judged", "exclude", "ids")  # the host passes these


class HostOptions(CallOptions, total=False):
    """Options of `evaluate_arrays` that an adapter takes, and the name in the host's record."""

    ignore: Ignored
    name: str


class HostIdOptions(RankedOptions, total=False):
    """Options of `evaluate_ids` that an adapter takes, and the name in the host's record."""

    name: str
    duplicates: Policy
    convention: Rules
    threads: int | None


class CountedOptions(TieOptions, total=False):
    """Options where ranks are counted, which knows no places of documents."""

    convention: Rules


class Requested(NamedTuple):
    """Checked measures and options of an adapter."""

    measures: Any
    options: dict[str, Any]
    names: tuple[str, ...]  # in the results
    labels: tuple[str, ...]  # in the host's record

    def of_arrays(self, y_true: Labels, y_score: Scores, **lists: Any) -> Evaluation:
        """Evaluate labels and scores; options override the arguments of the host."""
        return evaluate_arrays(y_true, y_score, self.measures, **(lists | self.options))

    def of_ids(self, retrieved: Any, relevant: Any) -> Evaluation:
        """Evaluate ids of several lists."""
        result: Evaluation = evaluate_ids(retrieved, relevant, self.measures, **self.options)
        return result

    @property
    def name(self) -> str:
        """The name of the only measure."""
        return self.names[0]

    @property
    def larger(self) -> list[bool]:
        """Whether larger values are better, for each measure."""
        families = [parse_measure(name).family.lower() for name in self.names]
        return [not FAMILIES[family].smaller_is_better for family in families]


def requested(
    measures: Measures, options: Mapping[str, Any], *, one: bool = False, ids: bool = False
) -> Requested:
    """Check names of measures and options by an evaluation without lists.

    one: the host takes one number. ids: the options are those of `evaluate_ids`. The option name=
    is the only measure's name in the host's record.
    """
    if taken := [name for name in LISTS if name in options]:
        raise TypeError(f"{taken[0]} is not an option here: the host passes the lists")
    if "metric" in options:
        raise TypeError("metric is not an option here: the measure is the first argument")
    rest = {key: value for key, value in options.items() if key != "name"}
    tried = {key: value for key, value in rest.items() if key != "weight"}
    if ids:
        result = evaluate_ids({}, {}, measures, **tried)  # an empty list would be one list
    else:
        result = evaluate_arrays([], [], measures, group=[], **tried)
    names = tuple(result.means)
    if (one or "name" in options) and len(names) > 1:
        raise ValueError(f"expected one measure, not {', '.join(names)}")
    return Requested(measures, rest, names, (options["name"],) if "name" in options else names)


def to_numpy(values: Any) -> Any:
    """A tensor as an array, or an array; half precision becomes single."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        is_half = values.is_floating_point() and values.dtype.itemsize < 4
        values = (values.float() if is_half else values).numpy()
    return np.asarray(values)


def count_sizes(ids: object, argument: str) -> Any:
    """The sizes of lists whose rows stand together, from an id of the list for each row."""
    ids = np.asarray(ids)
    if ids.ndim != 1:
        raise ValueError(f"{argument} must be an id for each row, not of shape {ids.shape}")
    starts = np.flatnonzero(np.append([True] * (len(ids) > 0), ids[1:] != ids[:-1]))
    earlier: set[Any] = set()
    for start, one in zip(starts.tolist(), ids[starts].tolist(), strict=True):
        if one in earlier:
            raise ValueError(
                f"{argument}: the id {one!r} comes back in row {start}, after another list; put "
                "the rows of each list together, as a stable sort by the ids does"
            )
        earlier.add(one)
    return np.diff(np.append(starts, len(ids)))


def weights_of_lists(weight: object, sizes: object) -> Any:
    """The mean weight of the rows of each list."""
    sizes = np.asarray(sizes)
    sums = np.add.reduceat(np.append(np.asarray(weight), 0.0), np.cumsum(sizes) - sizes)
    return np.divide(sums, sizes, where=sizes > 0, out=np.zeros(len(sizes)))
