"""trec_eval's command line, and the parameters of its measures."""

import getopt
import re
from typing import NamedTuple

from .table import MEASURES, NICKNAMES, REFUSED_FORMATS, TrecMeasure, is_refused

VERSION = "10.0-rc3"
SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format=": "-o",
    "Zscore=": "-Z",
}
LARGEST = 2**63 - 1


class Stop(Exception):
    """End of the program: lines for standard error, and the exit status."""

    def __init__(self, status: int, *lines: str) -> None:
        super().__init__(*lines)
        self.status = status
        self.lines = lines


class Options:
    """The options of the command line."""

    per_query = False
    summary = True
    complete = False
    judged_only = False
    level = 1
    collection = 0
    most = LARGEST
    only_query: str | None = None
    rel_format = "qrels"
    results_format = "trec_results"
    help = False

    def __init__(self, files: list[str]) -> None:
        self.files = files
        self.marked: set[str] = set()
        self.parameters: dict[str, str] = {}  # measure -> its first parameter string


class MeasureRequest(NamedTuple):
    """A measure with its parameters."""

    measure: TrecMeasure
    names: tuple[str, ...]  # as printed, one for each value
    cutoffs: tuple[int, ...] = ()  # or labels with gains
    numbers: tuple[float, ...] = ()  # or the gains of these labels
    p: float = 0.9  # of rbp


def leading_integer(text: str) -> int:
    """Read as C's atol does."""
    result = re.match(r"\s*([+-]?)0*([0-9]*)", text)
    digits = result[2][:20] if result else ""  # Python refuses to read thousands
    return max(-LARGEST - 1, min(LARGEST, int(f"{result[1]}0{digits}"))) if result else 0


def leading_number(text: str) -> float:
    """Read as C's atof does, but for hexadecimal."""
    result = re.match(r"\s*([+-]?(inf(inity)?|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?))", text, re.I | re.A)
    return float(result[1]) if result else 0.0


def usage() -> Stop:
    """Return the error of a wrong call."""
    return Stop(
        1,
        "Usage: rankgain trec_eval [-h] [-q] [-c] [-n] [-J] [-l level] [-M documents] "
        "[-N collection] {-m measure[.parameters]}* qrels results",
    )


def parse(arguments: list[str]) -> Options:
    """Read the command line as getopt does, in its order."""
    try:
        pairs, files = getopt.gnu_getopt(arguments, SHORT, list(LONG))
    except getopt.GetoptError:
        raise usage() from None
    longs = ((name, name.removeprefix("--"), value) for name, value in pairs)
    pairs = [(LONG.get(long) or LONG.get(f"{long}=") or name, value) for name, long, value in longs]
    refuse(pairs)
    options = Options(files=files)
    for name, value in pairs:
        apply(options, name, value)
    if not options.help and len(files) != 2:
        raise usage()
    if not options.marked:
        options.marked.update(NICKNAMES["official"])
    return options


def refuse(pairs: list[tuple[str, str]]) -> None:
    """Stop at options that are not supported, and at a negative -M."""
    for name, value in pairs:
        if name == "-Z":
            raise Stop(1, "trec_eval: -Z (z scores) is not supported")
        if name == "-R" and value in REFUSED_FORMATS:
            raise Stop(1, f"trec_eval: rel_format '{value}' is not supported")
        if name == "-M" and leading_integer(value) < 0:
            raise Stop(
                1, f"trec_eval: -M takes a number from 0 on, not '{value}' (trec_eval takes it)"
            )
        if name == "-m" and is_refused(value.split(".")[0]):
            raise Stop(1, f"trec_eval: measure '{value}' is not supported")


def apply(options: Options, name: str, value: str) -> None:
    """Apply one option."""
    match name:
        case "-v":
            raise Stop(0, f"trec_eval version {VERSION}")
        case "-m":
            mark(options, value)
        case "-D" if "." in value:
            options.only_query = value.split(".", 1)[1]
        case "-l":
            options.level = leading_integer(value)
        case "-N":
            options.collection = leading_integer(value)
        case "-M":
            options.most = leading_integer(value)
        case "-R":
            options.rel_format = value
        case "-T":
            options.results_format = value
        case "-h" | "-q" | "-c" | "-J":
            flag = {"-h": "help", "-q": "per_query", "-c": "complete", "-J": "judged_only"}[name]
            setattr(options, flag, True)
        case "-n":
            options.summary = False


def mark(options: Options, value: str) -> None:
    """Add a measure, or those of a nickname."""
    name, dot, parameters = value.partition(".")
    wrong = f"trec_eval: illegal measure '{name}'"
    if dot and not parameters:
        raise Stop(1, f"trec_eval: improper measure in parameter '{name}'", wrong)
    if dot:
        options.parameters.setdefault(name, parameters)
    if name not in NICKNAMES and name not in MEASURES:
        raise Stop(1, wrong)
    options.marked.update(NICKNAMES.get(name, (name,)))


def requested(options: Options) -> list[MeasureRequest]:
    """Return the requested measures in the order of the table."""
    return [
        with_parameters(measure, options.parameters.get(measure.name))
        for measure in MEASURES.values()
        if measure.name in options.marked
    ]


def with_parameters(measure: TrecMeasure, text: str | None) -> MeasureRequest:
    """Read the parameters of a measure, and name its values."""
    name, default = measure.name, measure.default
    parts = text.split(",") if text is not None else []
    try:
        match measure.takes:
            case "cutoffs":
                cutoffs = sorted(map(leading_integer, parts)) or [int(k) for k in default]
                if cutoffs[0] <= 0:
                    raise Stop(2, "trec_eval: Negative cutoff detected")
                distinct(cutoffs)
                return MeasureRequest(
                    measure, tuple(f"{name}_{k}" for k in cutoffs), tuple(cutoffs)
                )
            case "fractions":
                points = sorted(map(leading_number, parts)) or list(default)
                distinct(points)
                # trec_eval cuts names to this length.
                names = tuple(f"{name}_{x:3.2f}"[: len(name) + 9] for x in points)
                return MeasureRequest(measure, names, numbers=tuple(points))
            case "numbers":
                numbers = tuple(map(leading_number, parts)) if parts else default
                return MeasureRequest(
                    measure, (f"{name}_{text}" if parts else name,), numbers=numbers
                )
            case "pairs" if text is not None:
                return with_gains(measure, text)
    except Stop as stop:
        stop.lines += (f"trec_eval: Cannot initialize measure '{name}'",)
        raise
    return MeasureRequest(measure, (name,) if name != "runid" else ())


def distinct(cutoffs: list[int] | list[float]) -> None:
    """Stop at a duplicate cutoff; `cutoffs` are sorted."""
    if len(set(cutoffs)) < len(cutoffs):
        raise Stop(2, "trec_eval: duplicate cutoffs detected")


def with_gains(measure: TrecMeasure, text: str) -> MeasureRequest:
    """Read label=gain pairs, and p=persistence for rbp; other names are ignored."""
    parts = text.split(",")
    if not all(part.count("=") == 1 for part in parts):
        raise Stop(2, f"trec_eval: malformed pair parameters in '{text}'")
    pairs = [(label, leading_number(gain)) for label, _, gain in (p.partition("=") for p in parts)]
    gains = [(leading_integer(x), gain) for x, gain in pairs if re.fullmatch(r"[+-]?[0-9]+", x)]
    p = dict(pairs).get("p", 0.9)
    labels, values = tuple(x for x, _ in gains), tuple(gain for _, gain in gains)
    return MeasureRequest(measure, (f"{measure.name}_{text}",), labels, values, p)
