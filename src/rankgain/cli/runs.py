"""The runs of a command: their files, their names, and a progress bar."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob, has_magic
from typing import Any

from .output import UsageError

# A progress bar is shown from this number of bytes or runs on.
LARGE = 1 << 26
MANY = 10


def expanded(patterns: Sequence[str]) -> list[str]:
    """Expand directories to their files, and patterns to the files that match."""
    paths: list[str] = []
    for one in patterns:
        if os.path.isdir(one):
            inside = sorted(os.path.join(one, name) for name in os.listdir(one) if name[0] != ".")
            result = [path for path in inside if os.path.isfile(path)]
            if not result:
                raise ValueError(f"there is no file in the directory {one}")
        elif has_magic(one) and not os.path.exists(one):
            result = sorted(glob(one)) or [one]  # reading it raises the error
        else:
            result = [one]
        paths += result
    return paths


def named(paths: Sequence[str], names: str | None) -> dict[str, str]:
    """Paths by name of the run: the names of `--names`, else file names.

    If two files have one name, the paths are the names.
    """
    if names is None:
        files = [os.path.basename(path) for path in paths]
        return dict(zip(files if len(set(files)) == len(files) else paths, paths, strict=True))
    listed = [name.strip() for name in names.split(",")]
    if len(listed) != len(paths):
        raise UsageError(f"--names has {len(listed)} names, but there are {len(paths)} runs")
    for name in listed:
        if not name or listed.count(name) > 1:
            raise UsageError(f"--names: each run needs a name of its own, not {name!r}")
    return dict(zip(listed, paths, strict=True))


def one_of(name: str, runs: dict[str, str]) -> str:
    """Find a run by its name, its file name, or a part of the file name between dots."""
    if name in runs:
        return name
    files = {run: os.path.basename(path) for run, path in runs.items()}
    for matches in (
        [run for run, file in files.items() if file == name],
        [run for run, file in files.items() if name in file.split(".")],
    ):
        if len(matches) == 1:
            return matches[0]
    raise UsageError(f"--baseline {name} is not among the runs: {', '.join(runs)}")


@contextmanager
def progress(paths: Sequence[str]) -> Iterator[Any]:
    """Iterate over the paths, with a bar on standard error for a large job on a terminal."""
    large = len(paths) >= MANY or sum(map(_size, paths)) >= LARGE
    if not large or not sys.stderr.isatty():
        yield paths
        return
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:  # rich is optional
        yield paths
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        yield bar.track(paths, description="evaluating")


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
