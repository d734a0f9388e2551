"""Make the public function of a row of the catalogue: its call, signature and docstring."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar

import numpy as np

from ..convention import get_convention
from ..engine.arguments import ORDER, defaults, described
from ..engine.family import Family
from ..engine.prepared import CALLS
from ..engine.request import ARRAYS, arrays_of, evaluate_plain, measure_arrays
from .catalogue import FAMILIES

Form = TypeVar("Form", covariant=True)

# A section of every docstring; the shared arguments are added to it.
RETURNS = """
Parameters
----------


Returns
-------
float, or float64 array of shape (lists,)
    One list gives a float, several an array; a sequence of k adds a last axis.

A NaN score, a label that is not finite, and shapes that differ are a ValueError that names the
argument and the first place; an argument that a measure does not have is a TypeError.

"""


class measure(Generic[Form]):
    """Decorator: make the measure function of the family with this function's name.

    judged: whether it takes the argument judged. The type parameter is its signature.
    """

    def __init__(self, judged: bool = True) -> None:
        self.judged = judged

    def __call__(self, function: Callable[[], None]) -> Form:
        family = FAMILIES[function.__name__]
        accepted = {*family.arguments, *ARRAYS, "convention", "threads"}
        accepted |= {"k"} if family.cutoff == "optional" else set()
        accepted -= set() if self.judged else {"judged"}
        shared = tuple(name for name in ORDER if name in accepted)
        call: Any = wraps(function)(_call_of(family, frozenset(shared)))
        call.__signature__ = _signature(family, shared)
        if function.__doc__ is not None:  # python -OO has none
            prose, mark, example = inspect.cleandoc(function.__doc__).partition(">>>")
            names = ["y_true", "y_score", *shared]
            call.__doc__ = described(names, prose.rstrip() + "\n" + RETURNS + mark + example)
        result: Form = call
        return result


def _signature(family: Family, names: tuple[str, ...]) -> inspect.Signature:
    """The signature, with the defaults of the convention "rankgain"."""
    values = defaults(get_convention("rankgain"), family.function)
    values |= dict.fromkeys(ARRAYS) | {"threads": 1}
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=values[name])
        for name in names
    ]
    both = inspect.Parameter.POSITIONAL_OR_KEYWORD
    lists = [inspect.Parameter("y_true", both), inspect.Parameter("y_score", both, default=None)]
    return inspect.Signature([*lists, *named])


def _call_of(family: Family, names: frozenset[str]) -> Callable[..., Any]:
    """The function that a call runs; arrays with cached arguments go to the core directly."""
    name, cached = family.function, CALLS.get

    def call(y_true: Any, y_score: Any = None, **options: Any) -> Any:
        try:
            prepared = cached((name, *options.items(), *map(type, options.values())))
        except (TypeError, ValueError):  # an argument is an array or has no hash
            prepared = None
        if prepared is not None and type(y_true) is type(y_score) is list:
            y_true, y_score = arrays_of(y_true, y_score)
        if prepared is not None and type(y_true) is type(y_score) is np.ndarray:
            result = evaluate_plain(prepared, y_true, y_score, options.get("threads", 1))
            if result is not None:
                return result
        return measure_arrays(family, names, y_true, y_score, options)

    return call
