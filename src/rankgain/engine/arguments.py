"""The shared arguments as text: their help and their order, for docstrings and signatures.

A function's docstring describes only its special arguments; the others are added from the table. A
signature shows the values of the default convention.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..convention import UNSET, Convention, get_convention
from ..convention.fields import Frozen
from ..convention.options import ARGUMENTS
from .settings import resolve

Function = TypeVar("Function", bound=Callable[..., Any])

ORDER = {name: place for place, name in enumerate(ARGUMENTS)}


class DefaultText:
    """A default in a signature that is not one value."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


BY_MEASURE = DefaultText("by measure")
BY_NAME = DefaultText("the usual name")  # of a column


def defaults(rules: Convention, function: str | None = None) -> dict[str, Any]:
    """The defaults of arguments: of a measure function, or of a function that takes any measure."""
    result = resolve(function or "ndcg", {}, rules)._asdict()
    if function is None:
        result |= {name: BY_MEASURE for name in result if type(getattr(rules, name, 0)) is Frozen}
    result |= {"judged_only": rules.unjudged == "drop", "convention": rules.name}
    return {**result, "doc": BY_NAME}


def describe_arguments(names: Iterable[str], doc: str) -> str:
    """Add the shared arguments to the section Parameters of a docstring."""
    section = re.search(r"(?<=\nParameters\n----------\n).*?(?=\n\n\S)", doc, re.DOTALL)
    entries = re.split(r"\n(?=\S)", section[0]) if section else []
    described_names = {name for one in entries for name in one.partition(" : ")[0].split(", ")}
    entries += [ARGUMENTS[name] for name in names if name in ORDER and name not in described_names]
    entries.sort(key=lambda entry: ORDER.get(re.split(r"\W", entry)[0], -1))
    if section is None:
        raise ValueError("the docstring has no section Parameters")
    return doc[: section.start()] + "\n".join(entries) + doc[section.end() :]


def document(convention: str) -> Callable[[Function], Function]:
    """Add shared arguments to a docstring, and a convention's values to the signature.

    Keywords from a TypedDict (`**options: Unpack[...]`) are listed one by one in the signature.
    """

    def complete(function: Function) -> Function:
        signature = inspect.signature(function)
        values = defaults(get_convention(convention))
        parameters: list[inspect.Parameter] = []
        for one in signature.parameters.values():
            if one.default is UNSET:
                kind = str(one.annotation).replace(" | Unset", "")
                one = one.replace(default=values[one.name], annotation=kind)
            if one.kind is one.VAR_KEYWORD:
                parameters += _unpack(function, one, values)
            else:
                parameters.append(one)
        # Special parameters come first, then the shared ones in the order of the table.
        parameters.sort(key=lambda one: (one.kind, ORDER.get(one.name, -1)))
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        if function.__doc__ is not None:  # python -OO has none
            taken = {one.name for one in parameters}
            names = [name for name in ORDER if name in taken]
            function.__doc__ = describe_arguments(names, inspect.cleandoc(function.__doc__))
        return function

    return complete


def _unpack(
    function: Callable[..., object], keywords: inspect.Parameter, values: dict[str, Any]
) -> list[inspect.Parameter]:
    """The keywords of a TypedDict as parameters with these defaults."""
    kind = keywords.annotation.removeprefix("Unpack[").removesuffix("]")
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=values[name],
            annotation=getattr(one, "__forward_arg__", one),
        )
        for name, one in function.__globals__[kind].__annotations__.items()
    ]
