"""The command line: the program `rankgain`, its commands and its exit statuses."""

import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .output import UsageError, forget_output, is_measure, name_options, safe_output

BAD_USAGE, UNREADABLE, INTERRUPTED = 1, 2, 130


@safe_output()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status. A failure prints one line on standard error."""
    if arguments is None:
        arguments = sys.argv[1:]
    words = list(arguments)
    flags: list[str] = []
    try:
        try:
            if words[:1] == ["trec_eval"]:  # without the imports of the other commands
                from ..trec.trec_eval import main as trec_eval

                return trec_eval(words[1:])
            from .parser import parse, run

            options = parse(words)
            flags = options.flags
            with _plain_warnings(flags):
                return run(options)
        finally:
            sys.stdout.flush()  # an error of the output is raised here
    except UsageError as error:
        return _fail(error, BAD_USAGE, flags)
    except BrokenPipeError:
        # The reader of the output has closed it, as `head` does: that is no failure.
        forget_output()
        return 0
    except (OSError, ValueError, TypeError, ImportError) as error:
        forget_output()
        return _fail(error, UNREADABLE, flags)
    except MemoryError:
        return _fail(MemoryError("there is not enough memory"), UNREADABLE, flags)
    except KeyboardInterrupt:
        return _fail(RuntimeError("interrupted"), INTERRUPTED, flags)


# What errors about repeated documents advise to write in Python: rankgain.Qrels(source,
# duplicates="last") is --duplicates last here.
CALLS_OF_DUPLICATES = re.compile(r'rankgain\.\w+\(source, duplicates="(\w+)"\)')


@contextmanager
def _plain_warnings(flags: Sequence[str]) -> Iterator[None]:
    """Print each RankgainWarning as one line on standard error, without a line of source code.

    flags: the options of the command.
    """
    from ..engine.notices import RankgainWarning

    with warnings.catch_warnings():
        show_other = warnings.showwarning

        def show(
            message: Warning | str, category: type[Warning], *position: Any, **options: Any
        ) -> None:
            if issubclass(category, RankgainWarning):
                line = name_options(" ".join(str(message).split()), flags)
                print(f"rankgain: warning: {line}", file=sys.stderr)
            else:
                show_other(message, category, *position, **options)

        warnings.showwarning = show
        warnings.simplefilter("always", RankgainWarning)
        yield


def _fail(error: Exception, status: int, flags: Sequence[str]) -> int:
    """Print an error; return the status. flags: the options of the command."""
    from ..inputs.printable import printable

    words = " ".join(str(error).split())
    words = CALLS_OF_DUPLICATES.sub(r"--duplicates \1", words)
    words = name_options(words, flags)
    if isinstance(error, OSError) and error.strerror:
        words = error.strerror  # without "[Errno 2]"
        if error.filename is not None:
            words = f"{error.filename or repr('')}: {words}"
            # In `-m nDCG@10 AP qrels.txt run.txt`, AP is read as a file.
            is_missing = isinstance(error, FileNotFoundError) and "--measure" in flags
            if is_missing and is_measure(str(error.filename)):
                words += f"; if it is a measure, give it an -m of its own: -m {error.filename}"
    print(f"rankgain: {printable(words)}", file=sys.stderr)
    return status
