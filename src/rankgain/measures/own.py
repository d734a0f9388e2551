"""Measures of one's own: a function of a ranking that is evaluated as the named measures are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, SupportsIndex

from ..convention.options import read_cutoff
from ..engine.rankings import RankingFunction
from ..engine.settings import Computation, Family
from .measure import Measure, parse_measures, set_fields

# The core counts the documents of the lists, so that it checks what a function will see.
READ_LISTS = Computation("count", "value", averages=False)
ORDERED = ("ties", "seed", "judged_only")  # the arguments that change the ranking a function sees


class OwnMeasure(Measure):
    """A measure that a function computes. It is made by `rankgain.measure`."""

    __slots__ = ("_definition",)

    _definition: Family

    def __init__(self, definition: Family, k: int | None = None) -> None:
        name = definition.name
        text = name if k is None else f"{name}@{k}"
        set_fields(self, text=text, family=name, k=k, params={})
        object.__setattr__(self, "_definition", definition)

    @property
    def definition(self) -> Family:
        """The family: the function, and which of two values is better."""
        return self._definition

    def __matmul__(self, k: SupportsIndex) -> OwnMeasure:
        """The measure at a cutoff: `measure @ 10`."""
        if self._definition.cutoff == "none":
            raise ValueError(
                f"measure {self.family!r} takes no cutoff; make it with cutoff=True, and its "
                "function is called with the ranking and k"
            )
        return OwnMeasure(self._definition, read_cutoff(k))

    def __repr__(self) -> str:
        function = self._definition.compute
        called = getattr(function, "__name__", repr(function))
        return f"<measure {str(self)!r} of the function {called}>"

    def __reduce__(self) -> tuple[object, ...]:
        better = "lower" if self._definition.smaller_is_better else "higher"
        has_cutoff = self._definition.cutoff == "required"
        arguments = self.family, self._definition.compute, better, has_cutoff, self.k
        return _from_pickle, arguments


def _from_pickle(
    name: str,
    function: RankingFunction,
    better: Literal["higher", "lower"],
    cutoff: bool,
    k: int | None,
) -> Measure:
    """The measure of these arguments; the name stays, as pickles have it."""
    result = measure(name, function, better=better, cutoff=cutoff)
    if k is None:
        return result
    return result @ k


def measure(
    name: str,
    function: Callable[..., object],
    *,
    better: Literal["higher", "lower"] = "higher",
    cutoff: bool = False,
) -> OwnMeasure:
    """Make a measure of your own from a function of a ranking.

    The result is accepted wherever the name of a measure is, alone or in a list with names:
    `evaluate`, `evaluate_arrays`, `evaluate_ids`, `evaluate_frame` and their kin. It is evaluated
    once for each query, in the order of the queries and in the calling thread.

    Parameters
    ----------
    name : str
        The name in results. Names that `parse_measure` reads are taken.
    function : callable
        `function(ranking)`, or with a cutoff `function(ranking, k)`, returns the value of one list:
        a number, or NaN if the measure is undefined there. Undefined values are left out of the
        mean and counted. `ranking` has read-only arrays: `labels` (float64, in rank order, 0 for
        unjudged documents), `judged` (bool, in rank order) and `ideal` (the labels of all judged
        documents, retrieved or not, in descending order); and `n`, how many documents were
        retrieved, and `relevant(rel=1.0)`, how many judged documents have at least this label.
    better : "higher" or "lower"
        Which of two values is better, for comparisons, tables and pictures.
    cutoff : bool
        Whether the measure has a cutoff: it is then requested as `measure @ 10`, and named
        "name@10". k may be larger than `ranking.n`.

    Returns
    -------
    Measure

    Raises
    ------
    ValueError
        For a name that is taken or empty, and later for an infinite value and for anything that the
        function raises, which is then the cause.
    TypeError
        Later, for a value that is not a number.

    Notes
    -----
    A query without results has an empty ranking (n = 0), and the function decides what that is
    worth. Labels are those that the convention reads: below 0 they are 0 in the conventions of
    TREC. `judged_only`, `exclude` and `duplicates` apply before. Tied documents need a rule that
    orders them, as the convention of `evaluate` does: otherwise pass `ties=`, such as "stable".

    Bounds, `evaluate_counts`, `evaluate_factors`, `evaluate_catalogue`, `sql` and the command line
    do not support measures of one's own.

    Examples
    --------
    >>> import rankgain as rg
    >>> def first_gap(ranking):
    ...     misses = (ranking.labels < 1).nonzero()[0]
    ...     return misses[0] if len(misses) else ranking.n
    >>> flawless = rg.measure("documents before the first miss", first_gap)
    >>> result = rg.evaluate_arrays([[1, 1, 0, 1]], [[4, 3, 2, 1]], [flawless, "P@2"])
    >>> print(result)
    measure                           mean
    documents before the first miss   2.0000
    P@2                               1.0000
    1 query (convention rankgain)
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, not {type(name).__name__}")
    if not name.strip() or name != name.strip():
        raise ValueError(f"name must be a text without blanks at its ends, not {name!r:.100}")
    if not callable(function):
        raise TypeError(f"function must be callable, not {type(function).__name__}")
    if better not in ("higher", "lower"):
        raise ValueError(f'better must be "higher" or "lower", not {better!r:.100}')
    _refuse_known(name)
    definition = Family(
        name,
        "own",
        ORDERED,
        cutoff="required" if cutoff else "none",
        row=READ_LISTS,
        smaller_is_better=better == "lower",
        skips_undefined=True,
        compute=function,
    )
    return OwnMeasure(definition)


def _refuse_known(name: str) -> None:
    """Refuse a name that stands for a measure of the library."""
    try:
        same_names = parse_measures(name)
    except ValueError:
        return
    meanings = ", ".join(map(str, same_names))
    raise ValueError(f"name: {name!r:.100} stands for {meanings} already; choose another name")
