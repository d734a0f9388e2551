"""Make the public function of a row of the catalogue: its call and its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..engine.arguments import described
from ..engine.family import Family
from ..engine.prepared import CALLS
from ..engine.request import arrays_of, evaluate_plain, measure_arrays
from .catalogue import FAMILIES

if TYPE_CHECKING:
    from ..inputs.types import Labels, Scores


Function = TypeVar("Function", bound=Callable[..., Any])

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


def measure(function: Function) -> Function:
    """Decorator: make the measure function of the family with this function's name.

    The function decorated is a declaration: the names, order and defaults of the arguments, and a
    docstring. The defaults are those of the convention "rankgain"; where a call leaves an argument
    out, its convention decides.
    """
    arguments = tuple(function.__kwdefaults__ or ())
    call: Any = wraps(function)(_call_of(FAMILIES[function.__name__], frozenset(arguments)))
    if function.__doc__ is not None:  # python -OO has none
        prose, mark, example = inspect.cleandoc(function.__doc__).partition(">>>")
        names = ["y_true", "y_score", *arguments]
        call.__doc__ = described(names, prose.rstrip() + "\n" + RETURNS + mark + example)
    result: Function = call
    return result


def _call_of(family: Family, names: frozenset[str]) -> Callable[..., Any]:
    """The function that a call runs; arrays with cached arguments go to the core directly."""
    name, cached = family.function, CALLS.get

    def call(y_true: Labels, y_score: Scores | None = None, **options: Any) -> Any:
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
