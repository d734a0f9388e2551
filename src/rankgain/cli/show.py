"""`rankgain explain`, `reconcile` and `conventions`."""

import argparse

from ..analysis.explain import explain
from ..convention import conventions, get_convention
from ..inputs.printable import printable
from ..measures.measure import parse_measure
from .evaluate import find_source, read_judgments
from .output import UsageError


def show_conventions(options: argparse.Namespace) -> int:
    """Print the table, or one entry."""
    if options.name is None:
        print(conventions)
        return 0
    try:
        print(get_convention(options.name))
    except ValueError as error:
        raise UsageError(str(error)) from None
    return 0


def explain_query(options: argparse.Namespace) -> int:
    """Print the explanation of one query of a run."""
    try:
        rules = get_convention(options.convention)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.k is not None and options.k < 1:
        raise UsageError(f"-k must be at least 1, not {options.k}")
    qrels = read_judgments(options)
    if options.query not in qrels:
        raise UsageError(f"query {options.query!r} has no judgments in {options.qrels}")
    settings = {name: getattr(options, name) for name in ("k", "gain", "discount", "ties")}
    displayed = explain(
        qrels,
        find_source(options.run, options),
        query=options.query,
        convention=rules,
        **{name: value for name, value in settings.items() if value is not None},
    )
    print(printable(f"query {options.query}, {options.run}"))
    print(displayed)
    return 0


def reconcile_run(options: argparse.Namespace) -> int:
    """Print why a measure of a run differs between two conventions."""
    from ..analysis.reconcile import reconcile_runs

    try:
        rules = get_convention(options.a), get_convention(options.b)
        measure = parse_measure(options.measure)
    except ValueError as error:
        raise UsageError(str(error)) from None
    run = find_source(options.run, options)
    print(reconcile_runs(read_judgments(options), run, *rules, measure=measure))
    return 0
