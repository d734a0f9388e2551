"""`rankgain audit`: check a function for the known errors of metrics."""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import Any

from ..analysis.audit import audit
from ..measures.measure import parse_measure
from .output import UsageError

ERRORS = 5


def command(options: argparse.Namespace) -> int:
    """Print the audit of a function; the exit status is 5 if it has errors."""
    try:
        measure = parse_measure(options.measure)
    except ValueError as error:
        raise UsageError(str(error)) from None
    k = None if options.k.lower() == "none" else options.k
    if k is not None and (not k.isdecimal() or int(k) < 1):
        raise UsageError(f"-k must be a number from 1, or none, not {k!r}")
    function = _function(options.function)
    result = audit(function, form=options.form, k=k and int(k), measure=measure)
    print(result)
    return ERRORS if result.errors else 0


def _function(name: str) -> Callable[..., Any]:
    """Import a function; its module may be in the current directory."""
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise UsageError(f"a function is named MODULE:FUNCTION, not {name!r}")
    sys.path.insert(0, "")
    try:
        function: Callable[..., Any] = attrgetter(path)(import_module(module))
    except ImportError as error:
        raise UsageError(f"cannot import {module}: {error}") from None
    except AttributeError as error:
        raise UsageError(f"{name}: {error}") from None
    finally:
        sys.path.remove("")
    return function
