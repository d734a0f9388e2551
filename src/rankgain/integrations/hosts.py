"""Shared by all adapters: import the host, which an adapter serves, and check its arguments."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import Evaluation, evaluate_arrays, evaluate_ids
from ..evaluation.one_pass import CallOptions, RankedOptions, TieOptions
from ..inputs.printable import is_missing, refuse_wide_ids
from ..measures.families import FAMILIES
from ..measures.measure import parse_measure

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Ignored, Integers, Labels, Policy, Scores
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

    measures: Measures
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
        larger = []
        for name in self.names:
            family = FAMILIES[parse_measure(name).family.lower()]
            larger.append(not family.smaller_is_better)
        return larger


def read_request(
    measures: Measures, options: Mapping[str, Any], *, single: bool = False, ids: bool = False
) -> Requested:
    """Check names of measures and options by an evaluation without lists.

    single: the host supports one number. ids: the options are those of `evaluate_ids`. The option
    name= is the only measure's name in the host's record.
    """
    for name in LISTS:
        if name in options:
            raise TypeError(f"{name} is not an option here: the host passes the lists")
    if "metric" in options:
        raise TypeError("metric is not an option here: the measure is the first argument")
    call_options = dict(options)
    call_options.pop("name", None)
    # A weight is of lists, of which there are none here.
    trial_options = dict(call_options)
    trial_options.pop("weight", None)
    if ids:
        result = evaluate_ids({}, {}, measures, **trial_options)  # [] would be one list
    else:
        result = evaluate_arrays([], [], measures, group=[], **trial_options)
    names = tuple(result.means)
    if (single or "name" in options) and len(names) > 1:
        raise ValueError(f"expected one measure, not {', '.join(names)}")
    labels = names
    if "name" in options:
        labels = (options["name"],)
    return Requested(measures, call_options, names, labels)


def to_numpy(values: Any) -> Array:
    """A tensor as an array, or an array; half precision becomes single."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if values.is_floating_point() and values.dtype.itemsize < 4:
            values = values.float()
        values = values.numpy()
    return np.asarray(values)


def count_sizes(ids: object, argument: str) -> Integers:
    """The sizes of lists whose rows are adjacent, from an id of the list for each row."""
    array = np.asarray(ids)
    if array.ndim != 1:
        raise ValueError(f"{argument} must be an id for each row, not of shape {array.shape}")
    # NumPy turns None and NaN among text into text, so a list is checked as it was passed.
    refuse_doubtful_ids(ids if isinstance(ids, (list, tuple)) else array, argument)
    # A list begins in the first row, and where the id differs from that of the row before.
    begins = np.ones(len(array), bool)
    begins[1:] = array[1:] != array[:-1]
    starts = np.flatnonzero(begins)
    earlier: set[object] = set()
    for start, list_id in zip(starts.tolist(), array[starts].tolist(), strict=True):
        if list_id in earlier:
            raise ValueError(
                f"{argument}: the id {list_id!r} appears again in row {start}, after another list; "
                "put the rows of each list together, as a stable sort by the ids does"
            )
        earlier.add(list_id)
    return np.diff(np.append(starts, len(array)))


def refuse_doubtful_ids(ids: Sequence[object] | Array, argument: str) -> None:
    """Refuse ids that are missing, and floats that may represent several integers."""
    missing: list[int]
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "fmM":
        missing = np.flatnonzero(ids != ids).tolist()
    elif isinstance(ids, np.ndarray) and ids.dtype.kind != "O":
        return
    else:
        missing = []
        for row, value in enumerate(ids):
            if is_missing(value):
                missing.append(row)
    if missing:
        raise ValueError(
            f"{argument}[{missing[0]}] is {ids[missing[0]]}; give each row the id of its list, or "
            "drop the row"
        )
    if isinstance(ids, np.ndarray) and ids.dtype.kind == "f":
        refuse_wide_ids(ids, lambda row: f"{argument}[{row}]")
        return
    rows: list[int] = []
    floats: list[float] = []
    for row, value in enumerate(ids):
        if isinstance(value, (float, np.floating)):
            rows.append(row)
            floats.append(float(value))
    refuse_wide_ids(np.array(floats, np.float64), lambda index: f"{argument}[{rows[index]}]")


def setting_text(value: object, inside: frozenset[int] = frozenset()) -> str:
    """A text of measures or options that is the same in every process.

    A pickle depends on its protocol, and the repr of a function has an address. So a function is
    its name here, and one without a name of its own, such as a lambda, its code and what that
    refers to. inside: the objects whose parts these are.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str, bytes, complex)):
        return repr(value)
    if id(value) in inside:  # such as a nested function that calls itself
        return "itself"
    parts: Iterable[object]
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = value
    elif isinstance(value, np.ndarray):
        parts = [value.dtype.str, value.shape, value.tolist()]
    elif isinstance(value, CodeType):
        parts = [value.co_code, value.co_names, value.co_consts]
    elif isinstance(value, functools.partial):
        parts = [value.func, value.args, value.keywords]
    elif isinstance(value, MethodType):
        parts = [value.__func__, value.__self__]
    elif hasattr(value, "__qualname__") or hasattr(value, "__name__"):
        name = str(getattr(value, "__qualname__", None) or getattr(value, "__name__", ""))
        parts = [getattr(value, "__module__", None), name]
        if isinstance(value, FunctionType) and "<" in name:
            cells: list[object] = []
            for cell in value.__closure__ or ():
                cells.append(cell.cell_contents)
            parts = [*parts, value.__code__, value.__defaults__, value.__kwdefaults__, cells]
    else:
        state: dict[str, object] = {}
        for name in getattr(type(value), "__slots__", ()):
            if hasattr(value, name):
                state[name] = getattr(value, name)
        parts = [state | getattr(value, "__dict__", {})]
    texts = [setting_text(part, inside | {id(value)}) for part in parts]
    if isinstance(value, (Mapping, set, frozenset)):
        texts.sort()
    return f"{type(value).__qualname__}({', '.join(texts)})"


def weights_of_lists(weight: object, sizes: object) -> Floats:
    """The mean weight of the rows of each list."""
    sizes = np.asarray(sizes)
    # An empty list at the end starts behind the last row, where reduceat needs a number, the 0.0.
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(np.append(np.asarray(weight), 0.0), starts)
    means: Floats = np.divide(sums, sizes, where=sizes > 0, out=np.zeros(len(sizes)))
    return means
