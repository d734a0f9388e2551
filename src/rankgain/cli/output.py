"""Errors of usage, and standard output: closed, full, or in an encoding without some letters."""

import ast
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class UsageError(ValueError):
    """Wrong arguments of the command line."""


class Closed(io.TextIOBase):
    """Replaces a standard output that is closed."""

    def write(self, text: str) -> int:
        """Raise an error."""
        raise OSError("standard output is closed")

    @property
    def buffer(self) -> object:
        """Raise the same error for bytes."""
        return self.write("")


@contextmanager
def safe_output() -> Iterator[None]:
    """Escape letters that the encoding lacks, and raise an error if the output is closed."""
    output = sys.stdout
    errors = sys.stderr
    # An error handler that the caller chose, as by PYTHONIOENCODING, is kept.
    strict_output = None
    if isinstance(output, io.TextIOWrapper) and output.errors == "strict":
        strict_output = output
        strict_output.reconfigure(errors="backslashreplace")
    if output is None:
        sys.stdout = Closed()
    if errors is None:
        sys.stderr = io.StringIO()  # else print would use standard output
    try:
        yield
    finally:
        sys.stdout, sys.stderr = output, errors
        if strict_output is not None:
            strict_output.reconfigure(errors="strict")


def forget_output() -> None:
    """Discard output that was not written, so that it causes no second error at the exit."""
    try:
        sys.stdout.flush()
    except OSError:
        # What is left in the buffer goes to /dev/null when the interpreter flushes it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# A call in a message, which stays as it is, or an argument of Python: a name, as `score` or
# `query[1]`, and what follows the equals sign: a list, a mapping, text, dots, None or a number.
ARGUMENTS = re.compile(
    r"""\w\([^()]*\)|(?<=[ (])(?P<name>[a-z]\w*)(?:\[\d+\])?="""
    r"""(?P<value>\[[^]]*\]|\{[^}]*\}|'[^']*'|"[^"]*"|\.\.\.|None|\d+(?:\.\d+)?)?(?![=\w/])"""
)


def name_options(message: str, flags: Sequence[str]) -> str:
    """A message with the options of a command in place of Python's arguments of the same name."""

    def as_option(match: re.Match[str]) -> str:
        flag = f"--{(match['name'] or '').replace('_', '-')}"
        # A command in which --measure selects measures has --measure-column for the argument.
        if f"{flag}-column" in flags:
            flag = f"{flag}-column"
        if flag not in flags:
            return match[0]
        value = match["value"] or ""
        if value.startswith("{"):
            value = "..."
        values = [value]
        if value.startswith("["):
            values = re.findall(r"'[^']*'", value)  # such an option is repeated
        words = []
        for text in values:
            bare = text.strip("'\"")
            if bare == "None":
                bare = "none"
            if " " in bare:  # a shell would split it without the quotes
                bare = text
            words.append(f"{flag} {bare}".rstrip())
        return " ".join(words)

    return ARGUMENTS.sub(as_option, message)


# What an error about several measures in one text advises to write in Python.
SEVERAL_MEASURES = re.compile(r"pass several measures as a list: (\[.*\])$")


def repeat_option(message: str, option: str, end: str = "") -> str:
    """A message with an option for each measure in place of a list of measures.

    option: "" if the command takes one measure; end: of each value, such as "=0.3".
    """

    def as_options(match: re.Match[str]) -> str:
        names = ast.literal_eval(match[1])
        if not option:
            return f"give one measure, and run the command for each of {', '.join(names)}"
        words = [f"{option} {shlex.quote(name + end)}" for name in names]
        return f"give one {option} for each measure: {' '.join(words)}"

    return SEVERAL_MEASURES.sub(as_options, message)


def is_measure(text: str) -> bool:
    """Whether a text is the name of a measure."""
    from ..measures.measure import parse_measures  # only when needed

    try:
        parse_measures(text)
    except ValueError:
        return False
    return True


@contextmanager
def usage_errors(place: str = "", option: str = "", end: str = "") -> Iterator[None]:
    """Raise errors of arguments as errors of usage; option, end: as in `repeat_option`."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise UsageError(f"{place}{repeat_option(str(error), option, end)}") from None
