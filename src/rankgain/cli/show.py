"""`rankgain explain`, `reconcile`, `audit` and `conventions`."""

import argparse
import sys
from importlib import import_module
from operator import attrgetter

from ..analysis.explain import explain
from ..convention import conventions, get_convention
from ..inputs.printable import printable
from ..measures.measure import parse_measure
from .evaluate import find_source, read_judgments
from .output import UsageError, usage_errors

ERRORS = 5  # exit status: a function has errors


def run_conventions(options: argparse.Namespace) -> int:
    """Print the table, or one entry."""
    if options.name is None:
        print(conventions)
        return 0
    with usage_errors():
        print(get_convention(options.name))
    return 0


def run_explain(options: argparse.Namespace) -> int:
    """Print the explanation of one query of a run."""
    with usage_errors():
        rules = get_convention(options.convention)
    if options.k is not None and options.k < 1:
        raise UsageError(f"-k must be at least 1, not {options.k}")
    qrels = read_judgments(options)
    if options.query not in qrels:
        raise UsageError(f"query {options.query!r} has no judgments in {options.qrels}")
    # A setting that is not given is left to the convention.
    settings = {}
    for name in ("k", "gain", "discount", "ties"):
        value = getattr(options, name)
        if value is not None:
            settings[name] = value
    run = find_source(options.run, options)
    displayed = explain(qrels, run, query=options.query, convention=rules, **settings)
    print(printable(f"query {options.query}, {options.run}"))
    print(displayed)
    return 0


def run_reconcile(options: argparse.Namespace) -> int:
    """Print why a measure of a run differs between two conventions."""
    from ..analysis.reconcile import reconcile_runs

    with usage_errors():
        rules = get_convention(options.a), get_convention(options.b)
        measure = parse_measure(options.measure)
    run = find_source(options.run, options)
    print(reconcile_runs(read_judgments(options), run, *rules, measure=measure))
    return 0


def run_audit(options: argparse.Namespace) -> int:
    """Print the audit of a function; the exit status is 5 if it has errors."""
    with usage_errors():
        measure = parse_measure(options.measure)
    k = None
    if options.k.lower() != "none":
        if not options.k.isdecimal() or int(options.k) < 1:
            raise UsageError(f"-k must be a number from 1, or none, not {options.k!r}")
        k = int(options.k)
    module, _, path = options.function.partition(":")
    if not module or not path:
        raise UsageError(f"a function is named MODULE:FUNCTION, not {options.function!r}")
    # The module may be in the current directory, which the path of an installed program lacks.
    sys.path.insert(0, "")
    try:
        function = attrgetter(path)(import_module(module))
    except ImportError as error:
        hint = ""
        if module.endswith(".py"):
            hint = f"; write {options.function.replace('.py', '', 1)}, without .py"
        raise UsageError(f"cannot import {module}: {error}{hint}") from None
    except AttributeError as error:
        raise UsageError(f"{options.function}: {error}") from None
    finally:
        sys.path.remove("")
    from ..analysis.audit import audit

    result = audit(function, form=options.form, k=k, measure=measure)
    print(result)
    if result.errors:
        return ERRORS
    return 0
