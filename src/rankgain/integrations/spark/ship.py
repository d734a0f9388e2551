"""Functions that are sent to Spark's workers; a worker without this package raises an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def pyspark_functions() -> Any:
    """pyspark.sql.functions, or an error that names the extra."""
    try:
        from pyspark.sql import functions
    except ImportError as error:
        raise ImportError(
            "rankgain.spark needs pyspark; install it with: pip install 'rankgain[spark]'"
        ) from error
    return functions


def shipped(name: str, /, **arguments: object) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for mapInArrow that calls `rankgain.spark.tasks.<name>(batches, **arguments)`.

    It is a nested function, which is pickled by value, so that a worker without this package can
    raise a clear error; its arguments are pickled apart, for the same reason.
    """
    from pyspark import cloudpickle

    pickled = cloudpickle.dumps(arguments)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pickle
        import sys

        try:
            from . import tasks
        except ImportError as error:
            raise ImportError(
                f"rankgain cannot be imported where Spark's tasks run ({error}; Python "
                f"{sys.version.split()[0]}, {sys.executable}): install the wheel there, as a "
                "library of the cluster, or ship a packed environment that has it with "
                "spark.archives (venv-pack, conda-pack); --py-files does not do for compiled code"
            ) from error
        yield from getattr(tasks, name)(batches, **pickle.loads(pickled))

    return run


def mapped(rows: DataFrame, run: Callable[[Iterator[Any]], Iterator[Any]], schema: object) -> Any:
    """mapInArrow, with safe names for the columns."""
    return rows.toDF(*[f"c{at}" for at in range(len(rows.columns))]).mapInArrow(run, schema)
