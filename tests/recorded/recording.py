"""Transcripts: what thousands of calls return, print, warn of and refuse, held as text.

A file of `transcripts/` begins with source that runs before each of its calls; then come the calls,
each behind >>>, with what they answered. The answers come from rankgain itself. They do not prove
that a value is right (the oracle and the peers do), but no answer changes unseen. To add a call,
write its line. After this, or a change of answers made on purpose,

    python tests/recorded/recording.py [NAME...]

records the answers of these transcripts anew (of all, without a name), and the diff shows what a
user will see change.
"""

import ast
import contextlib
import dataclasses
import functools
import io
import math
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rankgain as rg

HERE = Path(__file__).parent
PROMPT, CONTINUED = ">>> ", "... "
CALL = "<call>"  # the name of the file that a call's code claims to come from
PLACE = re.compile(r"0x[0-9a-f]{6,}")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
NUMBER = re.compile(r"(?<![\w.#])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w#])")
RELATIVE, ABSOLUTE = 1e-6, 1e-12  # processors and libraries round in other orders
# Functions of scikit-learn's names warn with its class where it is loaded.
TWINS = {"UndefinedMetricWarning": "RankgainWarning"}
# Python words these errors, not always in the same way. With a hint they are those of rankgain, as
# are those of functions of measures.
OWN_WORDS = (
    "auc|average_precision|[in]?d?cg|err|f1|hit_rate|(r_)?precision|rbp|recall|reciprocal_rank"
)
OF_PYTHON = re.compile(
    r"required positional|has no attribute|NameError"
    rf"|\b(?!(?:{OWN_WORDS})\(\))[\w.]+\(\) got an unexpected keyword argument '\w+'(?!;)"
)


# Transcripts


class Transcript:
    """A file of calls and their answers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = HERE / "transcripts" / f"{name}.txt"
        self.given, *entries = re.split(rf"^{PROMPT}", self.path.read_text("utf-8"), flags=re.M)
        needs = re.search(r"^# Needs (.*)$", self.given, re.M)
        self.needs = needs[1].split(", ") if needs else []
        self.code = compile(self.given, "<given>", "exec")
        self.calls: list[str] = []
        self.answers: dict[str, str] = {}
        self.data: dict[str, str] = {}
        for entry in entries:
            lines = entry.splitlines()
            count = 1
            while lines[count:] and lines[count].startswith(CONTINUED):
                count += 1
            source = [lines[0], *(line.removeprefix(CONTINUED) for line in lines[1:count])]
            self.calls.append("\n".join(source))
            self.answers[self.calls[-1]] = "\n".join(lines[count:])

    def answer_each(self, calls: Sequence[str]) -> Iterator[str]:
        """What each call shows, warns of, raises and changes, in an empty folder."""
        with contextlib.ExitStack() as folders:
            folder = folders.enter_context(tempfile.TemporaryDirectory())
            for call in calls:
                if os.listdir(folder):
                    folder = folders.enter_context(tempfile.TemporaryDirectory())
                yield self._answer(call, folder)

    def _answer(self, call: str, folder: str) -> str:
        with contextlib.chdir(folder):
            names: dict[str, Any] = {"np": np, "rg": rg}
            exec(self.code, names)
            if not self.data:  # the same before every call
                self.data = _data(names)
            text = answered(call, names, self.data)
            places = {folder, os.path.realpath(folder)}
        if "matplotlib.pyplot" in sys.modules:  # an error may have left a figure open
            sys.modules["matplotlib.pyplot"].close("all")
        for place in sorted(places, key=len, reverse=True):
            text = text.replace(place, "FOLDER")
        return text.replace(rg.__version__, "VERSION")

    def record(self) -> None:
        """Write the answers of now; what differs only in the last digits stays."""
        entries = [self.given]
        calls = list(dict.fromkeys(self.calls))
        for call, answer in zip(calls, self.answer_each(calls), strict=True):
            if OF_PYTHON.search(answer):
                raise SystemExit(f"{self.name}: Python itself refuses {call}\n{answer}")
            recorded = self.answers[call]
            text = recorded if same(recorded, answer) else answer
            source = f"\n{CONTINUED}".join(call.splitlines())
            entries.append(f"{PROMPT}{source}\n{text}\n")
        self.path.write_text("".join(entries), encoding="utf-8")


def transcript_names() -> list[str]:
    return sorted(path.stem for path in (HERE / "transcripts").glob("*.txt"))


# Answers


def answered(call: str, names: dict[str, Any], before: Mapping[str, str]) -> str:
    """The answer of source text: one part for each expression, warning, output and error."""
    parts, printed, errors = [], io.StringIO(), io.StringIO()
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(errors),
    ):
        warnings.simplefilter("always")
        try:
            for code in _statements(call):
                value = eval(code, names)
                if value is not None:
                    parts.append(shown(value))
        except (Exception, SystemExit) as error:
            parts.append(_error(error))
    parts += [f"printed {line}" for line in printed.getvalue().splitlines()]
    parts += [f"error output {line}" for line in errors.getvalue().splitlines()]
    for warning in caught:
        if _is_foreign(warning):
            continue
        elsewhere = "" if warning.filename == CALL else " (elsewhere)"
        name = warning.category.__name__
        parts.append(f"{TWINS.get(name, name)}{elsewhere}: {warning.message}")
    after = _data(names)
    parts += [f"changed {name}" for name in before if before[name] != after.get(name)]
    text = "\n".join(parts) or "None"
    # What begins like a call, or is blank, would not be read back, and control characters would
    # make the file binary.
    text = CONTROL.sub(lambda found: ascii(found[0])[1:-1], text.replace(PROMPT, ">> "))
    lines = [line.rstrip() for line in text.splitlines()]
    return PLACE.sub("0x", "\n".join(line or "." for line in lines))


def _is_foreign(warning: warnings.WarningMessage) -> bool:
    """Whether one library deprecates what another one calls."""
    is_ours = warning.filename == CALL or "rankgain" in warning.filename
    return issubclass(warning.category, DeprecationWarning) and not is_ours


def _statements(call: str) -> Iterator[Any]:
    for statement in ast.parse(call, CALL).body:
        if isinstance(statement, ast.Expr):
            yield compile(ast.Expression(statement.value), CALL, "eval")
        else:
            yield compile(ast.Module([statement], []), CALL, "exec")


def _data(names: Mapping[str, Any]) -> dict[str, str]:
    """The names in capitals, which no call may change."""
    return {name: PLACE.sub("0x", shown(value)) for name, value in names.items() if name.isupper()}


def _error(error: BaseException) -> str:
    notes = "".join(f"\nnote: {note}" for note in getattr(error, "__notes__", ()))
    return f"{type(error).__name__}: {error}{notes}"


def shown(value: Any) -> str:
    """A value with its type and every number in it."""
    if type(value) in (bool, int, type(None)):  # most values, so first
        return repr(value)
    if isinstance(value, (float, np.floating)):
        return number(value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {shown(value.tolist())}"
    if isinstance(value, Mapping) and not hasattr(value, "to_json"):
        pairs = ", ".join(f"{shown(key)}: {shown(item)}" for key, item in value.items())
        return f"{{{pairs}}}" if isinstance(value, dict) else f"{type(value).__name__}({pairs})"
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        items = ", ".join(map(shown, value))
        return f"[{items}]" if isinstance(value, list) else f"({items})"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({', '.join(sorted(map(shown, value)))})"
    if isinstance(value, (np.integer, np.bool_)):
        return f"{value.dtype} {value}"
    if isinstance(value, str) and "\n" in value:
        return value
    if function := _function_of(type(value)):
        return function(value)
    if dataclasses.is_dataclass(value) or hasattr(value, "_fields"):
        names = getattr(value, "_fields", None) or [f.name for f in dataclasses.fields(value)]
        public = [name for name in names if not name.startswith("_")]
        return f"{type(value).__name__}({_fields(value, public)})"
    return repr(value)


def number(value: float | np.floating) -> str:
    single = isinstance(value, np.floating) and value.dtype.itemsize < 8
    return f"{value.dtype}({value:.6g})" if single else f"{value:.10g}"


def _fields(value: Any, names: Sequence[str]) -> str:
    return ", ".join(f"{name}={shown(getattr(value, name))}" for name in names)


# What an evaluation need not have.
FACTS = ("bounds", "bound_means", "weights", "marked", "requested", "shares", "segments")
FACTS += ("settings", "better", "collections")


def _evaluation(value: rg.Evaluation) -> str:
    lines = [str(value), f"means {shown(dict(value.means))}"]
    lines += [f"{name} {shown(values)}" for name, values in value.per_query.items()]
    lines.append(f"queries {shown(list(value.queries))}")
    lines.append(f"counts {shown(value.counts)}")
    for name in FACTS:
        fact = getattr(value, name)
        if fact is not None and len(fact):
            lines.append(f"{name} {shown(fact)}")
    return "\n".join(lines)


def _evaluations(value: rg.Evaluations) -> str:
    parts = [str(value)]
    parts += [f"{name}: {_evaluation(value[name])}" for name in value]
    return "\n".join(parts)


def _accumulator(value: rg.Accumulator) -> str:
    fields = {name: item for name, item in value.to_dict().items() if name != "rankgain"}
    return f"{value.result()}\n{shown(fields)}"


def _comparison(value: rg.Comparison) -> str:
    fields = {name: item for name, item in value.to_dict().items() if name != "versions"}
    return f"{value}\n{shown(fields)}"


def _frame(value: Any) -> str:
    columns = [f"{name} {dtype}" for name, dtype in zip(value.columns, value.dtypes, strict=True)]
    index = f" index {list(value.index)}" if hasattr(value, "index") else ""
    rows = value.to_numpy().tolist()
    return "\n".join([f"frame of {', '.join(columns)}{index}", *map(shown, rows)])


def _printed(value: Any) -> str:
    return f"{type(value).__name__}\n{value}"


def _picture(ax: Any) -> str:
    from recorded.pictures import show_figure  # only when there is matplotlib

    return show_figure(ax.figure.canvas.figure)


SHOWN: dict[str, Callable[[Any], str]] = {
    "Accumulator": _accumulator,
    "Axes": _picture,
    "Evaluation": _evaluation,
    "Evaluations": _evaluations,
    "Comparison": _comparison,
    "DataFrame": _frame,
    "Audit": _printed,
    "Power": _printed,
}


@functools.cache
def _function_of(value_type: type) -> Callable[[Any], str] | None:
    """The function in SHOWN for the name of the type or of one that it inherits from."""
    names = {parent.__name__ for parent in value_type.__mro__}
    for name, function in SHOWN.items():
        if name in names:
            return function
    return None


# Differences


def same(recorded: str, answer: str) -> bool:
    """Whether the texts agree but for the last digits of their numbers."""
    if recorded == answer:
        return True
    if NUMBER.sub("#", recorded) != NUMBER.sub("#", answer):
        return False
    pairs = zip(NUMBER.findall(recorded), NUMBER.findall(answer), strict=True)
    return all(
        math.isclose(float(a), float(b), rel_tol=RELATIVE, abs_tol=ABSOLUTE) for a, b in pairs
    )


def differences(transcript: Transcript, calls: Sequence[str]) -> Iterator[str]:
    for call, answer in zip(calls, transcript.answer_each(calls), strict=True):
        recorded = transcript.answers[call]
        if not same(recorded, answer):
            yield f"{PROMPT}{call}\nrecorded:\n{recorded}\nnow:\n{answer}"


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent), str(HERE.parent / "oracle"), str(HERE)]
    for transcript_name in sys.argv[1:] or transcript_names():
        Transcript(transcript_name).record()
