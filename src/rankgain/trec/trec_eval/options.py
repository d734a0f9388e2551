"""trec_eval's command line, and its measures in their order with parameters and nicknames."""

import getopt
import re
from typing import Literal, NamedTuple, TypeAlias

VERSION = "10.0-rc3"
LARGEST = 2**63 - 1

# Kinds of parameter strings: cutoffs or fractions (a value for each), coefficients, or
# name=value pairs.
Takes: TypeAlias = Literal["nothing", "cutoffs", "fractions", "numbers", "pairs"]
Mean: TypeAlias = Literal["mean", "sum", "geometric", "queries", "none"]


class TrecMeasure(NamedTuple):
    """A measure of trec_eval."""

    name: str
    takes: Takes = "nothing"
    default: tuple[float, ...] = ()
    mean: Mean = "mean"
    is_integer: bool = False  # printed as an integer
    per_query: bool = True  # printed for each query


RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

MEASURES = {
    measure.name: measure
    for measure in (
        TrecMeasure("runid", mean="none", per_query=False),
        TrecMeasure("num_q", mean="queries", is_integer=True, per_query=False),
        TrecMeasure("num_ret", mean="sum", is_integer=True),
        TrecMeasure("num_rel", mean="sum", is_integer=True),
        TrecMeasure("num_rel_ret", mean="sum", is_integer=True),
        TrecMeasure("map"),
        TrecMeasure("gm_map", mean="geometric", per_query=False),
        TrecMeasure("Rprec"),
        TrecMeasure("bpref"),
        TrecMeasure("recip_rank"),
        TrecMeasure("iprec_at_recall", "fractions", TENTHS),
        TrecMeasure("P", "cutoffs", RANKS),
        TrecMeasure("relstring", "numbers", (10.0,), mean="none"),
        TrecMeasure("recall", "cutoffs", RANKS),
        TrecMeasure("infAP"),
        TrecMeasure("gm_bpref", mean="geometric", per_query=False),
        TrecMeasure("Rprec_mult", "fractions", MULTIPLES),
        TrecMeasure("utility", "numbers", (1.0, -1.0, 0.0, 0.0)),
        TrecMeasure("11pt_avg", "numbers", TENTHS),
        TrecMeasure("binG"),
        TrecMeasure("G", "pairs"),
        TrecMeasure("dcg", "pairs"),
        TrecMeasure("ideal_dcg", "pairs"),
        TrecMeasure("ndcg", "pairs"),
        TrecMeasure("ndcg_rel", "pairs"),
        TrecMeasure("Rndcg", "pairs"),
        TrecMeasure("ndcg_cut", "cutoffs", RANKS),
        TrecMeasure("map_cut", "cutoffs", RANKS),
        TrecMeasure("relative_P", "cutoffs", RANKS),
        TrecMeasure("success", "cutoffs", (1, 5, 10)),
        TrecMeasure("set_P"),
        TrecMeasure("set_relative_P"),
        TrecMeasure("set_recall"),
        TrecMeasure("set_map"),
        TrecMeasure("set_F", "numbers", (1.0,)),
        TrecMeasure("num_nonrel_judged_ret", mean="sum", is_integer=True),
        TrecMeasure("yaap"),
        TrecMeasure("rbp", "pairs"),
        TrecMeasure("rbp_resid", "pairs"),
        TrecMeasure("unj", "cutoffs", (5, 10, 20)),
    )
}

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_SETS = ("utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_NOT_IN_ALL = ("dcg", "ideal_dcg", "yaap")

NICKNAMES = {
    "official": (
        *_COUNTS,
        *("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    ),
    "set": (*_COUNTS, *_SETS),
    "all_trec": tuple(name for name in MEASURES if name not in _NOT_IN_ALL),
}

# These need preferences or judgment groups.
REFUSED_MEASURES = r"map_avgjg|P_avgjg|Rprec_mult_avgjg|qrels_jg|all_prefs|prefs(_.*)?"
REFUSED_FORMATS = ("prefs", "qrels_prefs", "qrels_jg")


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
    max_documents = LARGEST
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
    assert result is not None  # the pattern matches the empty string
    sign, digits = result[1], result[2]
    # Twenty digits exceed the range already, and Python refuses to read thousands of them.
    value = int(f"{sign}0{digits[:20]}")
    return max(-LARGEST - 1, min(LARGEST, value))


def leading_number(text: str) -> float:
    """Read as C's atof does, but for hexadecimal."""
    result = re.match(r"\s*([+-]?(inf(inity)?|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?))", text, re.I | re.A)
    return float(result[1]) if result else 0.0


USAGE = (
    "Usage: rankgain trec_eval [-h] [-q] [-c] [-n] [-J] [-l level] [-M documents] [-N collection] "
    "{-m measure[.parameters]}* qrels results"
)
# Of each option the letter, the long name, the attribute that it sets, and how its value is read.
OPTIONS = (
    ("h", "help", "help", lambda _: True),
    ("v", "version", "", str),
    ("q", "query_eval_wanted", "per_query", lambda _: True),
    ("m:", "measure=", "", str),
    ("c", "complete_rel_info_wanted", "complete", lambda _: True),
    ("l:", "level_for_rel=", "level", leading_integer),
    ("n", "nosummary", "summary", lambda _: False),
    ("D:", "Debug_level=", "", str),
    ("J", "Judged_docs_only", "judged_only", lambda _: True),
    ("N:", "Number_docs_in_coll=", "collection", leading_integer),
    ("M:", "Max_retrieved_per_topic=", "max_documents", leading_integer),
    ("R:", "Rel_info_format=", "rel_format", str),
    ("T:", "Results_format=", "results_format", str),
    ("o", "Output_old_results_format=", "", str),
    ("Z:", "Zscore=", "", str),
)


def parse(arguments: list[str]) -> Options:
    """Read the command line as getopt does, in its order."""
    letters = "".join(option[0] for option in OPTIONS)
    long_names = [option[1] for option in OPTIONS]
    try:
        pairs, files = getopt.gnu_getopt(arguments, letters, long_names)
    except getopt.GetoptError:
        raise Stop(1, USAGE) from None
    # Options by letter: -l and --level_for_rel are both "l".
    letter_of = {}
    rows = {}
    for letter, long_name, attribute, read in OPTIONS:
        letter_of[f"-{letter[0]}"] = letter_of[f"--{long_name.rstrip('=')}"] = letter[0]
        rows[letter[0]] = (attribute, read)
    pairs = [(letter_of[name], value) for name, value in pairs]
    for letter, value in pairs:
        if letter == "Z":
            raise Stop(1, "trec_eval: -Z (z scores) is not supported")
        if letter == "R" and value in REFUSED_FORMATS:
            raise Stop(1, f"trec_eval: rel_format '{value}' is not supported")
        if letter == "M" and leading_integer(value) < 0:
            raise Stop(
                1, f"trec_eval: -M takes a number from 0 on, not '{value}' (trec_eval takes it)"
            )
        if letter == "m" and re.fullmatch(REFUSED_MEASURES, value.split(".")[0], re.S):
            raise Stop(1, f"trec_eval: measure '{value}' is not supported")
    options = Options(files)
    for letter, value in pairs:
        attribute, read = rows[letter]
        if letter == "v":
            raise Stop(0, f"trec_eval version {VERSION}")
        if letter == "m":  # a measure, or the nickname of several
            name, dot, parameters = value.partition(".")
            wrong = f"trec_eval: illegal measure '{name}'"
            if dot and not parameters:
                raise Stop(1, f"trec_eval: improper measure in parameter '{name}'", wrong)
            if dot:
                options.parameters.setdefault(name, parameters)
            if name not in NICKNAMES and name not in MEASURES:
                raise Stop(1, wrong)
            options.marked.update(NICKNAMES.get(name, (name,)))
        elif letter == "D" and "." in value:
            options.only_query = value.split(".", 1)[1]
        elif attribute:
            setattr(options, attribute, read(value))
    if not options.help and len(files) != 2:
        raise Stop(1, USAGE)
    if not options.marked:
        options.marked.update(NICKNAMES["official"])
    return options


def with_parameters(measure: TrecMeasure, text: str | None) -> MeasureRequest:
    """Read the parameters of a measure, and name its values."""
    name, takes = measure.name, measure.takes
    parts = [] if text is None else text.split(",")
    wrong = f"trec_eval: Cannot initialize measure '{name}'"
    if takes in ("cutoffs", "fractions"):
        read = leading_integer if takes == "cutoffs" else leading_number
        points = sorted(map(read, parts)) or list(measure.default)
        if takes == "cutoffs" and points[0] <= 0:
            raise Stop(2, "trec_eval: Negative cutoff detected", wrong)
        if len(set(points)) < len(points):
            raise Stop(2, "trec_eval: duplicate cutoffs detected", wrong)
        if takes == "cutoffs":
            cutoffs = tuple(map(int, points))
            return MeasureRequest(measure, tuple(f"{name}_{k}" for k in cutoffs), cutoffs)
        # trec_eval cuts names to this length.
        names = tuple(f"{name}_{x:3.2f}"[: len(name) + 9] for x in points)
        return MeasureRequest(measure, names, numbers=tuple(points))
    if takes == "numbers":
        if not parts:
            return MeasureRequest(measure, (name,), numbers=measure.default)
        numbers = tuple(map(leading_number, parts))
        return MeasureRequest(measure, (f"{name}_{text}",), numbers=numbers)
    if name == "runid":
        return MeasureRequest(measure, ())
    if takes == "nothing" or text is None:
        return MeasureRequest(measure, (name,))
    # Pairs label=gain, and p=persistence for rbp; other names are ignored.
    if not all(part.count("=") == 1 for part in parts):
        raise Stop(2, f"trec_eval: malformed pair parameters in '{text}'", wrong)
    labels: list[int] = []
    gains: list[float] = []
    p = 0.9
    for part in parts:
        label, _, number = part.partition("=")
        if re.fullmatch(r"[+-]?[0-9]+", label):
            labels.append(leading_integer(label))
            gains.append(leading_number(number))
        elif label == "p":
            p = leading_number(number)
    return MeasureRequest(measure, (f"{name}_{text}",), tuple(labels), tuple(gains), p)
