"""Standard output as a command finds it: closed, full, or in an encoding that lacks letters."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Closed(io.TextIOBase):
    """What stands in the place of standard output where it is closed."""

    def write(self, text: str) -> int:
        """Say that it is closed."""
        raise OSError("standard output is closed")

    @property
    def buffer(self) -> Any:
        """Say the same to who writes bytes."""
        return self.write("")


@contextmanager
def careful_output() -> Iterator[None]:
    """Show letters that an encoding lacks by their numbers, and say so where output is closed."""
    out: Any = sys.stdout
    error: Any = sys.stderr
    strict = isinstance(out, io.TextIOWrapper) and out.errors == "strict"
    if strict:
        out.reconfigure(errors="backslashreplace")
    sys.stdout = Closed() if out is None else out
    sys.stderr = io.StringIO() if error is None else error  # else it would go to standard output
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, error
        if strict:
            out.reconfigure(errors="strict")


def forget_output() -> None:
    """Let what was not written go nowhere, so that nothing tries again when the program ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
