"""Shared by all adapters: import the host, which an adapter serves, and check its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import Evaluation, evaluate_arrays
from ..measures.catalogue import FAMILIES
from ..measures.measure import parse_measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..inputs.types import Labels, Scores
    from ..measures.measure import Measure


def required(module: str, extra: str | None = None) -> Any:
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


class Requested(NamedTuple):
    """Checked measures and options of an adapter."""

    measures: Any
    options: dict[str, Any]
    names: tuple[str, ...]  # in the results

    def of_arrays(self, y_true: Labels, y_score: Scores, **lists: Any) -> Evaluation:
        """Evaluate labels and scores; options override the arguments of the host."""
        return evaluate_arrays(y_true, y_score, self.measures, **(lists | self.options))

    @property
    def name(self) -> str:
        """The name of the only measure."""
        return self.names[0]


def requested(measures: Any, options: Mapping[str, Any], evaluate: Any = None) -> Requested:
    """Check names of measures and options by an evaluation without lists."""
    if taken := [name for name in LISTS if name in options]:
        raise TypeError(f"{taken[0]} is not an option here: the host passes the lists")
    tried = {name: value for name, value in options.items() if name != "weight"}
    if evaluate is None:
        result = evaluate_arrays([], [], measures, group=[], **tried)
    else:
        result = evaluate({}, {}, measures, **tried)  # an empty list would be one list
    return Requested(measures, dict(options), tuple(result.means))


def requested_one(
    measure: str | Measure,
    options: Mapping[str, Any],
    evaluate: Callable[..., object] | None = None,
) -> Requested:
    """As `requested`, for a host that takes one number."""
    result = requested(measure, options, evaluate)
    if len(result.names) > 1:
        raise ValueError(f"expected one measure, not {', '.join(result.names)}")
    return result


def larger_is_better(name: str) -> bool:
    """Whether larger values of a measure are better."""
    return not FAMILIES[parse_measure(name).family.lower()].smaller_is_better
